"""A world with constraints: an objective and margins over arms, all observed with noise.

A margin of 0 or more means that the constraint holds. The world knows the best safe arm, and one
safe arm that a person would start from.
"""

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float

from counsel.errors import InvalidInput
from counsel.facts.problem import Constraint, Direction
from counsel.space import Arms

__all__ = ["ConstrainedWorld"]


@dataclass(frozen=True, eq=False)
class ConstrainedWorld:
    """`payoffs` (1 + k, M): the objective, which is maximised, then each constraint's margin."""

    name: str
    space: Arms
    payoffs: Float[np.ndarray, "m M"] = field(repr=False)
    constraints: tuple[str, ...]
    noise: float
    start: int
    direction: Direction = "maximize"

    def __post_init__(self) -> None:
        if self.payoffs.shape != (1 + len(self.constraints), len(self.space)):
            raise InvalidInput(
                "payoffs", self.payoffs.shape, "Give one row per outcome, one column per arm."
            )
        if not (math.isfinite(self.noise) and self.noise >= 0.0):
            raise InvalidInput("noise", self.noise, "Give a standard deviation of 0 or more.")
        if not self.safe[self.start]:
            raise InvalidInput("start", self.start, "Give an arm where every constraint holds.")

    @property
    def arms(self) -> Arms:
        return self.space

    @cached_property
    def safe(self) -> Bool[np.ndarray, " M"]:
        """Where every constraint holds."""
        return np.all(self.payoffs[1:] >= 0.0, axis=0)

    @cached_property
    def best(self) -> int:
        """The best safe arm."""
        return int(np.argmax(np.where(self.safe, self.payoffs[0], -np.inf)))

    @cached_property
    def regrets(self) -> Float[np.ndarray, " M"]:
        """r* - r(x) where x is safe, else r* - min r: an unsafe arm is never a gain."""
        objective = self.payoffs[0]
        return objective[self.best] - np.where(self.safe, objective, objective.min())

    def records(self) -> list[Constraint]:
        """The constraints as `create_study` takes them."""
        return [Constraint(name, at_least=0.0) for name in self.constraints]

    def observe(self, arm: int, rng: np.random.Generator) -> dict[str, float]:
        """What a trial would measure if everything were asked: objective and all constraints."""
        seen = self.payoffs[:, arm] + self.noise * rng.standard_normal(len(self.payoffs))
        names = ("objective", *self.constraints)
        return {name: float(value) for name, value in zip(names, seen, strict=True)}
