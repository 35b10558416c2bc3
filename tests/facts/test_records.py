"""Records: frozen, comparable, picklable."""

import dataclasses
import pickle
from datetime import UTC, datetime
from typing import Any

import pytest

import counsel as cs
from counsel.facts.summaries import Difference

NOW = datetime(2026, 1, 2, tzinfo=UTC)
SPACE = cs.Space(x=cs.Float(0, 1))
PROPOSAL = cs.Proposal(
    id="p1",
    round=1,
    values={"x": 0.5},
    context={},
    asks=(),
    prediction=cs.Prediction(1.0, 0.25),
    terms={"exploitation": 1.0, "approximation": 0.5},
    policy="v-ucb",
    theta=(0.0, -1.0),
    seen=0,
    note="",
    time=NOW,
)
OBSERVATION = cs.Observation("o1", "p1", {"x": 0.5}, {}, {"objective": 1.5}, "ann", NOW)
RECORDS = [
    cs.Objective("yield", "minimize"),
    cs.Constraint("comfort", at_least=0.0),
    cs.Problem(SPACE, constraints=(cs.Constraint("comfort", at_most=2.0),)),
    cs.Prediction(1.0, 0.25),
    PROPOSAL,
    cs.Decision("d1", "p1", "override", {"x": 0.25}, "ann", "too stiff", NOW),
    OBSERVATION,
    cs.Comparison("c1", {"x": 0.5}, {"x": 0.25}, False, {}, "p1", None, "ann", NOW),
    cs.Revision("r1", "o1", {"objective": 1.25}, "ann", "typing error", NOW),
    cs.Withdrawal("w1", "o1", "ann", "typing error", NOW),
    cs.Best({"x": 0.5}, 1.5, OBSERVATION, PROPOSAL),
    Difference("p1", "values", {"x": 0.5}, {"x": 0.25}),
    cs.Replay(1, ()),
]
each_record = pytest.mark.parametrize("record", RECORDS, ids=lambda r: type(r).__name__)


@each_record
def test_frozen(record: Any) -> None:
    for field in dataclasses.fields(record):
        before = getattr(record, field.name)
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(record, field.name, None)
        assert getattr(record, field.name) is before


@each_record
def test_no_room_for_other_attributes(record: Any) -> None:
    with pytest.raises((AttributeError, TypeError)):
        record.remark = "late addition"
    assert not hasattr(record, "__dict__")


@each_record
def test_pickle(record: Any) -> None:
    copy = pickle.loads(pickle.dumps(record))
    assert type(copy) is type(record)
    assert copy == record


@each_record
def test_equal_by_content(record: Any) -> None:
    assert dataclasses.replace(record) == record
    assert record != object()


def test_one_field_is_enough_to_differ() -> None:
    assert dataclasses.replace(PROPOSAL, values={"x": 0.25}) != PROPOSAL
    assert dataclasses.replace(OBSERVATION, outcomes={"objective": 2.0}) != OBSERVATION


def test_interval_of_a_prediction() -> None:
    assert cs.Prediction(1.0, 0.25).interval(2.0) == (0.5, 1.5)
    low, high = cs.Prediction(0.0, 1.0).interval()
    assert (low, high) == (-1.96, 1.96)


def test_replay_is_identical_without_differences() -> None:
    assert cs.Replay(3, ()).identical
    assert not cs.Replay(3, (Difference("p1", "values", 1, 2),)).identical
