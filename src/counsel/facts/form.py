"""How records become JSON: pydantic's hooks, and the types pydantic does not know.

A record's JSON object has its fields by name, and also

    kind      what it is, for records with a `_tag`: all facts
    derived   what `_derived` names: written for readers, ignored when read

`_renamed` gives a field another name in JSON. Fields that `_late` names came later and are written
only where they differ from their default, so that what is alike is written alike. Reading is
strict: an unknown or missing field, a value of another type, NaN and infinity are refused.

pydantic is imported inside the hooks, which only the codec calls: records load without it.
"""

import dataclasses
import functools
import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar, NoReturn

import numpy as np
from numpy.typing import NDArray

from counsel.errors import InvalidInput
from counsel.facts.cards import Card
from counsel.space import AnySpace, space_from_dict, space_schema

__all__ = [
    "AnyFloat",
    "ByKind",
    "Cube",
    "FirstOf",
    "Frozen",
    "Matrix",
    "Moment",
    "Record",
    "Scalar",
    "SpaceForm",
    "Vector",
    "freeze",
]

_SCALARS = {"str", "int", "float", "bool"}


class Record:
    """Base class of the frozen records that the codec writes and reads."""

    __slots__ = ()
    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid", "allow_inf_nan": False}
    _tag: ClassVar[str] = ""
    _renamed: ClassVar[Mapping[str, str]] = {}
    _derived: ClassVar[tuple[str, ...]] = ()
    _late: ClassVar[tuple[str, ...]] = ()

    def card(self) -> Card | None:
        """What a person sees of the record; None where its fields are all there is to see."""
        return None

    def __str__(self) -> str:
        card = self.card()
        return repr(self) if card is None else card.text()

    def _repr_html_(self) -> str | None:
        card = self.card()
        return None if card is None else card.html()

    @classmethod
    @functools.cache
    def json_names(cls) -> Mapping[str, bool]:
        """The names of the fields in JSON, and whether each must be given."""
        return {
            cls._renamed.get(field.name, field.name): field.default is dataclasses.MISSING
            and field.default_factory is dataclasses.MISSING
            for field in dataclasses.fields(cls)  # type: ignore[arg-type]
        }

    @classmethod
    def _read(cls, data: Any) -> Any:
        """The fields by their own names, from a JSON object; a record passes as it is."""
        if isinstance(data, cls):
            return data
        what = cls._tag or re.sub(r"(?<=[a-z])(?=[A-Z])", " ", cls.__name__).lower()
        if not isinstance(data, Mapping):
            raise InvalidInput("", data, f"Give a JSON object that describes a {what}.")
        names = cls.json_names()
        given = {name: each for name, each in data.items() if name not in cls._derived}
        if cls._tag and given.pop("kind", None) != cls._tag:
            raise InvalidInput("kind", data.get("kind"), f"Give the kind {cls._tag!r}.")
        for name in given:
            if name not in names:
                allowed = ", ".join([*(["kind"] if cls._tag else []), *names])
                raise InvalidInput(
                    str(name), given[name], f"Unknown field. A {what} has {allowed}."
                )
        for name, needed in names.items():
            if needed and name not in given:
                raise InvalidInput(name, None, f"Missing. Every {what} has this field.")
        for name, json in cls._renamed.items():
            if json in given:
                given[name] = given.pop(json)
        return given

    def _write(self, handler: Any) -> dict[str, Any]:
        fields = handler(self)
        for field in dataclasses.fields(self) if self._late else ():  # type: ignore[arg-type]
            if field.name in self._late and getattr(self, field.name) == field.default:
                fields.pop(field.name, None)
        if self._renamed:
            fields = {self._renamed.get(name, name): each for name, each in fields.items()}
        written = {"kind": self._tag, **fields} if self._tag else fields
        for name in self._derived:
            found = getattr(self, name)
            written[name] = found() if callable(found) else found
        return written

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        inner = dict(handler.resolve_ref_schema(handler(source)))
        _make_strict(inner)
        # The name goes to the whole: a record's second mention refers to it and skips this hook.
        return core_schema.no_info_before_validator_function(
            cls._read,
            inner,
            ref=inner.pop("ref", None),
            serialization=core_schema.wrap_serializer_function_ser_schema(_written),
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> Any:
        schema = handler(core)
        found = handler.resolve_ref_schema(schema)
        fields = {cls._renamed.get(name, name): each for name, each in found["properties"].items()}
        kind = {"kind": {"const": cls._tag, "title": "Kind", "type": "string"}} if cls._tag else {}
        derived: dict[str, Any] = {name: {"readOnly": True} for name in cls._derived}
        found["properties"] = {**kind, **fields, **derived}
        needed = [name for name, needed in cls.json_names().items() if needed]
        found["required"] = [*kind, *needed]
        found["additionalProperties"] = False
        return schema


class Frozen(dict[str, Any]):
    """A read-only dict that can be pickled, copied and written as JSON.

    Python's own read-only view, MappingProxyType, supports none of the three.
    """

    def _refuse(self, *args: object, **kwargs: object) -> NoReturn:
        raise TypeError("Facts are read-only. Copy the mapping with dict(...) to change it.")

    __setitem__ = __delitem__ = update = setdefault = pop = popitem = clear = __ior__ = _refuse

    def __reduce__(self) -> tuple[type, tuple[dict[str, Any]]]:
        return type(self), (dict(self),)


def freeze(record: object, *names: str) -> None:
    """Make the named mappings of a frozen record read-only as well."""
    for name in names:
        value = getattr(record, name)
        if value is not None:
            object.__setattr__(record, name, Frozen(value))


def _written(record: Record, handler: Any) -> dict[str, Any]:
    return record._write(handler)


def _make_strict(schema: Any) -> None:
    """Accept numbers as numbers and strings as strings, never one for the other.

    pydantic's own strict mode also refuses lists for tuples, and JSON has no tuples.
    """
    if isinstance(schema, dict):
        if schema.get("type") in _SCALARS:
            schema["strict"] = True
        for each in schema.values():
            _make_strict(each)
    elif isinstance(schema, list):
        for each in schema:
            _make_strict(each)


# ---- types that pydantic does not know
# -------------------------------------------------------------


class _Form:
    """A type with a form of its own: how it is read, how it is written, and its JSON Schema."""

    def read(self, data: Any) -> Any:
        raise NotImplementedError

    def write(self, value: Any) -> Any:
        return value

    def schema(self) -> dict[str, Any]:
        raise NotImplementedError

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        as_it_is = type(self).write is _Form.write
        writing = None if as_it_is else core_schema.plain_serializer_function_ser_schema(self.write)
        return core_schema.no_info_plain_validator_function(self.read, serialization=writing)

    def __get_pydantic_json_schema__(self, core: Any, handler: Any) -> Any:
        return self.schema()


class _Scalar(_Form):
    """A string, a finite number or a boolean; 1, 1.0 and True are distinct."""

    def read(self, data: Any) -> Any:
        if not isinstance(data, str | int | float | bool):
            raise InvalidInput("", data, "Give a string, a number or a boolean.")
        if isinstance(data, float) and not _finite(data):
            raise InvalidInput("", data, "Give a finite number.")
        return data

    def schema(self) -> dict[str, Any]:
        return {"type": ["string", "number", "boolean"]}


class _Moment(_Form):
    """A time with its zone, in ISO 8601; converted to UTC."""

    def read(self, data: Any) -> datetime:
        try:
            time = data if isinstance(data, datetime) else datetime.fromisoformat(data)
            if time.tzinfo is not None:
                return time.astimezone(UTC)
        except (TypeError, ValueError, OverflowError):  # some zones have no UTC in the year 1
            pass
        raise InvalidInput("", data, "Write times as 2026-05-01T14:30:00+00:00.")

    def write(self, value: datetime) -> str:
        return value.isoformat()

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "format": "date-time"}


class _Numbers(_Form):
    """An array of finite numbers, written as lists."""

    def __init__(self, axes: int) -> None:
        self._axes = axes

    def read(self, data: Any) -> NDArray[np.float64]:
        _check_numbers(data, self._axes)
        try:
            array = np.array(data, dtype=np.float64)
        except ValueError:
            raise InvalidInput("", data, "Give rows of equal length.") from None
        return array if array.ndim == self._axes else array.reshape((0,) * self._axes)

    def write(self, value: NDArray[np.float64]) -> Any:
        return np.asarray(value).tolist()

    def schema(self) -> dict[str, Any]:
        found: dict[str, Any] = {"type": "number"}
        for _ in range(self._axes):
            found = {"type": "array", "items": found}
        return found


def _check_numbers(data: Any, axes: int) -> None:
    if axes:
        if not isinstance(data, list | tuple | np.ndarray):
            raise InvalidInput("", data, "Give a list.")
        for each in data:
            _check_numbers(each, axes - 1)
    elif isinstance(data, bool) or not isinstance(data, int | float) or not _finite(data):
        raise InvalidInput("", data, "Give a finite number.")


def _finite(number: int | float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:  # an integer too large for a float
        return False


class _AnyFloat(_Form):
    """A number that may be infinite, written as null: JSON has no infinity."""

    def read(self, data: Any) -> float:
        if data is None:
            return math.inf
        if isinstance(data, bool) or not isinstance(data, int | float) or not _finite(data):
            raise InvalidInput("", data, "Give a finite number, or null for infinity.")
        return float(data)

    def write(self, value: float) -> float | None:
        return value if math.isfinite(value) else None

    def schema(self) -> dict[str, Any]:
        return {"type": ["number", "null"]}


class _Space(_Form):
    """A box or arms, as `space.to_dict` describes them."""

    def read(self, data: Any) -> AnySpace:
        return data if isinstance(data, AnySpace) else space_from_dict(data)

    def write(self, value: AnySpace) -> dict[str, Any]:
        return value.to_dict()

    def schema(self) -> dict[str, Any]:
        return space_schema()


class FirstOf:
    """A union of forms for one value: the first that fits is used."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        schema = handler(source)
        union = schema["schema"] if schema["type"] == "nullable" else schema
        union["mode"] = "left_to_right"
        return schema


class ByKind:
    """A union of tagged records: `kind` selects one."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from typing import get_args

        from pydantic_core import core_schema

        kinds = {kind._tag: kind for kind in get_args(source)}

        def kind_of(data: Any) -> str:
            if isinstance(data, Record):
                return data._tag
            return str(data.get("kind") if isinstance(data, Mapping) else data)

        return core_schema.tagged_union_schema(
            {tag: handler.generate_schema(kind) for tag, kind in kinds.items()}, kind_of
        )


Scalar = Annotated[str | int | float | bool, _Scalar()]
Moment = Annotated[datetime, _Moment()]
Vector = Annotated[NDArray[np.float64], _Numbers(1)]
Matrix = Annotated[NDArray[np.float64], _Numbers(2)]
Cube = Annotated[NDArray[np.float64], _Numbers(3)]
AnyFloat = Annotated[float, _AnyFloat()]
SpaceForm = Annotated[AnySpace, _Space()]
