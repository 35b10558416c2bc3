"""Several fits: a grid of length-scales and noise, each with its own belief and evidence."""

import dataclasses

import jax
import numpy as np
import pytest

from counsel.models.fit import pack, shaped
from counsel.models.gp import Data, posterior
from counsel.models.kernels import Kernel, Matern, MaternProduct, Product, SquaredExponential, Sum
from counsel.models.mixture import Fits, Mixture, by_fit

RNG = np.random.default_rng(0)
X = RNG.uniform(size=(8, 2))
Y = np.sin(3.0 * X[:, 0]) + X[:, 1]
AT = RNG.uniform(size=(5, 2))
FITS = Fits(np.array([0.5, 2.0]), np.array([0.01, 0.1, 0.4]))
GRID = [(length, noise) for length in (0.5, 2.0) for noise in (0.01, 0.1, 0.4)]
KERNELS = {
    "smooth": SquaredExponential(np.ones(1)),
    "rough": Matern(np.ones(1), nu=1.5),
    "by parameter": MaternProduct(np.ones(1)),
    "sum": Sum(SquaredExponential(np.ones(1)), Matern(np.ones(1))),
    "product": Product(SquaredExponential(np.ones(1)), Matern(np.ones(1))),
}


def best_fit(like: Kernel) -> np.ndarray:
    """Anything will do."""
    return np.asarray(pack(like, np.asarray(0.02))) + 0.3


def stretched(own: Kernel, prior: Kernel, factor: float) -> Kernel:
    if isinstance(own, Sum | Product):
        assert isinstance(prior, Sum | Product)
        first = stretched(own.first, prior.first, factor)
        return type(own)(first, stretched(own.second, prior.second, factor))
    return dataclasses.replace(own, lengthscale=prior.lengthscale * factor)  # type: ignore[attr-defined,call-arg]


@pytest.mark.parametrize("name", KERNELS)
def test_every_pair_of_the_grid_is_the_belief_of_its_fit(name: str) -> None:
    """Length-scales of the prior, multiplied, and noise; the amplitude is that of the best fit."""
    like, data = shaped(KERNELS[name], (0, 1)), Data.padded(X, Y)
    found = by_fit(like, best_fit(like), data, AT, FITS)
    assert isinstance(found, Mixture)
    grown = jax.tree.map(lambda leaf: leaf * np.exp(0.3), like)
    for i, (length, noise) in enumerate(GRID):
        belief = posterior(stretched(grown, like, length), np.asarray(noise), data)
        mean, covariance = belief.joint(AT)
        np.testing.assert_allclose(found.means[i], mean, atol=1e-9)
        np.testing.assert_allclose(found.covariances[i], covariance, atol=1e-9)
        assert float(found.logs[i]) == pytest.approx(float(belief.log_evidence), abs=1e-9)


def test_the_better_a_fit_explains_the_data_the_more_it_counts() -> None:
    """Payoffs of a known length-scale and noise: their own fit has the largest evidence."""
    like = shaped(SquaredExponential(np.ones(1)), (0, 1))
    points = RNG.uniform(size=(60, 2))
    true = dataclasses.replace(like, lengthscale=like.lengthscale * 2.0)
    K = np.asarray(true.matrix(points, points)) + 0.05 * np.eye(60)
    y = np.linalg.cholesky(K) @ RNG.normal(size=60)
    fits = Fits(np.array([0.25, 2.0, 16.0]), np.array([0.05]))
    theta = np.asarray(pack(like, np.asarray(0.05)))
    found = by_fit(like, theta, Data.padded(points, y), AT, fits)
    assert int(np.argmax(found.logs)) == 1
    weights = Mixture(*(np.asarray(each) for each in found)).weights
    assert weights.sum() == pytest.approx(1.0)
    assert weights[1] > 0.99


def test_noise_that_was_reported_is_not_varied() -> None:
    like = shaped(SquaredExponential(np.ones(1)), (0, 1))
    data = Data.padded(X, Y, known=np.full(len(Y), 0.04))
    means, _, logs = by_fit(like, best_fit(like), data, AT, FITS)
    np.testing.assert_allclose(means[0], means[2], atol=1e-12)
    np.testing.assert_allclose(logs[:3], logs[0], atol=1e-12)
    assert abs(float(logs[0] - logs[3])) > 1e-3
