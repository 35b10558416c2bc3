r"""Upper confidence bounds: mean plus a weighted standard deviation.

$$ a(x) = \mu(x) + \text{weight} \cdot \sigma(x) $$

The risk-averse bound subtracts the noise of a measurement; the uncertainty-aware one also adds what
the choice of prior leaves open (ShapleyBO eqs. 6, 7, turned to maximisation):

$$ a(x) = \mu(x) + \kappa\,\sigma(x) + \rho\,(\overline\mu(x) - \underline\mu(x))
   - \alpha\,\mathrm{noise}(x) $$
"""

from typing import ClassVar

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from counsel.acquisition.registry import acquisitions
from counsel.acquisition.terms import Round, Terms
from counsel.errors import InvalidInput
from counsel.models.gp import Posterior
from counsel.models.imprecise import ImpreciseMean, imprecise_mean

MEASURES = ("sd", "variance")
DOMAINS = ("joint", "chosen")


class Bound(eqx.Module):
    """The score of every plain confidence bound."""

    posterior: Posterior
    weight: Float[Array, ""]
    whole: ClassVar[bool] = False

    def terms(self, x: Float[Array, "n d"]) -> Terms:
        mean, sd = self.posterior.predict(x)
        return {"exploitation": mean, "approximation": self.weight * sd}

    def at_most(self, rows: int) -> "Bound":
        return Bound(self.posterior.roughly(rows), self.weight)


@acquisitions.register(
    "v-ucb", title="V-UCB", sentence="Mean plus a constant times the standard deviation."
)
class VUCB(eqx.Module):
    """V-UCB: a constant weight kappa (LW-UCB eq. 9)."""

    kappa: float = 2.0

    def __check_init__(self) -> None:
        check_weight("kappa", self.kappa)

    def score(self, posterior: Posterior, round: Round) -> Bound:
        return Bound(posterior, jnp.asarray(self.kappa, dtype=jnp.float64))


@acquisitions.register(
    "gp-ucb",
    title="GP-UCB",
    sentence="Mean plus a multiple of the standard deviation that grows with the rounds.",
)
class GPUCB(eqx.Module):
    r"""GP-UCB: weight sqrt(beta_t), beta_t = 2 log(|D| t^2 pi^2 / (6 delta)) (LW-UCB eq. 10).

    D is everything that the bound has to hold for: every alternative and, with contexts, every pair
    of an alternative and a context (Krause and Ong 2011). A number counts as a grid of 100, or as
    the values it has if they are fewer. `domain="chosen"` leaves the contexts out and counts every
    parameter of a box as a grid of 100. It exists to replay studies that began with it.
    """

    delta: float = 0.1
    domain: str = eqx.field(static=True, default="joint")

    def __check_init__(self) -> None:
        if not 0.0 < self.delta < 1.0:
            raise InvalidInput("delta", self.delta, "Give a probability between 0 and 1.")
        if self.domain not in DOMAINS:
            raise InvalidInput("domain", self.domain, "Use 'joint' or 'chosen'.")

    def score(self, posterior: Posterior, round: Round) -> Bound:
        t = jnp.maximum(round.t, 1).astype(jnp.float64)
        size = round.size
        if self.domain == "joint" and round.domain is not None:
            size = round.domain
        beta = 2.0 * jnp.log(size * t**2 * jnp.pi**2 / (6.0 * self.delta))
        return Bound(posterior, jnp.sqrt(beta))


class AwareBound(eqx.Module):
    """The score of the risk-averse and the uncertainty-aware bound."""

    posterior: Posterior
    kappa: Float[Array, ""]
    risk: Float[Array, ""]
    measure: str = eqx.field(static=True)
    imprecise: ImpreciseMean | None = None  # its gap already weighted
    whole: ClassVar[bool] = False

    def terms(self, x: Float[Array, "n d"]) -> Terms:
        mean, sd = self.posterior.predict(x)
        terms = {"exploitation": mean, "approximation": self.kappa * sd}
        if self.imprecise is not None:
            terms["model"] = self.imprecise.gap(x)
        return terms | {"aleatoric": -self.risk * noise_at(self.posterior, x, self.measure)}


@acquisitions.register(
    "risk-averse",
    title="Risk-averse bound",
    sentence="V-UCB that keeps away from where measurements vary.",
)
class RiskAverse(eqx.Module):
    """Mean plus kappa sd, less `risk` times the noise there (ShapleyBO eq. 6; RAHBO).

    The noise is its standard deviation, in the units of the payoff; `measure="variance"` takes the
    variance, as RAHBO does.
    """

    kappa: float = 2.0
    risk: float = 1.0
    measure: str = eqx.field(static=True, default="sd")
    varying_noise: ClassVar[bool] = True

    def __check_init__(self) -> None:
        check_weight("kappa", self.kappa)
        check_weight("risk", self.risk)
        check_measure(self.measure)

    def score(self, posterior: Posterior, round: Round) -> AwareBound:
        kappa, risk = (jnp.asarray(w, dtype=jnp.float64) for w in (self.kappa, self.risk))
        return AwareBound(posterior, kappa, risk, self.measure)


@acquisitions.register(
    "uncertainty-aware",
    title="Uncertainty-aware bound",
    sentence="The risk-averse bound that also explores where the choice of prior matters.",
)
class UncertaintyAware(eqx.Module):
    """The risk-averse bound plus `model_weight` times the gap between prior means (eq. 7).

    `imprecision` is how wide the set of prior means is (see `models.imprecise`).
    """

    kappa: float = 2.0
    risk: float = 1.0
    model_weight: float = 1.0
    imprecision: float = 1.0
    measure: str = eqx.field(static=True, default="sd")
    varying_noise: ClassVar[bool] = True

    def __check_init__(self) -> None:
        for field in ("kappa", "risk", "model_weight", "imprecision"):
            check_weight(field, getattr(self, field))
        check_measure(self.measure)

    def score(self, posterior: Posterior, round: Round) -> AwareBound:
        given = (self.kappa, self.risk, self.model_weight, self.imprecision)
        kappa, risk, weight, imprecision = (jnp.asarray(w, dtype=jnp.float64) for w in given)
        imprecise = imprecise_mean(posterior, imprecision, weight)
        return AwareBound(posterior, kappa, risk, self.measure, imprecise)


def noise_at(posterior: Posterior, x: Float[Array, "n d"], measure: str) -> Float[Array, " n"]:
    """The noise of a measurement: from the noise model, or constant without one."""
    variance = noise_variance(posterior, x)
    if measure == "variance":
        return posterior.scale**2 * variance
    return posterior.scale * jnp.sqrt(variance)


def noise_variance(posterior: Posterior, x: Float[Array, "n d"]) -> Float[Array, " n"]:
    """The variance of a measurement's noise, in units of standardised outputs."""
    if posterior.noise_model is None:
        return jnp.broadcast_to(posterior.noise, x.shape[:1])
    return posterior.noise_model.variance(x)


def check_measure(measure: str) -> None:
    if measure not in MEASURES:
        raise InvalidInput("measure", measure, "Use 'sd' or 'variance'.")


def check_weight(field: str, value: float) -> None:
    if not isinstance(value, int | float | np.number) or not 0.0 <= value < float("inf"):
        raise InvalidInput(field, value, "Give a finite number that is zero or more.")
