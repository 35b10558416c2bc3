r"""What people said, as a term of its own.

$$ a(x) + u\,\bigl(\mathbb{E}[f(x) \mid \text{measured, said}] - \mathbb{E}[f(x) \mid
   \text{measured}]\bigr) $$

People claim that some points are better than others. With these claims as data (`models.said`), the
expected payoff of the points P that they named shifts by s. Every other point shifts with them, by
c(x, P) C(P, P)^-1 s, where c is the model's covariance given the measurements. Where the model
knows the payoff, c is 0, and claims change nothing. u is 1, or 1 over the objective's scale if the
acquisition is a logarithm.
"""

from typing import ClassVar

import jax.numpy as jnp
from jaxtyping import Array, Float

from counsel.acquisition.added import Addition
from counsel.models.gp import Posterior
from counsel.models.kernels import Numbers

__all__ = ["Advised"]


class Advised(Addition):
    """What claims add to the expected payoff: `weights` times covariances with `places`."""

    tag: ClassVar[str] = "advice"
    payoff: ClassVar[bool] = True

    places: Float[Numbers, "q d"]
    weights: Float[Numbers, " q"]

    def at(
        self, x: Float[Array, "n d"], belief: Posterior, unit: Float[Array, ""]
    ) -> Float[Array, " n"]:
        between = belief.between(x, jnp.asarray(self.places))
        return unit * (between @ jnp.asarray(self.weights))
