"""A whole study as one table, for CSV and Parquet: a row for the study, then one per fact.

Columns `value.x`, `context.x`, `loser.x`, `outcome.x`, `term.x` hold what has a name of its own; a
comparison's winner stands under `value`. Reading gives back exactly what was written.
"""

import csv
import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from counsel.errors import InvalidInput
from counsel.exchange import cells
from counsel.exchange.document import (
    FORMAT,
    fact_from_dict,
    fact_to_dict,
    setup_from_dict,
    setup_to_dict,
)
from counsel.facts.records import Fact, Setup

__all__ = ["from_csv", "from_parquet", "to_csv", "to_parquet"]

Row = dict[str, Any]

_FIRST = ("place", "kind", "id", "actor", "time", "proposal", "fact", "decision", "reason")
_NAMED = {"values": "value", "winner": "value", "context": "context", "loser": "loser"}
_NAMED |= {"outcomes": "outcome", "terms": "term"}


def _rows(setup: Setup, facts: Iterable[Fact]) -> list[Row]:
    about = {"counsel": FORMAT, **setup_to_dict(setup)}
    start = {"place": 0, "kind": "study", "id": setup.name, "time": setup.created.isoformat()}
    rows: list[Row] = [{**start, "study": about}]
    for place, fact in enumerate(facts, 1):
        row: Row = {"place": place}
        for field, value in fact_to_dict(fact).items():
            if field in _NAMED and value is not None:
                row |= {f"{_NAMED[field]}.{name}": each for name, each in value.items()}
            elif value is not None:
                row[field] = value
        rows.append(row)
    return rows


def _read(rows: list[Row]) -> tuple[Setup, list[Fact]]:
    if not rows or rows[0].get("kind") != "study" or not rows[0].get("study"):
        raise InvalidInput("file", rows[:1], "Give a table that Counsel has exported.")
    about = dict(rows[0]["study"])
    if about.pop("counsel", None) != FORMAT:
        raise InvalidInput("file", rows[:1], f"Give a file of Counsel's format {FORMAT}.")
    facts = [_fact(row) for row in sorted(rows[1:], key=lambda row: int(row["place"]))]
    return setup_from_dict(about), facts


# The fields of each kind that may be absent from its row, with what they then are.
_ABSENT: dict[str, dict[str, Any]] = {
    "proposal": {"values": {}, "context": {}, "terms": {}, "prediction": None, "note": ""},
    "decision": {"values": None, "reason": ""},
    "observation": {"values": {}, "context": {}, "outcomes": {}, "proposal": None},
    "comparison": {
        "winner": {},
        "loser": {},
        "context": {},
        "winner_proposal": None,
        "loser_proposal": None,
    },
    "revision": {"outcomes": {}, "reason": ""},
    "withdrawal": {"reason": ""},
}


def _fact(row: Row) -> Fact:
    kind = row.get("kind")
    if kind not in _ABSENT:
        raise InvalidInput("kind", kind, f"Use one of {', '.join(_ABSENT)}.")
    fields: dict[str, Any] = dict(_ABSENT[kind])
    groups: dict[str, dict[str, Any]] = {}
    for column, value in row.items():
        group, dot, name = column.partition(".")
        if value is None or column in ("place", "study"):
            continue
        if dot:
            groups.setdefault(group, {})[name] = value
        else:
            fields[column] = value
    for field, group in _NAMED.items():
        if group in groups and field in _ABSENT[kind]:
            fields[field] = groups[group]
    return fact_from_dict(fields)


def _columns(rows: list[Row]) -> list[str]:
    found = dict.fromkeys(column for row in rows for column in row)
    first = [column for column in _FIRST if column in found]
    plain = [c for c in found if "." not in c and c not in first and c != "study"]
    named = [column for column in found if "." in column]
    order = [f"{group}." for group in dict.fromkeys(_NAMED.values())]
    named.sort(key=lambda column: order.index(column.split(".")[0] + "."))
    return [*first, *named, *plain, "study"]


# ---- CSV ----------------------------------------------------------------------------------------


def to_csv(setup: Setup, facts: Iterable[Fact]) -> str:
    rows = _rows(setup, facts)
    columns = _columns(rows)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([cells.write(row.get(column)) for column in columns] for row in rows)
    return text.getvalue()


def from_csv(text: str) -> tuple[Setup, list[Fact]]:
    reader = csv.reader(io.StringIO(text))
    columns = next(reader, [])
    rows = [
        {column: cells.read(cell) for column, cell in zip(columns, line, strict=True)}
        for line in reader
    ]
    return _read(rows)


# ---- Parquet ------------------------------------------------------------------------------------


def to_parquet(setup: Setup, facts: Iterable[Fact], path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = _rows(setup, facts)
    arrays = {column: _array(pa, [row.get(column) for row in rows]) for column in _columns(rows)}
    marks = {b"counsel.cells": json.dumps([c for c, (_, coded) in arrays.items() if coded])}
    table = pa.table({column: array for column, (array, _) in arrays.items()})
    pq.write_table(table.replace_schema_metadata(marks), path)


def _array(pa: Any, values: list[Any]) -> tuple[Any, bool]:
    """A column of one type; where the values have several, of cells as in CSV."""
    kinds = {type(value) for value in values if value is not None}
    types = {bool: pa.bool_(), int: pa.int64(), float: pa.float64(), str: pa.string()}
    if len(kinds) == 1 and (kind := kinds.pop()) in types:
        return pa.array(values, type=types[kind]), False
    written = [None if value is None else cells.write(value) for value in values]
    return pa.array(written, type=pa.string()), True


def from_parquet(path: Path) -> tuple[Setup, list[Fact]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path)
    except (pa.ArrowInvalid, OSError) as error:
        raise InvalidInput("file", str(path), f"It is no Parquet file: {error}.") from None
    coded = json.loads((table.schema.metadata or {}).get(b"counsel.cells", b"[]"))
    rows = table.to_pylist()
    for row in rows:
        for column in coded:
            row[column] = None if row[column] is None else cells.read(row[column])
    return _read(rows)
