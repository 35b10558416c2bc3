"""Points that fill a space, for densities over it.

A Latin hypercube: every parameter is cut into as many strata as there are points, and every stratum
has one point. (The LW-UCB authors take 10,000 points; the weight at a point hardly changes beyond
POINTS.) The points depend on the study's seed alone. They are the same in all rounds, so a density
changes only with what is learned, and they share no randomness with the search.
"""

import numpy as np
from numpy.typing import NDArray

from counsel.space import AnySpace, Arms, Categorical, Int, Parameter, Space

__all__ = ["POINTS", "cube", "fill", "one_hot", "survey_points"]

POINTS = 1024
# Sets this stream apart from those of (seed, t), which the search draws from.
_STREAM = 0x5EED

Points = NDArray[np.float64]


def survey_points(space: AnySpace, context: Points, seed: int) -> Points | None:
    """Points that fill a box, with the given context beside them; None for arms."""
    if isinstance(space, Arms):
        return None
    points = fill(space, POINTS, np.random.default_rng([seed, _STREAM, space.dim]))
    return np.concatenate([points, np.tile(context, (len(points), 1))], axis=1)


def fill(space: Space, count: int, rng: np.random.Generator) -> Points:
    """A Latin hypercube over a box, encoded: (count, dim).

    A whole number or a choice takes each of its values equally often (on a log scale, as often as
    its share of the scale); rounding points of the cube would starve the ends.
    """
    shape = (len(space.parameters), count)
    strata = rng.permuted(np.broadcast_to(np.arange(count), shape), axis=1)
    units = (strata + rng.uniform(size=shape)) / count
    parts = [_column(p, u) for p, u in zip(space.parameters.values(), units, strict=True)]
    return np.concatenate(parts, axis=1)


def _column(parameter: Parameter, u: Points) -> Points:
    if isinstance(parameter, Categorical):
        return np.eye(parameter.width)[np.floor(u * parameter.width).astype(np.intp)]
    if isinstance(parameter, Int):
        low, high = parameter.low, parameter.high
        if parameter.log:
            start, stop = np.log(low - 0.5), np.log(high + 0.5)
            values = np.clip(np.round(np.exp(start + u * (stop - start))), low, high)
            return np.asarray((np.log(values) - np.log(low)) / np.log(high / low))[:, None]
        return np.asarray(np.floor(u * parameter.count) / (high - low))[:, None]
    return u[:, None]


def one_hot(space: AnySpace) -> tuple[tuple[int, ...], ...]:
    """The columns of each one-hot parameter."""
    found = []
    for name in space.names:
        columns = space.columns(name)
        if columns.stop - columns.start > 1:
            found.append(tuple(range(columns.start, columns.stop)))
    return tuple(found)


def cube(space: AnySpace) -> bool:
    """Whether all parameters other than choices are real numbers."""
    if isinstance(space, Arms):
        return False
    return not any(isinstance(parameter, Int) for parameter in space.parameters.values())
