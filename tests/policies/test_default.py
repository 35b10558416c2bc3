"""What a study does that was given no policy: it is trapped neither by failures nor by a choice."""

from dataclasses import replace

import numpy as np
import pytest

import counsel as cs
from counsel.acquisition import maximise
from counsel.errors import InvalidInput
from counsel.facts.aliases import modern
from counsel.policies.bandit import Bandit
from counsel.policies.default import MOST_FIRST, default_policy, first_trials
from counsel.policies.description import describe, make
from counsel.policies.preference import Preference

NUMBERS = cs.Space(x=cs.Float(0, 1), y=cs.Float(-5, 5))
SOLVENTS = ("DMF", "MeCN", "THF", "water", "toluene")
OVEN = cs.Space(t=cs.Float(20, 120))


def test_levels_count_as_first_trials() -> None:
    assert first_trials(cs.Space(x=cs.Float(0, 1))) == 3
    assert first_trials(NUMBERS) == 3
    assert first_trials(cs.Space(x=cs.Float(0, 1), s=cs.Categorical(SOLVENTS))) == 6
    assert first_trials(cs.Space(s=cs.Categorical([f"s{i}" for i in range(40)]))) == MOST_FIRST


def test_the_first_proposal_says_what_was_chosen_and_why() -> None:
    study = cs.create_study(NUMBERS, policy=default_policy(cs.Problem(NUMBERS)))
    first, second = study.ask(2)
    assert first.note.startswith("No policy was given: after 3 trials")
    assert "V-UCB" in first.note
    assert second.note == ""


def test_the_reason_tells_the_settings_that_were_given() -> None:
    problem = cs.Problem(NUMBERS)
    plain = default_policy(problem)
    assert "V-UCB (kappa 1.5) on a Matern fit of the logarithm of the gap" in plain.reason
    assert "V-UCB (kappa 3)" in default_policy(problem, kappa=3.0).reason
    assert "after 8 trials" in default_policy(problem, initial=8).reason
    chosen = default_policy(problem, output="evidence").reason
    assert "V-UCB (kappa 2) on a Matern fit on the scale that the data speak for." in chosen
    assert "(kappa 1)" in default_policy(problem, output="evidence", kappa=1.0).reason


@pytest.mark.parametrize(
    "problem",
    [
        cs.Problem(cs.Arms([[1.0], [2.0]])),
        cs.Problem(cs.Space(k=cs.Int(1, 9))),
        cs.Problem(cs.Space(s=cs.Categorical(SOLVENTS))),
        cs.Problem(NUMBERS, constraints=(cs.Constraint("ran", at_least=0.5),)),
    ],
)
def test_improvement_rules_where_points_come_again_or_must_be_feasible(problem: cs.Problem) -> None:
    assert default_policy(problem).name == "augmented-ei"
    assert default_policy(cs.Problem(NUMBERS)).name == "v-ucb"


def test_people_who_compare_get_the_policy_that_learns_from_them() -> None:
    problem = cs.Problem(NUMBERS, cs.Objective("preference"))
    assert isinstance(default_policy(problem), Preference)


@pytest.mark.parametrize(
    "space", [NUMBERS, cs.Space(s=cs.Categorical(SOLVENTS)), cs.Arms([[1.0], [2.0]])]
)
def test_the_default_can_be_stored(space: cs.Space | cs.Arms) -> None:
    policy = default_policy(cs.Problem(space))
    assert describe(make(describe(policy))) == describe(policy)


def test_a_policy_stored_before_is_read_as_what_it_was() -> None:
    stored = describe(Bandit(cs.acquisition.VUCB()))
    for name in ("floor", "tried", "reason", "refined"):
        del stored["settings"][name]
    del stored["settings"]["prior"]["settings"]["choice_factor"]
    assert describe(make(modern(stored))) == describe(Bandit(cs.acquisition.VUCB()))


def test_predictions_are_in_the_units_of_what_was_measured() -> None:
    study = cs.create_study(
        NUMBERS, direction="minimize", policy=default_policy(cs.Problem(NUMBERS)), seed=1
    )
    values = [{"x": x, "y": y} for x in (0.1, 0.5, 0.9) for y in (-4.0, 0.0, 4.0)]
    for point in values:
        study.tell(point, 1e4 * (point["x"] - 0.5) ** 2 + point["y"] ** 2)
    for point in values:
        believed = study.predict(point)
        assert believed is not None
        truth = 1e4 * (point["x"] - 0.5) ** 2 + point["y"] ** 2
        assert believed.mean == pytest.approx(truth, abs=50.0)


def test_failed_trials_do_not_trap_the_policy() -> None:
    """Beyond 80 degrees nothing runs, and nothing is measured: it does not go on trying there."""
    ran = [cs.Constraint("ran", at_least=0.5)]
    chosen = default_policy(cs.Problem(OVEN, constraints=tuple(ran)))
    study = cs.create_study(OVEN, constraints=ran, policy=chosen, seed=3)
    tried = []
    for _ in range(15):
        proposal = study.ask()
        t = float(proposal.values["t"])
        tried.append(t)
        if t > 80.0:
            study.tell(proposal, None, constraints={"ran": 0.0})
        else:
            study.tell(proposal, -((t - 60.0) ** 2), constraints={"ran": 1.0})
    assert sum(t > 85.0 for t in tried[5:]) <= 2
    assert min(abs(t - 60.0) for t in tried) < 2.0


def test_first_trials_spread_by_what_failed_too() -> None:
    ran = [cs.Constraint("ran", at_least=0.5)]
    policy = default_policy(cs.Problem(OVEN, constraints=tuple(ran)))
    study = cs.create_study(OVEN, constraints=ran, policy=policy, seed=0)
    tried = []
    for _ in range(6):  # nothing ever runs
        proposal = study.ask()
        tried.append(float(proposal.values["t"]))
        study.tell(proposal, None, constraints={"ran": 0.0})
    assert np.diff(np.sort(tried)).min() > 3.0


@pytest.mark.parametrize("seeds", [2, pytest.param(8, marks=pytest.mark.slow)])
def test_a_choice_does_not_trap_the_policy(seeds: int) -> None:
    """The best solvent has its optimum elsewhere; a wrong one is good at once."""
    space = cs.Space(solvent=cs.Categorical(SOLVENTS), t=cs.Float(0, 1))
    height = dict(zip(SOLVENTS, (0.4, 0.8, 0.5, 1.0, 0.6), strict=True))
    centre = dict(zip(SOLVENTS, (0.5, 0.4, 0.7, 0.85, 0.2), strict=True))

    def worth(values: dict[str, object]) -> float:
        solvent, t = str(values["solvent"]), float(str(values["t"]))
        return height[solvent] * float(np.exp(-(((t - centre[solvent]) / 0.15) ** 2)))

    gaps = []
    for seed in range(seeds):
        study = cs.create_study(space, policy=default_policy(cs.Problem(space)), seed=seed)
        seen, found = [], []
        for _ in range(30):
            proposal = study.ask()
            seen.append(str(proposal.values["solvent"]))
            found.append(worth(dict(proposal.values)))
            study.tell(proposal, found[-1])
        wrong = max(seen.count(solvent) for solvent in SOLVENTS if solvent != "water")
        assert wrong < 20
        gaps.append(1.0 - max(found))
    assert np.median(gaps) < 0.02
    assert max(gaps) < 0.25


def plateau(x: float, y: float) -> float:
    """A margin that is -1 nearly everywhere, and far above 0 in a corner."""
    return 40.0 * float(np.exp(-60.0 * (x - 0.05) ** 2 - 15.0 * (y - 0.8) ** 2)) - 1.0


def narrow(x: float, y: float) -> float:
    """Holds in a band that crosses the corner."""
    return 0.06 - abs(x - 0.25 + 0.1 * y)


def first_feasible(policy: Bandit, seed: int, trials: int) -> int:
    """The first trial that keeps both margins; one more than `trials` if none does."""
    space = cs.Space(x=cs.Float(0, 1), y=cs.Float(0, 1))
    limits = [cs.Constraint("plateau", at_least=0.0), cs.Constraint("narrow", at_least=0.0)]
    study = cs.create_study(space, constraints=limits, policy=policy, seed=seed)
    for trial in range(1, trials + 1):
        proposal = study.ask()
        x, y = proposal.values["x"], proposal.values["y"]
        margins = {"plateau": plateau(x, y), "narrow": narrow(x, y)}
        study.tell(proposal, -x, constraints=margins)
        if min(margins.values()) >= 0.0:
            return trial
    return trials + 1


@pytest.mark.slow
def test_margins_by_rank_find_what_is_feasible_sooner() -> None:
    limits = (cs.Constraint("plateau", at_least=0.0), cs.Constraint("narrow", at_least=0.0))
    policy = default_policy(cs.Problem(NUMBERS, constraints=limits))
    assert isinstance(policy, Bandit)
    assert policy.refined
    with_ranks = [first_feasible(policy, seed, 25) for seed in range(8)]
    without = [first_feasible(replace(policy, refined=False), seed, 25) for seed in range(8)]
    assert np.mean(with_ranks) < np.mean(without)


def test_the_search_starts_around_the_best_trial_that_keeps_the_constraints(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limits = (cs.Constraint("ran", at_least=0.0),)
    policy = default_policy(cs.Problem(NUMBERS, constraints=limits))
    study = cs.create_study(NUMBERS, constraints=limits, policy=policy)
    for x, value, margin in ((0.1, 5.0, -1.0), (0.5, 1.0, 2.0), (0.7, 2.0, 0.5), (0.9, 0.0, 1.0)):
        study.tell({"x": x, "y": 0.0}, value, constraints={"ran": margin})
    around = []

    def candidates(space: cs.Space, x: np.ndarray, best: int, rng: object) -> np.ndarray:
        around.append(float(x[best, 0]))
        return started(space, x, best, rng)  # type: ignore[arg-type]

    started = maximise.candidates_for
    monkeypatch.setattr(maximise, "candidates_for", candidates)
    study.ask()
    assert set(around) == {0.7}


def test_a_setting_that_a_preference_does_not_have_is_refused_with_a_sentence() -> None:
    with pytest.raises(InvalidInput, match="output"):
        cs.create_study(cs.Space(x=cs.Float(0, 1)), objective="preference", output="evidence")
