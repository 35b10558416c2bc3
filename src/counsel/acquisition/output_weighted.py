r"""LW-UCB: a confidence bound that looks harder where payoffs are rare and large.

$$ a(x) = \mu(x) + \kappa\, w(x)\, \sigma(x) $$   (LW-UCB eq. 16)
"""

from typing import ClassVar

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from counsel.acquisition.bounds import check_weight
from counsel.acquisition.terms import Round, Terms
from counsel.errors import InvalidInput
from counsel.models.density import OutputWeight, output_weight
from counsel.models.gp import Posterior


class WeightedBound(eqx.Module):
    posterior: Posterior
    kappa: Float[Array, ""]
    weight: OutputWeight
    chosen: int = eqx.field(static=True)
    whole: ClassVar[bool] = False

    def terms(self, x: Float[Array, "n d"]) -> Terms:
        mean, sd = self.posterior.predict(x)
        weight = self.weight(x[:, : self.chosen])
        return {"exploitation": mean, "approximation": self.kappa * weight * sd}


class LWUCB(eqx.Module):
    r"""Output-weighted UCB with a mixture of `components`.

    The paper's form (`floor=0`) gives little weight to whatever the early posterior takes for
    ordinary, and may never look there again. By default the weight is earned: the uniform share is

    $$ \text{floor} = 1 - \frac{\mathrm{Var}[\mu]}{\mathrm{Var}[\mu] + \mathrm{E}[\sigma^2]} $$

    over the sample, the share of variation that the posterior does not explain yet: V-UCB in the
    beginning, the paper's bound in the end. This is ours, not the paper's.
    """

    kappa: float = 2.0
    components: int = eqx.field(static=True, default=4)
    floor: float | None = None
    name: ClassVar[str] = "lw-ucb"

    def __check_init__(self) -> None:
        check_weight("kappa", self.kappa)
        if self.components < 1:
            raise InvalidInput("components", self.components, "Give at least one component.")
        if self.floor is not None and not 0.0 <= self.floor <= 1.0:
            raise InvalidInput("floor", self.floor, "Give a share between 0 and 1, or None.")

    def score(self, posterior: Posterior, round: Round) -> WeightedBound:
        sample = jnp.asarray(round.sample)
        mean, sd = posterior.predict(sample)
        # In standardised units, where squares neither overflow nor vanish.
        mean, sd = (mean - posterior.offset) / posterior.scale, sd / posterior.scale
        unexplained = jnp.mean(sd**2)
        earned = unexplained / (jnp.var(mean) + unexplained)
        floor = earned if self.floor is None else jnp.asarray(self.floor, dtype=jnp.float64)
        points = sample[:, : round.chosen]
        weight = output_weight(mean, points, round.prior, self.components, floor)
        kappa = jnp.asarray(self.kappa, dtype=jnp.float64)
        return WeightedBound(posterior, kappa, weight, round.chosen)
