"""The challenger: expected utility of the better of two, by sampling and at its limits."""

import jax
import jax.numpy as jnp
import numpy as np

from counsel.acquisition import Challenger, Round, total
from counsel.models import gp
from counsel.models.kernels import SquaredExponential

RNG = np.random.default_rng(2)
X = RNG.uniform(size=(6, 2))
Y = 3.0 + np.sin(5.0 * X[:, 0]) + X[:, 1]
BELIEF = gp.posterior(
    SquaredExponential(np.array([0.3, 0.5])), jnp.asarray(0.01), gp.Data.padded(X, Y)
)
TEST = RNG.uniform(size=(9, 2))
RIVAL = np.array([0.2, 0.8])
ROUND = Round(0, 1, 100.0, TEST, chosen=2, finite=False)


def score(x: np.ndarray) -> np.ndarray:
    return np.asarray(total(Challenger(RIVAL).score(BELIEF, ROUND).terms(jnp.asarray(x))))


def test_being_ahead_is_the_joint_difference() -> None:
    mean, sd = BELIEF.ahead(TEST, RIVAL[None, :])
    both_mean, both = BELIEF.joint(np.concatenate([TEST, RIVAL[None, :]]))
    variance = jnp.diagonal(both)[:-1] + both[-1, -1] - 2.0 * both[:-1, -1]
    np.testing.assert_allclose(mean, both_mean[:-1] - both_mean[-1], atol=1e-12)
    np.testing.assert_allclose(sd, jnp.sqrt(variance), atol=1e-9)


def test_the_better_of_two_by_sampling() -> None:
    both_mean, both = BELIEF.joint(np.concatenate([TEST, RIVAL[None, :]]))
    rng = np.random.default_rng(0)
    lower = np.linalg.cholesky(np.asarray(both) + 1e-10 * np.eye(10))
    f = np.asarray(both_mean) + rng.standard_normal((400_000, 10)) @ lower.T
    best = np.maximum(f[:, :-1], f[:, -1:]).mean(axis=0) - f[:, -1].mean()
    np.testing.assert_allclose(np.exp(score(TEST)), best, atol=5e-3)


def test_slopes_are_finite_even_at_the_rival() -> None:
    def value(x: jax.Array) -> jax.Array:
        return total(Challenger(RIVAL).score(BELIEF, ROUND).terms(x[None, :]))[0]

    for point in (*TEST[:2], RIVAL, X[0]):
        assert np.isfinite(jax.grad(value)(jnp.asarray(point))).all()
