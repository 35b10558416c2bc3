"""Where to search: named parameters on one side, points of the unit cube on the other.

``encode`` and ``decode`` are the only crossings. Every encoded column lies in [0, 1]: numbers are
scaled (after a logarithm if asked), choices are one-hot. ``Space`` is a box, ``Arms`` a finite
list; both may have context variables, which the optimizer is given and never chooses. Joint arrays
hold the parameters' columns first, then the context's.
"""

from __future__ import annotations

import difflib
import math
import numbers
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from counsel.errors import InvalidInput

__all__ = [
    "AnySpace",
    "Arms",
    "Categorical",
    "Float",
    "Int",
    "Parameter",
    "Space",
    "space_from_dict",
]

Array: TypeAlias = NDArray[np.float64]
Choice: TypeAlias = str | int | float | bool

_SLACK = 1e-9  # overshoot that rounding can explain; anything larger is a mistake to report
_INT_LIMIT = 10**12  # beyond this a logarithm in 64 bits no longer tells neighbours apart
_EXACT_INT = 2**53  # integers up to here are exact as 64-bit floats
_GRID_LIMIT = 10_000
_DICT_LIMIT = 100_000  # arms in a dict: fast to look up, about 200 bytes each
_CELL_LIMIT = 250_000_000  # encoded numbers in one Arms: 2 GB


# ---- parameters ---------------------------------------------------------------------------------


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
        object.__setattr__(self, "low", _number("low", self.low, "Give a finite number."))
        object.__setattr__(self, "high", _number("high", self.high, "Give a finite number."))
        _check_bounds(self)

    def validate(self, name: str, value: object) -> float:
        """The value as a float inside the bounds, or InvalidInput."""
        remedy = f"Give a finite number between {self.low} and {self.high}."
        number = _number(name, value, remedy)
        span = self.high - self.low
        below, above = (self.low, self.high) if self.log else (span, span)
        if not self.low - _SLACK * below <= number <= self.high + _SLACK * above:
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
            number = _integer(field, value, remedy)
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
        number = _integer(name, value, remedy)
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
    """One of at least two choices without an order, encoded one-hot."""

    choices: Sequence[Choice]

    discrete: ClassVar[bool] = True

    def __post_init__(self) -> None:
        # A set has another order in every process, and the order fixes the encoding.
        if isinstance(self.choices, (str, bytes, Mapping, set, frozenset)) or not isinstance(
            self.choices, Iterable
        ):
            raise InvalidInput("choices", self.choices, "Give a list or tuple of choices.")
        choices = tuple(_native(choice) for choice in self.choices)
        for choice in choices:
            if not _is_choice(choice):
                raise InvalidInput(
                    "choices", choice, "Each choice is a text, a finite number or a boolean."
                )
        if len(choices) < 2:
            raise InvalidInput("choices", choices, "Give at least two choices.")
        if len(set(choices)) < len(choices):  # also True beside 1, which Python holds equal
            raise InvalidInput("choices", choices, "Give every choice once.")
        object.__setattr__(self, "choices", choices)

    @property
    def width(self) -> int:
        return len(self.choices)

    @property
    def count(self) -> int:
        return len(self.choices)

    def validate(self, name: str, value: object) -> Choice:
        """The choice that equals the value, or InvalidInput."""
        native = _native(value)
        for choice in self.choices:
            if _same(choice, native):
                return choice
        raise InvalidInput(name, value, _one_of(native, self.choices))

    def encode(self, value: object) -> Array:
        return self._columns([self.validate("value", value)]).ravel()

    def decode(self, u: object) -> Choice:
        return self.choices[int(np.argmax(_unit_vector("u", u, self.width)))]

    def grid(self) -> Array:
        """Every choice, encoded: (count, width)."""
        return np.eye(self.width)

    def _columns(self, values: Sequence[Any]) -> Array:
        rows = [self.choices.index(value) for value in values]
        return np.eye(self.width)[np.array(rows, dtype=np.intp)]


Parameter: TypeAlias = Float | Int | Categorical


# ---- what Space and Arms share ------------------------------------------------------------------


class _Named:
    """Names, their encoded columns, and the context variables."""

    __slots__ = ("_context", "_context_dim", "_dim", "_groups", "_names", "_slices")

    def _lay_out(self, widths: Mapping[str, int], context: Mapping[str, Parameter] | None) -> None:
        if context is not None and not isinstance(context, Mapping):
            raise InvalidInput("context", context, "Give a mapping from names to parameters.")
        self._context = dict(context or {})
        _check_parameters("context", self._context)
        clash = [name for name in self._context if name in widths]
        if clash:
            raise InvalidInput("context", clash, "A name is chosen or context, not both; rename.")
        self._names = tuple(widths)
        self._dim = sum(widths.values())
        self._context_dim = sum(p.width for p in self._context.values())
        every = {**widths, **{name: p.width for name, p in self._context.items()}}
        self._groups = tuple(i for i, width in enumerate(every.values()) for _ in range(width))
        self._slices: dict[str, slice] = {}
        start = 0
        for name, width in every.items():
            self._slices[name] = slice(start, start + width)
            start += width

    @property
    def names(self) -> tuple[str, ...]:
        return self._names

    @property
    def context(self) -> Mapping[str, Parameter]:
        return MappingProxyType(self._context)

    @property
    def context_names(self) -> tuple[str, ...]:
        return tuple(self._context)

    @property
    def dim(self) -> int:
        """Encoded columns of what is chosen."""
        return self._dim

    @property
    def context_dim(self) -> int:
        """Encoded columns of the context."""
        return self._context_dim

    @property
    def groups(self) -> tuple[int, ...]:
        """For each joint column, the number of the name it belongs to."""
        return self._groups

    def columns(self, name: str) -> slice:
        """The joint columns of a parameter or context variable."""
        if name not in self._slices:
            raise InvalidInput("name", name, _one_of(name, tuple(self._slices)))
        return self._slices[name]

    def validate_context(self, context: Mapping[str, object] | None) -> dict[str, Any]:
        """The context as Python values; None only where there are no context variables."""
        if context is None and self._context:
            names = ", ".join(self._context)
            raise InvalidInput("context", None, f"Give a value for each of: {names}.")
        given = {} if context is None else context
        _match_names("context", given, self._context)
        return {name: p.validate(name, given[name]) for name, p in self._context.items()}

    def encode_context(self, context: Mapping[str, object] | None) -> Array:
        values = self.validate_context(context)
        parts = [p._columns([values[name]])[0] for name, p in self._context.items()]
        return np.concatenate([np.empty(0), *parts])


class Space(_Named):
    """A box of named parameters: ``Space(dose=Float(0, 50), kind=Categorical(["a", "b"]))``."""

    __slots__ = ("_parameters",)

    finite: ClassVar[bool] = False

    def __init__(
        self, /, *, context: Mapping[str, Parameter] | None = None, **parameters: Parameter
    ) -> None:
        if not parameters:
            raise InvalidInput("parameters", parameters, "Give at least one, as x=Float(0, 1).")
        _check_parameters("parameters", parameters)
        self._parameters = parameters
        self._lay_out({name: p.width for name, p in parameters.items()}, context)

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        return MappingProxyType(self._parameters)

    @property
    def discrete_columns(self) -> NDArray[np.bool_]:
        """Which of the ``dim`` columns belong to an Int or Categorical."""
        return np.array([p.discrete for p in self._parameters.values() for _ in range(p.width)])

    def validate(self, values: Mapping[str, object]) -> dict[str, Any]:
        """The values as Python natives in the order of the space, or InvalidInput."""
        _match_names("parameters", values, self._parameters)
        return {name: p.validate(name, values[name]) for name, p in self._parameters.items()}

    def encode(self, values: Mapping[str, object]) -> Array:
        return self.encode_many([values]).ravel()

    def encode_many(self, many: Iterable[Mapping[str, object]]) -> Array:
        """Many points at once: (n, dim)."""
        rows = [self.validate(values) for values in many]
        out = np.empty((len(rows), self.dim))
        for name, parameter in self._parameters.items():
            out[:, self._slices[name]] = parameter._columns([row[name] for row in rows])
        return out

    def decode(self, u: object) -> dict[str, Any]:
        """The point of the space at (or, for discrete parameters, nearest to) ``u``."""
        vector = _unit_vector("u", u, self.dim)
        return {n: p.decode(vector[self._slices[n]]) for n, p in self._parameters.items()}

    def snap(self, points: Array) -> Array:
        """Encoded points (n, dim) moved to the nearest points of the space."""
        out = np.clip(points, 0.0, 1.0)
        for name, parameter in self._parameters.items():
            columns = self._slices[name]
            if isinstance(parameter, Categorical):
                out[:, columns] = np.eye(parameter.width)[np.argmax(out[:, columns], axis=1)]
            elif isinstance(parameter, Int):
                out[:, columns] = parameter._columns([parameter.decode(u) for u in out[:, columns]])
        return out

    def to_dict(self) -> dict[str, Any]:
        """A JSON-able description; ``space_from_dict`` is its inverse."""
        return {
            "type": "space",
            "parameters": _parameters_to_list(self._parameters),
            "context": _parameters_to_list(self._context),
        }

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Space):
            return NotImplemented
        # Order counts: it fixes the encoded columns.
        return list(self._parameters.items()) == list(other._parameters.items()) and list(
            self._context.items()
        ) == list(other._context.items())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        inside = [f"{name}={p}" for name, p in self._parameters.items()]
        return f"Space({', '.join(inside + ([f'context={self._context}'] * bool(self._context)))})"


# ---- a finite list ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Column:
    """One coordinate of all arms: the numbers, or codes into ``choices``."""

    name: str
    data: NDArray[np.float64] | NDArray[np.int64]
    choices: tuple[Choice, ...] | None = None
    low: float = 0.0
    span: float = 1.0

    @property
    def width(self) -> int:
        return 1 if self.choices is None else len(self.choices)

    def native(self, row: int) -> Choice:
        value = self.data[row].item()
        return value if self.choices is None else self.choices[int(value)]

    def code(self, value: object) -> float:
        """A value as ``data`` stores it (perhaps one that no arm has), or InvalidInput."""
        if self.choices is None:
            return _number(self.name, value, "Give a finite number.") + 0.0
        native = _native(value)
        for code, choice in enumerate(self.choices):
            if _same(choice, native):
                return code
        raise InvalidInput(self.name, value, _one_of(native, self.choices))

    def write(self, codes: NDArray[Any], out: Array) -> None:
        """Encode codes into the columns ``out``, which start as zeros."""
        if self.choices is None:
            out[:, 0] = (codes.astype(np.float64) - self.low) / self.span
        else:
            out[np.arange(len(codes)), codes.astype(np.intp)] = 1.0


class Arms(_Named):
    """A finite list of named points: from a 2-D array, a list of rows or dicts, or a DataFrame.

    Numbers are scaled to [0, 1] over the arms; texts and booleans become one-hot columns. For dicts
    and DataFrames ``names`` selects columns, for rows it names them (x1, x2, ... if not given).
    """

    __slots__ = ("_columns", "_hashes", "_order", "_points", "_rows")

    finite: ClassVar[bool] = True

    def __init__(
        self,
        data: object,
        names: Sequence[str] | None = None,
        context: Mapping[str, Parameter] | None = None,
    ) -> None:
        self._fill([_column(n, values) for n, values in _table(data, names).items()], context)

    def _fill(self, columns: list[_Column], context: Mapping[str, Parameter] | None) -> None:
        self._lay_out({c.name: c.width for c in columns}, context)
        rows = len(columns[0].data)
        if rows * self.dim > _CELL_LIMIT:
            widest = max(columns, key=operator.attrgetter("width"))
            raise InvalidInput(
                f"column {widest.name!r}",
                f"{rows} arms x {self.dim} encoded columns",
                f"It would need over {_CELL_LIMIT} numbers; drop or merge its {widest.width} labels"
                " or give fewer arms.",
            )
        for column in columns:
            column.data.flags.writeable = False
        self._columns = tuple(columns)
        self._points: Array | None = None
        self._rows: dict[tuple[float, ...], int] | None = None
        # Sorted hashes find duplicates now, and later arms in a list too long for a dict.
        hashes = _hash_rows([c.data for c in columns])
        self._order = np.argsort(hashes)
        self._hashes = hashes[self._order]
        self._refuse_duplicates()

    def _refuse_duplicates(self) -> None:
        equal = self._hashes[1:] == self._hashes[:-1]
        if not equal.any():
            return
        suspects = np.unique(self._order[np.flatnonzero(np.r_[equal, False] | np.r_[False, equal])])
        seen: dict[tuple[Choice, ...], int] = {}
        for row in suspects.tolist():
            arm = tuple(column.native(row) for column in self._columns)
            first = seen.setdefault(arm, row)
            if first != row:
                raise InvalidInput(
                    f"rows {first} and {row}", self[row], "Give every arm once (rows count from 0)."
                )

    def __len__(self) -> int:
        return len(self._order)

    def __getitem__(self, row: int) -> dict[str, Any]:
        i = operator.index(row)
        return {column.name: column.native(i) for column in self._columns}

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self[row] for row in range(len(self)))

    @property
    def points(self) -> Array:
        """Every arm, encoded: (n, dim), read-only, computed once."""
        if self._points is None:
            points = np.zeros((len(self), self.dim))
            for column in self._columns:
                column.write(column.data, points[:, self._slices[column.name]])
            points.flags.writeable = False
            self._points = points
        return self._points

    def labels(self, name: str) -> tuple[Choice, ...] | None:
        """The labels that the arms have in a column; None where they have numbers."""
        return next((c.choices for c in self._columns if c.name == name), None)

    def index(self, values: Mapping[str, object]) -> int:
        """The row of the arm with these values, or InvalidInput naming the nearest arm."""
        _match_names("coordinates", values, self.names)
        codes = tuple(column.code(values[column.name]) for column in self._columns)
        found = self._find(codes)
        if found is not None:
            return found
        # 0.3 typed by hand is not the 0.1 * 3 of a grid: forgive what rounding explains.
        query = np.zeros((1, self.dim))
        for column, code in zip(self._columns, codes, strict=True):
            column.write(np.array([code]), query[:, self._slices[column.name]])
        row, distance = self._nearest(query[0])
        if distance > _SLACK:
            raise InvalidInput(
                "values", dict(values), f"Not one of the {len(self)} arms; nearest: {self[row]}."
            )
        return row

    def _find(self, codes: tuple[float, ...]) -> int | None:
        if len(self) <= _DICT_LIMIT:
            if self._rows is None:
                columns = [column.data.tolist() for column in self._columns]
                self._rows = {arm: row for row, arm in enumerate(zip(*columns, strict=True))}
            return self._rows.get(codes)
        with np.errstate(invalid="ignore"):  # too large for the column: then no arm has it
            pairs = zip(self._columns, codes, strict=True)
            wanted = _hash_rows([np.array([code]).astype(c.data.dtype) for c, code in pairs])[0]
        first = int(np.searchsorted(self._hashes, wanted, "left"))
        last = int(np.searchsorted(self._hashes, wanted, "right"))
        for row in self._order[first:last].tolist():
            if all(c.data[row] == code for c, code in zip(self._columns, codes, strict=True)):
                return int(row)
        return None

    def _nearest(self, u: Array) -> tuple[int, float]:
        squares = np.zeros(len(self))
        with np.errstate(over="ignore"):  # a value absurdly far away is still far away
            for column, x in zip(self.points.T, u, strict=True):
                squares += (column - x) ** 2
        row = int(np.argmin(squares))
        return row, math.sqrt(squares[row])

    def validate(self, values: Mapping[str, object]) -> dict[str, Any]:
        """The arm with these values, as Python natives."""
        return self[self.index(values)]

    def encode(self, values: Mapping[str, object]) -> Array:
        return self.encode_many([values]).ravel()

    def encode_many(self, many: Iterable[Mapping[str, object]]) -> Array:
        """Many arms at once: (n, dim)."""
        return self.points[np.array([self.index(values) for values in many], dtype=np.intp)]

    def decode(self, u: object) -> dict[str, Any]:
        """The arm nearest to ``u``."""
        return self[self._nearest(_unit_vector("u", u, self.dim))[0]]

    def to_dict(self) -> dict[str, Any]:
        """A JSON-able description; ``space_from_dict`` is its inverse."""
        columns = [
            c.data.tolist() if c.choices is None else [c.choices[i] for i in c.data.tolist()]
            for c in self._columns
        ]
        return {
            "type": "arms",
            "names": list(self.names),
            "arms": [list(arm) for arm in zip(*columns, strict=True)],
            "context": _parameters_to_list(self._context),
        }

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Arms):
            return NotImplemented
        return (
            self.names == other.names
            and list(self._context.items()) == list(other._context.items())
            and all(
                a.choices == b.choices and np.array_equal(a.data, b.data)
                for a, b in zip(self._columns, other._columns, strict=True)
            )
        )

    __hash__ = None  # type: ignore[assignment]

    # Rebuilding keeps the arrays read-only, which a plain pickle forgets.
    def __reduce__(self) -> tuple[object, ...]:
        return _arms_of_columns, (list(self._columns), self._context)

    def __repr__(self) -> str:
        return f"Arms({len(self)} arms: {', '.join(self.names)})"


AnySpace: TypeAlias = Space | Arms


def space_from_dict(description: object) -> AnySpace:
    """The space that ``to_dict`` described."""
    if not isinstance(description, Mapping) or description.get("type") not in ("space", "arms"):
        raise InvalidInput("space", description, "Give a mapping with type 'space' or 'arms'.")
    context = _parameters_from_list("context", description.get("context", []))
    if description["type"] == "space":
        found = _parameters_from_list("parameters", description.get("parameters"))
        if "context" in found:
            raise InvalidInput("parameters", "context", "This name is reserved; rename it.")
        return Space(context=context, **found)
    return Arms(description.get("arms"), description.get("names"), context)


# ---- helpers ------------------------------------------------------------------------------------


def _native(value: object) -> object:
    """NumPy (and JAX) scalars as Python values; anything else as it is."""
    if getattr(value, "shape", None) == () and hasattr(value, "item"):
        native: object = value.item()
        return native
    return value


def _number(field: str, value: object, remedy: str) -> float:
    if type(value) is float and math.isfinite(value):  # nearly always, and a study encodes a lot
        return value
    native = _native(value)
    if isinstance(native, bool) or not isinstance(native, numbers.Real):
        raise InvalidInput(field, value, remedy)
    try:
        number = float(native)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise InvalidInput(field, value, remedy)
    return number


def _integer(field: str, value: object, remedy: str) -> int:
    native = _native(value)
    if isinstance(native, int) and not isinstance(native, bool):
        return native
    number = _number(field, native, remedy)
    if not number.is_integer():
        raise InvalidInput(field, value, remedy)
    return int(number)


def _is_choice(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, (str, int))


def _same(choice: Choice, value: object) -> bool:
    """Equal, without taking True for 1 or an array for a truth value."""
    if not isinstance(value, (str, int, float)):
        return False
    return choice == value and isinstance(choice, bool) == isinstance(value, bool)


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
    x = float(_unit_vector("u", u, 1)[0])
    if parameter.log:
        low = math.log(parameter.low)
        return math.exp(low + x * (math.log(parameter.high) - low))
    return parameter.low * (1.0 - x) + parameter.high * x  # exact at both ends


def _unit_vector(field: str, u: object, width: int) -> Array:
    """A finite vector of this width, clipped to the unit cube."""
    try:
        vector = np.atleast_1d(np.asarray(u, dtype=np.float64))
    except (TypeError, ValueError):
        raise InvalidInput(field, u, f"Give {width} numbers.") from None
    if vector.shape != (width,) or np.isnan(vector).any():
        raise InvalidInput(field, u, f"Give a vector of {width} numbers, none of them NaN.")
    return np.clip(vector, 0.0, 1.0)


def _one_of(given: object, known: Sequence[Choice]) -> str:
    """The known names or choices, with the likely one if the given one looks like a slip."""
    shown = ", ".join(repr(k) for k in known[:20]) + (", ..." if len(known) > 20 else "")
    close = difflib.get_close_matches(str(given), [str(k) for k in known], n=1)
    return f"Use one of: {shown}." + (f" Did you mean {close[0]!r}?" if close else "")


def _match_names(field: str, values: object, known: Iterable[str]) -> None:
    names = tuple(known)
    if type(values) is dict and len(values) == len(names) and all(n in values for n in names):
        return
    if not isinstance(values, Mapping):
        raise InvalidInput(field, values, f"Give a mapping with the names: {', '.join(names)}.")
    unknown = [name for name in values if name not in names]
    missing = [name for name in names if name not in values]
    if unknown:
        lacking = f" Missing: {', '.join(missing)}." if missing else ""
        remedy = f"Unknown name.{lacking} {_one_of(unknown[0], names)}"
        if not names:
            remedy = "There are no such variables here; leave them out."
        raise InvalidInput(field, unknown if len(unknown) > 1 else unknown[0], remedy)
    if missing:
        remedy = f"Missing: {', '.join(missing)}. Give a value for each of: {', '.join(names)}."
        raise InvalidInput(field, dict(values), remedy)


def _check_parameters(field: str, parameters: Mapping[Any, object]) -> None:
    for name, parameter in parameters.items():
        if not isinstance(name, str) or not name:
            raise InvalidInput(field, name, "Give every name as a non-empty text.")
        if not isinstance(parameter, (Float, Int, Categorical)):
            raise InvalidInput(name, parameter, "Give a Float, an Int or a Categorical.")


_KINDS: dict[str, type[Float] | type[Int] | type[Categorical]] = {
    "float": Float,
    "int": Int,
    "categorical": Categorical,
}


def _parameters_to_list(parameters: Mapping[str, Parameter]) -> list[dict[str, Any]]:
    # A list, not an object: databases may reorder an object's keys, and order fixes the columns.
    found = []
    for name, parameter in parameters.items():
        fields = asdict(parameter)
        if isinstance(parameter, Categorical):
            fields["choices"] = list(parameter.choices)
        found.append({"name": name, "type": type(parameter).__name__.lower(), **fields})
    return found


def _parameters_from_list(field: str, items: object) -> dict[str, Parameter]:
    if not isinstance(items, list) or not all(isinstance(item, Mapping) for item in items):
        raise InvalidInput(field, items, "Give a list of mappings, each with a name.")
    parameters: dict[str, Parameter] = {}
    for item in items:
        name, kind = item.get("name"), item.get("type")
        if not isinstance(name, str) or not name or name in parameters:
            raise InvalidInput(f"{field}.name", name, "Give every parameter a name of its own.")
        if not isinstance(kind, str) or kind not in _KINDS:
            raise InvalidInput(f"{name}.type", kind, _one_of(kind, tuple(_KINDS)))
        rest = {key: value for key, value in item.items() if key not in ("name", "type")}
        try:
            parameters[name] = _KINDS[kind](**rest)
        except TypeError:
            keys = ", ".join(_KINDS[kind].__dataclass_fields__)
            raise InvalidInput(name, rest, f"A {kind} has the keys: {keys}.") from None
        except InvalidInput as error:
            raise InvalidInput(f"{name}.{error.field}", error.value, error.remedy) from None
    return parameters


def _arms_of_columns(columns: list[_Column], context: Mapping[str, Parameter]) -> Arms:
    arms = Arms.__new__(Arms)
    arms._fill(columns, context)
    return arms


def _hash_rows(columns: Sequence[NDArray[Any]]) -> NDArray[np.uint64]:
    """A 64-bit hash of each row of 8-byte columns; equal rows have equal hashes."""
    hashes = np.zeros(len(columns[0]), dtype=np.uint64)
    for column in columns:
        hashes ^= np.ascontiguousarray(column).view(np.uint64)
        hashes *= np.uint64(0x9E3779B97F4A7C15)  # multiply and fold: splitmix64's mixing step
        hashes ^= hashes >> np.uint64(29)
        hashes *= np.uint64(0xBF58476D1CE4E5B9)
        hashes ^= hashes >> np.uint64(32)
    return hashes


def _table(data: object, names: Sequence[str] | None) -> dict[str, Any]:
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
                _match_names(f"row {i}", given, chosen)
        return {name: [row[name] for row in rows] for name in chosen}
    for i, row in enumerate(rows):
        if isinstance(row, (str, bytes, Mapping)) or not hasattr(row, "__len__"):
            raise InvalidInput(f"row {i}", row, form)
        if len(row) != len(rows[0]):
            raise InvalidInput(f"row {i}", row, f"Give {len(rows[0])} values, as in row 0.")
    chosen = _name_columns(len(rows[0]), names)
    return {name: [row[j] for row in rows] for j, name in enumerate(chosen)}


def _name_columns(count: int, names: list[Any] | None) -> list[str]:
    if names is None:
        return [f"x{j + 1}" for j in range(count)]
    if len(names) != count:
        raise InvalidInput("names", names, f"Give {count} names, one per column.")
    return _check_names(names)


def _check_names(names: list[Any], known: list[str] | None = None) -> list[str]:
    for name in names:
        if not isinstance(name, str) or not name:
            raise InvalidInput("names", name, "Give every name as a non-empty text.")
        if known is not None and name not in known:
            raise InvalidInput("names", name, _one_of(name, known))
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidInput("names", twice, "Give every name once.")
    return names


def _column(name: str, values: Any) -> _Column:
    """One coordinate from a sequence of values: numbers stay numbers, the rest become labels."""
    kind = values.dtype.kind if isinstance(values, np.ndarray) else "O"
    if kind in "fiu":
        return _numeric_column(name, values)
    # Dates, bytes and complex numbers have no single obvious meaning as a coordinate.
    if kind not in "ObUT":
        raise InvalidInput(
            f"column {name!r}", values.dtype, "Convert it to numbers, texts or booleans."
        )
    cells: list[Any] = [_native(v) for v in (values.tolist() if kind != "O" else values)]
    for row, cell in enumerate(cells):
        if not _is_choice(cell):
            raise InvalidInput(
                f"row {row}, column {name!r}", cell, "Give a text, a finite number or a boolean."
            )
    kinds = {bool if isinstance(c, bool) else str if isinstance(c, str) else float for c in cells}
    if {bool, float} <= kinds:
        raise InvalidInput(
            f"column {name!r}", cells, "It mixes booleans and numbers; use one of them."
        )
    if kinds == {float}:
        whole = all(isinstance(c, int) for c in cells)
        if whole and max(map(abs, cells)) > _EXACT_INT:
            raise _too_large(name, max(cells, key=abs))
        return _numeric_column(name, np.array(cells, dtype=np.int64 if whole else np.float64))
    codes = {choice: code for code, choice in enumerate(dict.fromkeys(cells))}
    return _Column(name, np.array([codes[c] for c in cells], dtype=np.int64), tuple(codes))


def _numeric_column(name: str, values: NDArray[Any]) -> _Column:
    if values.dtype.kind == "f":
        finite = np.isfinite(values)
        if not finite.all():
            row = int(np.argmin(finite))
            raise InvalidInput(
                f"row {row}, column {name!r}", values[row].item(), "Give a finite number."
            )
        data: NDArray[Any] = values.astype(np.float64) + 0.0  # one zero: -0.0 would hash apart
    else:
        largest = max(values.max().item(), -values.min().item())
        if largest > _EXACT_INT:
            raise _too_large(name, largest)
        data = values.astype(np.int64)
    low, high = float(data.min()), float(data.max())
    if not math.isfinite(high - low):
        raise InvalidInput(f"column {name!r}", high, f"The range from {low} is too wide; rescale.")
    # Constant: every arm encodes to 0, and other values are measured against its own size.
    return _Column(name, data, None, low, high - low or max(abs(low), 1.0))


def _too_large(name: str, value: object) -> InvalidInput:
    return InvalidInput(f"column {name!r}", value, "Whole numbers go up to 2**53; rescale it.")
