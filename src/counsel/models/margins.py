r"""Margins of a constraint on a scale that fits them. 0 stays 0: a constraint holds where t >= 0.

Margins of real designs span decades: far from what is allowed they are a thousand times those near
the edge, and a process fitted to them spends itself on the far ones.

*While no trial keeps all constraints*, only the order of the margins counts: those that break the
constraint become the lower half of normal scores, those that keep it the upper half. A margin that
is the same nearly everywhere still tells where it begins to rise.

*Once one does*, the edge has to be known exactly, and ranks are too rough:

$$ t(c) = \operatorname{asinh}(c / u) $$

is linear near the edge and logarithmic far from it. The unit u is the most likely one if the
margins on the new scale are Gaussian (as Box and Cox choose theirs). Margins that are nearly so as
they are stay as they are.
"""

from statistics import NormalDist

import numpy as np
from jaxtyping import Bool, Float

# Units that are looked at, in units of the median margin.
_UNITS = 10.0 ** np.arange(-2.0, 1.01, 0.5)
# By how much a unit has to be likelier than none at all.
_GAIN = 2.0
_FEWEST = 4


def scaled(margins: Float[np.ndarray, " n"], *, found: bool) -> Float[np.ndarray, " n"]:
    """The margins on their scale; `found` says that some trial keeps all constraints."""
    if not found:
        return by_rank(margins)
    unit = unit_of(margins)
    return margins if unit is None else np.arcsinh(margins / unit)


def by_rank(margins: Float[np.ndarray, " n"]) -> Float[np.ndarray, " n"]:
    """Normal scores of the margins on either side of 0; equal margins have equal scores."""
    scores = np.zeros(len(margins))
    for side in (margins < 0.0, margins > 0.0):
        sizes, places = np.unique(np.abs(margins[side]), return_inverse=True)
        shares = (np.arange(len(sizes)) + 1.0) / (len(sizes) + 1.0)
        scores[side] = np.sign(margins[side]) * _half_normal(shares)[places]
    return scores


def unit_of(margins: Float[np.ndarray, " n"]) -> float | None:
    """The likeliest unit u; None where margins are best left as they are."""
    usual = float(np.median(np.abs(margins)))
    if usual <= 0.0 or len(margins) < _FEWEST:
        return None
    relative = margins / usual
    tried = {
        float(unit): _log_likelihood(
            np.arcsinh(relative / unit), -0.5 * np.log(relative**2 + unit**2)
        )
        for unit in _UNITS
    }
    best = max(tried, key=lambda unit: tried[unit])
    plain = _log_likelihood(relative, np.zeros_like(relative))
    return usual * best if tried[best] > plain + _GAIN else None


def kept(
    margins: Float[np.ndarray, "n k"], measured: Bool[np.ndarray, "n k"]
) -> Bool[np.ndarray, " n"]:
    """Which trials are known to keep all constraints."""
    held: Bool[np.ndarray, " n"] = np.all(measured & (margins >= 0.0), axis=1)
    return held


def breach(
    margins: Float[np.ndarray, "n k"], measured: Bool[np.ndarray, "n k"]
) -> Float[np.ndarray, " n"]:
    """By how much each trial breaks its constraints, each by rank; what is unknown counts 0."""
    total = np.zeros(len(margins))
    for column, known in zip(margins.T, measured.T, strict=True):
        total[known] += np.maximum(-by_rank(column[known]), 0.0)
    return total


def _half_normal(shares: Float[np.ndarray, " n"]) -> Float[np.ndarray, " n"]:
    """Quantiles of |z|."""
    return np.array([NormalDist().inv_cdf(0.5 + 0.5 * float(share)) for share in shares])


def _log_likelihood(values: Float[np.ndarray, " n"], log_slopes: Float[np.ndarray, " n"]) -> float:
    """Of a Gaussian with its mean and variance at their best, after a change of scale."""
    spread = max(float(np.var(values)), 1e-300)
    return -0.5 * len(values) * float(np.log(spread)) + float(np.sum(log_slopes))


def best_kept(outcomes: Float[np.ndarray, "n m"], measured: Bool[np.ndarray, "n m"]) -> int:
    """The best trial that keeps all constraints; without one, the one that breaks them least.

    The objective is the first column, the margins are the others.
    """
    margins, asked = outcomes[:, 1:], measured[:, 1:]
    good = kept(margins, asked) & measured[:, 0]
    if not good.any():
        return int(np.argmin(breach(margins, asked)))
    return int(np.argmax(np.where(good, outcomes[:, 0], -np.inf)))
