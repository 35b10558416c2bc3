"""Records: frozen, comparable, picklable, and particular about what they take in."""

import dataclasses
import math
import pickle
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

import counsel as cs
from counsel.facts import records
from counsel.facts.records import Difference, finite_number

# The same names, for calls that a type checker would refuse before Counsel does.
loose: Any = records

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


def test_sign_of_an_objective() -> None:
    assert cs.Objective().sign == 1.0
    assert cs.Objective(direction="minimize").sign == -1.0


def test_interval_of_a_prediction() -> None:
    assert cs.Prediction(1.0, 0.25).interval(2.0) == (0.5, 1.5)
    low, high = cs.Prediction(0.0, 1.0).interval()
    assert (low, high) == (-1.96, 1.96)


def test_replay_is_identical_without_differences() -> None:
    assert cs.Replay(3, ()).identical
    assert not cs.Replay(3, (Difference("p1", "values", 1, 2),)).identical


def test_a_threshold_of_zero_counts_as_given() -> None:
    assert cs.Constraint("comfort", at_least=0.0).at_least == 0.0
    assert cs.Constraint("comfort", at_most=0).at_most == 0


# ---- refusals -----------------------------------------------------------------------------------


def assert_refused(call: Any, field: str, value: str, remedy: str) -> None:
    """Refused with a sentence that names the field, the value and the remedy."""
    with pytest.raises(cs.InvalidInput) as caught:
        call()
    message = str(caught.value)
    assert message.startswith(f"{field}: got {value}")
    assert remedy in message
    assert message.endswith(".")


def test_constraint_without_a_threshold() -> None:
    assert_refused(
        lambda: cs.Constraint("comfort"),
        "constraint 'comfort'",
        "{'at_least': None, 'at_most': None}",
        "Give at_least, at_most, or both",
    )


def test_constraint_with_both_thresholds() -> None:
    assert cs.Constraint("comfort", at_least=0.0, at_most=1.0).margin(0.9) == pytest.approx(0.1)
    assert_refused(
        lambda: cs.Constraint("comfort", at_least=1.0, at_most=1.0),
        "constraint 'comfort'",
        "{'at_least': 1.0, 'at_most': 1.0}",
        "Give an at_least below at_most",
    )


@pytest.mark.parametrize("side", ["at_least", "at_most"])
@pytest.mark.parametrize("threshold", [math.nan, math.inf, -math.inf])
def test_constraint_with_a_threshold_that_is_not_finite(side: str, threshold: float) -> None:
    assert_refused(
        lambda: cs.Constraint("jerk", **{side: threshold}),
        "constraint 'jerk' threshold",
        str(threshold),
        "Give a finite number",
    )


@pytest.mark.parametrize("threshold", ["2", True, [1.0], np.array([1.0, 2.0])])
def test_constraint_with_a_threshold_that_is_no_number(threshold: object) -> None:
    assert_refused(
        lambda: loose.Constraint("jerk", at_most=threshold),
        "constraint 'jerk' threshold",
        repr(threshold),
        "Give one number",
    )


@pytest.mark.parametrize("direction", ["max", "Maximize", "", None, True, 1])
def test_objective_with_a_bad_direction(direction: object) -> None:
    assert_refused(
        lambda: loose.Objective("yield", direction),
        "direction",
        repr(direction),
        "Use 'maximize' or 'minimize'",
    )


@pytest.mark.parametrize("name", ["", "  ", "\n", None, 3, b"yield"])
def test_empty_names(name: object) -> None:
    remedy = "Give a name that is not empty"
    assert_refused(lambda: loose.Objective(name), "objective name", repr(name), remedy)
    assert_refused(lambda: loose.Constraint(name, 0.0), "constraint name", repr(name), remedy)


def test_two_things_of_one_name() -> None:
    twice = (cs.Constraint("comfort", at_least=0.0), cs.Constraint("comfort", at_most=1.0))
    remedy = "a name of its own"
    assert_refused(lambda: cs.Problem(SPACE, constraints=twice), "name", "'comfort'", remedy)
    like_the_objective = (cs.Constraint("yield", at_least=0.0),)
    assert_refused(
        lambda: cs.Problem(SPACE, cs.Objective("yield"), like_the_objective),
        "name",
        "'yield'",
        remedy,
    )
    assert_refused(lambda: cs.Problem(SPACE, cs.Objective("x")), "name", "'x'", remedy)
    day = cs.Space(x=cs.Float(0, 1), context={"day": cs.Int(1, 5)})
    assert_refused(lambda: cs.Problem(day, cs.Objective("day")), "name", "'day'", remedy)


@pytest.mark.parametrize("space", [None, "box", {"x": (0, 1)}, cs.Float(0, 1), cs.Space])
def test_problem_without_a_space(space: object) -> None:
    with pytest.raises(cs.InvalidInput, match=r"^space: got .*counsel\.Space\(.*counsel\.Arms"):
        loose.Problem(space)


# ---- numbers ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [2, 2.0, np.float64(2), np.float32(2), np.int64(2), np.uint8(2), np.array(2.0)],
    ids=lambda v: type(v).__name__,
)
def test_finite_number_takes_python_and_numpy_numbers(value: object) -> None:
    number = finite_number("yield", value)
    assert number == 2.0
    assert type(number) is float


@pytest.mark.parametrize(
    "value",
    [None, "2", b"2", True, np.bool_(True), [2.0], (2.0,), {}, 1j, np.array([1.0, 2.0])],
    ids=repr,
)
def test_finite_number_refuses_what_is_no_number(value: object) -> None:
    assert_refused(lambda: finite_number("yield", value), "yield", repr(value), "Give one number")


@pytest.mark.parametrize(
    "value",
    [math.nan, math.inf, -math.inf, np.float64("nan"), np.float32("inf"), 10**400],
    ids=lambda v: str(v)[:8],
)
def test_finite_number_refuses_what_is_not_finite(value: object) -> None:
    assert_refused(lambda: finite_number("yield", value), "yield", "", "Give a finite number")
