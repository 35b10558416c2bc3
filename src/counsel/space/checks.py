"""Shared checks of numbers, labels, names and unit vectors."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from counsel.errors import InvalidInput, did_you_mean

Array: TypeAlias = NDArray[np.float64]
Label: TypeAlias = str | int | float | bool

SLACK = 1e-9  # overshoot that rounding explains; anything larger is reported as a mistake


def to_native(value: object) -> object:
    """NumPy (and JAX) scalars as Python values; anything else as it is."""
    if getattr(value, "shape", None) == () and hasattr(value, "item"):
        native: object = value.item()
        return native
    return value


def finite_number(field: str, value: object, remedy: str) -> float:
    if type(value) is float and math.isfinite(value):  # the usual case, and a study encodes often
        return value
    native = to_native(value)
    if isinstance(native, bool) or not isinstance(native, numbers.Real):
        raise InvalidInput(field, value, remedy)
    try:
        number = float(native)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise InvalidInput(field, value, remedy)
    return number


def whole_number(field: str, value: object, remedy: str) -> int:
    native = to_native(value)
    if isinstance(native, int) and not isinstance(native, bool):
        return native
    number = finite_number(field, native, remedy)
    if not number.is_integer():
        raise InvalidInput(field, value, remedy)
    return int(number)


def is_label(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, str):  # half of a surrogate pair can be neither sent nor shown
        return not any("\ud800" <= sign <= "\udfff" for sign in value)
    return isinstance(value, int)


def same_label(choice: Label, value: object) -> bool:
    """Equal, without taking True for 1 or an array for a truth value."""
    if not isinstance(value, (str, int, float)):
        return False
    return choice == value and isinstance(choice, bool) == isinstance(value, bool)


def one_of(given: object, known: Sequence[Label]) -> str:
    """The known names or choices, with a suggestion if the given one looks like a typo."""
    shown = ", ".join(repr(k) for k in known[:20]) + (", ..." if len(known) > 20 else "")
    return f"Use one of: {shown}.{did_you_mean(given, known)}"


def match_names(field: str, values: object, known: Iterable[str]) -> None:
    names = tuple(known)
    if type(values) is dict and len(values) == len(names) and all(n in values for n in names):
        return
    if not isinstance(values, Mapping):
        raise InvalidInput(field, values, f"Give a mapping with the names: {', '.join(names)}.")
    unknown = [name for name in values if name not in names]
    missing = [name for name in names if name not in values]
    if unknown:
        lacking = f" Missing: {', '.join(missing)}." if missing else ""
        remedy = f"Unknown name.{lacking} {one_of(unknown[0], names)}"
        if not names:
            remedy = "There are no such variables here; leave them out."
        raise InvalidInput(field, unknown if len(unknown) > 1 else unknown[0], remedy)
    if missing:
        remedy = f"Missing: {', '.join(missing)}. Give a value for each of: {', '.join(names)}."
        raise InvalidInput(field, dict(values), remedy)


def unit_vector(field: str, u: object, width: int) -> Array:
    """A finite vector of this width, clipped to the unit cube."""
    try:
        vector = np.atleast_1d(np.asarray(u, dtype=np.float64))
    except (TypeError, ValueError):
        raise InvalidInput(field, u, f"Give {width} numbers.") from None
    if vector.shape != (width,) or np.isnan(vector).any():
        raise InvalidInput(field, u, f"Give a vector of {width} numbers, none of them NaN.")
    return np.clip(vector, 0.0, 1.0)
