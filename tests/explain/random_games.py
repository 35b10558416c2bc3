"""Games on random Gaussian processes, and Shapley values straight from their definition."""

import itertools
import math
from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax.numpy as jnp
import numpy as np

from counsel.acquisition.terms import Terms, total
from counsel.acquisition.upper_confidence import Bound
from counsel.explain.game import Game
from counsel.models.gp import Data, Posterior, posterior
from counsel.models.kernels import SquaredExponential

POINTS = 20


def belief_of(
    p: int, seed: int, lengths: np.ndarray | None = None, swap: list[int] | None = None
) -> Posterior:
    """Random data; with `swap`, data that stay the same when columns are swapped so."""
    rng = np.random.default_rng([p, seed, 0])
    x = rng.uniform(size=(12, p))
    y = np.sin(3.0 * x.sum(axis=1)) + 3.0 * (x**2).sum(axis=1) + 0.1 * rng.standard_normal(len(x))
    lengths = rng.uniform(0.3, 0.8, p) if lengths is None else lengths
    if swap is not None:
        x, y = np.concatenate([x[:6], x[:6, swap]]), np.tile(y[:6], 2)
    return posterior(SquaredExponential(lengths), jnp.asarray(1e-2), Data.padded(x, y))


def game_of(p: int, seed: int = 0, **changes: Any) -> Game:
    """A confidence bound at a random point, against random points."""
    rng = np.random.default_rng([p, seed, 1])
    score = Bound(changes.pop("belief", None) or belief_of(p, seed), jnp.asarray(2.0))
    point = changes.pop("point", rng.uniform(size=p))
    background = changes.pop("background", rng.uniform(size=(POINTS, p)))
    return Game(changes.pop("score", score), point, background, tuple(range(p)), p)


class Summed(eqx.Module):
    """The terms of another score as one."""

    inner: Bound
    whole: bool = eqx.field(static=True, default=False)

    def terms(self, x: Any) -> Terms:
        return {"sum": total(self.inner.terms(x))}


def dense(belief: Posterior, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Posterior mean and sd by the textbook formula, in NumPy."""
    real = np.asarray(belief.data.mask) > 0.5
    X, lengths = np.asarray(belief.data.x)[real], np.asarray(belief.kernel.lengthscale)  # type: ignore[attr-defined]
    variance = float(belief.kernel.amplitude())
    offset, scale, trend = float(belief.offset), float(belief.scale), float(belief.trend)
    y = (np.asarray(belief.data.y)[real] - offset) / scale - trend

    def k(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return variance * np.exp(-0.5 * (((a[:, None] - b[None]) / lengths) ** 2).sum(axis=2))

    K = k(X, X) + float(belief.noise) * np.eye(len(X))
    cross = k(x, X)
    mean = trend + cross @ np.linalg.solve(K, y)
    left = variance - np.einsum("ij,ji->i", cross, np.linalg.solve(K, cross.T))
    return offset + scale * mean, scale * np.sqrt(left)


def brute_force(value: Callable[[np.ndarray], np.ndarray], game: Game) -> np.ndarray:
    """phi_j = sum over S of |S|! (p - |S| - 1)! / p! (v(S + j) - v(S)), set by set."""
    p, z = game.players, np.asarray(game.background)
    owner = np.asarray(game.owner)

    def worth(members: frozenset[int]) -> float:
        mixed = z.copy()
        kept = np.isin(owner, list(members))
        mixed[:, kept] = np.asarray(game.point)[kept]
        return float(value(mixed).mean())

    sets = [frozenset(s) for r in range(p + 1) for s in itertools.combinations(range(p), r)]
    v = {s: worth(s) for s in sets}
    phi = np.zeros(p)
    for j in range(p):
        for s in sets:
            if j not in s:
                share = math.factorial(len(s)) * math.factorial(p - len(s) - 1)
                phi[j] += share / math.factorial(p) * (v[s | {j}] - v[s])
    return phi
