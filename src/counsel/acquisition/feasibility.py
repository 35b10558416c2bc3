r"""Adds constraints to any acquisition: each adds the log of the probability that it holds.

$$ a_c(x) = a(x) + \text{weight} \cdot u \sum_i \log P(c_i(x) \ge 0) $$

Every constraint is a term of its own, `feasibility:i`. For an acquisition in log space u is 1, so
that with weight 1 expected improvement is multiplied by the chances (Gardner et al. 2014). For the
others u is the standard deviation of the payoffs seen so far: a chance that is smaller by a factor
of e costs as much as `weight` of them, and where a constraint surely holds nothing is left of it.

What is explained of a constraint is the chance itself, not its logarithm, whose average over a
space is all tail.

`weight=None` multiplies instead, $ (a(x) - \text{floor}) \prod_i P(c_i(x) \ge 0) $, with the least
value over the round's sample as the floor. It is there for studies that began so, and replays them.
Every term that they recorded is a product with a chance; what is explained is still told apart.

Each constraint has a Gaussian process of its own. These policies ask about everything in every
trial, and then correlated models predict hardly better; asking less is what `policies.dmcl` is for.
"""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from counsel.acquisition.terms import (
    Acquisition,
    Round,
    Score,
    Terms,
    joined,
    log_weights,
    parts,
    total,
)
from counsel.facts.terms import about
from counsel.models.gp import Posterior
from counsel.models.success import Success

_KIND = "feasibility"


class FeasibleScore(eqx.Module):
    """A score and constraints, whose numbers among all constraints are `which`, from 1 on."""

    score: Score
    constraints: tuple[Posterior | Success, ...]
    which: tuple[int, ...] = eqx.field(static=True)
    unit: Float[Array, ""]  # the weight times u
    floor: Float[Array, ""] | None = None  # where chances multiply

    @property
    def whole(self) -> bool:
        return self.score.whole

    @property
    def logarithmic(self) -> bool:
        return in_logs(self.score)

    @property
    def posterior(self) -> Posterior | None:
        """What is believed of the objective."""
        return getattr(self.score, "posterior", None)

    def terms(self, x: Float[Array, "n d"]) -> Terms:
        terms = self.score.terms(x)
        if self.floor is None:
            return {**terms, **{tag: self.unit * log for tag, log in self._logs(x).items()}}
        logs = log_chance(self.constraints, x)
        if in_logs(self.score):
            return {**terms, _KIND: logs}
        chance = jnp.exp(logs)
        first = next(iter(terms))
        lifted = {**terms, first: terms[first] - self.floor}
        return {name: chance * term for name, term in lifted.items()}

    def continued(self, points: Float[Array, "m d"]) -> "FeasibleScore":
        """The score as a function of any points, where that of the objective was a joint draw."""
        return eqx.tree_at(lambda s: s.score, self, self.score.continued(points))  # type: ignore[attr-defined]

    def parts(self, x: Float[Array, "n d"]) -> Terms:
        chances = {tag: jnp.exp(log) for tag, log in self._logs(x).items()}
        return {**parts(self.score, x), **chances}

    def joined(self, parts: Terms) -> Float[Array, " n"]:
        own, logs = self._apart(parts)
        value = joined(self.score, own)
        if self.floor is None:
            return value + self.unit * logs
        return value + logs if in_logs(self.score) else (value - self.floor) * jnp.exp(logs)

    def log_weights(self, parts: Terms) -> Terms:
        """Where chances multiply, each weighs as much as what it multiplies."""
        own, _ = self._apart(parts)
        weight = self.unit
        if self.floor is not None and not in_logs(self.score):
            weight = joined(self.score, own) - self.floor
        like = next(iter(parts.values()))
        chances = {tag: jnp.broadcast_to(weight, like.shape) for tag in self._tags()}
        return {**log_weights(self.score, own), **chances}

    def _tags(self) -> tuple[str, ...]:
        return tuple(about(_KIND, number) for number in self.which)

    def _logs(self, x: Float[Array, "n d"]) -> Terms:
        each = (log_chance((belief,), x) for belief in self.constraints)
        return dict(zip(self._tags(), each, strict=True))

    def _apart(self, parts: Terms) -> tuple[Terms, Float[Array, " n"]]:
        """The parts of the score without constraints, and the log of all chances together."""
        own = {name: part for name, part in parts.items() if name not in self._tags()}
        return own, sum((jnp.log(parts[tag]) for tag in self._tags()), jnp.zeros(()))


class Feasible(eqx.Module):
    """`acquisition` under `constraints`: posteriors of margins that must be 0 or more."""

    acquisition: Acquisition
    constraints: tuple[Posterior | Success, ...]
    which: tuple[int, ...] = eqx.field(static=True)
    weight: Float[Array, ""] | None = None

    def score(self, posterior: Posterior, round: Round) -> FeasibleScore:
        score = self.acquisition.score(posterior, round)
        one = jnp.ones(())
        if self.weight is not None:
            unit = self.weight * (one if in_logs(score) else posterior.scale)
            return FeasibleScore(score, self.constraints, self.which, unit)
        floor = jnp.zeros(())
        if not in_logs(score):
            floor = jnp.min(total(score.terms(jnp.asarray(round.sample))))
        return FeasibleScore(score, self.constraints, self.which, one, floor)


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
