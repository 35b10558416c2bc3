"""Gains in the context of the round: what paid in another one is no measure here."""

from dataclasses import replace

import numpy as np
import pytest

import counsel as cs
from counsel.acquisition import EI, AugmentedEI
from counsel.acquisition.feasibility import FeasibleScore
from counsel.acquisition.terms import Acquisition
from counsel.facts.history import History
from counsel.facts.state import StudyState
from counsel.policies import Bandit

SPACE = cs.Space(x=cs.Float(0, 1), context={"lab": cs.Categorical(["A", "B"])})
BETTER_IN_A = 5.0


def payoff(x: float, lab: str) -> float:
    return -20.0 * (x - 0.6) ** 2 + BETTER_IN_A * (lab == "A")


def told(**more: object) -> cs.Study:
    study = cs.create_study(SPACE, objective="yield", policy="augmented-ei", seed=0, **more)
    for x in (0.05, 0.3, 0.5, 0.75, 0.95):
        for lab in "AB":
            study.tell({"x": x}, payoff(x, lab), context={"lab": lab})
    return study


def history_in(study: cs.Study, lab: str) -> History:
    state = StudyState(study.problem, study.facts)
    context = SPACE.encode_context({"lab": lab})
    return replace(state.history(t=20, seed=0, context=context), theta=())


@pytest.mark.parametrize("acquisition", [AugmentedEI(), EI(), EI(incumbent="mean")], ids=str)
def test_the_incumbent_is_the_best_trial_in_this_context(acquisition: Acquisition) -> None:
    study = told()
    policy, history = Bandit(acquisition), history_in(study, "B")
    score = policy.score(study.problem, history)
    here = np.concatenate([history.x[:, :1], np.tile(history.context, (10, 1))], axis=1)
    expected = policy.predict(study.problem, history, here)
    assert expected is not None
    best = max(each.mean for each in expected)
    assert best < 1.0
    np.testing.assert_allclose(score.incumbent, best, rtol=1e-6)  # type: ignore[union-attr]
    before = replace(policy, in_context=False).score(study.problem, history)
    assert float(before.incumbent) > BETTER_IN_A - 1.0  # type: ignore[union-attr]


def test_a_failure_counts_in_this_context() -> None:
    """What would probably fail here is no incumbent here, though it worked elsewhere."""
    study = told()
    for x in (0.45, 0.48, 0.52, 0.55):
        for _ in range(3):
            study.fail({"x": x}, context={"lab": "B"})
    policy, history = Bandit(AugmentedEI(), feasibility=8.0), history_in(study, "B")
    score = policy.score(study.problem, history)
    assert isinstance(score, FeasibleScore)
    worst = policy.predict(study.problem, history, np.array([[0.5, *history.context]]))
    assert worst is not None
    assert float(score.score.incumbent) < worst[0].mean  # type: ignore[attr-defined]


def test_the_worse_context_is_optimised_as_well() -> None:
    study = told()
    found = {"A": 1.0, "B": 1.0}
    for i in range(12):
        lab = "AB"[i % 2]
        proposal = study.ask(context={"lab": lab})
        x = proposal.values["x"]
        assert isinstance(x, float)
        found[lab] = min(found[lab], abs(x - 0.6))
        study.tell(proposal, payoff(x, lab))
    assert max(found.values()) < 0.02
    assert study.replay().identical
