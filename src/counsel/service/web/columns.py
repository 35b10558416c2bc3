"""A table of candidates: what each column of a CSV file is.

A column of numbers is learned from, a column of labels too if they repeat. A text of its own in
every row is a name: nothing can be learned from it. Cells that do not fit are named by their lines.
"""

import csv
import io
import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from counsel.errors import InvalidInput
from counsel.service.web import words
from counsel.service.web.fields import read_number

__all__ = [
    "KINDS",
    "LEAVE_OUT",
    "BadLines",
    "Candidates",
    "Column",
    "Kind",
    "arms_of",
    "guess",
    "read_columns",
    "remark",
]

Kind = Literal["number", "log", "category", "name", "result", "ignore"]
KINDS: Mapping[Kind, str] = {
    "number": "number",
    "log": "number, by its logarithm",
    "category": "category",
    "name": "name only",
    "result": "earlier result",
    "ignore": "ignore",
}
_MOSTLY = 0.6  # of the cells are numbers: then the others are mistakes
_EMPTY = ("", "nan", "na", "n/a", "none", "null", "-")
_LISTED = 5
LEAVE_OUT = "Leave out lines with mistakes"
_REMEDY = f"Correct the file, or choose “{LEAVE_OUT}”."


class Column(NamedTuple):
    name: str
    cells: tuple[str, ...]

    def number(self, row: int) -> float | None:
        """The number in a row; None if the cell does not hold one."""
        cell = self.cells[row]
        if cell.lower() in _EMPTY:
            return None
        try:
            return read_number(self.name, cell)
        except InvalidInput:
            return None


class BadLines(InvalidInput):
    """Lines of a file that cannot be candidates, each with its reason."""

    def __str__(self) -> str:
        said = str(self.value)
        return f"{said[:1].upper()}{said[1:]}. {self.remedy}"


class Candidates(NamedTuple):
    """The arms, the column that names them, those on a log scale, and earlier results by row."""

    arms: list[dict[str, Any]]
    label: str | None
    log: list[str]
    results: dict[int, float]
    left_out: list[str]  # lines with mistakes


def read_columns(text: str) -> list[Column]:
    """The columns of a CSV text, separated by commas, semicolons or tabs."""
    heading = text.split("\n", 1)[0]
    separator = max(",;\t", key=heading.count)
    lines = [
        [cell.strip() for cell in line]
        for line in csv.reader(io.StringIO(text), delimiter=separator)
        if any(cell.strip() for cell in line)
    ]
    if len(lines) < 2:
        raise InvalidInput("file", text[:50], "Give a line of names and one line per candidate.")
    names = lines[0]
    for name in names:
        if not name or names.count(name) > 1:
            raise InvalidInput("line 1", name, "Give every column a name of its own.")
    for number, line in enumerate(lines[1:], 2):
        if len(line) != len(names):
            raise InvalidInput(f"line {number}", line, f"Give {len(names)} cells, as in line 1.")
    return [Column(name, tuple(line[i] for line in lines[1:])) for i, name in enumerate(names)]


def guess(columns: Sequence[Column], objective: str = "") -> list[Kind]:
    """What each column probably is."""
    found: list[Kind] = []
    for column in columns:
        rows = range(len(column.cells))
        numbers = sum(column.number(row) is not None for row in rows)
        full = sum(cell.lower() not in _EMPTY for cell in column.cells)
        if objective and column.name == objective and numbers == full:
            found.append("result")
        elif len(set(column.cells)) == 1:
            found.append("ignore")
        elif numbers > _MOSTLY * full:
            found.append("number")
        elif len(set(column.cells)) == len(column.cells):
            found.append("ignore" if "name" in found else "name")
        else:
            found.append("category")
    return found


def remark(column: Column, kind: Kind) -> str:
    """What to know about a column that is taken as this."""
    if kind in ("number", "log"):
        wrong = _wrong(column, kind)
        number = "a number" if kind == "number" else "a positive number"
        if len(wrong) == 1 and column.cells[wrong[0]]:
            return f"{_lines(wrong)}: “{column.cells[wrong[0]]}” is not {number}."
        return f"{_lines(wrong)}: not {number}." if wrong else ""
    if kind == "category" and len(set(column.cells)) == len(column.cells):
        return "Every row has its own: nothing can be learned from it."
    if kind == "name" and len(set(column.cells)) < len(column.cells):
        return "Some rows have the same name."
    if kind == "ignore" and len(set(column.cells)) == 1:
        return "The same in every row."
    return ""


def arms_of(
    columns: Sequence[Column], kinds: Sequence[Kind], *, leave_out: bool = False
) -> Candidates:
    """The candidates; lines with mistakes are refused, or left out if that is wanted."""
    if list(kinds).count("name") > 1 or list(kinds).count("result") > 1:
        raise InvalidInput(
            "columns", list(kinds), "Choose at most one as the name and one as the result."
        )
    bad: dict[int, str] = {}
    for column, kind in zip(columns, kinds, strict=True):
        for row in _wrong(column, kind):
            bad.setdefault(row, _said(column, kind, column.cells[row]))
    known: dict[tuple[Any, ...], int] = {}
    arms: list[dict[str, Any]] = []
    results: dict[int, float] = {}
    for row in range(len(columns[0].cells)):
        if row in bad:
            continue
        arm = {
            column.name: _cell(column, kind, row)
            for column, kind in zip(columns, kinds, strict=True)
            if kind not in ("ignore", "result")
        }
        learned = tuple(
            arm[c.name] for c, k in zip(columns, kinds, strict=True) if k not in _UNLEARNED
        )
        if not learned:
            raise InvalidInput(
                "columns", list(kinds), "Choose at least one as a number or a category."
            )
        if learned in known:
            bad[row] = f"the same candidate as line {known[learned] + 2}"
            continue
        known[learned] = row
        for column, kind in zip(columns, kinds, strict=True):
            value = column.number(row) if kind == "result" else None
            if value is not None:
                results[len(arms)] = value
        arms.append(arm)
    said = [f"line {row + 2}: {why}" for row, why in sorted(bad.items())]
    if said and not leave_out:
        more = f"; and {len(said) - _LISTED} more" if len(said) > _LISTED else ""
        raise BadLines("file", f"{'; '.join(said[:_LISTED])}{more}", _REMEDY)
    label = next((c.name for c, k in zip(columns, kinds, strict=True) if k == "name"), None)
    logs = [c.name for c, k in zip(columns, kinds, strict=True) if k == "log"]
    return Candidates(arms, label, logs, results, said)


_UNLEARNED = ("ignore", "result", "name")


def _wrong(column: Column, kind: Kind) -> list[int]:
    """The rows whose cell is not what the column is taken for."""
    rows = range(len(column.cells))
    if kind == "number":
        return [row for row in rows if column.number(row) is None]
    if kind == "log":
        return [row for row in rows if not (column.number(row) or 0.0) > 0.0]
    if kind == "result":  # blank: not measured yet
        full = (row for row in rows if column.cells[row].lower() not in _EMPTY)
        return [row for row in full if column.number(row) is None]
    if kind == "category":
        return [row for row in rows if not column.cells[row]]
    return []


def _said(column: Column, kind: Kind, cell: str) -> str:
    """What is wrong with a cell, in words."""
    if not cell:
        return f"{column.name} is empty"
    wanted = "a positive number" if kind == "log" else "a number"
    return f"{column.name} is “{cell}”, which is not {wanted}"


def _cell(column: Column, kind: Kind, row: int) -> Any:
    if kind not in ("number", "log"):
        return column.cells[row]
    value = column.number(row)
    assert value is not None
    whole = math.isclose(value, round(value)) and "." not in column.cells[row]
    return round(value) if whole and abs(value) < 2**53 else value


def _lines(rows: Sequence[int]) -> str:
    shown = ", ".join(str(row + 2) for row in rows[:_LISTED])
    more = f" and {len(rows) - _LISTED} more" if len(rows) > _LISTED else ""
    return f"{words.count(len(rows), 'line').split(' ', 1)[1].capitalize()} {shown}{more}"
