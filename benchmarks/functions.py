"""What the contestants search: worlds of `counsel.worlds` as plain arrays, to be maximised."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from counsel import worlds
from counsel.worlds import standard
from counsel.worlds.synthetic import grid_points

Points = NDArray[np.float64]

NOISE_SD = 1e-4


@dataclass(frozen=True)
class Grid:
    """A square grid of arms on the unit square, with payoffs standardised over all arms."""

    name: str
    side: int = 50

    @cached_property
    def arms(self) -> Points:
        """All arms, one row each."""
        return grid_points(0.0, 1.0, self.side)

    @cached_property
    def payoffs(self) -> Points:
        """Noise-free payoff of each arm: mean 0 and standard deviation 1 over the grid."""
        raw = worlds.load(self.name).function(self.arms)
        return (raw - raw.mean()) / raw.std()

    def index(self, point: Points) -> int:
        """Row of the arm nearest to a point."""
        return int(np.argmin(np.sum((self.arms - point) ** 2, axis=-1)))

    def payoff(self, point: Points) -> float:
        """Noise-free payoff of the arm nearest to a point."""
        return float(self.payoffs[self.index(point)])


GRIDS = {name: Grid(name) for name in ("cosine", "michalewicz", "modified-michalewicz")}


def hartmann6(x: Points) -> Points:
    """Hartmann on the unit cube of six dimensions, turned to be maximised: 3.32237 at most."""
    return -standard.hartmann6(np.atleast_2d(x))


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
