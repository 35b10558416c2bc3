"""Clocks and memory: what one contestant's run gives back."""

import math
import resource
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Self, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Measurement:
    """Seconds of each repeat, and what else was noted.

    `first` is the wall time of the first call in the process, before anything is warm; it is
    not among `wall`. `peak_mb` is the peak of resident memory above the state before the work.
    `answers` are numbers computed along the way, to check that all contestants did the same work.
    """

    wall: list[float]
    cpu: list[float]
    first: float | None = None
    peak_mb: float | None = None
    answers: dict[str, float] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """Median wall time."""
        return statistics.median(self.wall)

    @property
    def cpu_seconds(self) -> float:
        """Median CPU time of all threads of the process."""
        return statistics.median(self.cpu)

    def joined(self, later: Self) -> Self:
        """Together with the repeats of a later turn; the first call is that of the first turn."""
        return replace(self, wall=self.wall + later.wall, cpu=self.cpu + later.cpu)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """The reverse of `to_dict`."""
        return cls(**values)


def timed(work: Callable[[], T]) -> tuple[T, float, float]:
    """Do the work once: its result, wall seconds, CPU seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, time.perf_counter() - wall, time.process_time() - cpu


def resident_memory_mb() -> float:
    """Resident memory of this process now; where the system does not say, its peak so far."""
    status = Path("/proc/self/statm")
    if not status.exists():
        return peak_memory_mb()
    return int(status.read_text().split()[1]) * resource.getpagesize() / 2**20


def peak_memory_mb() -> float:
    """Highest resident memory of this process so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**20 if sys.platform == "darwin" else peak / 2**10


def growth_exponent(sizes: list[int], seconds: list[float]) -> float:
    """Slope of the least-squares line through (log size, log seconds)."""
    slope, _ = statistics.linear_regression(
        [math.log(size) for size in sizes], [math.log(value) for value in seconds]
    )
    return slope
