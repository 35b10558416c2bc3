r"""Advice as data: what a person claims, fused with what was measured.

A person who would try one point instead of another claims f(better) > f(worse). Under the belief
about f from measurements alone, N(m, S), the claims' differences u = H f are N(H m, H S H'), and a
claim is a judgement with a spread s of the person's own,

    P(claim | u) = Phi(u / s).

s is not known. It is averaged over, each by its evidence Z_s (expectation propagation) and a prior:

    Z_s = int prod Phi(u_i / s) N(u; H m, H S H') du,      w_s ~ prior_s Z_s,

and the last s is infinite: the person knows nothing, and every claim is a coin flip. Claims that
measurements contradict make small spreads unlikely, so bad advice mutes itself; claims that came
out right make them likely, and then a new claim moves the belief. Nothing else is assumed of a
person: neither that they are right nor that they stay as they were.

Legend
    m points: the two that are compared first, then those of the claims
    k claims, padded; S spreads, in units of the measurements' sd
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import log_ndtr
from jaxtyping import Array, Bool, Float, Int

from counsel.models.gp import SMALLEST_VARIANCE, bucket
from counsel.models.judgements import Judgements, Manner
from counsel.models.kernels import Numbers
from counsel.models.preference import Sites, solve_sites, sweep

__all__ = ["PRIOR", "SPREADS", "Claims", "Fused", "Settings", "decided", "follows", "fuse"]

# A person's spread in units of the sd of what was measured; after the last, none of it counts.
SPREADS = (0.03, 0.1, 0.3, 1.0)
PRIOR = (0.1, 0.15, 0.2, 0.25, 0.3)
_SWEEPS = 15
_KEPT = np.ones(2)  # nothing to keep


class Claims(NamedTuple):
    """Which of the points is claimed to be better than which; `mask` is 0 on padding."""

    better: Int[Numbers, " k"]
    worse: Int[Numbers, " k"]
    mask: Float[Numbers, " k"]


class Fused(NamedTuple):
    """The belief about the first two points with the claims, and what is believed of the person.

    weights (w,)                         the probability of each spread; the last is infinite
    means (w, 2), covariances (w, 2, 2)  the belief if it is that one
    """

    weights: Float[Array, " w"]
    means: Float[Array, "w 2"]
    covariances: Float[Array, "w 2 2"]

    @property
    def mean(self) -> Float[Array, " 2"]:
        return self.weights @ self.means

    @property
    def covariance(self) -> Float[Array, "2 2"]:
        apart = self.means - self.mean
        within = jnp.einsum("s,sij->ij", self.weights, self.covariances)
        return within + (apart.T * self.weights) @ apart

    @property
    def muted(self) -> Float[Array, ""]:
        return self.weights[-1]


class Settings(NamedTuple):
    """Numbers of the rule.

    kappa       weight of the sd in the bounds that are compared
    muted       how likely it may be that their claims say nothing
    share       how much of what the machine's proposals have lost so far the person may cost
    allowance   what they may cost besides, if they are surely not guessing, in sds of the
                measurements
    """

    kappa: Float[Numbers, ""] = np.asarray(1.0)
    muted: Float[Numbers, ""] = np.asarray(0.5)
    share: Float[Numbers, ""] = np.asarray(0.25)
    allowance: Float[Numbers, ""] = np.asarray(1.0)


@jax.jit
def fuse(
    mean: Float[Numbers, " m"],
    covariance: Float[Numbers, "m m"],
    claims: Claims,
    unit: Float[Numbers, ""],
) -> Fused:
    """`mean` and `covariance` are beliefs from measurements, `unit` is the sd of those."""
    mean, covariance = jnp.asarray(mean), jnp.asarray(covariance)
    better, worse = jnp.asarray(claims.better), jnp.asarray(claims.worse)
    mask = jnp.asarray(claims.mask)
    cross = (covariance[:, better] - covariance[:, worse]) * mask[None, :]
    C = (cross[better] - cross[worse]) * mask[:, None]
    expected = (mean[better] - mean[worse]) * mask

    def with_spread(spread: Float[Array, ""]) -> tuple[Array, Array, Array]:
        a, root, log_evidence = _propagate(C, expected, mask, spread * jnp.asarray(unit))
        white = root @ cross[:2].T
        return mean[:2] + cross[:2] @ a, covariance[:2, :2] - white.T @ white, log_evidence

    means, covariances, evidence = jax.lax.map(with_spread, jnp.asarray(SPREADS))
    muted = jnp.sum(mask) * jnp.log(0.5)
    means = jnp.concatenate([means, mean[None, :2]])
    covariances = jnp.concatenate([covariances, covariance[None, :2, :2]])
    weights = jax.nn.softmax(jnp.append(evidence, muted) + jnp.log(jnp.asarray(PRIOR)))
    return Fused(weights, means, covariances)


def _propagate(
    C: Float[Array, "k k"], prior: Float[Array, " k"], mask: Float[Array, " k"], spread: Array
) -> tuple[Float[Array, " k"], Float[Array, "k k"], Float[Array, ""]]:
    """a = C^-1 (E u - prior), R with R'R = (C + T^-1)^-1 for site precisions T, and log Z.

    With t_i(u) = exp(pull u - precision u^2 / 2) for a site and N(m, v) for its cavity,

        log Z = sum_i log Phi(m / sqrt(s^2 + v)) - log int N(u; m, v) t_i(u) du
                + log int N(u; prior, C) prod t_i(u) du
    """
    none = jnp.zeros_like(prior)
    judged = Judgements(none[:, None], none[:, None], jnp.ones_like(prior), none, none, mask)
    manner = Manner(jnp.ones(()), spread, jnp.zeros(()))
    sites = jax.lax.fori_loop(
        0, _SWEEPS, lambda _, held: sweep(C, prior, judged, manner, held), Sites(none, none)
    )
    precision, pull = jnp.maximum(sites.precision, 0.0), sites.pull
    a, upper = solve_sites(C, prior, Sites(precision, pull))
    root = jnp.sqrt(precision)
    white = upper.T @ (root[:, None] * C)
    variance = jnp.maximum(jnp.diagonal(C) - jnp.sum(white**2, axis=0), SMALLEST_VARIANCE)
    mean = prior + C @ a
    v = 1.0 / jnp.maximum(1.0 / variance - precision, 1e-10)
    m = v * (mean / variance - pull)
    tilted = log_ndtr(m / jnp.sqrt(spread**2 + v))
    alone = 0.5 * ((m / v + pull) ** 2 / (1.0 / v + precision) - m**2 / v)
    alone = alone - 0.5 * jnp.log1p(precision * v)
    together = jnp.sum(pull * prior - 0.5 * precision * prior**2)
    together += 0.5 * (pull - precision * prior) @ (C @ a)
    together += jnp.sum(jnp.log(jnp.diagonal(upper)))
    evidence = jnp.sum(mask * (tilted - alone)) + together
    evidence = jnp.where(jnp.isfinite(evidence), evidence, -jnp.inf)
    return a, upper.T * root[None, :], evidence


def follows(
    found: Fused,
    harm: Float[Numbers, ""],
    spent: Float[Numbers, ""],
    unit: Float[Numbers, ""],
    settings: Settings,
    keeps: Float[Numbers, " 2"] = _KEPT,
) -> Bool[Array, ""]:
    """Whether the person's point is tried: it is likely better, and there is budget for it.

    `harm` is what following them has cost so far, and `spent` what the machine's proposals have
    lost to the best trial, both as believed from measurements.
    `keeps` is the probability that all constraints hold, at the machine's point and at theirs.
    """
    sds = jnp.sqrt(jnp.maximum(jnp.diagonal(found.covariances, axis1=1, axis2=2), 0.0))
    bounds = found.weights @ (found.means + settings.kappa * sds)
    budget = settings.share * spent + settings.allowance * (1.0 - found.muted) * unit
    trusted = (found.muted <= settings.muted) & (keeps[1] >= 0.8 * keeps[0])
    return (bounds[1] >= bounds[0]) & trusted & (harm <= budget)


def decided(
    mean: Float[np.ndarray, " m"],
    covariance: Float[np.ndarray, "m m"],
    claims: list[tuple[int, int]],
    *,
    unit: float,
    harm: float,
    spent: float,
    keeps: Float[np.ndarray, " 2"],
) -> bool:
    """`follows` for one decision; the first two points are the machine's and the person's.

    Points and claims are padded, so that one more of them compiles nothing new.
    """
    size = bucket(len(claims))
    many = 2 + 2 * size
    means, covariances = np.zeros(many), np.eye(many) * unit**2
    means[: len(mean)], covariances[: len(mean), : len(mean)] = mean, covariance
    found = fuse(means, covariances, padded(claims, size), np.asarray(unit))
    given = [np.asarray(each) for each in (harm, spent, unit)]
    return bool(follows(found, given[0], given[1], given[2], Settings(), keeps))


def padded(claims: list[tuple[int, int]], size: int) -> Claims:
    """Pairs of (better, worse) as claims, with padding."""
    pairs = np.zeros((size, 2), dtype=np.int64)
    pairs[: len(claims)] = np.array(claims, dtype=np.int64).reshape(-1, 2)
    return Claims(pairs[:, 0], pairs[:, 1], (np.arange(size) < len(claims)).astype(np.float64))
