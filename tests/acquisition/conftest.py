"""Beliefs and rounds for acquisitions to work on."""

from collections.abc import Callable

import jax
import numpy as np
import pytest

from counsel.acquisition import Round
from counsel.models.gp import Data, Posterior, posterior
from counsel.models.kernels import SquaredExponential

predicted = jax.jit(lambda belief, x: belief.predict(x))


@pytest.fixture(scope="session")
def believe() -> Callable[..., Posterior]:
    """Posteriors of random data in [0, 1]^d, all of one shape for each d."""

    def make(d: int, seed: int, n: int = 8, length: float = 0.3, unit: float = 1.0) -> Posterior:
        rng = np.random.default_rng([d, seed])
        data = Data.padded(rng.uniform(size=(n, d)), unit * rng.standard_normal(n))
        kernel = SquaredExponential(np.full(d, length))
        return posterior(kernel, np.asarray(1e-3), data)

    return make


@pytest.fixture(scope="session")
def predict() -> Callable[[Posterior, np.ndarray], tuple[np.ndarray, np.ndarray]]:
    def at(belief: Posterior, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        mean, sd = predicted(belief, x)
        return np.asarray(mean), np.asarray(sd)

    return at


@pytest.fixture(scope="session")
def a_round() -> Callable[..., Round]:
    def make(
        sample: np.ndarray, *, seed: int = 0, t: int = 1, size: float = 100.0, finite: bool = True
    ) -> Round:
        return Round(seed, t, size, sample, chosen=sample.shape[1], finite=finite)

    return make
