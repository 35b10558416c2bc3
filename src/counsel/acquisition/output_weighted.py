r"""Confidence bounds that weight exploration by how rare the predicted payoff is.

$$ a(x) = \mu(x) + \kappa\, w(x)\, \sigma(x) $$   (LW-UCB eq. 16)

`LWUCB` is the paper's, with the output weight of eqs. 14 and 15; `PrunedUCB` is a variant of ours.
`models.density` has both weights and says where they depart from the paper.

The density behind a weight comes from the arms or, over a box, from points that fill it in the
given context (`acquisition.survey`). The search's own candidates are unsuitable: they crowd around
the best trial and along the borders, so the best payoffs would look common. `density="search"` uses
these candidates anyway; it exists to replay studies that began with it.
"""

from typing import Any, ClassVar

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from counsel.acquisition.priors import as_prior, prior_at
from counsel.acquisition.registry import acquisitions
from counsel.acquisition.survey import cube, one_hot, survey_points
from counsel.acquisition.terms import Round, Survey, Terms, in_units, total
from counsel.acquisition.upper_confidence import check_weight
from counsel.errors import InvalidInput
from counsel.facts.checks import check_whole
from counsel.models.compiling import compiled
from counsel.models.density import OutputWeight, PrunedWeight, output_weight, pruned_weight
from counsel.models.gp import Posterior
from counsel.space import AnySpace, Arms

DENSITIES = ("space", "search")


class WeightedBound(eqx.Module):
    posterior: Posterior
    kappa: Float[Array, ""]
    weight: OutputWeight | PrunedWeight
    chosen: int = eqx.field(static=True)
    whole: ClassVar[bool] = False

    def terms(self, x: Float[Array, "n d"]) -> Terms:
        mean, sd = self.posterior.predict(x)
        weight = self.weight(x[:, : self.chosen])
        return {"exploitation": mean, "approximation": self.kappa * weight * sd}

    def parts(self, x: Float[Array, "n d"]) -> Terms:
        """What the weight adds to kappa sd, or takes from it, is a part of its own."""
        mean, sd = self.posterior.predict(x)
        weight = self.weight(x[:, : self.chosen])
        plain = self.kappa * sd
        apart = {"exploitation": mean, "approximation": plain, "rarity": (weight - 1.0) * plain}
        return in_units(apart, self.posterior, x)

    def joined(self, parts: Terms) -> Float[Array, " n"]:
        warp = self.posterior.warp
        return total(parts) if warp is None else warp.there(total(parts))

    def log_weights(self, parts: Terms) -> Terms:
        return {name: jnp.zeros_like(part) for name, part in parts.items()}


@acquisitions.register(
    "lw-ucb",
    title="LW-UCB",
    sentence="V-UCB that explores more where the predicted payoff is rare.",
)
class LWUCB(eqx.Module):
    """LW-UCB (eqs. 14 to 16): mean + kappa w sd, w the mixture of `components` of eq. 15.

    w is the likelihood ratio p_x / p_mu: it averages 1 over the space and is above 1 where the
    predicted payoff is rare, whether rarely large or rarely small. `prior` is p_x, uniform unless
    given (`acquisition.priors` has its forms). Regions that the early posterior considers ordinary
    get a small weight and may never be looked at again, above all labels that no trial has had.

    Departures from the paper: the posterior sd is that of the noise-free function; w is relative to
    the uniform density and knows choices (`models.density`).
    """

    kappa: float = 2.0
    components: int = eqx.field(static=True, default=4)
    # One of the forms of `priors.InputPrior`. It never reaches a compiled program, which only sees
    # its values at the points of the round's survey.
    prior: Any = eqx.field(converter=as_prior, default=None)
    density: str = eqx.field(static=True, default="space")

    def __check_init__(self) -> None:
        _check(self.kappa, self.components, self.density)
        if self.prior is not None and self.density == "search":
            raise InvalidInput("density", self.density, "Use 'space' together with a prior.")

    def survey(self, space: AnySpace, context: Float[np.ndarray, " c"], seed: int) -> Survey | None:
        if self.density == "search":
            return None
        points = survey_points(space, context, seed)
        prior = None
        if self.prior is not None:
            prior = prior_at(self.prior, space, _all_of(points, space, context))
        return Survey(points, prior, one_hot(space), cube(space))

    def surveyed(self) -> "LWUCB":
        return LWUCB(self.kappa, self.components, None, self.density)

    def score(self, posterior: Posterior, round: Round) -> WeightedBound:
        if self.prior is not None:
            raise InvalidInput(
                "prior", self.prior, "Score `surveyed()`, with a round that has the `survey`."
            )
        survey = round.survey or Survey()
        means, points = _means(posterior, round, survey)
        weight = output_weight(
            means, points, survey.prior, self.components, survey.choices, cube=survey.cube
        )
        kappa = jnp.asarray(self.kappa, dtype=jnp.float64)
        return WeightedBound(posterior, kappa, weight, round.chosen)


@acquisitions.register(
    "pruned-ucb",
    title="Pruned UCB",
    sentence="V-UCB that saves exploration where payoffs look ordinary.",
)
class PrunedUCB(eqx.Module):
    """V-UCB that saves exploration where payoffs are believed to be ordinary. Not from the paper.

    The weight is at most 1, so it never explores more than V-UCB with the same kappa, anywhere.
    """

    kappa: float = 2.0
    components: int = eqx.field(static=True, default=4)
    density: str = eqx.field(static=True, default="space")

    def __check_init__(self) -> None:
        _check(self.kappa, self.components, self.density)

    def survey(self, space: AnySpace, context: Float[np.ndarray, " c"], seed: int) -> Survey | None:
        if self.density == "search":
            return None
        return Survey(survey_points(space, context, seed), choices=one_hot(space))

    def surveyed(self) -> "PrunedUCB":
        return self

    def score(self, posterior: Posterior, round: Round) -> WeightedBound:
        survey = round.survey or Survey()
        means, points = _means(posterior, round, survey)
        weight = pruned_weight(means, points, self.components, survey.choices)
        kappa = jnp.asarray(self.kappa, dtype=jnp.float64)
        return WeightedBound(posterior, kappa, weight, round.chosen)


@compiled()
def weight_at(score: WeightedBound, points: Float[Array, "n d"]) -> Float[Array, " n"]:
    """w at points (context columns last)."""
    return score.weight(points[:, : score.chosen])


def _means(
    posterior: Posterior, round: Round, survey: Survey
) -> tuple[Float[Array, " q"], Float[Array, "q e"]]:
    """Posterior means over the space, and their points (chosen columns only)."""
    points = jnp.asarray(round.sample if survey.points is None else survey.points)
    # In standardised units, where squares neither overflow nor vanish.
    means = (posterior.mean(points) - posterior.offset) / posterior.scale
    return means, points[:, : round.chosen]


def _all_of(
    points: Float[np.ndarray, "q d"] | None, space: AnySpace, context: Float[np.ndarray, " c"]
) -> Float[np.ndarray, "n d"]:
    """The survey's points, or all arms in the given context."""
    if not isinstance(space, Arms):
        assert points is not None
        return points
    arms = space.points
    return np.concatenate([arms, np.tile(context, (len(arms), 1))], axis=1)


def _check(kappa: float, components: int, density: str) -> None:
    check_weight("kappa", kappa)
    check_whole("components", components, least=1)
    if density not in DENSITIES:
        raise InvalidInput("density", density, "Use 'space' or 'search'.")
