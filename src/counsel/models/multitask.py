r"""Several outputs at once: the intrinsic coregionalisation model (DMCL eq. 5-7).

$$ \mathrm{Cov}(f_i(x, z), f_j(x', z')) = B_{ij}\, k_x(x, x')\, k_z(z, z'),
   \qquad B = W W' + \mathrm{diag}(\text{own}) $$

k_x is a Matern-5/2. With a context z (ICM-CI) k_z is squared-exponential: a Matern on many columns
of z would make the regret bound superlinear. Without one it is 1. Rank 0 makes B diagonal: that is
independent Gaussian processes. The prior mean is 0 for every output.

Legend
    x (N, d)      points; columns of z last
    output (N,)   which output a row is about: a row is one number, so any subset of the outputs may
                  be measured at a point, and the others are never filled in
    y (N,)        mean of the `count` measurements that a row stands for
    spread (N,)   their sum of squared deviations from y
    mask (N,)     1 for a row, 0 for padding

Repeated measurements of one output at one point collapse into one row without any loss, so the cost
of a posterior is bounded by the number of different points, however often they are tried.
"""

import math
from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int

from counsel.models.compiling import compiled
from counsel.models.descent import Minimum, minimise
from counsel.models.gp import (
    SMALLEST_VARIANCE,
    inverse_of,
    inverse_root,
    safe_inverse_root,
)
from counsel.models.kernels import LENGTHSCALE_BOUNDS, Matern, Numbers, SquaredExponential

_LOG_2PI = math.log(2.0 * math.pi)
NOISE = math.exp(-5.0)
# The prior: Gaussians on W and on the logs of the rest, around the model that a fit starts from.
# They are tight because the answers are few and the parameters many: with a weak prior on the
# length-scales a fit to eight arms is so sure of the others that its bounds fail. An output's own
# variance may shrink; its total variance may not.
MIXING_SD, OWN_SD, VARIANCE_SD, NOISE_SD, LENGTHSCALE_SD = 0.7, 1.0, 0.4, 0.5, 0.3
# Entries of W, then the logs of own variances, noise and length-scales.
_MIXING_BOUND = 4.0
_OWN_BOUNDS = (1e-3, 20.0)
_NOISE_BOUNDS = (1e-6, 2.0)
EVALUATIONS = 40


class Rows(eqx.Module):
    """Measurements of several outputs, one number a row, padded."""

    x: Float[Numbers, "N d"]
    output: Int[Numbers, " N"]
    y: Float[Numbers, " N"]
    count: Float[Numbers, " N"]
    spread: Float[Numbers, " N"]
    mask: Float[Numbers, " N"]


def room_for(rows: int) -> int:
    """The padded size: coarser than `gp.bucket`, because one trial adds several rows."""
    size = 32
    while size < rows:
        size = 96 * (size // 96 + 1) if size < 288 else 3 * size // 2
    return size


def collapsed(
    points: Float[np.ndarray, "n d"],
    outcomes: Float[np.ndarray, "n m"],
    measured: Bool[np.ndarray, "n m"],
    room: Callable[[int], int] = room_for,
) -> Rows:
    """One row per different (point, output) that was measured, padded to the `room` for them."""
    rounds, outputs = np.nonzero(measured)
    values = outcomes[rounds, outputs]
    keys = np.concatenate([points[rounds], outputs[:, None].astype(np.float64)], axis=1)
    kept, which = np.unique(keys, axis=0, return_inverse=True)
    which = which.reshape(-1)
    n, d = len(kept), points.shape[1]
    size = room(n)
    x, mean, count, spread, mask = (np.zeros((size, d)), *(np.zeros(size) for _ in range(4)))
    output = np.zeros(size, dtype=np.int64)
    x[:n], output[:n], mask[:n] = kept[:, :d], kept[:, d].astype(np.int64), 1.0
    count[:n] = np.bincount(which, minlength=n)
    mean[:n] = np.bincount(which, values, minlength=n) / np.maximum(count[:n], 1.0)
    spread[:n] = np.bincount(which, (values - mean[which]) ** 2, minlength=n)
    count[n:] = 1.0
    return Rows(x, output, mean, count, spread, mask)


def tabulated(
    points: Float[Numbers, "M d"],
    count: Float[Array, "m M"],
    total: Float[Array, "m M"],
    squares: Float[Array, "m M"],
) -> Rows:
    """Rows of a table of counts, sums and sums of squares over outputs and arms; compiles."""
    outputs, arms = count.shape
    safe = jnp.maximum(count, 1.0)
    mean = total / safe
    return Rows(
        jnp.tile(jnp.asarray(points), (outputs, 1)),
        jnp.repeat(jnp.arange(outputs), arms),
        mean.reshape(-1),
        safe.reshape(-1),
        jnp.maximum(squares - safe * mean**2, 0.0).reshape(-1),
        (count > 0.0).astype(jnp.float64).reshape(-1),
    )


class Coregion(eqx.Module):
    """The hyper-parameters: B = mixing mixing' + diag(own), one noise variance per output.

    `chosen` columns of a point belong to `lengthscale`, the others, the context, to `context`.
    """

    mixing: Float[Numbers, "m r"]
    own: Float[Numbers, " m"]
    noise: Float[Numbers, " m"]
    lengthscale: Float[Numbers, " e"]
    context: Float[Numbers, " c"]

    @property
    def outputs(self) -> int:
        return self.own.shape[0]

    def between_outputs(self) -> Float[Array, "m m"]:
        """B."""
        return jnp.asarray(self.mixing) @ jnp.asarray(self.mixing).T + jnp.diag(self.own)

    def between_points(
        self, a: Float[Numbers, "n d"], b: Float[Numbers, "k d"]
    ) -> Float[Array, "n k"]:
        """k_x k_z."""
        chosen = self.lengthscale.shape[0]
        K = Matern(self.lengthscale).matrix(a[:, :chosen], b[:, :chosen])
        if self.context.shape[0]:
            K = K * SquaredExponential(self.context).matrix(a[:, chosen:], b[:, chosen:])
        return K


def default(
    outputs: int, d: int, context: int = 0, rank: int = 2, *, noise: float = NOISE
) -> Coregion:
    """The prior's mode, and where a fit starts: outputs of variance 1, hardly correlated.

    W is small and uneven: at 0 the evidence has no slope in it.
    """
    angles = np.arange(outputs)[:, None] * (1.0 + np.arange(rank)[None, :])
    return Coregion(
        mixing=0.2 * np.cos(angles),
        own=np.ones(outputs),
        noise=np.full(outputs, noise),
        lengthscale=np.full(d, lengthscale_mode(d)),
        context=np.full(context, lengthscale_mode(context)),
    )


def lengthscale_mode(d: int) -> float:
    """Grows with sqrt(d), as distances do; longer than one output's alone would be."""
    return 0.5 * math.sqrt(max(d, 1))


# ---- hyper-parameters as one vector --------------------------------------------------------------


def pack(model: Coregion) -> Float[np.ndarray, " p"]:
    """theta: the entries of W as they are, the logs of everything else."""
    parts = [np.ravel(np.asarray(model.mixing))]
    parts += [
        np.log(np.asarray(part))
        for part in (model.own, model.noise, model.lengthscale, model.context)
    ]
    return np.concatenate(parts)


def unpack(theta: Float[Numbers, " p"], like: Coregion) -> Coregion:
    """A model shaped as `like`; plain numbers stay plain."""
    exp = np.exp if isinstance(theta, np.ndarray) else jnp.exp
    shapes = [like.own, like.noise, like.lengthscale, like.context]
    at = like.mixing.size
    mixing = theta[:at].reshape(like.mixing.shape)
    parts = []
    for shape in shapes:
        parts.append(exp(theta[at : at + shape.size]))
        at += shape.size
    return Coregion(mixing, *parts)


def _bounds(like: Coregion) -> tuple[Float[np.ndarray, " p"], Float[np.ndarray, " p"]]:
    sides = []
    for side, mixing in enumerate((-_MIXING_BOUND, _MIXING_BOUND)):
        logs = [
            np.full(like.own.size, _OWN_BOUNDS[side]),
            np.full(like.noise.size, _NOISE_BOUNDS[side]),
            np.full(like.lengthscale.size + like.context.size, LENGTHSCALE_BOUNDS[side]),
        ]
        sides.append(
            np.concatenate([np.full(like.mixing.size, mixing), np.log(np.concatenate(logs))])
        )
    return sides[0], sides[1]


def log_prior(model: Coregion, mode: Coregion) -> Float[Array, ""]:
    """Gaussians on W, around 0, and on the logs of everything else, around `mode`."""
    total = -0.5 * jnp.sum((jnp.asarray(model.mixing) / MIXING_SD) ** 2)
    variance = (jnp.diagonal(each.between_outputs()) for each in (model, mode))
    for values, centre, sd in (
        (*variance, VARIANCE_SD),
        (model.own, mode.own, OWN_SD),
        (model.noise, mode.noise, NOISE_SD),
        (model.lengthscale, mode.lengthscale, LENGTHSCALE_SD),
        (model.context, mode.context, LENGTHSCALE_SD),
    ):
        total = total - 0.5 * jnp.sum((jnp.log(values / jnp.asarray(centre)) / sd) ** 2)
    return total


# ---- evidence and fit ----------------------------------------------------------------------------


def covariance(model: Coregion, rows: Rows) -> Float[Array, "N N"]:
    """K: kernel + noise / count on real rows, the identity on padding."""
    mask, output = jnp.asarray(rows.mask), jnp.asarray(rows.output)
    # B as a product with indicators: its gradient is two matrix products, not a scatter.
    which = jax.nn.one_hot(output, model.outputs, dtype=jnp.float64)
    K = (which @ model.between_outputs() @ which.T) * model.between_points(rows.x, rows.x)
    noise = which @ jnp.asarray(model.noise) / rows.count
    return K * (mask[:, None] * mask[None, :]) + jnp.diag(mask * noise + (1.0 - mask))


@jax.custom_vjp
def gaussian_evidence(K: Float[Array, "N N"], y: Float[Array, " N"]) -> Float[Array, ""]:
    """log N(y; 0, K) without its constant; d/dK = (a a' - K^-1)/2 in closed form."""
    return _gaussian_evidence(K, y)[0]


def _gaussian_evidence(
    K: Float[Array, "N N"], y: Float[Array, " N"]
) -> tuple[Float[Array, ""], tuple[Float[Array, "N N"], Float[Array, " N"]]]:
    upper = inverse_root(K)
    white = y @ upper
    weights = upper @ white
    value = -0.5 * (white @ white) + jnp.sum(jnp.log(jnp.diagonal(upper)))
    return value, (0.5 * (weights[:, None] * weights[None, :] - inverse_of(upper)), weights)


def _gaussian_evidence_backward(
    saved: tuple[Float[Array, "N N"], Float[Array, " N"]], g: Float[Array, ""]
) -> tuple[Float[Array, "N N"], Float[Array, " N"]]:
    slope, weights = saved
    return g * slope, -g * weights


gaussian_evidence.defvjp(_gaussian_evidence, _gaussian_evidence_backward)


def log_evidence(model: Coregion, rows: Rows) -> Float[Array, ""]:
    """Log marginal likelihood of every single measurement, collapsed or not.

    Of c measurements with mean y and spread s, p(all) = p(y) (2 pi noise)^((1-c)/2) c^(-1/2)
    exp(-s / (2 noise)).
    """
    mask, count = jnp.asarray(rows.mask), jnp.asarray(rows.count)
    value = gaussian_evidence(covariance(model, rows), jnp.asarray(rows.y) * mask)
    noise = jnp.asarray(model.noise)[jnp.asarray(rows.output)]
    within = (count - 1.0) * (jnp.log(noise) + _LOG_2PI) + jnp.log(count) + rows.spread / noise
    return value - 0.5 * jnp.sum(mask * within) - 0.5 * _LOG_2PI * jnp.sum(mask)


class Fit(eqx.Module):
    model: Coregion
    theta: Float[Array, " p"]
    value: Float[Array, ""]
    ok: Bool[Array, ""]


@compiled()
def fit(mode: Coregion, rows: Rows, start: Float[Array, " p"]) -> Fit:
    """Maximum a posteriori, searched from `start`; a fit that fails has `ok` False.

    There is one start, the last round's answer: the prior around `mode` leaves little room for a
    second peak, and the search is the expensive part of a round.
    """
    lower, upper = _bounds(mode)

    def loss(theta: Float[Array, " p"]) -> Float[Array, ""]:
        model = unpack(theta, mode)
        return -log_evidence(model, rows) - log_prior(model, mode)

    found: Minimum = minimise(
        loss,
        start,
        jnp.asarray(lower),
        jnp.asarray(upper),
        evaluations=EVALUATIONS,
        largest_step=1.0,
        value_tolerance=1e-5,
        first_scale=1.0 / (4.0 + 0.2 * jnp.sum(rows.mask)),
    )
    ok = jnp.isfinite(found.value)
    theta = jnp.where(ok, found.x, start)
    return Fit(unpack(theta, mode), theta, found.value, ok)


# ---- the posterior -------------------------------------------------------------------------------


class Posterior(eqx.Module):
    """The posterior of all outputs given the rows; `root` as in `models.gp`."""

    model: Coregion
    rows: Rows
    root: Float[Array, "N N"]
    weights: Float[Array, " N"]

    def predict(self, x: Float[Numbers, "k d"]) -> tuple[Float[Array, "m k"], Float[Array, "m k"]]:
        """Mean and standard deviation of every noise-free output."""
        cross = self._cross(x)
        mean = jnp.einsum("n,nmk->mk", self.weights, cross)
        variance = jnp.diagonal(self.model.between_outputs())[:, None]
        variance = variance - jnp.sum(jnp.einsum("ln,nmk->lmk", self.root, cross) ** 2, axis=0)
        return mean, jnp.sqrt(jnp.maximum(variance, SMALLEST_VARIANCE))

    def joint(self, x: Float[Numbers, "k d"]) -> tuple[Float[Array, " A"], Float[Array, "A A"]]:
        """Mean and full covariance over (output, point), outputs outermost: A = m k."""
        cross = self._cross(x).reshape(self.root.shape[0], -1)
        white = self.root @ cross
        mean, prior = prior_joint(self.model, x)
        return mean + self.weights @ cross, prior - white.T @ white

    def _cross(self, x: Float[Numbers, "k d"]) -> Float[Array, "N m k"]:
        near = self.model.between_points(self.rows.x, x) * jnp.asarray(self.rows.mask)[:, None]
        outputs = self.model.between_outputs()[jnp.asarray(self.rows.output)]
        return outputs[:, :, None] * near[:, None, :]


def prior_joint(
    model: Coregion, x: Float[Numbers, "k d"]
) -> tuple[Float[Array, " A"], Float[Array, "A A"]]:
    """Before any measurement: 0 and B (x) K."""
    prior = jnp.kron(model.between_outputs(), model.between_points(x, x))
    return jnp.zeros(prior.shape[0]), prior


@compiled()
def posterior(model: Coregion, rows: Rows) -> Posterior:
    upper, _ = safe_inverse_root(covariance(model, rows), rows.mask)
    weights = upper @ ((jnp.asarray(rows.y) * rows.mask) @ upper)
    return Posterior(model, rows, upper.T, weights)
