"""An acquisition with one more term, which comes from people and not from measurements.

Each addition computes its own value. Here it gets its place among the terms and its unit: the
objective's scale, or 1 if the acquisition is a logarithm.
"""

import abc
from typing import ClassVar

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from counsel.acquisition.feasibility import in_logs
from counsel.acquisition.terms import (
    Acquisition,
    Parted,
    Round,
    Score,
    Terms,
    in_units,
    joined,
    log_weights,
    parts,
    raised,
    total,
)
from counsel.models.gp import Posterior

__all__ = ["Added", "Addition"]


class Addition(eqx.Module):
    """A term to add, by its tag.

    `payoff` says that it is about the payoff: on a scale such as `models.warp` has, it is then read
    back in the objective's units together with the other terms. Otherwise it counts beside them.
    """

    tag: ClassVar[str]
    payoff: ClassVar[bool]

    @abc.abstractmethod
    def at(
        self, x: Float[Array, "n d"], belief: Posterior, unit: Float[Array, ""]
    ) -> Float[Array, " n"]:
        """What it adds at points, given what was measured."""


class AddedScore(eqx.Module):
    """A score and what is added to it."""

    score: Score
    addition: Addition
    belief: Posterior
    unit: Float[Array, ""]

    @property
    def whole(self) -> bool:
        return self.score.whole

    @property
    def posterior(self) -> Posterior | None:
        """What is believed of the objective, from measurements alone."""
        return getattr(self.score, "posterior", None)

    def _term(self, x: Float[Array, "n d"]) -> Terms:
        return {self.addition.tag: self.addition.at(x, self.belief, self.unit)}

    def terms(self, x: Float[Array, "n d"]) -> Terms:
        return {**self.score.terms(x), **self._term(x)}

    def continued(self, points: Float[Array, "m d"]) -> "AddedScore":
        """The score as a function of any points, where that of the objective was a joint draw."""
        return eqx.tree_at(lambda s: s.score, self, self.score.continued(points))  # type: ignore[attr-defined]

    @property
    def _in_payoff(self) -> bool:
        return self.addition.payoff and not isinstance(self.score, Parted)

    def parts(self, x: Float[Array, "n d"]) -> Terms:
        if self._in_payoff:
            return in_units(self.terms(x), self.posterior, x)
        return {**parts(self.score, x), **self._term(x)}

    def joined(self, parts: Terms) -> Float[Array, " n"]:
        if not self._in_payoff:
            return joined(self.score, self._others(parts)) + parts[self.addition.tag]
        belief, value = self.posterior, total(parts)
        return value if belief is None or belief.warp is None else belief.warp.there(value)

    def log_weights(self, parts: Terms) -> Terms:
        own = self.addition.tag
        return {
            **log_weights(self.score, self._others(parts)),
            own: jnp.zeros_like(parts[own]),
        }

    @property
    def raised(self) -> dict[str, Float[Array, ""]]:
        return raised(self.score)

    def _others(self, parts: Terms) -> Terms:
        return {tag: part for tag, part in parts.items() if tag != self.addition.tag}


class Added(eqx.Module):
    """`acquisition` with an addition."""

    acquisition: Acquisition
    addition: Addition

    def score(self, posterior: Posterior, round: Round) -> AddedScore:
        score = self.acquisition.score(posterior, round)
        unit = jnp.ones(()) if in_logs(score) else jnp.asarray(posterior.scale)
        return AddedScore(score, self.addition, posterior, unit)
