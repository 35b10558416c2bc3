"""Tables of values: arrays, DataFrames, lists of rows or dicts as named columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from counsel.errors import InvalidInput
from counsel.space.checks import match_names, one_of
from counsel.space.spelling import decimal_commas


def table_of(data: object, names: Sequence[str] | None) -> dict[str, Any]:
    """Any accepted data as name -> column of values, all of one length."""
    if names is not None and (isinstance(names, str) or not isinstance(names, Iterable)):
        raise InvalidInput("names", names, "Give a list of names.")
    wanted = None if names is None else list(names)
    if hasattr(data, "columns") and hasattr(data, "to_numpy"):
        frame: Any = data
        labels = _check_names([str(label) for label in frame.columns])
        series = dict(zip(labels, frame.columns, strict=True))
        chosen = labels if wanted is None else _check_names(wanted, labels)
        table = {name: frame[series[name]].to_numpy() for name in chosen}
        _refuse_commas(table, "read the file with decimal=',' (or thousands=',').")
    elif hasattr(data, "__array__"):
        array = np.asarray(data)
        if array.ndim != 2:
            raise InvalidInput("data", data, "Give a 2-D array: one row per arm.")
        if np.ma.is_masked(data):
            raise InvalidInput("data", data, "Drop or fill the masked entries.")
        chosen = _name_columns(array.shape[1], wanted)
        table = {name: array[:, j] for j, name in enumerate(chosen)}
    else:
        table = _table_of_rows(data, wanted)
    if not table or not len(next(iter(table.values()))):
        raise InvalidInput("data", data, "Give at least one arm with at least one coordinate.")
    return table


def _table_of_rows(data: object, names: list[Any] | None) -> dict[str, Any]:
    form = "Give a list of dicts or a list of rows of equal length, one per arm."
    if isinstance(data, (str, bytes, Mapping, set, frozenset)) or not isinstance(data, Iterable):
        raise InvalidInput("data", data, form)
    rows: list[Any] = list(data)
    if not rows:
        return {}
    if isinstance(rows[0], Mapping):
        keys = list(rows[0])
        chosen = _check_names(keys) if names is None else _check_names(names, keys)
        known = set(chosen)
        for i, row in enumerate(rows):
            if not isinstance(row, Mapping):
                raise InvalidInput(f"row {i}", row, "Give every row as a dict, or none.")
            if not known <= row.keys() or (names is None and len(row) > len(known)):
                given = row if names is None else {k: row[k] for k in chosen if k in row}
                match_names(f"row {i}", given, chosen)
        table = {name: [row[name] for row in rows] for name in chosen}
        _refuse_commas(table, "give numbers, with a decimal point.")
        return table
    # Rows without names are the form of stored arms, whose labels may be anything.
    for i, row in enumerate(rows):
        if isinstance(row, (str, bytes, Mapping)) or not hasattr(row, "__len__"):
            raise InvalidInput(f"row {i}", row, form)
        if len(row) != len(rows[0]):
            raise InvalidInput(f"row {i}", row, f"Give {len(rows[0])} values, as in row 0.")
    chosen = _name_columns(len(rows[0]), names)
    return {name: [row[j] for row in rows] for j, name in enumerate(chosen)}


def _refuse_commas(table: Mapping[str, Any], remedy: str) -> None:
    """Refuse numbers that are written with commas and would be taken for labels."""
    for name, column in table.items():
        text = not isinstance(column, np.ndarray) or column.dtype == object
        if text and decimal_commas(column, sure=False):
            raise InvalidInput(name, column[0], f"These are strings: {remedy}")


def _name_columns(count: int, names: list[Any] | None) -> list[str]:
    if names is None:
        return [f"x{j + 1}" for j in range(count)]
    if len(names) != count:
        raise InvalidInput("names", names, f"Give {count} names, one per column.")
    return _check_names(names)


def _check_names(names: list[Any], known: list[str] | None = None) -> list[str]:
    for name in names:
        if not isinstance(name, str) or not name:
            raise InvalidInput("names", name, "Give every name as a non-empty string.")
        if known is not None and name not in known:
            raise InvalidInput("names", name, one_of(name, known))
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidInput("names", twice, "Give every name once.")
    return names
