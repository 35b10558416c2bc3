"""Many encoded points at once: their values, bit for bit as one point at a time has them.

Searches of restricted spaces decode thousands of points a round. Logarithms stay scalar, because
vectorised ones may differ in the last bit.
"""

import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counsel.space.checks import Array
from counsel.space.parameters import Categorical, Int, Parameter
from counsel.space.requirements import Linear

__all__ = ["on_the_dot", "summed", "values_at"]

Values = NDArray[Any]  # numbers, or labels as objects
_COMPENSATED = sys.version_info >= (3, 12)


def values_at(parameter: Parameter, cells: Array) -> Values:
    """The values at columns (n, width) that are known to be in the unit cube."""
    if isinstance(parameter, Categorical):
        if parameter.one_hot:
            places = np.argmax(cells, axis=1)
        else:
            gaps = (parameter.grid()[None] - cells[:, None, :]) ** 2
            places = np.argmin(gaps.sum(axis=2), axis=1)
        labels = np.empty(len(parameter.choices), dtype=object)
        labels[:] = parameter.choices
        return labels[places]
    low, high = parameter.low, parameter.high
    if parameter.log:
        start = math.log(low)
        span = math.log(high) - start
        numbers = np.array([math.exp(start + x * span) for x in cells[:, 0].tolist()])
    else:
        numbers = low * (1.0 - cells[:, 0]) + high * cells[:, 0]
    if isinstance(parameter, Int):
        numbers = np.floor(numbers + 0.5)
    numbers = _between(numbers, low, high)
    if parameter.step is None:
        return numbers
    steps, rows = np.unique(np.rint((numbers - low) / parameter.step), return_inverse=True)
    found = np.array([parameter.at(int(step)) for step in steps.tolist()], dtype=np.float64)
    return found[rows.ravel()]


def on_the_dot(
    equations: Sequence[Linear],
    parameters: Mapping[str, Parameter],
    values: Mapping[str, Values],
) -> dict[str, Values]:
    """Rounding taken out: the parts with the most room make each equation hold."""
    found = dict(values)
    for equation in equations:
        weights = equation.weights
        off = equation.total - summed([w * found[name] for name, w in weights.items()])
        room = np.stack([_room(parameters[name], found[name]) for name in weights], axis=1)
        order = np.argsort(-room, axis=1, kind="stable")
        for place in range(len(weights)):
            turn = order[:, place]
            for number, (name, weight) in enumerate(weights.items()):
                rows = np.flatnonzero((turn == number) & (off != 0.0))
                if len(rows) == 0:
                    continue
                parameter: Any = parameters[name]
                before = found[name][rows]
                moved = _between(before + off[rows] / weight, parameter.low, parameter.high)
                if parameter.discrete:
                    cells = (moved - parameter.low) / (parameter.high - parameter.low)
                    moved = values_at(parameter, np.clip(cells, 0.0, 1.0)[:, None])
                off[rows] -= weight * (moved - before)
                found[name] = found[name].copy()
                found[name][rows] = moved
    return found


def summed(parts: Sequence[Array]) -> Array:
    """As `sum` adds each row's numbers: from Python 3.12 on it makes its rounding good."""
    total, lost = 0.0 + parts[0], np.zeros(len(parts[0]))
    for part in parts[1:]:
        more = total + part
        if _COMPENSATED:
            swapped = np.abs(total) < np.abs(part)
            larger, smaller = np.where(swapped, part, total), np.where(swapped, total, part)
            lost += (larger - more) + smaller
        total = more
    return total + lost if _COMPENSATED else total


def _between(numbers: Array, low: float, high: float) -> Array:
    """As min(max(number, low), high)."""
    above: Array = np.where(low > numbers, low, numbers)
    return np.where(high < above, high, above)


def _room(parameter: Any, values: Values) -> Array:
    """How far a part is from its nearer bound; one with steps comes first."""
    if parameter.discrete:
        return np.full(len(values), np.inf)
    room: Array = np.minimum(values - parameter.low, parameter.high - values)
    return room / (parameter.high - parameter.low)
