"""Rows of the form for a new study: one for each parameter, one for each constraint."""

from collections.abc import Callable
from typing import Any

from nicegui import ui

from counsel.errors import InvalidInput
from counsel.service.web.fields import NumberField

__all__ = ["constraint_rows", "parameter_rows"]

Row = dict[str, Any]

_SIDES = {
    "at_least": "at least",
    "at_most": "at most",
    "between": "between two numbers",
    "yes/no": "something people say yes to",
    "scale": "at least, on a scale from 1",
}
_KINDS = {"float": "number", "int": "whole number", "categorical": "choice"}


class Rows:
    """Rows of fields that can be added and removed; `given` is what `read` makes of each."""

    def __init__(self, fill: Callable[[Row], None], read: Callable[[Row], Row], what: str) -> None:
        self._fill = fill
        self._read = read
        self._what = what
        self._rows: list[Row] = []
        self._place = ui.column().classes("w-full")

    def add(self) -> None:
        row: Row = {}
        with self._place, ui.row().classes("items-center w-full") as line:
            self._fill(row)

            def remove() -> None:
                self._rows.remove(row)
                line.delete()

            removing = f'flat dense aria-label="Remove the {self._what}"'
            ui.button(icon="close", on_click=remove).props(removing)
        self._rows.append(row)

    def given(self) -> list[Row]:
        """What the rows say, as a request for a study has it."""
        return [self._read(row) for row in self._rows]


def parameter_rows() -> Rows:
    return Rows(_parameter_fields, _parameter, "parameter")


def constraint_rows() -> Rows:
    return Rows(_constraint_fields, _constraint, "constraint")


def _parameter_fields(row: Row) -> None:
    row["name"] = ui.input("Name").style("width:150px")
    row["type"] = ui.select(_KINDS, value="float", label="Kind").style("width:140px")
    row["low"] = NumberField("From", 0)
    row["high"] = NumberField("To", 1)
    row["step"] = NumberField("Step")
    row["choices"] = ui.input("Choices, separated by commas").style("width:220px")
    row["unit"] = ui.input("Unit").style("width:80px").props("maxlength=40")
    row["log"] = ui.checkbox("by its logarithm")
    row["description"] = ui.input("What it is (optional)").props("maxlength=500")
    row["description"].style("flex:1; min-width:180px")
    numeric = [row[each].input for each in ("low", "high", "step")]
    for field in numeric:
        field.style("width:90px")
    for field in (*numeric, row["log"], row["unit"]):
        field.bind_visibility_from(row["type"], "value", lambda v: v != "categorical")
    row["choices"].bind_visibility_from(row["type"], "value", lambda v: v == "categorical")


def _constraint_fields(row: Row) -> None:
    row["name"] = ui.input("Name").style("width:150px")
    row["side"] = ui.select(_SIDES, value="at_least", label="It must be").style("width:210px")
    row["threshold"] = NumberField("Threshold", 0)
    row["threshold"].input.style("width:110px").bind_visibility_from(
        row["side"], "value", lambda v: v != "yes/no"
    )
    row["upper"] = NumberField("And at most", 1)
    row["upper"].input.style("width:110px").bind_visibility_from(
        row["side"], "value", lambda v: v == "between"
    )
    row["levels"] = NumberField("Levels", 5, whole=True)
    row["levels"].input.style("width:90px").bind_visibility_from(
        row["side"], "value", lambda v: v == "scale"
    )


def _constraint(row: Row) -> Row:
    name = (row["name"].value or "").strip()
    side, threshold = row["side"].value, row["threshold"].value
    if side == "yes/no":
        return {"name": name, "answer": "yes/no"}
    if side == "between":
        return {"name": name, "at_least": threshold, "at_most": row["upper"].value}
    if side == "scale":
        levels = {"answer": "scale", "levels": row["levels"].value}
        return {"name": name, "at_least": threshold, **levels}
    return {"name": name, side: threshold}


def _parameter(row: Row) -> Row:
    made = {"name": (row["name"].value or "").strip(), "type": row["type"].value}
    texts = ("description",) if row["type"].value == "categorical" else ("unit", "description")
    made |= {each: text for each in texts if (text := (row[each].value or "").strip())}
    if row["type"].value == "categorical":
        choices = [text.strip() for text in (row["choices"].value or "").split(",")]
        return made | {"choices": [choice for choice in choices if choice]}
    numbers: dict[str, Any] = {each: row[each].value for each in ("low", "high", "step")}
    low, high = numbers["low"], numbers["high"]
    if low is None or high is None or low >= high:
        raise InvalidInput(
            f"{made['name'] or 'a parameter'}, From and To",
            f"{row['low'].input.value} to {row['high'].input.value}",
            "Give two numbers, the smaller one first.",
        )
    if row["type"].value == "int":
        numbers = {each: _whole(each, number) for each, number in numbers.items()}
    made |= {each: number for each, number in numbers.items() if number is not None}
    return made | ({"log": True} if row["log"].value else {})


def _whole(field: str, number: float | None) -> int | None:
    if number is not None and number != round(number):
        raise InvalidInput(field, number, "Give a whole number.")
    return None if number is None else int(number)
