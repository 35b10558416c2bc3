"""Many observations through a few: exact where all are inducing, close where few are."""

import numpy as np
import pytest

from counsel.models.fit import pack, posterior_at, units_of
from counsel.models.gp import Data, Posterior
from counsel.models.kernels import MaternProduct
from counsel.models.sparse import inducing_rows, padded_rows, sparse_posterior

RNG = np.random.default_rng(7)
SCALES = np.array([0.5, 0.8])
KERNEL = MaternProduct(SCALES, np.asarray(1.2))
THETA = np.asarray(pack(KERNEL, np.asarray(0.03)))
X = RNG.uniform(size=(600, 2))
Y = 5.0 + 2.0 * np.sin(5.0 * X[:, 0]) * X[:, 1] + 0.2 * RNG.normal(size=600)
EVERYWHERE = RNG.uniform(size=(200, 2))


def through(m: int, count: int = 600) -> Posterior:
    x, y = np.zeros((padded_rows(count), 2)), np.zeros(padded_rows(count))
    x[:count], y[:count] = X[:count], Y[:count]
    rows = inducing_rows(X[:count], Y[:count], SCALES, m)
    units = units_of(Data.padded(X[:count], Y[:count]))
    few = Data.padded(X[rows], Y[rows])
    return sparse_posterior(KERNEL, THETA, few, x, y, np.asarray(count), units)


@pytest.fixture(scope="module")
def exact() -> Posterior:
    return posterior_at(KERNEL, THETA, Data.padded(X, Y))


def errors(belief: Posterior, exact: Posterior) -> tuple[float, float]:
    """The largest error of the mean in posterior sds, and of the sd as a share."""
    (mean, sd), (true_mean, true_sd) = belief.predict(EVERYWHERE), exact.predict(EVERYWHERE)
    off = np.abs(np.asarray(mean) - np.asarray(true_mean)) / np.asarray(true_sd)
    return float(off.max()), float(np.abs(np.asarray(sd) / np.asarray(true_sd) - 1.0).max())


def test_with_every_observation_inducing_it_is_the_exact_posterior() -> None:
    ours = through(100, count=100)
    exact = posterior_at(KERNEL, THETA, Data.padded(X[:100], Y[:100]))
    mean, sd = errors(ours, exact)
    # K_uu carries a ridge of 1e-8 of the amplitude: like that much noise more in each observation.
    limit = 100 * 1e-8 * 1.2 / 0.03
    assert mean < limit
    assert sd < limit
    assert float(ours.log_evidence) == pytest.approx(float(exact.log_evidence), abs=1e-3)
    assert float(ours.trend) == pytest.approx(float(exact.trend), abs=1e-6)


def test_a_fraction_of_the_observations_comes_close_and_more_come_closer(exact: Posterior) -> None:
    few, more = errors(through(60), exact), errors(through(240), exact)
    assert few[0] < 0.5
    assert few[1] < 0.2
    assert more[0] < few[0]
    assert more[1] < few[1]


def test_its_root_is_triangular_as_everyone_expects() -> None:
    root = np.asarray(through(100).root)
    np.testing.assert_array_equal(root, np.tril(root))


def test_inducing_rows_hold_the_best_and_are_spread_out() -> None:
    rows = inducing_rows(X, Y, SCALES, 80)
    assert len(set(rows.tolist())) == 80
    assert set(np.argsort(-Y)[:20].tolist()) <= set(rows.tolist())
    gaps = np.linalg.norm((X[:, None] - X[rows][None]) / SCALES, axis=2).min(axis=1)
    at_random = RNG.choice(600, size=80, replace=False)
    random_gaps = np.linalg.norm((X[:, None] - X[at_random][None]) / SCALES, axis=2).min(axis=1)
    assert gaps.max() < random_gaps.max()


def test_repeated_points_are_no_obstacle() -> None:
    x = np.repeat(X[:5], 40, axis=0)
    rows = inducing_rows(x, Y[:200], SCALES, 30)
    assert len(set(rows.tolist())) == 30
    units = units_of(Data.padded(x, Y[:200]))
    padded, values = np.zeros((padded_rows(200), 2)), np.zeros(padded_rows(200))
    padded[:200], values[:200] = x, Y[:200]
    few = Data.padded(x[rows], Y[:200][rows])
    mean, sd = sparse_posterior(KERNEL, THETA, few, padded, values, np.asarray(200), units).predict(
        EVERYWHERE
    )
    assert np.isfinite(np.asarray(mean)).all()
    assert np.isfinite(np.asarray(sd)).all()
