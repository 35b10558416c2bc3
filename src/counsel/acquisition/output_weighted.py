r"""Confidence bounds that weight exploration by how rare the predicted payoff is.

$$ a(x) = \mu(x) + \kappa\, w(x)\, \sigma(x) $$   (LW-UCB eq. 16)

`LWUCB` is the paper's, with the output weight of eqs. 14 and 15; `PrunedUCB` is a variant of ours.
`models.density` has both weights and says where they depart from the paper. `LWEI` and `LWIVR` put
the same weight into other rules (Blanchard and Sapsis 2021).

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

from counsel.acquisition.improvement import EI, LogImprovement
from counsel.acquisition.priors import as_prior, prior_at
from counsel.acquisition.registry import acquisitions
from counsel.acquisition.survey import POINTS, cube, one_hot, survey_points
from counsel.acquisition.terms import Round, Survey, Terms, in_units, total
from counsel.acquisition.upper_confidence import check_weight, noise_variance
from counsel.errors import InvalidInput
from counsel.facts.checks import check_whole
from counsel.models.compiling import compiled
from counsel.models.density import OutputWeight, PrunedWeight, output_weight, pruned_weight
from counsel.models.gp import Posterior
from counsel.space import AnySpace, Arms

DENSITIES = ("space", "search")
# Far from all components a mixture underflows to 0, which has no logarithm.
_LEAST_WEIGHT = 1e-30


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
        return None if self.density == "search" else _survey(self.prior, space, context, seed)

    def surveyed(self) -> "LWUCB":
        return LWUCB(self.kappa, self.components, None, self.density)

    def score(self, posterior: Posterior, round: Round) -> WeightedBound:
        weight = _weight(self.prior, self.components, posterior, round)
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


class WeightedImprovement(eqx.Module):
    improvement: LogImprovement
    weight: OutputWeight
    chosen: int = eqx.field(static=True)
    whole: ClassVar[bool] = False
    logarithmic: ClassVar[bool] = True

    @property
    def posterior(self) -> Posterior:
        return self.improvement.posterior

    def terms(self, x: Float[Array, "n d"]) -> Terms:
        return self.improvement.terms(x) | {"rareness": jnp.log(self._weight(x))}

    def parts(self, x: Float[Array, "n d"]) -> Terms:
        return self.improvement.parts(x) | {"rareness": self._weight(x)}

    def joined(self, parts: Terms) -> Float[Array, " n"]:
        return self.improvement.joined(parts) + jnp.log(parts["rareness"])

    def log_weights(self, parts: Terms) -> Terms:
        return self.improvement.log_weights(parts) | {"rareness": jnp.ones_like(parts["rareness"])}

    @property
    def raised(self) -> dict[str, Float[Array, ""]]:
        return self.improvement.raised

    def _weight(self, x: Float[Array, "n d"]) -> Float[Array, " n"]:
        return jnp.maximum(self.weight(x[:, : self.chosen]), _LEAST_WEIGHT)


@acquisitions.register(
    "lw-ei",
    title="LW-EI",
    sentence="Expected improvement, times how rare the predicted payoff is.",
)
class LWEI(eqx.Module):
    """EI (LW-UCB eq. 11, over the best posterior mean) times the output weight of eq. 15."""

    components: int = eqx.field(static=True, default=4)
    prior: Any = eqx.field(converter=as_prior, default=None)
    gaining: ClassVar[bool] = True

    def __check_init__(self) -> None:
        check_whole("components", self.components, least=1)

    def survey(self, space: AnySpace, context: Float[np.ndarray, " c"], seed: int) -> Survey:
        return _survey(self.prior, space, context, seed)

    def surveyed(self) -> "LWEI":
        return LWEI(self.components)

    def score(self, posterior: Posterior, round: Round) -> WeightedImprovement:
        weight = _weight(self.prior, self.components, posterior, round)
        improvement = EI(incumbent="mean").score(posterior, round)
        return WeightedImprovement(improvement, weight, round.chosen)


class Reduction(eqx.Module):
    """Mean plus kappa times what a measurement would settle over the whole space."""

    posterior: Posterior
    kappa: Float[Array, ""]
    points: Float[Array, "s d"]
    shares: Float[Array, " s"]
    whole: ClassVar[bool] = False

    def terms(self, x: Float[Array, "n d"]) -> Terms:
        mean, sd = self.posterior.predict(x)
        # In standardised units, where squares neither overflow nor vanish.
        scale = self.posterior.scale
        spread = jnp.sqrt((sd / scale) ** 2 + noise_variance(self.posterior, x))
        removed = (self.posterior.between(x, self.points) / spread[:, None]) ** 2
        settled = self.kappa * scale * jnp.sqrt(removed @ self.shares)
        return {"exploitation": mean, "reduction": settled}


@acquisitions.register(
    "lw-ivr",
    title="LW-IVR",
    sentence="Mean plus what a trial settles everywhere, above all where payoffs are rare.",
)
class LWIVR(eqx.Module):
    r"""Mean plus kappa times the output-weighted reduction of variance (Blanchard and Sapsis 2021).

    $$ a(x) = \mu(x) + \kappa \sqrt{\int \frac{\mathrm{cov}^2(x, x')}{\sigma^2(x) + \sigma_n^2}
       w(x')\,dx'} $$

    `weighted=False` has w = 1, the plain rule. Departures from the paper: the square root, so that
    kappa has no units; and the noise, which a measurement has. The integral is a sum over points
    that fill the space, or over the arms (at most 1,024 of them, evenly spaced in their list).
    """

    kappa: float = 2.0
    weighted: bool = eqx.field(static=True, default=True)
    components: int = eqx.field(static=True, default=4)
    prior: Any = eqx.field(converter=as_prior, default=None)

    def __check_init__(self) -> None:
        check_weight("kappa", self.kappa)
        check_whole("components", self.components, least=1)
        if not isinstance(self.weighted, bool):
            raise InvalidInput("weighted", self.weighted, "Give True or False.")

    def survey(self, space: AnySpace, context: Float[np.ndarray, " c"], seed: int) -> Survey:
        return _survey(self.prior, space, context, seed)

    def surveyed(self) -> "LWIVR":
        return LWIVR(self.kappa, self.weighted, self.components)

    def score(self, posterior: Posterior, round: Round) -> Reduction:
        survey = round.survey or Survey()
        points = jnp.asarray(round.sample if survey.points is None else survey.points)
        share = jnp.ones(points.shape[0]) if survey.prior is None else jnp.asarray(survey.prior)
        if self.weighted:
            weight = _weight(self.prior, self.components, posterior, round)
            share = share * weight(points[:, : round.chosen])
        if points.shape[0] > POINTS:
            some = np.linspace(0, points.shape[0] - 1, POINTS).astype(int)
            points, share = points[some], share[some]
        kappa = jnp.asarray(self.kappa, dtype=jnp.float64)
        return Reduction(posterior, kappa, points, share / jnp.sum(share))


@compiled()
def weight_at(score: WeightedBound, points: Float[Array, "n d"]) -> Float[Array, " n"]:
    """w at points (context columns last)."""
    return score.weight(points[:, : score.chosen])


def _survey(prior: Any, space: AnySpace, context: Float[np.ndarray, " c"], seed: int) -> Survey:
    points = survey_points(space, context, seed)
    known = None if prior is None else prior_at(prior, space, _all_of(points, space, context))
    return Survey(points, known, one_hot(space), cube(space))


def _weight(prior: Any, components: int, posterior: Posterior, round: Round) -> OutputWeight:
    if prior is not None:
        raise InvalidInput(
            "prior", prior, "Score `surveyed()`, with a round that has the `survey`."
        )
    survey = round.survey or Survey()
    means, points = _means(posterior, round, survey)
    return output_weight(means, points, survey.prior, components, survey.choices, cube=survey.cube)


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
