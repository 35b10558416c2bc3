r"""Beliefs from several fits, each by how well it explains what was measured.

After a few trials nobody knows how fast payoffs change from point to point, nor how much of what
was measured is noise. A best fit pretends to: often it takes noise for payoffs that change fast,
and then the trials say next to nothing of points further off. Here length-scales and noise are
those of a grid, each pair with its evidence.

The grid is the same for every space and kernel: length-scales in units of those that the prior
expects, which grow with the number of parameters as distances do, and the noise as a share of the
variance of what was measured. It does not follow the best fit, whose error is the reason for it;
only the amplitude does. While trials are few they do not tell parameters apart either, so all have
the same length-scale.

Legend
    h fits, m points, n observations, p hyper-parameters
"""

import dataclasses
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from counsel.models.compiling import compiled
from counsel.models.fit import unpack
from counsel.models.gp import Data, posterior
from counsel.models.kernels import (
    Kernel,
    Matern,
    MaternProduct,
    Numbers,
    Product,
    SquaredExponential,
    Sum,
)

__all__ = ["Fits", "Mixture", "by_fit"]


class Fits(NamedTuple):
    """Which fits there are beside the best one, and for how long.

    lengths   length-scales, in units of those that the prior expects
    noises    variances of the noise, in those of what was measured; every pair is a fit
    few       up to how many trials: with more, the best fit is known well enough
    """

    lengths: Float[Numbers, " l"] = np.array([0.5, 1.0, 2.0, 4.0])
    noises: Float[Numbers, " s"] = np.array([0.005, 0.05, 0.3])
    few: Int[Numbers, ""] = np.asarray(16)

    @property
    def grid(self) -> Float[Array, "h 2"]:
        lengths, noises = jnp.meshgrid(self.lengths, self.noises, indexing="ij")
        return jnp.stack([lengths.ravel(), noises.ravel()], axis=1)


class Mixture(NamedTuple):
    """What several fits believe about some points.

    `logs` are their log evidences, up to a constant.
    """

    means: Float[Numbers, "h m"]
    covariances: Float[Numbers, "h m m"]
    logs: Float[Numbers, " h"]

    @classmethod
    def of(cls, mean: Float[Numbers, " m"], covariance: Float[Numbers, "m m"]) -> "Mixture":
        """A single belief."""
        return cls(mean[None], covariance[None], np.zeros(1))

    @property
    def weights(self) -> Float[np.ndarray, " h"]:
        """How much each fit counts, on the host."""
        shares = np.exp(self.logs - np.max(self.logs))
        return np.asarray(shares / shares.sum())


@compiled(rows=lambda like, theta, data, *_: len(data.y))
def by_fit(
    like: Kernel,
    theta: Float[Numbers, " p"],
    data: Data,
    points: Float[Numbers, "m d"],
    fits: Fits,
) -> Mixture:
    """`like` has the length-scales that the prior expects, `theta` is the best fit."""
    kernel, _ = unpack(jnp.asarray(theta), like)

    def under(pair: Float[Array, " 2"]) -> tuple[Array, Array, Array]:
        belief = posterior(_stretched(kernel, like, pair[0]), pair[1], data)
        return *belief.joint(points), belief.log_evidence

    return Mixture(*jax.lax.map(under, fits.grid))


def _stretched(kernel: Kernel, like: Kernel, factor: Float[Array, ""]) -> Kernel:
    """`kernel` with the length-scales of `like`, multiplied."""
    if isinstance(kernel, Sum | Product):
        assert isinstance(like, Sum | Product)
        return type(kernel)(
            _stretched(kernel.first, like.first, factor),
            _stretched(kernel.second, like.second, factor),
        )
    assert isinstance(kernel, SquaredExponential | Matern | MaternProduct)
    assert isinstance(like, SquaredExponential | Matern | MaternProduct)
    return dataclasses.replace(kernel, lengthscale=like.lengthscale * factor)
