"""Past trials from a spreadsheet: one row each, a column per parameter and per outcome."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from counsel.errors import InvalidInput
from counsel.exchange import cells
from counsel.exchange.headings import check_headings, label_column, recognised
from counsel.exchange.spreadsheet import read_spreadsheet
from counsel.facts.checks import yes_or_no
from counsel.facts.records import Observation, PastTrial, Revision
from counsel.space import AnySpace, Arms, Space
from counsel.space.spelling import UNCLEAR, Unclear, tidied
from counsel.study import NOBODY, StudyLike

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Imported", "import_trials"]

_ROWS = 12  # rows that a sentence lists
_DAY_FIRST = ("%d.%m.%Y %H:%M:%S", "%d.%m.%Y %H:%M", "%d.%m.%Y")


@dataclass(frozen=True)
class Imported:
    """What an import recorded and what it left out."""

    observations: tuple[Observation, ...]  # those that are new
    ignored: tuple[str, ...]  # columns that are neither a parameter nor an outcome
    empty: tuple[int, ...]  # rows without any outcome, as the spreadsheet counts them
    known: int = 0  # rows that were there already
    revised: tuple[Revision, ...] = ()  # rows that say something else than they did
    retold: tuple[Observation, ...] = ()  # rows told anew, because they have other standard errors
    read_as: Mapping[str, str] = field(default_factory=dict)  # headings that are a name with a unit

    def sentence(self) -> str:
        """What came of it, in a line, and what was left out."""
        parts = [f"{self.known} already there", f"{len(self.observations)} new"]
        corrected = len(self.revised) + len(self.retold)
        parts += [f"{corrected} corrected"] if corrected else []
        text = ", ".join(parts) + "."
        text += f" Columns ignored: {', '.join(self.ignored)}." if self.ignored else ""
        return text + (f" {_without_outcome(self.empty)}" if self.empty else "")


def _without_outcome(rows: Sequence[int]) -> str:
    """`Row 8 has no outcome.`, `Rows 8 and 12 have no outcome.`"""
    if len(rows) == 1:
        return f"Row {rows[0]} has no outcome."
    some = [str(row) for row in rows[:_ROWS]]
    last = f"{len(rows) - _ROWS} others" if rows[_ROWS:] else some.pop()
    return f"Rows {', '.join(some)} and {last} have no outcome."


def import_trials(
    study: StudyLike,
    source: "str | Path | pd.DataFrame",
    *,
    rename: Mapping[str, str] | None = None,
    label: str | None = None,
    decimal: str | None = None,
    sheet: str | None = None,
    actor: str = NOBODY,
) -> Imported:
    """Tell a study about trials made before it began: all rows or, if one is refused, none.

    `source` is a CSV, Excel or Parquet file or a DataFrame; `sheet` names one of an Excel file's,
    the first by default. Columns are found by name, after `rename` ({"Lift": "lifting"}); a unit
    behind the name ("Lifting [N]") and capitals do not matter. Columns `actor` and `time` are taken
    if there are any, and "yield sem" as the standard error of the outcome "yield"; "sem" alone is
    that of the objective. Cells are separated by commas, semicolons or tabs, and numbers may have
    decimal commas. Where nothing in the table says whether 1,234 is 1.234 or 1234, the row is
    refused; `decimal` ("," or ".") says it. The label of an arm is enough to name it.

    A table that has grown can be imported again: a row that the study knows is left alone. Rows are
    recognised by the column `label`, or without one by all that they say. A row whose label is
    known and whose outcomes are others corrects what was told; one with other standard errors is
    told anew, and what was told before is withdrawn.
    """
    if decimal not in (None, ",", "."):
        raise InvalidInput("decimal", decimal, "Give ',' or '.', whichever separates decimals.")
    frame = read_spreadsheet(source, decimal, sheet)
    frame.columns = [str(column).strip() for column in frame.columns]
    written = list(frame.columns)
    frame = frame.rename(columns=dict(rename or {}))
    space, outcomes = study.problem.space, list(study.problem.outcomes)
    own = [*([space.label] if isinstance(space, Arms) and space.label else []), *space.names]
    errors = [f"{name} sem" for name in outcomes]
    names = [*own, *space.context_names, *outcomes, *errors]
    read_as = recognised(list(frame.columns), space, names)
    error = f"{study.problem.objective.name} sem"
    if error in errors and error not in {*frame.columns, *read_as.values()}:
        plain = [
            c for c in frame.columns if c.lower() == "sem" and c not in {*names, *read_as, label}
        ]
        read_as |= dict.fromkeys(plain[:1], error)
    frame = frame.rename(columns=read_as)
    columns = list(frame.columns)
    heading = dict(zip(columns, written, strict=True))  # messages name columns as the table does
    label = label_column(heading, label)
    check_headings(columns, _needed(space, columns), outcomes, written)
    about = [name for name in ("actor", "time") if name not in names]
    yes_no = {each.name for each in study.problem.constraints if each.answer == "yes/no"}
    trials: list[PastTrial] = []
    rows: list[int] = []
    empty: list[int] = []
    for place, row in zip(frame.index, frame.to_dict("records"), strict=True):
        number = int(place)  # as the spreadsheet counts it: row 1 is the heading
        found = {
            name: _outcome(row.get(name), number, heading.get(name, name), name in yes_no)
            for name in outcomes
        }
        measured = {name: value for name, value in found.items() if value is not None}
        if not measured:
            empty.append(number)
            continue
        try:
            values = space.validate(_values(space, row, own))
            given = {name: _value(space, row, name) for name in space.context_names}
            context = space.validate_context(given)
            name = "" if label is None else _name(row, label)
        except InvalidInput as error:
            cell = f", column {heading[error.field]!r}" if error.field in heading else ""
            raise InvalidInput(f"row {number}{cell}", error.value, error.remedy) from None
        said = {each: _error(row, each, number, heading) for each in measured}
        sem = {each: error for each, error in said.items() if error is not None}
        by = _actor(row, actor) if "actor" in about else actor
        when = _time(row, number, heading) if "time" in about else None
        trials.append(PastTrial(values, measured, context, by, when, sem, name))
        rows.append(number)
    used = {*names, *about, label, ""}
    ignored = tuple(column for column in columns if column not in used)
    sorted_ = _sorted(study, trials, rows)
    again = [trial for _, trial in sorted_.other_errors]
    told, revised = _written(study, sorted_, [*sorted_.new, *again])
    count = len(sorted_.new)
    return Imported(
        observations=tuple(told[:count]),
        ignored=ignored,
        empty=tuple(empty),
        known=len(trials) - len(told) - len(revised),
        revised=tuple(revised),
        retold=tuple(told[count:]),
        read_as=read_as,
    )


def _written(
    study: StudyLike, rows: "_Sorted", trials: list[PastTrial]
) -> tuple[list[Observation], list[Revision]]:
    """All rows that say something new, at once; on a server, corrections follow one by one."""
    reason = "The imported table says otherwise now."
    key = f"import {_fingerprint(trials)} after {len(study.observations)}"
    together = getattr(study, "_tell_and_correct", None)
    if together is not None and (rows.changed or rows.other_errors):
        anew = [known for known, _ in rows.other_errors]
        said = [*trials, *(trial for _, trial in rows.changed)]
        key = f"import {_fingerprint(said)} after {len(study.facts)} facts"
        found: tuple[list[Observation], list[Revision]]
        found = together(trials, anew, rows.changed, reason, key)
        return found
    told = study.tell_many(trials, idempotency_key=key)
    for known, trial in rows.other_errors:
        study.withdraw(known, actor=trial.actor, reason=reason)
    return told, [
        study.revise(known, trial.outcomes, actor=trial.actor, reason=reason)
        for known, trial in rows.changed
    ]


class _Sorted(NamedTuple):
    """Trials that a study does not know, and those that it knows otherwise."""

    new: list[PastTrial]
    changed: list[tuple[Observation, PastTrial]]
    other_errors: list[tuple[Observation, PastTrial]]


def _sorted(study: StudyLike, trials: list[PastTrial], rows: list[int]) -> _Sorted:
    labelled = {each.label: each for each in study.observations if each.label}
    # A column of whole numbers with a gap was once read as 17.0.
    labelled = {each.removesuffix(".0"): known for each, known in labelled.items()} | labelled
    alike: dict[str, list[Observation]] = {}
    for each in reversed(study.observations):
        alike.setdefault(_content(each), []).append(each)
    found = _Sorted([], [], [])
    seen: dict[str, int] = {}
    for trial, row in zip(trials, rows, strict=True):
        if trial.label in seen:
            raise InvalidInput(
                f"row {row}", trial.label, f"Row {seen[trial.label]} has this label: give each one."
            )
        if trial.label:
            seen[trial.label] = row
            known = labelled.get(trial.label)
        else:
            same = alike.get(_content(trial))
            known = same.pop() if same else None
        if known is None:
            found.new.append(trial)
        elif dict(known.values) != trial.values or dict(known.context) != (trial.context or {}):
            raise InvalidInput(
                f"row {row}",
                trial.values,
                f"{trial.label} was made at {dict(known.values)}: withdraw {known.id}, or give the "
                "row another label.",
            )
        elif any(known.sem.get(name) != error for name, error in trial.sem.items()):
            found.other_errors.append((known, trial))
        elif any(known.outcomes.get(name) != value for name, value in trial.outcomes.items()):
            found.changed.append((known, trial))
    return found


def _content(trial: Observation | PastTrial) -> str:
    """All that a trial says, as one string."""
    return repr(
        [sorted(each.items()) for each in (trial.values, trial.context or {}, trial.outcomes)]
    )


def _needed(space: AnySpace, columns: list[str]) -> list[str]:
    """The columns that a table must have: all parameters, or the label of arms."""
    own: Sequence[str] = space.names
    if isinstance(space, Arms):
        own = () if space.label in columns else space.names
    else:
        own = [name for name in space.names if space.parameters[name].when is None]
    return [*own, *space.context_names]


def _values(space: AnySpace, row: dict[Any, Any], names: list[str]) -> dict[str, object]:
    """What a row says of the parameters.

    An arm may be given by its label alone; a parameter that need not exist may be left empty.
    """
    conditional = isinstance(space, Space) and space.conditional
    labelled = isinstance(space, Arms) and not _absent(row.get(space.label))
    if isinstance(space, Arms) and not labelled and not {*space.names} <= row.keys():
        raise InvalidInput(str(space.label), None, "Name the arm, or leave the outcomes empty.")
    return {
        name: _value(space, row, name)
        for name in names
        if not (_absent(row.get(name)) and (conditional or labelled or name not in space.names))
    }


def _absent(cell: object) -> bool:
    import pandas as pd

    return (
        cell is None or cell is pd.NaT or cell is pd.NA or cell != cell or str(cell).strip() == ""
    )


def _name(row: dict[Any, Any], label: str) -> str:
    """What a row is called: 17 where a column of whole numbers with gaps holds 17.0."""
    if _absent(row[label]):
        raise InvalidInput(label, None, "Give every row with an outcome a label.")
    cell = row[label]
    return str(int(cell) if isinstance(cell, float) and cell.is_integer() else cell).strip()


def _present(row: dict[Any, Any], name: str) -> object:
    if _absent(row[name]):
        raise InvalidInput(name, None, "Fill in every parameter, or leave the outcomes empty.")
    return row[name]


def _value(space: AnySpace, row: dict[Any, Any], name: str) -> object:
    """What a cell means for a parameter or context variable."""
    given = _present(row, name)
    if isinstance(space, Arms) and name == space.label:
        return _name(row, name)
    if isinstance(given, Unclear) and not cells.has_labels(space, name):
        raise InvalidInput(name, str(given), UNCLEAR)
    return cells.value_of(space, name, given)


def _error(
    row: dict[Any, Any], outcome: str, number: int, heading: Mapping[str, str]
) -> float | None:
    column = f"{outcome} sem"
    return _number(row.get(column), number, heading.get(column, column))


def _outcome(cell: object, row: int, column: str, yes_no: bool) -> float | None:
    if not yes_no:
        return _number(cell, row, column)
    said = yes_or_no(cell)
    if said is not None:
        return said
    return _number(cell, row, column, "Give yes or no (or 1 or 0), or leave it empty.")


def _number(
    cell: object, row: int, column: str, remedy: str = "Give a number, or leave it empty."
) -> float | None:
    if _absent(cell):
        return None
    if isinstance(cell, Unclear):
        raise InvalidInput(f"row {row}, column {column!r}", str(cell), UNCLEAR)
    try:
        return float(tidied(cell) if isinstance(cell, str) else cell)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise InvalidInput(f"row {row}, column {column!r}", cell, remedy) from None


def _actor(row: dict[Any, Any], actor: str) -> str:
    return actor if _absent(row.get("actor")) else str(row["actor"]).strip()


def _time(row: dict[Any, Any], number: int, heading: Mapping[str, str]) -> datetime | None:
    cell = row.get("time")
    if _absent(cell):
        return None
    try:
        time = cell if isinstance(cell, datetime) else _moment(str(cell).strip())
        return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except (ValueError, OverflowError):  # some zones have no UTC in the year 1
        raise InvalidInput(
            f"row {number}, column {heading['time']!r}", cell, "Write times as 2026-05-01T14:30."
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
