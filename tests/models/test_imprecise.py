"""The gap between prior means, against the set of priors itself."""

import jax.numpy as jnp
import numpy as np
import pytest

from counsel.models.gp import Data, posterior
from counsel.models.imprecise import imprecise_mean
from counsel.models.kernels import SquaredExponential


@pytest.mark.parametrize("d", [1, 3])
@pytest.mark.parametrize(("level", "c"), [(0.0, 1.0), (0.0, 50.0), (6.0, 0.5), (-6.0, 0.5)])
def test_the_gap_is_that_of_the_set_of_priors(d: int, level: float, c: float) -> None:
    """Posterior means under N(M h, (1 + M)/c) on the level, over h = +-1 and many M."""
    rng = np.random.default_rng([d, 1])
    x, y = rng.uniform(size=(9, d)), level + rng.standard_normal(9)
    kernel = SquaredExponential(np.full(d, 0.4), 0.7)
    # Units of their own, so that the level of y is what the test says.
    belief = posterior(
        kernel, jnp.asarray(0.05), Data.padded(x, y), units=(jnp.zeros(()), jnp.ones(()))
    )
    where = rng.uniform(size=(5, d))
    K = np.asarray(kernel.matrix(x, x)) + 0.05 * np.eye(9)
    cross = np.asarray(kernel.matrix(where, x))
    means = []
    for M in np.concatenate([[0.0], np.logspace(-3, 5, 100)]):
        for h in (-1.0, 1.0):
            spread = (1.0 + M) / c
            shared = K + spread
            means.append(M * h + (cross + spread) @ np.linalg.solve(shared, y - M * h))
    truth = np.max(means, axis=0) - np.min(means, axis=0)
    found = imprecise_mean(belief, jnp.asarray(c)).gap(where)
    np.testing.assert_allclose(found, truth, rtol=2e-3)


def test_no_imprecision_no_gap_and_data_close_it() -> None:
    rng = np.random.default_rng(0)
    x = rng.uniform(size=(12, 2))
    belief = posterior(
        SquaredExponential(np.full(2, 0.2)),
        jnp.asarray(1e-3),
        Data.padded(x, rng.standard_normal(12)),
    )
    assert not np.asarray(imprecise_mean(belief, jnp.asarray(0.0)).gap(x)).any()
    gap = imprecise_mean(belief, jnp.asarray(1.0)).gap
    assert np.asarray(gap(x)).max() < 0.05 * np.asarray(gap(np.full((1, 2), 30.0)))[0]
