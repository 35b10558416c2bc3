"""The wheel bandit: a small reward in the hub, a large one in a quarter of a thin rim."""

from dataclasses import dataclass

import numpy as np

from counsel.errors import InvalidInput
from counsel.space import Arms
from counsel.worlds.registry import worlds
from counsel.worlds.synthetic import grid_points
from counsel.worlds.world import Points, Values, World, over_arms

__all__ = ["wheel"]

NOISE = 1e-3


@worlds.register(
    "wheel",
    title="Wheel bandit",
    sentence="A small reward in the hub, a large one in a quarter of a thin rim.",
)
def wheel(rho: float = 0.9, grid: int = 70) -> World:
    """The points of a grid on [-1, 1]^2 that lie in the unit disk; the larger rho, the harder.

    Reward: 0.2 where |x| <= rho; beyond, by quadrant, 1 upper right, 0.1 lower right, 0.05 upper
    left, 0 lower left (the axes count as right and upper). The paper says 70 x 70; its authors'
    recorded runs used `grid=60`.
    """
    if not 0.0 < rho < 1.0:
        raise InvalidInput("rho", rho, "Give the hub's radius, between 0 and 1.")
    points = grid_points(-1.0, 1.0, grid)
    inside = points[np.hypot(points[:, 0], points[:, 1]) <= 1.0]
    if not len(inside):
        raise InvalidInput("grid", grid, "No point falls into the unit disk; give a finer grid.")
    return over_arms(f"wheel-{rho:g}", Arms(inside), _Rewards(rho), noise=NOISE)


@dataclass(frozen=True)
class _Rewards:
    rho: float

    def __call__(self, x: Points) -> Values:
        right, upper = x[:, 0] >= 0.0, x[:, 1] >= 0.0
        hub = np.hypot(x[:, 0], x[:, 1]) <= self.rho
        return np.select([hub, right & upper, right, upper], [0.2, 1.0, 0.1, 0.05], default=0.0)
