r"""Chooses the point to compare with a proposal: the one whose better of two is best.

$$ \mathrm{E}\max(f(x), f(r)) - \mathrm{E} f(r) = s(x)\, h\!\left(\frac{m(x)}{s(x)}\right) $$

with m and s the mean and sd of f(x) - f(r), r the rival already shown, and h(z) = phi(z) + z
Phi(z). This is the expected utility of the best option (EUBO, Lin et al. 2022), which for
noise-free answers is the best that one more question can do for the final choice.
"""

from typing import ClassVar

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from counsel.acquisition.improvement import log_h
from counsel.acquisition.registry import acquisitions
from counsel.acquisition.terms import Round, Terms
from counsel.models.gp import Posterior
from counsel.models.kernels import Numbers


class Challenge(eqx.Module):
    posterior: Posterior
    rival: Float[Numbers, " d"]
    whole: ClassVar[bool] = False

    def terms(self, x: Float[Array, "n d"]) -> Terms:
        mean, sd = self.posterior.ahead(x, self.rival[None, :])
        # In logs, like expected improvement: far from good points the value itself underflows.
        return {"challenge": jnp.log(sd) + log_h(mean / sd)}

    def parts(self, x: Float[Array, "n d"]) -> Terms:
        return {"challenge": jnp.exp(self.terms(x)["challenge"])}

    def joined(self, parts: Terms) -> Float[Array, " n"]:
        return jnp.log(parts["challenge"])

    def log_weights(self, parts: Terms) -> Terms:
        return {"challenge": jnp.ones_like(parts["challenge"])}


class Mean(eqx.Module):
    posterior: Posterior
    whole: ClassVar[bool] = False

    def terms(self, x: Float[Array, "n d"]) -> Terms:
        return {"exploitation": self.posterior.mean(x)}


class Champion(eqx.Module):
    """The expected utility alone: by it, the best of the points that were shown is chosen."""

    def score(self, posterior: Posterior, round: Round) -> Mean:
        return Mean(posterior)


@acquisitions.register(
    "challenger",
    title="Challenger",
    sentence="The point that makes the better of itself and a rival best in expectation.",
)
class Challenger(eqx.Module):
    """Expected utility of the better of x and `rival`, one term in log space."""

    rival: Float[Numbers, " d"]

    def score(self, posterior: Posterior, round: Round) -> Challenge:
        return Challenge(posterior, self.rival)
