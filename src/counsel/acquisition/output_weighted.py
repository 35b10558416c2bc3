r"""LW-UCB: a confidence bound that looks harder where payoffs are rare and large.

$$ a(x) = \mu(x) + \kappa\, w(x)\, \sigma(x) $$   (LW-UCB eq. 16)
"""

from typing import ClassVar

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from counsel.acquisition.registry import acquisitions
from counsel.acquisition.terms import Round, Terms
from counsel.acquisition.upper_confidence import check_weight
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


@acquisitions.register(
    "lw-ucb",
    title="LW-UCB",
    sentence="V-UCB that looks harder where payoffs are rare and large.",
)
class LWUCB(eqx.Module):
    """Output-weighted UCB with a mixture of `components`.

    `paper` is the weight as printed. It starves what the early posterior takes for ordinary and
    may never look there again; `models.density` says how ours departs from it.
    """

    kappa: float = 2.0
    components: int = eqx.field(static=True, default=4)
    paper: bool = eqx.field(static=True, default=False)

    def __check_init__(self) -> None:
        check_weight("kappa", self.kappa)
        if self.components < 1:
            raise InvalidInput("components", self.components, "Give at least one component.")

    def score(self, posterior: Posterior, round: Round) -> WeightedBound:
        sample = jnp.asarray(round.sample)
        # In standardised units, where squares neither overflow nor vanish.
        mean = (posterior.mean(sample) - posterior.offset) / posterior.scale
        points = sample[:, : round.chosen]
        weight = output_weight(mean, points, round.prior, self.components, paper=self.paper)
        kappa = jnp.asarray(self.kappa, dtype=jnp.float64)
        return WeightedBound(posterior, kappa, weight, round.chosen)
