r"""Models preferences as a Gaussian process on a latent utility (Chu & Ghahramani 2005).

Laplace's method finds the mode, and hyper-parameters maximise its evidence. The posterior that
decisions rest on is then refined by expectation propagation: an expected answer has hardly any
curvature, so Laplace's Gaussian still gives weight to the opposite afterwards. All of it happens in
the space of judgements u = H f, with H of 1 and -1, where the prior is Gaussian with covariance C =
H K H': repeated and contradicting answers are rows like any others, K is never inverted and its
rank does not matter (Rasmussen & Williams 2006, Algorithm 3.1).

Legend (and that of `models.judgements`)
    C (M, M)      prior covariance of the judgements' u
    a (M,)        C^-1 (u - trend) at the mode
    B (M, M)      I + W^1/2 C W^1/2
    trend         the constant prior mean of f, which only measurements see

With comparisons alone a utility has no unit and no zero: its prior sd and mean are about 1 and 0.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree
from jaxtyping import Array, Bool, Float, Int

from counsel.models.compiling import compiled
from counsel.models.descent import best_of_starts
from counsel.models.fit import FAILED, MOST_STARTS, NOISE_BOUNDS, START_NOISE
from counsel.models.gp import (
    SMALLEST_VARIANCE,
    TREND_PRECISION,
    Data,
    Posterior,
    inverse_of,
    inverse_root,
)
from counsel.models.judgements import Judged, Judgements, Manner, likelihood
from counsel.models.kernels import Prior

SPREAD_BOUNDS = (3e-2, 10.0)
REACH_BOUNDS = (1e-2, 10.0)
# Log-normal: people tell apart what differs by a fraction of the utility's own spread.
SPREAD_MODE, SPREAD_SD = 0.3, 1.0
REACH_MODE, REACH_SD = 0.1, 1.5
# An answer is one bit, and says little against a utility that bends between any two points:
# length-scales are expected twice as long as those of a measured function.
PRIOR = Prior(lengthscale_factor=2.0)
NEWTON_TURNS = 40
SWEEPS, DAMPING = 20, 0.7


# ---- Laplace's method ---------------------------------------------------------------------------


class Mode(NamedTuple):
    """The most probable judgements u = C a + trend, and the inverse root of B there."""

    a: Float[Array, " M"]
    trend: Float[Array, ""]
    upper: Float[Array, "M M"]

    def u(self, C: Float[Array, "M M"], judgements: Judgements) -> Float[Array, " M"]:
        return C @ self.a + self.trend * judgements.measured


class _Newton(NamedTuple):
    mode: Mode
    loss: Float[Array, ""]
    turns: Int[Array, ""]
    done: Bool[Array, ""]


def _root(W: Float[Array, " M"]) -> Float[Array, " M"]:
    """W^1/2; padding has W = 0, where the root's slope would be infinite."""
    return jnp.where(W > 0.0, jnp.sqrt(jnp.where(W > 0.0, W, 1.0)), 0.0)


def _normalised(C: Float[Array, "M M"], root: Float[Array, " M"]) -> Float[Array, "M M"]:
    return jnp.eye(len(root)) + root[:, None] * C * root[None, :]


def _descend(
    C: Float[Array, "M M"],
    upper: Float[Array, "M M"],
    root: Float[Array, " M"],
    t: Float[Array, " M"],
    residual: Float[Array, " M"],
    tilt: Float[Array, ""],
) -> tuple[Float[Array, " M"], Float[Array, ""]]:
    """Newton's (da, dtrend) where a - slope = residual and precision trend - t'slope = tilt.

    (I + W C)^-1 v = v - W^1/2 B^-1 W^1/2 C v, and t is 1 for measurements, 0 for differences.
    """

    def solve(v: Float[Array, " M"]) -> Float[Array, " M"]:
        return v - root * (upper @ (upper.T @ (root * (C @ v))))

    along = root * (upper @ (upper.T @ (root * t)))  # (I + W C)^-1 W t
    moved = solve(residual)
    # At the mode slope = a, so t'slope moves as t'(da + residual).
    dtrend = (t @ (residual - moved) - tilt) / (t @ along + TREND_PRECISION)
    return -moved - along * dtrend, dtrend


def _loss(
    C: Float[Array, "M M"],
    judgements: Judgements,
    manner: Manner,
    a: Float[Array, " M"],
    trend: Float[Array, ""],
) -> Float[Array, ""]:
    """Minus log of likelihood x prior of the mode."""
    smooth = C @ a
    value = likelihood(smooth + trend * judgements.measured, judgements, manner).value
    return 0.5 * a @ smooth + 0.5 * TREND_PRECISION * trend**2 - jnp.sum(value)


def find_mode(C: Float[Array, "M M"], judgements: Judgements, manner: Manner) -> Mode:
    """Newton's method with step halving; the log-likelihood is concave, so there is one mode."""
    t = judgements.measured

    def turn(state: _Newton) -> _Newton:
        mode = state.mode
        slopes = likelihood(mode.u(C, judgements), judgements, manner)
        root = _root(slopes.W)
        upper = inverse_root(_normalised(C, root))
        residual, tilt = mode.a - slopes.slope, TREND_PRECISION * mode.trend - t @ slopes.slope
        da, dtrend = _descend(C, upper, root, t, residual, tilt)
        expected = -(residual @ (C @ da)) - tilt * dtrend
        done = ~(expected > 1e-12 * jnp.maximum(1.0, jnp.abs(state.loss)))

        def too_long(tried: tuple[Array, Array]) -> Array:
            share, loss = tried
            return ~(loss <= state.loss) & (share > 1e-6) & ~done

        def halve(tried: tuple[Array, Array]) -> tuple[Array, Array]:
            share = 0.5 * tried[0]
            loss = _loss(C, judgements, manner, mode.a + share * da, mode.trend + share * dtrend)
            return share, loss

        share, loss = jax.lax.while_loop(too_long, halve, (jnp.asarray(2.0), jnp.asarray(jnp.inf)))
        stay = done | ~(loss <= state.loss)
        share = jnp.where(stay, 0.0, share)
        # Where the search ends, `upper` belongs to the very point it ends at.
        there = Mode(mode.a + share * da, mode.trend + share * dtrend, upper)
        return _Newton(there, jnp.where(stay, state.loss, loss), state.turns + 1, stay)

    size = judgements.left.shape[0]
    begin = Mode(jnp.zeros(size), jnp.zeros(()), jnp.eye(size))
    loss = _loss(C, judgements, manner, begin.a, begin.trend)
    state = _Newton(begin, loss, jnp.asarray(0), jnp.asarray(False))
    return jax.lax.while_loop(lambda s: ~s.done & (s.turns < NEWTON_TURNS), turn, state).mode


def prior_covariance(kernel: Judged, judgements: Judgements) -> Float[Array, "M M"]:
    """C = H K H', zero on padding."""
    rows, mask = judgements.stacked(), jnp.asarray(judgements.mask)
    return kernel.matrix(rows, rows) * (mask[:, None] * mask[None, :])


def _log_evidence(
    C: Float[Array, "M M"],
    judgements: Judgements,
    manner: Manner,
    mode: Mode,
) -> Float[Array, ""]:
    """log q(D) = log p(D | u) - 1/2 a'C a - 1/2 log|B| at the mode, and the trend's hyper-prior."""
    half_log_determinant = -jnp.sum(jnp.log(jnp.diagonal(mode.upper)))
    return -_loss(C, judgements, manner, mode.a, mode.trend) - half_log_determinant


def laplace_evidence(kernel: Judged, manner: Manner, judgements: Judgements) -> Float[Array, ""]:
    """`_log_evidence` for standardised data, with its exact slope in the hyper-parameters.

    Nothing is differentiated through the search. How the mode moves is one Newton step with a fixed
    Jacobian (the implicit function theorem), and d(log|B|/2) = <B^-1, dB>/2.
    """
    C = prior_covariance(kernel, judgements)
    held_C, held_manner = jax.lax.stop_gradient((C, manner))
    mode = jax.lax.stop_gradient(find_mode(held_C, judgements, held_manner))
    t = judgements.measured
    slopes = likelihood(mode.u(C, judgements), judgements, manner)
    held = jax.lax.stop_gradient(slopes)
    da, dtrend = _descend(
        held_C,
        mode.upper,
        _root(held.W),
        t,
        mode.a - slopes.slope,
        TREND_PRECISION * mode.trend - t @ slopes.slope,
    )
    moved = Mode(mode.a + da, mode.trend + dtrend, mode.upper)
    B = _normalised(C, _root(likelihood(moved.u(C, judgements), judgements, manner).W))
    half = 0.5 * jnp.sum(inverse_of(mode.upper) * B)
    return _log_evidence(C, judgements, manner, moved) - (half - jax.lax.stop_gradient(half))


@compiled(rows=lambda kernel, manner, judgements, **_: len(judgements.y), static=("sweeps",))
def posterior(
    kernel: Judged, manner: Manner, judgements: Judgements, *, sweeps: int = SWEEPS
) -> Posterior:
    """The posterior of the utility: mean and sd at points, in the units of the measurements.

    `sweeps=0` is Laplace's method alone; the reported evidence is always Laplace's.
    """
    standard, offset, scale = judgements.standardised()
    C = prior_covariance(kernel, standard)
    mode = find_mode(C, standard, manner)
    slopes = likelihood(mode.u(C, standard), standard, manner)
    sites = Sites(slopes.W, slopes.W * mode.u(C, standard) + slopes.slope)
    prior = mode.trend * standard.measured
    if sweeps:
        sites = jax.lax.fori_loop(
            0, sweeps, lambda _, held: sweep(C, prior, standard, manner, held), sites
        )
    a, upper = solve_sites(C, prior, sites)
    return Posterior(
        kernel=kernel,
        noise=jnp.asarray(manner.noise),
        data=Data(judgements.stacked(), jnp.asarray(judgements.y), jnp.asarray(judgements.mask)),
        root=upper.T * _root(sites.precision)[None, :],
        weights=a,
        trend=mode.trend,
        offset=offset,
        scale=scale,
        jitter=jnp.zeros(()),
        log_evidence=_log_evidence(C, standard, manner, mode),
    )


# ---- expectation propagation --------------------------------------------------------------------


class Sites(NamedTuple):
    """Every judgement as if u had been seen with Gaussian noise: precision, precision x value."""

    precision: Float[Array, " M"]
    pull: Float[Array, " M"]


def solve_sites(
    C: Float[Array, "M M"], prior: Float[Array, " M"], sites: Sites
) -> tuple[Float[Array, " M"], Float[Array, "M M"]]:
    """a = C^-1 (mean - prior) under these sites, and the inverse root of B."""
    root = _root(sites.precision)
    upper = inverse_root(_normalised(C, root))
    b = sites.pull - sites.precision * prior
    return b - root * (upper @ (upper.T @ (root * (C @ b)))), upper


def sweep(
    C: Float[Array, "M M"],
    prior: Float[Array, " M"],
    judgements: Judgements,
    manner: Manner,
    sites: Sites,
) -> Sites:
    """One round of expectation propagation, all sites at once, damped (R&W 2006, section 3.6).

    Averaged over a site's cavity N(m, v), its likelihood is the same one with v added to the noise.
    Slope g and curvature W of the log of that in m give the moments, and with them the site:
    precision W / (1 - v W), pull (g + W m) / (1 - v W).
    """
    a, upper = solve_sites(C, prior, sites)
    white = upper.T @ (_root(sites.precision)[:, None] * C)
    variance = jnp.maximum(jnp.diagonal(C) - jnp.sum(white**2, axis=0), SMALLEST_VARIANCE)
    mean = prior + C @ a
    apart = jnp.maximum(1.0 / variance - sites.precision, 1e-10)
    v = 1.0 / apart
    m = v * (mean / variance - sites.pull)
    wider = Manner(manner.noise + v, jnp.sqrt(manner.spread**2 + v), manner.reach)
    slopes = likelihood(m, judgements, wider)
    kept = jnp.maximum(1.0 - v * slopes.W, 1e-10)
    new = Sites(slopes.W / kept, (slopes.slope + slopes.W * m) / kept)
    return jax.tree.map(lambda old, fresh: old + DAMPING * (fresh - old), sites, new)


# ---- hyper-parameters ---------------------------------------------------------------------------


class PreferenceFit(NamedTuple):
    kernel: Judged
    manner: Manner
    theta: Float[Array, " p"]
    value: Float[Array, ""]
    ok: Bool[Array, ""]
    evaluations: Int[Array, ""]

    @property
    def message(self) -> str:
        return "" if bool(self.ok) else FAILED


def pack(kernel: Judged, manner: Manner) -> Float[Array, " p"]:
    """theta: the logs of all hyper-parameters as one vector."""
    flat: Float[Array, " p"] = ravel_pytree((kernel, manner))[0]
    return jnp.log(flat)


def unpack(theta: Float[Array, " p"], like: Judged) -> tuple[Judged, Manner]:
    zero = jnp.zeros(())
    kernel, manner = ravel_pytree((like, Manner(zero, zero, zero)))[1](jnp.exp(theta))
    return kernel, manner


def log_prior(kernel: Judged, manner: Manner, prior: Prior) -> Float[Array, ""]:
    """Gaussians on the logs, as for any other surrogate."""
    noise = jnp.log(manner.noise / prior.noise_mode) / prior.noise_sd
    spread = jnp.log(manner.spread / SPREAD_MODE) / SPREAD_SD
    reach = jnp.log(manner.reach / REACH_MODE) / REACH_SD
    return kernel.log_prior(prior) - 0.5 * (noise**2 + spread**2 + reach**2)


@compiled(rows=lambda like, judgements, *_: len(judgements.y))
def fit(
    like: Judged,
    judgements: Judgements,
    guesses: Float[Array, "s p"],
    starts: Int[Array, ""],
    prior: Prior,
) -> PreferenceFit:
    """Maximise evidence x prior from the first `starts` of the guesses, one after the other."""
    standard, _, _ = judgements.standardised()
    low, high = like.bounds()
    limits = tuple(zip(NOISE_BOUNDS, SPREAD_BOUNDS, REACH_BOUNDS, strict=True))
    assert isinstance(low, Judged)
    assert isinstance(high, Judged)
    lower = pack(low, Manner(*(jnp.asarray(side[0]) for side in zip(*limits, strict=True))))
    upper = pack(high, Manner(*(jnp.asarray(side[1]) for side in zip(*limits, strict=True))))

    def objective(theta: Float[Array, " p"]) -> Float[Array, ""]:
        kernel, manner = unpack(theta, like)
        return -laplace_evidence(kernel, manner, standard) - log_prior(kernel, manner, prior)

    best = best_of_starts(
        objective,
        guesses,
        starts,
        lower,
        upper,
        1.0 / (1.0 + 0.25 * jnp.sum(jnp.asarray(standard.mask))),
    )
    kernel, manner = unpack(best.x, like)
    return PreferenceFit(
        kernel, manner, best.x, best.value, jnp.isfinite(best.value), best.evaluations
    )


def guesses_for(
    like: Judged, warm: tuple[float, ...], rng: np.random.Generator
) -> Float[np.ndarray, "s p"]:
    """Where a fit starts: the last round's answer, the prior's mode, and draws around the mode."""
    manner = (START_NOISE, SPREAD_MODE, REACH_MODE)
    mode = np.log(np.concatenate([np.ravel(leaf) for leaf in jax.tree.leaves((like, manner))]))
    guesses = mode + rng.standard_normal((MOST_STARTS, len(mode)))
    guesses[0] = warm if len(warm) == len(mode) else mode
    guesses[1] = mode
    return guesses
