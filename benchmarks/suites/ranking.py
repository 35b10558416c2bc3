"""Paired statistics over cells: mean ranks, and differences of log gaps with intervals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata

from benchmarks.suites.results import Played
from benchmarks.suites.setting import Points

RESAMPLES = 10_000
# Gaps that differ by less than this factor are a tie: both ended in the same place.
SAME = 1e-3


@dataclass(frozen=True)
class Contest:
    """Log10 gaps (cells x contestants) of cells that all contestants finished."""

    contestants: tuple[str, ...]
    cells: tuple[tuple[str, int], ...]
    gaps: Points

    @classmethod
    def of(cls, played: Mapping[str, Sequence[Played]]) -> "Contest":
        names = tuple(played)
        tables = [{(p.world, p.seed): np.log10(p.gap) for p in played[name]} for name in names]
        common = sorted(set.intersection(*(set(table) for table in tables)))
        rows = [[table[cell] for table in tables] for cell in common]
        return cls(names, tuple(common), np.array(rows).reshape(len(common), len(names)))

    def ranks(self) -> Points:
        """Mean rank of each contestant, 1 for the best; ties share theirs."""
        return self._ranked().mean(axis=0)

    def rank_interval(self) -> Points:
        """Bootstrap 95% intervals of the mean ranks, (contestants, 2)."""
        ranked = self._ranked()
        rows = self._resampled()
        return np.quantile(ranked[rows].mean(axis=1), [0.025, 0.975], axis=0).T

    def against(self, ours: str, rival: str) -> "Difference":
        """Ours minus the rival's log gap, cell by cell."""
        columns = [self.contestants.index(name) for name in (ours, rival)]
        apart = self.gaps[:, columns[0]] - self.gaps[:, columns[1]]
        apart = np.where(np.abs(apart) < SAME, 0.0, apart)
        low, high = np.quantile(np.median(apart[self._resampled()], axis=1), [0.025, 0.975])
        return Difference(
            float(np.median(apart)),
            float(low),
            float(high),
            float((apart < 0).mean()),
            float((apart > 0).mean()),
            len(apart),
        )

    def _ranked(self) -> Points:
        return rankdata(np.round(self.gaps / SAME) * SAME, axis=1)

    def _resampled(self) -> np.ndarray:
        count = len(self.cells)
        return np.random.default_rng(0).integers(count, size=(RESAMPLES, count))


# Five cells that all came out alike would do so with a chance of 6% if neither were better.
FEWEST = 5


@dataclass(frozen=True)
class Difference:
    """Median of paired differences with its interval; shares of cells that are better and worse."""

    median: float
    low: float
    high: float
    better: float
    worse: float
    cells: int

    @property
    def verdict(self) -> str:
        """In one word. Of fewer cells than five nothing is concluded, however they came out."""
        if self.cells < FEWEST:
            return "few"
        if self.high < 0.0:
            return "better"
        if self.low > 0.0:
            return "WORSE"
        return "even"
