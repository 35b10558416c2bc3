r"""A posterior of many observations through a few of them (FITC, Snelson & Ghahramani 2006).

The function is seen through its values u at m inducing points, which are observations themselves:
given u, the n observations are taken as independent, each with its own remaining variance. Time and
memory grow as n m^2 and m^2 instead of n^3 and n^2. The result is a `Posterior` over the inducing
rows, so predicting, scoring and explaining cost what they cost with m observations.

Legend
    U (m, m)      inverse root of K_uu:  K_uu^-1 = U U'
    A (m, n)      U' K_uf
    rest (n,)     noise + what u leaves open: k(x, x) - |A_i|^2
    B (m, m)      I + A rest^-1 A'

    mean = k_*u w,  w = U B^-1 A rest^-1 (y - trend)
    variance = k_** - |root k_u*|^2,  root' root = U (I - B^-1) U'
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from counsel.models.compiling import compiled
from counsel.models.fit import unpack
from counsel.models.gp import (
    TREND_PRECISION,
    Data,
    Posterior,
    compact_inverse_root,
    safe_inverse_root,
)
from counsel.models.kernels import Kernel, Numbers

CHUNK = 512
# Observations near the best decide; the others cover the space.
_BEST_SHARE = 0.25
# Added to I - B^-1, which may be singular: an error of the variance of at most this share.
_RIDGE = 1e-10


def inducing_rows(
    x: Float[np.ndarray, "n d"], y: Float[np.ndarray, " n"], scale: Float[np.ndarray, " d"], m: int
) -> np.ndarray:
    """Which m observations stand for all: the best quarter of m, then always the farthest left.

    Distances are in units of the length-scales `scale`. Sorted by row.
    """
    best = np.argsort(-y, kind="stable")[: max(1, int(_BEST_SHARE * m))]
    return _spread_from(best, x / scale, m)


def rows_around_best(
    x: Float[np.ndarray, "n d"], y: Float[np.ndarray, " n"], scale: Float[np.ndarray, " d"], m: int
) -> np.ndarray:
    """Which m observations stand for all: half of m the nearest to the best, then as above."""
    z = x / scale
    apart = ((z - z[np.argmax(y)]) ** 2).sum(axis=1)
    return _spread_from(np.argsort(apart, kind="stable")[: max(1, m // 2)], z, m)


def _spread_from(first: np.ndarray, z: Float[np.ndarray, "n d"], m: int) -> np.ndarray:
    """The rows `first`, and then always the one that is farthest from all so far, up to m."""
    if m >= len(z):
        return np.arange(len(z))
    norms = np.einsum("ij,ij->i", z, z)
    gaps = np.full(len(z), np.inf)
    chosen = np.zeros(len(z), dtype=bool)
    for row in first:
        chosen[row] = True
        np.minimum(gaps, norms - 2.0 * (z @ z[row]) + norms[row], out=gaps)
    for _ in range(m - len(first)):
        gaps[chosen] = -np.inf  # a repeated point is no farther than its twin
        row = int(np.argmax(gaps))
        chosen[row] = True
        np.minimum(gaps, norms - 2.0 * (z @ z[row]) + norms[row], out=gaps)
    return np.flatnonzero(chosen)


def padded_rows(n: int) -> int:
    """Rows that n observations are padded to: a power of two. Padding costs no time here."""
    return max(CHUNK, 1 << (n - 1).bit_length())


class _Sums(NamedTuple):
    """What one pass over the observations adds up."""

    T: Float[Array, "m m"]  # A rest^-1 A'
    Ay: Float[Array, " m"]  # A rest^-1 y
    Aone: Float[Array, " m"]
    yy: Float[Array, ""]  # y' rest^-1 y, and so on
    yone: Float[Array, ""]
    oneone: Float[Array, ""]
    log_rest: Float[Array, ""]


@compiled(rows=lambda like, theta, inducing, *_: len(inducing.y))
def sparse_posterior(
    like: Kernel,
    theta: Float[Numbers, " p"],
    inducing: Data,
    x: Float[Numbers, "n d"],
    y: Float[Numbers, " n"],
    count: Int[Numbers, ""],
    units: tuple[Float[Numbers, ""], Float[Numbers, ""]],
) -> Posterior:
    """Condition, under the fit `theta`, on the first `count` rows of (x, y) through `inducing`.

    `units` are the offset and scale that standardise y.
    """
    kernel, noise = unpack(jnp.asarray(theta), like)
    offset, scale = (jnp.asarray(each) for each in units)
    amplitude = kernel.amplitude()
    z, mask = jnp.asarray(inducing.x), jnp.asarray(inducing.mask)
    K = kernel.matrix(z, z) * (mask[:, None] * mask[None, :]) + jnp.diag(1.0 - mask)
    # Without noise of its own, K_uu is close to singular wherever inducing points are close.
    U, jitter = safe_inverse_root(K + 1e-8 * amplitude * jnp.diag(mask), mask, compact=True)
    points, values = jnp.asarray(x), jnp.asarray(y)

    def add(i: Int[Array, ""], sums: _Sums) -> _Sums:
        some = jax.lax.dynamic_slice_in_dim(points, i * CHUNK, CHUNK)
        own = jax.lax.dynamic_slice_in_dim(values, i * CHUNK, CHUNK)
        real = (i * CHUNK + jnp.arange(CHUNK) < count).astype(jnp.float64)
        A = U.T @ (kernel.matrix(z, some) * mask[:, None])
        rest = noise + jnp.maximum(amplitude - jnp.sum(A**2, axis=0), 0.0)
        weight = real / rest
        standard = (own - offset) / scale
        weighted = A * weight
        return _Sums(
            sums.T + weighted @ A.T,
            sums.Ay + weighted @ standard,
            sums.Aone + jnp.sum(weighted, axis=1),
            sums.yy + jnp.sum(weight * standard**2),
            sums.yone + jnp.sum(weight * standard),
            sums.oneone + jnp.sum(weight),
            sums.log_rest + jnp.sum(real * jnp.log(rest)),
        )

    m = z.shape[0]
    zero = jnp.zeros(())
    none = _Sums(jnp.zeros((m, m)), jnp.zeros(m), jnp.zeros(m), zero, zero, zero, zero)
    chunks = (jnp.asarray(count) + CHUNK - 1) // CHUNK
    sums = jax.lax.fori_loop(0, chunks, add, none)

    V = compact_inverse_root(jnp.eye(m) + sums.T)
    white_y, white_one = sums.Ay @ V, sums.Aone @ V
    # 1' Sigma^-1 y and 1' Sigma^-1 1, by Woodbury's identity
    crossed = sums.yone - white_one @ white_y
    own = sums.oneone - white_one @ white_one
    trend = crossed / (own + TREND_PRECISION)
    fitted = sums.yy - white_y @ white_y - 2.0 * trend * crossed + trend**2 * own
    half_log_determinant = 0.5 * sums.log_rest - jnp.sum(jnp.log(jnp.diagonal(V)))
    evidence = -0.5 * (fitted + TREND_PRECISION * trend**2 + count * jnp.log(2.0 * jnp.pi))
    return Posterior(
        kernel=kernel,
        noise=noise,
        data=inducing,
        root=(U @ _upper_root(V)).T,
        weights=U @ (V @ (white_y - trend * white_one)),
        trend=trend,
        offset=offset,
        scale=scale,
        jitter=jitter,
        log_evidence=evidence - half_log_determinant,
    )


def _upper_root(V: Float[Array, "m m"]) -> Float[Array, "m m"]:
    """Upper triangular C with C C' = I - V V' (plus a ridge): a Cholesky factor from below."""
    m = V.shape[0]
    flipped = ((1.0 + _RIDGE) * jnp.eye(m) - V @ V.T)[::-1, ::-1]
    # K^-1 = U U' with U = L^-T, so K U = L
    return jnp.tril(flipped @ compact_inverse_root(flipped))[::-1, ::-1]
