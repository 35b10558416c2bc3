"""The study: ask, decide, tell; the same facts give the same proposals."""

import dataclasses
import itertools
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import counsel as cs
from counsel.facts.state import StudyState

POLICIES = cs.policies.names()
ARMS = cs.Arms([{"a": i / 4, "b": j / 4} for i in range(5) for j in range(5)])
FEW = cs.Arms([{"a": 0.0, "b": 0.0}, {"a": 0.0, "b": 1.0}, {"a": 1.0, "b": 0.5}])
BOX = cs.Space(x=cs.Float(0, 1), y=cs.Float(0, 1))
MIXED = cs.Space(
    rate=cs.Float(0.001, 1, log=True),
    count=cs.Int(0, 9),
    kind=cs.Categorical(["u", "v"]),
    context={"day": cs.Float(0, 1)},
)
CONTEXT_ARMS = cs.Arms(
    [{"a": i / 4, "b": j / 4} for i in range(5) for j in range(5)],
    context={"day": cs.Float(0, 1)},
)


def payoff(values: Any, context: Any = None) -> float:
    """A smooth function of whatever numbers there are, with its peak inside."""
    numbers = [v for v in [*values.values(), *(context or {}).values()] if not isinstance(v, str)]
    return -sum((number - 0.3 - 0.1 * i) ** 2 for i, number in enumerate(numbers))


def told(study: cs.Study, rounds: int, value: Callable[[Any], float] = payoff) -> cs.Study:
    for _ in range(rounds):
        proposal = study.ask()
        study.tell(proposal, value(proposal.values))
    return study


def ids(items: Any) -> list[str]:
    return [item.id for item in items]


def proposals(study: cs.Study) -> list[cs.Proposal]:
    return [fact for fact in study.facts if isinstance(fact, cs.Proposal)]


def points(study: cs.Study) -> list[dict[str, Any]]:
    return [dict(p.values) for p in proposals(study)]


def history(study: cs.Study) -> Any:
    space = study.problem.space
    state = StudyState(study.problem, study.facts)
    return state.history(t=1, seed=0, context=np.zeros(space.context_dim))


def assert_same_history(a: cs.Study, b: cs.Study) -> None:
    for field in ("x", "y", "pending", "rejected"):
        np.testing.assert_array_equal(getattr(history(a), field), getattr(history(b), field))


def gap(space: Any, a: Any, b: Any) -> float:
    """The largest distance in any coordinate, as a share of its range."""
    return float(np.abs(space.encode(a) - space.encode(b)).max())


# ---- ask, decide, tell --------------------------------------------------------------------------


def test_ask_accept_tell() -> None:
    study = cs.create_study(BOX, policy="random", seed=3)
    proposal = study.ask()
    assert (proposal.id, proposal.round, proposal.seen) == ("p1", 1, 0)
    assert proposal.policy == "random"
    assert proposal.context == {}
    assert BOX.validate(proposal.values) == proposal.values
    assert study.pending == (proposal,)

    decision = study.accept(proposal, actor="ann", reason="looks fine")
    assert (decision.proposal, decision.kind, decision.values) == ("p1", "accept", None)
    assert (decision.actor, decision.reason) == ("ann", "looks fine")
    assert study.pending == (proposal,)

    observation = study.tell(proposal, 1.5, actor="bob")
    assert observation.proposal == "p1"
    assert observation.values == proposal.values
    assert observation.outcomes == {"objective": 1.5}
    assert observation.actor == "bob"
    assert study.pending == ()
    assert study.observations == (observation,)
    assert study.facts == (proposal, decision, observation)


def test_telling_without_a_decision_counts_as_accepted() -> None:
    study = cs.create_study(BOX, policy="random")
    proposal = study.ask()
    observation = study.tell(proposal, 1.0)
    assert observation.values == proposal.values
    assert study.dataframe().status.tolist() == ["accepted"]
    with pytest.raises(cs.Conflict):
        study.reject(proposal)


def test_a_proposal_may_be_named_by_its_id() -> None:
    study = cs.create_study(BOX, policy="random")
    study.ask(3)
    assert study.accept("p2").proposal == "p2"
    assert study.reject("p3").proposal == "p3"
    assert study.tell("p2", 1.0).proposal == "p2"


def test_telling_a_point_that_nobody_proposed() -> None:
    study = cs.create_study(BOX, policy="random")
    observation = study.tell({"y": 1, "x": 0.5}, 2.0)
    assert observation.proposal is None
    assert observation.values == {"x": 0.5, "y": 1.0}
    assert study.observations == (observation,)
    assert study.best is not None
    assert study.best.proposal is None


def test_an_override_is_measured_and_the_proposal_keeps_the_machines_values() -> None:
    study = cs.create_study(BOX, policy="random")
    proposal = study.ask()
    machine = dict(proposal.values)
    decision = study.override(proposal, {"x": 0.125, "y": 0.25}, actor="ann", reason="too stiff")
    observation = study.tell(proposal, 3.0)
    assert decision.values == {"x": 0.125, "y": 0.25}
    assert observation.values == {"x": 0.125, "y": 0.25}
    assert observation.proposal == proposal.id
    assert proposals(study)[0].values == machine
    np.testing.assert_array_equal(history(study).x, [[0.125, 0.25]])
    assert study.best is not None
    assert study.best.values == {"x": 0.125, "y": 0.25}
    assert study.best.proposal == proposal


def test_an_overridden_trial_is_pending_where_the_person_wants_it() -> None:
    study = cs.create_study(FEW, policy="random", seed=1)
    proposal = study.ask()
    wanted, other = [arm for arm in FEW if arm != proposal.values]
    study.override(proposal, wanted)
    # The machine's own arm is free again, the person's is taken.
    assert {tuple(p.values.values()) for p in study.ask(2)} == {
        tuple(proposal.values.values()),
        tuple(other.values()),
    }


def test_facts_do_not_change_through_what_the_study_hands_out() -> None:
    study = cs.create_study(BOX, policy="random")
    own = {"x": 0.125, "y": 0.25}
    study.override(study.ask(), own)
    own["x"] = 0.5
    assert study.tell("p1", 1.0).values == {"x": 0.125, "y": 0.25}
    for fact in study.facts:
        for field in ("values", "context", "terms", "outcomes"):
            mapping = getattr(fact, field, None)
            if mapping:
                with pytest.raises(TypeError):
                    mapping[next(iter(mapping))] = 0.75


def test_facts_are_in_order_with_their_own_numbers() -> None:
    study = cs.create_study(BOX, policy="random")
    first, second = study.ask(2)
    study.accept(first)
    study.reject(second)
    study.tell(first, 1.0)
    study.tell({"x": 0.5, "y": 0.5}, 2.0)
    study.withdraw("o2")
    study.withdraw("d2")
    third = study.ask()
    assert ids(study.facts) == ["p1", "p2", "d1", "d2", "o1", "o2", "w1", "w2", "p3"]
    assert [p.round for p in (first, second, third)] == [1, 2, 3]
    assert [p.seen for p in (first, second, third)] == [0, 1, 8]
    times = [fact.time for fact in study.facts]
    assert times == sorted(times)
    assert all(time.tzinfo is not None for time in times)


def test_numbers_are_not_used_twice_after_a_withdrawal() -> None:
    study = cs.create_study(BOX, policy="random")
    study.tell({"x": 0.5, "y": 0.5}, 1.0)
    study.withdraw("o1")
    assert study.tell({"x": 0.5, "y": 0.5}, 2.0).id == "o2"


# ---- rejections ---------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["random", "v-ucb"])
def test_rejected_arms_are_not_proposed_again(policy: str) -> None:
    study = cs.create_study(ARMS, policy=policy, seed=2)
    told(study, 4)
    seen = []
    for _ in ARMS:
        proposal = study.ask()
        study.reject(proposal)
        seen.append(tuple(proposal.values.values()))
    assert sorted(seen) == sorted(tuple(arm.values()) for arm in ARMS)
    before = study.facts
    with pytest.raises(cs.NothingToPropose, match=r"rejected.*Withdraw"):
        study.ask()
    with pytest.raises(cs.NothingToPropose):
        study.ask(2)
    assert study.facts == before


def test_withdrawing_a_rejection_makes_the_arm_possible_again() -> None:
    study = cs.create_study(FEW, policy="random")
    decisions = [study.reject(study.ask()) for _ in FEW]
    study.withdraw(decisions[1], actor="ann", reason="a mistake")
    # The proposal waits again; once it is told, its arm is the only one that may be proposed.
    assert ids(study.pending) == ["p2"]
    study.tell("p2", 1.0)
    assert study.ask().values == proposals(study)[1].values


@pytest.mark.parametrize(("policy", "rejections"), [("random", 20), ("v-ucb", 6)])
def test_rejected_neighbourhoods_of_a_box_are_avoided(policy: str, rejections: int) -> None:
    study = cs.create_study(BOX, policy=policy, seed=4)
    told(study, 4)
    rejected: list[Any] = []
    for _ in range(rejections):
        proposal = study.ask()
        # The search ends on the border, which it finds to a thousandth.
        assert all(gap(BOX, proposal.values, r) >= 0.05 * (1 - 1.1e-3) for r in rejected)
        study.reject(proposal)
        rejected.append(proposal.values)


def test_withdrawing_a_rejection_opens_its_neighbourhood() -> None:
    greedy = cs.policies.Bandit(cs.acquisition.VUCB(0.0))  # always where most is expected
    study = told(cs.create_study(BOX, policy=greedy, seed=4), 5)
    first = study.ask()
    rejection = study.reject(first)
    assert gap(BOX, first.values, study.ask().values) >= 0.05 * (1 - 1.1e-3)
    study.withdraw(rejection)
    assert gap(BOX, first.values, study.ask().values) < 0.02  # as near as a pending trial allows


def test_a_category_can_be_rejected() -> None:
    space = cs.Space(kind=cs.Categorical(["u", "v", "w"]))
    study = cs.create_study(space, policy="random")
    seen = []
    for _ in range(3):
        seen.append(study.ask())
        study.reject(seen[-1])
    assert sorted(p.values["kind"] for p in seen) == ["u", "v", "w"]
    with pytest.raises(cs.NothingToPropose):
        study.ask()


# ---- batches ------------------------------------------------------------------------------------


def test_a_batch_of_random_arms_has_no_arm_twice_while_others_are_left() -> None:
    study = cs.create_study(ARMS, policy="random", seed=5)
    batch = study.ask(len(ARMS))
    assert len({tuple(p.values.values()) for p in batch}) == len(ARMS)
    assert ids(batch) == [f"p{i + 1}" for i in range(len(ARMS))]
    assert ARMS.validate(study.ask().values)  # none is left: an arm may be under way twice


@pytest.mark.parametrize("policy", POLICIES)
def test_a_batch_of_arms_is_distinct(policy: str) -> None:
    study = cs.create_study(ARMS, policy=policy, seed=6)
    told(study, 4)
    batch = [*study.ask(4), *study.ask(2)]
    assert len({tuple(p.values.values()) for p in batch}) == 6
    assert study.pending == tuple(batch)


def test_a_batch_of_a_box_keeps_apart() -> None:
    study = cs.create_study(BOX, policy="v-ucb", seed=6)
    told(study, 4)
    batch = study.ask(4)
    for a, b in itertools.combinations(batch, 2):
        assert gap(BOX, a.values, b.values) >= 0.01 * (1 - 1.1e-3)


def test_a_batch_before_any_observation_keeps_apart() -> None:
    study = cs.create_study(BOX, policy="v-ucb", seed=6)
    for a, b in itertools.combinations(study.ask(5), 2):
        assert gap(BOX, a.values, b.values) >= 0.05


def test_a_batch_is_the_same_as_asking_one_by_one() -> None:
    at_once, one_by_one = (told(cs.create_study(ARMS, seed=7), 4) for _ in range(2))
    batch = at_once.ask(3)
    single = [one_by_one.ask() for _ in range(3)]
    assert [p.values for p in batch] == [p.values for p in single]
    assert [p.terms for p in batch] == [p.terms for p in single]


def test_a_pending_trial_lowers_the_uncertainty_around_it() -> None:
    study = told(cs.create_study(ARMS, policy="v-ucb", seed=7), 4)
    alone = study.ask()
    study.withdraw(study.reject(alone))
    after = study.ask()
    assert alone.prediction is not None
    assert after.prediction is not None
    assert after.values != alone.values
    # Without pending trials, under the very fit of that proposal, the second point is less certain,
    # and expected to turn out the same: a pending trial is believed to turn out as expected.
    policy: Any = study.policy
    history = study._beliefs.history(study._ledger.state)
    free = policy.believe(ARMS, history, after.theta).posterior
    mean, sd = free.predict(ARMS.encode(after.values)[None, :])
    assert after.prediction.sd < float(sd[0])
    assert after.prediction.mean == pytest.approx(float(mean[0]), abs=1e-9)


def test_a_discrete_box_may_have_a_point_under_way_twice_when_none_is_left() -> None:
    space = cs.Space(x=cs.Int(0, 1), y=cs.Int(0, 1))
    study = cs.create_study(space, seed=1)
    for x, y in [(0, 0), (0, 1), (1, 1)]:
        study.tell({"x": x, "y": y}, float(x + y))
    batch = study.ask(5)
    assert len({tuple(p.values.values()) for p in batch[:4]}) == 4


# ---- directions ---------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["v-ucb", "ei", "ts"])
def test_minimising_mirrors_maximising(policy: str) -> None:
    up = told(cs.create_study(ARMS, policy=policy, seed=8), 8)
    down = cs.create_study(ARMS, policy=policy, seed=8, direction="minimize")
    told(down, 8, lambda values: -payoff(values))
    for a, b in zip(proposals(up), proposals(down), strict=True):
        assert a.values == b.values
        assert a.terms == b.terms
        assert a.theta == b.theta
        if a.prediction is not None:
            assert b.prediction == cs.Prediction(-a.prediction.mean, a.prediction.sd)
    assert up.best is not None
    assert down.best is not None
    assert down.best.values == up.best.values
    assert down.best.value == -up.best.value
    some = {"a": 0.5, "b": 0.25}
    a, b = up.predict(some), down.predict(some)
    assert a is not None
    assert b == cs.Prediction(-a.mean, a.sd)


def test_minimising_at_random_finds_the_smallest() -> None:
    study = cs.create_study(BOX, policy="random", direction="minimize")
    for i, value in enumerate([3.0, 1.0, 2.0]):
        study.tell({"x": i / 4, "y": 0.5}, value)
    assert study.best is not None
    assert (study.best.values["x"], study.best.value) == (0.25, 1.0)


# ---- contexts -----------------------------------------------------------------------------------


def test_context_of_a_box() -> None:
    study = cs.create_study(MIXED, policy="random")
    proposal = study.ask(context={"day": 0.25})
    assert proposal.context == {"day": 0.25}
    assert proposal.values.keys() == {"rate", "count", "kind"}
    assert study.tell(proposal, 1.0).context == {"day": 0.25}
    own = {"rate": 0.1, "count": 3, "kind": "u"}
    assert study.tell(own, 2.0, context={"day": 0.5}).context == {"day": 0.5}
    assert [p.context["day"] for p in study.ask(2, context={"day": 1})] == [1.0, 1.0]
    assert history(study).x[:, -1].tolist() == [0.25, 0.5]
    assert history(study).x.shape == (2, 5)


def test_context_of_arms() -> None:
    study = cs.create_study(CONTEXT_ARMS, policy="random")
    proposal = study.ask(context={"day": 0.25})
    assert proposal.context == {"day": 0.25}
    assert CONTEXT_ARMS.index(proposal.values) >= 0
    study.override(proposal, {"a": 0.5, "b": 0.75})
    np.testing.assert_array_equal(history(study).pending, [[0.5, 0.75, 0.25]])
    assert study.tell(proposal, 1.0, context={"day": 0.25}).context == {"day": 0.25}


def test_the_context_decides_what_is_proposed() -> None:
    """The payoff is largest where `a` equals the context: proposals follow it."""
    study = cs.create_study(CONTEXT_ARMS, policy=cs.policies.Bandit(cs.acquisition.VUCB(0.0)))
    cells = itertools.product((0.0, 0.5, 1.0), (0.25, 0.75), (0.0, 0.5, 1.0))
    for a, b, day in list(cells)[:16]:
        study.tell({"a": a, "b": b}, -((a - day) ** 2), context={"day": day})
    low, high = (study.ask(context={"day": day}) for day in (0.0, 1.0))
    assert low.values["a"] == 0.0
    assert high.values["a"] == 1.0
    best = study.predict({"a": 1.0, "b": 0.25}, context={"day": 1.0})
    worst = study.predict({"a": 1.0, "b": 0.25}, context={"day": 0.0})
    assert best is not None
    assert worst is not None
    assert best.mean > worst.mean + 0.5


# ---- what is known ------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["random", "v-ucb"])
def test_best_of_nothing(policy: str) -> None:
    study = cs.create_study(ARMS, policy=policy)
    assert study.best is None
    study.ask()
    assert study.best is None


def test_best_follows_withdrawals() -> None:
    study = cs.create_study(ARMS, policy="random")
    for a, value in [(0.0, 1.0), (0.5, 3.0), (1.0, 2.0)]:
        study.tell({"a": a, "b": 0.0}, value)
    assert study.best is not None
    assert study.best.value == 3.0
    study.withdraw(study.best.observation)
    assert study.best.values == {"a": 1.0, "b": 0.0}
    study.withdraw("o3")
    study.withdraw("o1")
    assert study.best is None


def test_best_is_believed_not_lucky() -> None:
    study = cs.create_study(ARMS, policy="v-ucb")
    corner, middle = {"a": 0.0, "b": 0.0}, {"a": 0.5, "b": 0.5}
    for value in (0.0, 0.1, 1.5, -0.1, 0.05, -0.05):  # one lucky draw at a poor place
        study.tell(corner, value)
    for value in (1.0, 1.1, 0.9, 1.05, 0.95):
        study.tell(middle, value)
    study.tell({"a": 1.0, "b": 1.0}, 0.0)
    assert max(o.outcomes["objective"] for o in study.observations) == 1.5
    assert study.best is not None
    assert study.best.values == middle
    assert study.best.observation in study.observations
    assert study.best.value == pytest.approx(1.0)  # the mean of five
    assert study.best.measurements == 5

    luckiest = cs.create_study(ARMS, policy="random")  # without beliefs the means decide
    for observation in study.observations:
        luckiest.tell(observation.values, observation.outcomes["objective"])
    assert luckiest.best is not None
    assert (luckiest.best.values, luckiest.best.value) == (middle, pytest.approx(1.0))


def test_predict() -> None:
    study = cs.create_study(ARMS, policy="v-ucb", seed=1)
    somewhere = {"a": 0.25, "b": 0.5}
    assert study.predict(somewhere) is None
    told(study, 9)
    before = study.facts
    seen = study.observations[-1]
    at_seen, elsewhere = study.predict(seen.values), study.predict({"a": 1.0, "b": 1.0})
    assert at_seen is not None
    assert elsewhere is not None
    assert at_seen.mean == pytest.approx(seen.outcomes["objective"], abs=0.05)
    assert 0.0 < at_seen.sd < elsewhere.sd
    assert study.predict(seen.values) == at_seen
    assert study.facts == before


def test_predict_without_beliefs() -> None:
    study = told(cs.create_study(ARMS, policy="random"), 3)
    assert study.predict({"a": 0.25, "b": 0.5}) is None
    assert study.predict_many([{"a": 0.25, "b": 0.5}]) is None


def test_predicting_many_is_predicting_each() -> None:
    study = cs.create_study(ARMS, policy="v-ucb", seed=1, direction="minimize")
    some = [{"a": 0.25, "b": 0.5}, {"a": 1.0, "b": 1.0}, {"a": 0.25, "b": 0.5}]
    assert study.predict_many(some) is None
    told(study, 5)
    many, each = study.predict_many(some), [study.predict(values) for values in some]
    assert many is not None
    assert many[0] == many[2]
    for a, b in zip(many, each, strict=True):
        assert b is not None
        assert (a.mean, a.sd) == pytest.approx((b.mean, b.sd), rel=1e-9)


def test_a_proposal_carries_its_terms_and_prediction() -> None:
    study = told(cs.create_study(ARMS, policy="v-ucb", seed=1), 4)
    first, last = proposals(study)[0], study.ask()
    assert first.prediction is None
    assert first.terms == {}
    assert last.prediction is not None
    assert last.terms["exploitation"] == pytest.approx(last.prediction.mean, rel=1e-12)
    assert last.terms["approximation"] == pytest.approx(2.0 * last.prediction.sd, rel=1e-12)
    assert last.note == ""
    assert last.asks == ()


def test_dataframe() -> None:
    study = cs.create_study(MIXED, policy="random", objective="speed")
    own = {"rate": 0.5, "count": 7, "kind": "v"}
    waiting, accepted, overridden, rejected, silent = study.ask(5, context={"day": 0.5})
    study.accept(accepted, actor="ann", reason="fine")
    study.override(overridden, own, actor="bob", reason="safer")
    study.tell(overridden, 2.0, actor="cid")
    study.reject(rejected, actor="ann", reason="unsafe")
    study.tell(silent, 3.0, actor="cid")
    study.tell(own, 4.0, context={"day": 1.0}, actor="dee")
    table = study.dataframe()
    assert table.columns.tolist() == [
        *("proposal", "observation", "status", "rate", "count", "kind", "day", "speed"),
        *("predicted", "sd", "actor", "reason"),
    ]
    assert table.status.tolist() == [
        *("proposed", "accepted", "overridden", "rejected", "accepted", "told")
    ]
    assert table.proposal.tolist()[:5] == ["p1", "p2", "p3", "p4", "p5"]
    assert table.proposal.isna().tolist() == [False] * 5 + [True]
    assert table.observation.dropna().tolist() == ["o1", "o2", "o3"]
    assert table.speed.dropna().tolist() == [2.0, 3.0, 4.0]
    assert table.loc[2, ["rate", "count", "kind"]].tolist() == list(own.values())
    assert table["rate"].tolist()[0] == waiting.values["rate"]
    assert table["count"].tolist()[4] == silent.values["count"]
    assert table.day.tolist() == [0.5] * 5 + [1.0]
    assert table.actor.fillna("").tolist() == ["", "ann", "bob", "ann", "cid", "dee"]
    assert table.reason.fillna("").tolist() == ["", "fine", "safer", "unsafe", "", ""]
    assert table.predicted.isna().all()


def test_dataframe_of_nothing_and_of_beliefs() -> None:
    study = cs.create_study(ARMS, policy="v-ucb", seed=1)
    columns = ["proposal", "observation", "status", "a", "b", "objective"]
    assert study.dataframe().columns.tolist() == [*columns, "predicted", "sd", "actor", "reason"]
    assert len(study.dataframe()) == 0
    told(study, 4)
    last = proposals(study)[-1]
    assert last.prediction is not None
    assert study.dataframe().predicted.tolist()[-1] == last.prediction.mean
    assert study.dataframe().sd.tolist()[-1] == last.prediction.sd


def test_dataframe_leaves_out_what_was_withdrawn() -> None:
    study = cs.create_study(ARMS, policy="random")
    study.tell(study.ask(), 1.0)
    study.tell({"a": 0.0, "b": 0.0}, 2.0)
    study.withdraw("o1")
    study.withdraw("o2")
    table = study.dataframe()
    assert table.status.tolist() == ["proposed"]
    assert table.objective.isna().all()


@pytest.mark.parametrize("space", [cs.Space(speed=cs.Float(0, 1)), cs.Arms([[1.0]], ["speed"])])
def test_a_parameter_and_the_objective_have_different_names(space: Any) -> None:
    with pytest.raises(cs.InvalidInput, match=r"'speed'.*name"):
        cs.create_study(space, policy="random", objective="speed")


@pytest.mark.parametrize("name", ["proposal", "status", "predicted", "sd", "actor", "reason"])
def test_no_column_of_the_table_hides_another(name: str) -> None:
    """A parameter named like another column is refused in a sentence, or both are there."""
    space, refusal = cs.Space(**{name: cs.Float(2, 3)}), ""
    try:
        study = cs.create_study(space, policy="random")
    except cs.InvalidInput as error:
        refusal = str(error)
    if refusal:
        assert repr(name) in refusal
        return
    proposal = study.ask()
    study.accept(proposal, actor="ann", reason="fine")
    study.tell(proposal, 1.0)
    row = study.dataframe().iloc[0].tolist()
    for value in ("p1", "o1", "accepted", proposal.values[name], 1.0, "ann", "fine"):
        assert value in row


# ---- withdrawals --------------------------------------------------------------------------------


def test_withdrawing_an_observation_and_telling_it_right() -> None:
    study = cs.create_study(ARMS, policy="random")
    proposal = study.ask()
    wrong = study.tell(proposal, 100.0)
    withdrawal = study.withdraw(wrong, actor="ann", reason="typing error")
    assert (withdrawal.fact, withdrawal.actor) == ("o1", "ann")
    assert withdrawal.reason == "typing error"
    assert study.pending == (proposal,)
    right = study.tell(proposal, 1.0)
    assert study.observations == (right,)
    assert wrong in study.facts  # the history keeps both


@pytest.mark.parametrize("policy", ["v-ucb", "ts"])
def test_beliefs_follow_a_withdrawal(policy: str) -> None:
    clean = cs.create_study(ARMS, policy=policy, seed=9)
    mistaken = cs.create_study(ARMS, policy=policy, seed=9)
    for study in (clean, mistaken):
        for a, b in [(0.0, 0.5), (0.5, 0.5), (1.0, 0.25), (0.25, 1.0)]:
            study.tell({"a": a, "b": b}, payoff({"a": a, "b": b}))
            if study is mistaken and a == 0.5:
                study.tell({"a": 1.0, "b": 1.0}, 50.0)
    mistaken.withdraw("o3")
    assert_same_history(clean, mistaken)
    for _ in range(2):
        a, b = clean.ask(), mistaken.ask()
        assert a.values == b.values
        assert a.prediction == b.prediction
        assert a.theta == b.theta
    assert clean.predict({"a": 1.0, "b": 1.0}) == mistaken.predict({"a": 1.0, "b": 1.0})


def test_withdrawing_a_decision_lets_another_be_made() -> None:
    study = cs.create_study(ARMS, policy="random")
    proposal = study.ask()
    study.withdraw(study.accept(proposal, actor="ann"))
    assert study.override(proposal, {"a": 1.0, "b": 1.0}, actor="bob").actor == "bob"
    assert study.tell(proposal, 1.0).values == {"a": 1.0, "b": 1.0}


# ---- the same facts, the same proposals ---------------------------------------------------------


def eventful(study: cs.Study, contexts: Iterator[Any] | None = None) -> cs.Study:
    """A study with accepted, overridden, rejected, withdrawn and pending trials in between."""

    def ask() -> cs.Proposal:
        return study.ask(context=next(contexts) if contexts else None)

    def tell(proposal: cs.Proposal) -> cs.Observation:
        decision = next((d for d in decisions if d.proposal == proposal.id), None)
        values = decision.values if decision and decision.values else proposal.values
        return study.tell(proposal, payoff(values, proposal.context))

    decisions: list[cs.Decision] = []
    for _ in range(4):
        tell(ask())
    proposal = ask()
    decisions.append(study.accept(proposal, actor="ann"))
    tell(proposal)
    proposal = ask()
    space = study.problem.space
    decisions.append(study.override(proposal, space.decode(np.full(space.dim, 0.3)), actor="ann"))
    ask()  # waits from here on
    tell(proposal)
    first, second = ask(), ask()
    study.reject(first)
    rejection = study.reject(second)
    tell(ask())
    study.withdraw(rejection)
    tell(ask())
    study.withdraw(study.observations[1])
    own = proposals(study)[0]
    study.tell(own.values, 0.5, context=own.context or None)
    tell(ask())
    ask()
    return study


def days() -> Iterator[dict[str, float]]:
    return ({"day": (0.375 * i) % 1.0} for i in itertools.count())


@pytest.mark.parametrize("policy", POLICIES)
def test_replay_on_arms_is_identical(policy: str) -> None:
    study = eventful(cs.create_study(ARMS, policy=policy, seed=11))
    before = study.facts
    replay = study.replay()
    assert replay.differences == ()
    assert replay.identical
    assert replay.proposals == len(proposals(study)) == 13
    assert study.facts == before


@pytest.mark.parametrize("policy", ["random", "v-ucb"])
def test_replay_on_a_mixed_box_with_contexts_is_identical(policy: str) -> None:
    study = eventful(cs.create_study(MIXED, policy=policy, seed=12), days())
    assert len({p.context["day"] for p in proposals(study)}) > 5
    assert study.replay().differences == ()


def test_replay_of_nothing() -> None:
    replay = cs.create_study(ARMS).replay()
    assert replay.identical
    assert replay.proposals == 0


def test_replay_finds_a_changed_observation() -> None:
    study = told(cs.create_study(ARMS, seed=13), 7)
    place = next(i for i, fact in enumerate(study.facts) if fact.id == "o5")
    changed = dataclasses.replace(study.facts[place], outcomes={"objective": 5.0})  # type: ignore[call-arg]
    study._ledger.facts[place] = changed
    replay = study.replay()
    assert not replay.identical
    # o5 was known to the sixth proposal and the seventh, and to none before.
    assert {d.proposal for d in replay.differences} == {"p6", "p7"}
    assert {d.field for d in replay.differences if d.proposal == "p6"} >= {
        *("prediction", "terms", "theta")
    }
    difference = next(d for d in replay.differences if d.field == "prediction")
    assert difference.recorded == proposals(study)[5].prediction
    assert difference.replayed != difference.recorded


@pytest.mark.parametrize(
    ("field", "forged"),
    [
        ("values", {"a": 0.0, "b": 0.0}),
        ("prediction", cs.Prediction(1.0, 1.0)),
        ("terms", {"exploitation": 1.0}),
        ("theta", (0.0, 0.0)),
        ("asks", ("comfort",)),
        ("note", "all is well"),
        ("policy", "ei"),
    ],
)
def test_replay_finds_a_changed_proposal(field: str, forged: Any) -> None:
    study = told(cs.create_study(ARMS, seed=13), 5)
    place, last = next((i, f) for i, f in enumerate(study.facts) if f.id == "p5")
    assert getattr(last, field) != forged
    study._ledger.facts[place] = dataclasses.replace(last, **{field: forged})
    replay = study.replay()
    assert [(d.proposal, d.field) for d in replay.differences] == [("p5", field)]
    assert replay.differences[0].recorded == forged
    replayed = replay.differences[0].replayed
    if isinstance(replayed, cs.Prediction):  # the forged one has no limit to compare
        replayed = dataclasses.replace(replayed, limit=last.prediction.limit)
    assert replayed == getattr(last, field)


@pytest.mark.parametrize("space", [ARMS, BOX], ids=["arms", "box"])
@pytest.mark.parametrize("policy", ["random", "v-ucb"])
def test_the_seed_decides(policy: str, space: Any) -> None:
    same, again, other = (
        told(cs.create_study(space, policy=policy, seed=seed), 6) for seed in (14, 14, 15)
    )
    assert points(same) == points(again)
    assert [p.terms for p in proposals(same)] == [p.terms for p in proposals(again)]
    assert points(same) != points(other)


def test_what_is_asked_in_between_does_not_matter() -> None:
    quiet, watched = (cs.create_study(ARMS, seed=16) for _ in range(2))
    told(quiet, 6)
    for _ in range(6):
        told(watched, 1)
        watched.best, watched.predict({"a": 0.0, "b": 0.0}), watched.dataframe(), watched.replay()
    assert points(quiet) == points(watched)


SCRIPT = """
import json, sys
import counsel as cs
arms = cs.Arms([{"a": i / 4, "b": j / 4} for i in range(5) for j in range(5)])
box = cs.Space(x=cs.Float(0, 1), y=cs.Float(0, 1))
seen = []
for space, policy in [(arms, "v-ucb"), (arms, "ts"), (box, "random"), (box, "v-ucb")]:
    study = cs.create_study(space, policy=policy, seed=17)
    for _ in range(6):
        p = study.ask()
        study.tell(p, -sum((v - 0.3 - 0.1 * i) ** 2 for i, v in enumerate(p.values.values())))
        numbers = [*p.values.values(), *p.terms.values(), *p.theta]
        seen.append([number.hex() for number in numbers])
print(json.dumps(seen))
"""


def test_another_process_proposes_the_same_to_the_last_bit() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True, timeout=300
    )
    here = []
    for space, policy in [(ARMS, "v-ucb"), (ARMS, "ts"), (BOX, "random"), (BOX, "v-ucb")]:
        study = told(cs.create_study(space, policy=policy, seed=17), 6)
        for p in proposals(study):
            numbers = [*p.values.values(), *p.terms.values(), *p.theta]
            here.append([float(number).hex() for number in numbers])
    assert json.loads(done.stdout) == here


# ---- any order of events ------------------------------------------------------------------------

EVENTS = ("ask", "ask", "accept", "override", "reject", "tell", "tell", "point", "withdraw")


@settings(max_examples=50)
@given(st.lists(st.tuples(st.sampled_from(EVENTS), st.integers(0, 999)), max_size=25))
def test_whatever_happens_the_facts_add_up(events: list[tuple[str, int]]) -> None:
    """Nothing is lost, a refusal changes nothing, and folding anew gives the same state."""
    study = cs.create_study(FEW, policy="random", seed=18)
    for event, number in events:
        before = study.facts
        made = proposals(study)
        proposal: Any = made[number % len(made)] if made else "p1"
        happen: dict[str, Callable[[], object]] = {
            "ask": study.ask,
            "accept": lambda p=proposal: study.accept(p),
            "override": lambda p=proposal, n=number: study.override(p, FEW[n % 3]),
            "reject": lambda p=proposal: study.reject(p),
            "tell": lambda p=proposal, n=number: study.tell(p, float(n)),
            "point": lambda n=number: study.tell(FEW[n % 3], float(n)),
            "withdraw": lambda n=number: study.withdraw(f"{'do'[n % 2]}{n % 7 + 1}"),
        }
        try:
            fact = happen[event]()
        except cs.CounselError:
            assert study.facts == before
        else:
            assert study.facts == (*before, fact)
        folded = StudyState(study.problem, study.facts)
        assert study.pending == tuple(folded.pending)
        assert study.observations == tuple(folded.observations.values())
        # Every proposal is told, rejected or pending, and only one of them.
        rejected = {p.id for p in folded.proposals.values() if folded.rejects(p)}
        states = [set(folded.observed), rejected, set(ids(folded.pending))]
        assert sum(map(len, states)) == len(set.union(*states)) == len(folded.proposals)
    assert len(set(ids(study.facts))) == len(study.facts)
    assert study.replay().identical


# ---- many hands ---------------------------------------------------------------------------------


@pytest.fixture
def _nervous_threads() -> Iterator[None]:
    """Threads that take turns as often as they can."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def together(*calls: Callable[[], Any]) -> list[Any]:
    """Run the calls at the same moment; return results, or what was raised."""
    start = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        start.wait(timeout=30)
        try:
            return call()
        except cs.CounselError as error:
            return error

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


@pytest.mark.usefixtures("_nervous_threads")
def test_threads_lose_and_double_nothing() -> None:
    study = cs.create_study(BOX, policy="random", seed=19)

    def work() -> None:
        for _ in range(20):
            proposal = study.ask()
            study.accept(proposal)
            study.tell(proposal, 1.0)

    assert together(*[work] * 8) == [None] * 8
    for kind, letter in [(cs.Proposal, "p"), (cs.Decision, "d"), (cs.Observation, "o")]:
        made = [fact.id for fact in study.facts if isinstance(fact, kind)]
        assert made == [f"{letter}{i + 1}" for i in range(160)]
    facts = study.facts
    for place, fact in enumerate(facts):
        if isinstance(fact, cs.Proposal):
            # While it was computed, others may have accepted and told, but not proposed.
            assert not any(isinstance(each, cs.Proposal) for each in facts[fact.seen : place])
            assert fact.seen <= place
    assert study.pending == ()
    assert study.replay().identical


@pytest.mark.usefixtures("_nervous_threads")
def test_two_people_cannot_both_decide() -> None:
    study = cs.create_study(BOX, policy="random", seed=20)
    for _ in range(25):
        proposal = study.ask()
        outcomes = together(
            lambda p=proposal: study.accept(p, actor="ann"),
            lambda p=proposal: study.reject(p, actor="bob"),
        )
        won = [o for o in outcomes if isinstance(o, cs.Decision)]
        lost = [o for o in outcomes if isinstance(o, cs.Conflict)]
        assert (len(won), len(lost)) == (1, 1)
        assert lost[0].fact == won[0]
        assert won[0].actor in str(lost[0])
    assert sum(isinstance(fact, cs.Decision) for fact in study.facts) == 25


@pytest.mark.usefixtures("_nervous_threads")
def test_two_people_cannot_both_tell() -> None:
    study = cs.create_study(BOX, policy="random", seed=21)
    for _ in range(25):
        proposal = study.ask()
        outcomes = together(
            lambda p=proposal: study.tell(p, 1.0), lambda p=proposal: study.tell(p, 2.0)
        )
        won = [o for o in outcomes if isinstance(o, cs.Observation)]
        lost = [o for o in outcomes if isinstance(o, cs.Conflict)]
        assert (len(won), len(lost)) == (1, 1)
        assert lost[0].fact == won[0]
    assert len(study.observations) == 25
