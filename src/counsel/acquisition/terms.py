"""Defines acquisitions: sums of named terms over points, prepared once per round.

    value(x) = sum of terms(x)

The names are few and shared, because explanations use them: `exploitation` (posterior
mean), `approximation` (posterior sd), `model` (imprecise prior), `aleatoric` (noise),
`feasibility:c` (constraint c). Acquisitions that do not add up have one term of their own name.

A term is on the scale on which it is maximised, and an average of logarithms of small numbers means
nothing to a reader. Explanations therefore use the *parts* of a score: the same quantities in the
user's units, or as probabilities. A part enters the value as it is, or its logarithm
does, times a weight; either way the value follows from the parts (`joined`).
"""

from typing import Protocol, runtime_checkable

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, Key

from counsel.facts.terms import place
from counsel.models.gp import Posterior
from counsel.models.kernels import Numbers
from counsel.space import AnySpace

# Each entry has one value per point.
Terms = dict[str, Array]


class Survey(eqx.Module):
    """Points that represent the whole space, for densities over it.

    `points` fill the space in the round's context, independently of the search; None means the arms
    themselves. `prior` is p_x at each, up to a constant (None: uniform). `choices` are the columns
    of each one-hot parameter; `cube` says that all other columns fill [0, 1].
    """

    points: Float[Numbers, "q d"] | None = None
    prior: Float[Numbers, " q"] | None = None
    choices: tuple[tuple[int, ...], ...] = eqx.field(static=True, default=())
    cube: bool = eqx.field(static=True, default=False)


class Round(eqx.Module):
    """What a round provides besides its posterior.

    `sample` holds the points that the search starts from: the arms themselves, or candidates in the
    box, which crowd where the search expects to find something. `chosen` counts the columns that
    are chosen; the context's follow. `size` is the number of alternatives in the round (for a box,
    of a fine grid), `domain` that of all pairs of an alternative and a context (None: as many).
    `feasible` is the probability that constraints hold at each (padded) observation. `survey` is
    set for an acquisition that asks for one. With `steep`, low values may be lower than the others
    by orders of magnitude, as logarithms are, and the search measures its steps by the high ones.
    With `in_context`, a trial counts as what it would be worth in the context of the round, which
    the last columns of the sample say. `least` is the gain, in standard deviations of the
    objective, below which one is not worth a trial that may fail; None if none has failed.
    """

    seed: int | Int[Array, ""]
    t: int | Int[Array, ""]
    size: float | Float[Array, ""]
    sample: Float[Numbers, "s d"]
    chosen: int = eqx.field(static=True)
    finite: bool = eqx.field(static=True)
    feasible: Float[Numbers, " N"] | None = None
    domain: float | Float[Array, ""] | None = None
    survey: Survey | None = None
    least: float | Float[Array, ""] | None = None
    steep: bool = eqx.field(static=True, default=False)
    in_context: bool = eqx.field(static=True, default=False)

    def tried(self, x: Float[Numbers, "N d"]) -> Float[Array, "N d"]:
        """Where trials would be if they were made now: with `in_context`, in this context."""
        if not self.in_context:
            return jnp.asarray(x)
        given = jnp.broadcast_to(self.sample[0, self.chosen :], x[:, self.chosen :].shape)
        return jnp.concatenate([jnp.asarray(x)[:, : self.chosen], given], axis=1)

    def key(self) -> Key[Array, ""]:
        """The round's randomness: a function of (study seed, t) alone."""
        return jax.random.fold_in(jax.random.key(self.seed), self.t)


@runtime_checkable
class Score(Protocol):
    """An acquisition made ready for one round: a function of points alone.

    `whole` says that the points must be scored in one call, not in chunks (a joint draw).
    """

    @property
    def whole(self) -> bool: ...

    def terms(self, x: Float[Array, "n d"]) -> Terms: ...


@runtime_checkable
class Acquisition(Protocol):
    """A rule that turns a posterior into a score."""

    def score(self, posterior: Posterior, round: Round) -> Score: ...


@runtime_checkable
class Surveying(Protocol):
    """An acquisition that looks at the whole space before it scores any point."""

    def survey(self, space: AnySpace, context: Float[np.ndarray, " c"], seed: int) -> Survey | None:
        """The survey to put into the round, or None."""
        ...

    def surveyed(self) -> Acquisition:
        """The acquisition without the settings that went into its survey."""
        ...


@runtime_checkable
class Parted(Protocol):
    """A score whose terms are not what a person would want to be told."""

    def parts(self, x: Float[Array, "n d"]) -> Terms:
        """What is explained at points: quantities in the user's units, or chances."""
        ...

    def joined(self, parts: Terms) -> Float[Array, " n"]:
        """The value that was maximised, from its parts."""
        ...

    def log_weights(self, parts: Terms) -> Terms:
        """How much of the logarithm of each part is in the value; 0: it enters as it is."""
        ...


@runtime_checkable
class Bounded(Protocol):
    """A score that is nowhere higher than another one, which is sooner computed."""

    def at_most(self, rows: int) -> Score | None:
        """That other one, of the first `rows` rows of data; None if there is none here."""
        ...


class Ready(eqx.Module):
    """A score prepared in advance, in place of its acquisition."""

    prepared: Score

    def score(self, posterior: Posterior, round: Round) -> Score:
        return self.prepared


def total(terms: Terms) -> Float[Array, " n"]:
    """The acquisition's value: the sum of its terms."""
    first, *rest = terms.values()
    for term in rest:
        first = first + term
    return first


def parts(score: Score, x: Float[Array, "n d"]) -> Terms:
    """What of a score is explained: its own parts, or its terms in the units of what is measured.

    On a scale such as `models.warp` has, the first term counts as the payoff to expect, and each
    other one as what it adds to those before it when their sum is read back in the objective's
    units.
    """
    if isinstance(score, Parted):
        return score.parts(x)
    return in_units(score.terms(x), _belief(score), x)


def in_units(terms: Terms, belief: Posterior | None, x: Float[Array, "n d"]) -> Terms:
    """Terms that add up on a scale, as differences that add up in the units behind it."""
    if belief is None or belief.warp is None:
        return terms
    warp = belief.warp
    found, sum_so_far, before = {}, None, None
    for name in sorted(terms, key=place):
        sum_so_far = terms[name] if sum_so_far is None else sum_so_far + terms[name]
        here = warp.back(sum_so_far)
        if before is None and name == "exploitation" and len(terms) > 1:
            # Read back, a mean would be a median; what is predicted is the mean.
            here = warp.expected(*belief.predict(x))
        found[name] = here if before is None else here - before
        before = here
    return found


def joined(score: Score, parts: Terms) -> Float[Array, " n"]:
    """What was maximised, from the parts that are explained."""
    if isinstance(score, Parted):
        return jnp.asarray(score.joined(parts))
    belief = _belief(score)
    if belief is None or belief.warp is None:
        return total(parts)
    return belief.warp.there(total(parts))


def log_weights(score: Score, parts: Terms) -> Terms:
    """How much of the logarithm of each part is in the value; 0: the part enters as it is."""
    if isinstance(score, Parted):
        return score.log_weights(parts)
    return {name: jnp.zeros_like(part) for name, part in parts.items()}


def raised(score: Score) -> dict[str, Float[Array, ""]]:
    """What is added to parts before their logarithms are taken, by tag; nothing to all others."""
    own: dict[str, Float[Array, ""]] = getattr(score, "raised", {})
    return own


def at_most(score: Score, rows: int) -> Score | None:
    """A score that is nowhere lower and sooner computed, if this one knows of one."""
    return score.at_most(rows) if isinstance(score, Bounded) else None


def _belief(score: Score) -> Posterior | None:
    belief = getattr(score, "posterior", None)
    return belief if isinstance(belief, Posterior) else None
