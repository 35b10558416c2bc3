"""A world: a function to optimise with a known best value, so that regret can be measured.

A world knows nothing of policies. Builders (one file per family) return the plain world; noise and
standardisation are wrappers that return another one. Everything here can be pickled.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property

import numpy as np
from jaxtyping import Float64

from counsel.errors import InvalidInput
from counsel.facts.problem import Direction, Objective
from counsel.space import AnySpace, Arms

__all__ = ["Points", "Values", "World", "over_arms", "standardised", "with_noise"]

Points = Float64[np.ndarray, "n d"]
Values = Float64[np.ndarray, "n"]


@dataclass(frozen=True, eq=False)  # functions and arrays have no useful equality
class World:
    """A function over a space, in the user's units and sign, with its known best.

    `function` maps coordinates (n, d), in the order of `space.names`, to noise-free values (n,).
    `noise` is the standard deviation of an observation. `optimum` is the best noise-free value and
    `optimisers` are the points that reach it.
    """

    name: str
    space: AnySpace
    function: Callable[[Points], Values]
    direction: Direction
    noise: float
    optimum: float
    optimisers: tuple[Mapping[str, float], ...] = field(repr=False)  # a wheel has hundreds

    def __post_init__(self) -> None:
        if not (math.isfinite(self.noise) and self.noise >= 0.0):
            raise InvalidInput("noise", self.noise, "Give a standard deviation of 0 or more.")
        if not math.isfinite(self.optimum):
            raise InvalidInput("optimum", self.optimum, "Give the best finite value.")

    @property
    def sign(self) -> float:
        """+1 to maximise, -1 to minimise."""
        return Objective(direction=self.direction).sign

    @property
    def arms(self) -> Arms:
        """The space of a world over arms; a box is refused."""
        if not isinstance(self.space, Arms):
            raise InvalidInput("space", self.space, "This needs a world over Arms.")
        return self.space

    @cached_property
    def payoffs(self) -> Values:
        """The noise-free value of every arm, in the order of the arms; read-only."""
        return _tabulate(self.function, self.arms)

    def evaluate(self, values: Mapping[str, object]) -> float:
        """The noise-free value at a point."""
        if isinstance(self.space, Arms):
            return float(self.payoffs[self.space.index(values)])
        point = self.space.validate(values)
        coordinates = np.array([[point[name] for name in self.space.names]], dtype=np.float64)
        return float(self.function(coordinates)[0])

    def observe(self, values: Mapping[str, object], rng: np.random.Generator) -> float:
        """What a trial at a point would measure: value + noise * N(0, 1)."""
        return self.evaluate(values) + self.noise * float(rng.standard_normal())

    def regret(self, values: Mapping[str, object]) -> float:
        """How much worse than the optimum a point is, without noise: never negative."""
        return max(0.0, self.sign * (self.optimum - self.evaluate(values)))

    # Without the cached payoffs: cheap to compute again, and a pickle forgets they are read-only.
    def __getstate__(self) -> dict[str, object]:
        return {each.name: getattr(self, each.name) for each in fields(self)}


def over_arms(
    name: str,
    space: Arms,
    function: Callable[[Points], Values],
    *,
    noise: float,
    direction: Direction = "maximize",
) -> World:
    """A world over a finite list of arms, whose optimum is found by looking at all of them."""
    payoffs = _tabulate(function, space)
    best = float(payoffs.max() if direction == "maximize" else payoffs.min())
    optimisers = tuple(space[int(row)] for row in np.flatnonzero(payoffs == best))
    return World(name, space, function, direction, noise, best, optimisers)


def with_noise(world: World, sd: float) -> World:
    """The same world, observed with another noise."""
    return replace(world, noise=sd)


def standardised(world: World) -> World:
    """The world with payoffs (f - mean) / sd, mean and sd taken over all its arms.

    The noise keeps its number, now in standardised units: that is the LW-UCB paper's protocol.
    """
    mean, sd = float(world.payoffs.mean()), float(world.payoffs.std())
    if sd == 0.0:
        raise InvalidInput("world", world.name, "All arms pay the same; there is nothing to scale.")
    return replace(
        world,
        name=f"{world.name}-standardised",
        function=_Scaled(world.function, mean, sd),
        optimum=(world.optimum - mean) / sd,
    )


@dataclass(frozen=True)
class _Scaled:
    """(f(x) - mean) / sd."""

    function: Callable[[Points], Values]
    mean: float
    sd: float

    def __call__(self, x: Points) -> Values:
        return (self.function(x) - self.mean) / self.sd


def _tabulate(function: Callable[[Points], Values], space: Arms) -> Values:
    coordinates = np.array([list(arm.values()) for arm in space], dtype=np.float64)
    payoffs = np.array(function(coordinates))  # a copy: only ours is made read-only
    payoffs.flags.writeable = False
    return payoffs
