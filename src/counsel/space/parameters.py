"""Parameters: a real number, a whole number, one of several choices; each scaled to [0, 1]."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, fields
from typing import Any, ClassVar, TypeAlias, get_type_hints

import numpy as np

from counsel.errors import InvalidInput
from counsel.space.checks import (
    SLACK,
    Array,
    Label,
    finite_number,
    is_label,
    one_of,
    same_label,
    to_native,
    unit_vector,
    whole_number,
)

_INT_LIMIT = 10**12  # beyond this a logarithm in 64 bits no longer tells neighbours apart
_GRID_LIMIT = 10_000


@dataclass(frozen=True, slots=True)
class Float:
    """A real number in [low, high]; ``log=True`` searches its logarithm."""

    low: float
    high: float
    log: bool = False

    width: ClassVar[int] = 1
    discrete: ClassVar[bool] = False
    count: ClassVar[None] = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "low", finite_number("low", self.low, "Give a finite number."))
        object.__setattr__(self, "high", finite_number("high", self.high, "Give a finite number."))
        _check_bounds(self)

    def validate(self, name: str, value: object) -> float:
        """The value as a float inside the bounds, or InvalidInput."""
        remedy = f"Give a finite number between {self.low} and {self.high}."
        number = finite_number(name, value, remedy)
        span = self.high - self.low
        below, above = (self.low, self.high) if self.log else (span, span)
        if not self.low - SLACK * below <= number <= self.high + SLACK * above:
            raise InvalidInput(name, value, remedy)
        return min(max(number, self.low), self.high)

    def encode(self, value: object) -> Array:
        return self._columns([self.validate("value", value)]).ravel()

    def decode(self, u: object) -> float:
        return min(max(_unscaled(self, u), self.low), self.high)

    def grid(self) -> Array:
        raise InvalidInput("grid", self, "A Float has no grid; use Int, Categorical or Arms.")

    def _columns(self, values: Sequence[Any]) -> Array:
        return _scaled(self, values)


@dataclass(frozen=True, slots=True)
class Int:
    """A whole number in [low, high], both included; ``log=True`` searches its logarithm."""

    low: int
    high: int
    log: bool = False

    width: ClassVar[int] = 1
    discrete: ClassVar[bool] = True

    def __post_init__(self) -> None:
        remedy = f"Give a whole number of size at most {_INT_LIMIT}, or use Float."
        for field in ("low", "high"):
            value = getattr(self, field)
            number = whole_number(field, value, remedy)
            if abs(number) > _INT_LIMIT:
                raise InvalidInput(field, value, remedy)
            object.__setattr__(self, field, number)
        _check_bounds(self)

    @property
    def count(self) -> int:
        return self.high - self.low + 1

    def validate(self, name: str, value: object) -> int:
        """The value as an int inside the bounds (3.0 counts as 3), or InvalidInput."""
        remedy = f"Give a whole number between {self.low} and {self.high}."
        number = whole_number(name, value, remedy)
        if not self.low <= number <= self.high:
            raise InvalidInput(name, value, remedy)
        return number

    def encode(self, value: object) -> Array:
        return self._columns([self.validate("value", value)]).ravel()

    def decode(self, u: object) -> int:
        return min(max(math.floor(_unscaled(self, u) + 0.5), self.low), self.high)

    def grid(self) -> Array:
        """Every value, encoded: (count, 1). Refused above 10,000 values."""
        if self.count > _GRID_LIMIT:
            raise InvalidInput("grid", self, f"A grid has at most {_GRID_LIMIT} values.")
        return self._columns(range(self.low, self.high + 1))

    def _columns(self, values: Sequence[Any]) -> Array:
        return _scaled(self, values)


@dataclass(frozen=True, slots=True)
class Categorical:
    """One of at least two unordered choices, encoded one-hot."""

    choices: Sequence[Label]

    discrete: ClassVar[bool] = True

    def __post_init__(self) -> None:
        # A set has another order in every process, and the order fixes the encoding.
        if isinstance(self.choices, (str, bytes, Mapping, set, frozenset)) or not isinstance(
            self.choices, Iterable
        ):
            raise InvalidInput("choices", self.choices, "Give a list or tuple of choices.")
        choices = tuple(to_native(choice) for choice in self.choices)
        for choice in choices:
            if not is_label(choice):
                raise InvalidInput(
                    "choices", choice, "Each choice is a string, a finite number or a boolean."
                )
        if len(choices) < 2:
            raise InvalidInput("choices", choices, "Give at least two choices.")
        if len(set(choices)) < len(choices):  # also True and 1, which Python considers equal
            raise InvalidInput("choices", choices, "Give every choice once.")
        object.__setattr__(self, "choices", choices)

    @property
    def width(self) -> int:
        return len(self.choices)

    @property
    def count(self) -> int:
        return len(self.choices)

    def validate(self, name: str, value: object) -> Label:
        """The choice that equals the value, or InvalidInput."""
        native = to_native(value)
        for choice in self.choices:
            if same_label(choice, native):
                return choice
        raise InvalidInput(name, value, one_of(native, self.choices))

    def encode(self, value: object) -> Array:
        return self._columns([self.validate("value", value)]).ravel()

    def decode(self, u: object) -> Label:
        return self.choices[int(np.argmax(unit_vector("u", u, self.width)))]

    def grid(self) -> Array:
        """Every choice, encoded: (count, width)."""
        return np.eye(self.width)

    def _columns(self, values: Sequence[Any]) -> Array:
        rows = [self.choices.index(value) for value in values]
        return np.eye(self.width)[np.array(rows, dtype=np.intp)]


Parameter: TypeAlias = Float | Int | Categorical


def check_parameters(field: str, parameters: Mapping[Any, object]) -> None:
    for name, parameter in parameters.items():
        if not isinstance(name, str) or not name:
            raise InvalidInput(field, name, "Give every name as a non-empty string.")
        if not isinstance(parameter, (Float, Int, Categorical)):
            raise InvalidInput(name, parameter, "Give a Float, an Int or a Categorical.")


_KINDS: dict[str, type[Float] | type[Int] | type[Categorical]] = {
    "float": Float,
    "int": Int,
    "categorical": Categorical,
}


def parameters_to_list(parameters: Mapping[str, Parameter]) -> list[dict[str, Any]]:
    # A list, not an object: databases may reorder an object's keys, and order fixes the columns.
    found = []
    for name, parameter in parameters.items():
        own = asdict(parameter)
        if isinstance(parameter, Categorical):
            own["choices"] = list(parameter.choices)
        found.append({"name": name, "type": type(parameter).__name__.lower(), **own})
    return found


def parameters_from_list(field: str, items: object) -> dict[str, Parameter]:
    if not isinstance(items, list) or not all(isinstance(item, Mapping) for item in items):
        raise InvalidInput(field, items, "Give a list of mappings, each with a name.")
    parameters: dict[str, Parameter] = {}
    for item in items:
        name, kind = item.get("name"), item.get("type")
        if not isinstance(name, str) or not name or name in parameters:
            raise InvalidInput(f"{field}.name", name, "Give every parameter a name of its own.")
        if not isinstance(kind, str) or kind not in _KINDS:
            raise InvalidInput(f"{name}.type", kind, one_of(kind, tuple(_KINDS)))
        rest = {key: value for key, value in item.items() if key not in ("name", "type")}
        try:
            parameters[name] = _KINDS[kind](**rest)
        except TypeError:
            keys = ", ".join(_KINDS[kind].__dataclass_fields__)
            raise InvalidInput(name, rest, f"A {kind} has the keys: {keys}.") from None
        except InvalidInput as error:
            raise InvalidInput(f"{name}.{error.field}", error.value, error.remedy) from None
    return parameters


def parameters_schema() -> dict[str, Any]:
    """The JSON Schema of what ``parameters_to_list`` gives."""
    kinds = [_schema(kind, cls) for kind, cls in _KINDS.items()]
    return {"type": "array", "items": {"oneOf": kinds}}


_JSON_TYPES: dict[object, dict[str, Any]] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    Sequence[Label]: {"type": "array", "items": {"type": ["string", "number", "boolean"]}},
}


def _schema(kind: str, cls: type[Float] | type[Int] | type[Categorical]) -> dict[str, Any]:
    hints = get_type_hints(cls)
    own = {field.name: _JSON_TYPES[hints[field.name]] for field in fields(cls)}
    needed = [field.name for field in fields(cls) if field.default is MISSING]
    return {
        "type": "object",
        "properties": {"name": {"type": "string"}, "type": {"const": kind}, **own},
        "required": ["name", "type", *needed],
        "additionalProperties": False,
    }


def _check_bounds(parameter: Float | Int) -> None:
    low, high, log = parameter.low, parameter.high, parameter.log
    if not isinstance(log, bool):
        raise InvalidInput("log", log, "Give True or False.")
    if low >= high:
        raise InvalidInput("low", low, f"Give a value below high, which is {high}.")
    if not math.isfinite(high - low):
        raise InvalidInput("high", high, f"The range from low ({low}) is too wide; rescale.")
    if log and low <= 0:
        raise InvalidInput("low", low, "A log scale needs low > 0; raise it or use log=False.")
    if log and math.log(low) == math.log(high):
        raise InvalidInput("low", low, f"Too close to high ({high}) for a log scale.")


def _scaled(parameter: Float | Int, values: Sequence[Any]) -> Array:
    """Numbers to [0, 1]: (n, 1). Scalar logarithms: vectorised ones may differ in the last bit."""
    low, high = parameter.low, parameter.high
    if parameter.log:
        start = math.log(low)
        span = math.log(high) - start
        units = [min(max((math.log(v) - start) / span, 0.0), 1.0) for v in values]
    else:
        units = [(v - low) / (high - low) for v in values]
    return np.array(units, dtype=np.float64).reshape(-1, 1)


def _unscaled(parameter: Float | Int, u: object) -> float:
    x = float(unit_vector("u", u, 1)[0])
    if parameter.log:
        low = math.log(parameter.low)
        return math.exp(low + x * (math.log(parameter.high) - low))
    return parameter.low * (1.0 - x) + parameter.high * x  # exact at both ends
