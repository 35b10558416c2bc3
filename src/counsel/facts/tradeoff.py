r"""Learns what objectives are worth from comparisons of what was measured.

With z the differences between the preferred and the other outcomes, each in units of its usual
difference and signed so that more is better, a person prefers the first with probability

$$ \Phi\left(\sum_k e^{v_k} z_k\right), \qquad v_k \sim N(1, 1) $$

so every weight is positive: more of what is wanted is never worse. (Centred on 1, weights come
closer to the true ones than centred on 0 or 2, on 60 invented fronts after 6 to 12 answers by
people who are sure of what they want.) The mode of v gives the weights, its curvature how sure they
are (Laplace). The first objective's weight is 1, so that the worth is in its units.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Learned", "informative", "learn"]

Array = NDArray[np.float64]
_STEPS = 50
_CENTRE = 1.0


class Learned(NamedTuple):
    """`mode` and `covariance` of the log weights v, on outcomes divided by `scale`."""

    mode: Array
    covariance: Array
    scale: Array

    @property
    def weights(self) -> Array:
        """What one unit of each outcome is worth, in units of the first."""
        found: Array = np.exp(self.mode - self.mode[0]) * (self.scale[0] / self.scale)
        return found


def learn(outcomes: Array, winners: Array, losers: Array, ties: NDArray[np.bool_]) -> Learned:
    """The weights of k signed outcomes: (n, k) all measured, (c, k) preferred, (c, k) not.

    In a tie, either might have been said.
    """
    scale = outcomes.std(axis=0) if len(outcomes) > 1 else np.ones(outcomes.shape[1])
    scale = np.where(scale > 0.0, scale, 1.0)
    z = (winners - losers) / scale
    z = np.concatenate([z, -z[ties]])
    share = np.where(np.concatenate([ties, np.ones(int(ties.sum()), dtype=bool)]), 0.5, 1.0)
    v = np.full(len(scale), _CENTRE)
    value = _log_posterior(v, z, share)
    for _ in range(_STEPS):
        gradient, curvature = _derivatives(v, z, share)
        step = np.linalg.solve(curvature, gradient)
        size = 1.0
        while size > 1e-6 and _log_posterior(v + size * step, z, share) < value:
            size /= 2.0
        better = _log_posterior(v + size * step, z, share)
        if better - value < 1e-12:
            break
        v, value = v + size * step, better
    covariance = np.asarray(np.linalg.inv(_derivatives(v, z, share)[1]), dtype=np.float64)
    return Learned(v, covariance, scale)


def informative(
    learned: Learned, outcomes: Array, pairs: list[tuple[int, int]]
) -> tuple[int, int] | None:
    """The pair of (n, k) signed outcomes whose comparison tells most about the weights.

    That is the information about v in the answer (Houlsby et al. 2011), to first order in v.
    """
    if not pairs:
        return None
    a, b = np.array(pairs).T
    slopes = np.exp(learned.mode) * (outcomes[a] - outcomes[b]) / learned.scale
    mean = slopes.sum(axis=1)
    variance = np.einsum("ni,ij,nj->n", slopes, learned.covariance, slopes)
    chance = np.clip(_phi(mean / np.sqrt(1.0 + variance)), 1e-12, 1.0 - 1e-12)
    entropy = -(chance * np.log2(chance) + (1.0 - chance) * np.log2(1.0 - chance))
    c = math.pi * math.log(2.0) / 2.0
    expected = np.sqrt(c / (variance + c)) * np.exp(-(mean**2) / (2.0 * (variance + c)))
    best = int(np.argmax(entropy - expected))
    return pairs[best]


def _log_posterior(v: Array, z: Array, share: Array) -> float:
    with np.errstate(over="ignore"):
        worth = z @ np.exp(v)
    return float(share @ _log_phi(worth) - 0.5 * (v - _CENTRE) @ (v - _CENTRE))


def _derivatives(v: Array, z: Array, share: Array) -> tuple[Array, Array]:
    """The gradient, and a curvature that is positive whatever v is (Gauss-Newton)."""
    slopes = z * np.exp(v)
    worth = slopes.sum(axis=1)
    ratio = np.exp(-0.5 * worth**2 - 0.5 * math.log(2.0 * math.pi) - _log_phi(worth))
    bend = share * ratio * (worth + ratio)
    gradient = slopes.T @ (share * ratio) - (v - _CENTRE)
    return gradient, slopes.T @ (bend[:, None] * slopes) + np.eye(len(v))


def _phi(z: Array) -> Array:
    return np.array([0.5 * math.erfc(-each / math.sqrt(2.0)) for each in z])


def _log_phi(z: Array) -> Array:
    """The log of the normal distribution; far below 0 by its asymptotic series."""
    low = z < -8.0
    near = np.log(_phi(np.where(low, 0.0, z)))
    far = np.where(low, z, -8.0)
    tail = -0.5 * far**2 - np.log(-far) - 0.5 * math.log(2.0 * math.pi)
    return np.where(low, tail + np.log1p(-1.0 / far**2 + 3.0 / far**4), near)
