"""A case: contestants that do the same work, and what Counsel should reach."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchmarks.measure import Measurement

Results = Mapping[str, Measurement]

OURS = "counsel"
"""Contestants whose name begins with this are ours; all others are peers."""


@dataclass(frozen=True)
class Check:
    """One goal and how it came out; `met` is None where there is only something to tell."""

    text: str
    met: bool | None = None


@dataclass(frozen=True)
class Case:
    """One row of the benchmark. Each contestant runs in a process of its own."""

    name: str
    title: str
    contestants: Mapping[str, Callable[[], Measurement]]
    checks: Callable[[Results], list[Check]]
    baseline: str = OURS
    """The contestant that the ratios in the table refer to."""
    turns: int = 1
    """How often the contestants take turns: the speed of a shared machine drifts, for all alike."""

    def peers(self) -> list[str]:
        """Names of the contestants that are not ours."""
        return [name for name in self.contestants if not name.startswith(OURS)]


def speedup(results: Results, peer: str, goal: float, ours: str = OURS) -> list[Check]:
    """Check that ours is at least `goal` times as fast as a peer; nothing if either is missing."""
    if ours not in results or peer not in results:
        return []
    ratio = results[peer].seconds / results[ours].seconds
    return [Check(f"{ours} is {ratio:.2f}x as fast as {peer} (goal {goal:.3g}x)", ratio >= goal)]


def agreement(results: Results, tolerance: float) -> list[Check]:
    """Check that all contestants computed the same numbers."""
    tables = [result.answers for result in results.values() if result.answers]
    if len(tables) < 2:
        return []
    worst = max(
        max(table[key] for table in tables) - min(table[key] for table in tables)
        for key in tables[0]
    )
    return [Check(f"answers agree to {worst:.1e} (goal {tolerance:.0e})", worst <= tolerance)]
