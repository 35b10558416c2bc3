r"""The output weight: where rare, large payoffs are likely (LW-UCB eqs. 14, 15).

$$ w(x) = \frac{p_x(x)}{p_\mu(\mu(x))} $$

p_mu is the density of the posterior means over points that stand for the space: where few points
share a mean, the ratio is large. The ratio itself is rough, so a Gaussian mixture summarises it:
the points, weighted by the ratio, are fitted by weighted EM, and w is the mixture's density,
scaled to mean 1 over the sample (over a grid of the unit cube that is its density there).

Legend: `points` (s, e) encoded, `mass` (s,) non-negative with sum 1, `k` components.
Everything has fixed shapes, is compiled, and starts from the data alone: no randomness.
"""

import math

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from counsel.models.kernels import Numbers

BINS = 1024
STEPS = 30
# A component narrower than this (of a range) is a spike on one point, not a region.
NARROWEST = 0.02
_LOG_2PI = math.log(2.0 * math.pi)


def density_of(values: Float[Array, " s"]) -> Float[Array, " s"]:
    """Kernel density estimate of the values' distribution at the values themselves.

    The values are of order 1: standardised means.
    Binned, convolved by FFT and read off by interpolation: linear time. Scott's bandwidth.
    """
    count = values.shape[0]
    low, high = jnp.min(values), jnp.max(values)
    # Means that are all alike are one lump of any width.
    sd = jnp.std(values)
    width = jnp.where(sd > 1e-12, sd, 1.0) * count**-0.2
    start, stop = low - 4.0 * width, high + 4.0 * width
    step = (stop - start) / (BINS - 1)
    position = (values - start) / step
    left = jnp.clip(jnp.floor(position).astype(int), 0, BINS - 2)
    share = position - left
    counts = jnp.zeros(BINS).at[left].add(1.0 - share).at[left + 1].add(share)
    damping = jnp.exp(-0.5 * (2.0 * jnp.pi * jnp.fft.rfftfreq(BINS) * width / step) ** 2)
    smooth = jnp.fft.irfft(jnp.fft.rfft(counts) * damping, n=BINS)
    at = smooth[left] * (1.0 - share) + smooth[left + 1] * share
    # Every value lies under its own kernel: less than that is the FFT's rounding.
    floor = 1.0 / (count * width * math.sqrt(2.0 * math.pi))
    return jnp.maximum(at / (count * step), floor)


class Mixture(eqx.Module):
    """Gaussian mixture with full covariances, kept as inverse Cholesky factors."""

    log_share: Float[Array, " k"]
    mean: Float[Array, "k e"]
    whitener: Float[Array, "k e e"]

    def log_density(self, x: Float[Array, "n e"]) -> Float[Array, " n"]:
        return jax.nn.logsumexp(self._joint(x), axis=0)

    def responsibilities(self, x: Float[Array, "n e"]) -> Float[Array, "k n"]:
        return jax.nn.softmax(self._joint(x), axis=0)

    def _joint(self, x: Float[Array, "n e"]) -> Float[Array, "k n"]:
        e = x.shape[1]
        centred = x[None, :, :] - self.mean[:, None, :]
        white = jnp.einsum("kij,knj->kni", self.whitener, centred)
        log_scale = jnp.sum(jnp.log(jnp.diagonal(self.whitener, axis1=1, axis2=2)), axis=1)
        log_normal = log_scale[:, None] - 0.5 * (jnp.sum(white**2, axis=2) + e * _LOG_2PI)
        return self.log_share[:, None] + log_normal


def fit_mixture(points: Float[Array, "s e"], mass: Float[Array, " s"], components: int) -> Mixture:
    """Weighted EM: a fixed number of steps from a start that depends on the data alone."""
    spread = _covariances(points, mass[None, :])[0]
    seeds = _seeds(points, mass, components)
    first = Mixture(
        log_share=jnp.full(components, -math.log(components)),
        mean=seeds,
        whitener=jnp.broadcast_to(_whiten(spread / components), (components, *spread.shape)),
    )

    def step(_: Array, mixture: Mixture) -> Mixture:
        weight = mixture.responsibilities(points) * mass
        share = jnp.sum(weight, axis=1)
        mean = (weight @ points) / jnp.maximum(share, 1e-12)[:, None]
        # A component that lost all its points stays where it is, with no share.
        alive = share > 1e-9
        mean = jnp.where(alive[:, None], mean, mixture.mean)
        # One by one: batched factorisations of two threads can wait for each other for ever.
        whitener = jax.lax.map(_whiten, _covariances(points, weight, mean))
        return Mixture(
            jnp.log(jnp.maximum(share, 1e-30)),
            mean,
            jnp.where(alive[:, None, None], whitener, mixture.whitener),
        )

    return jax.lax.fori_loop(0, STEPS, step, first)


def _covariances(
    points: Float[Array, "s e"],
    weight: Float[Array, "k s"],
    mean: Float[Array, "k e"] | None = None,
) -> Float[Array, "k e e"]:
    """Weighted covariances, never narrower than NARROWEST."""
    share = jnp.maximum(jnp.sum(weight, axis=1), 1e-12)
    if mean is None:
        mean = (weight @ points) / share[:, None]
    centred = points[None, :, :] - mean[:, None, :]
    total = jnp.einsum("ks,ksi,ksj->kij", weight, centred, centred)
    return total / share[:, None, None] + NARROWEST**2 * jnp.eye(points.shape[1])


def _whiten(covariance: Float[Array, "e e"]) -> Float[Array, "e e"]:
    """L^-1 for covariance = L L'."""
    lower = jax.lax.linalg.cholesky(covariance, symmetrize_input=False)
    eye = jnp.eye(covariance.shape[0])
    return jax.lax.linalg.triangular_solve(lower, eye, left_side=True, lower=True)


def _seeds(
    points: Float[Array, "s e"], mass: Float[Array, " s"], components: int
) -> Float[Array, "k e"]:
    """The heaviest point, then again and again the point of most mass x squared distance."""
    seeds = [points[jnp.argmax(mass)]]
    distance = jnp.sum((points - seeds[0]) ** 2, axis=1)
    for _ in range(1, components):
        seeds.append(points[jnp.argmax(mass * distance)])
        distance = jnp.minimum(distance, jnp.sum((points - seeds[-1]) ** 2, axis=1))
    return jnp.stack(seeds)


class OutputWeight(eqx.Module):
    r"""w(x) = (1 - floor) m(x) + floor, m the mixture's density with mean 1 over the sample."""

    mixture: Mixture
    log_scale: Float[Array, ""]
    floor: Float[Array, ""]

    def __call__(self, x: Float[Array, "n e"]) -> Float[Array, " n"]:
        ratio = jnp.exp(self.mixture.log_density(x) - self.log_scale)
        return (1.0 - self.floor) * ratio + self.floor


def output_weight(
    means: Float[Array, " s"],
    points: Float[Array, "s e"],
    prior: Float[Numbers, " s"] | None,
    components: int,
    floor: Float[Array, ""],
) -> OutputWeight:
    """The output weight from the posterior means at points that stand for the space.

    `prior` is p_x at the points, up to a constant; None means uniform. `floor` is a
    share of uniform weight that every point keeps.
    """
    ratio = 1.0 / density_of(means)
    if prior is not None:
        ratio = ratio * prior
    mixture = fit_mixture(points, ratio / jnp.sum(ratio), components)
    log_density = mixture.log_density(points)
    log_scale = jax.nn.logsumexp(log_density) - math.log(points.shape[0])
    return OutputWeight(mixture, log_scale, floor)
