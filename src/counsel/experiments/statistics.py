"""Numbers about many seeds: medians, paired differences with intervals, growth.

Legend: `values` (B,) one number per seed, `curves` (B, T) one row per seed. Intervals come from a
bootstrap over seeds with its own fixed seed, so a report is the same each time.
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float

__all__ = ["Band", "Interval", "Paired", "bands", "growth", "mad", "middle", "paired"]

RESAMPLES = 10_000
_STREAM = 20_240_101
_AT_ONCE = 1_000_000


class Interval(NamedTuple):
    """An estimate with its 95% interval."""

    value: float
    low: float
    high: float

    @property
    def sign(self) -> int:
        """-1 or +1 where the interval leaves 0 out, else 0."""
        return int(self.low > 0.0) - int(self.high < 0.0)


class Paired(NamedTuple):
    """How first - second comes out over the seeds; `p` is Wilcoxon's signed-rank test."""

    median: Interval
    mean: Interval
    p: float


class Band(NamedTuple):
    """Median over seeds and the median absolute deviation from it, round by round."""

    median: Float[np.ndarray, " T"]
    mad: Float[np.ndarray, " T"]


def mad(values: Float[np.ndarray, " B"]) -> float:
    """Median absolute deviation from the median, unscaled."""
    return float(np.median(np.abs(values - np.median(values))))


def bands(curves: Float[np.ndarray, "B T"]) -> Band:
    median = np.median(curves, axis=0)
    return Band(median, np.median(np.abs(curves - median), axis=0))


def paired(first: Float[np.ndarray, " B"], second: Float[np.ndarray, " B"]) -> Paired:
    """Differences seed by seed: below 0, `first` is the smaller."""
    difference = first - second
    draws = _resampled(difference)
    median = Interval(float(np.median(difference)), *_middle(draws[0]))
    mean = Interval(float(np.mean(difference)), *_middle(draws[1]))
    return Paired(median, mean, _wilcoxon(difference))


def average(values: Float[np.ndarray, " B"]) -> Interval:
    """The mean over runs with its bootstrap interval."""
    return Interval(float(np.mean(values)), *_middle(_resampled(values)[1]))


def middle(values: Float[np.ndarray, " B"]) -> Interval:
    """The median over runs with its bootstrap interval."""
    return Interval(float(np.median(values)), *_middle(_resampled(values)[0]))


def apart(first: Float[np.ndarray, " B"], second: Float[np.ndarray, " C"]) -> Interval:
    """How far apart two means of independent runs are: first less second."""
    draws = _resampled(first)[1] - np.random.default_rng(_STREAM + 1).permutation(
        _resampled(second)[1]
    )
    return Interval(float(np.mean(first) - np.mean(second)), *_middle(draws))


def growth(curves: Float[np.ndarray, "B T"]) -> float:
    """The exponent a of R_t ~ t^a: least squares of log R_t on log t over the last two thirds.

    Taken on the median curve. 1 is linear regret, 0 a regret that has stopped growing; NaN where
    there is no regret at all.
    """
    median = np.median(curves, axis=0)
    start = len(median) // 3
    t = np.arange(1, len(median) + 1)[start:]
    tail = median[start:]
    if len(t) < 2 or np.any(tail <= 0.0):
        return float("nan")
    return float(np.polyfit(np.log(t), np.log(tail), 1)[0])


def _resampled(difference: Float[np.ndarray, " B"]) -> Float[np.ndarray, "2 r"]:
    """Medians and means of RESAMPLES bootstrap samples."""
    rng = np.random.default_rng(_STREAM)
    count = len(difference)
    found = []
    for start in range(0, RESAMPLES, max(1, _AT_ONCE // count)):
        size = min(max(1, _AT_ONCE // count), RESAMPLES - start)
        sample = difference[rng.integers(0, count, (size, count))]
        found.append(np.stack([np.median(sample, axis=1), np.mean(sample, axis=1)]))
    return np.concatenate(found, axis=1)


def _middle(draws: Float[np.ndarray, " r"]) -> tuple[float, float]:
    low, high = np.quantile(draws, [0.025, 0.975])
    return float(low), float(high)


def _wilcoxon(difference: Float[np.ndarray, " B"]) -> float:
    """Two-sided; NaN where all differences are zero and there is nothing to test."""
    from scipy.stats import wilcoxon

    if not np.any(difference):
        return float("nan")
    return float(wilcoxon(difference).pvalue)
