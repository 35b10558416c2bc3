"""A study's description as a database keeps it: the rows of its constraints, and its seal.

The seal is a hash of the rows. It shows that somebody edited a description, whatever the way in
which rows are read has become.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC
from typing import Any

from counsel.facts.problem import AnswerKind, Constraint

__all__ = ["COLUMNS", "constraint_from", "row_of", "seals"]

COLUMNS = ("name", "at_least", "at_most", "answer", "levels", "cost")
_NUMBERS = ("at_least", "at_most", "cost")


def row_of(constraint: Constraint) -> tuple[Any, ...]:
    """A constraint's columns: what it has by default is left empty."""
    default = Constraint(constraint.name, at_least=0.0)
    late = (
        None if getattr(constraint, name) == getattr(default, name) else getattr(constraint, name)
        for name in COLUMNS[3:]
    )
    # As floats: a database gives a threshold of 3 back as 3.0, and the seal must not differ.
    bounds = (
        None if bound is None else float(bound)
        for bound in (constraint.at_least, constraint.at_most)
    )
    return (constraint.name, *bounds, *late)


def constraint_from(
    name: str,
    at_least: float | None,
    at_most: float | None,
    answer: AnswerKind | None,
    levels: int | None,
    cost: float | None,
) -> Constraint:
    return Constraint(
        name, at_least, at_most, answer or "number", levels, 1.0 if cost is None else cost
    )


def seals(
    row: Mapping[str, Any], bounds: Iterable[Sequence[Any]], wanted: Iterable[Sequence[Any]]
) -> tuple[str, str]:
    """The hash of a study's description, and the one that earlier versions wrote where thresholds
    were given as whole numbers: a database gives those back as floats."""
    floats = [
        [
            float(value) if column in _NUMBERS and value is not None else value
            for column, value in zip(COLUMNS, bound, strict=True)
        ]
        for bound in bounds
    ]
    whole = [
        [
            int(value) if isinstance(value, float) and value.is_integer() else value
            for value in bound
        ]
        for bound in floats
    ]
    objectives = [
        [float(part) if isinstance(part, int) else part for part in each] for each in wanted
    ]
    return _seal(row, floats, objectives), _seal(row, whole, objectives)


def _seal(
    row: Mapping[str, Any], bounds: Iterable[Sequence[Any]], wanted: Sequence[Sequence[Any]]
) -> str:
    """A hash of a study's description as stored, because the way it is read may change."""
    names = ("name", "objective", "direction", "space", "policy_name", "policy", "seed")
    whole = [row[name] for name in names]
    # Columns that were added later are left out where they are empty: older seals stay right.
    whole += [row[name] for name in ("team", "team_version") if row[name] is not None]
    kept = [[*each[:3], *(part for part in each[3:] if part is not None)] for each in bounds]
    text = [whole, kept, row["created"].astimezone(UTC).isoformat()]
    text += [[wanted, row["tradeoff"]]] if wanted else []
    return hashlib.sha256(json.dumps(text, sort_keys=True).encode()).hexdigest()
