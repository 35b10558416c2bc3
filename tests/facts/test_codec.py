"""The one JSON form: there and back for every record, and strict at the door."""

import dataclasses
import json
import math
import typing
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import counsel as cs
from counsel.exchange.schema import records
from counsel.explain.attribution import Attribution, Expected, Shown, WhatIf
from counsel.explain.grounds import Grounds, PersonInfluence, TrialInfluence
from counsel.facts import codec
from counsel.facts.form import Record
from counsel.facts.records import (
    Amendment,
    Claim,
    Comparison,
    Decision,
    DecisionKind,
    Fact,
    Failure,
    Lease,
    Observation,
    PastTrial,
    Prediction,
    Proposal,
    Revision,
    Withdrawal,
)
from counsel.facts.safety import SafePoint, SafeSet
from counsel.facts.summaries import (
    Best,
    Difference,
    Front,
    FrontTrial,
    LeftOut,
    Outlook,
    Replay,
    Setup,
    Summary,
)
from counsel.teams.advice import Advice, ParameterCredit, TrackRecord
from counsel.teams.alignment import Alignment
from counsel.teams.overriding import Gain, Overriding

NOW = datetime(2026, 5, 1, 14, 30, 0, 123456, tzinfo=UTC)
VALUES = {"x": 0.1 + 0.2, "k": 10**12, "c": "1", "b": True, "n": 1}
SPACE = cs.Space(x=cs.Float(1e-4, 1, log=True), c=cs.Categorical(["u", 1, 2.5]))
ARMS = cs.Arms([{"a": 0.0, "s": "u"}, {"a": 1.5, "s": "v"}], context={"day": cs.Int(1, 5)})
BOUNDS = (cs.Constraint("calm", at_least=0.0), cs.Constraint("heat", at_most=1e-300))
PROPOSAL = Proposal(
    "p1", 1, VALUES, {"day": 2}, ("calm",), Prediction(-1 / 3, 0.25), {"explore": 1e300},
    "v-ucb", (0.5, -1.0), 3, "é ☃ \n", NOW, {"calm": 0.5},
)  # fmt: skip
OBSERVATION = Observation("o1", "p1", VALUES, {}, {"objective": -0.0}, "ann", NOW)
RECORD = TrackRecord(0.5, 0.4, 2, 3, 2, (ParameterCredit("x", 0.4, 0.5),))
WHY = Attribution(
    terms=("explore",), parameters=("x", "c"), values=np.array([[0.25, -0.5]]),
    base=np.array([1.0]), total=np.array([0.75]), error=np.zeros((1, 2)), methods=("exact",),
    background="the whole space", evaluations=4, point=VALUES, context={},
)  # fmt: skip
EXPECTED = Expected("price", -4.0, np.array([0.25, -0.5]), 1.0, 0.75)
SAFE = SafePoint(VALUES, 0.99, {"calm": 0.99}, {"calm": 0.1}, {"calm": 0.4}, 3, declared=True)
ON_FRONT = FrontTrial(VALUES, {"day": 2}, {"objective": 1.0}, None, "o1", None)
SEVERAL = (cs.Objective("speed", weight=2.0), cs.Objective("price", "minimize"))
BOUNDED = (*SEVERAL, cs.Objective("waste", "minimize", at_most=1.0))
EXAMPLES: list[Record] = [
    PROPOSAL,
    dataclasses.replace(PROPOSAL, prediction=None, asks=(), theta=(), terms={}, chances={}),
    OBSERVATION,
    dataclasses.replace(OBSERVATION, proposal=None),
    TrialInfluence("o1", "ann", 0.25),
    PersonInfluence("ann", 1, 0.25),
    Grounds(
        "p1", "x=1 raises the payoff", 10, 9, 0.5, (TrialInfluence("o1", "ann", 0.25),),
        (PersonInfluence("ann", 1, 0.25),), "nearest",
    ),
    dataclasses.replace(WHY, interactions=np.array([[[0.0, 0.25], [0.25, -0.75]]])),
    *(Decision("d1", "p1", kind, None, "ann", "", NOW) for kind in typing.get_args(DecisionKind)),
    Decision("d1", "p1", "override", VALUES, "ann", "too stiff", NOW),
    Comparison("c1", VALUES, {"x": 1}, True, {}, "p1", None, "ann", NOW),
    Revision("r1", "o1", {"objective": 2.0}, "ann", "typo", NOW),
    Withdrawal("w1", "r1", "ann", "", NOW),
    Decision("d2", "p1", "reject", None, "ann", "", NOW, 0.05),
    dataclasses.replace(OBSERVATION, sem={"objective": 0.5}),
    Failure("f1", "p1", VALUES, {"day": 2}, "ann", "it clotted", NOW),
    Failure("f1", None, VALUES, {}, "ann", "", NOW),
    Amendment("a1", SPACE, "ann", "", NOW),
    PastTrial(VALUES, {"objective": 1.0}),
    PastTrial(VALUES, {"objective": 1.0}, {"day": 1}, "ben", NOW),
    Lease("p1", "ann", NOW),
    Outlook(0.5, 0.25, 0.1, 0.2, 0.75, 1.0, 12, "too few"),
    LeftOut("o1", 0.5, 0.25, 0.1),
    Outlook(0.5, 0.25, 0.1, 0.2, 0.75, 1.0, 12, "", (LeftOut("o1", 0.5, 0.25, 0.1),)),
    ON_FRONT,
    Front(("objective",), (ON_FRONT,), {"objective": 1.0}, (ON_FRONT, ON_FRONT)),
    Best(VALUES, 2.0, OBSERVATION, PROPOSAL),
    Best(VALUES, 2.0, None, None),
    Best(VALUES, 2.0, OBSERVATION, PROPOSAL, certified=False, chance=0.4, note="not certified"),
    SAFE,
    SafeSet(0.98, (SAFE,), considered=10, undecided=3, share=0.1, note="a note"),
    Replay(2, ()),
    Replay(
        2,
        (
            Difference("p1", "values", {"x": 1}, {"x": 2.0}),
            Difference("p1", "prediction", None, Prediction(1.0, 2.0)),
            Difference("p1", "theta", (0.5, 1.0), ()),
            Difference("p1", "note", "a", "b"),
        ),
    ),
    Setup("s", cs.Problem(SPACE), "ei", {"tag": "ei", "settings": {}}, 2**63 - 1, NOW),
    Setup("s", cs.Problem(ARMS, cs.Objective("o", "minimize"), BOUNDS), "ei", {}, 0, NOW),
    Setup("s", cs.Problem(ARMS, objectives=BOUNDED, tradeoff="comparisons"), "ei", {}, 0, NOW),
    Summary("s", "o", "ei", 3, NOW),
    WHY,
    WhatIf(Prediction(1.0, 2.0), WHY),
    WhatIf(Prediction(1.0, 2.0), WHY, 3.0, "p1", Prediction(2.0, 0.5)),
    EXPECTED,
    dataclasses.replace(WHY, objectives=(EXPECTED,)),
    Shown("ann", NOW, WHY),
    Alignment("p1", "ann", ("x", "c"), (0.5, -0.5), (1.0, 0.0), math.inf, 2),
    Alignment("p1", "ann", ("x", "c"), (0.5, -0.5), (1.0, 0.0), 1.5, 2),
    Overriding("ann", 0.5, 0.25, (Gain("p1", 0.5, 0.25),)),
    Claim("e1", {"x": 0.5, "c": "b"}, {"x": 0.1, "c": "b"}, {}, None, "p1", "ann", NOW),
    cs.Comment("n1", "o1", "it was open over night", "ann", NOW),
    cs.Archival("h1", True, "ann", "done", NOW),
    Summary("s", "o", "ei", 3, NOW, archived=True),
    Advice("p1", "ann", {"x": 0.5, "c": "b"}, "step in", "Yes.", 0.8, 1.0, 0.5, RECORD, None),
    Advice("p1", "ann", None, "your call", "Why not.", None, None, None, RECORD, None),
]  # fmt: skip


def exact(record: Any) -> str:
    """What equality does not see: 1 is not True, 1.0 is not 1, and arrays."""
    return repr(record)


@pytest.mark.parametrize("record", EXAMPLES, ids=lambda record: type(record).__name__)
def test_there_and_back(record: Record) -> None:
    text = codec.to_text(record)
    again = codec.read(type(record), json.loads(text))
    assert exact(again) == exact(record)
    assert codec.to_text(again) == text
    if not isinstance(
        record, Attribution | Expected | WhatIf | Shown
    ):  # arrays are not equal or unequal
        assert again == record


def test_every_record_has_an_example() -> None:
    shown = {type(each).__name__ for each in EXAMPLES}
    inside = {
        "Constraint",
        "Difference",
        "Gain",
        "Objective",
        "Prediction",
        "Problem",
        "StudyFile",
    } | {"ParameterCredit", "TrackRecord"}
    assert set(records()) == shown | inside


@pytest.mark.parametrize("fact", [e for e in EXAMPLES if isinstance(e, Fact)])
def test_facts_say_what_they_are(fact: Fact) -> None:
    data = codec.write(fact)
    assert data["kind"] == type(fact).__name__.lower()
    assert codec.read_fact(data) == fact


@given(
    st.dictionaries(
        st.text(max_size=5),
        st.text(max_size=5)
        | st.integers()
        | st.booleans()
        | st.floats(allow_nan=False, allow_infinity=False),
    )
)
def test_any_values_survive(values: dict[str, Any]) -> None:
    fact = dataclasses.replace(OBSERVATION, values=values)
    again = codec.read_fact(json.loads(json.dumps(codec.write(fact))))
    assert exact(again) == exact(fact)


def test_derived_fields_are_written_and_not_believed() -> None:
    data = codec.write(WHY)
    assert (data["exact"], data["sentence"]) == (True, WHY.sentence())
    assert codec.read(Attribution, {**data, "exact": False}).exact
    assert codec.write(Replay(1, ()))["identical"] is True


def test_times_are_utc() -> None:
    there = NOW.astimezone(timezone(timedelta(hours=5)))
    lease = codec.read(Lease, {"proposal": "p1", "actor": "ann", "until": there.isoformat()})
    assert lease.until == NOW
    assert lease.until.tzinfo is UTC


@pytest.mark.parametrize(
    ("field", "value", "where", "remedy"),
    [
        ("kind", "rumour", "kind", "Use one of proposal, decision"),
        ("surprise", 1, "proposal.surprise", "A proposal has kind, id, round"),
        ("round", 1.5, "proposal.round", "whole number"),
        ("round", "1", "proposal.round", "whole number"),
        ("round", True, "proposal.round", "whole number"),
        ("id", 7, "proposal.id", "string"),
        ("values", [1], "proposal.values", "object"),
        ("values", {"x": math.nan}, "proposal.values.x", "finite"),
        ("values", {"x": None}, "proposal.values.x", "string, a number or a boolean"),
        ("terms", {"explore": math.inf}, "proposal.terms.explore", "finite"),
        ("terms", {"explore": "1"}, "proposal.terms.explore", "number"),
        ("theta", [False], "proposal.theta.0", "number"),
        ("asks", "calm", "proposal.asks", "list"),
        ("prediction", [1.0, 2.0], "proposal.prediction", "describes a prediction"),
        ("prediction", {"mean": 1.0}, "proposal.prediction.sd", "Missing"),
        ("time", "yesterday", "proposal.time", "2026-05-01"),
        ("time", "2026-05-01T14:30:00", "proposal.time", "+00:00"),
        ("time", "0001-01-01T00:00:00+14:00", "proposal.time", "+00:00"),
        ("theta", [10**400], "proposal.theta.0", "number"),
    ],
)
def test_what_is_refused(field: str, value: Any, where: str, remedy: str) -> None:
    data = codec.write(PROPOSAL)
    with pytest.raises(cs.InvalidInput) as refused:
        codec.read_fact({**data, field: value})
    assert refused.value.field == where
    assert remedy in refused.value.remedy


@pytest.mark.parametrize("field", [f.name for f in dataclasses.fields(Proposal)])
def test_what_is_missing_is_named(field: str) -> None:
    data = codec.write(PROPOSAL)
    del data[field]
    if field == "chances":  # absent from the oldest files
        assert codec.read_fact(data) == dataclasses.replace(PROPOSAL, chances={})
        return
    with pytest.raises(cs.InvalidInput, match=f"proposal.{field}: got None. Missing"):
        codec.read_fact(data)


def test_a_record_refuses_in_its_own_words() -> None:
    with pytest.raises(cs.InvalidInput, match="Give at_least, at_most, or both"):
        codec.read(cs.Constraint, {"name": "calm"})
    setup = codec.write(next(each for each in EXAMPLES if isinstance(each, Setup)))
    setup["problem"]["space"]["parameters"][0]["low"] = 2
    with pytest.raises(cs.InvalidInput, match=r"problem\.space\.x\.low: got 2"):
        codec.read(Setup, setup)
    with pytest.raises(cs.InvalidInput, match="not valid JSON"):
        codec.from_text("file", "{")
    with pytest.raises(cs.InvalidInput, match="not valid JSON"):
        codec.from_text("file", "[" * 100_000)
    with pytest.raises(cs.InvalidInput, match="values: got"):
        codec.read(Attribution, {**codec.write(WHY), "values": [[10**400, 0.0]]})
    with pytest.raises(cs.InvalidInput, match="rows of equal length"):
        codec.read(Attribution, {**codec.write(WHY), "values": [[1.0, 0.0], [1.0]]})
    with pytest.raises(cs.InvalidInput, match="kind: got"):
        codec.read_fact(7)
    with pytest.raises(cs.InvalidInput, match="Give a JSON object that describes a lease"):
        codec.read(Lease, "p1")
