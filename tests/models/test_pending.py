"""Trials under way: the mean stays, the uncertainty is that of conditioning on them."""

import numpy as np
import pytest

from counsel.models.gp import Data, Posterior, posterior
from counsel.models.kernels import MaternProduct
from counsel.models.pending import expecting, room

RNG = np.random.default_rng(4)
X, Y = RNG.uniform(size=(21, 2)), RNG.normal(size=21)
PENDING = RNG.uniform(size=(3, 2))
EVERYWHERE = RNG.uniform(size=(40, 2))


@pytest.fixture(scope="module")
def belief() -> Posterior:
    kernel = MaternProduct(np.array([0.4, 0.7]), np.asarray(1.3))
    return posterior(kernel, np.asarray(0.02), Data.padded(X, Y, 32))


def test_the_mean_stays_and_the_uncertainty_is_that_of_having_seen_the_trials(
    belief: Posterior,
) -> None:
    mean, sd = belief.predict(EVERYWHERE)
    after = expecting(belief, PENDING)
    again, less = after.predict(EVERYWHERE)
    np.testing.assert_array_equal(again, mean)
    # A posterior's covariance does not depend on what was observed, only on where.
    seen = belief.condition(PENDING, np.zeros(3))
    np.testing.assert_allclose(less, seen.predict(EVERYWHERE)[1], rtol=1e-9)
    assert np.all(np.asarray(less) <= np.asarray(sd) + 1e-12)


def test_the_covariance_between_points_is_that_of_conditioning(belief: Posterior) -> None:
    _, ours = expecting(belief, PENDING).joint(EVERYWHERE)
    _, dense = belief.condition(PENDING, np.zeros(3)).joint(EVERYWHERE)
    np.testing.assert_allclose(ours, dense, atol=1e-10)


def test_the_trials_are_rows_of_the_data_with_the_expected_values(belief: Posterior) -> None:
    after = expecting(belief, PENDING)
    assert after.data.y.shape == belief.data.y.shape
    assert float(np.sum(after.data.mask)) == 24.0
    np.testing.assert_array_equal(after.data.x[21:24], PENDING)
    np.testing.assert_allclose(after.data.y[21:24], belief.mean(PENDING), rtol=1e-12)
    np.testing.assert_allclose(after.mean(PENDING), belief.mean(PENDING), rtol=1e-12)


def test_a_batch_needs_few_sizes() -> None:
    assert [room(count) for count in (0, 1, 4, 5, 16, 17)] == [4, 4, 4, 16, 16, 64]
