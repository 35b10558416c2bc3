"""Finds a study's names in the heading of a spreadsheet: `Heat [°C]` is `heat`, in °C."""

import re
from collections.abc import Iterable, Mapping, Sequence

from counsel.errors import InvalidInput, did_you_mean
from counsel.space import AnySpace

__all__ = ["check_headings", "label_column", "recognised"]

# Heat [°C], Heat (°C), Heat / °C
_WITH_UNIT = re.compile(r"(.+?)\s*(?:\[([^\[\]]*)\]|\(([^()]*)\)|\s/\s*(\S+))")


def recognised(columns: Sequence[str], space: AnySpace, names: Iterable[str]) -> dict[str, str]:
    """The columns that are a name with a unit behind it, or in other letters, and that name.

    A unit that is not the parameter's is refused: numbers are taken as they are.
    """
    wanted, found = list(names), {}
    for name in wanted:
        if name in columns:
            continue
        alike = [
            column
            for column in columns
            if column not in wanted and _apart(column)[0].casefold() == name.casefold()
        ]
        if len(alike) > 1:
            raise InvalidInput(
                "columns", alike, f"Each of these may be {name!r}: rename the one that is."
            )
        for column in alike:
            own, unit = space.unit(name), _apart(column)[1]
            if own and unit and own != unit:
                raise InvalidInput(
                    f"column {column!r}",
                    unit,
                    f"{name!r} is in {own} here: convert the numbers, and rename the column.",
                )
            found[column] = name
    return found


def label_column(heading: Mapping[str, str], label: str | None) -> str | None:
    """The column by which rows are recognised; capitals do not matter here either.

    `heading` says how the table writes each column.
    """
    if label is None or label in heading:
        return label
    wanted = label.strip().casefold()
    alike = [each for each, said in heading.items() if wanted in (each.casefold(), said.casefold())]
    if len(alike) == 1:
        return alike[0]
    raise InvalidInput("label", label, f"Name one of the columns: {', '.join(heading.values())}.")


def check_headings(
    columns: Sequence[str], wanted: Sequence[str], outcomes: Sequence[str], written: Sequence[str]
) -> None:
    """Refuse a heading without a parameter or any outcome, and one that has a name twice.

    `written` is the heading as the table has it.
    """
    twice = [column for column in columns if column and columns.count(column) > 1]
    if twice:
        raise InvalidInput("columns", twice[0], "Give every column a different name.")
    missing = [name for name in wanted if name not in columns]
    if missing:
        raise InvalidInput(
            "columns",
            list(written),
            f"Missing: {', '.join(missing)}. Add or rename a column."
            f"{did_you_mean(missing[0], written)}",
        )
    if not any(name in columns for name in outcomes):
        raise InvalidInput(
            "columns",
            list(written),
            f"No outcome column: add or rename one to {', '.join(outcomes)}."
            f"{did_you_mean(outcomes[0], written)}",
        )


def _apart(column: str) -> tuple[str, str]:
    """A heading without its unit, and the unit."""
    found = _WITH_UNIT.fullmatch(column)
    if found is None:
        return column, ""
    return found[1], next(each for each in found.groups()[1:] if each is not None).strip()
