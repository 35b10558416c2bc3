r"""The imprecise Gaussian process: how much the prior mean matters (Mangili 2016).

The prior is a set: constant means M h with h = -1 or +1 and M >= 0, each believed with variance
(1 + M)/c. With K the kernel matrix and noise, s = K^-1 1, S = 1'K^-1 1 and k = k(x, X), the level
that the data and a prior give is

$$ b = \frac{s'y + c\,h\,u}{S + c\,(1 - u)}, \qquad u = \frac{M}{1 + M} \in [0, 1), $$

and the posterior mean is k'K^-1 y + b (1 - k's): upper and lower means differ by |1 - k's| times
the spread of b over the set,

$$ \frac{2c}{S} \;\text{ if } \frac{|s'y|}{S} \le 1 + \frac{c}{S}, \qquad
   \frac{|s'y| + c}{S} - \frac{|s'y|}{S + c} \;\text{ else.} $$

Only kernel vectors enter, so this holds for any number of inputs. The papers' second case has s'y
without the absolute value, which is right for s'y > 0 only. y is standardised, so that c (the
`imprecision`) means the same in every unit: about that many observations' worth of doubt.
"""

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from counsel.models.gp import Posterior
from counsel.models.kernels import Numbers


class ImpreciseMean(eqx.Module):
    """The weighted gap between the upper and the lower posterior mean of a set of priors."""

    posterior: Posterior
    level: Float[Array, " N"]  # s
    spread: Float[Array, ""]  # of b over the set, times the weight

    def gap(self, x: Float[Numbers, "m d"]) -> Float[Array, " m"]:
        away = jnp.abs(1.0 - self.level @ self.posterior._cross(x))
        return self.posterior.scale * self.spread * away


def imprecise_mean(
    posterior: Posterior, imprecision: Float[Array, ""], weight: float | Float[Array, ""] = 1.0
) -> ImpreciseMean:
    mask = jnp.asarray(posterior.data.mask)
    y = mask * (posterior.data.y - posterior.offset) / posterior.scale
    level = (posterior.root @ mask) @ posterior.root
    total = level @ mask
    size = jnp.abs(level @ y)
    near = 2.0 * imprecision / total
    far = (size + imprecision) / total - size / (total + imprecision)
    spread = jnp.where(size <= total + imprecision, near, far)
    return ImpreciseMean(posterior, level, weight * spread)
