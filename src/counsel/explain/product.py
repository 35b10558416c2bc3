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
O(n p^2) instead of O(n 2^p). `explain.closed` has the factors that are expected over a whole box.

Legend: n data points, p players, d columns, N background points.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

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
