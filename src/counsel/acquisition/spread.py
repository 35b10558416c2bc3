"""The distance of a point from earlier trials, which spreads the first trials of a study."""

from typing import ClassVar

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from counsel.acquisition.terms import Terms
from counsel.models.gp import bucket
from counsel.models.kernels import Numbers

__all__ = ["Spread"]

_FAR = 1e3


class Spread(eqx.Module):
    """The distance to the nearest of some points, in the unit cube; padded with points far away."""

    taken: Float[Numbers, "k e"]
    whole: ClassVar[bool] = False

    @classmethod
    def over(cls, taken: Float[np.ndarray, "k e"]) -> "Spread":
        padded = np.full((bucket(len(taken)), taken.shape[1]), _FAR)
        padded[: len(taken)] = taken
        return cls(padded)

    def terms(self, x: Float[Array, "n d"]) -> Terms:
        chosen = x[:, : self.taken.shape[1]]
        squares = jnp.sum((chosen[:, None, :] - self.taken[None, :, :]) ** 2, axis=2)
        return {"spread": jnp.sqrt(jnp.min(squares, axis=1))}
