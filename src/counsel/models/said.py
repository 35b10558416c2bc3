r"""People's choices and forecasts, as data in addition to the measurements.

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
    weight of a draw ~ sum over kinds of prior(kind) L(kind, draw),

and of several people the product of their weights. Choices that measurements contradict make the
person dishonest or guessing, so bad advice mutes itself; choices that came out well make the next
one count. The last choice counts in full, because it rests on all that the person knows by now.
Earlier ones count less: they rest on the same knowledge. So do pairs of forecasts, ten of which are
made of five trials.

Legend
    m points that something was said about, or that a choice is among
    k choices, c forecasts: both padded; b points of the background that a choice is among
    N draws, K kinds, S spreads
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import logsumexp
from jaxtyping import Array, Float, Int

from counsel.models.kernels import Numbers

__all__ = ["BACKGROUND", "KINDS", "SPREADS", "Listening", "Said", "drawn", "spoken", "weighed"]

KINDS = ("honest", "guessing", "contrary", "two-faced")
# A person's spread in units of the sd of what was measured.
SPREADS = (0.05, 0.15, 0.5)
# Points that a choice is among, where there are more.
BACKGROUND = 160
_DRAWS = 256
_JITTER = 1e-6


class Said(NamedTuple):
    """The choices and forecasts of a person, as indices of points.

    `counts` and `foretold` say how much of each choice and forecast counts: 0 on padding.
    """

    chosen: Int[Numbers, " k"]
    counts: Float[Numbers, " k"]
    better: Int[Numbers, " c"]
    worse: Int[Numbers, " c"]
    foretold: Float[Numbers, " c"]
    background: Int[Numbers, " b"]


class Listening(NamedTuple):
    """How people are heard.

    prior       how likely each of `KINDS` is beforehand
    earlier     how much an earlier choice counts
    forecast    how much a forecast counts
    spreads     spreads that a person may have, in sds of what was measured
    lapse       how often a choice is a slip, any point at all; None: never
    """

    prior: Float[Numbers, " 4"] = np.array([0.6, 0.25, 0.1, 0.05])
    earlier: Float[Numbers, ""] = np.asarray(0.2)
    forecast: Float[Numbers, ""] = np.asarray(0.4)
    spreads: Float[Numbers, " S"] = np.array(SPREADS)
    lapse: Float[Numbers, ""] | None = None


def drawn(
    mean: Float[Numbers, " m"], covariance: Float[Numbers, "m m"]
) -> tuple[Float[Array, "N m"], Float[Array, "N m"], Float[Array, "m m"]]:
    """Draws of f at the points, the standard normals that they are made of, and what makes them.

    Every draw has its mirror image, so that the mean of all is that of the belief.
    """
    covariance, many = jnp.asarray(covariance), mean.shape[0]
    scale = jnp.mean(jnp.diagonal(covariance))
    root = jnp.linalg.cholesky(covariance + _JITTER * scale * jnp.eye(many))
    half = np.random.default_rng(1).standard_normal((_DRAWS // 2, many))
    normal = jnp.asarray(np.concatenate([half, -half]))
    return jnp.asarray(mean) + normal @ root.T, normal, root


def spoken(
    f: Float[Array, "N m"], said: Said, unit: Float[Numbers, ""], listening: Listening
) -> Float[Array, "K S N"]:
    """log (prior x probability of all that was said), if a draw is the truth, by kind and spread.

    `unit` is the sd of what was measured.
    """

    def one(spread: Float[Array, ""]) -> tuple[Float[Array, " N"], Float[Array, " N"]]:
        """The logarithms of the probabilities of all choices, and of all forecasts."""
        z = f / (spread * unit)
        size = said.background.shape[0]
        among = logsumexp(z[:, said.background], axis=1)

        def choice(at: Int[Array, ""]) -> Float[Array, " N"]:
            # Relative to a guess, which is one of the background's points or this one.
            meant = z[:, at] - jnp.logaddexp(among, z[:, at]) + jnp.log(size + 1.0)
            if listening.lapse is None:
                return meant
            slip = jnp.asarray(listening.lapse)
            return jnp.logaddexp(jnp.log1p(-slip) + meant, jnp.log(slip))

        choices = jax.vmap(choice)(jnp.asarray(said.chosen))
        pairs = jax.nn.log_sigmoid(z[:, said.better] - z[:, said.worse])
        told = listening.forecast * (pairs @ said.foretold)
        return jnp.asarray(said.counts @ choices), jnp.asarray(told)

    spreads = jnp.asarray(listening.spreads)
    choices, forecasts = jax.lax.map(one, spreads)
    against, denied = jax.lax.map(one, -spreads)
    guessed = listening.forecast * jnp.sum(said.foretold) * jnp.log(0.5)
    likelihood = jnp.stack(
        [
            choices + forecasts,
            jnp.broadcast_to(guessed, choices.shape),
            against + denied,
            against + forecasts,
        ]
    )
    return likelihood + jnp.log(jnp.asarray(listening.prior) / spreads.shape[0])[:, None, None]


def weighed(
    likelihood: Float[Array, "K S N"],
) -> tuple[Float[Array, " N"], Float[Array, " K"]]:
    """The logarithm of each draw's weight, up to a constant, and the probability of each kind."""
    evidence = logsumexp(likelihood, axis=(1, 2))
    return logsumexp(likelihood, axis=(0, 1)), jnp.exp(evidence - logsumexp(evidence))
