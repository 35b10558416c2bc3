"""Posterior functions drawn whole, to be evaluated anywhere."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Key

from counsel.models.gp import Posterior
from counsel.models.kernels import Numbers


class PathwiseDraw(eqx.Module):
    r"""One posterior function, to be evaluated anywhere (Wilson et al. 2020).

    f(x) = phi(x)'w + k(x, X) K^-1 (y - phi(X)'w - noise):  a prior draw from random Fourier
    features, corrected by the exact update.
    """

    posterior: Posterior
    frequencies: Float[Array, "f d"]
    phases: Float[Array, " f"]
    coefficients: Float[Array, " f"]
    update: Float[Array, " N"]

    def __call__(self, x: Float[Numbers, "m d"]) -> Float[Array, " m"]:
        own = self.posterior
        prior = features(x, self.frequencies, self.phases) @ self.coefficients
        value = own.trend + prior + self.update @ own._cross(x)
        return own.offset + own.scale * value


def features(
    x: Float[Numbers, "m d"], frequencies: Float[Array, "f d"], phases: Float[Array, " f"]
) -> Float[Array, "m f"]:
    return jnp.cos(x @ frequencies.T + phases)


def pathwise_draw(post: Posterior, key: Key[Array, ""], count: int = 1024) -> PathwiseDraw:
    frequency_key, phase_key, weight_key, noise_key = jax.random.split(key, 4)
    frequencies = post.kernel.frequencies(frequency_key, count, post.data.x.shape[1])
    phases = jax.random.uniform(phase_key, (count,), maxval=2.0 * jnp.pi)
    amplitude = jnp.sqrt(2.0 * post.kernel.amplitude() / count)
    coefficients = amplitude * jax.random.normal(weight_key, (count,))
    mask = post.data.mask
    standard = mask * ((post.data.y - post.offset) / post.scale - post.trend)
    noise = jnp.sqrt(post.noise + post.jitter) * jax.random.normal(noise_key, mask.shape)
    prior = features(post.data.x, frequencies, phases) @ coefficients
    residual = mask * (standard - prior - noise)
    update = (post.root @ residual) @ post.root
    return PathwiseDraw(post, frequencies, phases, coefficients, update)
