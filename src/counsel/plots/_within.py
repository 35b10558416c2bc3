"""Points of a picture that are points of the space, where not every one is.

A picture varies one or two parameters. In a mixture the others make up for it, as far as they can;
a parameter that begins to exist is in the middle of its range. What is still not allowed is left
blank.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counsel.errors import InvalidInput
from counsel.facts.records import Value
from counsel.space import AnySpace, Arms, Space

__all__ = ["allowed", "blanks", "made_up"]


def allowed(
    space: AnySpace, names: Sequence[str], points: Sequence[Mapping[str, Value]]
) -> list[Mapping[str, Value] | None]:
    """The points as they can be tried, or None where that is not possible."""
    if isinstance(space, Arms) or not space.restricted:
        return list(points)
    return [_completed(space, names, point) for point in points]


def blanks(values: Sequence[float] | NDArray[Any], real: Sequence[object]) -> NDArray[np.float64]:
    """Values at the points that are allowed, with NaN for the others."""
    found = np.full(len(real), np.nan)
    found[[each is not None for each in real]] = values
    return found


def made_up(space: AnySpace, names: Sequence[str]) -> tuple[str, ...]:
    """The parameters that make up for what these add to a mixture."""
    if isinstance(space, Arms):
        return ()
    equations = [each.linear() for each in space.require]
    tied = [each.weights for each in equations if each and not set(names).isdisjoint(each.weights)]
    return tuple(dict.fromkeys(name for each in tied for name in each if name not in names))


def _completed(
    space: Space, names: Sequence[str], point: Mapping[str, Value]
) -> dict[str, Any] | None:
    found: dict[str, Any] = dict(point)
    for name, parameter in space.parameters.items():
        if name not in found and space.exists(name, found):
            found[name] = parameter.decode([0.5] * parameter.width)
    for equation in (each.linear() for each in space.require):
        if equation is None or not set(equation.weights) <= set(found):
            continue
        off = equation.total - sum(w * found[name] for name, w in equation.weights.items())
        for name, weight in equation.weights.items():
            if name not in names:
                parameter = space.parameters[name]
                moved = float(np.clip(found[name] + off / weight, parameter.low, parameter.high))  # type: ignore[union-attr]
                off -= weight * (moved - found[name])
                found[name] = moved
    try:
        return space.validate(found)
    except InvalidInput:
        return None
