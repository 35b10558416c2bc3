r"""Expected improvement over the best payoff so far.

$$ \mathrm{EI}(x) = \sigma(x)\, h(\lambda(x)),
   \qquad \lambda(x) = \frac{\mu(x) - y^* - \xi}{\sigma(x)},
   \qquad h(z) = \phi(z) + z\,\Phi(z) $$   (LW-UCB eq. 11)

What is maximised is log EI: far from the best, EI itself underflows to 0 and tells nothing apart
(Ament et al. 2023). What is explained is EI, which has the same maximum. `EI` is the paper's,
`AugmentedEI` the one to use where measurements are noisy.
"""

import dataclasses
import math
from typing import ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from counsel.acquisition.feasibility import log_chance
from counsel.acquisition.registry import acquisitions
from counsel.acquisition.terms import Round, Terms, total
from counsel.acquisition.upper_confidence import check_weight
from counsel.errors import InvalidInput
from counsel.models.compiling import compiled
from counsel.models.gp import Posterior
from counsel.models.success import Success
from counsel.models.warp import Warp

INCUMBENTS = ("observed", "mean")
_TAIL = -4.0
_LEVELS = 40
# Of more points than this, every so many are looked at for the largest gain.
_LOOKED_AT = 8192
# A gain in standard deviations that is nothing, and still has a logarithm.
_NOTHING = 1e-300


def _tail_fraction(t: Float[Array, "..."]) -> Float[Array, "..."]:
    """c = 1/(t + 2/(t + 3/(t + ...))): 40 levels reach double precision for t >= 4."""
    c = t
    for level in range(_LEVELS, 1, -1):
        c = t + level / c
    return 1.0 / c


@jax.custom_jvp
def log_h(z: Float[Array, "..."]) -> Float[Array, "..."]:
    """log(phi(z) + z Phi(z)), accurate for every z.

    Below _TAIL, with t = -z, Laplace's continued fraction of the Mills ratio Phi/phi = 1/(t + c)
    gives h = phi(t) c / (t + c): nothing cancels.
    """
    near = jnp.maximum(z, _TAIL)
    density = jnp.exp(-0.5 * near**2) / math.sqrt(2.0 * math.pi)
    direct = jnp.log(density + near * jax.scipy.special.ndtr(near))
    t = -jnp.minimum(z, _TAIL)
    c = _tail_fraction(t)
    tail = -0.5 * t**2 - 0.5 * math.log(2.0 * math.pi) + jnp.log(c / (t + c))
    return jnp.where(z > _TAIL, direct, tail)


@log_h.defjvp
def _log_h_slope(
    primals: tuple[Float[Array, "..."]], tangents: tuple[Float[Array, "..."]]
) -> tuple[Float[Array, "..."], Float[Array, "..."]]:
    """h' = Phi, so the slope is Phi/h; in the tail that is 1/c."""
    (z,), (dz,) = primals, tangents
    value = log_h(z)
    near = jnp.maximum(z, _TAIL)
    direct = jax.scipy.special.ndtr(near) / jnp.exp(jnp.where(z > _TAIL, value, 0.0))
    tail = 1.0 / _tail_fraction(-jnp.minimum(z, _TAIL))
    return value, dz * jnp.where(z > _TAIL, direct, tail)


class LogImprovement(eqx.Module):
    """The log of the expected improvement; with `least`, of that and this much more.

    Far from any gain the logarithm falls without end, and any chance of a larger gain, however
    slim, would outweigh the chance that a trial works.
    """

    posterior: Posterior
    incumbent: Float[Array, ""]
    noise: Float[Array, ""]
    least: Float[Array, ""] | None = None
    whole: ClassVar[bool] = False
    logarithmic: ClassVar[bool] = True

    def terms(self, x: Float[Array, "n d"]) -> Terms:
        value = self._log(x)
        if self.least is not None:
            value = jnp.logaddexp(value, jnp.log(self.least))
        return {"improvement": value}

    def at_most(self, rows: int) -> "LogImprovement":
        """A larger sd promises more, whatever the mean."""
        return dataclasses.replace(self, posterior=self.posterior.roughly(rows))

    def _log(self, x: Float[Array, "n d"]) -> Float[Array, " n"]:
        mean, sd = self.posterior.predict(x)
        expected = jnp.log(sd) + log_h((mean - self.incumbent) / sd)
        # log(1 - noise/hypot(sd, noise)) in units of sd: nothing cancels, no square overflows.
        noise = self.noise / sd
        r = jnp.sqrt(1.0 + noise**2)
        return expected - jnp.log(r) - jnp.log(r + noise)

    def parts(self, x: Float[Array, "n d"]) -> Terms:
        """The improvement itself: what it is on average over a space is a number one can read.

        On the scale `warp` it is expected there, and read back from the incumbent's value on.
        """
        expected = jnp.exp(self._log(x))
        return {"improvement": gain_in_units(expected, self.incumbent, self.posterior.warp)}

    def joined(self, parts: Terms) -> Float[Array, " n"]:
        expected = gain_on_scale(parts["improvement"], self.incumbent, self.posterior.warp)
        return jnp.log(expected if self.least is None else expected + self.least)

    def log_weights(self, parts: Terms) -> Terms:
        return {"improvement": jnp.ones_like(parts["improvement"])}

    @property
    def raised(self) -> dict[str, Float[Array, ""]]:
        if self.least is None:
            return {}
        least = self.least[None]
        return {"improvement": gain_in_units(least, self.incumbent, self.posterior.warp)[0]}


def gain_in_units(
    gain: Float[Array, " n"], incumbent: Float[Array, ""], warp: Warp | None
) -> Float[Array, " n"]:
    """A gain over the incumbent on the scale `warp`, in the objective's units."""
    return gain if warp is None else warp.gained(gain, incumbent)


def gain_on_scale(
    gain: Float[Array, " n"], incumbent: Float[Array, ""], warp: Warp | None
) -> Float[Array, " n"]:
    """Undoes `gain_in_units`."""
    return gain if warp is None else warp.gain(gain, incumbent)


@acquisitions.register(
    "ei",
    title="Expected improvement",
    sentence="The expected gain over the best trial so far.",
)
class EI(eqx.Module):
    r"""Expected improvement (LW-UCB eq. 11), one term in log space, which has the same maximum.

    y* is the best payoff observed, noise and all. `xi` is the margin by which it has to be beaten,
    in standard deviations of the payoffs seen so far, as in the paper, which standardises them.
    `incumbent="mean"` improves on the best posterior mean at the observed points instead, which
    does not reward luck. So it is where there are contexts: what was observed in another one says
    nothing by itself. With constraints, trials that break them are not incumbents.
    """

    xi: float = 0.0
    incumbent: str = eqx.field(static=True, default="observed")
    gaining: ClassVar[bool] = True

    def __check_init__(self) -> None:
        check_weight("xi", self.xi)
        if self.incumbent not in INCUMBENTS:
            raise InvalidInput("incumbent", self.incumbent, "Use 'observed' or 'mean'.")

    def score(self, posterior: Posterior, round: Round) -> LogImprovement:
        data = posterior.data
        if self.incumbent == "mean" or round.in_context:
            values = posterior.mean(round.tried(data.x))
        else:
            values = jnp.asarray(data.y)
        best = best_of(values, posterior, round)
        margin = jnp.asarray(self.xi, dtype=jnp.float64) * posterior.scale
        # Zero noise, but computed: a constant would compile to other rounding, and studies must
        # replay bit for bit.
        nothing = posterior.scale * jnp.sqrt(posterior.noise) * 0.0
        return LogImprovement(posterior, best + margin, nothing, _least(posterior, round))


@acquisitions.register(
    "augmented-ei",
    title="Augmented expected improvement",
    sentence="Expected improvement for noisy payoffs, counting what a measurement can settle.",
)
class AugmentedEI(eqx.Module):
    r"""EI over the best posterior mean, augmented for noise (Huang et al. 2006).

    EI is multiplied by $1 - \sigma_n / \sqrt{\sigma^2(x) + \sigma_n^2}$, the share of uncertainty
    that one more measurement can remove. Without it the best point always keeps an EI of 0.4 sd,
    and a surrogate that is too sure of itself measures that point again and again. The incumbent is
    the best posterior *mean* at observed points, not the best noisy value, which would reward luck.
    """

    gaining: ClassVar[bool] = True

    def score(self, posterior: Posterior, round: Round) -> LogImprovement:
        best = best_of(posterior.mean(round.tried(posterior.data.x)), posterior, round)
        noise = posterior.scale * jnp.sqrt(posterior.noise)
        return LogImprovement(posterior, best, noise, _least(posterior, round))


@compiled(rows=lambda posterior, *_: len(posterior.data.y))
def most_gained(
    posterior: Posterior,
    feasible: Float[Array, " N"],
    constraints: tuple[Posterior | Success, ...],
    round: Round,
) -> Float[Array, ""]:
    """The largest expected gain over a round's sample in standard deviations of the objective.

    A trial that fails or breaks constraints gains nothing. `feasible` is as in the round, for the
    observations of this posterior.
    """
    points = jnp.asarray(round.sample)
    points = points[:: -(-len(points) // _LOOKED_AT)]
    plain = dataclasses.replace(round, feasible=feasible, least=None)
    score = EI(incumbent="mean").score(posterior, plain)
    gains = total(score.terms(points)) + log_chance(constraints, points)
    return jnp.maximum(jnp.exp(jnp.max(gains)) / posterior.scale, _NOTHING)


def _least(posterior: Posterior, round: Round) -> Float[Array, ""] | None:
    return None if round.least is None else jnp.asarray(round.least) * posterior.scale


def best_of(values: Float[Array, " N"], posterior: Posterior, round: Round) -> Float[Array, ""]:
    """The largest value among the (padded) observations that are likely to be feasible."""
    real = jnp.asarray(posterior.data.mask) > 0.5
    best = jnp.max(jnp.where(real, values, -jnp.inf))
    if round.feasible is None:
        return best
    # With none feasible, any feasible point is an improvement.
    likely = real & (jnp.asarray(round.feasible) > 0.5)
    least = jnp.min(jnp.where(real, values, jnp.inf))
    return jnp.maximum(least, jnp.max(jnp.where(likely, values, -jnp.inf)))
