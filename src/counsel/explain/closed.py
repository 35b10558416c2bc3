r"""Closed forms against a whole box: the posterior mean's and the posterior variance's game.

All parameters are uniform and independent. For a product kernel, the factors of `explain.product`
that belong to the background are then one-dimensional integrals: of the kernel for the mean,

$$ b_{ij} = \int_0^1 k_j(z, x_{ij})\,dz, $$

and of a product of two for the variance, whose sum is over pairs of data points. Squared
exponentials give error functions; Matern-5/2 factors give polynomials times exponentials, piece by
piece between the two data points. A parameter with levels has sums instead.

In NumPy: it is little work, and a program for every space would take longer to compile.

Legend: n data points, p players, d columns, q pairs of data points.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from counsel.errors import InvalidInput
from counsel.explain.background import MOST_LEVELS, levels_of
from counsel.explain.product import Component, Matern, Values, components, factorises
from counsel.models.gp import Posterior
from counsel.models.kernels import Kernel, MaternProduct, Product, Sum
from counsel.space import AnySpace, Arms, Space


def has_closed_form(kernel: Kernel, space: AnySpace) -> bool:
    """Whether `mean_uniform` takes this kernel and space."""
    if isinstance(space, Arms) or not factorises(kernel) or _mixed(kernel):
        return False
    return all(
        parameter.count is None or parameter.count <= MOST_LEVELS
        for parameter in space.parameters.values()
    )


def has_closed_variance(kernel: Kernel, space: AnySpace) -> bool:
    """Whether `variance_uniform` takes them: no two different Matern products may be summed."""
    return has_closed_form(kernel, space) and (
        not _has_materns(kernel) or isinstance(kernel, MaternProduct)
    )


def mean_uniform(posterior: Posterior, space: AnySpace, point: Float[np.ndarray, " d"]) -> Values:
    """The posterior mean's game when all parameters are uniform and independent."""
    values, base, total = np.zeros(len(space.names)), 0.0, 0.0
    for products in _products(posterior, space, point):
        found = _integrated(*products)
        values, base, total = values + found[0], base + found[1], total + found[2]
    scale = float(posterior.scale)
    level = float(posterior.offset) + scale * float(posterior.trend)
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


class Pairs(NamedTuple):
    """The part of the variance's game that no point changes: i and j are a pair of data points."""

    parts: list[Component]
    x: Float[np.ndarray, "n d"]
    i: np.ndarray
    j: np.ndarray
    carried: Float[np.ndarray, " q"]
    expected: dict[tuple[int, int], Float[np.ndarray, "p q"]]


def pairs_of(posterior: Posterior, space: AnySpace) -> Pairs:
    """What `variance_uniform` computes from the data alone: each unordered pair once."""
    every = _parts(posterior, space)  # refuses what has no closed form at all
    if not has_closed_variance(posterior.kernel, space):
        raise InvalidInput(
            "kernel",
            type(posterior.kernel).__name__,
            "This needs squared-exponential kernels or one product of Matern kernels.",
        )
    assert not isinstance(space, Arms)
    parts = [_plain(part) for part in every]
    rows = np.flatnonzero(np.asarray(posterior.data.mask) > 0.5)
    x, root = np.asarray(posterior.data.x)[rows], np.asarray(posterior.root)[:, rows]
    i, j = np.triu_indices(len(rows))
    carried = -np.where(i == j, 1.0, 2.0) * (root.T @ root)[i, j]
    expected = {
        (a, b): _expected_pairs(first, second, x, i, j, space)
        for a, first in enumerate(parts)
        for b, second in enumerate(parts)
    }
    return Pairs(parts, x, i, j, carried, expected)


def variance_uniform(
    posterior: Posterior,
    space: AnySpace,
    point: Float[np.ndarray, " d"],
    pairs: Pairs | None = None,
) -> Values:
    """The posterior variance's game when all parameters are uniform and independent.

    A sum over pairs of data points (`pairs_of`).
    """
    parts, x, i, j, carried, expected = pairs_of(posterior, space) if pairs is None else pairs
    assert not isinstance(space, Arms)
    given = list(range(space.dim, x.shape[1]))
    left = [part.variance * _factor(part, x, point[None, :], given)[:, 0] for part in parts]
    inside = [_inside(part, x, point, space) for part in parts]
    values, base, total = np.zeros(len(space.names)), 0.0, 0.0
    for first in range(len(parts)):
        for second in range(len(parts)):
            weights = carried * left[first][i] * left[second][j]
            product = inside[first][:, i] * inside[second][:, j]
            found = _integrated(weights, product, expected[first, second])
            values, base, total = values + found[0], base + found[1], total + found[2]
    scale, amplitude = float(posterior.scale) ** 2, float(posterior.kernel.amplitude())
    ends = (jnp.asarray(scale * (amplitude + end)) for end in (base, total))
    return Values(jnp.asarray(scale * values), *ends)


def variance_at(
    posterior: Posterior, space: AnySpace, points: Float[np.ndarray, "m d"]
) -> Float[np.ndarray, " m"]:
    """The posterior variance at points, for a kernel with a closed form."""
    x, columns = np.asarray(posterior.data.x), list(range(points.shape[1]))
    cross = sum(
        (
            float(part.variance) * _factor(part, x, points, columns)
            for part in (_plain(each) for each in _parts(posterior, space))
        ),
        np.zeros((len(x), len(points))),
    )
    white = np.asarray(posterior.root) @ (cross * np.asarray(posterior.data.mask)[:, None])
    left = float(posterior.kernel.amplitude()) - (white**2).sum(axis=0)
    return np.asarray(float(posterior.scale) ** 2 * left)


def _products(
    posterior: Posterior, space: AnySpace, point: Float[np.ndarray, " d"]
) -> Iterator[tuple[Float[np.ndarray, " n"], Float[np.ndarray, "p n"], Float[np.ndarray, "p n"]]]:
    """The mean as sums of products: weights, factors at the point, factors expected over a box."""
    x = np.asarray(posterior.data.x)
    weights = np.asarray(posterior.weights) * np.asarray(posterior.data.mask)
    given = list(range(space.dim, x.shape[1]))
    for part in (_plain(each) for each in _parts(posterior, space)):
        assert not isinstance(space, Arms)
        carried = part.variance * weights * _factor(part, x, point[None, :], given)[:, 0]
        yield carried, _inside(part, x, point, space), _expected(part, x, space)


def _parts(posterior: Posterior, space: AnySpace) -> tuple[Component, ...]:
    if not factorises(posterior.kernel) or _mixed(posterior.kernel):
        raise InvalidInput(
            "kernel",
            type(posterior.kernel).__name__,
            "Closed forms need squared-exponential kernels or products of Matern kernels.",
        )
    if isinstance(space, Arms):
        raise InvalidInput("space", space, "Closed forms need a box; arms are not a product.")
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


def _inside(
    part: Component, x: Float[np.ndarray, "n d"], point: Float[np.ndarray, " d"], space: Space
) -> Float[np.ndarray, "p n"]:
    """Every player's factor between the point and each data point."""
    return np.stack([_factor(part, x, point[None, :], _own(space, n))[:, 0] for n in space.names])


def _expected(
    part: Component, x: Float[np.ndarray, "n d"], space: Space
) -> Float[np.ndarray, "p n"]:
    """E[factor of player j between Z_j and x_j] for every player and data point, Z_j uniform."""
    found = []
    for name, parameter in space.parameters.items():
        own = _own(space, name)
        if parameter.count is not None:
            factors, chances = _at_levels(part, x, space, name)
            found.append(factors @ chances)
        elif part.materns:
            found.append(matern_area(_rate(part, own[0]), x[:, own[0]]))
        else:
            root = math.sqrt(0.5 * float(part.precision[own[0]]))
            area = _erf(root * (1.0 - x[:, own[0]])) + _erf(root * x[:, own[0]])
            found.append(area * math.sqrt(math.pi) / (2.0 * root))
    return np.stack(found)


def _expected_pairs(
    first: Component,
    second: Component,
    x: Float[np.ndarray, "n d"],
    i: np.ndarray,
    j: np.ndarray,
    space: Space,
) -> Float[np.ndarray, "p q"]:
    """E[first's factor between Z_j and x_i times second's between Z_j and x_j], by player."""
    found = []
    for name, parameter in space.parameters.items():
        own = _own(space, name)
        left, right = x[i, own[0]], x[j, own[0]]
        if parameter.count is not None:
            factors, chances = _at_levels(first, x, space, name)
            others, _ = _at_levels(second, x, space, name)
            found.append(((factors * chances) @ others.T)[i, j])
        elif first.materns:
            found.append(matern_overlap(_rate(first, own[0]), left, right))
        else:
            a, b = float(first.precision[own[0]]), float(second.precision[own[0]])
            found.append(gaussian_overlap(a, b, left, right))
    return np.stack(found)


def _own(space: Space, name: str) -> list[int]:
    columns = space.columns(name)
    return list(range(columns.start, columns.stop))


def _rate(part: Component, column: int) -> float:
    return math.sqrt(5.0 * float(part.materns[0].precision[column]))


def _at_levels(
    part: Component, x: Float[np.ndarray, "n d"], space: Space, name: str
) -> tuple[Float[np.ndarray, "n k"], Float[np.ndarray, " k"]]:
    """A parameter's factor between each data point and each level, and how likely levels are."""
    levels, chances = levels_of(space.parameters[name])
    here = np.zeros((len(levels), x.shape[1]))
    here[:, space.columns(name)] = levels
    return _factor(part, x, here, _own(space, name)), chances


def _erf(x: Float[np.ndarray, "..."]) -> Float[np.ndarray, "..."]:
    from scipy.special import erf  # a fifth of a second, and other kernels do without

    return np.asarray(erf(x))


def matern_area(rate: float, x: Float[np.ndarray, " n"]) -> Float[np.ndarray, " n"]:
    """The integral over z in [0, 1] of the Matern-5/2 factor of rate |z - x|.

    That of (1 + s + s^2/3) e^-s from 0 to s is 8/3 - e^-s (8/3 + 5 s/3 + s^2/3).
    """
    found = np.zeros(len(x))
    for distance in (x, 1.0 - x):
        s = rate * distance
        found += (8.0 - np.exp(-s) * (8.0 + 5.0 * s + s**2)) / (3.0 * rate)
    return found


def matern_overlap(
    rate: float, x: Float[np.ndarray, " q"], y: Float[np.ndarray, " q"]
) -> Float[np.ndarray, " q"]:
    r"""The integral over z in [0, 1] of Matern-5/2 factors of rate |z - x| and of rate |z - y|.

    With P(s) = 1 + s + s^2/3 and d = rate |x - y|, between the two points it is
    e^-d times the integral of P(s) P(d - s) from 0 to d, and beyond them, to either end of the
    interval at a distance of s = l, e^-d times that of P(s) P(s + d) e^-2s. This has the form
    Q(0) - Q(l) e^-2l, where 2 Q - Q' = P(s) P(s + d).
    """
    d = rate * np.abs(x - y)
    at, slope = 1.0 + d + d**2 / 3.0, 1.0 + 2.0 * d / 3.0  # P(s + d) = at + slope s + s^2/3
    q4 = 1.0 / 18.0
    q3 = ((slope + 1.0) / 3.0 + 4.0 * q4) / 2.0
    q2 = (at / 3.0 + slope + 1.0 / 3.0 + 3.0 * q3) / 2.0
    q1 = (at + slope + 2.0 * q2) / 2.0
    q0 = (at + q1) / 2.0
    found = d * (1.0 + d * (1.0 + d * (7.0 / 18.0 + d * (1.0 / 18.0 + d / 270.0))))
    for end in (np.minimum(x, y), 1.0 - np.maximum(x, y)):
        s = rate * end
        found += q0 - np.exp(-2.0 * s) * (q0 + s * (q1 + s * (q2 + s * (q3 + s * q4))))
    return np.asarray(np.exp(-d) * found / rate)


def gaussian_overlap(
    a: float, b: float, x: Float[np.ndarray, " q"], y: Float[np.ndarray, " q"]
) -> Float[np.ndarray, " q"]:
    """The integral over z in [0, 1] of exp(-a/2 (z - x)^2 - b/2 (z - y)^2): one Gaussian in z."""
    together = a + b
    centre, root = (a * x + b * y) / together, math.sqrt(0.5 * together)
    area = _erf(root * (1.0 - centre)) + _erf(root * centre)
    height = np.exp(-0.5 * a * b / together * (x - y) ** 2)
    return np.asarray(height * area * math.sqrt(math.pi) / (2.0 * root))
