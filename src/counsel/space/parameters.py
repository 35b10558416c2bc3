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


When = Mapping[str, Label | Sequence[Label]]


@dataclass(frozen=True, slots=True, repr=False)
class Float:
    """A real number in [low, high]; ``log=True`` searches its logarithm.

    With a ``step``, only low, low + step, ... are proposed; what people try and measure may lie
    between. ``when`` names the values of other parameters for which there is such a number at all:
    ``when={"solvent": "DMF"}``. A ``shared`` number is hard to change: proposals that are under way
    at the same time have the same one. ``unit`` and ``description`` are for people: they stand
    beside the name wherever it is shown.
    """

    low: float
    high: float
    log: bool = False
    step: float | None = None
    when: When | None = None
    shared: bool = False
    unit: str = ""
    description: str = ""

    width: ClassVar[int] = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "low", finite_number("low", self.low, "Give a finite number."))
        object.__setattr__(self, "high", finite_number("high", self.high, "Give a finite number."))
        _check_bounds(self)
        if self.step is not None:
            step = finite_number("step", self.step, "Give a finite number.")
            object.__setattr__(self, "step", step)
            _check_step(self)
        _check_rest(self)

    @property
    def discrete(self) -> bool:
        return self.step is not None

    @property
    def count(self) -> int | None:
        return None if self.step is None else _steps(self) + 1

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

    def __repr__(self) -> str:
        return _shown(self)

    def decode(self, u: object) -> float:
        return self._at(unit_vector("u", u, 1))

    def _at(self, cells: Array) -> float:
        """The value at columns that are known to be in the unit cube."""
        value = min(max(_unscaled(self, float(cells[0])), self.low), self.high)
        return value if self.step is None else self.at(round((value - self.low) / self.step))

    def at(self, place: int) -> float:
        """The value so many steps above the lowest."""
        assert self.step is not None
        value = self.low + min(max(place, 0), _steps(self)) * self.step
        return float(f"{value:.12g}")  # 0.1 + 2 * 0.1 is 0.3

    def grid(self) -> Array:
        """Every value, encoded: (count, 1). Refused without a step, or above 10,000 values."""
        if self.count is None or self.count > _GRID_LIMIT:
            raise InvalidInput(
                "grid",
                self,
                f"Without a step there is no grid; with one, of at most {_GRID_LIMIT} values.",
            )
        return self._columns([self.at(place) for place in range(self.count)])

    def _columns(self, values: Sequence[Any]) -> Array:
        return _scaled(self, values)


@dataclass(frozen=True, slots=True, repr=False)
class Int:
    """A whole number in [low, high], both included; ``log=True`` searches its logarithm.

    ``step``, ``when``, ``shared``, ``unit`` and ``description`` are as in ``Float``.
    """

    low: int
    high: int
    log: bool = False
    step: int | None = None
    when: When | None = None
    shared: bool = False
    unit: str = ""
    description: str = ""

    width: ClassVar[int] = 1
    discrete: ClassVar[bool] = True

    def __post_init__(self) -> None:
        remedy = f"Give a whole number of size at most {_INT_LIMIT}, or use Float."
        for field in ("low", "high", *(("step",) if self.step is not None else ())):
            value = getattr(self, field)
            number = whole_number(field, value, remedy)
            if abs(number) > _INT_LIMIT:
                raise InvalidInput(field, value, remedy)
            object.__setattr__(self, field, number)
        _check_bounds(self)
        if self.step is not None:
            _check_step(self)
        _check_rest(self)

    @property
    def count(self) -> int:
        return self.high - self.low + 1 if self.step is None else _steps(self) + 1

    def validate(self, name: str, value: object) -> int:
        """The value as an int inside the bounds (3.0 counts as 3), or InvalidInput."""
        remedy = f"Give a whole number between {self.low} and {self.high}."
        number = whole_number(name, value, remedy)
        if not self.low <= number <= self.high:
            raise InvalidInput(name, value, remedy)
        return number

    def encode(self, value: object) -> Array:
        return self._columns([self.validate("value", value)]).ravel()

    def __repr__(self) -> str:
        return _shown(self)

    def decode(self, u: object) -> int:
        return self._at(unit_vector("u", u, 1))

    def _at(self, cells: Array) -> int:
        """The value at columns that are known to be in the unit cube."""
        value = min(max(math.floor(_unscaled(self, float(cells[0])) + 0.5), self.low), self.high)
        return value if self.step is None else self.at(round((value - self.low) / self.step))

    def at(self, place: int) -> int:
        """The value so many steps above the lowest."""
        step = self.step or 1
        return self.low + min(max(place, 0), (self.high - self.low) // step) * step

    def grid(self) -> Array:
        """Every value, encoded: (count, 1). Refused above 10,000 values."""
        if self.count > _GRID_LIMIT:
            raise InvalidInput("grid", self, f"A grid has at most {_GRID_LIMIT} values.")
        return self._columns(range(self.low, self.high + 1, self.step or 1))

    def _columns(self, values: Sequence[Any]) -> Array:
        return _scaled(self, values)


@dataclass(frozen=True, slots=True, repr=False)
class Categorical:
    """One of at least two choices, encoded one-hot: all are equally unlike.

    ``ordered=True`` says that they are levels in this order, and ``descriptors`` what is known of
    each, by property and in the order of the choices: ``{"polarity": [6.4, 2.4, 9.0]}``. Choices
    that are near in their properties are then expected to be alike. ``when``, ``shared`` and
    ``description`` are as in ``Float``.
    """

    choices: Sequence[Label]
    ordered: bool = False
    descriptors: Mapping[str, Sequence[float]] | None = None
    when: When | None = None
    shared: bool = False
    description: str = ""

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
        if len(set(choices)) < len(choices):  # also True beside 1, which Python holds equal
            raise InvalidInput("choices", choices, "Give every choice once.")
        object.__setattr__(self, "choices", choices)
        if not isinstance(self.ordered, bool):
            raise InvalidInput("ordered", self.ordered, "Give True or False.")
        if self.descriptors is not None:
            object.__setattr__(self, "descriptors", self._described())
        _check_rest(self)

    def _described(self) -> dict[str, tuple[float, ...]]:
        given = self.descriptors
        if not isinstance(given, Mapping) or not given or self.ordered:
            raise InvalidInput(
                "descriptors", given, "Give numbers by property, and leave out `ordered`."
            )
        found = {}
        for name, cells in given.items():
            remedy = f"Give {len(self.choices)} numbers, one for each choice, not all alike."
            if not isinstance(cells, Sequence | np.ndarray):
                raise InvalidInput(f"descriptors[{name!r}]", cells, remedy)
            numbers = tuple(finite_number(f"descriptors[{name!r}]", c, remedy) for c in cells)
            if len(numbers) != len(self.choices) or len(set(numbers)) < 2:
                raise InvalidInput(f"descriptors[{name!r}]", cells, remedy)
            found[str(name)] = numbers
        rows = list(zip(*found.values(), strict=True))
        if len(set(rows)) < len(rows):
            raise InvalidInput(
                "descriptors", given, "Two choices have the same properties: tell them apart."
            )
        return found

    @property
    def one_hot(self) -> bool:
        return not self.ordered and self.descriptors is None

    @property
    def width(self) -> int:
        if self.descriptors is not None:
            return len(self.descriptors)
        return 1 if self.ordered else len(self.choices)

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

    def __repr__(self) -> str:
        return _shown(self)

    def decode(self, u: object) -> Label:
        return self._at(unit_vector("u", u, self.width))

    def _at(self, cells: Array) -> Label:
        """The value at columns that are known to be in the unit cube."""
        if self.one_hot:
            return self.choices[int(np.argmax(cells))]
        return self.choices[int(np.argmin(((self.grid() - cells) ** 2).sum(axis=1)))]

    def grid(self) -> Array:
        """Every choice, encoded: (count, width)."""
        if self.descriptors is not None:
            table = np.array(list(self.descriptors.values()), dtype=np.float64).T
            low = table.min(axis=0)
            scaled: Array = (table - low) / (table.max(axis=0) - low)
            return scaled
        if self.ordered:
            return np.linspace(0.0, 1.0, len(self.choices))[:, None]
        return np.eye(self.width)

    def _columns(self, values: Sequence[Any]) -> Array:
        rows = [self.choices.index(value) for value in values]
        return self.grid()[np.array(rows, dtype=np.intp)]


Parameter: TypeAlias = Float | Int | Categorical


def check_parameters(field: str, parameters: Mapping[Any, object]) -> None:
    for name, parameter in parameters.items():
        if not isinstance(name, str) or not name:
            raise InvalidInput(field, name, "Give every name as a non-empty string.")
        if not isinstance(parameter, (Float, Int, Categorical)):
            raise InvalidInput(name, parameter, "Give a Float, an Int or a Categorical.")


_LATER = ("step", "when", "shared", "ordered", "descriptors", "unit", "description")
_LONGEST = {"unit": 40, "description": 500}  # characters


def _plain(setting: Any) -> Any:
    """A setting as JSON has it."""
    if isinstance(setting, Mapping):
        return {key: _plain(each) for key, each in setting.items()}
    return [_plain(each) for each in setting] if isinstance(setting, tuple | list) else setting


_KINDS: dict[str, type[Float] | type[Int] | type[Categorical]] = {
    "float": Float,
    "int": Int,
    "categorical": Categorical,
}


def parameters_to_list(parameters: Mapping[str, Parameter]) -> list[dict[str, Any]]:
    # A list, not an object: databases may reorder an object's keys, and order fixes the columns.
    found = []
    for name, parameter in parameters.items():
        # Later settings are left out where they say nothing, so that old forms stay the same.
        own = {
            key: _plain(each)
            for key, each in asdict(parameter).items()
            if not (key in _LATER and each in (None, False, ""))
        }
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
            keys = tuple(field.name for field in fields(_KINDS[kind]))
            unknown = next((key for key in rest if key not in keys), None)
            if unknown is not None:
                raise InvalidInput(name, unknown, f"Unknown key. {one_of(unknown, keys)}") from None
            raise InvalidInput(name, rest, f"A {kind} has the keys {', '.join(keys)}.") from None
        except InvalidInput as error:
            raise InvalidInput(f"{name}.{error.field}", error.value, error.remedy) from None
    return parameters


def parameters_schema() -> dict[str, Any]:
    """The JSON Schema of what ``parameters_to_list`` gives."""
    kinds = [_schema(kind, cls) for kind, cls in _KINDS.items()]
    return {"type": "array", "items": {"oneOf": kinds}}


_JSON_TYPES: dict[object, dict[str, Any]] = {
    bool: {"type": "boolean"},
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    float | None: {"type": ["number", "null"]},
    int | None: {"type": ["integer", "null"]},
    Sequence[Label]: {"type": "array", "items": {"type": ["string", "number", "boolean"]}},
    When | None: {"type": ["object", "null"]},
    Mapping[str, Sequence[float]] | None: {
        "type": ["object", "null"],
        "additionalProperties": {"type": "array", "items": {"type": "number"}},
    },
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
        raise InvalidInput("low", low, "A log scale needs low > 0. Raise it, or leave log out.")
    if log and math.log(low) == math.log(high):
        raise InvalidInput("low", low, f"Too close to high ({high}) for a log scale.")


def _shown(parameter: Float | Int | Categorical) -> str:
    """As one would write it: settings that were left alone are left out."""
    parts = [
        f"{field.name}={getattr(parameter, field.name)!r}"
        for field in fields(parameter)
        if field.default is MISSING or getattr(parameter, field.name) != field.default
    ]
    return f"{type(parameter).__name__}({', '.join(parts)})"


def _check_step(parameter: Float | Int) -> None:
    step = parameter.step
    assert step is not None
    if parameter.log:
        raise InvalidInput("step", step, "Steps are equal on a plain scale: leave out log or step.")
    if not 0 < step <= parameter.high - parameter.low:
        raise InvalidInput(
            "step", step, f"Give a number above 0, at most {parameter.high - parameter.low}."
        )


def _steps(parameter: Float | Int) -> int:
    """How many steps lead from the lowest to the highest value on the grid."""
    step = parameter.step
    assert step is not None
    return math.floor((parameter.high - parameter.low) / step * (1.0 + SLACK))


def _check_rest(parameter: Float | Int | Categorical) -> None:
    if not isinstance(parameter.shared, bool):
        raise InvalidInput("shared", parameter.shared, "Give True or False.")
    for field, most in _LONGEST.items():
        text = getattr(parameter, field, "")
        if not isinstance(text, str) or len(text) > most or "\0" in text:
            raise InvalidInput(field, text, f"Give a string of at most {most} characters.")
    when = parameter.when
    if when is None:
        return
    if not isinstance(when, Mapping) or not when:
        raise InvalidInput("when", when, "Give values by parameter: {'solvent': 'DMF'}.")
    found = {}
    for name, values in when.items():
        several = isinstance(values, Iterable) and not isinstance(values, str)
        labels = tuple(to_native(each) for each in (values if several else (values,)))  # type: ignore[union-attr]
        if not labels or not all(is_label(label) for label in labels):
            raise InvalidInput("when", when, "Give strings, numbers or booleans, one or several.")
        found[str(name)] = labels
    object.__setattr__(parameter, "when", found)


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


def _unscaled(parameter: Float | Int, x: float) -> float:
    if parameter.log:
        low = math.log(parameter.low)
        return math.exp(low + x * (math.log(parameter.high) - low))
    return parameter.low * (1.0 - x) + parameter.high * x  # exact at both ends
