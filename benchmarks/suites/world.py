"""What is searched: a setting, what a trial there gives, and the best that is known."""

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.suites.setting import Point, Setting

# Trials that are told: the point, the value, the constraints' margins.
Past = list[tuple[Point, float, tuple[float, ...]]]
NEVER = 1e30
"""The value of a run that found nothing feasible."""


@dataclass(frozen=True)
class Reading:
    """What a trial gives: the value told, the constraints' margins, and the value without noise."""

    value: float
    margins: tuple[float, ...] = ()
    truth: float | None = None

    @property
    def worth(self) -> float:
        """What counts for the result: without noise, and only where all constraints hold."""
        if any(margin < 0.0 for margin in self.margins):
            return NEVER
        return self.value if self.truth is None else self.truth


@dataclass(frozen=True)
class World:
    """One function, table or design. `gap` turns the best worth found into a distance to the best.

    `open(seed)` starts the world, noise included. `past(seed)` gives trials of another task that
    contestants may learn from before the first trial of this one.
    """

    name: str
    group: str
    setting: Setting
    open: Callable[[int], Callable[[Point], Reading]]
    gap: Callable[[float], float]
    first: int
    trials: int
    past: Callable[[int], Past] | None = None


def above(best: float, least: float = 1e-8) -> Callable[[float], float]:
    """The gap to a known best value; what is nearer than `least` counts as found."""
    return lambda worth: max(worth - best, least)
