r"""The value of a measurement: how much it raises the best expected payoff, or tells about it.

Knowledge gradient (Frazier et al. 2009): how much the largest posterior mean is expected to rise,

$$ \mathrm{KG}(x) = E_z \max_i \left(\mu_i + \tilde\sigma_i(x)\, z\right) - \max_i \mu_i,
   \qquad \tilde\sigma_i(x) = \frac{\mathrm{cov}(x_i, x)}{\sqrt{\sigma^2(x) + \sigma_n^2}} $$

over x itself and the points of the space that promise most, with z standard normal. Between nodes
0.1 apart, from -4 to 4, the maximum is replaced by its chord and integrated exactly: the error is
mostly below a hundredth. (That of a Gauss-Hermite sum of 20 nodes is four hundredths or more,
because a maximum has kinks.)

Max-value entropy search (Wang and Jegelka 2017): how much is learned about the largest payoff y*,

$$ \mathrm{MES}(x) = \frac{1}{K} \sum_k \left[ \frac{\gamma_k \phi(\gamma_k)}{2 \Phi(\gamma_k)}
   - \log \Phi(\gamma_k) \right], \qquad \gamma_k = \frac{y^*_k - \mu(x)}{\sigma(x)} $$

The y* are quantiles of a Gumbel distribution, fitted to that of the largest of independent payoffs
over the space, as in the paper; quantiles instead of draws keep a round free of chance.
"""

import math
from typing import ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from counsel.acquisition.improvement import best_of, gain_in_units, gain_on_scale
from counsel.acquisition.registry import acquisitions
from counsel.acquisition.survey import survey_points
from counsel.acquisition.terms import Round, Survey, Terms, total
from counsel.acquisition.upper_confidence import noise_variance
from counsel.facts.checks import check_whole
from counsel.models.gp import Posterior
from counsel.space import AnySpace

_BISECTIONS = 60


def _chords(nodes: Float[np.ndarray, " q"]) -> Float[np.ndarray, " q"]:
    """Weights that integrate a chord from node to node against the standard normal density.

    The first and the last chord go on to infinity.
    """
    ends = np.concatenate([[-np.inf], nodes[1:-1], [np.inf]])
    below = np.array([0.5 * math.erfc(-end / math.sqrt(2.0)) for end in ends])
    density = np.exp(-0.5 * ends**2) / math.sqrt(2.0 * math.pi)
    mass, moment = np.diff(below), -np.diff(density)
    left, right, width = nodes[:-1], nodes[1:], np.diff(nodes)
    weights = np.zeros_like(nodes)
    weights[:-1] += (right * mass - moment) / width
    weights[1:] += (moment - left * mass) / width
    return weights


_NODES = np.linspace(-4.0, 4.0, 81)
_WEIGHTS = _chords(_NODES)


class Knowledge(eqx.Module):
    """The score of the knowledge gradient."""

    posterior: Posterior
    points: Float[Array, "r d"]  # where the payoffs may be largest
    means: Float[Array, " r"]
    whole: ClassVar[bool] = False

    def terms(self, x: Float[Array, "n d"]) -> Terms:
        # In standardised units, where squares neither overflow nor vanish.
        scale = self.posterior.scale
        mean, sd = (each / scale for each in self.posterior.predict(x))
        means = self.means / scale
        spread = jnp.sqrt(sd**2 + noise_variance(self.posterior, x))
        moves = self.posterior.between(x, self.points) / spread[:, None]
        own = sd**2 / spread
        best = jnp.maximum(jnp.max(means), mean)

        def add(i: Array, risen: Float[Array, " n"]) -> Float[Array, " n"]:
            node = jnp.asarray(_NODES)[i]
            there = jnp.max(means + moves * node, axis=1)
            return risen + jnp.asarray(_WEIGHTS)[i] * (jnp.maximum(there, mean + own * node) - best)

        risen = jax.lax.fori_loop(0, len(_NODES), add, jnp.zeros_like(mean))
        return {"knowledge": scale * jnp.maximum(risen, 0.0)}

    def parts(self, x: Float[Array, "n d"]) -> Terms:
        gain = self.terms(x)["knowledge"]
        return {"knowledge": gain_in_units(gain, jnp.max(self.means), self.posterior.warp)}

    def joined(self, parts: Terms) -> Float[Array, " n"]:
        return gain_on_scale(parts["knowledge"], jnp.max(self.means), self.posterior.warp)

    def log_weights(self, parts: Terms) -> Terms:
        return {name: jnp.zeros_like(part) for name, part in parts.items()}


@acquisitions.register(
    "knowledge-gradient",
    title="Knowledge gradient",
    sentence="The expected rise of the best payoff that is believed in.",
)
class KnowledgeGradient(eqx.Module):
    """How much one measurement is expected to raise the largest posterior mean.

    The maximum is taken over x and the `points` of the space with the largest mean + 2 sd.
    """

    points: int = eqx.field(static=True, default=256)

    def __check_init__(self) -> None:
        check_whole("points", self.points, least=1)

    def survey(self, space: AnySpace, context: Float[np.ndarray, " c"], seed: int) -> Survey:
        return Survey(survey_points(space, context, seed))

    def surveyed(self) -> "KnowledgeGradient":
        return self

    def score(self, posterior: Posterior, round: Round) -> Knowledge:
        points = _everywhere(round)
        mean, sd = posterior.predict(points)
        _, best = jax.lax.top_k(mean + 2.0 * sd, min(self.points, points.shape[0]))
        return Knowledge(posterior, points[best], mean[best])


class Information(eqx.Module):
    """The score of max-value entropy search."""

    posterior: Posterior
    maxima: Float[Array, " k"]
    whole: ClassVar[bool] = False

    def terms(self, x: Float[Array, "n d"]) -> Terms:
        mean, sd = self.posterior.predict(x)
        gamma = (self.maxima[:, None] - mean) / sd
        below = jax.scipy.special.log_ndtr(gamma)
        hazard = jnp.exp(jax.scipy.stats.norm.logpdf(gamma) - below)
        return {"information": jnp.mean(0.5 * gamma * hazard - below, axis=0)}

    def parts(self, x: Float[Array, "n d"]) -> Terms:
        return self.terms(x)

    def joined(self, parts: Terms) -> Float[Array, " n"]:
        return total(parts)

    def log_weights(self, parts: Terms) -> Terms:
        return {name: jnp.zeros_like(part) for name, part in parts.items()}


@acquisitions.register(
    "max-value-entropy",
    title="Max-value entropy search",
    sentence="What a trial tells about how large the best payoff is.",
)
class MaxValueEntropy(eqx.Module):
    """What a noise-free measurement tells about the largest payoff, at `draws` values of it."""

    draws: int = eqx.field(static=True, default=16)

    def __check_init__(self) -> None:
        check_whole("draws", self.draws, least=1)

    def survey(self, space: AnySpace, context: Float[np.ndarray, " c"], seed: int) -> Survey:
        return Survey(survey_points(space, context, seed))

    def surveyed(self) -> "MaxValueEntropy":
        return self

    def score(self, posterior: Posterior, round: Round) -> Information:
        mean, sd = posterior.predict(_everywhere(round))
        share = (jnp.arange(self.draws) + 0.5) / self.draws
        maxima = _gumbel(mean, sd, share)
        # The largest payoff is at least the best that is believed in now.
        least = best_of(posterior.mean(round.tried(posterior.data.x)), posterior, round)
        return Information(posterior, jnp.maximum(maxima, least))


def _gumbel(
    mean: Float[Array, " s"], sd: Float[Array, " s"], shares: Float[Array, " k"]
) -> Float[Array, " k"]:
    """Quantiles of the largest of independent payoffs, by a Gumbel through its quartiles."""
    low = jnp.max(mean - 5.0 * sd)
    high = jnp.max(mean) + 8.0 * jnp.max(sd)

    def quantile(share: float) -> Float[Array, ""]:
        def halve(_: Array, ends: tuple[Array, Array]) -> tuple[Array, Array]:
            middle = 0.5 * (ends[0] + ends[1])
            below = jnp.sum(jax.scipy.special.log_ndtr((middle - mean) / sd)) < jnp.log(share)
            return jnp.where(below, middle, ends[0]), jnp.where(below, ends[1], middle)

        return jax.lax.fori_loop(0, _BISECTIONS, halve, (low, high))[1]

    quarter, half, three = (quantile(share) for share in (0.25, 0.5, 0.75))
    # The quantile q of a Gumbel distribution is place - width log(-log q).
    width = (three - quarter) / (jnp.log(jnp.log(4.0)) - jnp.log(jnp.log(4.0 / 3.0)))
    place = half + width * jnp.log(jnp.log(2.0))
    return place - width * jnp.log(-jnp.log(shares))


def _everywhere(round: Round) -> Float[Array, "s d"]:
    survey = round.survey or Survey()
    return jnp.asarray(round.sample if survey.points is None else survey.points)
