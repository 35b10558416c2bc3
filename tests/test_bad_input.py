"""Bad input gets a sentence (field, value, remedy) and leaves the study as it was.

What only looks bad (one arm, constant outputs, extreme units) works.
"""

import math
import reprlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import counsel as cs
from counsel.facts.records import PastTrial

# The same names, for calls that a type checker would refuse before Counsel does.
loose: Any = cs

POLICIES = cs.policies.names()
each_policy = pytest.mark.parametrize("policy", POLICIES)
WITHOUT_BELIEF = [entry.tag for entry in cs.policies.entries() if not entry.has_beliefs]

GRID = [{"a": i / 4, "b": j / 4} for i in range(5) for j in range(5)]
ARMS = cs.Arms(GRID)
BOX = cs.Space(x=cs.Float(0, 1), k=cs.Int(1, 9), c=cs.Categorical(["u", "v"]))
WITH_CONTEXT = cs.Space(x=cs.Float(0, 1), context={"day": cs.Int(1, 5)})
POINT = {"x": 0.5, "k": 3, "c": "u"}

NOT_FINITE = [math.nan, math.inf, -math.inf, np.float64("nan"), np.float32("inf"), 10**400]
NOT_A_NUMBER = [None, "1.0", True, np.bool_(True), 1j, [1.0], {}, np.array([1.0, 2.0]), object()]
NOT_A_TEXT = [None, 3, b"ann", ["ann"], np.array(["a", "b"])]


def short(value: object) -> str:
    # Without an address, which differs between the processes that share the tests.
    return reprlib.repr(value)[:20].split(" at 0x")[0].split(" objec")[0]


@pytest.fixture
def study() -> Any:
    """Two proposals, one told: enough for every kind of mistake."""
    made = cs.create_study(BOX, policy="random", name="trial")
    made.tell(made.ask(), 1.0)
    made.ask()
    return made


def assert_unchanged(study: Any, call: Callable[[], object], kind: type[Exception]) -> Any:
    before, pending, observations = study.facts, study.pending, study.observations
    with pytest.raises(kind) as caught:
        call()
    assert study.facts == before
    assert (study.pending, study.observations) == (pending, observations)
    # The study goes on as if nothing had been said.
    assert study.replay().identical
    return caught.value


def assert_sentence(error: cs.InvalidInput, field: str, value: object, remedy: str = "") -> None:
    """The message names the field, the value and the remedy."""
    message = str(error)
    assert error.field == field
    assert message.startswith(f"{field}: got ")
    assert error.value is value or repr(error.value) == repr(value)
    # A long value is shown by its beginning, a mapping in the order of its keys.
    assert reprlib.repr(value)[:12] in message
    assert remedy in error.remedy
    assert message.endswith(error.remedy)
    assert len(error.remedy.split()) >= 3
    assert error.remedy.endswith((".", "?"))


def refuse(
    study: Any, call: Callable[[], object], field: str, value: object, remedy: str = ""
) -> None:
    assert_sentence(assert_unchanged(study, call, cs.InvalidInput), field, value, remedy)


def conflict(study: Any, call: Callable[[], object], *parts: str) -> cs.Conflict:
    """Refused because of an earlier fact, with what it was and a way out."""
    error: cs.Conflict = assert_unchanged(study, call, cs.Conflict)
    for part in (*parts, "ithdraw"):
        assert part in str(error)
    assert error.fact in study.facts
    return error


# ---- values -------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", NOT_FINITE, ids=short)
def test_tell_a_value_that_is_not_finite(study: Any, value: object) -> None:
    refuse(study, lambda: study.tell("p2", value), "objective", value, "finite")
    refuse(study, lambda: study.tell(POINT, value), "objective", value, "finite")


@pytest.mark.parametrize("value", [1e308, -1e308, 1.1e150, 10**200], ids=short)
def test_tell_a_value_that_nothing_can_be_computed_with(study: Any, value: object) -> None:
    """Its square is no number: not at the door, but at the next proposal it would be too late."""
    refuse(study, lambda: study.tell("p2", value), "objective", value, "a larger unit")
    refuse(study, lambda: study.tell("p2", 1.0, sem=value), "sem of objective", value)
    refuse(study, lambda: study.revise("o1", value), "objective", value)
    trials = [PastTrial(POINT, {"objective": value})]  # type: ignore[dict-item]
    with pytest.raises(cs.InvalidInput, match="a larger unit"):
        study.tell_many(trials)
    assert len(study.facts) == 3


@pytest.mark.parametrize("value", NOT_A_NUMBER, ids=short)
def test_tell_a_value_that_is_no_number(study: Any, value: object) -> None:
    refuse(study, lambda: study.tell("p2", value), "objective", value, "number")


@pytest.mark.parametrize("value", [2, np.float64(2), np.float32(2), np.int64(2), np.array(2.0)])
def test_tell_takes_numpy_scalars(study: Any, value: Any) -> None:
    observation = study.tell("p2", value)
    assert observation.outcomes == {"objective": 2.0}
    assert type(observation.outcomes["objective"]) is float


def test_the_refusal_names_the_objective() -> None:
    study = cs.create_study(BOX, policy="random", objective="speed")
    refuse(study, lambda: study.tell(POINT, math.nan), "speed", math.nan)


# ---- points -------------------------------------------------------------------------------------

POINTS = [
    ({"x": 0.5, "k": 3}, "parameters", {"x": 0.5, "k": 3}, "Missing: c"),
    ({}, "parameters", {}, "Missing: x, k, c"),
    ({**POINT, "z": 1.0}, "parameters", "z", "Unknown name"),
    ({"x": 0.5, "k": 3, "C": "u"}, "parameters", "C", "Missing: c"),
    ({**POINT, "x": math.nan}, "x", math.nan, "between 0.0 and 1.0"),
    ({**POINT, "x": math.inf}, "x", math.inf, "between 0.0 and 1.0"),
    ({**POINT, "x": 1.5}, "x", 1.5, "between 0.0 and 1.0"),
    ({**POINT, "x": -1e-3}, "x", -1e-3, "between 0.0 and 1.0"),
    ({**POINT, "x": "0.5"}, "x", "0.5", "between 0.0 and 1.0"),
    ({**POINT, "x": None}, "x", None, "between 0.0 and 1.0"),
    ({**POINT, "x": True}, "x", True, "between 0.0 and 1.0"),
    ({**POINT, "k": 0}, "k", 0, "between 1 and 9"),
    ({**POINT, "k": 10}, "k", 10, "between 1 and 9"),
    ({**POINT, "k": 2.5}, "k", 2.5, "between 1 and 9"),
    ({**POINT, "c": "w"}, "c", "w", "'u', 'v'"),
    ({**POINT, "c": None}, "c", None, "'u', 'v'"),
]


@pytest.mark.parametrize(("values", "field", "value", "remedy"), POINTS, ids=short)
def test_a_point_outside_the_space(
    study: Any, values: Any, field: str, value: object, remedy: str
) -> None:
    refuse(study, lambda: study.tell(values, 1.0), field, value, remedy)
    refuse(study, lambda: study.override("p2", values), field, value, remedy)
    refuse(study, lambda: study.predict(values), field, value, remedy)
    refuse(study, lambda: study.predict_many([POINT, values]), field, value, remedy)
    assert study.accept("p2")  # the refused override decided nothing


@pytest.mark.parametrize("values", [None, "x", 3, [0.5, 3, "u"], np.array([0.5, 3.0])], ids=short)
def test_a_point_that_is_no_mapping(study: Any, values: Any) -> None:
    refuse(study, lambda: study.override("p2", values), "parameters", values, "mapping")
    refuse(study, lambda: study.predict(values), "parameters", values, "mapping")
    refuse(study, lambda: study.predict_many([values]), "parameters", values, "mapping")


def test_a_point_that_is_no_arm() -> None:
    study = cs.create_study(ARMS, policy="random")
    study.ask()
    near, remedy = {"a": 0.3, "b": 0.5}, "nearest: {'a': 0.25, 'b': 0.5}"
    refuse(study, lambda: study.tell(near, 1.0), "values", near, remedy)
    refuse(study, lambda: study.override("p1", near), "values", near, remedy)
    wrong = {"a": math.nan, "b": 0.5}
    refuse(study, lambda: study.tell(wrong, 1.0), "a", wrong["a"], "finite")
    refuse(study, lambda: study.tell({"a": 0.5}, 1.0), "coordinates", {"a": 0.5}, "Missing: b")


# ---- contexts -----------------------------------------------------------------------------------

CONTEXTS = [
    (None, "context", None, "day"),
    ({}, "context", {}, "Missing: day"),
    ({"dya": 3}, "context", "dya", "Did you mean 'day'?"),
    ({"day": 3, "hour": 1}, "context", "hour", "Unknown name"),
    ({"day": 6}, "day", 6, "between 1 and 5"),
    ({"day": math.nan}, "day", math.nan, "between 1 and 5"),
    ({"day": "3"}, "day", "3", "between 1 and 5"),
    (3, "context", 3, "mapping"),
    ("day", "context", "day", "mapping"),
    ([3], "context", [3], "mapping"),
]


@pytest.mark.parametrize(("context", "field", "value", "remedy"), CONTEXTS, ids=short)
def test_a_context_that_does_not_fit(context: Any, field: str, value: object, remedy: str) -> None:
    study: Any = cs.create_study(WITH_CONTEXT, policy="random")
    study.ask(context={"day": 1})
    refuse(study, lambda: study.ask(context=context), field, value, remedy)
    refuse(study, lambda: study.ask(2, context=context), field, value, remedy)
    refuse(study, lambda: study.tell({"x": 0.5}, 1.0, context=context), field, value, remedy)
    refuse(study, lambda: study.predict({"x": 0.5}, context=context), field, value, remedy)


@pytest.mark.parametrize("context", [{"day": 2}, {}, {"hour": 1}, 3, "day", [3]], ids=short)
def test_a_proposal_has_the_context_it_was_asked_for(context: Any) -> None:
    study: Any = cs.create_study(WITH_CONTEXT, policy="random")
    study.ask(context={"day": 1})
    refuse(study, lambda: study.tell("p1", 1.0, context=context), "context", context)
    assert study.tell("p1", 1.0, context={"day": 1.0}).context == {"day": 1}


def test_a_context_where_there_is_none(study: Any) -> None:
    refuse(study, lambda: study.ask(context={"day": 1}), "context", "day", "leave them out")
    refuse(study, lambda: study.tell(POINT, 1.0, context={"day": 1}), "context", "day")


# ---- decisions ----------------------------------------------------------------------------------


def test_tell_twice(study: Any) -> None:
    error = conflict(study, lambda: study.tell("p1", 2.0), "tell", "'p1'", "'o1'")
    assert error.fact.id == "o1"


def test_tell_a_rejected_proposal(study: Any) -> None:
    rejection = study.reject("p2", actor="ann")
    error = conflict(study, lambda: study.tell("p2", 2.0), "tell", "'p2'", "ann")
    assert error.fact == rejection
    study.withdraw(rejection)
    assert study.tell("p2", 2.0)


DECIDE = {
    "accept": lambda study, p: study.accept(p, actor="bob"),
    "override": lambda study, p: study.override(p, POINT, actor="bob"),
    "reject": lambda study, p: study.reject(p, actor="bob"),
}


@pytest.mark.parametrize("second", DECIDE)
@pytest.mark.parametrize("first", DECIDE)
def test_decide_twice(study: Any, first: str, second: str) -> None:
    won = DECIDE[first](study, "p2")
    error = conflict(study, lambda: DECIDE[second](study, "p2"), "'p2'", first, "bob")
    assert error.fact == won
    study.withdraw(won)
    assert DECIDE[second](study, "p2").kind == second


@pytest.mark.parametrize("kind", DECIDE)
def test_decide_what_was_told(study: Any, kind: str) -> None:
    error = conflict(study, lambda: DECIDE[kind](study, "p1"), kind, "'p1'", "'o1'")
    assert error.fact.id == "o1"


def test_withdraw_the_decision_behind_an_observation(study: Any) -> None:
    decision = study.accept("p2")
    told = study.tell("p2", 2.0)
    error = conflict(study, lambda: study.withdraw(decision), "'d1'", "'o2'")
    assert error.fact == told


# ---- what is not there --------------------------------------------------------------------------


def missing(study: Any, call: Callable[[], object], *parts: str) -> None:
    message = str(assert_unchanged(study, call, cs.NotFound))
    for part in parts:
        assert part in message
    # What is wrong, and what to do: two sentences.
    assert len([s for s in message.split(". ") if s]) >= 2


@pytest.mark.parametrize("name", ["p9", "", "o1", "P1"])
def test_an_unknown_proposal(study: Any, name: str) -> None:
    for call in (study.accept, study.reject, lambda p: study.tell(p, 1.0)):
        missing(study, lambda c=call: c(name), "no proposal", repr(name))
    missing(study, lambda: study.override(name, POINT), "no proposal", repr(name))


def test_a_proposal_of_another_study(study: Any) -> None:
    other = cs.create_study(BOX, policy="random", name="other", seed=5)
    foreign = other.ask(3)[1]
    assert foreign.id == study.pending[0].id
    for call in (study.accept, study.reject, lambda p: study.tell(p, 1.0)):
        missing(study, lambda c=call: c(foreign), "no proposal", "'p2'")
    missing(study, lambda: study.override(foreign, POINT), "no proposal", "'p2'")


def test_a_fact_of_another_study(study: Any) -> None:
    other = cs.create_study(BOX, policy="random", name="other", seed=5)
    told = other.tell(other.ask(), 7.0)
    decided = other.accept(other.ask())
    study.accept("p2")
    assert {told.id, decided.id} <= {fact.id for fact in study.facts}
    missing(study, lambda: study.withdraw(told), repr(told.id))
    missing(study, lambda: study.withdraw(decided), repr(decided.id))


@pytest.mark.parametrize("name", ["o9", "d1", "p1", "p2", "w1", ""])
def test_withdraw_what_is_not_in_force(study: Any, name: str) -> None:
    missing(study, lambda: study.withdraw(name), repr(name))


def test_withdraw_twice(study: Any) -> None:
    study.withdraw("o1")
    missing(study, lambda: study.withdraw("o1"), "'o1'")


def test_withdraw_a_proposal(study: Any) -> None:
    proposal = study.pending[0]
    assert "p2" in str(assert_unchanged(study, lambda: study.withdraw(proposal), cs.CounselError))


# ---- wrong types --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "proposal", [None, 3, 1.5, True, ["p2"], np.array(["p1", "p2"])], ids=short
)
def test_a_proposal_of_a_wrong_type(study: Any, proposal: Any) -> None:
    remedy = "its id"
    refuse(study, lambda: study.accept(proposal), "proposal", proposal, remedy)
    refuse(study, lambda: study.reject(proposal), "proposal", proposal, remedy)
    refuse(study, lambda: study.override(proposal, POINT), "proposal", proposal, remedy)
    refuse(study, lambda: study.tell(proposal, 1.0), "proposal", proposal, remedy)


def test_another_fact_in_place_of_a_proposal(study: Any) -> None:
    for fact in (study.observations[0], study.accept("p2")):
        refuse(study, lambda f=fact: study.tell(f, 1.0), "proposal", fact, "its id")


@pytest.mark.parametrize("fact", [None, 3, True, ["o1"], np.array(["o1", "o2"])], ids=short)
def test_withdraw_something_of_a_wrong_type(study: Any, fact: Any) -> None:
    refuse(study, lambda: study.withdraw(fact), "fact", fact)


@pytest.mark.parametrize("actor", [*NOT_A_TEXT, "", " "], ids=short)
def test_an_actor_of_a_wrong_type(study: Any, actor: Any) -> None:
    calls: list[Callable[[], object]] = [
        lambda: study.accept("p2", actor=actor),
        lambda: study.reject("p2", actor=actor),
        lambda: study.override("p2", POINT, actor=actor),
        lambda: study.tell("p2", 1.0, actor=actor),
        lambda: study.withdraw("o1", actor=actor),
    ]
    for call in calls:
        refuse(study, call, "actor", actor)


@pytest.mark.parametrize("reason", NOT_A_TEXT, ids=short)
def test_a_reason_of_a_wrong_type(study: Any, reason: Any) -> None:
    calls: list[Callable[[], object]] = [
        lambda: study.accept("p2", reason=reason),
        lambda: study.reject("p2", reason=reason),
        lambda: study.override("p2", POINT, reason=reason),
        lambda: study.withdraw("o1", reason=reason),
    ]
    for call in calls:
        refuse(study, call, "reason", reason)


@pytest.mark.parametrize(
    "n", [0, -1, 1001, 100_000, True, 1.5, math.nan, "3", [3], np.array([1, 2])], ids=short
)
def test_a_number_of_proposals_that_makes_no_sense(study: Any, n: Any) -> None:
    refuse(study, lambda: study.ask(n), "n", n)


# ---- creating a study ---------------------------------------------------------------------------


def refuse_study(field: str, value: object, remedy: str = "", **arguments: Any) -> None:
    with pytest.raises(cs.InvalidInput) as caught:
        loose.create_study(**{"space": BOX, "policy": "random", **arguments})
    assert_sentence(caught.value, field, value, remedy)


@pytest.mark.parametrize(
    "seed", [-1, True, 1.5, math.nan, "0", None, [0], np.array([1, 2]), 2**64], ids=short
)
def test_a_bad_seed(seed: object) -> None:
    refuse_study("seed", seed, "whole number", seed=seed)


@pytest.mark.parametrize("seed", [0, 7, np.int64(7), np.uint32(7), 2**31, 2**63 - 1], ids=short)
def test_a_good_seed(seed: int) -> None:
    for policy in ("random", "v-ucb", "ts"):
        study = cs.create_study(ARMS, policy=policy, seed=seed)
        assert study.seed == seed
        assert type(study.seed) is int
        for _ in range(4):  # the fourth is the model's
            study.tell(study.ask(), 1.0)
        assert study.replay().identical


@pytest.mark.parametrize("policy", ["bogus", "", "V-UCB", "v_ucb"])
def test_an_unknown_policy(policy: str) -> None:
    refuse_study("policy", policy, ", ".join(POLICIES), policy=policy)


@pytest.mark.parametrize(
    "policy", [3, True, object(), ["v-ucb"], {}, np.array(["a", "b"]), cs.Space], ids=short
)
def test_a_policy_of_a_wrong_type(policy: object) -> None:
    refuse_study("policy", policy, "propose and predict", policy=policy)


def test_a_policy_class_in_place_of_an_object() -> None:
    refuse_study("policy", cs.policies.Random, "object", policy=cs.policies.Random)
    refuse_study("policy", cs.policies.Bandit, "object", policy=cs.policies.Bandit)


@pytest.mark.parametrize(
    "space",
    [None, "box", 3, True, {"x": (0, 1)}, [POINT], np.zeros((2, 2)), cs.Float(0, 1)],
    ids=short,
)
def test_a_space_of_a_wrong_type(space: object) -> None:
    refuse_study("space", space, "counsel.Space", space=space)


@pytest.mark.parametrize("name", ["", "  ", *NOT_A_TEXT], ids=short)
def test_a_bad_name(name: object) -> None:
    refuse_study("study name", name, "not empty", name=name)
    refuse_study("objective name", name, "not empty", objective=name)


@pytest.mark.parametrize("direction", ["max", "MAXIMIZE", "", *NOT_A_TEXT], ids=short)
def test_a_bad_direction(direction: object) -> None:
    refuse_study("direction", direction, "'maximize' or 'minimize'", direction=direction)


# ---- arms ---------------------------------------------------------------------------------------


def refuse_arms(data: object, field: str, value: object, remedy: str) -> None:
    with pytest.raises(cs.InvalidInput) as caught:
        cs.Arms(data)
    assert_sentence(caught.value, field, value, remedy)


def test_duplicate_arms() -> None:
    refuse_arms([*GRID, GRID[7]], "rows 7 and 25", GRID[7], "every arm once")
    refuse_arms([[0.0, 1.0], [-0.0, 1.0]], "rows 0 and 1", {"x1": 0.0, "x2": 1.0}, "arm once")


@pytest.mark.parametrize("data", [[], {}, [[]], [{}], (), "", None], ids=short)
def test_no_arms(data: object) -> None:
    with pytest.raises(cs.InvalidInput) as caught:
        cs.Arms(data)
    assert_sentence(caught.value, "data", data)


def test_no_arms_in_an_array() -> None:
    refuse_arms(np.zeros((0, 2)), "data", np.zeros((0, 2)), "at least one arm")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_arms_that_are_not_finite(value: float) -> None:
    refuse_arms([[0.0, 1.0], [1.0, value]], "row 1, column 'x2'", value, "finite number")


# ---- what works ---------------------------------------------------------------------------------


def assert_sound(proposal: cs.Proposal, arms: cs.Arms) -> None:
    assert arms.index(proposal.values) >= 0
    if proposal.prediction is not None:
        assert math.isfinite(proposal.prediction.mean)
        assert math.isfinite(proposal.prediction.sd)
        assert proposal.prediction.sd >= 0.0
    assert all(map(math.isfinite, [*proposal.terms.values(), *proposal.theta]))
    assert proposal.note == ""


@each_policy
def test_one_arm(policy: str) -> None:
    arms = cs.Arms([{"a": 2.0, "b": 3.0}])
    study = cs.create_study(arms, policy=policy)
    for i in range(5):
        proposal = study.ask()
        assert proposal.values == {"a": 2.0, "b": 3.0}
        assert_sound(proposal, arms)
        study.tell(proposal, float(i % 2))
    assert [p.values for p in study.ask(2)] == [arms[0]] * 2  # none other is left
    assert study.best is not None
    study.reject("p6")
    with pytest.raises(cs.NothingToPropose, match="rejected"):
        study.ask()


@each_policy
@pytest.mark.parametrize("value", [0.0, -3.5, 1e12, 1e-12])
def test_constant_outputs(policy: str, value: float) -> None:
    study = cs.create_study(ARMS, policy=policy, seed=1)
    for _ in range(8):
        proposal = study.ask()
        assert_sound(proposal, ARMS)
        study.tell(proposal, value)
    assert study.best is not None
    assert study.best.value == value
    believed = study.predict({"a": 1.0, "b": 1.0})
    if policy not in WITHOUT_BELIEF:
        assert believed is not None
        assert believed.mean == pytest.approx(value, abs=1e-9 * max(abs(value), 1e-9))
        # Nothing differs, so everything is worth a look: it goes on looking elsewhere.
        assert len({tuple(o.values.values()) for o in study.observations}) >= 5
    assert study.replay().identical


@each_policy
def test_a_single_observation(policy: str) -> None:
    study = cs.create_study(ARMS, policy=policy, seed=2)
    study.tell({"a": 0.5, "b": 0.5}, 3.0)
    assert_sound(study.ask(), ARMS)
    study.ask(2)
    assert_sound(study.ask(), ARMS)  # one observation and three pending: the model's turn
    assert study.best is not None
    assert study.best.value == 3.0
    if policy not in WITHOUT_BELIEF:
        believed = study.predict({"a": 0.5, "b": 0.5})
        assert believed is not None
        assert believed.mean == pytest.approx(3.0)
    assert study.replay().identical


@each_policy
def test_ten_identical_observations(policy: str) -> None:
    study = cs.create_study(ARMS, policy=policy, seed=3)
    for _ in range(10):
        study.tell({"a": 0.5, "b": 0.5}, 3.0)
    proposal = study.ask()
    assert_sound(proposal, ARMS)
    if policy in ("v-ucb", "gp-ucb", "ei"):
        assert proposal.values != {"a": 0.5, "b": 0.5}  # known by now: curiosity goes elsewhere
    assert study.best is not None
    assert study.best.values == {"a": 0.5, "b": 0.5}
    assert study.replay().identical


def test_ten_identical_observations_in_a_box() -> None:
    study = cs.create_study(cs.Space(x=cs.Float(0, 1), y=cs.Float(0, 1)), seed=3)
    for _ in range(10):
        study.tell({"x": 0.5, "y": 0.5}, 3.0)
    proposal = study.ask()
    assert max(abs(v - 0.5) for v in proposal.values.values()) > 0.1  # type: ignore[operator]
    assert study.replay().identical


OUTPUTS = [
    (0.0, 0.25, 0.3),
    (0.5, 0.5, 1.1),
    (1.0, 0.0, -0.4),
    (0.25, 1.0, 0.2),
    (0.75, 0.75, 0.9),
    (1.0, 1.0, -0.1),
]


def scaled(policy: str, factor: float) -> cs.Proposal:
    study = cs.create_study(ARMS, policy=policy, seed=4)
    for a, b, value in OUTPUTS:
        study.tell({"a": a, "b": b}, value * factor)
    proposal = study.ask()
    assert_sound(proposal, ARMS)
    assert study.best is not None
    assert study.best.values == {"a": 0.5, "b": 0.5}
    assert study.replay().identical
    return proposal


@each_policy
@pytest.mark.parametrize("factor", [1e-12, 1e12, 1e-100, 1e100])
def test_wildly_scaled_outputs(policy: str, factor: float) -> None:
    usual, wild = scaled(policy, 1.0), scaled(policy, factor)
    assert wild.values == usual.values
    if usual.prediction is not None:
        assert wild.prediction is not None
        assert wild.prediction.mean / factor == pytest.approx(usual.prediction.mean, rel=1e-6)
        assert wild.prediction.sd / factor == pytest.approx(usual.prediction.sd, rel=1e-6)


@pytest.mark.parametrize("policy", [None, "v-ucb", "ei", "ts", "lw-ucb", "risk-averse"])
@pytest.mark.parametrize("largest", [1e150, -1e150])
def test_the_largest_measurement_that_is_taken(policy: str | None, largest: float) -> None:
    """One beside ordinary ones: there is a proposal, whatever it is worth."""
    study = cs.create_study(ARMS, policy=policy, seed=4)
    for a, b, value in OUTPUTS:
        study.tell({"a": a, "b": b}, value)
    study.ask()  # the default says in the first proposal's note what it is
    study.tell({"a": 0.25, "b": 0.75}, largest)
    assert_sound(study.ask(), ARMS)
    assert study.best is not None
    assert study.replay().identical


@pytest.mark.parametrize("factor", [1e-12, 1e12])
def test_wildly_scaled_outputs_in_a_box(factor: float) -> None:
    space = cs.Space(x=cs.Float(0, 1), y=cs.Float(0, 1))
    found = []
    for scale in (1.0, factor):
        study = cs.create_study(space, seed=4)
        for x, y, value in OUTPUTS:
            study.tell({"x": x, "y": y}, value * scale)
        found.append(list(study.ask().values.values()))
    np.testing.assert_allclose(found[0], found[1], atol=1e-4)


@pytest.mark.parametrize("offset", [1e6, -1e12])
def test_outputs_far_from_zero(offset: float) -> None:
    def proposed(shift: float) -> cs.Proposal:
        study = cs.create_study(ARMS, seed=4)
        for a, b, value in OUTPUTS:
            study.tell({"a": a, "b": b}, round(1024 * value) / 1024 + shift)
        return study.ask()

    assert proposed(offset).values == proposed(0.0).values


@each_policy
def test_outputs_at_the_end_of_the_range(policy: str) -> None:
    """The largest that are taken; sums of their squares overflow, and there is still a proposal."""
    study = cs.create_study(ARMS, policy=policy, seed=5)
    for (a, b, _), value in zip(OUTPUTS, [1e150, -1e150, 1e-300, 0.0, 9e149, -9e149], strict=True):
        study.tell({"a": a, "b": b}, value)
    assert ARMS.index(study.ask().values) >= 0
    assert study.best is not None
    assert study.replay().identical
