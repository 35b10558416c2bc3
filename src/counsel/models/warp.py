r"""Puts outputs on a scale that resolves the best values and compresses the worst.

$$ w(y) = -\log\left(\frac{y^* - y}{u} + c\right), \qquad u = \text{median of } y^* - y $$

with y* the best value so far: the logarithm of the gap, in units of a usual gap. Values far below
the best move close to each other, and values near the best are resolved more finely as the search
comes closer. Under a Gaussian process on w the gap (plus u c) is log-normal, so expectation and
standard deviation in the units of y have closed forms.

Chosen on instances of public suites that are not reported (`benchmarks.suites`): with c = 0.3 the
gap left after 30 trials in 2 inputs shrinks to a fifth, after 60 trials in 5 inputs to a third, and
with noise to a half; c = 0.1 zooms in too early, c = 1 too late.
"""

import math
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

FLOOR = 0.3
# The widest sd that is used: beyond it, a log-normal mean is all tail.
_WIDEST = 2.0


class Warp(NamedTuple):
    """w(y), with the best value `top`, the usual gap `unit` and the floor c."""

    top: float
    unit: float
    floor: float

    @classmethod
    def of(cls, y: Float[np.ndarray, " n"], floor: float) -> "Warp":
        """The scale for these values; for equal values it is only a shift."""
        top = float(np.max(y))
        gaps = top - y
        # Where most values equal the best, the median is 0.
        unit = float(np.median(gaps)) or float(np.mean(gaps))
        return cls(top, unit if unit > 0.0 and math.isfinite(unit) else 1.0, floor)

    def __call__(self, y: Float[np.ndarray, " n"]) -> Float[np.ndarray, " n"]:
        return -np.log((self.top - y) / self.unit + self.floor)

    @property
    def limit(self) -> float:
        """The end of the scale, where w is infinite."""
        top, unit, floor = (float(each) for each in self)
        return top + unit * floor

    def slope(self, y: Float[np.ndarray, " n"]) -> Float[np.ndarray, " n"]:
        """dw/dy: what a small error of y becomes."""
        return 1.0 / (self.top - y + self.unit * self.floor)

    def back(self, w: Float[Array, "..."]) -> Float[Array, "..."]:
        """y where the scale reads w; for compiled code."""
        return self.top + self.unit * (self.floor - jnp.exp(-w))

    def from_scale(self, w: Float[np.ndarray, "..."]) -> Float[np.ndarray, "..."]:
        """`back` on the host."""
        top, unit, floor = (float(each) for each in self)
        return top + unit * (floor - np.exp(-w))

    def there(self, y: Float[Array, "..."]) -> Float[Array, "..."]:
        """w(y), for compiled code: it undoes `back`."""
        return -jnp.log((self.top - y) / self.unit + self.floor)

    def expected(self, mean: Float[Array, " n"], sd: Float[Array, " n"]) -> Float[Array, " n"]:
        """The expectation of y where w is N(mean, sd^2), for compiled code."""
        return self.top + self.unit * (
            self.floor - jnp.exp(0.5 * jnp.minimum(sd, _WIDEST) ** 2 - mean)
        )

    def moments(
        self, mean: Float[np.ndarray, " n"], sd: Float[np.ndarray, " n"]
    ) -> tuple[Float[np.ndarray, " n"], Float[np.ndarray, " n"]]:
        """Expectation and sd of y where w is N(mean, sd^2)."""
        # A posterior that went through compiled code carries its scale as arrays of JAX.
        top, unit, floor = (float(each) for each in self)
        sd = np.minimum(sd, _WIDEST)
        gap = np.exp(0.5 * sd**2 - mean)
        return (
            top + unit * (floor - gap),
            unit * gap * np.sqrt(np.expm1(sd**2)),
        )

    def joint_moments(
        self, mean: Float[np.ndarray, " n"], covariance: Float[np.ndarray, "n n"]
    ) -> tuple[Float[np.ndarray, " n"], Float[np.ndarray, "n n"]]:
        """Expectation and covariance of several y where their w are jointly Gaussian."""
        top, unit, floor = (float(each) for each in self)
        sd = np.sqrt(np.maximum(np.diagonal(covariance), 0.0))
        shrink = np.minimum(1.0, _WIDEST / np.maximum(sd, 1e-300))
        held = covariance * shrink[:, None] * shrink[None, :]
        gap = np.exp(0.5 * np.diagonal(held) - mean)
        return (
            top + unit * (floor - gap),
            unit**2 * gap[:, None] * gap[None, :] * np.expm1(held),
        )
