"""Outcomes drawn from a known model of several outputs.

The truth is a draw from the intrinsic coregionalisation model of `models.multitask`, so coverage,
the use of correlations and the cost of wrong assumptions can be measured.
"""

from typing import NamedTuple

import numpy as np

from counsel.errors import InvalidInput
from counsel.facts.checks import check_whole
from counsel.models.multitask import Coregion
from counsel.space import Arms
from counsel.worlds.constrained import ConstrainedWorld
from counsel.worlds.registry import worlds

__all__ = ["Correlated", "correlated", "correlated_world"]


class Correlated(NamedTuple):
    """A world, and the model that it was drawn from."""

    world: ConstrainedWorld
    model: Coregion


def correlated(
    seed: int = 0,
    arms: int = 20,
    constraints: int = 8,
    rank: int = 1,
    own: float = 0.02,
    noise: float = 0.05,
    lengthscale: float = 0.4,
) -> Correlated:
    """`constraints` margins and an objective over random points of a square, of low rank.

    B = W W' + own I, scaled to a unit diagonal. Drawn until two arms or more are safe, two or more
    are not, and one that is not safe pays more than the best that is.
    """
    check_whole("arms", arms, least=5)
    check_whole("constraints", constraints, least=1)
    check_whole("rank", rank, least=0)
    rng = np.random.default_rng([seed, 31])
    outputs = 1 + constraints
    for _ in range(1000):
        points = rng.uniform(size=(arms, 2))
        mixing = rng.standard_normal((outputs, rank))
        # Preferences of one person tend to agree with each other, less so with the payoff.
        mixing[1:, :1] = np.abs(mixing[1:, :1]) + 0.3
        size = np.sqrt((mixing**2).sum(axis=1) + own)[:, None]
        model = Coregion(
            mixing / size,
            own / size[:, 0] ** 2,
            np.full(outputs, max(noise, 1e-4) ** 2),
            np.full(2, lengthscale),
            np.zeros(0),
        )
        between = model.mixing @ model.mixing.T + np.diag(model.own)
        K = _matern(points, lengthscale) + 1e-10 * np.eye(arms)
        white = rng.standard_normal((outputs, arms))
        root = np.linalg.cholesky(between + 1e-12 * np.eye(outputs))
        payoffs = root @ white @ np.linalg.cholesky(K).T
        safe = (payoffs[1:] >= 0.1).all(axis=0)
        unsafe = (payoffs[1:] < 0.0).any(axis=0)
        if safe.sum() < 2 or unsafe.sum() < 2 or (safe | unsafe).sum() < arms:
            continue
        best = np.where(safe, payoffs[0], -np.inf)
        if payoffs[0][unsafe].max() <= best.max():
            continue
        start = int(np.argmin(np.where(safe, payoffs[0], np.inf)))
        names = tuple(f"c{i}" for i in range(1, outputs))
        name = f"correlated-{constraints}-{rank}-{seed}"
        world = ConstrainedWorld(name, Arms(points), payoffs, names, noise, start)
        return Correlated(world, model)
    raise InvalidInput("constraints", constraints, "No such instance was found; ask for fewer.")


@worlds.register(
    "correlated",
    title="Correlated preferences",
    sentence="An objective and margins drawn from a model in which they are correlated.",
    constrained=True,
)
def correlated_world(
    seed: int = 0, arms: int = 20, constraints: int = 8, rank: int = 1, noise: float = 0.05
) -> ConstrainedWorld:
    """The world of `correlated` alone."""
    return correlated(seed, arms, constraints, rank, noise=noise).world


def _matern(points: np.ndarray, lengthscale: float) -> np.ndarray:
    gaps = np.linalg.norm(points[:, None, :] - points[None, :, :], axis=2)
    r = np.sqrt(5.0) * gaps / lengthscale
    matrix: np.ndarray = (1.0 + r + r**2 / 3.0) * np.exp(-r)
    return matrix
