"""What a contestant is told of a world, and points as vectors for those who want vectors."""

from dataclasses import asdict, dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Kind = Literal["real", "whole", "choice"]
# The values of all parameters in their order; over a table, the number of the row.
Point = list[Any] | int


@dataclass(frozen=True)
class Parameter:
    """A real or whole number between bounds, or one of some choices."""

    name: str
    kind: Kind
    low: float = 0.0
    high: float = 1.0
    log: bool = False
    choices: tuple[Any, ...] = ()

    @property
    def width(self) -> int:
        """Columns of the vector: one, or one per choice."""
        return len(self.choices) if self.kind == "choice" else 1

    def encode(self, value: Any) -> list[float]:
        if self.kind == "choice":
            return [float(value == choice) for choice in self.choices]
        if self.high == self.low:
            return [0.0]
        low, high = self._scaled(self.low), self._scaled(self.high)
        return [(self._scaled(value) - low) / (high - low)]

    def decode(self, columns: Points) -> Any:
        if self.kind == "choice":
            return self.choices[int(np.argmax(columns))]
        low, high = self._scaled(self.low), self._scaled(self.high)
        value = low + float(np.clip(columns[0], 0.0, 1.0)) * (high - low)
        value = min(max(float(np.exp(value)) if self.log else value, self.low), self.high)
        return round(value) if self.kind == "whole" else value

    def _scaled(self, value: Any) -> float:
        return float(np.log(value)) if self.log else float(value)


@dataclass(frozen=True)
class Setting:
    """Parameters, rows of a table if there are only these, and how many constraints there are."""

    parameters: tuple[Parameter, ...]
    rows: tuple[tuple[Any, ...], ...] | None = None
    constraints: int = 0
    noisy: bool = False

    @property
    def width(self) -> int:
        return sum(parameter.width for parameter in self.parameters)

    def encode(self, point: Point) -> Points:
        values = self.rows[point] if isinstance(point, int) and self.rows else point
        assert not isinstance(values, int)
        pairs = zip(self.parameters, values, strict=True)
        return np.array([column for p, value in pairs for column in p.encode(value)])

    def decode(self, vector: Points) -> Point:
        values, start = [], 0
        for parameter in self.parameters:
            values.append(parameter.decode(vector[start : start + parameter.width]))
            start += parameter.width
        return values

    def draw(self, rng: np.random.Generator, count: int) -> list[Point]:
        """Uniform points; over a table, different rows."""
        if self.rows is not None:
            return [int(i) for i in rng.choice(len(self.rows), count, replace=False)]
        return [
            self.decode(self._spread(vector)) for vector in rng.uniform(size=(count, self.width))
        ]

    def _spread(self, vector: Points) -> Points:
        """Whole numbers by equal shares: rounding would halve the share of the ends."""
        start = 0
        for p in self.parameters:
            if p.kind == "whole" and not p.log:
                count = p.high - p.low + 1.0
                step = min(np.floor(vector[start] * count), count - 1.0)
                vector[start] = step / max(count - 1.0, 1.0)
            start += p.width
        return vector

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        parameters = tuple(
            Parameter(**{**p, "choices": tuple(p["choices"])}) for p in data["parameters"]
        )
        rows = None if data["rows"] is None else tuple(tuple(row) for row in data["rows"])
        return cls(parameters, rows, data["constraints"], data["noisy"])
