r"""Settings of the hyper-parameters that answers leave possible, and how likely each of them is.

    centred      the best setting, by its evidence x prior; from there as many as are wanted, spread
                 over the Gaussian with the same curvature, and a few over the prior, all weighted
                 by evidence x prior / density
    otherwise    settings spread over the prior, weighted by their evidence; then over the Gaussian
                 with their mean and covariance, weighted likewise

Where noise is large beside the margins the best setting is so far out in the prior that none of a
few settings spread over it comes near: the latter then averages over settings that hardly explain
the answers, and its evidence is far too low. Studies from before there was a choice go on with it.
No program is compiled, so the first belief costs milliseconds too.

Answers are numbers with noise, or lie between two cut points: a yes is a latent value above 0 that
was seen with noise, a no one below, a level of a scale between two neighbouring cuts. The latter
become numbers with a noise of their own by expectation propagation.

Legend: n rows, H settings, p hyper-parameters, d columns of a point. z is the log of
hyper-parameters, less the prior's mean and in its standard deviations.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from scipy.special import log_ndtr, ndtri

from counsel.models.outcomes import JITTER, Answers, Belief, Prior, Settings

__all__ = ["believe"]

Numbers = np.ndarray
_LOG_2PI = math.log(2.0 * math.pi)
# The prior mean is an unknown constant. Of a margin its sd is that of the function around it; of an
# outcome without a threshold nothing is known about it beforehand.
_UNKNOWN = 10.0
_SWEEPS, _STEP = 12, 0.7
# The search for the best setting begins at the best of so many, and ends after so many steps, or
# where it has no more than this to gain, in nats. A step is at most so long, and is shortened so
# many times. No hyper-parameter is farther out than this. All in the prior's standard deviations.
_STARTS, _CLIMB, _ENOUGH = 8, 30, 1e-3
_STRIDE, _HALVINGS, _FARTHEST = 2.0, 6, 7.0
# How far the slope is measured from the best setting, and the least curvature there.
_BESIDE, _LEAST_CURVATURE = 0.05, 0.7
# One of so many settings is spread over the prior: whatever the curvature hides, no weight is huge.
_DEFENSIVE = 8


def believe(
    answers: Answers, prior: Prior, count: int = 32, rounds: int = 2, *, centred: bool = True
) -> Belief:
    """The belief after `answers`: `count` settings, drawn `rounds` times unless `centred`."""
    unknown = _Unknown.of(answers, prior)
    if centred and count > 1 and len(answers):
        return unknown.believed(*_around_the_best(unknown, count))
    spread = _spread(count, len(unknown.centre))
    z, density = spread, np.zeros(count)
    for _ in range(rounds - 1):
        weight = unknown.believed(z, density).weight
        rounded = (unknown.logs(z) - unknown.centre) / unknown.sd  # the bits of stored studies
        z, density = _nearer(rounded, weight, spread)
    return unknown.believed(z, density)


class _Explained(NamedTuple):
    """How well settings explain the answers: the log evidence, and what the posterior is made of.

    `by_noise` is the slope of the log evidence with the log of the noise.
    """

    evidence: Float[np.ndarray, " H"]
    root: Float[np.ndarray, "H n n"]  # L^-1 of kernel + noise
    white: Float[np.ndarray, "H n"]  # L^-1 y
    by_noise: Float[np.ndarray, " H"]


@dataclass(frozen=True, eq=False)
class _Unknown:
    """What is to be learned of the hyper-parameters: a Gaussian prior on logs, and answers."""

    answers: Answers
    prior: Prior
    centre: Float[np.ndarray, " p"]
    sd: Float[np.ndarray, " p"]

    @classmethod
    def of(cls, answers: Answers, prior: Prior) -> "_Unknown":
        d = answers.x.shape[1]
        centre = [math.log(prior.lengthscale * math.sqrt(max(d, 1)))] * d
        centre += [math.log(prior.variance), math.log(prior.noise)]
        few = prior.few / max(len(answers), 1)
        sd = [prior.lengthscale_sd] * d + [prior.variance_sd + few, prior.noise_sd + few]
        if answers.person is not None:
            centre, sd = [*centre, math.log(prior.person)], [*sd, prior.person_sd]
        if answers.time is not None:
            centre, sd = [*centre, math.log(prior.drift)], [*sd, prior.drift_sd]
        return cls(answers, prior, np.array(centre), np.array(sd))

    def logs(self, z: Float[np.ndarray, "H p"]) -> Float[np.ndarray, "H p"]:
        found: Numbers = self.centre + self.sd * z
        return found

    def settings(self, z: Float[np.ndarray, "H p"]) -> Settings:
        values, d = np.exp(self.logs(z)), self.answers.x.shape[1]
        return Settings(
            values[:, :d],
            values[:, d],
            np.full(len(values), _UNKNOWN**2) if self.prior.free else values[:, d],
            values[:, d + 1],
            values[:, d + 2] if self.answers.person is not None else None,
            values[:, -1] if self.answers.time is not None else None,
        )

    def believed(self, z: Float[np.ndarray, "H p"], density: Float[np.ndarray, " H"]) -> Belief:
        """Settings and their weights; `density` is the log of what they were drawn from / prior."""
        settings = self.settings(z)
        found = _explained(self.answers, settings)
        log_weight = found.evidence - density
        highest = float(log_weight.max())
        weight = np.exp(log_weight - highest)
        total = weight.sum()
        evidence = highest + math.log(total / len(z))
        return Belief(self.answers, settings, weight / total, found.root, found.white, evidence)

    def climb(
        self, z: Float[np.ndarray, "H p"]
    ) -> tuple[Float[np.ndarray, " H"], Float[np.ndarray, "H p"]]:
        """Log evidence x prior, up to a constant, and its slope."""
        settings = self.settings(z)
        found = _explained(self.answers, settings)
        solved = np.einsum("hnk,hn->hk", found.root, found.white)
        inverse = np.swapaxes(found.root, 1, 2) @ found.root
        by_kernel = 0.5 * (solved[:, :, None] * solved[:, None, :] - inverse)
        d = self.answers.x.shape[1]
        slope = settings.slopes(self.answers, by_kernel)
        slope = np.insert(slope, d + 1, found.by_noise, axis=1)
        return found.evidence - 0.5 * (z**2).sum(axis=1), self.sd * slope - z


# ---- drawing settings ----------------------------------------------------------------------------


def _around_the_best(unknown: _Unknown, count: int) -> tuple[Numbers, Numbers]:
    """Settings around the best one and a few over the prior; the log of their density / prior."""
    best, root = _best(unknown)
    some = max(count // _DEFENSIVE, 1)
    wide = _spread(some, len(best))
    near = best + _spread(count - some, len(best)) @ root.T
    z = np.concatenate([near, wide])
    apart = np.linalg.solve(root, (z - best).T)
    log_near = -0.5 * (apart**2).sum(axis=0) - np.linalg.slogdet(root)[1]
    log_prior = -0.5 * (z**2).sum(axis=1)
    shares = np.log([(count - some) / count, some / count])
    return z, np.logaddexp(shares[0] + log_near - log_prior, shares[1])


def _best(unknown: _Unknown) -> tuple[Numbers, Numbers]:
    """The setting of most evidence x prior, and a root of the inverse curvature there."""
    starts = _spread(_STARTS, len(unknown.centre))
    values, slopes = unknown.climb(starts)
    first = int(np.argmax(values))
    best = _climbed(unknown, starts[first], float(values[first]), slopes[first])
    steps = _BESIDE * np.eye(len(best))
    _, slopes = unknown.climb(np.concatenate([best + steps, best - steps]))
    ahead, behind = np.split(slopes, 2)
    curvature = (behind - ahead) / (2.0 * _BESIDE)
    values, vectors = np.linalg.eigh(0.5 * (curvature + curvature.T))
    return best, vectors / np.sqrt(np.maximum(values, _LEAST_CURVATURE))


def _climbed(unknown: _Unknown, z: Numbers, value: float, slope: Numbers) -> Numbers:
    """The top that is reached from z by quasi-Newton steps (BFGS), which begin with the prior's."""
    inverse = np.eye(len(z))
    for _ in range(_CLIMB):
        step = inverse @ slope
        gain = float(slope @ step)
        if gain < _ENOUGH:
            break
        step *= min(1.0, _STRIDE / float(np.linalg.norm(step)))
        for _ in range(_HALVINGS):
            there = np.clip(z + step, -_FARTHEST, _FARTHEST)
            values, slopes = unknown.climb(there[None])
            if values[0] >= value:
                break
            step *= 0.4
        else:
            break
        moved, turned = there - z, slope - slopes[0]
        z, value, slope = there, float(values[0]), slopes[0]
        along = float(moved @ turned)
        if along > 1e-10:
            without = np.eye(len(z)) - np.outer(moved, turned) / along
            inverse = without @ inverse @ without.T + np.outer(moved, moved) / along
    return z


def _spread(count: int, dims: int) -> Numbers:
    """Points spread evenly over a standard Gaussian (Roberts' sequence), the middle first."""
    golden = 2.0
    for _ in range(30):
        golden = (1.0 + golden) ** (1.0 / (dims + 1.0))
    steps = golden ** -np.arange(1.0, dims + 1.0)
    share = (0.5 + np.arange(count)[:, None] * steps[None, :]) % 1.0
    found: Numbers = ndtri(np.clip(share, 1e-3, 1.0 - 1e-3))
    return found


def _nearer(z: Numbers, weight: Numbers, spread: Numbers) -> tuple[Numbers, Numbers]:
    """Settings around where the weight is, and the log of their density over the prior's."""
    mean = weight @ z
    apart = z - mean
    # A few settings do not show how wide the rest is: never narrower than a third of the prior.
    covariance = 1.2 * (apart.T * weight) @ apart + 0.1 * np.eye(len(mean))
    root = np.linalg.cholesky(covariance)
    new = mean + spread @ root.T
    proposal = -0.5 * (spread**2).sum(axis=1) - np.log(np.diagonal(root)).sum()
    return new, proposal + 0.5 * (new**2).sum(axis=1)


# ---- how well settings explain the answers -------------------------------------------------------


def _explained(answers: Answers, settings: Settings) -> _Explained:
    K = settings.kernel(answers, answers)
    if answers.low is not None:
        return _propagated(answers, K, settings.noise)
    n = len(answers)
    noise = settings.noise[:, None]
    root, log_det = _inverse_root(K, noise / answers.count)
    white = np.einsum("hnk,k->hn", root, answers.y)
    value = -0.5 * (white**2).sum(axis=1) - 0.5 * log_det - 0.5 * n * _LOG_2PI
    within = (answers.count - 1.0) * (np.log(noise) + _LOG_2PI) + np.log(answers.count)
    evidence = value - 0.5 * (within + answers.spread / noise).sum(axis=1)
    solved = np.einsum("hnk,hn->hk", root, white)
    by_variance = solved**2 - np.einsum("hnk,hnk->hk", root, root)
    by_noise = by_variance * noise / answers.count - (answers.count - 1.0) + answers.spread / noise
    return _Explained(evidence, root, white, 0.5 * by_noise.sum(axis=1))


def _inverse_root(K: Numbers, noise: Numbers) -> tuple[Numbers, Numbers]:
    """L^-1 and the log determinant of K + diag(noise)."""
    n = K.shape[1]
    full = K + (noise + JITTER)[:, :, None] * np.eye(n)
    L = np.linalg.cholesky(full)
    log_det = 2.0 * np.log(np.diagonal(L, axis1=1, axis2=2)).sum(axis=1)
    return np.linalg.inv(L), log_det


# ---- answers between two cut points --------------------------------------------------------------


def _propagated(answers: Answers, K: Numbers, noise: Numbers) -> _Explained:
    """Expectation propagation: every answer as a number with a noise of its own.

    All sites at once, in small steps; the likelihood of a range is log-concave, so it settles.
    """
    assert answers.low is not None
    assert answers.high is not None
    H, n, _ = K.shape
    precision, shift = np.full((H, n), 1e-3), np.zeros((H, n))
    log_z = cavity_mean = cavity = slope = curve = np.zeros((H, n))
    for _ in range(_SWEEPS):
        root, log_det = _inverse_root(K, 1.0 / precision)
        cross = root @ K
        variance = np.diagonal(K, axis1=1, axis2=2) - np.einsum("hnm,hnm->hm", cross, cross)
        mean = np.einsum("hnm,hn->hm", cross, np.einsum("hnk,hk->hn", root, shift / precision))
        variance = np.maximum(variance, 1e-10)
        left = np.maximum(1.0 / variance - precision, 1e-8)
        cavity, cavity_mean = 1.0 / left, (mean / variance - shift) / left
        log_z, slope, curve = _between(answers, cavity_mean, cavity + noise[:, None])
        after = np.maximum(cavity + cavity**2 * curve, 1e-10)
        after_mean = cavity_mean + cavity * slope
        wanted = np.clip(1.0 / after - left, 1e-4, 1e4)
        wanted_shift = after_mean / after - cavity_mean * left
        wanted_shift = np.where(1.0 / after - left > 1e-4, wanted_shift, wanted * after_mean)
        precision = (1.0 - _STEP) * precision + _STEP * wanted
        shift = (1.0 - _STEP) * shift + _STEP * wanted_shift
    root, log_det = _inverse_root(K, 1.0 / precision)
    y = shift / precision
    white = np.einsum("hnk,hk->hn", root, y)
    # log Z = log N(y; 0, K + S) + sum (log Z_i - log N(y_i; cavity_i, cavity variance_i + S_i))
    site = cavity + 1.0 / precision
    normal = -0.5 * (np.log(site) + (y - cavity_mean) ** 2 / site)
    value = -0.5 * (white**2).sum(axis=1) - 0.5 * log_det + (log_z - normal).sum(axis=1)
    by_noise = 0.5 * noise * (slope**2 + curve).sum(axis=1)
    return _Explained(value, root, white, by_noise)


def _between(
    answers: Answers, mean: Numbers, variance: Numbers
) -> tuple[Numbers, Numbers, Numbers]:
    """log P(low < f + noise < high) for f + noise ~ N(mean, variance), its slope and curvature."""
    sd = np.sqrt(variance)
    a, b = (answers.low - mean) / sd, (answers.high - mean) / sd
    # Taken in the lower tail, where logs keep every digit.
    flip = (a + np.where(np.isfinite(b), b, a)) > 0.0
    flip = np.where(np.isneginf(a), False, np.where(np.isposinf(b), True, flip))
    low, high = np.where(flip, -b, a), np.where(flip, -a, b)
    top, bottom = log_ndtr(high), log_ndtr(low)
    log_z = top + np.log1p(-np.exp(np.minimum(bottom - top, -1e-12)))
    at_low = np.where(np.isfinite(low), np.exp(-0.5 * low**2 - 0.5 * _LOG_2PI - log_z), 0.0)
    at_high = np.where(np.isfinite(high), np.exp(-0.5 * high**2 - 0.5 * _LOG_2PI - log_z), 0.0)
    slope = at_low - at_high
    edges = (
        np.where(np.isfinite(low), low, 0.0) * at_low
        - np.where(np.isfinite(high), high, 0.0) * at_high
    )
    curve = (edges - slope**2) / variance
    return log_z, np.where(flip, -slope, slope) / sd, curve
