r"""Shapley values of products, without enumerating coalitions.

A squared-exponential kernel is a product over parameters, and so is a product of Matern kernels of
one parameter each (`kernels.MaternProduct`). A posterior mean is then a sum over data points of
products of one-dimensional factors, and a posterior variance one over pairs of them:

$$ v(S) = \sum_i w_i \prod_{j \in S} a_{ij} \prod_{j \notin S} b_{ij} $$

with a the factors at the explained point and b those at (or expected over) the background. The
multilinear extension of v has the derivative

$$ \phi_j = \int_0^1 \sum_i w_i (a_{ij} - b_{ij})
   \prod_{l \ne j} (q\,a_{il} + (1 - q)\,b_{il})\,dq, $$

a polynomial of degree p - 1 in q, which Gauss and Legendre integrate exactly with ceil(p/2) nodes:
O(n p^2) instead of O(n 2^p).

Legend: n data points, p players, d columns, N background points.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from counsel.errors import InvalidInput
from counsel.explain.background import MOST_LEVELS, levels_of
from counsel.models.compiling import compiled
from counsel.models.gp import Posterior
from counsel.models.kernels import (
    Kernel,
    MaternProduct,
    Product,
    SquaredExponential,
    Sum,
    matern_factor,
)
from counsel.space import AnySpace, Arms, Parameter
from counsel.space import Float as FloatParameter

# Background points at a time: their factors stay in the first cache.
_CHUNK = 8


class Values(NamedTuple):
    """Shapley values with the worth of nobody (base) and of all."""

    values: Float[Array, " p"]
    base: Float[Array, ""]
    total: Float[Array, ""]


class Matern(NamedTuple):
    """A product over parameters of Matern factors of sum_c precision_c (a_c - b_c)^2."""

    precision: Float[Array, " d"]
    parameters: tuple[list[int], ...]  # the columns of each


class Component(NamedTuple):
    """variance * exp(-1/2 sum_c precision_c (a_c - b_c)^2) * Matern factors: one product."""

    variance: Float[Array, ""]
    precision: Float[Array, " d"]
    materns: tuple[Matern, ...] = ()

    def factor(
        self, x: Float[Array, "n d"], z: Float[Array, "m d"], columns: list[int]
    ) -> Float[Array, "n m"]:
        """The part of the product that belongs to these columns (of whole parameters)."""
        squares = {c: (x[:, c, None] - z[None, :, c]) ** 2 for c in columns}
        nothing = jnp.zeros((x.shape[0], z.shape[0]))
        found = jnp.exp(-0.5 * sum((self.precision[c] * squares[c] for c in columns), nothing))
        for matern in self.materns:
            for parameter in matern.parameters:
                own = [c for c in parameter if c in squares]
                if own:
                    far = sum((matern.precision[c] * squares[c] for c in own), nothing)
                    found = found * matern_factor(far)
        return found


def factorises(kernel: Kernel) -> bool:
    """Whether the kernel is a sum of products over columns."""
    if isinstance(kernel, Sum | Product):
        return factorises(kernel.first) and factorises(kernel.second)
    return isinstance(kernel, SquaredExponential | MaternProduct)


def components(kernel: Kernel, d: int) -> tuple[Component, ...]:
    """A kernel that `factorises` as a sum of products over columns."""
    if isinstance(kernel, SquaredExponential):
        return (Component(kernel.amplitude(), kernel._column_scales(d) ** -2.0),)
    if isinstance(kernel, MaternProduct):
        factors = Matern(kernel._column_scales(d) ** -2.0, kernel.parameters(d))
        return (Component(kernel.amplitude(), jnp.zeros(d), (factors,)),)
    assert isinstance(kernel, Sum | Product)
    first, second = components(kernel.first, d), components(kernel.second, d)
    if isinstance(kernel, Sum):
        return first + second
    return tuple(
        Component(a.variance * b.variance, a.precision + b.precision, a.materns + b.materns)
        for a in first
        for b in second
    )


def product_values(
    weights: Float[Array, " n"], inside: Float[Array, "p n"], outside: Float[Array, "p n"]
) -> Values:
    """The game of one sum of products: `inside` are the factors a, `outside` the factors b."""
    players = inside.shape[0]
    nodes, shares = np.polynomial.legendre.leggauss(-(-players // 2))

    def at(found: Float[Array, " p"], node: tuple[Array, Array]) -> tuple[Array, None]:
        q, share = node
        mixed = outside + q * (inside - outside)
        before, after = _others(mixed)
        return found + share * (((inside - outside) * before * after) @ weights), None

    start = jnp.zeros(players)
    scaled = (jnp.asarray(0.5 * (nodes + 1.0)), jnp.asarray(0.5 * shares))
    values, _ = jax.lax.scan(at, start, scaled)
    return Values(values, jnp.prod(outside, axis=0) @ weights, jnp.prod(inside, axis=0) @ weights)


def _others(factors: Float[Array, "p n"]) -> tuple[Float[Array, "p n"], Float[Array, "p n"]]:
    """Products of the factors before and after each one: no division, so zeros do no harm."""
    before, after = [jnp.ones(factors.shape[1])], [jnp.ones(factors.shape[1])]
    for j in range(factors.shape[0] - 1):
        before.append(before[-1] * factors[j])
        after.append(after[-1] * factors[-1 - j])
    return jnp.stack(before), jnp.stack(after[::-1])


# ---- the posterior mean on background points ----------------------------------------------------


@compiled(static=("owner",))
def mean_on_points(
    posterior: Posterior,
    point: Float[Array, " d"],
    background: Float[Array, "N d"],
    *,
    owner: tuple[int, ...],
) -> Values:
    """The posterior mean's game on these background points: exact, for any number of players.

    `owner` is the player of each chosen column; the context's columns follow and belong to none.
    """
    parts = components(posterior.kernel, point.shape[0])
    weights = posterior.weights * posterior.data.mask
    found = [_mean_part(part, weights, posterior, point, background, owner) for part in parts]
    values, base, total = (sum(each[1:], each[0]) for each in zip(*found, strict=True))
    level = posterior.offset + posterior.scale * posterior.trend
    return Values(
        posterior.scale * values, level + posterior.scale * base, level + posterior.scale * total
    )


def _mean_part(
    part: Component,
    weights: Float[Array, " n"],
    posterior: Posterior,
    point: Float[Array, " d"],
    background: Float[Array, "N d"],
    owner: tuple[int, ...],
) -> Values:
    x = jnp.asarray(posterior.data.x)
    inside = _factors(part, x, point, owner)
    carried = part.variance * weights * _context_factor(part, x, point, owner)

    def one(z: Float[Array, " d"]) -> Values:
        return product_values(carried, inside, _factors(part, x, z, owner))

    sums = jax.lax.map(one, background, batch_size=_CHUNK)
    return Values(*(jnp.mean(each, axis=0) for each in sums))


def _factors(
    part: Component, x: Float[Array, "n d"], z: Float[Array, " d"], owner: tuple[int, ...]
) -> Float[Array, "p n"]:
    """One factor per player and data point."""
    if part.materns:
        columns = [[c for c, o in enumerate(owner) if o == j] for j in range(max(owner) + 1)]
        return jnp.stack([part.factor(x, z[None, :], own)[:, 0] for own in columns])
    # exp(-1/2 sum over the player's columns), for all players at once
    squares = part.precision * (x - z) ** 2
    players = np.asarray(owner)
    chosen = squares[:, : len(owner)]
    joined = jax.ops.segment_sum(chosen.T, players, max(owner) + 1, indices_are_sorted=True)
    return jnp.exp(-0.5 * joined)


def _context_factor(
    part: Component, x: Float[Array, "n d"], z: Float[Array, " d"], owner: tuple[int, ...]
) -> Float[Array, " n"]:
    return part.factor(x, z[None, :], list(range(len(owner), x.shape[1])))[:, 0]


# ---- closed forms under the uniform background --------------------------------------------------


def mean_uniform(posterior: Posterior, space: AnySpace, point: Float[np.ndarray, " d"]) -> Values:
    """The posterior mean's game when all parameters are uniform and independent: closed form.

    In NumPy: it is little work, and a program for every space would take longer to compile.
    """
    values, base, total = np.zeros(len(space.names)), 0.0, 0.0
    for products in _products(posterior, space, point):
        found = _integrated(*products)
        values, base, total = values + found[0], base + found[1], total + found[2]
    offset, scale = float(posterior.offset), float(posterior.scale)
    level = offset + scale * float(posterior.trend)
    ends = (jnp.asarray(level + scale * end) for end in (base, total))
    return Values(jnp.asarray(scale * values), *ends)


def mean_pairs(
    posterior: Posterior, space: AnySpace, point: Float[np.ndarray, " d"]
) -> Float[np.ndarray, "p p"]:
    r"""Halves of the interactions in the posterior mean's game against all of a box.

    $ I_{ij} = \int_0^1 \partial_i \partial_j $ of the multilinear extension: a polynomial of degree
    p - 2.
    """
    count = len(space.names)
    found = np.zeros((count, count))
    nodes, shares = np.polynomial.legendre.leggauss(max(1, count // 2))
    for weights, inside, outside in _products(posterior, space, point):
        for q, share in zip(0.5 * (nodes + 1.0), 0.5 * shares, strict=True):
            mixed = outside + q * (inside - outside)
            for i in range(count):
                for j in range(i):
                    rest = np.delete(mixed, (i, j), axis=0).prod(axis=0)
                    slope = (inside[i] - outside[i]) * (inside[j] - outside[j]) * rest
                    found[i, j] += 0.5 * share * float(slope @ weights)
    return float(posterior.scale) * (found + found.T)


def _products(
    posterior: Posterior, space: AnySpace, point: Float[np.ndarray, " d"]
) -> Iterator[tuple[Float[np.ndarray, " n"], Float[np.ndarray, "p n"], Float[np.ndarray, "p n"]]]:
    """The mean as sums of products: weights, factors at the point, factors expected over a box."""
    x = np.asarray(posterior.data.x)
    weights = np.asarray(posterior.weights) * np.asarray(posterior.data.mask)
    owner = np.asarray(space.groups[: space.dim])
    players = [np.flatnonzero(owner == j).tolist() for j in range(len(space.names))]
    given = list(range(space.dim, x.shape[1]))
    for part in (_plain(each) for each in _parts(posterior, space)):
        carried = part.variance * weights * _factor(part, x, point[None, :], given)[:, 0]
        inside = np.stack([_factor(part, x, point[None, :], own)[:, 0] for own in players])
        yield carried, inside, _expected_factors(part, x, space)


def _plain(part: Component) -> Component:
    """The same with arrays of NumPy."""
    materns = tuple(Matern(np.asarray(m.precision), m.parameters) for m in part.materns)  # type: ignore[arg-type]
    return Component(np.asarray(part.variance), np.asarray(part.precision), materns)  # type: ignore[arg-type]


def _integrated(
    weights: Float[np.ndarray, " n"],
    inside: Float[np.ndarray, "p n"],
    outside: Float[np.ndarray, "p n"],
) -> tuple[Float[np.ndarray, " p"], float, float]:
    """`product_values` in NumPy."""
    players = len(inside)
    nodes, shares = np.polynomial.legendre.leggauss(-(-players // 2))
    values = np.zeros(players)
    for q, share in zip(0.5 * (nodes + 1.0), 0.5 * shares, strict=True):
        mixed = outside + q * (inside - outside)
        one = np.ones((1, mixed.shape[1]))
        before = np.cumprod(np.concatenate([one, mixed[:-1]]), axis=0)
        after = np.cumprod(np.concatenate([one, mixed[:0:-1]]), axis=0)[::-1]
        values += share * (((inside - outside) * before * after) @ weights)
    return values, float(outside.prod(axis=0) @ weights), float(inside.prod(axis=0) @ weights)


def _factor(
    part: Component,
    x: Float[np.ndarray, "n d"],
    z: Float[np.ndarray, "m d"],
    columns: list[int],
) -> Float[np.ndarray, "n m"]:
    """`Component.factor` in NumPy."""
    squares = (x[:, None, :] - z[None, :, :]) ** 2
    found = np.exp(-0.5 * (squares[..., columns] @ part.precision[columns]))
    for matern in part.materns:
        for parameter in matern.parameters:
            own = [c for c in parameter if c in columns]
            if own:
                r = np.sqrt(5.0 * (squares[..., own] @ matern.precision[own]))
                found = found * (1.0 + r + r * r / 3.0) * np.exp(-r)
    return np.asarray(found)


def variance_uniform(
    posterior: Posterior, space: AnySpace, point: Float[np.ndarray, " d"]
) -> Values:
    """The posterior variance's game under the uniform background, by pairs of data points.

    For squared-exponential kernels.
    """
    parts = _parts(posterior, space)
    if _has_materns(posterior.kernel):
        raise InvalidInput(
            "kernel", type(posterior.kernel).__name__, "This needs squared-exponential kernels."
        )
    x, z = jnp.asarray(posterior.data.x), jnp.asarray(point)
    n, owner = x.shape[0], space.groups[: space.dim]
    mask = jnp.asarray(posterior.data.mask)
    inverse = (posterior.root.T @ posterior.root) * mask[:, None] * mask[None, :]
    found = []
    for first in parts:
        for second in parts:
            left = first.variance * _context_factor(first, x, z, owner)
            right = second.variance * _context_factor(second, x, z, owner)
            carried = -(inverse * left[:, None] * right[None, :]).reshape(-1)
            a = _factors(first, x, z, owner)[:, :, None] * _factors(second, x, z, owner)[:, None, :]
            b = _expected(first.precision, x, second.precision, x, space)
            found.append(product_values(carried, a.reshape(-1, n * n), b.reshape(-1, n * n)))
    values, base, total = (sum(each[1:], each[0]) for each in zip(*found, strict=True))
    scale = posterior.scale**2
    amplitude = posterior.kernel.amplitude()
    return Values(scale * values, scale * (amplitude + base), scale * (amplitude + total))


def has_closed_form(kernel: Kernel, space: AnySpace) -> bool:
    """Whether `mean_uniform` takes this kernel and space."""
    if isinstance(space, Arms) or not factorises(kernel) or _mixed(kernel):
        return False
    return all(
        isinstance(parameter, FloatParameter) or parameter.count <= MOST_LEVELS
        for parameter in space.parameters.values()
    )


def _parts(posterior: Posterior, space: AnySpace) -> tuple[Component, ...]:
    if not factorises(posterior.kernel) or _mixed(posterior.kernel):
        raise InvalidInput(
            "kernel",
            type(posterior.kernel).__name__,
            "Closed forms need squared-exponential kernels or products of Matern kernels.",
        )
    if isinstance(space, Arms):
        raise InvalidInput("space", space, "Closed forms need a box; arms are no product.")
    return components(posterior.kernel, space.dim + space.context_dim)


def _mixed(kernel: Kernel) -> bool:
    """Whether a product has both kinds of factors, whose integrals have no closed form here."""
    if isinstance(kernel, Sum):
        return _mixed(kernel.first) or _mixed(kernel.second)
    return isinstance(kernel, Product) and _has_materns(kernel)


def _has_materns(kernel: Kernel) -> bool:
    if isinstance(kernel, Sum | Product):
        return _has_materns(kernel.first) or _has_materns(kernel.second)
    return isinstance(kernel, MaternProduct)


def _expected_factors(
    part: Component, x: Float[np.ndarray, "n d"], space: AnySpace
) -> Float[np.ndarray, "p n"]:
    """E[factor of player j between Z_j and x_j] for every player and data point, Z_j uniform."""
    assert not isinstance(space, Arms)
    found = []
    for name, parameter in space.parameters.items():
        columns = space.columns(name)
        own = list(range(columns.start, columns.stop))
        if not isinstance(parameter, FloatParameter):
            levels, chances = levels_of(parameter)
            here = np.zeros((len(levels), x.shape[1]))
            here[:, columns] = levels
            found.append(_factor(part, x, here, own) @ chances)
        elif part.materns:
            rate = math.sqrt(5.0 * float(part.materns[0].precision[own[0]]))
            found.append(matern_area(rate, x[:, own[0]]))
        else:
            root = math.sqrt(0.5 * float(part.precision[own[0]]))
            ends = np.concatenate([root * (1.0 - x[:, own[0]]), root * x[:, own[0]]])
            area = np.array([math.erf(end) for end in ends]).reshape(2, -1).sum(axis=0)
            found.append(area * math.sqrt(math.pi) / (2.0 * root))
    return np.stack(found)


def matern_area(rate: float, x: Float[np.ndarray, " n"]) -> Float[np.ndarray, " n"]:
    """The integral over z in [0, 1] of the Matern-5/2 factor of rate |z - x|.

    That of (1 + s + s^2/3) e^-s from 0 to s is 8/3 - e^-s (8/3 + 5 s/3 + s^2/3).
    """
    found = np.zeros(len(x))
    for distance in (x, 1.0 - x):
        s = rate * distance
        found += (8.0 - np.exp(-s) * (8.0 + 5.0 * s + s**2)) / (3.0 * rate)
    return found


def _expected(
    a: Float[Array, " d"],
    x: Float[Array, "n d"],
    b: Float[Array, " d"],
    y: Float[Array, "m d"],
    space: AnySpace,
) -> Float[Array, "p n m"]:
    """E[exp(-1/2 a_j (Z_j - x_j)^2 - 1/2 b_j (Z_j - y_j)^2)] for every player j, Z_j uniform."""
    assert not isinstance(space, Arms)
    found = []
    for name, parameter in space.parameters.items():
        columns = space.columns(name)
        left, right = x[:, None, columns], y[None, :, columns]
        if isinstance(parameter, FloatParameter) and parameter.step is None:
            only = columns.start
            found.append(_interval(a[only], b[only], left[..., 0], right[..., 0]))
        else:
            found.append(_levels(a[columns], b[columns], left, right, parameter))
    return jnp.stack(found)


def _interval(a: Array, b: Array, x: Array, y: Array) -> Array:
    """The integral over [0, 1] of exp(-a/2 (z - x)^2 - b/2 (z - y)^2): one Gaussian in z."""
    together = a + b
    centre = (a * x + b * y) / together
    root = jnp.sqrt(0.5 * together)
    area = jax.scipy.special.erf(root * (1.0 - centre)) + jax.scipy.special.erf(root * centre)
    height = jnp.exp(-0.5 * a * b / together * (x - y) ** 2)
    return height * area * jnp.sqrt(jnp.pi) / (2.0 * root)


def _levels(a: Array, b: Array, x: Array, y: Array, parameter: Parameter) -> Array:
    """The mean over the levels of a discrete parameter."""
    levels, chances = levels_of(parameter)

    def add(total: Array, level: tuple[Array, Array]) -> tuple[Array, None]:
        place, chance = level
        far = jnp.sum(a * (place - x) ** 2, axis=-1) + jnp.sum(b * (place - y) ** 2, axis=-1)
        return total + chance * jnp.exp(-0.5 * far), None

    start = jnp.zeros((x.shape[0], y.shape[1]))
    return jax.lax.scan(add, start, (jnp.asarray(levels), jnp.asarray(chances)))[0]
