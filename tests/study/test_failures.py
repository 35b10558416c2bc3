"""Trials that fail, are given up, or are decided twice; how far a rejection reaches."""

import dataclasses
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import counsel as cs
from counsel.policies.random import EXCLUSION_RADIUS, reaches

SPACE = cs.Space(t=cs.Float(20, 120), x=cs.Float(0, 1))


def started(policy: str | None = "v-ucb", **options: Any) -> cs.Study:
    return cs.create_study(SPACE, policy=policy, seed=3, **options)


def works(values: Any) -> bool:
    return bool(values["t"] <= 80)


def payoff(values: Any) -> float:
    """It would be best beyond 80, where nothing can be measured."""
    return float(values["t"] / 100 - (values["x"] - 0.4) ** 2)


@pytest.mark.parametrize("policy", ["v-ucb", None, pytest.param("ei", marks=pytest.mark.slow)])
def test_failures_are_learned_from_and_do_not_trap_the_policy(policy: str | None) -> None:
    study = started(policy)
    tried = []
    for _ in range(20):
        proposal = study.ask()
        tried.append(float(proposal.values["t"]))
        if works(proposal.values):
            study.tell(proposal, payoff(proposal.values))
        else:
            study.fail(proposal, reason="it boiled over")
    assert sum(t > 100 for t in tried) <= 5  # where everything fails
    assert sum(t > 80 for t in tried[-10:]) <= 4
    best = study.best
    assert best is not None
    assert best.values["t"] > 70
    last = study.ask()
    assert 0.0 <= last.chances["success"] <= 1.0
    why = study.explain(last)
    assert np.allclose(why.base + why.values.sum(axis=1), why.total)
    assert study.replay().identical


def test_advice_and_outlook_know_that_trials_fail() -> None:
    """The payoff only rises, but everything beyond 58 fails: little is left, and not there."""
    space = cs.Space(heat=cs.Float(0, 100))
    study = cs.create_study(space, policy="v-ucb", team="fused", seed=0)
    for heat in (5.0, 20.0, 35.0, 50.0, 55.0, 58.0):
        study.tell({"heat": heat}, heat)
    for heat in (61, 64, 68, 72, 76, 80, 85, 90, 95, 100):
        study.fail({"heat": float(heat)})
    found = study.advise(study.ask(), {"heat": 72.0})
    assert found.recommendation == "go ahead"
    assert found.chance is not None
    assert found.chance < 0.3
    assert ": it works with a chance of" in found.why
    assert found.why.endswith("takes the machine's, because yours is less likely to work.")
    assert " if both work, with 95% from " in found.numbers()[0]
    outlook = study.outlook()
    assert outlook.gain < 5.0
    assert outlook.chance < 0.2


def test_an_objective_that_is_never_measured_still_lets_the_first_trials_spread() -> None:
    """Told as a constraint that does not hold, beyond 80, and without an objective."""
    study = cs.create_study(
        SPACE, policy="v-ucb", seed=1, constraints=[cs.Constraint("ran", at_least=0.5)]
    )
    hot = 0
    for _ in range(18):
        proposal = study.ask()
        if works(proposal.values):
            study.tell(proposal, payoff(proposal.values), constraints={"ran": 1.0})
        else:
            hot += 1
            study.tell(proposal, constraints={"ran": 0.0})
    assert hot <= 9


def test_first_trials_count_failures() -> None:
    study = started()
    for _ in range(3):
        study.fail(study.ask())
    study.tell(study.ask(), 1.0)
    assert study.ask().terms  # not one more first trial
    assert len(study.failures) == 3


def test_a_failure_is_withdrawn_like_any_other_fact() -> None:
    study = started()
    proposal = study.ask()
    failure = study.fail(proposal, actor="ann")
    assert study.pending == ()
    assert study.dataframe()["status"].tolist() == ["failed"]
    with pytest.raises(cs.Conflict, match="failed"):
        study.tell(proposal, 1.0)
    with pytest.raises(cs.Conflict, match="failed"):
        study.accept(proposal)
    study.withdraw(failure)
    assert study.pending == (proposal,)
    study.tell(proposal, 1.0)
    with pytest.raises(cs.Conflict, match="already told"):
        study.fail(proposal)


def test_a_failed_arm_is_not_proposed_for_ever_by_learners_of_constraints() -> None:
    study = cs.create_study(
        cs.Arms(np.linspace(0, 1, 6)[:, None]),
        constraints=[cs.Constraint("calm", at_least=0.0)],
        policy="dmcl",
        seed=2,
    )
    broken = study.ask()
    study.fail(broken)
    for _ in range(4):
        proposal = study.ask()
        assert proposal.values != broken.values
        study.tell(proposal, 1.0, constraints={"calm": 0.5})


def test_abandoning_concludes_nothing_and_a_late_result_is_welcome() -> None:
    study = started()
    proposal = study.ask()
    study.accept(proposal, actor="ann")
    study.abandon(proposal, actor="ann", reason="the power went")
    assert study.pending == ()
    assert study.dataframe()["status"].tolist() == ["abandoned"]
    assert study._ledger.state.history(t=2, seed=0, context=np.zeros(0)).rejected.size == 0
    study.tell(proposal, 0.5)
    assert study.dataframe()["status"].tolist() == ["accepted"]


def test_a_decision_is_changed_by_one_call() -> None:
    study = started()
    proposal = study.ask()
    study.accept(proposal, actor="ann")
    with pytest.raises(cs.Conflict, match="decide with `replace`"):
        study.reject(proposal, actor="ben")
    study.override(proposal, {"t": 50, "x": 0.5}, actor="ben", replace=True)
    assert [d.kind for d in study.decisions] == ["override"]
    assert len([f for f in study.facts if isinstance(f, cs.Decision)]) == 2
    told = study.tell(proposal, 1.0)
    assert dict(told.values) == {"t": 50.0, "x": 0.5}
    with pytest.raises(cs.Conflict, match="already told"):
        study.accept(proposal, replace=True)


@pytest.mark.parametrize("storage", [None, "sqlite"])
def test_a_lapsed_lease_frees_the_proposal(storage: str | None, tmp_path: Path) -> None:
    address = None if storage is None else f"sqlite:///{tmp_path / 'study.db'}"
    study = started("random", storage=address)
    dead, alive = study.ask(2)
    study.hold(dead, actor="worker-1", seconds=0.05)
    study.hold(alive, actor="worker-2", seconds=600)
    time.sleep(0.1)
    third = study.ask()
    assert study.pending == (alive, third)
    assert [d.reason for d in study.decisions] == ["The lease of worker-1 lapsed."]
    study.tell(dead, 1.0, actor="worker-1")  # it was only slow
    assert study.replay().identical


@pytest.mark.parametrize(
    ("scope", "radius", "reach"),
    [(None, None, 0.05), ("region", None, 0.05), ("region", 0.2, 0.2), ("point", None, 0.001)],
)
def test_a_rejection_reaches_as_far_as_it_says(
    scope: Any, radius: float | None, reach: float
) -> None:
    study = started()
    for values in ({"t": 30, "x": 0.1}, {"t": 70, "x": 0.9}, {"t": 100, "x": 0.4}):
        study.tell(values, payoff(values))
    refused = study.ask()
    decision = study.reject(refused, scope=scope, radius=radius)
    assert decision.radius == reach
    centre = SPACE.encode(refused.values)
    for _ in range(3):
        proposal = study.ask()
        gap = np.abs(SPACE.encode(proposal.values) - centre).max()
        assert gap >= reach * 0.99
        study.tell(proposal, payoff(proposal.values))
    assert study.replay().identical


def test_rejecting_an_arm_takes_no_other_along_unless_asked_to() -> None:
    arms = cs.Arms(np.linspace(0, 1, 11)[:, None])
    study = cs.create_study(arms, policy="random", seed=0)
    study.reject(study.ask())
    seen = {study.ask().values["x1"] for _ in range(10)}
    assert len(seen) == 10
    study = cs.create_study(arms, policy="random", seed=0)
    first = study.ask()
    study.reject(first, scope="region", radius=0.11)
    seen = {study.ask().values["x1"] for _ in range(10)}
    assert all(abs(x - first.values["x1"]) > 0.11 for x in seen)


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"scope": "area"}, "scope"),
        ({"scope": "point", "radius": 0.1}, "radius"),
        ({"radius": 0.0}, "radius"),
        ({"radius": 2}, "radius"),
        ({"radius": float("nan")}, "radius"),
    ],
)
def test_a_scope_that_makes_no_sense_is_refused(options: Any, field: str) -> None:
    study = started()
    with pytest.raises(cs.InvalidInput) as refused:
        study.reject(study.ask(), **options)
    assert refused.value.field == field
    assert study.decisions == ()


def test_a_stored_rejection_without_a_radius_means_what_it_did() -> None:
    study = started("random")
    proposal = study.ask()
    study.reject(proposal)
    state = study._ledger.state
    old = dataclasses.replace(state.decisions[proposal.id], radius=None)
    state.decisions[proposal.id] = old
    history = state._arrays(None)
    assert reaches(history, EXCLUSION_RADIUS).tolist() == [0.05]


def test_a_rejection_is_not_undone_by_giving_the_proposal_up() -> None:
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), policy="random")
    proposal = study.ask()
    rejection = study.reject(proposal, actor="ann")
    with pytest.raises(cs.Conflict, match=r"ann rejected it\. Withdraw the rejection") as refusal:
        study.abandon(proposal, actor="ben")
    assert refusal.value.fact == rejection
    assert study.decisions == (rejection,)
    study.withdraw(rejection, actor="ann")
    assert study.abandon(proposal, actor="ben").kind == "abandon"


def test_the_chance_that_a_trial_works_is_told_anywhere() -> None:
    limit = cs.Constraint("pH", at_least=6)
    study = started(constraints=[limit])
    point = {"t": 110, "x": 0.5}
    assert study.chances(point) == {}
    study.fail(point)
    assert set(study.chances(point)) == {"success"}  # before anything was measured
    for t in (20, 35, 50, 65, 80):
        study.tell({"t": t, "x": 0.3}, t / 100, constraints={"pH": 7.0})
    assert study.chances(point)["success"] < study.chances({"t": 30, "x": 0.3})["success"]
    proposal = study.ask()
    assert study.chances(proposal.values) == pytest.approx(dict(proposal.chances))
    assert set(proposal.chances) == {"pH", "success"}


def test_a_constraint_of_that_name_keeps_it() -> None:
    study = started(constraints=[cs.Constraint("success", at_least=0)])
    study.fail({"t": 110, "x": 0.5})
    assert study.chances({"t": 110, "x": 0.5}) == {}


def test_a_study_that_is_put_away_proposes_nothing() -> None:
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), policy="random")
    with pytest.raises(cs.InvalidInput, match="not archived"):
        study.archive(False, actor="ann")
    first = study.ask(idempotency_key="first")
    away = study.archive(actor="ann")
    assert study.archive(actor="ben") == away  # put away once
    with pytest.raises(cs.Conflict, match=r"ann archived this study\. Bring it back first"):
        study.ask()
    assert study.ask(idempotency_key="first") == first  # what was answered before still is
    study.tell(first, 0.5)  # a late result is welcome
    study.archive(False, actor="ben")
    study.ask()
    assert study.replay().identical


def test_failures_are_in_the_table_with_their_reasons() -> None:
    study = started()
    proposal = study.ask()
    study.accept(proposal, actor="ann", reason="looks fine")
    study.fail(proposal, actor="ben", reason="it clotted")
    study.fail({"t": 110, "x": 0.5}, actor="ben", reason="it boiled over")
    table = study.dataframe()
    assert table["status"].tolist() == ["failed", "failed"]
    assert table["reason"].tolist() == ["it clotted", "it boiled over"]
    assert table["t"].tolist() == [proposal.values["t"], 110.0]
