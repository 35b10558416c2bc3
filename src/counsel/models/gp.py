r"""The exact Gaussian process: data in padded buckets, evidence, posterior, draws.

Legend
    x (N, d)      observed points, encoded, padded to the bucket size N
    y (N,)        observed values, in the user's units with the sign turned to maximisation
    mask (N,)     1 for an observation, 0 for padding
    K (N, N)      kernel matrix + noise on real rows, identity on padding
    root (N, N)   lower triangular with root' root = K^-1 (the inverse of K's Cholesky factor)
    trend         the constant prior mean, by empirical Bayes

Padding rows are independent of everything and carry no weight, so the posterior equals that of the
real rows exactly while the shapes, and with them the compiled code, change only between buckets.
Inside, outputs are standardised; `predict` answers in the units of `y`. If `y` is itself on another
scale (`models.warp`), the posterior carries that scale, and `in_units` converts back.
"""

import abc
import dataclasses
import math
from functools import partial
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Key

from counsel.models.compiling import compiled
from counsel.models.kernels import Kernel, Numbers
from counsel.models.warp import Warp

# One weak Gaussian hyper-prior N(0, 1) on the standardised trend: with three nearly collinear
# points the plain generalised least-squares trend can leave the range of the data.
TREND_PRECISION = 1.0
SMALLEST_VARIANCE = 1e-14
# A posterior covariance is singular at what is known: a draw has this variance more, 3e-5 sd.
DRAW_NOISE = 1e-9
# What is computed from some of the rows is not smaller than from all, whatever the rounding.
_ROUNDING = 1e-12
_LEAF = 32
_LOG_2PI = math.log(2.0 * math.pi)


# The variance of a measurement's noise: the same for all rows, or one for each.
Noise = Float[Array, ""] | Float[Array, " N"]


def bucket(n: int) -> int:
    """The padded size for n observations: steps of 32 to 256, then four per octave."""
    if n <= 16:
        return 16
    if n <= 256:
        return 32 * math.ceil(n / 32)
    step = 2 ** (math.ceil(math.log2(n)) - 3)
    return step * math.ceil(n / step)


class Data(eqx.Module):
    """Observations of one output, padded.

    `known` is the variance of each measurement's noise where that was reported, in the units of
    `y`, and negative where it was not; None if it was reported of none.
    """

    x: Float[Numbers, "N d"]
    y: Float[Numbers, " N"]
    mask: Float[Numbers, " N"]
    known: Float[Numbers, " N"] | None = None

    @classmethod
    def padded(
        cls,
        x: Float[np.ndarray, "n d"],
        y: Float[np.ndarray, " n"],
        size: int | None = None,
        known: Float[np.ndarray, " n"] | None = None,
    ) -> "Data":
        n, d = x.shape
        size = bucket(n) if size is None else size
        points, values, mask = np.zeros((size, d)), np.zeros(size), np.zeros(size)
        points[:n], values[:n], mask[:n] = x, y, 1.0
        if known is None:
            return cls(points, values, mask)
        variances = np.full(size, -1.0)
        variances[:n] = known
        return cls(points, values, mask, variances)

    def noise_or(self, fitted: "Noise", scale: Float[Array, ""]) -> "Noise":
        """Each measurement's noise variance in standardised units: as reported, or as fitted."""
        if self.known is None:
            return fitted
        return jnp.where(self.known >= 0.0, self.known / scale**2, fitted)

    def standardised(self) -> tuple["Data", Float[Array, ""], Float[Array, ""]]:
        """Data with mean 0 and sd 1, and the offset and scale that undo it.

        A constant output keeps its magnitude as scale: there is no spread to divide by.
        """
        n = jnp.maximum(jnp.sum(self.mask), 1.0)
        # In units of the largest value, whose squares neither overflow nor vanish.
        largest = jnp.max(jnp.abs(self.mask * self.y))
        unit = jnp.where(largest > 0.0, largest, 1.0)
        y = self.mask * self.y / unit
        offset = jnp.sum(y) / n
        spread = jnp.sqrt(jnp.sum(self.mask * (y - offset) ** 2) / n)
        scale = jnp.where(spread <= 1e-13, 1.0, spread)
        known = self.known
        if known is not None:  # what is not known stays negative
            known = known / (scale * unit) ** 2
        standard = Data(self.x, self.mask * (y - offset) / scale, self.mask, known)
        return standard, offset * unit, scale * unit


def inverse_root(K: Float[Array, "N N"]) -> Float[Array, "N N"]:
    """Upper triangular U with K^-1 = U U' (U = L^-T for K's Cholesky factor L).

    Factorising and inverting together, half by half, turns nearly all of the work into matrix
    products. LAPACK's routines are no faster here: on whole matrices they wait on each other's
    threads whenever another process wants the cores, and on small ones a plain loop keeps up,
    without the import of SciPy that JAX needs for LAPACK (a fifth of a second). A matrix that
    is not positive definite gives values that are not finite.
    """
    n = K.shape[0]
    if n <= _LEAF:
        return _eliminate(K)
    h = n // 2
    top = inverse_root(K[:h, :h])
    below = K[h:, :h] @ top
    bottom = inverse_root(K[h:, h:] - below @ below.T)
    corner = -(top @ below.T) @ bottom
    return jnp.block([[top, corner], [jnp.zeros((n - h, h)), bottom]])


def _eliminate(K: Float[Array, "N N"]) -> Float[Array, "N N"]:
    """`inverse_root` by Gaussian elimination of [K | I]: the right half becomes D^1/2 L^-1."""
    n = K.shape[0]
    rows = jnp.arange(n)

    def step(i: Array, both: Array) -> Array:
        row = both[i]  # what is left of K is symmetric: this is the column, too
        factor = jnp.where(rows > i, row[:n] / row[i], 0.0)
        return both - factor[:, None] * row[None, :]

    # Two steps a turn: a turn of the loop costs as much as a step.
    both = jax.lax.fori_loop(0, n, step, jnp.concatenate([K, jnp.eye(n)], axis=1), unroll=2)
    return (both[:, n:] / jnp.sqrt(jnp.diagonal(both))[:, None]).T


def inverse_of(upper: Float[Array, "N N"]) -> Float[Array, "N N"]:
    """K^-1 = U U'; large ones by halves, which leaves out what is zero or known by symmetry."""
    n = upper.shape[0]
    if n < 128:
        return upper @ upper.T
    h = n // 2
    corner, bottom = upper[:h, h:], upper[h:, h:]
    cross = corner @ bottom.T
    top = inverse_of(upper[:h, :h]) + corner @ corner.T
    return jnp.block([[top, cross], [cross.T, inverse_of(bottom)]])


def compact_inverse_root(K: Float[Array, "N N"]) -> Float[Array, "N N"]:
    """`inverse_root` as a program that hardly grows with N, and so compiles in a fraction.

    Blocks of rows are added in a loop. That takes three times the products of halving, so large
    matrices are halved once or twice before; small ones compile fast enough by halves alone.
    """
    n = K.shape[0]
    if n % _LEAF or n <= 128:
        return inverse_root(K)
    return _halved(K, 128 if n <= 256 else -(-n // (4 * _LEAF)) * _LEAF)


def _halved(K: Float[Array, "N N"], most: int) -> Float[Array, "N N"]:
    n = K.shape[0]
    if n <= most:
        return _by_rows(K)
    h = n // (2 * _LEAF) * _LEAF
    top = _halved(K[:h, :h], most)
    below = K[h:, :h] @ top
    bottom = _halved(K[h:, h:] - below @ below.T, most)
    corner = -(top @ below.T) @ bottom
    return jnp.block([[top, corner], [jnp.zeros((n - h, h)), bottom]])


def _by_rows(K: Float[Array, "N N"]) -> Float[Array, "N N"]:
    """The rows of L^-1, a block at a time: with W = K_j. R' over the rows R so far, the next are
    V' [-W R, I], where V V' is the inverse of K_jj - W W'."""
    n = K.shape[0]

    def add(j: Array, root: Array) -> Array:
        at = j * _LEAF
        rows = jax.lax.dynamic_slice_in_dim(K, at, _LEAF)
        white = rows @ root.T
        left = jax.lax.dynamic_slice_in_dim(rows, at, _LEAF, axis=1) - white @ white.T
        V = _eliminate(left)
        new = jax.lax.dynamic_update_slice_in_dim(-(V.T @ white) @ root, V.T, at, axis=1)
        return jax.lax.dynamic_update_slice_in_dim(root, new, at, axis=0)

    return jax.lax.fori_loop(0, n // _LEAF, add, jnp.zeros((n, n))).T


def safe_inverse_root(
    K: Float[Array, "N N"], diagonal: Float[Numbers, " N"], *, compact: bool = False
) -> tuple[Float[Array, "N N"], Float[Array, ""]]:
    """`inverse_root` of K + jitter diag(diagonal), with the least jitter that works."""
    factorise = compact_inverse_root if compact else inverse_root

    def failed(state: tuple[Array, Array]) -> Bool[Array, ""]:
        upper, jitter = state
        return ~jnp.all(jnp.isfinite(jnp.diagonal(upper))) & (jitter < 1.0)

    def retry(state: tuple[Array, Array]) -> tuple[Array, Array]:
        jitter = jnp.where(state[1] < 0.0, 0.0, jnp.maximum(10.0 * state[1], 1e-10))
        return factorise(K + jnp.diag(jitter * diagonal)), jitter

    # Starting as "failed" leaves the loop's body as the only factorisation to compile.
    start = (jnp.full_like(K, jnp.nan), jnp.asarray(-1.0))
    return jax.lax.while_loop(failed, retry, start)


def covariance(
    kernel: Kernel, noise: Noise, x: Float[Numbers, "N d"], mask: Float[Numbers, " N"]
) -> Float[Array, "N N"]:
    """K: kernel + noise (one, or one for each row) on real rows, the identity on padding."""
    K = kernel.matrix(x, x) * (mask[:, None] * mask[None, :])
    return K + jnp.diag(mask * noise + (1.0 - mask))


class _Solved(NamedTuple):
    value: Float[Array, ""]
    weights: Float[Array, " N"]
    trend: Float[Array, ""]


def _solve(
    upper: Float[Array, "N N"],
    y: Float[Numbers, " N"],
    mask: Float[Numbers, " N"],
    trend: Float[Array, ""] | None,
) -> _Solved:
    """Evidence, K^-1 (y - trend) and the trend, from K's inverse root.

    log p(y) = -1/2 r' K^-1 r - 1/2 log|K| - n/2 log 2 pi   (LW-UCB eq. 6),  r = y - trend
    """
    white_y, white_one = jnp.asarray(y) @ upper, jnp.asarray(mask) @ upper
    prior = jnp.zeros(())
    if trend is None:
        trend = (white_one @ white_y) / (white_one @ white_one + TREND_PRECISION)
        prior = -0.5 * TREND_PRECISION * trend**2
    white = white_y - trend * white_one
    half_log_determinant = -jnp.sum(jnp.log(jnp.diagonal(upper)))
    value = -0.5 * (white @ white) - half_log_determinant - 0.5 * jnp.sum(mask) * _LOG_2PI + prior
    return _Solved(value, upper @ white, trend)


@partial(jax.custom_vjp, nondiff_argnums=(3, 4))
def evidence(
    K: Float[Array, "N N"],
    y: Float[Numbers, " N"],
    mask: Float[Numbers, " N"],
    compact: bool = False,
    fixed_trend: float | None = None,
) -> Float[Array, ""]:
    """Log marginal likelihood with the trend at its best (plus the trend's hyper-prior), or fixed.

    The gradient d/dK = (a a' - K^-1)/2 is given in closed form: differentiating through the
    factorisation would cost several times more. The trend is at its optimum, or a constant, so it
    adds nothing.
    """
    upper = compact_inverse_root(K) if compact else inverse_root(K)
    return _solve(upper, y, mask, _constant(fixed_trend)).value


def _constant(trend: float | None) -> Float[Array, ""] | None:
    return None if trend is None else jnp.asarray(trend, dtype=jnp.float64)


def _evidence_forward(
    K: Float[Array, "N N"],
    y: Float[Numbers, " N"],
    mask: Float[Numbers, " N"],
    compact: bool,
    fixed_trend: float | None,
) -> tuple[Float[Array, ""], tuple[Float[Array, "N N"], Float[Array, " N"]]]:
    upper = compact_inverse_root(K) if compact else inverse_root(K)
    solved = _solve(upper, y, mask, _constant(fixed_trend))
    inverse = inverse_of(upper)
    slope = 0.5 * (solved.weights[:, None] * solved.weights[None, :] - inverse)
    return solved.value, (slope, solved.weights)


def _evidence_backward(
    compact: bool,
    fixed_trend: float | None,
    saved: tuple[Float[Array, "N N"], Float[Array, " N"]],
    g: Float[Array, ""],
) -> tuple[Float[Array, "N N"], Float[Array, " N"], None]:
    slope, weights = saved
    return g * slope, -g * weights, None


evidence.defvjp(_evidence_forward, _evidence_backward)


class NoiseModel(eqx.Module):
    """A belief about noise that varies over the space (see `models.noise`)."""

    @abc.abstractmethod
    def variance(self, x: Float[Numbers, "m d"]) -> Float[Array, " m"]:
        """The variance of a measurement's noise, in units of standardised outputs."""


class Posterior(eqx.Module):
    """The posterior of one function; conditioning on more data gives another Posterior."""

    kernel: Kernel
    noise: Noise
    data: Data
    root: Float[Array, "N N"]
    weights: Float[Array, " N"]
    trend: Float[Array, ""]
    offset: Float[Array, ""]
    scale: Float[Array, ""]
    jitter: Float[Array, ""]
    log_evidence: Float[Array, ""]
    noise_model: NoiseModel | None = None
    warp: Warp | None = None
    leading: int | None = eqx.field(static=True, default=None)

    def roughly(self, rows: int) -> "Posterior":
        """The same, but `predict` takes what the first `rows` rows leave open for its sd.

        The sd is then nowhere smaller, and sooner computed: for each point, `rows` times `rows`
        operations instead of N times N.
        """
        return dataclasses.replace(self, leading=rows)

    def in_units(
        self, mean: Float[np.ndarray, " m"], sd: Float[np.ndarray, " m"]
    ) -> tuple[Float[np.ndarray, " m"], Float[np.ndarray, " m"]]:
        """Results of `predict`, converted to the units of the measurements."""
        return (mean, sd) if self.warp is None else self.warp.moments(mean, sd)

    def predict(self, x: Float[Numbers, "m d"]) -> tuple[Float[Array, " m"], Float[Array, " m"]]:
        """Mean and standard deviation of the noise-free function."""
        cross = self._cross(x)
        mean = self.trend + self.weights @ cross
        amplitude, first = self.kernel.amplitude(), self.leading
        if first is None:
            variance = amplitude - _squared_norms(self.root, cross)
        else:
            variance = amplitude * (1.0 + _ROUNDING)
            variance = variance - _squared_norms(self.root[:first, :first], cross[:first])
        sd = jnp.sqrt(jnp.maximum(variance, SMALLEST_VARIANCE))
        return self.offset + self.scale * mean, self.scale * sd

    def mean(self, x: Float[Numbers, "m d"]) -> Float[Array, " m"]:
        return self.offset + self.scale * (self.trend + self.weights @ self._cross(x))

    def joint(self, x: Float[Numbers, "m d"]) -> tuple[Float[Array, " m"], Float[Array, "m m"]]:
        """Mean and full covariance."""
        mean, cov = self._standard_joint(x)
        return self.offset + self.scale * mean, self.scale**2 * cov

    def ahead(
        self, x: Float[Numbers, "m d"], rival: Float[Numbers, "1 d"]
    ) -> tuple[Float[Array, " m"], Float[Array, " m"]]:
        """Mean and standard deviation of f(x) - f(rival)."""
        gap = self._cross(x) - self._cross(rival)
        prior = 2.0 * (self.kernel.amplitude() - self.kernel.matrix(x, rival)[:, 0])
        variance = prior - _squared_norms(self.root, gap)
        sd = jnp.sqrt(jnp.maximum(variance, SMALLEST_VARIANCE))
        return self.scale * (self.weights @ gap), self.scale * sd

    def draw(self, key: Key[Array, ""], x: Float[Numbers, "m d"]) -> Float[Array, " m"]:
        """One joint draw at x."""
        mean, lower = self._lower(x)
        return self.offset + self.scale * (mean + lower @ jax.random.normal(key, mean.shape))

    def draw_weights(self, key: Key[Array, ""], x: Float[Numbers, "m d"]) -> Float[Array, " m"]:
        """C^-1 (draw - mean) of the same joint draw at x: what continues it to other points."""
        mean, lower = self._lower(x)
        white = jax.random.normal(key, mean.shape)
        return jax.lax.linalg.triangular_solve(
            lower, white[:, None], left_side=True, lower=True, transpose_a=True
        )[:, 0]

    def continued(
        self, weights: Float[Array, " m"], drawn: Float[Numbers, "m d"], x: Float[Numbers, "n d"]
    ) -> Float[Array, " n"]:
        """A joint draw at the points `drawn`, by its weights, as expected at any points."""
        cross = self._cross(x)
        between = self._between(x, cross, drawn)
        same = jnp.all(x[:, None, :] == drawn[None, :, :], axis=2)
        value = self.trend + self.weights @ cross + (between + DRAW_NOISE * same) @ weights
        return self.offset + self.scale * value

    def between(
        self, x: Float[Numbers, "m d"], others: Float[Numbers, "n d"]
    ) -> Float[Array, "m n"]:
        """The covariance of the standardised function at x with that at other points."""
        return self._between(x, self._cross(x), others)

    def _between(
        self,
        x: Float[Numbers, "m d"],
        cross: Float[Array, "N m"],
        others: Float[Numbers, "n d"],
    ) -> Float[Array, "m n"]:
        return self.kernel.matrix(x, others) - (self.root @ cross).T @ (
            self.root @ self._cross(others)
        )

    def _lower(self, x: Float[Numbers, "m d"]) -> tuple[Float[Array, " m"], Float[Array, "m m"]]:
        """The mean at x, standardised, and the Cholesky factor of the covariance."""
        mean, cov = self._standard_joint(x)
        cov = cov + DRAW_NOISE * jnp.eye(cov.shape[0])
        return mean, jax.lax.linalg.cholesky(cov, symmetrize_input=False)

    def _standard_joint(
        self, x: Float[Numbers, "m d"]
    ) -> tuple[Float[Array, " m"], Float[Array, "m m"]]:
        cross = self._cross(x)
        white = self.root @ cross
        return self.trend + self.weights @ cross, self.kernel.matrix(x, x) - white.T @ white

    def condition(self, x: Float[np.ndarray, "q d"], y: Float[np.ndarray, " q"]) -> "Posterior":
        """This posterior after more data, with the same hyper-parameters, noise and units."""
        real = np.asarray(self.data.mask) > 0.5
        together = Data.padded(
            np.concatenate([np.asarray(self.data.x)[real], x]),
            np.concatenate([np.asarray(self.data.y)[real], y]),
            max(bucket(int(real.sum()) + len(y)), self.data.y.shape[0]),
            None
            if self.data.known is None
            else np.concatenate([np.asarray(self.data.known)[real], np.full(len(y), -1.0)]),
        )
        noise = self.noise
        if self.noise_model is not None:
            known = np.asarray(self.noise_model.variance(together.x))
            noise = jnp.asarray(np.where(together.mask > 0.5, known, 1.0))
        conditioned = posterior(
            self.kernel,
            noise,
            together,
            units=(self.offset, self.scale),
            noise_model=self.noise_model,
        )
        return conditioned.on(self.warp)

    def on(self, warp: Warp | None) -> "Posterior":
        """This posterior, for outputs on the scale `warp`."""
        return self if warp is None else dataclasses.replace(self, warp=warp)

    def _cross(self, x: Float[Numbers, "m d"]) -> Float[Array, "N m"]:
        return self.kernel.matrix(self.data.x, x) * self.data.mask[:, None]


def _squared_norms(root: Float[Array, "N N"], cross: Float[Array, "N m"]) -> Float[Array, " m"]:
    """Column norms |root @ cross|^2, skipping the blocks of `root` that are zero.

    Four row blocks save 3/8 of the product and keep it a plain matrix product; small matrices are
    quicker whole.
    """
    n = root.shape[0]
    if n < 512:
        return jnp.sum((root @ cross) ** 2, axis=0)
    total = jnp.zeros(cross.shape[1])
    for i in range(4):
        low, high = i * n // 4, (i + 1) * n // 4
        total = total + jnp.sum((root[low:high, :high] @ cross[:high]) ** 2, axis=0)
    return total


@compiled(rows=lambda kernel, noise, data, **_: len(data.y), static=("fixed_trend", "compact"))
def posterior(
    kernel: Kernel,
    noise: Noise,
    data: Data,
    *,
    units: tuple[Float[Array, ""], Float[Array, ""]] | None = None,
    fixed_trend: float | None = None,
    noise_model: NoiseModel | None = None,
    compact: bool = False,
) -> Posterior:
    """Condition a GP with these hyper-parameters (in standardised units) on data.

    `units` keeps an earlier offset and scale; `fixed_trend` replaces the empirical-Bayes trend;
    `noise_model` is the source of a varying noise, and is kept with the posterior.
    """
    if units is None:
        standard, offset, scale = data.standardised()
    else:
        offset, scale = units
        standard = Data(data.x, data.mask * (data.y - offset) / scale, data.mask)
    K = covariance(kernel, data.noise_or(noise, scale), data.x, data.mask)
    upper, jitter = safe_inverse_root(K, data.mask, compact=compact)
    solved = _solve(upper, standard.y, data.mask, _constant(fixed_trend))
    return Posterior(
        kernel=kernel,
        noise=noise,
        data=data,
        root=upper.T,
        weights=solved.weights,
        trend=solved.trend,
        offset=offset,
        scale=scale,
        jitter=jitter,
        log_evidence=solved.value,
        noise_model=noise_model,
    )
