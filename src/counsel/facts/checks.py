"""Checks of names, strings and numbers, for all that comes in."""

import math
import numbers

import numpy as np

from counsel.errors import InvalidInput

MOST_PROPOSALS = 1000  # asked for at a time, through any door: more are asked for again
LARGEST = 1e150  # of what is measured, either way: squares, and sums of many, are numbers then
LONGEST_NAME = 200  # characters: more than any person types, and every database finds it by index


def check_name(what: str, name: object, *, most: int | None = LONGEST_NAME) -> None:
    if not isinstance(name, str) or not name.strip():
        raise InvalidInput(f"{what} name", name, "Give a string that is not empty.")
    check_text(f"{what} name", name, most=most)


def check_whole(what: str, value: object, *, least: int, most: int | None = None) -> None:
    whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if not whole or int(value) < least or (most is not None and int(value) > most):  # type: ignore[call-overload]
        span = f"{least} or more" if most is None else f"from {least} to {most}"
        raise InvalidInput(what, value, f"Give a whole number, {span}.")


def check_text(what: str, value: object, *, most: int | None = None) -> None:
    if not isinstance(value, str):
        raise InvalidInput(what, value, "Give a string.")
    if most is not None and len(value) > most:
        raise InvalidInput(what, value, f"Give at most {most} characters, not {len(value)}.")
    # Databases keep neither a NUL nor half of a surrogate pair.
    if "\0" in value or any("\ud800" <= sign <= "\udfff" for sign in value):
        raise InvalidInput(what, value, "Give a string without NUL or broken characters.")


def check_actor(actor: object) -> None:
    """Who did something; a stored one may be empty."""
    check_text("actor", actor, most=LONGEST_NAME)
    if not str(actor).strip():
        raise InvalidInput("actor", actor, "Give a string that is not empty.")


def finite_number(what: str, value: object) -> float:
    """Check that a value is one finite number; `what` names it in the error."""
    scalar = isinstance(value, np.generic | np.ndarray) and value.ndim == 0
    number = value.item() if scalar else value  # type: ignore[attr-defined]
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise InvalidInput(what, value, "Give one number.")
    try:
        result = float(number)
    except OverflowError:
        result = math.inf
    if not math.isfinite(result):
        raise InvalidInput(what, value, "Give a finite number.")
    return result + 0.0  # a single zero: SQLite does not keep -0.0


def yes_or_no(value: object) -> float | None:
    """1 for yes or True, 0 for no or False; None for anything else."""
    if isinstance(value, bool | np.bool_):
        return float(value)
    said = value.strip().lower() if isinstance(value, str) else ""
    return {"yes": 1.0, "no": 0.0}.get(said)


def measured_number(what: str, value: object) -> float:
    """Check that a value is a number that beliefs can be computed with."""
    if isinstance(value, float | np.floating) and not math.isfinite(value):
        remedy = "Give a finite number; leave out what could not be measured."
        raise InvalidInput(what, value, remedy)
    number = finite_number(what, value)
    if abs(number) > LARGEST:
        raise InvalidInput(
            what, value, f"Give a number from {-LARGEST:g} to {LARGEST:g}, in a larger unit."
        )
    return number
