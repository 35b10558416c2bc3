"""What reasons rest on: other plausible fits, and trials left out in turn."""

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import counsel as cs
from counsel.explain.grounds import gain
from counsel.facts.wanted import STILL_WANTED
from counsel.models.gp import Data
from counsel.models.kernels import Prior, SquaredExponential
from counsel.models.plausible import plausible_fits
from counsel.study import grounding
from explain.oracle import Plain

UNIT = cs.Space(a=cs.Float(0, 1), b=cs.Float(0, 1))


def told(points: list[tuple[float, float]], actors: list[str], policy: str) -> cs.Study:
    study = cs.create_study(UNIT, objective="yield", policy=policy, seed=1)
    for (a, b), actor in zip(points, actors, strict=True):
        study.tell({"a": a, "b": b}, math.sin(3.0 * a) + 0.2 * b, actor=actor)
    return study


@pytest.fixture(scope="module")
def study() -> cs.Study:
    rng = np.random.default_rng(0)
    points = [tuple(each) for each in rng.uniform(size=(9, 2)).round(2).tolist()]
    return told(points, ["ann"] * 6 + ["ben"] * 3, "v-ucb")


def test_influence_is_what_leaving_a_trial_out_changes(study: cs.Study) -> None:
    """Against a Gaussian process in NumPy with the same hyper-parameters and one trial fewer."""
    proposal = study.ask()
    found = study.grounds(proposal)
    belief = study.explaining.score_of(proposal).posterior  # type: ignore[attr-defined]
    x = np.array([[o.values["a"], o.values["b"]] for o in study.observations])
    y = np.array([o.outcomes["yield"] for o in study.observations])
    from counsel.explain.background import background_for

    against = background_for(UNIT).points[:128]
    here = UNIT.encode(proposal.values)[None, :]

    def rated(kept: np.ndarray) -> float:
        plain = Plain(belief.kernel, float(belief.noise), x[kept], y[kept])
        value = [plain.mean(at) + 2.0 * plain.sd(at) for at in (here, against)]
        return float(value[0][0] - value[1].mean())

    everything = np.ones(9, dtype=bool)
    assert found.gain == pytest.approx(rated(everything), rel=1e-6)
    change = {each.observation: each.change for each in found.trials}
    assert len(change) == 9
    for i, observation in enumerate(study.observations):
        expected = rated(everything) - rated(np.arange(9) != i)
        assert change[observation.id] == pytest.approx(expected, rel=1e-5, abs=1e-8)
    sizes = [abs(each.change) for each in found.trials]
    assert sizes == sorted(sizes, reverse=True)
    people = {each.actor: (each.trials, each.change) for each in found.people}
    assert {actor: count for actor, (count, _) in people.items()} == {"ann": 6, "ben": 3}
    without = rated(everything) - rated(np.arange(9) < 6)
    assert people["ben"][1] == pytest.approx(without, rel=1e-5)
    first = max(found.trials, key=lambda each: each.change)
    most = f"Of all trials, {first.observation} speaks most for it."
    assert most in found.sentence()
    assert found.note == ""


def test_failed_trials_drive_a_proposal_too() -> None:
    """The hot ones failed: without them, the proposal would be hotter."""
    study = cs.create_study(cs.Space(heat=cs.Float(0, 100)), policy="v-ucb", seed=0)
    for heat in (5.0, 20.0, 35.0, 50.0, 58.0):
        study.tell({"heat": heat}, heat, actor="ann" if heat > 30.0 else "cem")
    assert study.grounds(study.ask()).note == ""
    for heat in (62.0, 70.0, 80.0, 90.0):
        study.fail({"heat": heat}, actor="ben")
    proposal = study.ask()
    assert float(str(proposal.values["heat"])) < 62.0
    found = study.grounds(proposal)
    failed = {failure.id for failure in study.failures}
    change = {each.observation: each.change for each in found.trials}
    assert failed <= change.keys()
    assert max(change[each] for each in failed) > 0.0
    people = {each.actor: each for each in found.people}
    assert {actor: each.trials for actor, each in people.items()} == {"ann": 3, "ben": 4, "cem": 2}
    # Together they do more than any of them alone: whoever reported them is why it is not hotter.
    assert people["ben"].change > max(change[each] for each in failed)
    assert "Of all people, ben's trials do." in found.sentence()


def test_a_reason_says_in_how_many_fits_it_holds(study: cs.Study) -> None:
    proposal = study.pending[-1] if study.pending else study.ask()
    found = study.grounds(proposal)
    assert found.fits == 10
    assert 0 <= found.holds <= 10
    assert f"holds in {found.holds} of 10 plausible fits" in found.sentence()
    assert found.reason.split(" ", 1)[1] in study.explain(proposal).sentence()
    assert found.holds >= 8  # sin(3 a) is seen nine times, without noise
    assert study.grounds(proposal).holds == found.holds  # the draws are those of the round


def test_others_write_while_grounds_are_looked_for(
    study: cs.Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    proposal = study.pending[-1] if study.pending else study.ask()
    before, find = study.grounds(proposal), grounding._trials

    def writing(*arguments: Any) -> Any:
        with ThreadPoolExecutor(1) as other:
            other.submit(study.comment, proposal.id, "Why?").result(60)
        return find(*arguments)

    monkeypatch.setattr(grounding, "_trials", writing)
    assert study.grounds(proposal) == before
    assert [each.text for each in study.comments] == ["Why?"]


def test_grounds_that_nobody_wants_any_more_are_given_up(study: cs.Study) -> None:
    proposal = study.pending[-1] if study.pending else study.ask()
    before, steps = study.grounds(proposal), 0

    def third() -> None:
        nonlocal steps
        steps += 1
        if steps == 3:
            raise TimeoutError

    token = STILL_WANTED.set(third)
    try:
        with pytest.raises(TimeoutError):
            study.grounds(proposal)
    finally:
        STILL_WANTED.reset(token)
    assert study.grounds(proposal) == before


def test_first_trials_have_no_grounds_and_some_policies_no_fits() -> None:
    study = cs.create_study(UNIT, policy="v-ucb", seed=1)
    first = study.ask()
    with pytest.raises(cs.NothingToExplain, match="No model"):
        study.grounds(first)
    arms = cs.Arms([[i / 4.0] for i in range(5)], names=["a"])
    learner = cs.create_study(
        arms, constraints=[cs.Constraint("calm", at_least=0.0)], policy="dmcl", seed=1
    )
    for i in range(3):
        learner.tell(arms[i], float(i), constraints={"calm": 0.5 - 0.2 * i})
    found = learner.grounds(learner.ask())
    assert (found.fits, found.trials) == (0, ())
    assert "no other fits" in found.note


def test_a_gain_is_a_difference_or_a_ratio() -> None:
    here, average = {"mean": 2.0, "chance": 0.8}, {"mean": 0.5, "chance": 0.2}
    assert gain(here, average, {"mean": 0.0, "chance": 3.0}) == pytest.approx(
        1.5 + 3.0 * math.log(4.0)
    )
    assert gain({"ei": 1e-200}, {"ei": 1.0}, {"ei": 1.0}) == pytest.approx(-math.log(1e6))
    assert gain({"ei": 1.0}, {"ei": 0.0}, {"ei": 1.0}) == pytest.approx(math.log(1e6))


@pytest.mark.slow
def test_draws_of_hyper_parameters_have_the_posteriors_moments() -> None:
    """Against a fine grid: two length-scales known and one noise, so three numbers."""
    rng = np.random.default_rng(3)
    x = rng.uniform(size=(12, 1))
    data = Data.padded(x, np.sin(5.0 * x[:, 0]) + 0.1 * rng.standard_normal(12))
    like, prior = SquaredExponential(np.array([0.5])), Prior()
    from counsel.models.fit import fit, guesses_for, objective

    fitted = fit(like, data, guesses_for(like, (), rng), 4, prior, compact=True)
    theta = np.asarray(fitted.theta)
    drawn = plausible_fits(like, data, theta, prior, 200, rng)
    standard, _, _ = data.standardised()
    axes = [np.linspace(t - 2.5, t + 2.5, 25) for t in theta]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    import jax

    losses = np.asarray(
        jax.vmap(lambda row: objective(row, like, standard, prior))(grid)  # type: ignore[arg-type]
    )
    weights = np.exp(losses.min() - losses)
    weights /= weights.sum()
    mean = weights @ grid
    sd = np.sqrt(weights @ (grid - mean) ** 2)
    # Half of a posterior sd: 200 draws of 256 points, whose weights differ.
    np.testing.assert_array_less(np.abs(drawn.mean(axis=0) - mean), 0.5 * sd)
    np.testing.assert_array_less(np.abs(np.log(drawn.std(axis=0) / sd)), np.log(1.6))
