r"""Comparisons and measurements of one latent utility f, and their likelihood.

A judgement is about u = f(left) - f(right), or about u = f(left) alone where a value was measured:

    win        P(left beats right) = Phi((u - reach) / spread)
    tie        P(neither)          = Phi((reach - u) / spread) - Phi((-reach - u) / spread)
    measured   y ~ N(u, noise)

The probit model of Chu & Ghahramani (2005), with a zone of indifference for ties (Thurstone's model
with a threshold).

Legend
    left, right (M, d)   points, padded to the bucket size M
    paired (M,)          1 for a comparison, 0 for a measurement
    tied (M,)            1 for a comparison that ended in a tie; None if there is no such rule
    y (M,)               the measured values; 0 for comparisons
    mask (M,)            1 for a judgement, 0 for padding
    spread, reach        sd of the noise of a comparison, half-width of the zone of indifference
    W (M,)               minus the second derivative of the log-likelihood
"""

import math
from typing import NamedTuple

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import log_ndtr
from jaxtyping import Array, Bool, Float, Key

from counsel.models.gp import Data, bucket
from counsel.models.kernels import Kernel, Numbers, Prior

_LOG_2PI = math.log(2.0 * math.pi)
_SMALLEST_W = 1e-12


class Judgements(eqx.Module):
    """Comparisons and measurements, padded."""

    left: Float[Numbers, "M d"]
    right: Float[Numbers, "M d"]
    paired: Float[Numbers, " M"]
    tied: Float[Numbers, " M"] | None
    y: Float[Numbers, " M"]
    mask: Float[Numbers, " M"]

    @classmethod
    def padded(
        cls,
        comparisons: Float[np.ndarray, "k 2 d"],
        ties: Bool[np.ndarray, " k"],
        x: Float[np.ndarray, "n d"],
        y: Float[np.ndarray, " n"],
        size: int | None = None,
        *,
        lean: bool = False,
    ) -> "Judgements":
        """k comparisons (winner first, or either first in a tie) and n measurements.

        With `lean`, the rule of ties is left out where there are none.
        """
        k, n, d = len(comparisons), len(y), comparisons.shape[2]
        size = bucket(k + n) if size is None else size
        left, right, values = np.zeros((size, d)), np.zeros((size, d)), np.zeros(size)
        paired, mask = np.zeros(size), np.zeros(size)
        left[:k], right[:k] = comparisons[:, 0], comparisons[:, 1]
        left[k : k + n], values[k : k + n] = x, y
        paired[:k], mask[: k + n] = 1.0, 1.0
        tied = np.zeros(size)
        tied[:k] = ties
        rule = None if lean and not np.any(ties) else tied
        return cls(left, right, paired, rule, values, mask)

    @property
    def measured(self) -> Float[Array, " M"]:
        return jnp.asarray(self.mask) * (1.0 - jnp.asarray(self.paired))

    def standardised(self) -> tuple["Judgements", Float[Array, ""], Float[Array, ""]]:
        """Measurements with mean 0 and sd 1, and the offset and scale that undo it."""
        standard, offset, scale = Data(self.left, self.y, self.measured).standardised()
        return eqx.tree_at(lambda j: j.y, self, standard.y), offset, scale

    def stacked(self) -> Float[Array, "M e"]:
        """One row per judgement, for `Judged`: left, right, and the weight of the right."""
        weight = (jnp.asarray(self.paired) * self.mask)[:, None]
        return jnp.concatenate([jnp.asarray(self.left), jnp.asarray(self.right), weight], axis=1)


class Judged(Kernel):
    """A kernel that also accepts judgements: rows of `Judgements.stacked` as well as plain points.

    Cov(f(a) - f(b), f(x)) = k(a, x) - k(b, x). It lets the posterior of a preference model be an
    ordinary `Posterior`, whose data are judgements and whose predictions are of points.
    """

    inner: Kernel
    dim: int = eqx.field(static=True)

    def matrix(self, a: Float[Numbers, "n e"], b: Float[Numbers, "m h"]) -> Float[Array, "n m"]:
        (left, right, weight), (other, against, counter) = self._split(a), self._split(b)
        total = self.inner.matrix(left, other)
        if weight is not None:
            total = total - weight[:, None] * self.inner.matrix(right, other)
        if counter is not None:
            total = total - counter * self.inner.matrix(left, against)
        if weight is not None and counter is not None:
            total = total + weight[:, None] * counter * self.inner.matrix(right, against)
        return total

    def _split(self, rows: Numbers) -> tuple[Array, Array, Array | None]:
        rows, d = jnp.asarray(rows), self.dim
        if rows.shape[1] == d:
            return rows, rows, None
        return rows[:, :d], rows[:, d : 2 * d], rows[:, 2 * d]

    def amplitude(self) -> Float[Array, ""]:
        return self.inner.amplitude()

    def frequencies(self, key: Key[Array, ""], count: int, d: int) -> Float[Array, "f d"]:
        return self.inner.frequencies(key, count, d)

    def log_prior(self, prior: Prior) -> Float[Array, ""]:
        return self.inner.log_prior(prior)

    def bounds(self) -> tuple[Kernel, Kernel]:
        low, high = self.inner.bounds()
        return Judged(low, self.dim), Judged(high, self.dim)


class Manner(NamedTuple):
    """Parameters of the likelihood: noise variance, spread and reach."""

    noise: Float[Numbers, "*#M"]
    spread: Float[Numbers, "*#M"]
    reach: Float[Numbers, ""]


# ---- the likelihood -----------------------------------------------------------------------------


class Slopes(NamedTuple):
    """Log-likelihood of each judgement, its derivative in u, and minus its second one."""

    value: Float[Array, " M"]
    slope: Float[Array, " M"]
    W: Float[Array, " M"]


def _log_density(z: Float[Array, " M"]) -> Float[Array, " M"]:
    return -0.5 * z**2 - 0.5 * _LOG_2PI


def log_win(z: Float[Array, " M"]) -> Slopes:
    """log Phi(z): h = phi/Phi is its slope, h (h + z) minus its curvature."""
    value = log_ndtr(z)
    h = jnp.exp(_log_density(z) - value)
    return Slopes(value, h, h * (h + z))


def log_tie(z: Float[Array, " M"], reach: Float[Array, "*#M"]) -> Slopes:
    """log(Phi(reach - z) - Phi(-reach - z)), with reach in units of the spread.

    Even in z: taken at |z|, both ends lie in the lower tail, where logs keep every digit.
    """
    side = jnp.where(z < 0.0, -1.0, 1.0)
    far, near = -reach - jnp.abs(z), reach - jnp.abs(z)
    log_far, log_near = log_ndtr(far), log_ndtr(near)
    value = log_near + jnp.log(-jnp.expm1(log_far - log_near))
    at_far, at_near = jnp.exp(_log_density(far) - value), jnp.exp(_log_density(near) - value)
    slope = at_far - at_near
    return Slopes(value, side * slope, slope**2 - far * at_far + near * at_near)


def likelihood(u: Float[Array, " M"], judgements: Judgements, manner: Manner) -> Slopes:
    """All judgements, each by its own rule; padding adds nothing."""
    if judgements.tied is None:
        return _without_ties(u, judgements, manner)
    paired, tied, mask = (
        jnp.asarray(each) for each in (judgements.paired, judgements.tied, judgements.mask)
    )
    spread = jnp.asarray(manner.spread)
    # Without ties there is no evidence of a zone of indifference.
    reach = jnp.where(jnp.any(tied * mask > 0.5), manner.reach, 0.0) / spread
    z = u / spread
    win, tie = log_win(z - reach), log_tie(z, jnp.where(reach > 0.0, reach, 1.0))
    residual = jnp.asarray(judgements.y) - u
    noise = jnp.asarray(manner.noise)
    gauss = -0.5 * (residual**2 / noise + jnp.log(noise) + _LOG_2PI)

    def pick(of_win: Array, of_tie: Array, of_value: Array) -> Array:
        chosen = jnp.where(tied > 0.5, of_tie, of_win)
        return mask * jnp.where(paired > 0.5, chosen, of_value)

    W = pick(win.W / spread**2, tie.W / spread**2, jnp.broadcast_to(1.0 / noise, u.shape))
    return Slopes(
        pick(win.value, tie.value, gauss),
        pick(win.slope / spread, tie.slope / spread, residual / noise),
        jnp.maximum(W, mask * _SMALLEST_W),
    )


def _without_ties(u: Float[Array, " M"], judgements: Judgements, manner: Manner) -> Slopes:
    """The same where nothing is tied: the rule of ties takes two thirds of a program."""
    mask = jnp.asarray(judgements.mask)
    spread, noise = jnp.asarray(manner.spread), jnp.asarray(manner.noise)
    win, residual = log_win(u / spread), jnp.asarray(judgements.y) - u

    def pick(of_win: Array, of_value: Array) -> Array:
        return mask * jnp.where(jnp.asarray(judgements.paired) > 0.5, of_win, of_value)

    W = pick(win.W / spread**2, jnp.broadcast_to(1.0 / noise, u.shape))
    return Slopes(
        pick(win.value, -0.5 * (residual**2 / noise + jnp.log(noise) + _LOG_2PI)),
        pick(win.slope / spread, residual / noise),
        jnp.maximum(W, mask * _SMALLEST_W),
    )
