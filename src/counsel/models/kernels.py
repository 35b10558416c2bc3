r"""Covariance functions with one length-scale per parameter (ARD), and their sums and products.

Legend: `a` (n, d) and `b` (m, d) are encoded points, `lengthscale` (g,) belongs to parameters, and
`groups` says which parameter each encoded column belongs to (a one-hot categorical has several
columns and one length-scale). All hyper-parameters are positive; `models.fit` works on their logs.

The prior on a length-scale is log-normal and grows with sqrt(d), as distances do (Hvarfner et al.,
2024): it keeps a fit to three points sane.
"""

import abc
import math
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Key

from counsel.registry import parts

LENGTHSCALE_BOUNDS = (5e-3, 1e2)
VARIANCE_BOUNDS = (5e-2, 20.0)
TINY = 1e-28
# Arguments of compiled code. The host uses NumPy, since every JAX operation outside compiled code
# is a small program to compile.
Numbers = jax.Array | np.ndarray


@parts.register("prior", title="Prior", sentence="What is assumed of hyper-parameters beforehand.")
class Prior(NamedTuple):
    """The prior of the hyper-parameters: Gaussians on their logs, in unit scales.

    Length-scales are expected where LogNormal(sqrt 2 + log(d)/2, sqrt 3) has its mode and the noise
    where LogNormal(-4, 1) has it. Our length-scales stay closer to the mode, with sd 1 on the log
    instead of sqrt 3: otherwise a flat neighbourhood of the first trials leads the fit to
    length-scales that rule out a second peak (`python -m benchmarks.regret` plays such grids).
    `lengthscale_factor` moves the mode, `choice_factor` that of parameters with levels besides.
    """

    lengthscale_sd: float | Float[Array, ""] = 1.0
    variance_sd: float | Float[Array, ""] = 0.5
    noise_mode: float | Float[Array, ""] = math.exp(-5.0)
    noise_sd: float | Float[Array, ""] = 1.0
    lengthscale_factor: float | Float[Array, ""] = 1.0
    choice_factor: float | Float[Array, ""] | None = None


# Nearly plain maximum likelihood, as in the LW-UCB authors' runs.
WEAK = Prior(lengthscale_sd=30.0, variance_sd=30.0, noise_mode=1e-6, noise_sd=30.0)


def lengthscale_mode(d: int) -> float:
    return math.exp(math.sqrt(2.0) - 3.0 + 0.5 * math.log(d))


class Kernel(eqx.Module):
    """A covariance function, as a surrogate uses it."""

    @abc.abstractmethod
    def matrix(self, a: Float[Numbers, "n d"], b: Float[Numbers, "m d"]) -> Float[Array, "n m"]:
        """k(a_i, b_j)."""

    @abc.abstractmethod
    def amplitude(self) -> Float[Array, ""]:
        """k(x, x); every kernel here is stationary."""

    @abc.abstractmethod
    def frequencies(self, key: Key[Array, ""], count: int, d: int) -> Float[Array, "f d"]:
        """Draws from the spectral density, for random features."""

    @abc.abstractmethod
    def log_prior(self, prior: Prior) -> Float[Array, ""]:
        """Log density of the hyper-parameters' prior, in their logs, up to a constant."""

    @abc.abstractmethod
    def bounds(self) -> tuple["Kernel", "Kernel"]:
        """Two kernels of the same structure with the least and the greatest hyper-parameters."""

    def __add__(self, other: "Kernel") -> "Kernel":
        return Sum(self, other)

    def __mul__(self, other: "Kernel") -> "Kernel":
        return Product(self, other)


class _Stationary(Kernel):
    """A kernel of the scaled distance r alone; subclasses define how it falls with r^2."""

    lengthscale: eqx.AbstractVar[Float[Numbers, " g"]]
    variance: eqx.AbstractVar[Float[Numbers, ""]]
    groups: eqx.AbstractVar[tuple[int, ...] | None]

    @abc.abstractmethod
    def correlation(self, squared: Float[Array, "n m"]) -> Float[Array, "n m"]: ...

    @abc.abstractmethod
    def unit_frequencies(self, key: Key[Array, ""], count: int, d: int) -> Float[Array, "f d"]: ...

    def matrix(self, a: Float[Numbers, "n d"], b: Float[Numbers, "m d"]) -> Float[Array, "n m"]:
        scale = self._column_scales(a.shape[1])
        return jnp.asarray(self.variance) * self.correlation(squared_distance(a, b, scale))

    def amplitude(self) -> Float[Array, ""]:
        return jnp.asarray(self.variance)

    def frequencies(self, key: Key[Array, ""], count: int, d: int) -> Float[Array, "f d"]:
        return self.unit_frequencies(key, count, d) / self._column_scales(d)

    def log_prior(self, prior: Prior) -> Float[Array, ""]:
        mode = math.log(lengthscale_mode(self._count()))
        lengths = jnp.log(self.lengthscale) - mode - jnp.log(prior.lengthscale_factor)
        if prior.choice_factor is not None:
            lengths = lengths - jnp.log(prior.choice_factor) * self._choices()
        return -0.5 * (
            jnp.sum((lengths / prior.lengthscale_sd) ** 2)
            + (jnp.log(self.variance) / prior.variance_sd) ** 2
        )

    def bounds(self) -> tuple[Kernel, Kernel]:
        def filled(side: int) -> Kernel:
            return eqx.tree_at(
                lambda k: (k.lengthscale, k.variance),
                self,
                (
                    jnp.full_like(self.lengthscale, LENGTHSCALE_BOUNDS[side]),
                    jnp.full_like(self.variance, VARIANCE_BOUNDS[side]),
                ),
            )

        return filled(0), filled(1)

    def _count(self) -> int:
        """How many parameters there are."""
        return int(self.lengthscale.shape[0])

    def _choices(self) -> Float[np.ndarray, " g"]:
        """1.0 for a parameter with several columns (the levels of a choice), 0.0 for a number."""
        count = self.lengthscale.shape[0]
        if self.groups is None:
            return np.zeros(count)
        return (np.bincount(np.asarray(self.groups), minlength=count) > 1).astype(float)

    def _column_scales(self, d: int) -> Float[Array, " d"]:
        if self.groups is not None:
            return jnp.asarray(self.lengthscale)[np.asarray(self.groups)]
        return jnp.broadcast_to(jnp.asarray(self.lengthscale), (d,))


def squared_distance(
    a: Float[Numbers, "n d"], b: Float[Numbers, "m d"], scale: Float[Array, " d"] | None = None
) -> Float[Array, "n m"]:
    """Squared Euclidean distances in units of `scale`, column by column.

    The unrolled sum fuses into one vectorised loop and is exact for close points, where the
    |a|^2 + |b|^2 - 2 a'b form is not; beyond 64 columns the loop body would grow too long.
    Differences come before scaling: those of coincident points are then exactly 0.
    """
    a, b = jnp.asarray(a), jnp.asarray(b)
    d = a.shape[1]
    # Multiply rather than divide: a division takes as long as all the rest.
    unit = jnp.ones(d) if scale is None else 1.0 / scale
    if d > 64:
        return jnp.sum(((a[:, None, :] - b[None, :, :]) * unit) ** 2, axis=-1)
    total = ((a[:, 0, None] - b[None, :, 0]) * unit[0]) ** 2
    for j in range(1, d):
        total = total + ((a[:, j, None] - b[None, :, j]) * unit[j]) ** 2
    return total


def _number(value: object) -> Numbers:
    return value if isinstance(value, jax.Array) else np.asarray(value, dtype=np.float64)


def _vector(value: object) -> Numbers:
    number = _number(value)
    return number if number.ndim else number.reshape(1)


@parts.register(
    "squared-exponential",
    title="Squared exponential kernel",
    sentence="Functions that are smooth everywhere.",
)
class SquaredExponential(_Stationary):
    r"""k = variance * exp(-r^2 / 2)."""

    lengthscale: Float[Numbers, " g"] = eqx.field(converter=_vector)
    variance: Float[Numbers, ""] = eqx.field(converter=_number, default=1.0)
    groups: tuple[int, ...] | None = eqx.field(static=True, default=None)

    def correlation(self, squared: Float[Array, "n m"]) -> Float[Array, "n m"]:
        return jnp.exp(-0.5 * squared)

    def unit_frequencies(self, key: Key[Array, ""], count: int, d: int) -> Float[Array, "f d"]:
        return jax.random.normal(key, (count, d))


@parts.register(
    "matern", title="Matern kernel", sentence="Functions with a limited number of derivatives."
)
class Matern(_Stationary):
    r"""Matern kernel with nu in {1/2, 3/2, 5/2}."""

    lengthscale: Float[Numbers, " g"] = eqx.field(converter=_vector)
    variance: Float[Numbers, ""] = eqx.field(converter=_number, default=1.0)
    groups: tuple[int, ...] | None = eqx.field(static=True, default=None)
    nu: float = eqx.field(static=True, default=2.5)

    def __check_init__(self) -> None:
        if self.nu not in (0.5, 1.5, 2.5):
            from counsel.errors import InvalidInput

            raise InvalidInput("nu", self.nu, "Choose 0.5, 1.5 or 2.5.")

    def correlation(self, squared: Float[Array, "n m"]) -> Float[Array, "n m"]:
        # A distance of rounding size counts as zero: the root's slope would blow it up.
        apart = squared > TINY
        r = jnp.where(apart, jnp.sqrt(2.0 * self.nu * jnp.where(apart, squared, 1.0)), 0.0)
        if self.nu == 0.5:
            return jnp.exp(-r)
        if self.nu == 1.5:
            return (1.0 + r) * jnp.exp(-r)
        return (1.0 + r + r * r / 3.0) * jnp.exp(-r)

    def unit_frequencies(self, key: Key[Array, ""], count: int, d: int) -> Float[Array, "f d"]:
        """Student-t with 2 nu degrees of freedom: the Matern's spectral density."""
        normal_key, gamma_key = jax.random.split(key)
        normal = jax.random.normal(normal_key, (count, d))
        chi2 = 2.0 * jax.random.gamma(gamma_key, self.nu, (count, 1))
        return normal * jnp.sqrt(2.0 * self.nu / chi2)


@parts.register(
    "matern-product",
    title="Product of Matern kernels",
    sentence="Matern-5/2 of every parameter, multiplied.",
)
class MaternProduct(_Stationary):
    r"""k = variance * product over parameters of Matern-5/2 factors of that parameter's distance.

    Unlike `Matern`, whose one distance mixes all parameters, this is a product over parameters, and
    explanations of its posterior mean have the closed form of `explain.product`. Along one
    parameter the two are the same kernel.

    With `levels`, every level of a choice has a length-scale of its own, `lengthscale` (d,): two
    levels are as far apart as their scales are short, so data can say which levels are alike.
    """

    lengthscale: Float[Numbers, " g"] = eqx.field(converter=_vector)
    variance: Float[Numbers, ""] = eqx.field(converter=_number, default=1.0)
    groups: tuple[int, ...] | None = eqx.field(static=True, default=None)
    levels: bool = eqx.field(static=True, default=False)

    def matrix(self, a: Float[Numbers, "n d"], b: Float[Numbers, "m d"]) -> Float[Array, "n m"]:
        """Polynomials multiply, distances add up: one exponential serves all the factors."""
        a, b = jnp.asarray(a), jnp.asarray(b)
        unit = 1.0 / self._column_scales(a.shape[1])
        product, path = jnp.asarray(self.variance), jnp.zeros(())
        for columns in self.parameters(a.shape[1]):
            r = _matern_distance(a[:, columns], b[:, columns], unit[np.asarray(columns)])
            product = product * (1.0 + r + r * r / 3.0)
            path = path + r
        return product * jnp.exp(-path)

    def _count(self) -> int:
        return len(self.parameters(self.lengthscale.shape[0])) if self.levels else super()._count()

    def _choices(self) -> Float[np.ndarray, " g"]:
        if not self.levels or self.groups is None:
            return super()._choices()
        owners = np.asarray(self.groups)
        return (np.bincount(owners) > 1).astype(float)[owners]

    def _column_scales(self, d: int) -> Float[Array, " d"]:
        return jnp.asarray(self.lengthscale) if self.levels else super()._column_scales(d)

    def parameters(self, d: int) -> tuple[list[int], ...]:
        """The columns of each parameter."""
        groups = np.arange(d) if self.groups is None else np.asarray(self.groups)
        return tuple(np.flatnonzero(groups == g).tolist() for g in range(int(groups.max()) + 1))

    def correlation(self, squared: Float[Array, "n m"]) -> Float[Array, "n m"]:
        return matern_factor(squared)

    def unit_frequencies(self, key: Key[Array, ""], count: int, d: int) -> Float[Array, "f d"]:
        """Student-t with 5 degrees of freedom, drawn for every parameter by itself."""
        normal_key, gamma_key = jax.random.split(key)
        normal = jax.random.normal(normal_key, (count, d))
        parameters = self.parameters(d)
        chi2 = 2.0 * jax.random.gamma(gamma_key, 2.5, (count, len(parameters)))
        owner = np.zeros(d, dtype=int)
        for g, columns in enumerate(parameters):
            owner[columns] = g
        return normal * jnp.sqrt(5.0 / chi2)[:, owner]


def matern_factor(squared: Float[Array, "..."]) -> Float[Array, "..."]:
    """Matern-5/2 of a squared distance in units of the length-scale."""
    r = _root(5.0 * squared)
    return (1.0 + r + r * r / 3.0) * jnp.exp(-r)


def _root(squared: Float[Array, "..."]) -> Float[Array, "..."]:
    """The square root, with distances of rounding size taken as zero, where its slope blows up."""
    apart = squared > TINY
    return jnp.where(apart, jnp.sqrt(jnp.where(apart, squared, 1.0)), 0.0)


def _matern_distance(
    a: Float[Array, "n c"], b: Float[Array, "m c"], unit: Float[Array, " c"]
) -> Float[Array, "n m"]:
    """sqrt(5) r of one parameter; a single column needs no square root."""
    if a.shape[1] == 1:
        return math.sqrt(5.0) * unit[0] * jnp.abs(a - b.T)
    return _root(5.0 * squared_distance(a, b, 1.0 / unit))


@parts.register("sum", title="Sum of kernels", sentence="The sum of two independent functions.")
class Sum(Kernel):
    """k = first + second."""

    first: Kernel
    second: Kernel

    def matrix(self, a: Float[Numbers, "n d"], b: Float[Numbers, "m d"]) -> Float[Array, "n m"]:
        return self.first.matrix(a, b) + self.second.matrix(a, b)

    def amplitude(self) -> Float[Array, ""]:
        return self.first.amplitude() + self.second.amplitude()

    def frequencies(self, key: Key[Array, ""], count: int, d: int) -> Float[Array, "f d"]:
        """A mixture of the two spectra, each in proportion to its amplitude."""
        first_key, second_key, coin_key = jax.random.split(key, 3)
        share = self.first.amplitude() / self.amplitude()
        return jnp.where(
            jax.random.uniform(coin_key, (count, 1)) < share,
            self.first.frequencies(first_key, count, d),
            self.second.frequencies(second_key, count, d),
        )

    def log_prior(self, prior: Prior) -> Float[Array, ""]:
        return self.first.log_prior(prior) + self.second.log_prior(prior)

    def bounds(self) -> tuple[Kernel, Kernel]:
        return _both(Sum, self.first, self.second)


@parts.register(
    "product", title="Product of kernels", sentence="Points are alike where both kernels say so."
)
class Product(Kernel):
    """k = first * second."""

    first: Kernel
    second: Kernel

    def matrix(self, a: Float[Numbers, "n d"], b: Float[Numbers, "m d"]) -> Float[Array, "n m"]:
        return self.first.matrix(a, b) * self.second.matrix(a, b)

    def amplitude(self) -> Float[Array, ""]:
        return self.first.amplitude() * self.second.amplitude()

    def frequencies(self, key: Key[Array, ""], count: int, d: int) -> Float[Array, "f d"]:
        """A product of kernels convolves their spectra: frequencies add."""
        first_key, second_key = jax.random.split(key)
        return self.first.frequencies(first_key, count, d) + self.second.frequencies(
            second_key, count, d
        )

    def log_prior(self, prior: Prior) -> Float[Array, ""]:
        return self.first.log_prior(prior) + self.second.log_prior(prior)

    def bounds(self) -> tuple[Kernel, Kernel]:
        return _both(Product, self.first, self.second)


def _both(
    combine: type[Sum] | type[Product], first: Kernel, second: Kernel
) -> tuple[Kernel, Kernel]:
    (low_a, high_a), (low_b, high_b) = first.bounds(), second.bounds()
    return combine(low_a, low_b), combine(high_a, high_b)
