"""What is expected of one measurement: the belief about the payoff, and the noise of repeats."""

import numpy as np
import pytest

import counsel as cs
from counsel.facts.records import PastTrial

NOISE = 0.5
SPACE = cs.Space(x=cs.Float(0.0, 1.0))


def measured(rng: np.random.Generator, count: int) -> list[tuple[float, float]]:
    x = rng.uniform(size=count)
    y = np.sin(6.0 * x) + NOISE * rng.standard_normal(count)
    return list(zip(x.tolist(), y.tolist(), strict=True))


def held(policy: str | None, *, noise: bool) -> float:
    """The share of new measurements within their 95% intervals."""
    rng = np.random.default_rng(3)
    study = cs.create_study(SPACE, policy=policy, seed=0)
    study.tell_many(PastTrial({"x": x}, {"objective": y}) for x, y in measured(rng, 80))
    fresh = measured(rng, 400)
    found = study.predict_many([{"x": x} for x, _ in fresh], noise=noise)
    assert found is not None
    ends = [each.interval() for each in found]
    inside = [low <= y <= high for (low, high), (_, y) in zip(ends, fresh, strict=True)]
    return float(np.mean(inside))


@pytest.mark.parametrize("policy", ["v-ucb", "risk-averse"])
def test_intervals_of_measurements_hold_measurements(policy: str) -> None:
    """Those of the payoff, which has no noise, hold far fewer."""
    assert held(policy, noise=False) < 0.7
    assert 0.9 < held(policy, noise=True) < 0.99


def test_intervals_that_are_told_wider_hold_them_too() -> None:
    """The default, which has made no forecast here, tells more than it believes."""
    assert held(None, noise=True) > 0.95


def test_only_the_interval_differs() -> None:
    study = cs.create_study(SPACE, direction="minimize", seed=0)
    rng = np.random.default_rng(1)
    study.tell_many(PastTrial({"x": x}, {"objective": y}) for x, y in measured(rng, 20))
    payoff, trial = study.predict({"x": 0.3}), study.predict({"x": 0.3}, noise=True)
    assert payoff is not None
    assert trial is not None
    assert trial.mean == payoff.mean
    assert trial.sd > payoff.sd


def test_a_learner_of_constraints_knows_the_noise_of_payoffs() -> None:
    rng = np.random.default_rng(5)
    arms = cs.Arms([{"x": float(x)} for x in np.linspace(0.0, 1.0, 11)])
    for policy in ("dmcl", "mcl"):
        study = cs.create_study(
            arms, constraints=[cs.Constraint("safe", at_least=0.0)], policy=policy, seed=0
        )
        for row in [*range(11)] * 3:
            x = float(arms[row]["x"])
            value = float(np.sin(6.0 * x) + NOISE * rng.standard_normal())
            study.tell(arms[row], value, constraints={"safe": 1.0 - x})
        payoff, trial = study.predict(arms[5]), study.predict(arms[5], noise=True)
        assert payoff is not None
        assert trial is not None
        noise = (trial.sd**2 - payoff.sd**2) ** 0.5
        assert 0.5 * NOISE < noise < 2.0 * NOISE, policy
