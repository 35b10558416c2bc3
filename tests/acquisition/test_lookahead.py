"""Knowledge gradient and max-value entropy against NumPy and SciPy."""

from collections.abc import Callable

import jax
import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import norm

from counsel.acquisition import Acquisition, Round
from counsel.acquisition.lookahead import KnowledgeGradient, MaxValueEntropy
from counsel.models.gp import Posterior

SPACE = np.random.default_rng(3).uniform(size=(40, 2))
HERE = np.random.default_rng(4).uniform(size=(6, 2))
NOISE = 1e-3

values = jax.jit(lambda acquisition, belief, round, x: acquisition.score(belief, round).terms(x))


def scored(acquisition: Acquisition, belief: Posterior, round: Round, x: np.ndarray) -> np.ndarray:
    (found,) = values(acquisition, belief, round, x).values()
    return np.asarray(found)


def moments(belief: Posterior, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and covariance of the noise-free function at x, by the textbook."""
    real = np.asarray(belief.data.mask) > 0.5
    seen, y = np.asarray(belief.data.x)[real], np.asarray(belief.data.y)[real]

    def kernel(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return np.asarray(belief.kernel.matrix(a, b))

    K = kernel(seen, seen) + float(belief.noise + belief.jitter) * np.eye(len(seen))
    offset, scale, trend = (float(each) for each in (belief.offset, belief.scale, belief.trend))
    residual = (y - offset) / scale - trend
    cross = kernel(x, seen)
    mean = trend + cross @ np.linalg.solve(K, residual)
    covariance = kernel(x, x) - cross @ np.linalg.solve(K, cross.T)
    return offset + scale * mean, scale**2 * covariance


@pytest.mark.parametrize("seed", range(3))
def test_the_knowledge_gradient_is_the_expected_rise_of_the_best_mean(
    seed: int, believe: Callable[..., Posterior], a_round: Callable[..., Round]
) -> None:
    belief = believe(2, seed)
    found = scored(KnowledgeGradient(), belief, a_round(SPACE), HERE)
    mean, covariance = moments(belief, np.concatenate([SPACE, HERE]))
    z = np.linspace(-9.0, 9.0, 20_001)
    noise = float(belief.scale) ** 2 * NOISE
    for i, value in enumerate(found, len(SPACE)):
        rows = [*range(len(SPACE)), i]
        moves = covariance[rows, i] / np.sqrt(covariance[i, i] + noise)
        best = (mean[rows, None] + moves[:, None] * z).max(axis=0)
        exact = np.trapezoid(best * norm.pdf(z), z) - mean[rows].max()
        # A chord lies above what is convex; what turns beyond 4 sds counts for nothing.
        assert exact - 1e-3 * found.max() <= value <= exact + 0.02 * found.max()


@pytest.mark.parametrize("seed", range(3))
def test_max_value_entropy_is_its_formula(
    seed: int, believe: Callable[..., Posterior], a_round: Callable[..., Round]
) -> None:
    belief = believe(2, seed)
    found = scored(MaxValueEntropy(draws=5), belief, a_round(SPACE), HERE)
    mean, covariance = moments(belief, SPACE)
    sd = np.sqrt(np.diagonal(covariance))

    def quantile(share: float) -> float:
        def excess(y: float) -> float:
            return float(norm.logcdf((y - mean) / sd).sum() - np.log(share))

        return float(brentq(excess, (mean - 5 * sd).max(), mean.max() + 8 * sd.max()))

    quarter, half, three = map(quantile, (0.25, 0.5, 0.75))
    width = (three - quarter) / (np.log(np.log(4.0)) - np.log(np.log(4.0 / 3.0)))
    shares = (np.arange(5) + 0.5) / 5
    maxima = half + width * np.log(np.log(2.0)) - width * np.log(-np.log(shares))
    real = np.asarray(belief.data.mask) > 0.5
    maxima = np.maximum(maxima, moments(belief, np.asarray(belief.data.x)[real])[0].max())
    mean, covariance = moments(belief, HERE)
    gamma = (maxima[:, None] - mean) / np.sqrt(np.diagonal(covariance))
    exact = gamma * norm.pdf(gamma) / (2 * norm.cdf(gamma)) - norm.logcdf(gamma)
    np.testing.assert_allclose(found, exact.mean(axis=0), rtol=1e-6, atol=1e-15)


def test_nothing_is_learned_where_everything_is_known(
    believe: Callable[..., Posterior], a_round: Callable[..., Round]
) -> None:
    belief = believe(2, 0)
    known = np.asarray(belief.data.x)[:6]
    for acquisition in (KnowledgeGradient(), MaxValueEntropy()):
        there = scored(acquisition, belief, a_round(SPACE), known)
        elsewhere = scored(acquisition, belief, a_round(SPACE), HERE)
        assert there.max() < elsewhere.max()
