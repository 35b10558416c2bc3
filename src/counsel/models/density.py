r"""The output weight: where rare, large payoffs are likely (LW-UCB eqs. 14, 15).

$$ w(x) = \frac{p_x(x)}{p_\mu(\mu(x))} $$

p_mu is the density of the posterior means over points that stand for the space: where few points
share a mean, the ratio is large. The ratio itself is rough, so a Gaussian mixture summarises it:
the points, weighted by the ratio, are fitted by weighted EM. In the paper, w is the mixture's
density, scaled to mean 1 over the sample (over a grid of the unit cube that is its density there).

Ours (the default) departs from it in three ways, each for a failure that was seen on the wheel:
rare payoffs count by their rank, F(mu) / p_mu(mu), because rarely *small* ones are not worth a
look; the density is divided by that of a mixture fitted to the plain sample, because any mixture
falls off at the borders of a space; and w is at most 1, because early means are mostly noise, and
a weight above 1 hunts it while all else is unexplored. So LW-UCB never explores more than V-UCB;
it saves exploration where payoffs are believed to be ordinary.

Legend: `points` (s, e) encoded, `mass` (s,) non-negative with sum 1, `k` components.
Everything has fixed shapes, is compiled, and starts from the data alone: no randomness.
"""

import math
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from counsel.models.gp import inverse_root
from counsel.models.kernels import Numbers

BINS = 1024
STEPS = 30
# A component narrower than this (of a range) is a spike on one point, not a region.
NARROWEST = 0.02
_LOG_2PI = math.log(2.0 * math.pi)
# Of the unit cube: products of centred coordinates lose no digits.
_CENTRE = 0.5


class Spread(NamedTuple):
    """How values are distributed, at the values themselves: density p and share below F."""

    density: Float[Array, " s"]
    below: Float[Array, " s"]


def spread_of(values: Float[Array, " s"]) -> Spread:
    """Kernel density estimate of the values' distribution, and its integral.

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
    summed = jnp.cumsum(smooth) - 0.5 * smooth

    def read(bins: Float[Array, " b"]) -> Float[Array, " s"]:
        return bins[left] * (1.0 - share) + bins[left + 1] * share

    # Every value lies under its own kernel: less than that is the FFT's rounding.
    least = 1.0 / (count * width * math.sqrt(2.0 * math.pi))
    density = jnp.maximum(read(smooth) / (count * step), least)
    return Spread(density, jnp.clip(read(summed) / count, 0.0, 1.0))


class Mixture(eqx.Module):
    """Gaussian mixture with full covariances, kept as inverse Cholesky factors."""

    log_share: Float[Array, " k"]
    mean: Float[Array, "k e"]
    whitener: Float[Array, "k e e"]

    def log_density(self, x: Float[Array, "n e"]) -> Float[Array, " n"]:
        return jax.nn.logsumexp(self.coefficients() @ _monomials(x), axis=0)

    def coefficients(self) -> Float[Array, "k q"]:
        """Log density of each component, times its share, as a polynomial of the centred point."""
        mean = self.mean - _CENTRE
        precision = jnp.einsum("kai,kaj->kij", self.whitener, self.whitener)
        linear = jnp.einsum("kij,kj->ki", precision, mean)
        log_scale = jnp.sum(jnp.log(jnp.diagonal(self.whitener, axis1=1, axis2=2)), axis=1)
        constant = self.log_share + log_scale - 0.5 * mean.shape[1] * _LOG_2PI
        constant = constant - 0.5 * jnp.sum(linear * mean, axis=1)
        square = -0.5 * precision.reshape(len(precision), -1)
        return jnp.concatenate([constant[:, None], linear, square], axis=1)


def _monomials(x: Float[Array, "n e"]) -> Float[Array, "q n"]:
    """1, z_i and z_i z_j of the centred points z: EM is then a product with these, and another."""
    z = (x - _CENTRE).T
    return jnp.concatenate(
        [jnp.ones((1, z.shape[1])), z, (z[:, None] * z[None, :]).reshape(-1, z.shape[1])]
    )


def fit_mixture(points: Float[Array, "s e"], mass: Float[Array, " s"], components: int) -> Mixture:
    """Weighted EM: a fixed number of steps from a start that depends on the data alone."""
    monomials = _monomials(points)
    _, _, spread = _moments(monomials, mass[None, :])
    whitener = _whiten(spread[0] / components)
    first = Mixture(
        log_share=jnp.full(components, -math.log(components)),
        mean=_seeds(points, mass, components),
        whitener=jnp.broadcast_to(whitener, (components, *whitener.shape)),
    )

    def step(_: Array, mixture: Mixture) -> Mixture:
        weight = jax.nn.softmax(mixture.coefficients() @ monomials, axis=0) * mass
        share, mean, covariance = _moments(monomials, weight)
        # A component that lost all its points stays where it is, with no share.
        alive = share > 1e-9
        return Mixture(
            jnp.log(jnp.maximum(share, 1e-30)),
            jnp.where(alive[:, None], mean, mixture.mean),
            jnp.where(alive[:, None, None], jax.vmap(_whiten)(covariance), mixture.whitener),
        )

    return jax.lax.fori_loop(0, STEPS, step, first)


def _moments(
    monomials: Float[Array, "q s"], weight: Float[Array, "k s"]
) -> tuple[Float[Array, " k"], Float[Array, "k e"], Float[Array, "k e e"]]:
    """Share, mean and covariance under each row of weights; none is narrower than NARROWEST."""
    sums = weight @ monomials.T
    e = math.isqrt(sums.shape[1])  # 1 + e + e^2 columns
    share = sums[:, 0]
    means = sums[:, 1:] / jnp.maximum(share, 1e-12)[:, None]
    mean, squares = means[:, :e], means[:, e:].reshape(-1, e, e)
    covariance = squares - mean[:, :, None] * mean[:, None, :]
    return share, mean + _CENTRE, covariance + NARROWEST**2 * jnp.eye(e)


def _whiten(covariance: Float[Array, "e e"]) -> Float[Array, "e e"]:
    """L^-1 for covariance = L L'."""
    return inverse_root(covariance).T


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
    r"""w(x) = m(x), or ours: min(1, m(x) / g(x)); either ratio has mean 1 over the sample."""

    mixture: Mixture
    ground: Mixture | None
    log_scale: Float[Array, ""]

    def __call__(self, x: Float[Array, "n e"]) -> Float[Array, " n"]:
        ratio = jnp.exp(_log_ratio(self.mixture, self.ground, x) - self.log_scale)
        return ratio if self.ground is None else jnp.minimum(ratio, 1.0)


def output_weight(
    means: Float[Array, " s"],
    points: Float[Array, "s e"],
    prior: Float[Numbers, " s"] | None,
    components: int,
    *,
    paper: bool,
) -> OutputWeight:
    """The output weight from the posterior means at points that stand for the space.

    `prior` is p_x at the points, up to a constant; None means uniform. `paper` keeps to the
    paper's form.
    """
    found = spread_of(means)
    mass = 1.0 / found.density
    ground = None
    if not paper:
        mass = mass * found.below
        ground = fit_mixture(points, jnp.full(points.shape[0], 1.0 / points.shape[0]), components)
    if prior is not None:
        mass = mass * prior
    mixture = fit_mixture(points, mass / jnp.sum(mass), components)
    log_ratio = _log_ratio(mixture, ground, points)
    log_scale = jax.nn.logsumexp(log_ratio) - math.log(points.shape[0])
    return OutputWeight(mixture, ground, log_scale)


def _log_ratio(
    mixture: Mixture, ground: Mixture | None, x: Float[Array, "n e"]
) -> Float[Array, " n"]:
    above = mixture.log_density(x)
    return above if ground is None else above - ground.log_density(x)
