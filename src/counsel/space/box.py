"""A box of named parameters."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from counsel.errors import InvalidInput
from counsel.space.checks import (
    Array,
    match_names,
    one_of,
    same_label,
    to_native,
    unit_vector,
)
from counsel.space.columns import NamedColumns
from counsel.space.decoding import on_the_dot, values_at
from counsel.space.parameters import (
    Categorical,
    Float,
    Int,
    Parameter,
    check_parameters,
    parameters_to_list,
)
from counsel.space.requirements import Linear, Require

ABSENT = 0.5  # what stands in the columns of a parameter that does not exist at a point
_ATTEMPTS = 200
_PROJECTIONS = 60


class Space(NamedColumns):
    """A box of named parameters: ``Space(dose=Float(0, 50), kind=Categorical(["a", "b"]))``.

    ``require`` lists what must hold among them, as ``Require("a + b + c == 100")`` or the
    expressions alone. Such a space, and one with parameters that exist only under a condition
    (``when``), is ``restricted``: not every point of the cube is one of its points.

    Example:
        >>> import counsel as cs
        >>> space = cs.Space(dose=cs.Float(0, 50), kind=cs.Categorical(["a", "b"]))
        >>> space.encode({"dose": 25, "kind": "b"}).tolist()
        [0.5, 0.0, 1.0]
        >>> space.decode([0.5, 0.0, 1.0])
        {'dose': 25.0, 'kind': 'b'}
    """

    __slots__ = ("_linear", "_parameters", "_require")

    finite: ClassVar[bool] = False

    def __init__(
        self,
        /,
        *,
        context: Mapping[str, Parameter] | None = None,
        require: Sequence[Require | str] | Require | str | Parameter = (),
        **parameters: Parameter,
    ) -> None:
        if isinstance(require, Parameter):  # one may be called so
            parameters, require = {"require": require, **parameters}, ()
        if not parameters:
            raise InvalidInput("parameters", parameters, "Give at least one parameter.")
        check_parameters("parameters", parameters)
        self._parameters = parameters
        self._lay_out({name: p.width for name, p in parameters.items()}, context)
        self._require = _requirements(require)
        self._linear = _equations(self._require, parameters)
        self._check_restrictions()

    def _check_restrictions(self) -> None:
        for name, parameter in self._parameters.items():
            for other, values in (parameter.when or {}).items():
                source = self._parameters.get(other)
                if source is None or other == name or source.when is not None:
                    known = [n for n, p in self._parameters.items() if p.when is None and n != name]
                    raise InvalidInput(f"{name}.when", other, one_of(other, known))
                for value in values:  # type: ignore[union-attr]
                    source.validate(f"{name}.when[{other!r}]", value)
        for requirement in self._require:
            for name in requirement.names:
                if name not in self._parameters:
                    raise InvalidInput("require", name, one_of(name, self.names))
        if self._require:
            self.sample(1, np.random.default_rng(0))  # refuse what nothing can satisfy

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        return MappingProxyType(self._parameters)

    @property
    def require(self) -> tuple[Require, ...]:
        return self._require

    @property
    def conditional(self) -> bool:
        """Whether some parameters exist only under a condition."""
        return any(p.when is not None for p in self._parameters.values())

    @property
    def restricted(self) -> bool:
        """Whether there are points of the cube that are not points of the space, once rounded."""
        return bool(self._require) or self.conditional

    @property
    def convex(self) -> bool:
        """Whether all that is required are equations of numbers that can be in between: then what
        lies between two points that differ in such numbers alone is a point, too."""
        names = {name for each in self._linear for name in each.weights}
        between = (self._parameters[name] for name in names)
        return (
            not self.conditional
            and len(self._linear) == len(self._require)
            and all(isinstance(p, Float) and p.step is None and not p.log for p in between)
        )

    @property
    def shared(self) -> tuple[str, ...]:
        """The parameters that are hard to change."""
        return tuple(name for name, p in self._parameters.items() if p.shared)

    @property
    def discrete_columns(self) -> NDArray[np.bool_]:
        """Which of the ``dim`` columns belong to a parameter with steps or choices."""
        return np.array([p.discrete for p in self._parameters.values() for _ in range(p.width)])

    def exists(self, name: str, values: Mapping[str, object]) -> bool:
        """Whether a parameter exists where the others have these values."""
        when = self._parameters[name].when or {}
        return all(
            any(same_label(label, to_native(values.get(other))) for label in labels)  # type: ignore[union-attr]
            for other, labels in when.items()
        )

    def validate(self, values: Mapping[str, object]) -> dict[str, Any]:
        """The values as Python natives in the order of the space, or InvalidInput.

        A parameter that does not exist for these values is left out.
        """
        if self.conditional and isinstance(values, Mapping):
            wanted = [name for name in self._parameters if self.exists(name, values)]
            given = {name: each for name, each in values.items() if name not in self._parameters}
            given |= {name: values[name] for name in wanted if name in values}
            match_names("parameters", given, wanted)
            found = {name: self._parameters[name].validate(name, given[name]) for name in wanted}
        else:
            match_names("parameters", values, self._parameters)
            found = {name: p.validate(name, values[name]) for name, p in self._parameters.items()}
        for requirement in self._require:
            if not requirement.holds(self._columns_of([found]))[0]:
                raise InvalidInput("values", found, f"They must satisfy {requirement.expression}.")
        return found

    def encode(self, values: Mapping[str, object]) -> Array:
        return self.encode_many([values]).ravel()

    def encode_many(self, many: Iterable[Mapping[str, object]]) -> Array:
        """Many points at once: (n, dim)."""
        return self._encoded([self.validate(values) for values in many])

    def _encoded(self, rows: Sequence[Mapping[str, Any]]) -> Array:
        """Points, without looking whether requirements hold."""
        out = np.empty((len(rows), self.dim))
        for name, parameter in self._parameters.items():
            columns = self._slices[name]
            if parameter.when is None:
                out[:, columns] = parameter._columns([row[name] for row in rows])
                continue
            out[:, columns] = ABSENT
            there = [i for i, row in enumerate(rows) if name in row]
            out[there, columns] = parameter._columns([rows[i][name] for i in there])
        return out

    def encode_part(self, name: str, value: object) -> Array:
        """The columns of one parameter's value."""
        return self._parameters[name]._columns([self._parameters[name].validate(name, value)])[0]

    def decode(self, u: object) -> dict[str, Any]:
        """The point of the space at (or, for discrete parameters, nearest to) ``u``."""
        return self._decoded(unit_vector("u", u, self.dim))

    def _decoded(self, row: Array) -> dict[str, Any]:
        """The point at a row that is known to be in the unit cube."""
        found: dict[str, Any] = {
            n: p._at(row[self._slices[n]]) for n, p in self._parameters.items()
        }
        if self._linear:
            found = self._on_the_dot(found)
        if self.conditional:
            found = {name: each for name, each in found.items() if self.exists(name, found)}
        return found

    def snap(self, points: Array) -> Array:
        """Encoded points (n, dim) moved to the nearest points of the space.

        Linear equations hold afterwards where they can; other requirements may not: see ``fits``.
        """
        out = np.clip(points, 0.0, 1.0)
        if self._linear:
            out = self._projected(out)
        for name, parameter in self._parameters.items():
            columns = self._slices[name]
            if isinstance(parameter, Categorical):
                if parameter.one_hot:
                    out[:, columns] = np.eye(parameter.width)[np.argmax(out[:, columns], axis=1)]
                else:
                    gaps = (out[:, columns][:, None, :] - parameter.grid()[None]) ** 2
                    out[:, columns] = parameter.grid()[np.argmin(gaps.sum(axis=2), axis=1)]
            elif parameter.discrete:
                out[:, columns] = parameter._columns(values_at(parameter, out[:, columns]).tolist())
        return self._encoded_again(out) if self._linear or self.conditional else out

    def fits(self, points: Array) -> NDArray[np.bool_]:
        """Which encoded points, once decoded, are points of the space."""
        if not self.restricted:
            return np.ones(len(points), dtype=bool)
        values, there = self._values_at(np.clip(points, 0.0, 1.0))
        for name, exists in there.items():
            values[name] = np.where(exists, values[name], np.nan)
        held = np.ones(len(points), dtype=bool)
        for requirement in self._require if len(points) else ():
            held &= requirement.holds(values)
        return held

    def sample(self, count: int, rng: np.random.Generator) -> Array:
        """Points of the space drawn at random, encoded: (count, dim)."""
        kept: list[Array] = []
        found = 0
        for _ in range(_ATTEMPTS):
            drawn = rng.uniform(size=(max(256, 2 * count), self.dim))
            for name, parameter in self._parameters.items():
                if isinstance(parameter, Categorical):  # each level as often as any other
                    levels = parameter.grid()
                    drawn[:, self._slices[name]] = levels[
                        rng.integers(len(levels), size=len(drawn))
                    ]
            drawn = self.snap(drawn)
            if self.restricted:
                drawn = drawn[self.fits(drawn)]
            kept.append(drawn)
            found += len(drawn)
            if found >= count:
                return np.concatenate(kept)[:count]
        raise InvalidInput(
            "require",
            [requirement.expression for requirement in self._require],
            "Hardly any point satisfies this: loosen a requirement, or widen the bounds.",
        )

    # ---- inside --------------------------------------------------------------------------------

    def _values_at(self, rows: Array) -> tuple[dict[str, NDArray[Any]], dict[str, NDArray[Any]]]:
        """Values by parameter at rows of the unit cube, as `_decoded` has them; and where those
        that exist only under a condition do."""
        found = {n: values_at(p, rows[:, self._slices[n]]) for n, p in self._parameters.items()}
        if self._linear:
            found = on_the_dot(self._linear, self._parameters, found)
        there = {}
        for name, parameter in self._parameters.items():
            if parameter.when is not None:
                there[name] = np.ones(len(rows), dtype=bool)
                for other, labels in parameter.when.items():
                    whole = isinstance(self._parameters[other], Int)
                    cells = found[other].astype(np.int64 if whole else object).tolist()
                    fine = {
                        cell: any(same_label(label, to_native(cell)) for label in labels)  # type: ignore[union-attr]
                        for cell in set(cells)
                    }
                    there[name] &= np.array([fine[cell] for cell in cells], dtype=bool)
        return found, there

    def _encoded_again(self, rows: Array) -> Array:
        """The rows of the points that these are decoded to."""
        values, there = self._values_at(rows)
        out = np.empty_like(rows)
        for name, parameter in self._parameters.items():
            columns = parameter._columns(values[name].tolist())
            if name in there:
                columns = np.where(there[name][:, None], columns, ABSENT)
            out[:, self._slices[name]] = columns
        return out

    def _columns_of(self, rows: Sequence[Mapping[str, Any]]) -> dict[str, NDArray[Any]]:
        """Values by parameter; of one that does not exist, NaN."""
        found: dict[str, NDArray[Any]] = {}
        for name, parameter in self._parameters.items():
            cells = [row.get(name, np.nan) for row in rows]
            labels = isinstance(parameter, Categorical)
            found[name] = np.array(cells, dtype=object if labels else np.float64)
        return found

    def _projected(self, points: Array) -> Array:
        """Moved onto the linear equations, within the bounds (alternating projections)."""
        names = list(dict.fromkeys(name for each in self._linear for name in each.weights))
        low = np.array([float(self._parameters[n].low) for n in names])  # type: ignore[union-attr]
        high = np.array([float(self._parameters[n].high) for n in names])  # type: ignore[union-attr]
        span = high - low
        columns = [self._slices[name].start for name in names]
        A = np.array([[each.weights.get(n, 0.0) for n in names] for each in self._linear]) * span
        b = np.array([each.total for each in self._linear])
        b = b - A @ (low / span)
        solve = np.linalg.pinv(A)
        x, rest = points[:, columns], np.zeros((len(points), len(names)))
        for _ in range(_PROJECTIONS):  # Dykstra's: the nearest point of both sets
            whole = x - (x @ A.T - b) @ solve.T
            whole += rest
            x = np.minimum(np.maximum(whole, 0.0), 1.0)
            rest = np.subtract(whole, x, out=whole)
        out = points.copy()
        out[:, columns] = x
        return out

    def _on_the_dot(self, values: dict[str, Any]) -> dict[str, Any]:
        """Rounding taken out: the parts with the most room make each equation hold."""
        found = dict(values)
        for equation in self._linear:
            off = equation.total - sum(w * found[n] for n, w in equation.weights.items())
            order = sorted(equation.weights, key=lambda name: self._room(name, found), reverse=True)
            for name in order:
                if off == 0.0:
                    break
                parameter, weight = self._parameters[name], equation.weights[name]
                wanted = found[name] + off / weight
                moved = min(max(wanted, parameter.low), parameter.high)  # type: ignore[union-attr]
                if parameter.discrete:
                    moved = parameter.decode(parameter._columns([moved])[0])
                off -= weight * (moved - found[name])
                found[name] = moved
        return found

    def _room(self, name: str, values: Mapping[str, Any]) -> float:
        """How far a part is from its nearer bound; one with steps comes first."""
        parameter: Any = self._parameters[name]
        room = min(values[name] - parameter.low, parameter.high - values[name])
        return math.inf if parameter.discrete else room / (parameter.high - parameter.low)

    def to_dict(self) -> dict[str, Any]:
        """A JSON-able description; ``space_from_dict`` is its inverse."""
        return {
            "type": "space",
            "parameters": parameters_to_list(self._parameters),
            "context": parameters_to_list(self._context),
            **({"require": [each.expression for each in self._require]} if self._require else {}),
        }

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Space):
            return NotImplemented
        # Order matters: it fixes the encoded columns.
        return (
            list(self._parameters.items()) == list(other._parameters.items())
            and list(self._context.items()) == list(other._context.items())
            and self._require == other._require
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        inside = [f"{name}={p}" for name, p in self._parameters.items()]
        inside += [f"require={[each.expression for each in self._require]}"] * bool(self._require)
        return f"Space({', '.join(inside + ([f'context={self._context}'] * bool(self._context)))})"


def _requirements(given: Any) -> tuple[Require, ...]:
    if isinstance(given, str | Require):
        given = [given]
    if isinstance(given, Mapping) or not isinstance(given, Iterable):
        raise InvalidInput("require", given, 'Give a list like [counsel.Require("a <= 2 * b")].')
    return tuple(each if isinstance(each, Require) else Require(each) for each in given)


def _equations(
    require: Sequence[Require], parameters: Mapping[str, Parameter]
) -> tuple[Linear, ...]:
    """The linear equations among numbers that always exist."""
    found = [each.linear() for each in require]
    return tuple(
        each
        for each in found
        if each is not None
        and all(
            isinstance(p := parameters.get(name), Float | Int) and p.when is None and not p.log
            for name in each.weights
        )
    )
