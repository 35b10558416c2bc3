"""Fields for numbers: what a person types, with a decimal point or a decimal comma.

The browser's own number field drops what it does not understand, so that "1,5" becomes 15. These
are fields for text; what is typed is read here, and refused in a sentence.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

from nicegui import ui

from counsel.errors import InvalidInput
from counsel.facts.records import Prediction
from counsel.service.web import words
from counsel.space.spelling import is_ambiguous, tidied, with_point

__all__ = ["NumberField", "expected_range", "far_outside", "read_number"]

_HUGE = 1e9  # asked about while nothing is known


def read_number(field: str, text: object) -> float | None:
    """The number in a text, None if it is empty, or InvalidInput."""
    if isinstance(text, int | float):
        return float(text)
    given = tidied(str(text or ""))
    if not given:
        return None
    if is_ambiguous(given):
        plain = given.replace(",", "")
        either = f"Write {plain}, or {given.replace(',', '.')}." if given.count(",") == 1 else ""
        raise InvalidInput(field, given, either or f"Write {plain}.")
    try:
        number = float(given if "." in given else with_point(given))
    except ValueError:
        raise InvalidInput(field, text, "Give a number, such as 1.5.") from None
    if not math.isfinite(number):
        raise InvalidInput(field, text, "Give a finite number.")
    return number


class NumberField:
    """A field that holds a number or nothing; `value` raises InvalidInput for anything else."""

    def __init__(
        self, label: str, value: float | None = None, *, whole: bool = False, hint: str = ""
    ) -> None:
        self.label, self._whole = label, whole
        self.input = ui.input(label, value=self._text(value), validation=self._complaint)
        self.input.props("inputmode=decimal autocomplete=off hide-bottom-space")
        if hint:
            self.input.props["hint"] = hint

    @property
    def value(self) -> float | None:
        found = read_number(self.label, self.input.value)
        if found is not None and self._whole:
            if found != round(found):
                raise InvalidInput(self.label, self.input.value, "Give a whole number.")
            return int(found)
        return found

    @property
    def typed(self) -> bool:
        return bool(str(self.input.value or "").strip())

    def show(self, value: float | None) -> None:
        self.input.set_value(self._text(value))

    def on_change(self, handler: Callable[..., Any]) -> None:
        self.input.on_value_change(handler)

    def _text(self, value: float | None) -> str:
        if value is None:
            return ""
        return str(int(value)) if self._whole else f"{value:.6g}"

    def _complaint(self, text: object) -> str | None:
        """What is wrong with the text, below the field."""
        try:
            found = read_number(self.label, text)
        except InvalidInput as error:
            return error.remedy
        whole = found is None or not self._whole or found == round(found)
        return None if whole else "Give a whole number."


def expected_range(
    measured: Sequence[float], prediction: Prediction | None
) -> tuple[float, float] | None:
    """What is expected of a measurement, or None if nothing is known."""
    if prediction is not None:
        return prediction.interval()
    return (min(measured), max(measured)) if measured else None


def far_outside(
    value: float, measured: Sequence[float], prediction: Prediction | None
) -> str | None:
    """A question about a measurement that looks like a slip of the finger; None if it does not."""
    expected = expected_range(measured, prediction)
    if expected is None:
        return f"{words.number(value)} is very large." if abs(value) > _HUGE else None
    low, high = min([expected[0], *measured]), max([expected[1], *measured])
    span = high - low or max(abs(low), 1.0)
    if low - span <= value <= high + span:
        return None
    ends = f"{words.number(expected[0])} to {words.number(expected[1])}"
    return f"{words.number(value)} is far outside of what is expected here, {ends}."
