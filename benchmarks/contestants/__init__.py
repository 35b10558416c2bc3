"""Everyone who proposes points, behind one small protocol.

A contestant is told observations and asked for the next point; it refits its hyper-parameters at
every ask. Libraries are imported only by their own module, so a worker loads just one of them.
"""

from typing import Protocol

from benchmarks.functions import Points
from benchmarks.measure import Measurement, timed

KAPPA = 2.0
"""Weight of the posterior standard deviation in every upper confidence bound."""


class Asker(Protocol):
    """What all contestants keep."""

    def tell(self, x: Points, y: float) -> None:
        """Add one observation."""
        ...

    def ask(self) -> Points:
        """Refit, and propose the next point."""
        ...


class Payoff(Protocol):
    """The world: the value of one point."""

    def __call__(self, x: Points, /) -> float: ...


def tell_all(asker: Asker, x: Points, y: Points) -> None:
    """Tell a table of observations, row by row."""
    for point, value in zip(x, y, strict=True):
        asker.tell(point, float(value))


def time_asks(asker: Asker, payoff: Payoff, repeats: int) -> Measurement:
    """Time asks; each is followed by the observation of its proposal, so each must refit.

    One ask more than `repeats` is made: the first is reported apart.
    """
    proposal, first, _ = timed(asker.ask)
    wall: list[float] = []
    cpu: list[float] = []
    for _ in range(repeats):
        asker.tell(proposal, payoff(proposal))
        proposal, seconds, cpu_seconds = timed(asker.ask)
        wall.append(seconds)
        cpu.append(cpu_seconds)
    return Measurement(wall=wall, cpu=cpu, first=first)
