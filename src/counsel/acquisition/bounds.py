r"""Upper confidence bounds: mean plus a weighted standard deviation.

$$ a(x) = \mu(x) + \text{weight} \cdot \sigma(x) $$
"""

from typing import ClassVar

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from counsel.acquisition.terms import Round, Terms
from counsel.errors import InvalidInput
from counsel.models.gp import Posterior


class Bound(eqx.Module):
    """The score of every plain confidence bound."""

    posterior: Posterior
    weight: Float[Array, ""]
    whole: ClassVar[bool] = False

    def terms(self, x: Float[Array, "n d"]) -> Terms:
        mean, sd = self.posterior.predict(x)
        return {"exploitation": mean, "approximation": self.weight * sd}


class VUCB(eqx.Module):
    """V-UCB: a constant weight kappa (LW-UCB eq. 9)."""

    kappa: float = 2.0
    name: ClassVar[str] = "v-ucb"

    def __check_init__(self) -> None:
        check_weight("kappa", self.kappa)

    def score(self, posterior: Posterior, round: Round) -> Bound:
        return Bound(posterior, jnp.asarray(self.kappa, dtype=jnp.float64))


class GPUCB(eqx.Module):
    r"""GP-UCB: weight sqrt(beta_t), beta_t = 2 log(|D| t^2 pi^2 / (6 delta)) (LW-UCB eq. 10)."""

    delta: float = 0.1
    name: ClassVar[str] = "gp-ucb"

    def __check_init__(self) -> None:
        if not 0.0 < self.delta < 1.0:
            raise InvalidInput("delta", self.delta, "Give a probability between 0 and 1.")

    def score(self, posterior: Posterior, round: Round) -> Bound:
        t = jnp.maximum(round.t, 1).astype(jnp.float64)
        beta = 2.0 * jnp.log(round.size * t**2 * jnp.pi**2 / (6.0 * self.delta))
        return Bound(posterior, jnp.sqrt(beta))


def check_weight(field: str, value: float) -> None:
    if not isinstance(value, int | float | np.number) or not 0.0 <= value < float("inf"):
        raise InvalidInput(field, value, "Give a finite number that is zero or more.")
