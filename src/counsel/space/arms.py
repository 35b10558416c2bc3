"""A finite list of named points."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from counsel.errors import InvalidInput
from counsel.space.checks import (
    SLACK,
    Array,
    Label,
    finite_number,
    is_label,
    match_names,
    one_of,
    same_label,
    to_native,
    unit_vector,
)
from counsel.space.columns import NamedColumns
from counsel.space.parameters import Parameter, parameters_to_list
from counsel.space.tables import table_of

_EXACT_INT = 2**53  # integers up to here are exact as 64-bit floats
_DICT_LIMIT = 100_000  # arms in a dict: fast to look up, about 200 bytes each
_CELL_LIMIT = 250_000_000  # encoded numbers in one Arms: 2 GB


@dataclass(frozen=True, slots=True, eq=False)
class _Column:
    """One coordinate of all arms: the numbers, or codes into ``choices``."""

    name: str
    data: NDArray[np.float64] | NDArray[np.int64]
    choices: tuple[Label, ...] | None = None
    low: float = 0.0
    span: float = 1.0
    log: bool = False

    @property
    def width(self) -> int:
        return 1 if self.choices is None else len(self.choices)

    def native(self, row: int) -> Label:
        value = self.data[row].item()
        return value if self.choices is None else self.choices[int(value)]

    def code(self, value: object) -> float:
        """A value as ``data`` stores it, even if no arm has it; else InvalidInput."""
        if self.choices is None:
            return finite_number(self.name, value, "Give a finite number.") + 0.0
        native = to_native(value)
        for code, choice in enumerate(self.choices):
            if same_label(choice, native):
                return code
        raise InvalidInput(self.name, value, one_of(native, self.choices))

    def write(self, codes: NDArray[Any], out: Array) -> None:
        """Encode codes into the columns ``out``, which start as zeros."""
        if self.choices is None:
            numbers = codes.astype(np.float64)
            if self.log:
                numbers = np.log(np.maximum(numbers, 1e-300))
            out[:, 0] = (numbers - self.low) / self.span
        else:
            out[np.arange(len(codes)), codes.astype(np.intp)] = 1.0


class Arms(NamedColumns):
    """A finite list of named points: from a 2-D array, a list of rows or dicts, or a DataFrame.

    Numbers are scaled to [0, 1] over the arms; strings and booleans become one-hot columns. For
    dicts and DataFrames ``names`` selects columns, for rows it names them (else x1, x2, ...).

    ``log`` names columns that are searched by their logarithm, ``label`` the column that an arm is
    known by and that says nothing about it (a name, a number in a catalogue): it stands with the
    values of every proposal, nothing is learned from it, and it is enough to name an arm. With
    ``once``, an arm that was tried is not proposed again.

    Example:
        >>> import counsel as cs
        >>> arms = cs.Arms([[20, 0.1], [30, 0.1], [30, 0.4]], names=["heat", "rate"])
        >>> arms.index({"heat": 30, "rate": 0.4})
        2
        >>> arms[1]
        {'heat': 30, 'rate': 0.1}
    """

    __slots__ = (
        "_columns", "_hashes", "_label", "_labels", "_log", "_once", "_order", "_points", "_rows",
    )  # fmt: skip

    finite: ClassVar[bool] = True

    def __init__(
        self,
        data: object,
        names: Sequence[str] | None = None,
        context: Mapping[str, Parameter] | None = None,
        *,
        log: Sequence[str] = (),
        label: str | None = None,
        once: bool = False,
    ) -> None:
        wanted = names
        if label is not None and names is not None and label not in names:
            wanted = [*names, label]
        table = table_of(data, wanted)
        labels = None
        if label is not None:
            if label not in table or len(table) < 2:
                known = [name for name in table if name != label]
                raise InvalidInput("label", label, one_of(label, known))
            labels = tuple(str(to_native(each)) for each in table.pop(label))
            if len(set(labels)) < len(labels):
                twice = next(each for each in labels if labels.count(each) > 1)
                raise InvalidInput(f"column {label!r}", twice, "Give every arm a label of its own.")
        if not isinstance(once, bool):
            raise InvalidInput("once", once, "Give True or False.")
        logs = (log,) if isinstance(log, str) else tuple(log)
        for name in logs:
            if name not in table:
                raise InvalidInput("log", name, one_of(name, tuple(table)))
        columns = [_column(n, values, log=n in logs) for n, values in table.items()]
        self._fill(columns, context, (label, labels, logs, once))

    def _fill(
        self,
        columns: list[_Column],
        context: Mapping[str, Parameter] | None,
        rest: tuple[str | None, tuple[str, ...] | None, tuple[str, ...], bool],
    ) -> None:
        self._label, self._labels, self._log, self._once = rest
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
        # Sorted hashes find duplicates now, and look up arms later in lists too long for a dict.
        hashes = _hash_rows([c.data for c in columns])
        self._order = np.argsort(hashes)
        self._hashes = hashes[self._order]
        self._refuse_duplicates()

    def _refuse_duplicates(self) -> None:
        equal = self._hashes[1:] == self._hashes[:-1]
        if not equal.any():
            return
        suspects = np.unique(self._order[np.flatnonzero(np.r_[equal, False] | np.r_[False, equal])])
        seen: dict[tuple[Label, ...], int] = {}
        for row in suspects.tolist():
            arm = tuple(column.native(row) for column in self._columns)
            first = seen.setdefault(arm, row)
            if first != row:
                raise InvalidInput(
                    f"rows {first} and {row}", self[row], "Give every arm once (rows count from 0)."
                )

    @property
    def label(self) -> str | None:
        """The column that arms are known by, if there is one."""
        return self._label

    @property
    def once(self) -> bool:
        """Whether an arm may be tried only once."""
        return self._once

    def __len__(self) -> int:
        return len(self._order)

    def __getitem__(self, row: int) -> dict[str, Any]:
        i = operator.index(row)
        found = {column.name: column.native(i) for column in self._columns}
        if self._label is None or self._labels is None:
            return found
        return {self._label: self._labels[i], **found}

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

    def labels(self, name: str) -> tuple[Label, ...] | None:
        """The labels of a column, or None if it holds numbers."""
        return next((c.choices for c in self._columns if c.name == name), None)

    def index(self, values: Mapping[str, object]) -> int:
        """The row of the arm with these values, or InvalidInput naming the nearest arm."""
        if self._label is not None and self._labels is not None and self._label in values:
            return self._labelled(values)
        match_names("coordinates", values, self.names)
        codes = tuple(column.code(values[column.name]) for column in self._columns)
        found = self._find(codes)
        if found is not None:
            return found
        # 0.3 typed by hand differs from the 0.1 * 3 of a grid: allow for rounding.
        query = np.zeros((1, self.dim))
        for column, code in zip(self._columns, codes, strict=True):
            column.write(np.array([code]), query[:, self._slices[column.name]])
        row, distance = self._nearest(query[0])
        if distance > SLACK:
            raise InvalidInput(
                "values", dict(values), f"Not one of the {len(self)} arms; nearest: {self[row]}."
            )
        return row

    def _labelled(self, values: Mapping[str, object]) -> int:
        """The arm of this label; other coordinates may be given too, and then must be its own."""
        assert self._label is not None and self._labels is not None  # noqa: PT018
        name = str(to_native(values[self._label]))
        if name not in self._labels:
            raise InvalidInput(self._label, name, one_of(name, self._labels))
        row = self._labels.index(name)
        rest = {key: each for key, each in values.items() if key != self._label}
        if rest:
            match_names("coordinates", rest, self.names)
            own = {column.name: column.native(row) for column in self._columns}
            codes = [(c.code(rest[c.name]), c.code(own[c.name])) for c in self._columns]
            if not all(math.isclose(a, b, rel_tol=SLACK, abs_tol=SLACK) for a, b in codes):
                raise InvalidInput("values", dict(values), f"{name} is {own}.")
        return row

    def _find(self, codes: tuple[float, ...]) -> int | None:
        if len(self) <= _DICT_LIMIT:
            if self._rows is None:
                columns = [column.data.tolist() for column in self._columns]
                self._rows = {arm: row for row, arm in enumerate(zip(*columns, strict=True))}
            return self._rows.get(codes)
        with np.errstate(invalid="ignore"):  # too large for the column, so no arm has it
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

    def encode_part(self, name: str, value: object) -> Array:
        """The columns that encode one coordinate's value, even if no arm has it."""
        column = next(each for each in self._columns if each.name == name)
        out = np.zeros((1, column.width))
        column.write(np.array([column.code(value)]), out)
        return out[0]

    def encode_many(self, many: Iterable[Mapping[str, object]]) -> Array:
        """Many arms at once: (n, dim)."""
        return self.points[np.array([self.index(values) for values in many], dtype=np.intp)]

    def decode(self, u: object) -> dict[str, Any]:
        """The arm nearest to ``u``."""
        return self[self._nearest(unit_vector("u", u, self.dim))[0]]

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
            "context": parameters_to_list(self._context),
            **({"log": list(self._log)} if self._log else {}),
            **({"label": self._label, "labels": list(self._labels)} if self._labels else {}),
            **({"once": True} if self._once else {}),
        }

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Arms):
            return NotImplemented
        return (
            self.names == other.names
            and (self._label, self._labels) == (other._label, other._labels)
            and (self._log, self._once) == (other._log, other._once)
            and list(self._context.items()) == list(other._context.items())
            and all(
                a.choices == b.choices and np.array_equal(a.data, b.data)
                for a, b in zip(self._columns, other._columns, strict=True)
            )
        )

    __hash__ = None  # type: ignore[assignment]

    # Rebuilding keeps the arrays read-only, which a plain pickle forgets.
    def __reduce__(self) -> tuple[object, ...]:
        rest = (self._label, self._labels, self._log, self._once)
        return _arms_of_columns, (list(self._columns), self._context, rest)

    def __repr__(self) -> str:
        return f"Arms({len(self)} arms: {', '.join(self.names)})"


def _arms_of_columns(
    columns: list[_Column],
    context: Mapping[str, Parameter],
    rest: tuple[str | None, tuple[str, ...] | None, tuple[str, ...], bool],
) -> Arms:
    arms = Arms.__new__(Arms)
    arms._fill(columns, context, rest)
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


def _column(name: str, values: Any, *, log: bool = False) -> _Column:
    """One coordinate; with `log`, of numbers above 0."""
    found = _plain_column(name, values)
    if not log:
        return found
    if found.choices is not None or float(found.data.min()) <= 0.0:
        lowest = found.data.min().item()
        raise InvalidInput(f"column {name!r}", lowest, "A log scale needs numbers above 0.")
    logs = np.log(found.data.astype(np.float64))
    span = float(logs.max() - logs.min())
    return replace(found, low=float(logs.min()), span=span if span > 0.0 else 1.0, log=True)


def _plain_column(name: str, values: Any) -> _Column:
    """One coordinate from a sequence of values: numbers stay numbers, the rest become labels."""
    kind = values.dtype.kind if isinstance(values, np.ndarray) else "O"
    if kind in "fiu":
        return _numeric_column(name, values)
    # Dates, bytes and complex numbers have no single obvious meaning as a coordinate.
    if kind not in "ObUT":
        raise InvalidInput(
            f"column {name!r}", values.dtype, "Convert it to numbers, strings or booleans."
        )
    cells: list[Any] = [to_native(v) for v in (values.tolist() if kind != "O" else values)]
    for row, cell in enumerate(cells):
        if not is_label(cell):
            raise InvalidInput(
                f"row {row}, column {name!r}", cell, "Give a string, a finite number or a boolean."
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
