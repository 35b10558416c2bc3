"""The continuous test functions people expect, in their usual units; all are minimised.

`FIXED` and `SCALABLE` are the whole list: formula, box, optimisers. Coordinates are x1, x2, ...
The optimum is the formula's value at the optimisers, which are given to full precision.
"""

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from counsel.errors import InvalidInput
from counsel.space import Float, Space
from counsel.worlds.registry import worlds
from counsel.worlds.world import Points, Values, World

__all__ = ["FIXED", "SCALABLE", "fixed", "scalable"]

Formula = Callable[[Points], Values]
Bounds = tuple[float, float]


def fixed(name: str) -> World:
    """A function of a given number of parameters, by its name in `FIXED`."""
    formula, box, optimisers = FIXED[name]
    return _world(name, formula, box, optimisers)


def scalable(name: str, dimensions: int = 2) -> World:
    """A function of any number of parameters, by its name in `SCALABLE`."""
    formula, bounds, coordinate, least = SCALABLE[name]
    if dimensions < least:
        raise InvalidInput("dimensions", dimensions, f"{name} needs at least {least}.")
    optimiser = (coordinate,) * dimensions
    return _world(f"{name}-{dimensions}", formula, (bounds,) * dimensions, (optimiser,))


def _world(
    name: str, formula: Formula, box: Sequence[Bounds], optimisers: Sequence[Sequence[float]]
) -> World:
    parameters: dict[str, Any] = {f"x{i}": Float(*bounds) for i, bounds in enumerate(box, 1)}
    space = Space(**parameters)
    return World(
        name,
        space,
        formula,
        "minimize",
        0.0,
        # The least of them: values that ought to be equal may differ in the last bit.
        float(formula(np.array(optimisers, dtype=np.float64)).min()),
        tuple(dict(zip(space.names, point, strict=True)) for point in optimisers),
    )


# ---- formulas -----------------------------------------------------------------------------------


def branin(x: Points) -> Values:
    """(x2 - 5.1 x1^2 / (4 pi^2) + 5 x1 / pi - 6)^2 + 10 (1 - 1 / (8 pi)) cos(x1) + 10."""
    a, b = x.T
    valley = b - 5.1 / (4.0 * np.pi**2) * a**2 + 5.0 / np.pi * a - 6.0
    return valley**2 + 10.0 * (1.0 - 1.0 / (8.0 * np.pi)) * np.cos(a) + 10.0


def hartmann3(x: Points) -> Values:
    """-sum_k w_k exp(-sum_j A_kj (x_j - P_kj)^2), three inputs."""
    return _hartmann(x, _SCALES_3, _CENTRES_3)


def hartmann6(x: Points) -> Values:
    """-sum_k w_k exp(-sum_j A_kj (x_j - P_kj)^2), six inputs."""
    return _hartmann(x, _SCALES_6, _CENTRES_6)


def six_hump_camel(x: Points) -> Values:
    """(4 - 2.1 x1^2 + x1^4 / 3) x1^2 + x1 x2 + (4 x2^2 - 4) x2^2."""
    a, b = x.T
    return (4.0 - 2.1 * a**2 + a**4 / 3.0) * a**2 + a * b + (4.0 * b**2 - 4.0) * b**2


def goldstein_price(x: Points) -> Values:
    """(1 + (a + b + 1)^2 p(a, b)) (30 + (2a - 3b)^2 q(a, b)) with quadratic p and q."""
    a, b = x.T
    p = 19.0 - 14.0 * a + 3.0 * a**2 - 14.0 * b + 6.0 * a * b + 3.0 * b**2
    q = 18.0 - 32.0 * a + 12.0 * a**2 + 48.0 * b - 36.0 * a * b + 27.0 * b**2
    return (1.0 + (a + b + 1.0) ** 2 * p) * (30.0 + (2.0 * a - 3.0 * b) ** 2 * q)


def beale(x: Points) -> Values:
    """(1.5 - a + a b)^2 + (2.25 - a + a b^2)^2 + (2.625 - a + a b^3)^2."""
    a, b = x.T
    return sum(
        ((c - a + a * b**k) ** 2 for k, c in enumerate((1.5, 2.25, 2.625), 1)), np.zeros(len(x))
    )


def forrester(x: Points) -> Values:
    """(6 x - 2)^2 sin(12 x - 4)."""
    a = x[:, 0]
    return (6.0 * a - 2.0) ** 2 * np.sin(12.0 * a - 4.0)


def eggholder(x: Points) -> Values:
    """-(b + 47) sin sqrt|b + a/2 + 47| - a sin sqrt|a - b - 47|."""
    a, b = x[:, 0], x[:, 1] + 47.0
    return -b * np.sin(np.sqrt(np.abs(b + a / 2.0))) - a * np.sin(np.sqrt(np.abs(a - b)))


def ackley(x: Points) -> Values:
    """20 - 20 exp(-0.2 sqrt(mean x^2)) + e - exp(mean cos 2 pi x)."""
    distance = np.sqrt(np.mean(x**2, axis=1))
    ripple = np.exp(1.0) - np.exp(np.mean(np.cos(2.0 * np.pi * x), axis=1))
    return -20.0 * np.expm1(-0.2 * distance) + ripple


def rosenbrock(x: Points) -> Values:
    """sum_i 100 (x_{i+1} - x_i^2)^2 + (1 - x_i)^2."""
    a, b = x[:, :-1], x[:, 1:]
    return np.sum(100.0 * (b - a**2) ** 2 + (1.0 - a) ** 2, axis=1)


def rastrigin(x: Points) -> Values:
    """sum_i x_i^2 + 10 (1 - cos 2 pi x_i)."""
    return np.sum(x**2 + 10.0 * (1.0 - np.cos(2.0 * np.pi * x)), axis=1)


def levy(x: Points) -> Values:
    """With w = 1 + (x - 1)/4: sin^2(pi w_1) + sum_{i<d} (w_i - 1)^2 (1 + 10 sin^2(pi w_i + 1))
    + (w_d - 1)^2 (1 + sin^2(2 pi w_d))."""
    w = 1.0 + (x - 1.0) / 4.0
    first, body, last = w[:, 0], w[:, :-1], w[:, -1]
    middle = np.sum((body - 1.0) ** 2 * (1.0 + 10.0 * np.sin(np.pi * body + 1.0) ** 2), axis=1)
    end = (last - 1.0) ** 2 * (1.0 + np.sin(2.0 * np.pi * last) ** 2)
    return np.sin(np.pi * first) ** 2 + middle + end


def griewank(x: Points) -> Values:
    """1 + sum_i x_i^2 / 4000 - prod_i cos(x_i / sqrt i)."""
    root = np.sqrt(np.arange(1, x.shape[1] + 1))
    return 1.0 + np.sum(x**2, axis=1) / 4000.0 - np.prod(np.cos(x / root), axis=1)


def styblinski_tang(x: Points) -> Values:
    """sum_i (x_i^4 - 16 x_i^2 + 5 x_i) / 2."""
    return np.sum(x**4 - 16.0 * x**2 + 5.0 * x, axis=1) / 2.0


def _hartmann(x: Points, scales: Points, centres: Points) -> Values:
    squared = (x[:, None, :] - centres) ** 2
    return -np.exp(-np.sum(scales * squared, axis=2)) @ _HARTMANN_WEIGHTS


_HARTMANN_WEIGHTS = np.array([1.0, 1.2, 3.0, 3.2])
_SCALES_3 = np.array([[3.0, 10.0, 30.0], [0.1, 10.0, 35.0], [3.0, 10.0, 30.0], [0.1, 10.0, 35.0]])
_CENTRES_3 = 1e-4 * np.array(
    [[3689, 1170, 2673], [4699, 4387, 7470], [1091, 8732, 5547], [381, 5743, 8828]]
)
_SCALES_6 = np.array(
    [
        [10.0, 3.0, 17.0, 3.5, 1.7, 8.0],
        [0.05, 10.0, 17.0, 0.1, 8.0, 14.0],
        [3.0, 3.5, 1.7, 10.0, 17.0, 8.0],
        [17.0, 8.0, 0.05, 10.0, 0.1, 14.0],
    ]
)
_CENTRES_6 = 1e-4 * np.array(
    [
        [1312, 1696, 5569, 124, 8283, 5886],
        [2329, 4135, 8307, 3736, 1004, 9991],
        [2348, 1451, 3522, 2883, 3047, 6650],
        [4047, 8828, 8732, 5743, 1091, 381],
    ]
)

# ---- the list -----------------------------------------------------------------------------------

_UNIT = (0.0, 1.0)
_HARTMANN_6_BEST = (
    0.20168951100670543,
    0.15001069182345797,
    0.47687397422189703,
    0.2753324304940561,
    0.31165161660011326,
    0.6573005340656204,
)
_CAMEL_BEST = (0.08984201310031807, -0.7126564030207396)

# name: formula, box, optimisers
FIXED: dict[str, tuple[Formula, tuple[Bounds, ...], tuple[tuple[float, ...], ...]]] = {
    "branin": (
        branin,
        ((-5.0, 10.0), (0.0, 15.0)),
        ((-math.pi, 12.275), (math.pi, 2.275), (3.0 * math.pi, 2.475)),
    ),
    "hartmann3": (
        hartmann3,
        (_UNIT,) * 3,
        ((0.11458887665506896, 0.5556488946169301, 0.8525469846866774),),
    ),
    "hartmann6": (hartmann6, (_UNIT,) * 6, (_HARTMANN_6_BEST,)),
    "six-hump-camel": (
        six_hump_camel,
        ((-3.0, 3.0), (-2.0, 2.0)),
        (_CAMEL_BEST, (-_CAMEL_BEST[0], -_CAMEL_BEST[1])),
    ),
    "goldstein-price": (goldstein_price, ((-2.0, 2.0),) * 2, ((0.0, -1.0),)),
    "beale": (beale, ((-4.5, 4.5),) * 2, ((3.0, 0.5),)),
    "forrester": (forrester, (_UNIT,), ((0.7572487578418559,),)),
    "eggholder": (eggholder, ((-512.0, 512.0),) * 2, ((512.0, 404.2318051137578),)),
}

# name: formula, bounds of every parameter, every coordinate of the optimiser, fewest parameters
SCALABLE: dict[str, tuple[Formula, Bounds, float, int]] = {
    "ackley": (ackley, (-32.768, 32.768), 0.0, 1),
    "rosenbrock": (rosenbrock, (-5.0, 10.0), 1.0, 2),
    "rastrigin": (rastrigin, (-5.12, 5.12), 0.0, 1),
    "levy": (levy, (-10.0, 10.0), 1.0, 1),
    "griewank": (griewank, (-600.0, 600.0), 0.0, 1),
    "styblinski-tang": (styblinski_tang, (-5.0, 5.0), -2.903534027771177, 1),
}

for _name in FIXED:
    worlds.register(
        _name,
        title=_name.replace("-", " ").capitalize(),
        sentence=f"A test function of {len(FIXED[_name][1])} parameters, minimised.",
    )(partial(fixed, _name))
for _name in SCALABLE:
    worlds.register(
        _name,
        title=_name.replace("-", " ").capitalize(),
        sentence="A test function of any number of parameters, minimised.",
    )(partial(scalable, _name))
