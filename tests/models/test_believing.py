"""Hyper-parameters averaged over, beside quadrature over all of them."""

from itertools import product

import numpy as np
import pytest

from counsel.models import believing
from counsel.models.believing import believe
from counsel.models.outcomes import Answers, Prior, numbers

_POINTS = np.linspace(0.0, 1.0, 7)[:, None]


def answers(kind: str, noise: float, seed: int) -> Answers:
    """Three each at five points."""
    rng = np.random.default_rng(seed)
    x = np.repeat(rng.uniform(size=(5, 1)), 3, axis=0)
    y = 0.5 * np.sin(4.0 * x[:, 0] + seed) + noise * rng.standard_normal(15)
    if kind == "numbers":
        return numbers(x, y / np.sqrt((y**2).mean()))
    none, yes = np.zeros(15), y >= 0.0
    return Answers(
        x, none, none + 1.0, none, np.where(yes, 0.0, -np.inf), np.where(yes, np.inf, 0.0)
    )


def by_quadrature(given: Answers, prior: Prior, steps: int) -> tuple[float, np.ndarray]:
    """Log evidence, and the chance at points, over a grid of all three hyper-parameters."""
    unknown = believing._Unknown.of(given, prior)
    nodes, step = np.linspace(-4.5, 6.0, steps, retstep=True)
    z = np.array(list(product(nodes, repeat=3)))
    logs, chances = [], []
    for part in np.array_split(z, 40):
        # Everything has the same density here: each setting is weighed by evidence x prior.
        belief = unknown.believed(part, 0.5 * (part**2).sum(axis=1))
        logs.append(belief.evidence + np.log(len(part)))
        chances.append(belief.at(_POINTS).chance())
    shares = np.exp(np.array(logs) - max(logs))
    evidence = max(logs) + np.log(shares.sum()) + 3.0 * np.log(step / np.sqrt(2.0 * np.pi))
    return float(evidence), shares / shares.sum() @ np.array(chances)


@pytest.mark.parametrize(("kind", "noise"), [("numbers", 0.05), ("numbers", 0.8), ("yes", 0.3)])
def test_evidence_and_chances_are_those_of_quadrature(kind: str, noise: float) -> None:
    """With little noise, with noise larger than the margins, and with yes and no."""
    for seed in range(2 if kind == "numbers" else 1):
        given, prior = answers(kind, noise, seed), Prior()
        evidence, chance = by_quadrature(given, prior, 29 if kind == "numbers" else 13)
        few, many = believe(given, prior), believe(given, prior, 256)
        assert few.evidence == pytest.approx(evidence, abs=0.1)
        assert many.evidence == pytest.approx(evidence, abs=0.05)
        assert few.at(_POINTS).chance() == pytest.approx(chance, abs=0.05)
        assert many.at(_POINTS).chance() == pytest.approx(chance, abs=0.01)
        assert 1.0 / (few.weight**2).sum() > 16.0  # of 32 settings


@pytest.mark.parametrize("seed", range(3))
def test_a_sample_of_the_prior_misses_noise_that_is_large(seed: int) -> None:
    """Which is what studies from before there was a choice go on with."""
    rng = np.random.default_rng(seed)
    x = np.repeat(rng.uniform(size=(10, 4)), 4, axis=0)
    y = 0.3 * x[:, 0] + rng.standard_normal(40)
    given = numbers(x, y / np.sqrt((y**2).mean()))
    before, now, many = (
        believe(given, Prior(), count, centred=centred)
        for count, centred in ((32, False), (32, True), (1024, True))
    )
    assert now.evidence == pytest.approx(many.evidence, abs=0.3)
    assert now.at(x).chance() == pytest.approx(many.at(x).chance(), abs=0.05)
    assert before.evidence < many.evidence - 5.0


@pytest.mark.parametrize(("kind", "off"), [("numbers", 1e-6), ("yes", 0.02)])
def test_the_search_for_the_best_setting_knows_its_slope(kind: str, off: float) -> None:
    """Of yes and no nearly: expectation propagation ends after so many sweeps."""
    rng = np.random.default_rng(0)
    given = answers(kind, 0.2, 1)
    given = Answers(
        given.x,
        given.y,
        given.count,
        given.spread,
        given.low,
        given.high,
        person=rng.integers(0, 2, len(given)),
        time=rng.uniform(0.0, 30.0, len(given)),
    )
    unknown = believing._Unknown.of(given, Prior())
    z, by = 0.5 * rng.standard_normal((2, 5)), 1e-4 * np.eye(5)
    for one in z:
        ahead, behind = (unknown.climb(one + sign * by)[0] for sign in (1.0, -1.0))
        found = unknown.climb(one[None])[1][0]
        assert found == pytest.approx((ahead - behind) / 2e-4, abs=off)
