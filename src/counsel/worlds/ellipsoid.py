"""The ShapleyBO paper's ellipsoids: sum_j j x_j^2, the later a parameter the more it matters.

`ellipsoid(4)` is that of its figures 1 and 2. With `noise_variance`, which grows towards small x1
and hardly with x2, the one with two parameters on [-15, 15] is that of its risk tables (equation 10
in the form of the authors' published script).
"""

import numpy as np

from counsel.errors import InvalidInput
from counsel.space import Float, Space
from counsel.worlds.registry import worlds
from counsel.worlds.world import Points, Values, World

__all__ = ["ellipsoid", "noise_variance"]

NOISE_SHARE = 0.05


@worlds.register(
    "ellipsoid", title="Ellipsoid", sentence="A bowl in which later parameters matter more."
)
def ellipsoid(dimensions: int = 4, bound: float = 5.12) -> World:
    """sum_j j x_j^2 on [-bound, bound]^d, minimised; the noise is 5% of the function's sd."""
    if dimensions < 1:
        raise InvalidInput("dimensions", dimensions, "Give at least one.")
    names = [f"x{j}" for j in range(1, dimensions + 1)]
    space = Space(**{name: Float(-bound, bound) for name in names})  # type: ignore[arg-type]
    # Var[x^2] = 4/45 bound^4 for x uniform on [-bound, bound].
    sd = np.sqrt(4.0 / 45.0 * np.sum(np.arange(1, dimensions + 1) ** 2.0)) * bound**2
    best = dict.fromkeys(names, 0.0)
    return World(
        f"ellipsoid-{dimensions}",
        space,
        _ellipsoid,
        "minimize",
        float(NOISE_SHARE * sd),
        0.0,
        (best,),
    )


def noise_variance(x: Points) -> Values:
    """12 |x1 - 15| + 0.4 |x2 - 15|: quiet where x1 is large."""
    return 12.0 * abs(x[:, 0] - 15.0) + 0.4 * abs(x[:, 1] - 15.0)


def _ellipsoid(x: Points) -> Values:
    return x**2 @ np.arange(1.0, x.shape[1] + 1.0)
