r"""Expected improvement over the best posterior mean among the observed points.

$$ \mathrm{EI}(x) = \sigma(x)\, h\!\left(\frac{\mu(x) - \mu^*}{\sigma(x)}\right),
   \qquad h(z) = \phi(z) + z\,\Phi(z) $$

The score is log EI: far from the best, EI itself underflows to 0 and tells nothing apart
(Ament et al. 2023). The incumbent is the best posterior *mean* at observed points, not the best
noisy value, which would reward luck.
"""

import math
from typing import ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from counsel.acquisition.registry import acquisitions
from counsel.acquisition.terms import Round, Terms
from counsel.models.gp import Posterior

_TAIL = -4.0
_LEVELS = 40


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
    posterior: Posterior
    incumbent: Float[Array, ""]
    noise: Float[Array, ""]
    whole: ClassVar[bool] = False
    logarithmic: ClassVar[bool] = True

    def terms(self, x: Float[Array, "n d"]) -> Terms:
        mean, sd = self.posterior.predict(x)
        expected = jnp.log(sd) + log_h((mean - self.incumbent) / sd)
        # log(1 - noise/hypot(sd, noise)) in units of sd: nothing cancels, no square overflows.
        noise = self.noise / sd
        r = jnp.sqrt(1.0 + noise**2)
        return {"improvement": expected - jnp.log(r) - jnp.log(r + noise)}


@acquisitions.register(
    "ei",
    title="Expected improvement",
    sentence="How much better than the best so far a trial is expected to be.",
)
class EI(eqx.Module):
    r"""Expected improvement (LW-UCB eq. 11), one term in log space.

    By default augmented for noise (Huang et al. 2006): EI is multiplied by
    $1 - \sigma_n / \sqrt{\sigma^2(x) + \sigma_n^2}$, the share of uncertainty that one more
    measurement can remove. Without it the best point always keeps an EI of 0.4 sd, and a surrogate
    that is too sure of itself measures that point again and again.
    """

    augmented: bool = eqx.field(static=True, default=True)

    def score(self, posterior: Posterior, round: Round) -> LogImprovement:
        data = posterior.data
        mean, real = posterior.mean(data.x), jnp.asarray(data.mask) > 0.5
        incumbent = jnp.max(jnp.where(real, mean, -jnp.inf))
        if round.feasible is not None:
            # Of the trials that are likely to be feasible; without any, whatever is feasible counts
            # as an improvement.
            likely = real & (jnp.asarray(round.feasible) > 0.5)
            least = jnp.min(jnp.where(real, mean, jnp.inf))
            incumbent = jnp.maximum(least, jnp.max(jnp.where(likely, mean, -jnp.inf)))
        noise = posterior.scale * jnp.sqrt(posterior.noise) * self.augmented
        return LogImprovement(posterior, incumbent, noise)
