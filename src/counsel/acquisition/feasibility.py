r"""Adds constraints to any acquisition: each adds the log of the probability that it holds.

$$ a_c(x) = \log\frac{a(x) - \text{floor}}{u}
   + \text{weight} \cdot \sum_i \log P(c_i(x) \ge 0) $$

Every constraint is a term of its own, `feasibility:i`, and the acquisition itself is one, `bound`.
With weight 1 this has its maximum where the bound above the floor, multiplied by all chances, is
largest; unlike the product it is a sum, so that every term stands for one thing. A bound has no
zero of its own, and a product needs one: the floor is the smallest value of the acquisition over
the round's sample, so that the worst point is worth nothing however likely it is to be feasible. u
is the standard deviation of the payoffs, so that the result does not depend on units. Below a
thousandth of u the logarithm continues as a straight line, so that points below the sample still
have a value. An acquisition in log space, such as expected improvement, needs neither: the log
probabilities are added as they are, which multiplies it by them (Gardner et al. 2014).

Until a trial is known to keep all constraints, they count `alone`: a bound that is large where the
constraints are unlikely to hold would lead the search there.

Without `multiplied` the acquisition stays on its own scale,

$$ a_c(x) = a(x) + \text{weight} \cdot u \sum_i \log P(c_i(x) \ge 0): $$

a chance that is smaller by a factor of e costs as much as `weight` standard deviations. That is how
the chance that a trial works at all is weighted in a study without constraints, and how studies
that began this way continue. With `working`, this chance has a weight of its own: a trial that
fails tells nothing about the objective, one that breaks a constraint does.

What is explained are the acquisition's own terms, in the units of the objective, and the chances
themselves, not their logarithms, whose averages over a space are all tail. A chance counts as much
as what it multiplies.

`weight=None` multiplies without logarithms, to replay studies that began this way. Every term they
recorded is a product with a probability; explanations still separate the two.

Each constraint has a Gaussian process of its own. These policies ask about everything in every
trial, and then correlated models predict hardly better; asking less is what `policies.dmcl` is for.
"""

import dataclasses

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from counsel.acquisition.terms import (
    Acquisition,
    Round,
    Score,
    Terms,
    at_most,
    joined,
    log_weights,
    parts,
    raised,
    total,
)
from counsel.facts.terms import about
from counsel.models.gp import Posterior
from counsel.models.success import Success

_KIND = "feasibility"
_WORKS = about(_KIND, 0)
BOUND = "bound"
# A gap to the floor counts as a logarithm from here on, in sds of the payoffs.
_LEAST = 1e-3


class FeasibleScore(eqx.Module):
    """A score and constraints, whose numbers are `which`, from 1 on; 0 is that a trial works."""

    score: Score
    constraints: tuple[Posterior | Success, ...]
    which: tuple[int, ...] = eqx.field(static=True)
    unit: Float[Array, ""]  # the weight times u
    floor: Float[Array, ""] | None = None  # where chances multiply
    scale: Float[Array, ""] | None = None  # where they do so in logarithms
    alone: bool = eqx.field(static=True, default=False)  # the score does not count
    working: Float[Array, ""] | None = None  # the unit of the chance that a trial works

    @property
    def whole(self) -> bool:
        return self.score.whole

    @property
    def logarithmic(self) -> bool:
        return self.scale is not None or self.alone or in_logs(self.score)

    @property
    def posterior(self) -> Posterior | None:
        """What is believed of the objective."""
        return getattr(self.score, "posterior", None)

    def terms(self, x: Float[Array, "n d"]) -> Terms:
        if self.alone:
            return self._weighed(x)
        terms = self.score.terms(x)
        if self.scale is not None:
            terms = {BOUND: self._lift(total(terms))}
        if self.scale is not None or self.floor is None:
            return {**terms, **self._weighed(x)}
        logs = log_chance(self.constraints, x)
        if in_logs(self.score):
            return {**terms, _KIND: logs}
        chance = jnp.exp(logs)
        first = next(iter(terms))
        lifted = {**terms, first: terms[first] - self.floor}
        return {name: chance * term for name, term in lifted.items()}

    def at_most(self, rows: int) -> "FeasibleScore | None":
        """It rises with the score, whatever the chances."""
        score = None if self.alone else at_most(self.score, rows)
        return None if score is None else dataclasses.replace(self, score=score)

    def continued(self, points: Float[Array, "m d"]) -> "FeasibleScore":
        """The score as a function of any points, where that of the objective was a joint draw."""
        return eqx.tree_at(lambda s: s.score, self, self.score.continued(points))  # type: ignore[attr-defined]

    def parts(self, x: Float[Array, "n d"]) -> Terms:
        chances = {tag: jnp.exp(log) for tag, log in self._logs(x).items()}
        return chances if self.alone else {**parts(self.score, x), **chances}

    def joined(self, parts: Terms) -> Float[Array, " n"]:
        own, logs = self._apart(parts)
        if self.alone:
            return logs
        value = joined(self.score, own)
        if self.scale is not None:
            return self._lift(value) + logs
        if self.floor is None:
            return value + logs
        return value + logs if in_logs(self.score) else (value - self.floor) * jnp.exp(logs)

    def log_weights(self, parts: Terms) -> Terms:
        """Where chances multiply, each weighs as much as what it multiplies."""
        own, _ = self._apart(parts)
        worth = jnp.ones(())
        if self.scale is not None and self.floor is not None:
            gap = joined(self.score, own) - self.floor
            worth = jnp.maximum(gap, _LEAST * self.scale)
        elif self.floor is not None and not in_logs(self.score):
            worth = joined(self.score, own) - self.floor
        shape = next(iter(parts.values())).shape
        chances = {tag: jnp.broadcast_to(self._unit(tag) * worth, shape) for tag in self._tags()}
        return chances if self.alone else {**log_weights(self.score, own), **chances}

    def _lift(self, value: Float[Array, " n"]) -> Float[Array, " n"]:
        """The logarithm of how far a value is above the floor, in units of the scale."""
        assert self.scale is not None
        assert self.floor is not None
        return log_above((value - self.floor) / self.scale)

    @property
    def raised(self) -> dict[str, Float[Array, ""]]:
        return {} if self.alone else raised(self.score)

    def _tags(self) -> tuple[str, ...]:
        return tuple(about(_KIND, number) for number in self.which)

    def _logs(self, x: Float[Array, "n d"]) -> Terms:
        each = (log_chance((belief,), x) for belief in self.constraints)
        return dict(zip(self._tags(), each, strict=True))

    def _unit(self, tag: str) -> Float[Array, ""]:
        return self.unit if self.working is None or tag != _WORKS else self.working

    def _weighed(self, x: Float[Array, "n d"]) -> Terms:
        return {tag: self._unit(tag) * log for tag, log in self._logs(x).items()}

    def _apart(self, parts: Terms) -> tuple[Terms, Float[Array, " n"]]:
        """The parts of the score without constraints, and what all chances add to it."""
        own = {name: part for name, part in parts.items() if name not in self._tags()}
        logs = (self._unit(tag) * jnp.log(parts[tag]) for tag in self._tags())
        return own, sum(logs, jnp.zeros(()))


class Feasible(eqx.Module):
    """`acquisition` under `constraints`: posteriors of margins that must be 0 or more."""

    acquisition: Acquisition
    constraints: tuple[Posterior | Success, ...]
    which: tuple[int, ...] = eqx.field(static=True)
    weight: Float[Array, ""] | None = None
    multiplied: bool = eqx.field(static=True, default=False)
    alone: bool = eqx.field(static=True, default=False)
    working: Float[Array, ""] | None = None

    def score(self, posterior: Posterior, round: Round) -> FeasibleScore:
        score = self.acquisition.score(posterior, round)
        one = jnp.ones(())
        if self.alone and self.weight is not None:
            return FeasibleScore(score, self.constraints, self.which, self.weight, alone=True)
        if self.multiplied and self.weight is not None and not in_logs(score):
            floor = _least(score, round)
            return FeasibleScore(
                score,
                self.constraints,
                self.which,
                self.weight,
                floor,
                posterior.scale,
                working=self.working,
            )
        if self.weight is not None:
            each = one if in_logs(score) else posterior.scale
            working = None if self.working is None else self.working * each
            unit = self.weight * each
            return FeasibleScore(score, self.constraints, self.which, unit, working=working)
        floor = jnp.zeros(())
        if not in_logs(score):
            floor = _least(score, round)
        return FeasibleScore(score, self.constraints, self.which, one, floor)


def _least(score: Score, round: Round) -> Float[Array, ""]:
    """The least value over the round's sample."""
    return jnp.min(total(score.terms(jnp.asarray(round.sample))))


def log_above(gap: Float[Array, " n"]) -> Float[Array, " n"]:
    """log(gap), continued in a straight line below _LEAST, so that it has a value anywhere."""
    inside = jnp.maximum(gap, _LEAST)
    return jnp.log(inside) + jnp.minimum(gap - _LEAST, 0.0) / _LEAST


def in_logs(score: Score) -> bool:
    """Whether a score is a logarithm, so that factors become terms."""
    return bool(getattr(score, "logarithmic", False))


def log_chance(
    constraints: tuple[Posterior | Success, ...], x: Float[Array, "n d"]
) -> Float[Array, " n"]:
    """Log of the probability that all constraints hold, taken as independent."""
    logs = jnp.zeros(x.shape[0])
    for posterior in constraints:
        mean, sd = posterior.predict(x)
        logs = logs + jax.scipy.special.log_ndtr(mean / sd)
    return logs
