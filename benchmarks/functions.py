"""The functions to maximise, and the grids of arms made from them.

`cosine` and `michalewicz` are those of the LW-UCB paper, on the unit square; `hartmann6` is the
usual six-dimensional test function. All are written to be maximised.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

NOISE_SD = 1e-4


def cosine(x: Points) -> Points:
    r"""Cosine mixture: $1 - \sum_i (u_i^2 - 0.3 \cos 3 \pi u_i)$ with $u = 1.6 x - 0.5$."""
    u = 1.6 * x - 0.5
    loss: Points = np.sum(u**2 - 0.3 * np.cos(3.0 * np.pi * u), axis=-1)
    return 1.0 - loss


def michalewicz(x: Points) -> Points:
    r"""Michalewicz with m = 10: $\sum_i \sin z_i \, \sin^{20}(i z_i^2 / \pi)$ with $z = \pi x$."""
    z = np.pi * x
    rank = np.arange(1, x.shape[-1] + 1)
    return np.sum(np.sin(z) * np.sin(rank * z**2 / np.pi) ** 20, axis=-1)


_HARTMANN_WEIGHTS = np.array([1.0, 1.2, 3.0, 3.2])
_HARTMANN_SCALES = np.array(
    [
        [10.0, 3.0, 17.0, 3.5, 1.7, 8.0],
        [0.05, 10.0, 17.0, 0.1, 8.0, 14.0],
        [3.0, 3.5, 1.7, 10.0, 17.0, 8.0],
        [17.0, 8.0, 0.05, 10.0, 0.1, 14.0],
    ]
)
_HARTMANN_CENTRES = 1e-4 * np.array(
    [
        [1312, 1696, 5569, 124, 8283, 5886],
        [2329, 4135, 8307, 3736, 1004, 9991],
        [2348, 1451, 3522, 2883, 3047, 6650],
        [4047, 8828, 8732, 5743, 1091, 381],
    ]
)


def hartmann6(x: Points) -> Points:
    """Hartmann on the unit cube of six dimensions, maximum 3.32237."""
    squared = (x[..., None, :] - _HARTMANN_CENTRES) ** 2
    return np.exp(-np.sum(_HARTMANN_SCALES * squared, axis=-1)) @ _HARTMANN_WEIGHTS


@dataclass(frozen=True)
class Grid:
    """A square grid of arms on the unit square, with payoffs standardised over all arms."""

    function: Callable[[Points], Points]
    side: int = 50

    @cached_property
    def arms(self) -> Points:
        """All arms, one row each."""
        axis = np.linspace(0.0, 1.0, self.side)
        first, second = np.meshgrid(axis, axis)
        return np.column_stack([first.ravel(), second.ravel()])

    @cached_property
    def payoffs(self) -> Points:
        """Noise-free payoff of each arm: mean 0 and standard deviation 1 over the grid."""
        raw = self.function(self.arms)
        return (raw - raw.mean()) / raw.std()

    def index(self, point: Points) -> int:
        """Row of the arm nearest to a point."""
        return int(np.argmin(np.sum((self.arms - point) ** 2, axis=-1)))

    def payoff(self, point: Points) -> float:
        """Noise-free payoff of the arm nearest to a point."""
        return float(self.payoffs[self.index(point)])


GRIDS = {"cosine": Grid(cosine), "michalewicz": Grid(michalewicz)}


def sample_grid(grid: Grid, count: int, seed: int = 0) -> tuple[Points, Points]:
    """Distinct random arms of a grid and their noisy payoffs."""
    rng = np.random.default_rng(seed)
    rows = rng.choice(len(grid.arms), count, replace=False)
    return grid.arms[rows], grid.payoffs[rows] + rng.normal(0.0, NOISE_SD, count)


def sample_hartmann6(count: int, seed: int = 0) -> tuple[Points, Points]:
    """Uniform random points of the six-dimensional cube and their noisy values."""
    rng = np.random.default_rng(seed)
    points = rng.random((count, 6))
    return points, hartmann6(points) + rng.normal(0.0, NOISE_SD, count)
