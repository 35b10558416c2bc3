"""The cosine of random features, and its slope."""

import jax
import jax.numpy as jnp
import numpy as np

from counsel.models.pathwise import cosine


def test_the_cosine_is_the_cosine() -> None:
    rng = np.random.default_rng(0)
    for size in (1.0, 1e3, 1e6):
        angles = np.concatenate([size * rng.normal(size=1000), 0.5 * np.pi * np.arange(-9, 10)])
        found = np.asarray(jax.jit(cosine)(angles))
        np.testing.assert_allclose(found, np.cos(angles), rtol=0, atol=1e-15)
        slope = np.asarray(jax.jit(jax.grad(lambda x: jnp.sum(cosine(x))))(angles))
        np.testing.assert_allclose(slope, -np.sin(angles), rtol=0, atol=1e-15)
