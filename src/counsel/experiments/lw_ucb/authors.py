r"""The LW-UCB authors' runs: their fit, their five rules, their density, their leak.

Read from their code (jax-bandits @ 6e054d5d), so that what they recorded can be compared method by
method. It differs from the paper and from Counsel:

* the surrogate has a zero mean after standardising, hyper-parameters without prior or bounds, and
  ten cold starts in every round; its sd includes the noise;
* EI drops the term (mean - best) Phi where the mean is below the best, which makes it explore more;
* GP-UCB's beta is (2/5) log(t^2 pi^2 / (6 delta)), without the number of arms;
* w is a mixture's density on the unit cube as it is, fitted to 10,000 Latin-hypercube points;
* on the wheel, `leak`: those points cover [0, 1]^2, the rewarding quarter of a domain that is
  [-1, 1]^2, and so w is near zero in the other three quarters, whatever was observed.

Where this departs from their code: EM weights the points instead of drawing them, starts from the
data instead of k-means, and lets no component become narrower than a fiftieth of the range
(`models.density`); one sample serves for p_mu and for the mixture; a Thompson draw comes from
random features; bounds that no fit reaches replace none.
"""

import dataclasses
from typing import ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.stats import norm
from jaxtyping import Array, Float, Int, Key

from counsel.acquisition.output_weighted import WeightedBound
from counsel.acquisition.terms import Round, Terms
from counsel.acquisition.upper_confidence import Bound
from counsel.models.density import OutputWeight, fit_mixture, likelihood_ratio
from counsel.models.descent import Minimum, minimise
from counsel.models.fit import pack, unpack
from counsel.models.gp import Data, Posterior, covariance, evidence, posterior
from counsel.models.kernels import Kernel, Numbers, Prior, SquaredExponential
from counsel.models.pathwise import pathwise_draw

__all__ = ["AuthorsEI", "AuthorsFit", "AuthorsGPUCB", "AuthorsLWUCB", "AuthorsTS"]

DELTA = 0.1
POINTS = 10_000
# They add this variance to the noise wherever they factorise.
JITTER = 1e-8
# Of the logs of length-scale, variance and noise.
_LOWEST, _HIGHEST = -18.0, 18.0
_EVALUATIONS = 100


class WithNoise(Kernel):
    """A kernel whose variance at a point includes the noise: a posterior's sd then does as well."""

    plain: Kernel
    noise: Float[Array, ""]

    def matrix(self, a: Float[Numbers, "n d"], b: Float[Numbers, "m d"]) -> Float[Array, "n m"]:
        return self.plain.matrix(a, b)

    def amplitude(self) -> Float[Array, ""]:
        return self.plain.amplitude() + self.noise

    def frequencies(self, key: Key[Array, ""], count: int, d: int) -> Float[Array, "f d"]:
        return self.plain.frequencies(key, count, d)

    def log_prior(self, prior: Prior) -> Float[Array, ""]:
        return self.plain.log_prior(prior)

    def bounds(self) -> tuple[Kernel, Kernel]:
        return self.plain.bounds()


class AuthorsFit(eqx.Module):
    """Zero mean, plain maximum likelihood from `restarts` cold starts."""

    restarts: int = eqx.field(static=True, default=10)

    def believe(
        self,
        like: Kernel,
        data: Data,
        n: Int[Array, ""],
        key: Key[Array, ""],
        last: Float[Array, " p"],
    ) -> tuple[Posterior, Float[Array, " p"]]:
        assert isinstance(like, SquaredExponential)
        standard, _, _ = data.standardised()

        def objective(theta: Float[Array, " p"]) -> Float[Array, ""]:
            kernel, noise = unpack(theta, like)
            K = covariance(kernel, noise + JITTER, data.x, data.mask)
            return -evidence(K, standard.y, data.mask, False, 0.0)

        low, high = jnp.full_like(last, _LOWEST), jnp.full_like(last, _HIGHEST)

        def attempt(i: Array, best: Minimum) -> Minimum:
            start = cold_start(like, jax.random.fold_in(key, i))
            found = minimise(
                objective,
                start,
                low,
                high,
                evaluations=_EVALUATIONS,
                largest_step=2.0,
                first_scale=1.0 / (1.0 + 0.5 * n),
            )
            better = found.value < best.value
            return jax.tree.map(lambda a, b: jnp.where(better, a, b), found, best)

        nothing = Minimum(last, jnp.asarray(jnp.inf), jnp.asarray(0), jnp.asarray(False))
        best = jax.lax.fori_loop(0, self.restarts, attempt, nothing)
        kernel, noise = unpack(best.x, like)
        noise = noise + JITTER
        belief = posterior(kernel, noise, data, fixed_trend=0.0)
        return dataclasses.replace(belief, kernel=WithNoise(kernel, noise)), best.x


def cold_start(like: SquaredExponential, key: Key[Array, ""]) -> Float[Array, " p"]:
    """Variance up to 50, length-scales up to 1, noise around e^-4."""
    variance, lengths, noise = jax.random.split(key, 3)
    least = 1e-8
    kernel = dataclasses.replace(
        like,
        variance=50.0 * jax.random.uniform(variance) + least,
        lengthscale=jax.random.uniform(lengths, like.lengthscale.shape) + least,
    )
    return pack(kernel, jnp.exp(-4.0 + jax.random.normal(noise)))


class AuthorsGPUCB(eqx.Module):
    def score(self, posterior: Posterior, round: Round) -> Bound:
        t = jnp.maximum(round.t, 1).astype(jnp.float64)
        beta = 0.4 * jnp.log(t**2 * jnp.pi**2 / (6.0 * DELTA))
        return Bound(posterior, jnp.sqrt(beta))


class _Improvement(eqx.Module):
    posterior: Posterior
    best: Float[Array, ""]
    whole: ClassVar[bool] = False

    def terms(self, x: Float[Array, "n d"]) -> Terms:
        mean, sd = self.posterior.predict(x)
        gain = mean - self.best
        above = jnp.maximum(gain, 0.0)
        return {"improvement": above * norm.cdf(gain / sd) + sd * norm.pdf(gain / sd)}


class AuthorsEI(eqx.Module):
    """EI over the best payoff observed, without the loss where the mean is below it."""

    def score(self, posterior: Posterior, round: Round) -> _Improvement:
        real = jnp.asarray(posterior.data.mask) > 0.5
        return _Improvement(posterior, jnp.max(jnp.where(real, posterior.data.y, -jnp.inf)))


class _NoisyDraw(eqx.Module):
    """One function, plus noise at every arm."""

    posterior: Posterior
    key: Key[Array, ""]
    features: int = eqx.field(static=True)
    whole: ClassVar[bool] = True

    def terms(self, x: Float[Array, "n d"]) -> Terms:
        own = self.posterior
        if isinstance(own.kernel, WithNoise):
            own = dataclasses.replace(own, kernel=own.kernel.plain)
        draw_key, noise_key = jax.random.split(self.key)
        drawn = pathwise_draw(own, draw_key, self.features)(x)
        noise = jnp.sqrt(own.noise) * own.scale
        return {"draw": drawn + noise * jax.random.normal(noise_key, drawn.shape)}


class AuthorsTS(eqx.Module):
    features: int = eqx.field(static=True, default=1024)

    def score(self, posterior: Posterior, round: Round) -> _NoisyDraw:
        return _NoisyDraw(posterior, round.key(), self.features)


class AuthorsLWUCB(eqx.Module):
    """Mean + kappa w sd; with `leak`, w comes from the upper quarter of the space alone."""

    kappa: float = 2.0
    components: int = eqx.field(static=True, default=4)
    leak: bool = eqx.field(static=True, default=False)

    def score(self, posterior: Posterior, round: Round) -> WeightedBound:
        d = round.chosen
        points = latin_hypercube(round.key(), POINTS, d)
        volume = 1.0
        if self.leak:
            points, volume = 0.5 + 0.5 * points, 0.5**d
        means = (posterior.mean(points) - posterior.offset) / posterior.scale
        mass = likelihood_ratio(means, None)
        mixture = fit_mixture(points, mass / jnp.sum(mass), self.components)
        # A density relative to the uniform one on the points' box.
        weight = OutputWeight(mixture, -jnp.log(jnp.asarray(volume)))
        return WeightedBound(posterior, jnp.asarray(self.kappa, dtype=jnp.float64), weight, d)


def latin_hypercube(key: Key[Array, ""], count: int, d: int) -> Float[Array, "n d"]:
    strata, inside = jax.random.split(key)
    ranks = jax.vmap(lambda k: jax.random.permutation(k, count))(jax.random.split(strata, d)).T
    return (ranks + jax.random.uniform(inside, (count, d))) / np.float64(count)
