r"""Advice as data: what a person chose and foretold, fused with what was measured.

The belief about f from measurements alone is drawn from, N times. A person with a spread s chooses
x among all points with probability softmax(f / s)(x), and says that one trial will be better than
another with probability sigmoid((f(better) - f(worse)) / s). Nobody knows which kind of person this
is, so that is inferred as well:

    honest      choices and forecasts by f
    guessing    neither says anything
    contrary    both by -f: they want the worst
    two-faced   forecasts by f, choices by -f

each with several spreads. With L(kind, draw) the probability of everything that the person has said
and chosen, if they are of this kind and the draw is the truth,

    P(kind) ~ prior(kind) x mean of L over the draws,
    weight of a draw = sum over kinds of P(kind) L / (sum of L over the draws).

Choices that measurements contradict make the person dishonest or guessing, so bad advice mutes
itself; choices that came out well make the next one count. The last choice counts in full, because
it rests on all that the person knows by now. Earlier ones count less: they rest on the same
knowledge. So do pairs of forecasts, ten of which are made of five trials.

A point promises its expected payoff, and what finding it is worth in the rounds that are left,

    promise = E f(x) + lookahead left E max(f(x) - best, 0).

The person's point is tried if it promises more, unless the measurements alone expect it to be worse
than the machine's by more than an sd or so. Someone whose forecasts are right and who then chooses
the worst is stopped there about every second time, someone who knows the best point seldom.

Legend
    m points: the machine's and the person's now, then others that claims are about
    k earlier choices, c forecasts: both padded; b points of the background that a choice is among
    N draws, K kinds with their spreads
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import logsumexp
from jaxtyping import Array, Bool, Float, Int

from counsel.models.gp import bucket
from counsel.models.kernels import Numbers

__all__ = ["BACKGROUND", "KINDS", "Fused", "Said", "Settings", "decided", "follows", "fuse"]

KINDS = ("honest", "guessing", "contrary", "two-faced")
# A person's spread in units of the sd of what was measured.
SPREADS = (0.05, 0.15, 0.5)
# Points that a choice is among, where there are more.
BACKGROUND = 160
_DRAWS = 256
_KEPT = np.ones(2)  # nothing to keep
_NONE = np.asarray(np.inf)  # no limit
_JITTER = 1e-6


class Said(NamedTuple):
    """What a person has chosen and foretold, as indices of points; the masks are 0 on padding."""

    chosen: Int[Numbers, " k"]
    chosen_mask: Float[Numbers, " k"]
    better: Int[Numbers, " c"]
    worse: Int[Numbers, " c"]
    foretold_mask: Float[Numbers, " c"]
    background: Int[Numbers, " b"]


class Fused(NamedTuple):
    """What is believed with the person's advice as data.

    kinds (4,)      the probability of each of `KINDS`
    mean (2,)       the expected payoff of the machine's and the person's point
    promise (2,)    the same with what finding them is worth later
    """

    kinds: Float[Array, " 4"]
    mean: Float[Array, " 2"]
    promise: Float[Array, " 2"]


class Settings(NamedTuple):
    """Numbers of the rule.

    prior       how likely each of `KINDS` is beforehand
    earlier     how much an earlier choice counts
    forecast    how much a forecast counts
    lookahead   for how many of the rounds that are left a better point is worth its gain
    behind      how much worse than the machine's point theirs may be, as measurements alone have
                it, in sds of the measurements
    """

    prior: Float[Numbers, " 4"] = np.array([0.6, 0.25, 0.1, 0.05])
    earlier: Float[Numbers, ""] = np.asarray(0.2)
    forecast: Float[Numbers, ""] = np.asarray(0.4)
    lookahead: Float[Numbers, ""] = np.asarray(0.3)
    behind: Float[Numbers, ""] = np.asarray(1.3)


def fuse(
    mean: Float[Numbers, " m"],
    covariance: Float[Numbers, "m m"],
    said: Said,
    unit: Float[Numbers, ""],
    best: Float[Numbers, ""],
    left: Float[Numbers, ""],
    settings: Settings,
    limit: Float[Numbers, ""] = _NONE,
) -> Fused:
    """`mean` and `covariance` are beliefs from measurements, `unit` is the sd of those.

    With a finite `limit` both are those of the logarithm of the distance to it, with the sign that
    keeps the order: minus where payoffs stay below the limit.
    """
    covariance, many = jnp.asarray(covariance), mean.shape[0]
    scale = jnp.mean(jnp.diagonal(covariance))
    root = jnp.linalg.cholesky(covariance + _JITTER * scale * jnp.eye(many))
    normal = np.random.default_rng(1).standard_normal((_DRAWS, many))
    f = jnp.asarray(mean) + normal @ root.T
    side = jnp.where(jnp.asarray(best) > limit, -1.0, 1.0)
    f = jnp.where(jnp.isfinite(limit), limit - side * jnp.exp(-side * f), f)

    def spoken(spread: Float[Array, ""]) -> tuple[Float[Array, " N"], Float[Array, " N"]]:
        """The logarithms of the probabilities of all choices, and of all forecasts."""
        z = f / (spread * unit)
        size = said.background.shape[0]
        among = logsumexp(z[:, said.background], axis=1)

        def choice(at: Int[Array, ""]) -> Float[Array, " N"]:
            # Relative to a guess, which is one of the background's points or this one.
            return z[:, at] - jnp.logaddexp(among, z[:, at]) + jnp.log(size + 1.0)

        earlier = jax.vmap(choice)(jnp.asarray(said.chosen))
        choices = choice(jnp.asarray(1)) + settings.earlier * (said.chosen_mask @ earlier)
        pairs = jax.nn.log_sigmoid(z[:, said.better] - z[:, said.worse])
        return choices, jnp.asarray(settings.forecast * (pairs @ said.foretold_mask))

    spreads = jnp.asarray(SPREADS)
    choices, forecasts = jax.lax.map(spoken, spreads)
    against, denied = jax.lax.map(spoken, -spreads)
    guessed = settings.forecast * jnp.sum(said.foretold_mask) * jnp.log(0.5)
    likelihood = jnp.stack(
        [
            choices + forecasts,
            jnp.broadcast_to(guessed, choices.shape),
            against + denied,
            against + forecasts,
        ]
    )
    prior = jnp.log(jnp.asarray(settings.prior) / len(SPREADS))[:, None]
    evidence = logsumexp(likelihood, axis=2) - jnp.log(_DRAWS) + prior
    kinds = jnp.exp(evidence - logsumexp(evidence))
    weights = jnp.einsum("ks,ksn->n", kinds, jax.nn.softmax(likelihood, axis=2))
    both = f[:, :2]
    expected = weights @ both
    promise = expected + settings.lookahead * left * (weights @ jnp.maximum(both - best, 0.0))
    return Fused(jnp.sum(kinds, axis=1), expected, promise)


def follows(
    found: Fused,
    lead: Float[Numbers, ""],
    unit: Float[Numbers, ""],
    settings: Settings,
    keeps: Float[Numbers, " 2"] = _KEPT,
) -> Bool[Array, ""]:
    """Whether the person's point is tried: it promises more, and is not plainly worse.

    `lead` is how much more is expected of the machine's point, from measurements alone.
    `keeps` is the probability that all constraints hold, at the machine's point and at theirs.
    """
    allowed = (lead <= settings.behind * unit) & (keeps[1] >= 0.8 * keeps[0])
    return (found.promise[1] >= found.promise[0]) & allowed


def decided(
    mean: Float[np.ndarray, " m"],
    covariance: Float[np.ndarray, "m m"],
    chosen: list[int],
    foretold: list[tuple[int, int]],
    background: int,
    *,
    unit: float,
    best: float,
    left: float,
    lead: float,
    keeps: Float[np.ndarray, " 2"],
    limit: float | None = None,
) -> bool:
    """`follows` for one decision. `chosen` and `foretold` are indices of points (better, worse).

    The first two points are the machine's and the person's, the last `background` those that a
    choice is among. Everything is padded, so that one more choice compiles nothing new.
    """
    k, c = (bucket(max(len(each), 1)) for each in (chosen, foretold))
    others = len(mean) - background
    size = max(2 + k + 2 * c, others)
    room = np.r_[np.arange(others), np.arange(size, size + background)]
    many = size + background
    means, covariances = np.full(many, mean.mean()), np.eye(many) * covariance.trace() / len(mean)
    means[room] = mean
    # On the scale of a limit it is a covariance only up to how far the belief is log-normal.
    values, vectors = np.linalg.eigh(covariance)
    covariances[np.ix_(room, room)] = (vectors * np.maximum(values, 0.0)) @ vectors.T
    pairs = np.zeros((2, c), dtype=np.int64)
    pairs[:, : len(foretold)] = np.array(foretold, dtype=np.int64).reshape(-1, 2).T
    said = Said(
        np.array([*chosen, *[0] * (k - len(chosen))], dtype=np.int64),
        (np.arange(k) < len(chosen)).astype(np.float64),
        pairs[0],
        pairs[1],
        (np.arange(c) < len(foretold)).astype(np.float64),
        np.arange(size, many),
    )
    numbers = [np.asarray(each, dtype=np.float64) for each in (unit, best, left)]
    top = np.asarray(np.inf if limit is None else limit)
    settings = Settings()
    found = _fuse(means, covariances, said, *numbers, settings, top)
    return bool(follows(found, np.asarray(lead), numbers[0], settings, keeps))


_fuse = jax.jit(fuse)
