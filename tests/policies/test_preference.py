"""Studies of preferences: pairs to choose from, both kinds of facts, and what is refused."""

from typing import Any

import numpy as np
import pytest

import counsel as cs
from counsel.facts.aliases import modern
from counsel.policies import Preference
from counsel.policies.description import describe, make

GRID = [{"a": i / 8, "b": j / 8} for i in range(9) for j in range(9)]
ARMS = cs.Arms(GRID)
BOX = cs.Space(a=cs.Float(0, 1), b=cs.Float(0, 1))


def utility(values: Any) -> float:
    return -((values["a"] - 0.25) ** 2) - 2.0 * (values["b"] - 0.625) ** 2


def answer(study: Any, pairs: int, seed: int = 0, noise: float = 0.02) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(pairs):
        first, second = study.ask(2)
        felt = utility(first.values) - utility(second.values) + noise * rng.standard_normal()
        winner, loser = (first, second) if felt > 0.0 else (second, first)
        study.compare(winner=winner, loser=loser, tie=abs(felt) < 0.005)


def test_choices_lead_to_what_is_preferred() -> None:
    gaps = []
    for seed in range(3):
        study = cs.create_study(ARMS, objective="preference", seed=seed)
        assert study.policy.name == "preference"
        answer(study, 14, seed)
        assert study.best is not None
        assert study.best.observation is None
        gaps.append(-utility(study.best.values))
    values = np.array([-utility(values) for values in GRID])
    assert np.mean(gaps) < np.quantile(values, 0.1)


@pytest.mark.parametrize("space", [ARMS, BOX], ids=["arms", "box"])
def test_a_pair_is_a_champion_and_a_challenger(space: Any) -> None:
    study = cs.create_study(space, objective="preference", seed=3)
    answer(study, 4)
    first, second = study.ask(2)
    assert first.values != second.values
    assert set(first.terms) == {"exploitation"}
    assert set(second.terms) == {"challenge"}
    shown = [c.winner for c in study.comparisons] + [c.loser for c in study.comparisons]
    best = study.best
    assert best is not None
    assert best.values in shown
    assert study.predict(first.values).mean == pytest.approx(best.value)
    assert [p.id for p in study.pending] == [first.id, second.id]
    study.compare(winner=second, loser=first)
    assert study.pending == ()
    assert study.replay().identical
    assert set(study.dataframe()["status"]) == {"compared"}


def test_a_rejected_champion_is_not_shown_again() -> None:
    study = cs.create_study(ARMS, objective="preference", seed=3)
    answer(study, 4)
    first, second = study.ask(2)
    study.reject(first)
    study.compare(winner=second, loser=first.values)
    champion, _ = study.ask(2)
    assert champion.values != first.values


def test_measurements_and_comparisons_together() -> None:
    study = cs.create_study(ARMS, policy="preference", seed=1)
    for values in GRID[::17]:
        study.tell(values, 10.0 + 4.0 * utility(values))
    before = study.predict(GRID[20])
    study.compare(winner=GRID[20], loser=GRID[60])
    after = study.predict(GRID[20])
    assert after.mean > before.mean
    proposal = study.ask()
    assert set(proposal.terms) == {"exploitation", "approximation"}
    assert study.best is not None
    assert study.best.observation is not None
    assert 5.0 < after.mean < 12.0  # in the units of the measurements


def test_a_policy_that_cannot_use_comparisons_says_so() -> None:
    study = cs.create_study(ARMS, policy="v-ucb", seed=1)
    for values in GRID[::20]:
        study.tell(values, utility(values))
    assert study.ask().note == ""
    study.compare(winner=GRID[20], loser=GRID[60])
    assert "policy='preference'" in study.ask().note


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(cs.InvalidInput, match="maximize"):
        cs.create_study(BOX, objective="preference", direction="minimize")
    with pytest.raises(cs.InvalidInput, match=r"got 'ei'\. .* use one of preference, random"):
        cs.create_study(BOX, objective="preference", policy="ei")
    study = cs.create_study(BOX, objective="preference")
    proposal = study.ask()
    with pytest.raises(cs.InvalidInput, match="compare"):
        study.tell(proposal, 1.0)
    assert study.facts == (proposal,)
    assert study.best is None
    assert study.predict({"a": 0.5, "b": 0.5}) is None


def test_ties_and_withdrawals_reach_the_model() -> None:
    study = cs.create_study(ARMS, policy=Preference(initial=1), objective="preference")
    said = study.compare(winner=GRID[0], loser=GRID[80])
    tied = study.compare(winner=GRID[0], loser=GRID[40], tie=True)

    def lead(winner: int, loser: int) -> float:
        ahead, behind = study.predict_many([GRID[winner], GRID[loser]])
        return float(ahead.mean - behind.mean)

    assert lead(0, 80) > 0.0
    assert abs(lead(0, 40)) < lead(0, 80)
    study.withdraw(tied)
    study.withdraw(said)
    assert study.predict(GRID[0]) is None


def test_a_stored_policy_from_before_goes_on_with_the_rule_of_ties() -> None:
    written = describe(Preference())
    assert written["settings"].pop("lean") is True
    old = make(modern(written))
    assert isinstance(old, Preference)
    assert old.lean is False
