r"""What people said, as a term of its own.

$$ a(x) + u\,\bigl(\mathbb{E}[f(x) \mid \text{measured, said}] - \mathbb{E}[f(x) \mid
   \text{measured}]\bigr) $$

People claim that some points are better than others. With these claims as data (`models.said`) the
points that they named are expected to pay more or less by s, and by how much any other point goes
along with them the model knows: c(x, P) C(P, P)^-1 s, with c its covariance given what was
measured. Where the model knows the payoff, c is 0, and nobody's word counts. u is 1, or 1 over the
objective's scale if the acquisition is a logarithm.
"""

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
    log_weights,
    total,
)
from counsel.models.gp import Posterior
from counsel.models.kernels import Numbers

__all__ = ["TERM", "Advised"]

TERM = "advice"


class AdvisedScore(eqx.Module):
    """A score, and what people's claims add to the payoff that the model expects."""

    score: Score
    belief: Posterior
    places: Float[Numbers, "q d"]
    weights: Float[Numbers, " q"]
    unit: Float[Array, ""]

    @property
    def whole(self) -> bool:
        return self.score.whole

    @property
    def posterior(self) -> Posterior | None:
        """What is believed of the objective, from measurements alone."""
        return getattr(self.score, "posterior", None)

    def _advice(self, x: Float[Array, "n d"]) -> Float[Array, " n"]:
        return self.unit * (self.belief.between(x, self.places) @ self.weights)

    def terms(self, x: Float[Array, "n d"]) -> Terms:
        return {**self.score.terms(x), TERM: self._advice(x)}

    def continued(self, points: Float[Array, "m d"]) -> "AdvisedScore":
        """The score as a function of any points, where that of the objective was a joint draw."""
        return eqx.tree_at(lambda s: s.score, self, self.score.continued(points))  # type: ignore[attr-defined]

    def parts(self, x: Float[Array, "n d"]) -> Terms:
        if isinstance(self.score, Parted):
            return {**self.score.parts(x), TERM: self._advice(x)}
        return in_units(self.terms(x), self.posterior, x)

    def joined(self, parts: Terms) -> Float[Array, " n"]:
        if isinstance(self.score, Parted):
            return self.score.joined(_rest(parts)) + parts[TERM]
        belief = self.posterior
        value = total(parts)
        return value if belief is None or belief.warp is None else belief.warp.there(value)

    def log_weights(self, parts: Terms) -> Terms:
        return {**log_weights(self.score, _rest(parts)), TERM: jnp.zeros_like(parts[TERM])}


class Advised(eqx.Module):
    """`acquisition`, and what people's claims add: `weights` times covariances with `places`."""

    acquisition: Acquisition
    places: Float[Numbers, "q d"]
    weights: Float[Numbers, " q"]

    def score(self, posterior: Posterior, round: Round) -> AdvisedScore:
        score = self.acquisition.score(posterior, round)
        unit = jnp.ones(()) if in_logs(score) else jnp.asarray(posterior.scale)
        return AdvisedScore(
            score, posterior, jnp.asarray(self.places), jnp.asarray(self.weights), unit
        )


def _rest(parts: Terms) -> Terms:
    return {name: part for name, part in parts.items() if name != TERM}
