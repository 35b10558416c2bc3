r"""The output weight: where rare payoffs are likely (LW-UCB eqs. 14, 15).

$$ w(x) = \frac{p_x(x)}{p_\mu(\mu(x))} $$

p_x is the prior over inputs, uniform unless given. p_mu is its push-forward under the posterior
mean: the density of mu(x) for x drawn from p_x, estimated from points that represent the space,
each with its weight p_x. Where few of them share a mean, the ratio is large. The ratio itself is
rough, so a Gaussian mixture summarises it: the points, weighted by the ratio, are fitted by
weighted EM, and w is the mixture's density (`OutputWeight`).

Where this departs from the paper:

* w is the density *relative to the uniform one*: it is scaled to mean 1 over the points, so that w
= 1 explores like V-UCB in any space. The mixture's density on the unit cube, which
  the paper takes as it is, has a mean below 1, because part of it lies outside.
* An unordered choice has no Gaussian. Within a component each of its levels has a probability,
independent of the other columns, which EM learns along with means and covariances. A Gaussian on
one-hot columns is singular: its density spans hundreds of orders of
  magnitude.

`PrunedWeight` is our own weight, not a likelihood ratio. It departs in three ways, each for a
failure that was seen on the wheel: rare payoffs count by their rank, F(mu) / p_mu(mu), because
rarely *small* ones are of no interest; the density is divided by that of a mixture fitted to the
plain points, because any mixture falls off at the borders of a space; and it is at most 1, because
early means are mostly noise, and a weight above 1 hunts it while all else is unexplored.

Legend: `points` (s, e) encoded, `mass` (s,) non-negative with sum 1, `k` components, `choices` the
columns of each one-hot parameter.
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
_SMALLEST = 1e-290
_DRAWS = 512
# Of the unit cube: products of centred coordinates lose no digits.
_CENTRE = 0.5
# The part of a component's mass that is spread evenly over the levels of a choice, as NARROWEST
# widens numbers: a level that few points have is rare, not impossible.
_EVEN = 0.1

# The columns of each one-hot parameter.
Choices = tuple[tuple[int, ...], ...]


class Spread(NamedTuple):
    """How values are distributed, at the values themselves: density p and share below F."""

    density: Float[Array, " s"]
    below: Float[Array, " s"]


def spread_of(values: Float[Array, " s"], weights: Float[Array, " s"] | None = None) -> Spread:
    """Kernel density estimate of the values' distribution, and its integral.

    The values are of order 1: standardised means. `weights` sum to 1. Binned, convolved by FFT and
    read off by interpolation: linear time. Scott's bandwidth, with the effective number of values
    where they are weighted.
    """
    count = values.shape[0]
    low, high = jnp.min(values), jnp.max(values)
    if weights is None:
        sd, narrowing = jnp.std(values), count**-0.2
        each: float | Float[Array, " s"] = 1.0
    else:
        sd = jnp.sqrt(jnp.sum(weights * (values - jnp.sum(weights * values)) ** 2))
        narrowing = jnp.sum(weights**2) ** 0.2  # one over the effective number of values
        each = count * weights
    # Means that are all alike are one lump of any width.
    width = jnp.where(sd > 1e-12, sd, 1.0) * narrowing
    start, stop = low - 4.0 * width, high + 4.0 * width
    step = (stop - start) / (BINS - 1)
    position = (values - start) / step
    left = jnp.clip(jnp.floor(position).astype(int), 0, BINS - 2)
    share = position - left
    counts = jnp.zeros(BINS).at[left].add(each * (1.0 - share)).at[left + 1].add(each * share)
    damping = jnp.exp(-0.5 * (2.0 * jnp.pi * jnp.fft.rfftfreq(BINS) * width / step) ** 2)
    smooth = jnp.fft.irfft(jnp.fft.rfft(counts) * damping, n=BINS)
    summed = jnp.cumsum(smooth) - 0.5 * smooth

    def read(bins: Float[Array, " b"]) -> Float[Array, " s"]:
        return bins[left] * (1.0 - share) + bins[left + 1] * share

    # Every value lies under its own kernel: less than that is the FFT's rounding.
    least = each / (count * width * math.sqrt(2.0 * math.pi))
    if weights is not None:  # zero weight means no kernel
        least = jnp.maximum(least, _SMALLEST)
    density = jnp.maximum(read(smooth) / (count * step), least)
    return Spread(density, jnp.clip(read(summed) / count, 0.0, 1.0))


class Mixture(eqx.Module):
    """Gaussian mixture with full covariances, kept as inverse Cholesky factors.

    For choices, each component has the log of every level's chance, relative to an even one. They
    are independent of the numbers within a component, so they only add to its log density.
    """

    log_share: Float[Array, " k"]
    mean: Float[Array, "k e"]
    whitener: Float[Array, "k e e"]
    log_levels: Float[Array, "k c"] | None = None
    choices: Choices = eqx.field(static=True, default=())

    def log_density(self, x: Float[Array, "n d"]) -> Float[Array, " n"]:
        numbers, levels = _parts(x, self.choices)
        return jax.nn.logsumexp(self.parts(_monomials(numbers), levels), axis=0)

    def parts(self, monomials: Float[Array, "q n"], levels: Float[Array, "c n"]) -> Array:
        """Log density of each component at each point, times the component's share: (k, n)."""
        found = self.coefficients() @ monomials
        return found if self.log_levels is None else found + self.log_levels @ levels

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


def _parts(
    points: Float[Array, "s d"], choices: Choices
) -> tuple[Float[Array, "s e"], Float[Array, "c s"]]:
    """The columns of numbers, and those of choices, as rows."""
    columns = [column for group in choices for column in group]
    others = [column for column in range(points.shape[1]) if column not in columns]
    if not columns:
        return points, points[:, :0].T
    if not others:  # a constant number multiplies every density alike
        return jnp.full((points.shape[0], 1), _CENTRE), points[:, jnp.array(columns)].T
    return points[:, jnp.array(others)], points[:, jnp.array(columns)].T


def fit_mixture(
    points: Float[Array, "s d"],
    mass: Float[Array, " s"],
    components: int,
    choices: Choices = (),
) -> Mixture:
    """Weighted EM: a fixed number of steps from a start that depends on the data alone."""
    numbers, levels = _parts(points, choices)
    monomials = _monomials(numbers)
    _, _, spread = _moments(monomials, mass[None, :])
    whitener = _whiten(spread[0] / components)
    seeds = _seeds(points, mass, components)
    own_numbers, own_levels = _parts(seeds, choices)
    log_levels = None
    if choices:  # half its own levels, half everybody's
        log_levels = _log_levels(0.5 * own_levels.T + 0.5 * levels @ mass, choices)
    first = Mixture(
        log_share=jnp.full(components, -math.log(components)),
        mean=own_numbers,
        whitener=jnp.broadcast_to(whitener, (components, *whitener.shape)),
        log_levels=log_levels,
        choices=choices,
    )

    def step(_: Array, mixture: Mixture) -> Mixture:
        weight = jax.nn.softmax(mixture.parts(monomials, levels), axis=0) * mass
        share, mean, covariance = _moments(monomials, weight)
        # A component that lost all its points stays where it is, with no share.
        alive = share > 1e-9
        chances = None
        if mixture.log_levels is not None:
            found = _log_levels(weight @ levels.T / jnp.maximum(share, 1e-12)[:, None], choices)
            chances = jnp.where(alive[:, None], found, mixture.log_levels)
        return Mixture(
            jnp.log(jnp.maximum(share, 1e-30)),
            jnp.where(alive[:, None], mean, mixture.mean),
            jnp.where(alive[:, None, None], jax.vmap(_whiten)(covariance), mixture.whitener),
            chances,
            choices,
        )

    return jax.lax.fori_loop(0, STEPS, step, first)


def _log_levels(chances: Float[Array, "k c"], choices: Choices) -> Float[Array, "k c"]:
    """Smoothed probabilities of levels, relative to uniform ones."""
    sizes = jnp.array([float(len(group)) for group in choices for _ in group])
    return jnp.log((1.0 - _EVEN) * sizes * chances + _EVEN)


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
    """The heaviest point, then repeatedly the point with the most mass x squared distance."""
    seeds = [points[jnp.argmax(mass)]]
    distance = jnp.sum((points - seeds[0]) ** 2, axis=1)
    for _ in range(1, components):
        seeds.append(points[jnp.argmax(mass * distance)])
        distance = jnp.minimum(distance, jnp.sum((points - seeds[-1]) ** 2, axis=1))
    return jnp.stack(seeds)


class OutputWeight(eqx.Module):
    """The paper's weight, w(x) = m(x): a mixture's density, with mean 1 over the points."""

    mixture: Mixture
    log_scale: Float[Array, ""]

    def __call__(self, x: Float[Array, "n e"]) -> Float[Array, " n"]:
        return jnp.exp(self.mixture.log_density(x) - self.log_scale)


def output_weight(
    means: Float[Array, " s"],
    points: Float[Array, "s e"],
    prior: Float[Numbers, " s"] | None,
    components: int,
    choices: Choices = (),
    *,
    cube: bool = False,
) -> OutputWeight:
    """The output weight from the posterior means at points that represent the space.

    `prior` is p_x at the points, up to a constant; None means uniform. `points` are all of a space,
    or, for a `cube`, a sample of one whose numbers fill [0, 1].
    """
    mass = likelihood_ratio(means, prior)
    mixture = fit_mixture(points, mass / jnp.sum(mass), components, choices)
    # The mixture has its narrow components where points of the sample are, so its mean over the
    # sample would be too large. Over a cube it is the share of the mixture that lies inside.
    scale = log_inside(mixture) if cube else _log_mean(mixture.log_density(points))
    return OutputWeight(mixture, scale)


def log_inside(mixture: Mixture) -> Float[Array, ""]:
    """The log of the mixture's share inside the unit cube, by as many draws of each component.

    The draws are the same for all: a Kronecker sequence, turned normal.
    """
    e = mixture.mean.shape[1]
    root = 2.0
    for _ in range(32):  # the generalised golden ratio: root^(e + 1) = root + 1
        root = (1.0 + root) ** (1.0 / (e + 1))
    steps = jnp.arange(1.0, _DRAWS + 1.0)[:, None] * root ** -jnp.arange(1.0, e + 1.0)
    normal = jax.scipy.special.ndtri((0.5 + steps) % 1.0)
    precision = jnp.einsum("kai,kaj->kij", mixture.whitener, mixture.whitener)
    draws = mixture.mean[:, None, :] + normal @ jnp.swapaxes(
        jax.vmap(inverse_root)(precision), 1, 2
    )
    inside = jnp.mean(jnp.all((draws >= 0.0) & (draws <= 1.0), axis=2), axis=1)
    # A component in a corner of many dimensions may have none.
    least = 0.5 / _DRAWS
    return jax.nn.logsumexp(mixture.log_share + jnp.log(jnp.maximum(inside, least)))


def likelihood_ratio(
    means: Float[Array, " s"], prior: Float[Numbers, " s"] | None
) -> Float[Array, " s"]:
    """p_x / p_mu(mu) at the points (eq. 14), up to a constant."""
    if prior is None:
        return 1.0 / spread_of(means).density
    weights = jnp.asarray(prior) / jnp.sum(jnp.asarray(prior))
    return weights / spread_of(means, weights).density


class PrunedWeight(eqx.Module):
    """Our weight, min(1, m(x) / g(x)); the ratio has mean 1 over the points."""

    mixture: Mixture
    ground: Mixture
    log_scale: Float[Array, ""]

    def __call__(self, x: Float[Array, "n e"]) -> Float[Array, " n"]:
        return jnp.minimum(jnp.exp(self.log_ratio(x) - self.log_scale), 1.0)

    def log_ratio(self, x: Float[Array, "n e"]) -> Float[Array, " n"]:
        return self.mixture.log_density(x) - self.ground.log_density(x)


def pruned_weight(
    means: Float[Array, " s"],
    points: Float[Array, "s e"],
    components: int,
    choices: Choices = (),
) -> PrunedWeight:
    """Our pruning weight from the posterior means at points that represent the space."""
    found = spread_of(means)
    mass = 1.0 / found.density * found.below
    even = jnp.full(points.shape[0], 1.0 / points.shape[0])
    ground = fit_mixture(points, even, components, choices)
    mixture = fit_mixture(points, mass / jnp.sum(mass), components, choices)
    unscaled = PrunedWeight(mixture, ground, jnp.zeros(()))
    return PrunedWeight(mixture, ground, _log_mean(unscaled.log_ratio(points)))


def _log_mean(logs: Float[Array, " s"]) -> Float[Array, ""]:
    return jax.nn.logsumexp(logs) - math.log(logs.shape[0])
