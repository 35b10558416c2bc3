r"""The rule that takes advice as data: which point promises most, with all that a person said.

Draws of the payoffs, from what was measured, are weighed by how well they agree with what the
person chose and foretold (`models.said`). A point promises its expected payoff, and what finding it
is worth in the rounds that are left,

    promise = E f(x) + lookahead left E max(f(x) - best, 0).

The person's point is tried if it promises more than the machine's, unless the measurements alone
expect it to be worse than that by more than an sd or so: then it is left to the machine. Someone
whose forecasts are right and who then chooses the worst is stopped there more often than someone
who knows the best point. If the person is likely honest and not stopped, any other point may be
tried instead of the two if it promises more than the one that would be.

Legend
    m points: the machine's and the person's now, others that claims are about, a background
    k earlier choices, c forecasts: both padded; b points of the background that a choice is among
    N draws
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int

from counsel.models.gp import bucket
from counsel.models.kernels import Numbers
from counsel.models.said import BACKGROUND, KINDS, SPREADS, Listening, Said, drawn, spoken, weighed

__all__ = [
    "BACKGROUND",
    "KINDS",
    "SPREADS",
    "Fused",
    "Said",
    "Settings",
    "choose",
    "decided",
    "fuse",
]

_NONE = np.asarray(np.inf)  # no limit


class Fused(NamedTuple):
    """What is believed with the person's advice as data.

    kinds (4,)      the probability of each of `KINDS`
    mean (m,)       the expected payoff of each point
    promise (m,)    the same with what finding it is worth later
    """

    kinds: Float[Array, " 4"]
    mean: Float[Array, " m"]
    promise: Float[Array, " m"]


class Settings(NamedTuple):
    """Numbers of the rule.

    listening   how people are heard
    lookahead   for how many of the rounds that are left a better point is worth its gain
    behind      how much worse than the machine's a point may be, as measurements alone have it, in
                sds of the measurements
    believed    how likely the person has to be honest for a point that neither proposed
    """

    listening: Listening = Listening()
    lookahead: Float[Numbers, ""] = np.asarray(0.3)
    behind: Float[Numbers, ""] = np.asarray(1.3)
    believed: Float[Numbers, ""] = np.asarray(0.5)


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

    `said` has the earlier choices; the present one is point 1.

    With a finite `limit` both are those of the logarithm of the distance to it, with the sign that
    keeps the order: minus where payoffs stay below the limit.
    """
    f, _, _ = drawn(mean, covariance)
    side = jnp.where(jnp.asarray(best) > limit, -1.0, 1.0)
    f = jnp.where(jnp.isfinite(limit), limit - side * jnp.exp(-side * f), f)
    counts = jnp.concatenate([jnp.ones(1), settings.listening.earlier * said.counts])
    chosen = jnp.concatenate([jnp.ones(1, dtype=jnp.asarray(said.chosen).dtype), said.chosen])
    now = said._replace(chosen=chosen, counts=counts)
    logs, kinds = weighed(spoken(f, now, unit, settings.listening))
    weights = jax.nn.softmax(logs)
    expected = weights @ f
    promise = expected + settings.lookahead * left * (weights @ jnp.maximum(f - best, 0.0))
    return Fused(kinds, expected, promise)


def choose(
    found: Fused,
    mean: Float[Numbers, " m"],
    unit: Float[Numbers, ""],
    settings: Settings,
    may: Bool[Numbers, " m"],
) -> Int[Array, ""]:
    """The point that is tried: 0 is the machine's, 1 the person's.

    `mean` is what measurements alone expect; `may` says which points may be tried, by constraints.
    """
    promise = found.promise
    allowed = (mean[0] - mean <= settings.behind * unit) & may
    wanted = promise[1] >= promise[0]
    pair = jnp.where(wanted & allowed[1], 1, 0)
    third = jnp.argmax(jnp.where(allowed, promise, -jnp.inf))
    heard = (found.kinds[0] >= settings.believed) & ~(wanted & ~allowed[1])
    return jnp.where(heard & (promise[third] > promise[pair]), third, pair)


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
    expected: Float[np.ndarray, " m"],
    may: Bool[np.ndarray, " m"],
    limit: float | None = None,
) -> int:
    """The point that is tried. `chosen` and `foretold` are indices of points (better, worse).

    The first two points are the machine's and the person's, the last `background` those that a
    choice is among. `expected` is what measurements make of each, in units of the objective.
    Everything is padded, so that one more choice compiles nothing new.
    """
    k, c = (bucket(max(len(each), 1)) for each in (chosen, foretold))
    others = len(mean) - background
    size = max(2 + k + 2 * c, others)
    room = np.r_[np.arange(others), np.arange(size, size + background)]
    many = size + background
    means, covariances = np.full(many, mean.mean()), np.eye(many) * covariance.trace() / len(mean)
    payoffs, free = np.zeros(many), np.zeros(many, dtype=bool)
    means[room], payoffs[room], free[room] = mean, expected, may
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
    at = int(choose(found, payoffs, numbers[0], settings, free))
    return int(np.flatnonzero(room == at)[0])


_fuse = jax.jit(fuse)
