"""Other fits: those with stretched length-scales, and how plausible they are."""

import numpy as np

from counsel.models.fit import objective, pack, shaped
from counsel.models.gp import Data
from counsel.models.kernels import Prior, SquaredExponential
from counsel.models.plausible import stretched_fits

RNG = np.random.default_rng(0)
X = RNG.uniform(size=(8, 2))
Y = np.sin(3.0 * X[:, 0]) + X[:, 1]


def test_stretched_fits_differ_in_their_lengths_alone() -> None:
    like = shaped(SquaredExponential(np.ones(1)), (0, 1))
    theta, data = np.asarray(pack(like, np.asarray(0.01))), Data.padded(X, Y)
    stretches = np.array([0.5, 1.0, 2.0])
    thetas, logs = stretched_fits(like, data, theta, Prior(), stretches)
    np.testing.assert_allclose(thetas[1], theta)
    np.testing.assert_allclose(np.exp(thetas - theta)[:, :2], np.tile(stretches, (2, 1)).T)
    np.testing.assert_allclose(thetas[:, 2:], np.tile(theta[2:], (3, 1)))
    standard = data.standardised()[0]
    losses = [float(objective(each, like, standard, Prior())) for each in thetas]
    np.testing.assert_allclose(logs, -np.array(losses), rtol=1e-6)
