"""The JSON Schema of a study file, and of every record that a study takes or returns."""

import inspect
import typing
from typing import Any

from counsel.errors import InvalidInput
from counsel.exchange.document import StudyFile
from counsel.facts import codec
from counsel.facts.form import Record
from counsel.facts.summaries import Summary
from counsel.study.protocol import members

__all__ = ["records", "schema", "schemas"]


def records() -> dict[str, type[Record]]:
    """Every record by name: those in the signatures of `StudyLike`, and those in lists and files.

    The records of a new verb are found without being listed.
    """
    found: dict[str, type[Record]] = {}
    for each in (StudyFile, Summary):
        found[each.__name__] = each
    for name, member in members().items():
        function = member.fget if isinstance(member, property) else member
        if not name.startswith("_") and inspect.isfunction(function):
            for hint in _hints(function).values():
                _collect(hint, found)
    return dict(sorted(found.items()))


def schema(name: str) -> dict[str, Any]:
    known = records()
    if name not in known:
        raise InvalidInput("record", name, f"Choose one of {', '.join(known)}.")
    return codec.schema(known[name])


def schemas() -> dict[str, dict[str, Any]]:
    return codec.schemas(records().values())


def _hints(function: Any) -> dict[str, Any]:
    # pandas is imported for type checkers only, and a table is not a record.
    return typing.get_type_hints(function, localns={"pd": _Tables})


class _Tables:
    DataFrame = object


def _collect(hint: Any, found: dict[str, type[Record]]) -> None:
    if inspect.isclass(hint) and issubclass(hint, Record) and hint.__name__ not in found:
        found[hint.__name__] = hint
        for each in typing.get_type_hints(hint).values():
            _collect(each, found)
    for each in typing.get_args(hint):
        _collect(each, found)
