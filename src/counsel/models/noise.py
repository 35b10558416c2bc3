r"""Noise that varies over the space: a second Gaussian process, on its log-variance.

As in RAHBO (Makarova et al. 2021), points that were measured several times give sample variances,
and these are the data of the second process. A sample variance of c measurements is sigma^2 times
chi^2 / (c - 1), so its logarithm is

$$ \log s^2 = \log \sigma^2 + \psi(\nu/2) - \log(\nu/2) + e, \qquad \mathrm{Var}[e] = \psi_1(\nu/2),
   \qquad \nu = c - 1: $$

bias and variance are known, and need no fitting. If fewer than `LEAST` points were repeated, the
residuals of the plain process are used instead: with K its matrix and a = K^-1 (y - trend), t_i^2 =
a_i^2 / [K^-1]_ii is chi^2 with one degree of freedom if the noise is the same everywhere, so noise
t_i^2 says how much larger or smaller it is there. That is rough (one degree of freedom each), and a
function that the process cannot follow looks like noise.

Everything is in units of standardised outputs. Points at which nothing was learned fall back to the
average log-variance.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree
from jaxtyping import Array, Float

from counsel.models.compiling import compiled
from counsel.models.descent import minimise
from counsel.models.gp import Data, NoiseModel, Posterior, covariance, evidence, posterior
from counsel.models.kernels import Kernel, Numbers, Prior

# Fewer repeated points than this say too little about how the noise varies.
LEAST = 3
# The smallest noise: repeats that agree exactly do not prove that there is none.
SMALLEST = 1e-6
_STARTS = 2


class VaryingNoise(NoiseModel):
    """exp of a posterior mean: the median noise variance."""

    log_variance: Posterior

    def variance(self, x: Float[Numbers, "m d"]) -> Float[Array, " m"]:
        return jnp.maximum(jnp.exp(self.log_variance.mean(x)), SMALLEST)


class Clues(NamedTuple):
    """Estimates of the log-variance, the variance of each estimate, and which rows have one."""

    value: Float[Array, " N"]
    spread: Float[Array, " N"]
    mask: Float[Array, " N"]


def clues(belief: Posterior) -> Clues:
    """What the data say about the noise: repeated points, or else residuals."""
    repeats, residuals = _from_repeats(belief), _from_residuals(belief)
    enough = jnp.sum(repeats.mask) >= LEAST
    return Clues(*(jnp.where(enough, a, b) for a, b in zip(repeats, residuals, strict=True)))


def _from_repeats(belief: Posterior) -> Clues:
    x, mask = jnp.asarray(belief.data.x), jnp.asarray(belief.data.mask)
    y = mask * (belief.data.y - belief.offset) / belief.scale
    same = jnp.all(x[:, None, :] == x[None, :, :], axis=2) * mask[:, None] * mask[None, :]
    count = jnp.sum(same, axis=1)
    mean = (same @ y) / jnp.maximum(count, 1.0)
    squares = jnp.sum(same * (y[None, :] - mean[:, None]) ** 2, axis=1)
    first = jnp.argmax(same, axis=1) == jnp.arange(len(y))
    known = (count >= 2.0) & first & (mask > 0.5)
    freedom = jnp.where(known, count - 1.0, 1.0)
    half = 0.5 * freedom
    logarithm = jnp.log(jnp.maximum(squares / freedom, SMALLEST))
    bias = jax.scipy.special.digamma(half) - jnp.log(half)
    spread = jax.scipy.special.polygamma(1, half)
    return Clues(jnp.where(known, logarithm - bias, 0.0), spread, known.astype(jnp.float64))


def _from_residuals(belief: Posterior) -> Clues:
    mask = jnp.asarray(belief.data.mask)
    diagonal = jnp.sum(belief.root**2, axis=0)
    ratio = jnp.maximum(belief.weights**2 / diagonal, SMALLEST)
    half = jnp.full_like(mask, 0.5)
    bias = jax.scipy.special.digamma(half) - jnp.log(half)
    value = jnp.log(jnp.maximum(belief.noise, SMALLEST)) + jnp.log(ratio) - bias
    return Clues(mask * value, jax.scipy.special.polygamma(1, half), mask)


@compiled(rows=lambda like, belief, *_: len(belief.data.y))
def with_varying_noise(
    like: Kernel, belief: Posterior, guesses: Float[Array, "s q"], prior: Prior
) -> tuple[Posterior, Float[Array, " q"]]:
    """The belief with one noise per row, and the fit of the noise process.

    `belief` was fitted with one noise for all. Its kernel and units stay.
    """
    found = clues(belief)
    centre = jnp.sum(found.mask * found.value / found.spread) / jnp.sum(found.mask / found.spread)
    data = Data(belief.data.x, found.mask * (found.value - centre), found.mask)
    low, high = (jnp.log(ravel_pytree(each)[0]) for each in like.bounds())

    def objective(theta: Float[Array, " q"]) -> Float[Array, ""]:
        kernel = unpack_kernel(theta, like)
        K = covariance(kernel, found.spread, data.x, data.mask)
        return -evidence(K, data.y, data.mask) - kernel.log_prior(prior)

    ends = jax.lax.map(
        lambda guess: minimise(objective, guess, low, high, largest_step=2.0), guesses
    )
    best = jnp.argmin(jnp.where(jnp.isfinite(ends.value), ends.value, jnp.inf))
    return _assembled(like, belief, ends.x[best]), ends.x[best]


@compiled(rows=lambda like, belief, *_: len(belief.data.y))
def at_fit(like: Kernel, belief: Posterior, theta: Float[Array, " q"]) -> Posterior:
    """The belief with varying noise under a known fit."""
    return _assembled(like, belief, theta)


def _assembled(like: Kernel, belief: Posterior, theta: Float[Array, " q"]) -> Posterior:
    found = clues(belief)
    centre = jnp.sum(found.mask * found.value / found.spread) / jnp.sum(found.mask / found.spread)
    log_variance = posterior(
        unpack_kernel(theta, like),
        found.spread,
        Data(belief.data.x, found.mask * found.value, found.mask),
        units=(centre, jnp.ones(())),
    )
    model = VaryingNoise(log_variance)
    noise = jnp.where(jnp.asarray(belief.data.mask) > 0.5, model.variance(belief.data.x), 1.0)
    return posterior(
        belief.kernel,
        noise,
        belief.data,
        units=(belief.offset, belief.scale),
        noise_model=model,
    )


def unpack_kernel(theta: Float[Array, " q"], like: Kernel) -> Kernel:
    """The kernel with these logs of hyper-parameters."""
    kernel: Kernel = ravel_pytree(like)[1](jnp.exp(theta))
    return kernel


def noise_guesses(like: Kernel, warm: tuple[float, ...]) -> Float[np.ndarray, "s q"]:
    """Where the noise's fit starts: the last round's answer and the prior's mode."""
    mode = np.log(np.concatenate([np.ravel(leaf) for leaf in jax.tree.leaves(like)]))
    return np.stack([np.asarray(warm) if warm else mode, mode])
