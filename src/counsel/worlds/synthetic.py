"""The LW-UCB paper's synthetic functions (18)-(20), over a grid of arms on the unit square.

Each is a sum over coordinates i = 1, 2 and is maximised. The paper pulls them with
`standardised(...)` payoffs. The first coordinate varies fastest along the list of arms.
"""

from collections.abc import Callable

import numpy as np

from counsel.errors import InvalidInput
from counsel.space import Arms
from counsel.worlds.registry import worlds
from counsel.worlds.world import Points, Values, World, over_arms

__all__ = ["cosine", "grid_points", "michalewicz", "modified_michalewicz"]

NOISE = 1e-4


@worlds.register(
    "cosine", title="Cosine mixture", sentence="A broad hill with ripples over a grid of arms."
)
def cosine(grid: int = 50) -> World:
    """Cosine mixture (18): 1 - sum_i (u_i^2 - 0.3 cos(3 pi u_i)) with u = 1.6 x - 0.5."""
    return _over_grid("cosine", _cosine, grid)


@worlds.register(
    "michalewicz",
    title="Michalewicz",
    sentence="Two ridges that cross, and hardly any slope to lead there.",
)
def michalewicz(grid: int = 50) -> World:
    """Michalewicz (19): sum_i sin(z_i) sin^20(i z_i^2 / pi) with z = pi x.

    One ridge crosses two: two peaks, and hardly any slope to lead there.
    """
    return _over_grid("michalewicz", _michalewicz, grid)


@worlds.register(
    "modified-michalewicz",
    title="Modified Michalewicz",
    sentence="Faster waves, more ridges, six peaks.",
)
def modified_michalewicz(grid: int = 50) -> World:
    """Modified Michalewicz (20): sum_i sin(z_i) sin^20((i + 1) z_i^2 / pi) with z = pi x.

    The faster waves make more ridges: two cross three, six peaks.
    """
    return _over_grid("modified-michalewicz", _modified_michalewicz, grid)


def grid_points(low: float, high: float, grid: int) -> Points:
    """The square grid of [low, high]^2: (grid^2, 2)."""
    if grid < 2:
        raise InvalidInput("grid", grid, "Give at least 2 points to a side.")
    axis = np.linspace(low, high, grid)
    first, second = np.meshgrid(axis, axis)
    return np.column_stack([first.ravel(), second.ravel()])


def _over_grid(name: str, function: Callable[[Points], Values], grid: int) -> World:
    return over_arms(name, Arms(grid_points(0.0, 1.0, grid)), function, noise=NOISE)


def _cosine(x: Points) -> Values:
    u = 1.6 * x - 0.5
    return 1.0 - np.sum(u**2 - 0.3 * np.cos(3.0 * np.pi * u), axis=1)


def _michalewicz(x: Points) -> Values:
    return _ridges(x, np.array([1.0, 2.0]))


def _modified_michalewicz(x: Points) -> Values:
    return _ridges(x, np.array([2.0, 3.0]))


def _ridges(x: Points, waves: Values) -> Values:
    z = np.pi * x
    return np.sum(np.sin(z) * np.sin(waves * z**2 / np.pi) ** 20, axis=1)
