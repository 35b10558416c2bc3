"""A whole study as one table, for CSV and Parquet: a row for the study, then one per fact.

Columns `value.x`, `context.x`, `loser.x`, `outcome.x`, `sem.x`, `term.x` hold what has a name of
its own; a comparison's winner stands under `value`. Reading gives back exactly what was written.
"""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args, get_type_hints

from counsel.errors import InvalidInput
from counsel.exchange import cells, format_1
from counsel.exchange.document import FORMAT, refuse_format
from counsel.facts import codec
from counsel.facts.records import Fact
from counsel.facts.summaries import Setup

__all__ = ["from_csv", "from_parquet", "to_csv", "to_parquet"]

Row = dict[str, Any]

_FIRST = ("place", "kind", "id", "actor", "time", "proposal", "fact", "decision", "reason")
_NAMED = {"values": "value", "winner": "value", "context": "context", "loser": "loser"}
_NAMED |= {"outcomes": "outcome", "sem": "sem", "terms": "term"}


def _rows(setup: Setup, facts: Iterable[Fact]) -> list[Row]:
    about = {"format": FORMAT, "setup": codec.write(setup)}
    start = {"place": 0, "kind": "study", "id": setup.name, "time": setup.created.isoformat()}
    rows: list[Row] = [{**start, "study": about}]
    for place, fact in enumerate(facts, 1):
        row: Row = {"place": place}
        for field, value in codec.write(fact).items():
            if field in _NAMED and value is not None:
                row |= {f"{_NAMED[field]}.{name}": each for name, each in value.items()}
            elif value is not None:
                row[field] = value
        rows.append(row)
    return rows


def _read(rows: list[Row]) -> tuple[Setup, list[Fact]]:
    if not rows or rows[0].get("kind") != "study" or not rows[0].get("study"):
        raise InvalidInput(
            "file",
            rows[:1],
            "Give a table that Counsel has exported; past trials are for a study that exists: "
            "`counsel import --trials`, or `import_trials`.",
        )
    about = rows[0]["study"]
    old = isinstance(about, Mapping) and about.get("counsel") == format_1.FORMAT
    if not old and (not isinstance(about, Mapping) or about.get("format") != FORMAT):
        refuse_format(about)
    found = [_fields(row) for row in sorted(rows[1:], key=lambda row: int(row["place"]))]
    if old:
        flat = {name: each for name, each in about.items() if name != "counsel"}
        setup = format_1.upgrade_setup(flat)
        found = [format_1.upgrade_fact(each) for each in found]
    else:
        setup = about.get("setup")
    return codec.read(Setup, setup), [codec.read_fact(each) for each in found]


_KINDS: dict[str, Any] = {kind._tag: kind for kind in get_args(Fact)}


def _absent(kind: Any) -> dict[str, Any]:
    """The fields of a kind that may be empty, with their values then."""
    hints = get_type_hints(kind)
    optional = {f.name: None for f in fields(kind) if type(None) in get_args(hints[f.name])}
    return {f.name: {} for f in fields(kind) if f.name in _NAMED} | optional


def _fields(row: Row) -> dict[str, Any]:
    """A fact's fields, as the codec writes them, from its row."""
    kind = row.get("kind")
    if kind not in _KINDS:
        raise InvalidInput("kind", kind, f"Use one of {', '.join(_KINDS)}.")
    found = _absent(_KINDS[kind])
    groups: dict[str, dict[str, Any]] = {}
    for column, value in row.items():
        group, dot, name = column.partition(".")
        if value is None or column in ("place", "study"):
            continue
        if dot:
            groups.setdefault(group, {})[name] = value
        else:
            found[column] = value
    for field, group in _NAMED.items():
        if field in found and group in groups:
            found[field] = groups.pop(group)
    if groups:
        raise InvalidInput(f"{next(iter(groups))}.*", row.get("id"), f"A {kind} has no such cells.")
    return found


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
    rows = []
    for line in reader:
        if len(line) != len(columns):
            raise InvalidInput(
                f"line {reader.line_num}",
                f"{len(line)} cells",
                f"The first line has {len(columns)}. This is not a table that `counsel export` "
                "wrote; a spreadsheet of past trials is imported with --trials.",
            )
        rows.append({column: cells.read(cell) for column, cell in zip(columns, line, strict=True)})
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
    """A column of one type; mixed types become cells as in CSV."""
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
        raise InvalidInput("file", str(path), f"This is not a Parquet file: {error}.") from None
    coded = json.loads((table.schema.metadata or {}).get(b"counsel.cells", b"[]"))
    rows = table.to_pylist()
    for row in rows:
        for column in coded:
            row[column] = None if row[column] is None else cells.read(row[column])
    return _read(rows)
