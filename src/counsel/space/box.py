"""A box of named parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from counsel.errors import InvalidInput
from counsel.space.checks import Array, match_names, unit_vector
from counsel.space.columns import NamedColumns
from counsel.space.parameters import (
    Categorical,
    Int,
    Parameter,
    check_parameters,
    parameters_to_list,
)


class Space(NamedColumns):
    """A box of named parameters: ``Space(dose=Float(0, 50), kind=Categorical(["a", "b"]))``.

    Example:
        >>> import counsel as cs
        >>> space = cs.Space(dose=cs.Float(0, 50), kind=cs.Categorical(["a", "b"]))
        >>> space.encode({"dose": 25, "kind": "b"}).tolist()
        [0.5, 0.0, 1.0]
        >>> space.decode([0.5, 0.0, 1.0])
        {'dose': 25.0, 'kind': 'b'}
    """

    __slots__ = ("_parameters",)

    finite: ClassVar[bool] = False

    def __init__(
        self, /, *, context: Mapping[str, Parameter] | None = None, **parameters: Parameter
    ) -> None:
        if not parameters:
            raise InvalidInput(
                "parameters", parameters, "Give at least one, such as x=Float(0, 1)."
            )
        check_parameters("parameters", parameters)
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
        match_names("parameters", values, self._parameters)
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
        vector = unit_vector("u", u, self.dim)
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
            "parameters": parameters_to_list(self._parameters),
            "context": parameters_to_list(self._context),
        }

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Space):
            return NotImplemented
        # Order matters: it fixes the encoded columns.
        return list(self._parameters.items()) == list(other._parameters.items()) and list(
            self._context.items()
        ) == list(other._context.items())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        inside = [f"{name}={p}" for name, p in self._parameters.items()]
        return f"Space({', '.join(inside + ([f'context={self._context}'] * bool(self._context)))})"
