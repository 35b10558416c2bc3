"""Past trials from a spreadsheet: one row each, a column per parameter and per outcome."""

import csv
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

from counsel.errors import InvalidInput, install
from counsel.exchange import cells
from counsel.facts.records import Observation, PastTrial
from counsel.study import NOBODY, StudyLike

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Imported", "import_trials"]


@dataclass(frozen=True)
class Imported:
    """What an import recorded and what it left out."""

    observations: tuple[Observation, ...]
    ignored: tuple[str, ...]  # columns that are neither a parameter nor an outcome
    empty: tuple[int, ...]  # rows without any outcome, as the spreadsheet counts them


def import_trials(
    study: StudyLike,
    source: "str | Path | pd.DataFrame",
    *,
    rename: Mapping[str, str] | None = None,
    actor: str = NOBODY,
) -> Imported:
    """Tell a study about trials made before it began: all rows or, if one is refused, none.

    `source` is a CSV, Excel or Parquet file or a DataFrame. Columns are found by name, after
    `rename` ({"Lift [N]": "lifting"}); columns `actor` and `time` (ISO) are used if present.
    The same file imported again changes nothing.
    """
    frame = _frame(source)
    frame.columns = [str(column).strip() for column in frame.columns]
    frame = frame.rename(columns=dict(rename or {}))
    problem = study.problem
    space, objective = problem.space, problem.objective.name
    outcomes = [objective, *(c.name for c in problem.constraints)]
    wanted = [*space.names, *space.context_names]
    _check_columns(list(frame.columns), wanted, outcomes)
    trials: list[PastTrial] = []
    empty: list[int] = []
    for number, row in enumerate(frame.to_dict("records"), 2):  # row 1 is the heading
        found = {name: _number(row[name], number, name) for name in outcomes if name in row}
        measured = {name: value for name, value in found.items() if value is not None}
        if not measured:
            empty.append(number)
            continue
        try:
            given = {name: cells.value_of(space, name, _present(row, name)) for name in wanted}
            values = space.validate({name: given[name] for name in space.names})
            context = space.validate_context({name: given[name] for name in space.context_names})
        except InvalidInput as error:
            raise InvalidInput(
                f"row {number}, column {error.field!r}", error.value, error.remedy
            ) from None
        trials.append(PastTrial(values, measured, context, _actor(row, actor), _time(row, number)))
    used = {*wanted, *outcomes, "actor", "time"}
    ignored = tuple(column for column in frame.columns if column not in used)
    told = study.tell_many(trials, idempotency_key=f"import {_fingerprint(trials)}")
    return Imported(tuple(told), ignored, tuple(empty))


def _frame(source: Any) -> "pd.DataFrame":
    import pandas as pd

    if isinstance(source, pd.DataFrame):
        return source.copy()
    path = Path(source)
    if not path.is_file():
        raise InvalidInput("file", str(path), "There is no such file.")
    try:
        match path.suffix.lower():
            case ".csv" | ".txt" | ".tsv":
                return _text_table(path)
            case ".xlsx" | ".xlsm":
                return pd.read_excel(path)
            case ".parquet":
                return pd.read_parquet(path)
    except ImportError:
        raise InvalidInput(
            "file", str(path), f"Excel files need openpyxl: {install('excel')}."
        ) from None
    except InvalidInput:
        raise
    except (ValueError, OSError, csv.Error, BadZipFile) as error:
        raise InvalidInput("file", str(path), f"It cannot be read: {error}.") from None
    raise InvalidInput("file", str(path), "Let its name end in .csv, .xlsx or .parquet.")


def _text_table(path: Path) -> "pd.DataFrame":
    """All cells as strings; the parameters determine their meaning."""
    import pandas as pd

    with path.open(encoding="utf-8-sig", newline="") as file:
        heading = file.readline()
        separator = max(",;\t", key=heading.count)
        file.seek(0)
        lines = [line for line in csv.reader(file, delimiter=separator) if any(line)]
    for number, line in enumerate(lines, 1):
        if len(line) != len(lines[0]):
            raise InvalidInput(f"row {number}", line, f"Give {len(lines[0])} cells, as in row 1.")
    return pd.DataFrame(lines[1:], columns=lines[0] if lines else None, dtype=object)


def _check_columns(columns: list[str], wanted: list[str], outcomes: list[str]) -> None:
    twice = [column for column in columns if columns.count(column) > 1]
    if twice:
        raise InvalidInput("columns", twice[0], "Give every column a different name.")
    missing = [name for name in wanted if name not in columns]
    if missing:
        raise InvalidInput(
            "columns", columns, f"Missing: {', '.join(missing)}. Add or rename a column."
        )
    if not any(name in columns for name in outcomes):
        raise InvalidInput(
            "columns", columns, f"No outcome column: add or rename one to {', '.join(outcomes)}."
        )


def _absent(cell: object) -> bool:
    import pandas as pd

    return (
        cell is None or cell is pd.NaT or cell is pd.NA or cell != cell or str(cell).strip() == ""
    )


def _present(row: dict[Any, Any], name: str) -> object:
    if _absent(row[name]):
        raise InvalidInput(name, None, "Fill in every parameter, or leave the outcomes empty.")
    return row[name]


def _number(cell: object, row: int, column: str) -> float | None:
    if _absent(cell):
        return None
    try:
        return float(cell)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise InvalidInput(
            f"row {row}, column {column!r}", cell, "Give a number, or leave it empty."
        ) from None


def _actor(row: dict[Any, Any], actor: str) -> str:
    return actor if _absent(row.get("actor")) else str(row["actor"]).strip()


def _time(row: dict[Any, Any], number: int) -> datetime | None:
    cell = row.get("time")
    if _absent(cell):
        return None
    try:
        time = cell if isinstance(cell, datetime) else datetime.fromisoformat(str(cell).strip())
        return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except (ValueError, OverflowError):  # some zones have no UTC in the year 1
        raise InvalidInput(
            f"row {number}, column 'time'", cell, "Write times as 2026-05-01T14:30."
        ) from None


def _fingerprint(trials: list[PastTrial]) -> str:
    return hashlib.sha256(repr(trials).encode("utf-8", "surrogatepass")).hexdigest()[:24]
