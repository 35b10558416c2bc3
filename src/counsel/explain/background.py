"""The background: the points that a proposal is compared with.

A contribution is always relative to something. Here it is the space itself: for a box, points
spread evenly over it (all values of a discrete parameter equally likely, a logarithmic one evenly
on its logarithm); for arms, the arms. The points are the same for every explanation of a space, so
that explanations can be compared.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from counsel.errors import InvalidInput
from counsel.space import AnySpace, Arms, Categorical, Parameter, Space

BOX_POINTS = 1024
# A point costs the square of the number of observations: from MANY_ROWS on, fewer stand for a box.
MANY_ROWS = 512
FEWER_POINTS = 256
MOST_ARMS = 4096
MOST_LEVELS = 10_000
_STREAM = 20_240_307  # for drawing arms when there are too many


class Background(NamedTuple):
    """Encoded points, without the context, and what they are in words.

    `sample` says that they stand for more points than they are, `whole` that it is a whole box.
    """

    points: Float[np.ndarray, "N e"]
    words: str
    sample: bool = False
    whole: bool = False


def background_for(space: AnySpace, given: object = None, count: int = BOX_POINTS) -> Background:
    """The space's own background, or the given points: a list of dicts of parameter values.

    `count` points stand for a box.
    """
    if given is not None:
        if isinstance(given, str | Mapping) or not isinstance(given, Sequence) or not given:
            raise InvalidInput("background", given, "Give a list of dicts of parameter values.")
        return Background(space.encode_many(given), f"{len(given):,} given points")
    if not isinstance(space, Arms) and space.restricted:
        drawn = space.sample(count, np.random.default_rng(_STREAM))
        words = f"{count:,} points that are allowed, drawn at random"
        return Background(drawn, words, sample=True)
    if not isinstance(space, Arms):
        words = f"{count:,} points spread over the space"
        return Background(spread(space, count), words, sample=True, whole=True)
    if len(space) <= MOST_ARMS:
        return Background(np.asarray(space.points), f"all {len(space):,} arms")
    rows = np.random.default_rng(_STREAM).choice(len(space), MOST_ARMS, replace=False)
    words = f"{MOST_ARMS:,} of {len(space):,} arms, drawn at random"
    return Background(space.points[rows], words, sample=True)


def spread(space: Space, count: int) -> Float[np.ndarray, "N e"]:
    """Quasi-random points, uniform over the space: a Kronecker sequence, one axis per parameter."""
    p = len(space.names)
    root = 2.0
    for _ in range(32):  # the generalised golden ratio: root^(p + 1) = root + 1
        root = (1.0 + root) ** (1.0 / (p + 1))
    steps = root ** -np.arange(1.0, p + 1)
    units = (0.5 + np.arange(1, count + 1)[:, None] * steps) % 1.0
    points = np.zeros((count, space.dim))
    for axis, (name, parameter) in enumerate(space.parameters.items()):
        columns = space.columns(name)
        if parameter.count is not None and parameter.count <= MOST_LEVELS:
            levels, chances = levels_of(parameter)
            drawn = np.searchsorted(np.cumsum(chances), units[:, axis], side="right")
            points[:, columns] = levels[np.minimum(drawn, len(levels) - 1)]
        else:
            points[:, columns] = units[:, [axis]]
    return space.snap(points)


def levels_of(
    parameter: Parameter,
) -> tuple[Float[np.ndarray, "k w"], Float[np.ndarray, " k"]]:
    """The levels of a discrete parameter, encoded, and how likely each is."""
    if parameter.count is None or parameter.count > MOST_LEVELS:
        raise InvalidInput(
            "parameter", parameter, f"It has over {MOST_LEVELS:,} levels; use Float instead."
        )
    levels = parameter.grid()
    if isinstance(parameter, Categorical) or not parameter.log:
        return levels, np.full(len(levels), 1.0 / len(levels))
    borders = np.arange(parameter.low, parameter.high) + 0.5
    ends = [math.log(parameter.low), *np.log(borders), math.log(parameter.high)]
    return levels, np.diff(ends) / (ends[-1] - ends[0])
