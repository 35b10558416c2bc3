"""Past trials from a spreadsheet: one row each, a column per parameter and per outcome."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from counsel.errors import InvalidInput
from counsel.exchange import cells
from counsel.exchange.spreadsheet import read_spreadsheet
from counsel.facts.records import Observation, PastTrial, Revision
from counsel.space import AnySpace
from counsel.space.spelling import UNCLEAR, Unclear
from counsel.study import NOBODY, StudyLike

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Imported", "import_trials"]

_DAY_FIRST = ("%d.%m.%Y %H:%M:%S", "%d.%m.%Y %H:%M", "%d.%m.%Y")


@dataclass(frozen=True)
class Imported:
    """What an import recorded and what it left out."""

    observations: tuple[Observation, ...]  # those that are new
    ignored: tuple[str, ...]  # columns that are neither a parameter nor an outcome
    empty: tuple[int, ...]  # rows without any outcome, as the spreadsheet counts them
    known: int = 0  # rows that were there already
    revised: tuple[Revision, ...] = ()  # rows that say something else than they did

    def sentence(self) -> str:
        """What came of it, in a line."""
        parts = [f"{self.known} already there", f"{len(self.observations)} new"]
        parts += [f"{len(self.revised)} corrected"] if self.revised else []
        return ", ".join(parts) + "."


def import_trials(
    study: StudyLike,
    source: "str | Path | pd.DataFrame",
    *,
    rename: Mapping[str, str] | None = None,
    label: str | None = None,
    decimal: str | None = None,
    actor: str = NOBODY,
) -> Imported:
    """Tell a study about trials made before it began: all rows or, if one is refused, none.

    `source` is a CSV, Excel or Parquet file or a DataFrame. Columns are found by name, after
    `rename` ({"Lift [N]": "lifting"}); columns `actor` and `time` are taken if there are any, and
    "yield sem" as the standard error of the outcome "yield". Cells are separated by commas,
    semicolons or tabs, and numbers may have decimal commas. Where nothing in the table says whether
    1,234 is 1.234 or 1234, the row is refused; `decimal` ("," or ".") says it.

    A table that has grown can be imported again: a row that the study knows is left alone. Rows are
    recognised by the column `label`, or without one by all that they say. A row whose label is
    known and whose outcomes are others corrects what was told.
    """
    if decimal not in (None, ",", "."):
        raise InvalidInput("decimal", decimal, "Give ',' or '.', whichever separates decimals.")
    frame = read_spreadsheet(source, decimal)
    frame.columns = [str(column).strip() for column in frame.columns]
    frame = frame.rename(columns=dict(rename or {}))
    problem = study.problem
    space, outcomes = problem.space, list(problem.outcomes)
    wanted = [*space.names, *space.context_names]
    _check_columns(list(frame.columns), wanted, outcomes, label)
    trials: list[PastTrial] = []
    rows: list[int] = []
    empty: list[int] = []
    for number, row in enumerate(frame.to_dict("records"), 2):  # row 1 is the heading
        found = {name: _number(row[name], number, name) for name in outcomes if name in row}
        measured = {name: value for name, value in found.items() if value is not None}
        if not measured:
            empty.append(number)
            continue
        try:
            given = {name: _value(space, row, name) for name in wanted}
            values = space.validate({name: given[name] for name in space.names})
            context = space.validate_context({name: given[name] for name in space.context_names})
        except InvalidInput as error:
            raise InvalidInput(
                f"row {number}, column {error.field!r}", error.value, error.remedy
            ) from None
        errors = {name: _number(row.get(f"{name} sem"), number, f"{name} sem") for name in measured}
        sem = {name: error for name, error in errors.items() if error is not None}
        name = "" if label is None else str(_present(row, label)).strip()
        by, when = _actor(row, actor), _time(row, number)
        trials.append(PastTrial(values, measured, context, by, when, sem, name))
        rows.append(number)
    used = {*wanted, *outcomes, *(f"{name} sem" for name in outcomes), "actor", "time", label}
    ignored = tuple(column for column in frame.columns if column not in used)
    new, changed = _sorted(study, trials, rows)
    key = f"import {_fingerprint(new)} after {len(study.observations)}"
    told = study.tell_many(new, idempotency_key=key)
    reason = "The imported table says otherwise now."
    revised = [
        study.revise(known, trial.outcomes, actor=trial.actor, reason=reason)
        for known, trial in changed
    ]
    known = len(trials) - len(new) - len(changed)
    return Imported(tuple(told), ignored, tuple(empty), known, tuple(revised))


def _sorted(
    study: StudyLike, trials: list[PastTrial], rows: list[int]
) -> tuple[list[PastTrial], list[tuple[Observation, PastTrial]]]:
    """The trials that the study does not know, and those that it knows otherwise."""
    labelled = {each.label: each for each in study.observations if each.label}
    alike = Counter(_content(each) for each in study.observations)
    new: list[PastTrial] = []
    changed: list[tuple[Observation, PastTrial]] = []
    seen: dict[str, int] = {}
    for trial, row in zip(trials, rows, strict=True):
        if not trial.label:
            content = _content(trial)
            if alike[content]:
                alike[content] -= 1
            else:
                new.append(trial)
            continue
        if trial.label in seen:
            raise InvalidInput(
                f"row {row}", trial.label, f"Row {seen[trial.label]} has this label: give each one."
            )
        seen[trial.label] = row
        known = labelled.get(trial.label)
        if known is None:
            new.append(trial)
        elif dict(known.values) != trial.values or dict(known.context) != (trial.context or {}):
            raise InvalidInput(
                f"row {row}",
                trial.values,
                f"{trial.label} was made at {dict(known.values)}: withdraw {known.id}, or give the "
                "row another label.",
            )
        elif dict(known.outcomes) != trial.outcomes:
            changed.append((known, trial))
    return new, changed


def _content(trial: Observation | PastTrial) -> str:
    """All that a trial says, as one string."""
    return repr(
        [sorted(each.items()) for each in (trial.values, trial.context or {}, trial.outcomes)]
    )


def _check_columns(
    columns: list[str], wanted: list[str], outcomes: list[str], label: str | None
) -> None:
    if label is not None and label not in columns:
        raise InvalidInput("label", label, f"Name one of the columns: {', '.join(columns)}.")
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


def _value(space: AnySpace, row: dict[Any, Any], name: str) -> object:
    """What a cell means for a parameter or context variable."""
    given = _present(row, name)
    if isinstance(given, Unclear) and not cells.has_labels(space, name):
        raise InvalidInput(name, str(given), UNCLEAR)
    return cells.value_of(space, name, given)


def _number(cell: object, row: int, column: str) -> float | None:
    if _absent(cell):
        return None
    if isinstance(cell, Unclear):
        raise InvalidInput(f"row {row}, column {column!r}", str(cell), UNCLEAR)
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
        time = cell if isinstance(cell, datetime) else _moment(str(cell).strip())
        return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except (ValueError, OverflowError):  # some zones have no UTC in the year 1
        raise InvalidInput(
            f"row {number}, column 'time'", cell, "Write times as 2026-05-01T14:30."
        ) from None


def _moment(text: str) -> datetime:
    """ISO 8601, or day first with points: 01.05.2026 14:30."""
    for form in _DAY_FIRST:
        try:
            return datetime.strptime(text, form)
        except ValueError:
            continue
    return datetime.fromisoformat(text)


def _fingerprint(trials: list[PastTrial]) -> str:
    return hashlib.sha256(repr(trials).encode("utf-8", "surrogatepass")).hexdigest()[:24]
