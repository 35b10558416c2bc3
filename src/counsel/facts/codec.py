"""The one JSON form of every record, and back.

    write(record)             plain data: dicts, lists, strings, numbers, booleans and None
    read(Proposal, data)      the record, or InvalidInput with the field, the value and the remedy
    schema(Proposal)          the JSON Schema of that form

`form.py` says what the form is. REST, the client, `--json`, files and the page's downloads all go
through here; nothing else turns records into JSON.
"""

import functools
import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import numpy as np

from counsel.errors import InvalidInput
from counsel.facts.form import ByKind, Record
from counsel.facts.records import Fact

if TYPE_CHECKING:
    from pydantic import TypeAdapter, ValidationError

__all__ = [
    "AnyFact",
    "from_text",
    "read",
    "read_fact",
    "remedy",
    "schema",
    "schemas",
    "to_text",
    "write",
]

T = TypeVar("T")
AnyFact = Annotated[Fact, ByKind()]

# What to do about each kind of error that a check finds; numbers and names are filled in.
_REMEDIES = {
    "string_type": "Give a string.",
    "string_too_long": "Give at most {max_length} characters.",
    "string_too_short": "Give a string that is not empty.",
    "string_pattern_mismatch": "Give a string that matches {pattern}.",
    "int_type": "Give a whole number.",
    "int_from_float": "Give a whole number.",
    "int_parsing": "Give a whole number.",
    "int_parsing_size": "Give a whole number with fewer digits.",
    "float_type": "Give a number.",
    "float_parsing": "Give a number.",
    "finite_number": "Give a finite number.",
    "greater_than": "Give a number above {gt}.",
    "greater_than_equal": "Give {ge} or more.",
    "less_than": "Give a number below {lt}.",
    "less_than_equal": "Give {le} or less.",
    "bool_type": "Give true or false.",
    "bool_parsing": "Give true or false.",
    "literal_error": "Use {expected}.",
    "list_type": "Give a list.",
    "tuple_type": "Give a list.",
    "too_long": "Give at most {max_length} of them, not {actual_length}.",
    "dict_type": "Give a JSON object.",
    "mapping_type": "Give a JSON object.",
    "model_type": "Give a JSON object.",
    "model_attributes_type": "Give a JSON object.",
    "dataclass_type": "Give a JSON object.",
    "missing": "It is required: give it.",
    "extra_forbidden": "There is no such field. Correct its name, or leave it out.",
}


@functools.cache
def _adapter(of: Any) -> "TypeAdapter[Any]":
    from pydantic import TypeAdapter

    return TypeAdapter(of)


def write(value: Any) -> Any:
    """Turn a record, or records in lists, tuples and dicts, into plain data."""
    match value:
        case Record():
            kind: Any = type(value)
            return _adapter(kind).dump_python(value, mode="json")
        case np.ndarray() | np.generic():
            return value.tolist()
        case Mapping():
            return {name: write(each) for name, each in value.items()}
        case list() | tuple():
            return [write(each) for each in value]
    return value


def read(of: type[T], data: Any) -> T:
    """Read a record from plain data."""
    found: T = _read(of, data)
    return found


def read_fact(data: Any) -> Fact:
    """Read a fact from plain data; its `kind` selects the record."""
    found: Fact = _read(AnyFact, data)
    return found


_text = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def to_text(value: Any, *, indent: int | None = None) -> str:
    if indent is None:
        return _text(write(value))
    return json.dumps(write(value), indent=indent, ensure_ascii=False, allow_nan=False)


def from_text(what: str, text: str | bytes) -> Any:
    """Parse JSON into plain data; `what` names the input in an error."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(what, text, f"This is not valid JSON: {error}.") from None


def schema(of: Any) -> dict[str, Any]:
    """The JSON Schema of a record's form."""
    found = _adapter(of).json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **found}


def schemas(records: Iterable[type[Record]]) -> dict[str, dict[str, Any]]:
    """The schemas of several records, by name."""
    return {record.__name__: schema(record) for record in records}


def remedy(found: Mapping[str, Any]) -> str:
    """What to do about an error that pydantic found."""
    known = _REMEDIES.get(found["type"])
    return f"{found['msg']}." if known is None else known.format(**found.get("ctx") or {})


def _read(of: Any, data: Any) -> Any:
    from pydantic import ValidationError

    try:
        return _adapter(of).validate_python(data)
    except ValidationError as error:
        refused = _refused(error)
    raise refused


def _refused(error: "ValidationError") -> InvalidInput:
    """The first error as a sentence."""
    found: Any = error.errors(include_url=False)[0]
    own = found.get("ctx", {}).get("error")
    place = [str(part) for part in found["loc"]]
    if isinstance(own, InvalidInput):
        field = ".".join([*place, own.field] if own.field else place)
        return InvalidInput(field or "value", own.value, own.remedy)
    if found["type"] == "union_tag_invalid":
        kinds = found["ctx"]["expected_tags"].replace("'", "")
        return InvalidInput(".".join([*place, "kind"]), found["ctx"]["tag"], f"Use one of {kinds}.")
    return InvalidInput(".".join(place) or "value", found["input"], remedy(found))
