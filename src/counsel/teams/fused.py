r"""The rule that takes advice as data: which point promises most, with all that a person said.

Draws of the payoffs, from what was measured, are weighed by how well they agree with what the
person chose and foretold (`models.said`). A point promises its expected payoff, and what finding it
is worth in the rounds that are left,

    promise = E f(x) + lookahead left E max(f(x) - best, 0).

The person's point is tried if it promises more than the machine's, unless that is too risky: they
may want the worst, and it would cost much; or the measurements alone expect it to be far worse.
Then it is left to the machine. If the person is likely honest and not stopped, any other point may
be tried instead of the two if it promises more than the one that would be; but the more likely it
is that the person chooses precisely, the more it has to promise beyond theirs.

That somebody named the best of all is rare among draws from the measurements, and the draws that
agree would be a handful. So draws fill the space evenly (Sobol), the payoff at the person's point
is drawn from a wider normal, and every draw counts by how likely it was (importance sampling).

While trials are few, draws come from several fits (`models.mixture`): under one that takes noise
for payoffs that change fast, the best point cannot be told from the worst.

Legend
    h fits
    m points: the machine's and the person's now, others that claims are about, a background
    k earlier choices, c forecasts: both padded; b points of the background that a choice is among
    N draws
"""

from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import logsumexp
from jaxtyping import Array, Bool, Float, Int
from scipy.special import ndtri

from counsel.errors import CounselError
from counsel.models.compiling import compiled
from counsel.models.gp import bucket
from counsel.models.kernels import Numbers
from counsel.models.mixture import Fits, Mixture
from counsel.models.said import BACKGROUND, KINDS, Listening, Said, drawn, spoken, weighed
from counsel.teams.deciding import VERSIONS

__all__ = [
    "BACKGROUND",
    "KINDS",
    "SPREADS",
    "Decided",
    "Fused",
    "Said",
    "Settings",
    "choose",
    "decided",
    "fuse",
    "settings_of",
]

# A person's spread in units of the sd of what was measured, from the most precise.
SPREADS = (0.02, 0.06, 0.2, 0.6)
_NONE = np.asarray(np.inf)  # no limit
_DRAWS = 256  # from a single fit
_EACH = 64  # from each of several
_JITTER = 1e-6


class Fused(NamedTuple):
    """What is believed with the person's advice as data.

    kinds (4,)      the probability of each of `KINDS`
    mean (m,)       the expected payoff of each point
    promise (m,)    the same with what finding it is worth later
    precise         the probability that the person is honest and has the smallest spread
    worst (m,)      the expected payoff of each point, if they want the worst
    """

    kinds: Float[Array, " 4"]
    mean: Float[Array, " m"]
    promise: Float[Array, " m"]
    precise: Float[Array, ""]
    worst: Float[Array, " m"]


class Settings(NamedTuple):
    """Numbers of the rule.

    listening   how people are heard
    lookahead   for how many of the rounds that are left a better point is worth its gain
    behind      how much worse than the machine's a point may be, as measurements alone have it, in
                sds of the measurements
    risk        how much worse than the machine's a point may be in case the person wants the worst,
                times how likely they do, in sds of the measurements
    again       what of that is left from their second choice on: who was held back has another
                chance in every round, and so has somebody who wants the worst
    believed    how likely the person has to be honest for a point that neither proposed
    yielding    how much more than theirs that has to promise if they are precise, in sds of the
                measurements
    wide        the sd of the normal that the payoff at the person's point is drawn from, in sds of
                the belief; None for plain draws
    fits        which fits are drawn from; None for the best one alone
    """

    listening: Listening = Listening(spreads=np.array(SPREADS), lapse=np.asarray(0.015))
    lookahead: Float[Numbers, ""] = np.asarray(1.0)
    behind: Float[Numbers, ""] = np.asarray(1.8)
    risk: Float[Numbers, ""] = np.asarray(0.18)
    again: Float[Numbers, ""] = np.asarray(0.33)
    believed: Float[Numbers, ""] = np.asarray(0.5)
    yielding: Float[Numbers, ""] = np.asarray(1.0)
    wide: Float[Numbers, ""] | None = np.asarray(1.5)
    fits: Fits | None = Fits()


# The numbers of the rule before it was improved, by version; studies keep those they began with.
_FORMER = {
    1: Settings(
        listening=Listening(),
        lookahead=np.asarray(0.3),
        behind=np.asarray(1.3),
        risk=np.asarray(np.inf),
        again=np.asarray(1.0),
        yielding=np.asarray(0.0),
        wide=None,
        fits=None,
    ),
    2: Settings(risk=np.asarray(0.15), again=np.asarray(1.0), fits=None),
}


def settings_of(version: int) -> Settings:
    """The numbers of a version of the rule."""
    if version not in (*_FORMER, VERSIONS["fused"]):
        raise CounselError(
            f"This study uses version {version} of the rule 'fused'; this Counsel has versions up "
            f"to {VERSIONS['fused']}. Upgrade Counsel."
        )
    return _FORMER.get(version, Settings())


def fuse(
    believed: Mixture,
    said: Said,
    unit: Float[Numbers, ""],
    best: Float[Numbers, ""],
    left: Float[Numbers, ""],
    settings: Settings,
    limit: Float[Numbers, ""] = _NONE,
    roots: Float[Numbers, "h m m"] | None = None,
) -> Fused:
    """`believed` is what measurements alone say, `unit` is the sd of those.

    `said` has the earlier choices; the present one is point 1. `roots` are those of `_roots`.

    With a finite `limit` it is about the logarithm of the distance to it, with the sign that keeps
    the order: minus where payoffs stay below the limit.
    """
    if settings.wide is None:
        f, drawn_with = drawn(believed.means[0], believed.covariances[0])[0], jnp.zeros(())
    else:
        f, drawn_with = _drawn(believed, jnp.asarray(settings.wide), roots)
    side = jnp.where(jnp.asarray(best) > limit, -1.0, 1.0)
    f = jnp.where(jnp.isfinite(limit), limit - side * jnp.exp(-side * f), f)
    counts = jnp.concatenate([jnp.ones(1), settings.listening.earlier * said.counts])
    chosen = jnp.concatenate([jnp.ones(1, dtype=jnp.asarray(said.chosen).dtype), said.chosen])
    now = said._replace(chosen=chosen, counts=counts)
    likelihood = spoken(f, now, unit, settings.listening) + drawn_with
    logs, kinds = weighed(likelihood)
    precise = jnp.exp(logsumexp(likelihood[0, 0]) - logsumexp(logs))
    weights = jax.nn.softmax(logs)
    expected = weights @ f
    promise = expected + settings.lookahead * left * (weights @ jnp.maximum(f - best, 0.0))
    worst = jax.nn.softmax(logsumexp(likelihood[2:], axis=(0, 1))) @ f
    return Fused(kinds, expected, promise, precise, worst)


def _drawn(
    believed: Mixture, wide: Float[Array, ""], roots: Float[Numbers, "h m m"] | None
) -> tuple[Float[Array, "N m"], Float[Array, " N"]]:
    """Draws of f, as many from each fit, and the logarithm of what each draw counts for."""
    fits, many = believed.means.shape

    def moved(mean: Array, each: Array, normal: Array) -> tuple[Array, Array]:
        root = jnp.linalg.cholesky(_ordered(each)) if roots is None else each
        return _moved(mean, root, normal, wide)

    each = jnp.asarray(believed.covariances if roots is None else roots)
    means = jnp.asarray(believed.means)
    if fits == 1:
        return moved(means[0], each[0], jnp.asarray(_normals(many, _DRAWS)))
    normals = _normals(many, fits * _EACH).reshape(fits, _EACH, many)
    f, counts = jax.lax.map(lambda given: moved(*given), (means, each, jnp.asarray(normals)))
    # A fit whose covariance cannot be factorised says nothing.
    sound = jnp.all(jnp.isfinite(f), axis=(1, 2)) & jnp.isfinite(believed.logs)
    f = jnp.where(sound[:, None, None], f, 0.0)
    counts = jnp.where(sound[:, None], counts + jnp.asarray(believed.logs)[:, None], -jnp.inf)
    return f.reshape(-1, many), counts.ravel()


def _moved(
    mean: Float[Array, " m"],
    root: Float[Array, "m m"],
    normal: Float[Array, "N m"],
    wide: Float[Array, ""],
) -> tuple[Float[Array, "N m"], Float[Array, " N"]]:
    """The draws of one fit that these normals make."""
    order = _order(mean.shape[0])
    normal = normal.at[:, 0].multiply(wide)
    counts = 0.5 * normal[:, 0] ** 2 * (wide**-2.0 - 1.0)
    return (mean[order] + normal @ root.T)[:, order], counts


def _order(many: int) -> Int[np.ndarray, " m"]:
    """The person's point first: one normal decides its payoff. Undoes itself."""
    return np.r_[1, 0, 2:many]


def _ordered(covariance: Any) -> Any:
    """A covariance of NumPy or JAX, in this order and fit to be factorised."""
    many = covariance.shape[0]
    jitter = _JITTER * covariance.diagonal().mean()
    order = _order(many)
    return (covariance + jitter * np.eye(many))[order][:, order]


def _roots(covariances: Float[np.ndarray, "h m m"]) -> Float[np.ndarray, "h m m"]:
    """Their Cholesky factors, made on the host: a program that calls LAPACK cannot be kept."""
    found = np.full(covariances.shape, np.nan)
    for root, covariance in zip(found, covariances, strict=True):
        with suppress(np.linalg.LinAlgError):
            root[:] = np.linalg.cholesky(_ordered(covariance))
    return found


@cache
def _normals(many: int, draws: int) -> Float[np.ndarray, "N m"]:
    """Normal draws that fill the space evenly."""
    from scipy.stats.qmc import Sobol  # half a second to import

    # A power of 2 is even as a whole, and so is every block of `_EACH`.
    uniform = Sobol(many, rng=np.random.default_rng(1)).random(1 << (draws - 1).bit_length())
    return np.asarray(ndtri(np.clip(uniform[:draws], 1e-9, 1.0 - 1e-9)))


def choose(
    found: Fused,
    mean: Float[Numbers, " m"],
    unit: Float[Numbers, ""],
    settings: Settings,
    may: Bool[Numbers, " m"],
    again: Bool[Numbers, ""],
) -> Int[Array, ""]:
    """The point that is tried: 0 is the machine's, 1 the person's.

    `mean` is what measurements alone expect; `may` says which points may be tried, by constraints;
    `again` whether the person has chosen before.
    """
    promise = found.promise
    risk = settings.risk * jnp.where(again, settings.again, 1.0)
    allowed = (mean[0] - mean <= settings.behind * unit) & may
    suspicion = found.kinds[2] + found.kinds[3]
    allowed &= suspicion * (mean[0] - found.worst) <= risk * unit
    wanted = promise[1] >= promise[0]
    pair = jnp.where(wanted & allowed[1], 1, 0)
    third = jnp.argmax(jnp.where(allowed, promise, -jnp.inf))
    heard = (found.kinds[0] >= settings.believed) & ~(wanted & ~allowed[1])
    more = jnp.where(pair == 1, settings.yielding * found.precise * unit, 0.0)
    return jnp.where(heard & (promise[third] > promise[pair] + more), third, pair)


class Decided(NamedTuple):
    """What is tried, and what speaks for it with the person's advice as data.

    at          the point that is tried
    gain        how much more the person's point is expected to pay than the machine's
    wanted      whether the person's point promises more than the machine's
    allowed     whether measurements let it be tried, whatever it promises
    """

    at: int
    gain: float
    wanted: bool
    allowed: bool

    def because(self) -> str:
        """Why, as the end of a sentence that says what is tried."""
        if self.at > 1:
            return "because with what you said it promises more than both"
        if self.wanted and self.at == 0:
            if self.allowed:
                return "because too little speaks for yours so far, for what it might cost"
            return "because what was measured speaks against yours"
        whose, other = ("it", "it") if self.at == 1 else ("the machine's", "yours")
        # Of a cost, "more" would be worse.
        pays = f"expected to be {abs(self.gain):.3g} {'better' if self.gain > 0.0 else 'worse'}"
        if (self.gain > 0.0) == (self.at == 1):
            return f"because with what you said {other} is {pays}"
        return (
            f"because {whose} may improve more on the best so far, though with what you said "
            f"{other} is {pays}"
        )


def decided(
    believed: Mixture,
    chosen: list[int],
    foretold: list[tuple[int, int]],
    background: int,
    *,
    unit: float,
    best: float,
    left: float,
    expected: Float[np.ndarray, " m"],
    may: Bool[np.ndarray, " m"],
    again: bool = False,
    limit: float | None = None,
    settings: Settings | None = None,
) -> Decided:
    """What is tried, and why. `chosen` and `foretold` are indices of points (better, worse).

    The first two points are the machine's and the person's, the last `background` those that a
    choice is among. `expected` is what measurements alone make of each, in units of the objective;
    `again` says whether the person has chosen before. Everything is padded, so that one more choice
    compiles nothing new.
    """
    k, c = (bucket(max(len(each), 1)) for each in (chosen, foretold))
    others = len(expected) - background
    size = max(2 + k + 2 * c, others)
    room = np.r_[np.arange(others), np.arange(size, size + background)]
    many = size + background
    payoffs, free = np.zeros(many), np.zeros(many, dtype=bool)
    payoffs[room], free[room] = expected, may
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
    settings = settings or Settings()
    believed = _padded(believed, room, many)
    roots = None if settings.wide is None else _roots(np.asarray(believed.covariances))
    tried, *two = _settled(
        believed, said, *numbers, settings, top, roots, payoffs, free, np.asarray(again)
    )
    promise, payoff = (np.asarray(each) for each in two)
    return Decided(
        int(np.flatnonzero(room == int(tried))[0]),
        float(payoff[1] - payoff[0]),
        bool(promise[1] >= promise[0]),
        bool(expected[0] - expected[1] <= float(settings.behind) * unit),
    )


def _padded(believed: Mixture, room: Int[np.ndarray, " m"], many: int) -> Mixture:
    """Beliefs about `many` points, of which those in `room` are meant."""
    fits, points = believed.means.shape
    means = np.empty((fits, many))
    covariances = np.zeros((fits, many, many))
    for i, (mean, covariance) in enumerate(zip(*believed[:2], strict=True)):
        means[i] = mean.mean()
        means[i, room] = mean
        covariances[i] = np.eye(many) * covariance.trace() / points
        covariances[i][np.ix_(room, room)] = _definite(covariance) if fits == 1 else covariance
    return Mixture(means, covariances, believed.logs)


def _definite(covariance: Float[np.ndarray, "m m"]) -> Float[np.ndarray, "m m"]:
    """On the scale of a limit it is a covariance only up to how far the belief is log-normal."""
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray((vectors * np.maximum(values, 0.0)) @ vectors.T)


@compiled(rows=lambda *_: 0)  # run once a decision: compiling is what takes time
def _settled(
    believed: Mixture,
    said: Said,
    unit: Float[Numbers, ""],
    best: Float[Numbers, ""],
    left: Float[Numbers, ""],
    settings: Settings,
    limit: Float[Numbers, ""],
    roots: Float[Numbers, "h m m"] | None,
    expected: Float[Numbers, " m"],
    may: Bool[Numbers, " m"],
    again: Bool[Numbers, ""],
) -> tuple[Int[Array, ""], Float[Array, " 2"], Float[Array, " 2"]]:
    """What is tried; what the machine's and the person's point promise, and are expected to pay."""
    found = fuse(believed, said, unit, best, left, settings, limit, roots)
    tried = choose(found, jnp.asarray(expected), unit, settings, jnp.asarray(may), again)
    return tried, found.promise[:2], found.mean[:2]
