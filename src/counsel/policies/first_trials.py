"""First trials: how many there are, what counts as one, and where somebody expects the optimum."""

from typing import Any

import numpy as np

from counsel.acquisition.guess import Guess
from counsel.errors import InvalidInput
from counsel.facts.history import Array, History
from counsel.policies.protocol import Choice
from counsel.policies.random import allowed_arms, excluded
from counsel.space import AnySpace, Arms

__all__ = ["MOST_FIRST", "at_guess", "choices_of", "fewer_than", "tried"]

# No more first trials than this, unless more are asked for.
MOST_FIRST = 10


def choices_of(space: AnySpace) -> int:
    """How many parameters have several encoded columns, one for each level."""
    widths = [space.columns(name).stop - space.columns(name).start for name in space.names]
    return sum(width > 1 for width in widths)


def tried(history: History) -> Array:
    """Every point with an objective or an answer about a constraint."""
    if len(history.points) == 0:
        return history.x
    return np.unique(np.concatenate([history.x, history.points]), axis=0)


def fewer_than(points: Array, count: int) -> bool:
    """Whether fewer than `count` points may be different, by a look at the earliest: telling
    hundreds of them apart would take as long as everything else that is not compiled."""
    earliest = points[: 2 * MOST_FIRST] + 0.0  # no -0.0
    return len({row.tobytes() for row in earliest}) < count


def at_guess(guess: Guess, space: AnySpace, history: History, first: Choice) -> dict[str, Any]:
    """The first trial at a guess; what the guess leaves open is as it was drawn."""
    centre, precision = guess.placed(space)
    if isinstance(space, Arms):
        allowed = np.flatnonzero(allowed_arms(space, history))
        apart = (precision * (space.points[allowed] - centre) ** 2).sum(axis=1)
        arm = int(allowed[np.argmin(apart)])
        return {"point": space.points[arm], "arm": arm}
    point = np.where(precision > 0.0, centre, first.point)
    try:
        space.validate(space.decode(point))
    except InvalidInput:  # what is required of inputs does not hold there
        return {}
    refused = excluded(point[None, :], history)[0]
    return {} if refused else {"point": point}
