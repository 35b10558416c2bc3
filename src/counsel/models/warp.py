r"""Scales on which outputs are believed to be Gaussian, other than their own.

$$ w(y) = -\log\left(\frac{y^* - y}{u} + c\right), \qquad u = \text{median of } y^* - y $$

with y* the best value so far: the logarithm of the *gap*, in units of a usual gap. Values far below
the best move close to each other, and values near the best are resolved more finely as the search
comes closer. Under a Gaussian process on w the gap (plus u c) is log-normal, so expectation and
standard deviation in the units of y have closed forms.

Chosen on instances of public suites that are not reported (`benchmarks.suites`): with c = 0.3 the
gap left after 30 trials in 2 inputs shrinks to a fifth, after 60 trials in 5 inputs to a third, and
with noise to a half; c = 0.1 zooms in too early, c = 1 too late.

The logarithm of the *payoff* is the same, turned round: +log((y - y_*)/u + c) with y_* the worst
value so far. It resolves small payoffs and draws large ones together, which suits payoffs that span
decades. `models.scales` says which of the two, or neither, the data speak for.

Reported beliefs. Payoffs do pass the end of the scale, and a log-normal mean runs away where little
is known. So reported beliefs are wider by the factor r of `models.foresight`: the expected value is
that of the scale at the mean of w; the end of the scale moves away by (r - 1) u c; and the gap to
it is log-normal, with the sd of the belief there, widened. Studies stored before that report the
plain log-normal belief (`moments`, `skewed`).
"""

import math
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from counsel.models.foresight import Stretch

FLOOR = 0.3
# The widest sd that is used: beyond it, a log-normal mean is all tail.
_WIDEST = 2.0
# The same for what is told.
_WIDEST_TOLD = 0.5


class Warp(NamedTuple):
    """w(y), with the extreme value `top`, the usual distance `unit` to it and the floor c.

    `sign` is 1 for gaps to the best value and -1 for payoffs above the worst one. What is expected
    is the mean of the log-normal belief if `skewed` is 1 and its median if it is 0.
    """

    top: float
    unit: float
    floor: float
    sign: float = 1.0
    skewed: float = 1.0

    @classmethod
    def of(cls, y: Float[np.ndarray, " n"], floor: float, sign: float = 1.0) -> "Warp":
        """The scale for these values; for equal values it is only a shift."""
        top = float(np.max(y)) if sign > 0.0 else float(np.min(y))
        gaps = sign * (top - y)
        # What differs by rounding is equal.
        gaps = np.where(gaps > 8.0 * np.spacing(np.abs(y)), gaps, 0.0)
        # Where most values equal the best, the median is 0.
        unit = float(np.median(gaps)) or float(np.mean(gaps))
        return cls(top, unit if unit > 0.0 and math.isfinite(unit) else 1.0, floor, sign)

    def __call__(self, y: Float[np.ndarray, " n"]) -> Float[np.ndarray, " n"]:
        return -self.sign * np.log(self.sign * (self.top - y) / self.unit + self.floor)

    @property
    def limit(self) -> float:
        """The end of the scale, where w is infinite."""
        top, unit, floor, sign, _ = (float(each) for each in self)
        return top + sign * unit * floor

    def slope(self, y: Float[np.ndarray, " n"]) -> Float[np.ndarray, " n"]:
        """dw/dy: what a small error of y becomes."""
        return 1.0 / (self.sign * (self.top - y) + self.unit * self.floor)

    def inside(self, y: Float[np.ndarray, " n"]) -> Float[np.ndarray, " n"]:
        """y, or the extreme value where y is beyond it."""
        return self.top - self.sign * np.maximum(self.sign * (self.top - y), 0.0)

    def back(self, w: Float[Array, "..."]) -> Float[Array, "..."]:
        """y where the scale reads w; for compiled code."""
        return self.top + self.sign * self.unit * (self.floor - jnp.exp(-self.sign * w))

    def from_scale(self, w: Float[np.ndarray, "..."]) -> Float[np.ndarray, "..."]:
        """`back` on the host."""
        top, unit, floor, sign, _ = (float(each) for each in self)
        return top + sign * unit * (floor - np.exp(-sign * w))

    def there(self, y: Float[Array, "..."]) -> Float[Array, "..."]:
        """w(y), for compiled code: it undoes `back`."""
        return -self.sign * jnp.log(self.sign * (self.top - y) / self.unit + self.floor)

    def gained(self, gain: Float[Array, " n"], start: Float[Array, ""]) -> Float[Array, " n"]:
        """What a gain on the scale, from `start` there, is in the units of y."""
        gap = self.sign * self.unit * jnp.exp(-self.sign * start)
        return -gap * jnp.expm1(-self.sign * gain)

    def gain(self, gained: Float[Array, " n"], start: Float[Array, ""]) -> Float[Array, " n"]:
        """Undoes `gained`."""
        gap = self.sign * self.unit * jnp.exp(-self.sign * start)
        return -self.sign * jnp.log1p(-gained / gap)

    def expected(self, mean: Float[Array, " n"], sd: Float[Array, " n"]) -> Float[Array, " n"]:
        """The expectation of y where w is N(mean, sd^2), for compiled code."""
        more = self.skewed * 0.5 * jnp.minimum(sd, _WIDEST) ** 2
        return self.top + self.sign * self.unit * (self.floor - jnp.exp(more - self.sign * mean))

    def moments(
        self, mean: Float[np.ndarray, " n"], sd: Float[np.ndarray, " n"]
    ) -> tuple[Float[np.ndarray, " n"], Float[np.ndarray, " n"]]:
        """Expectation and sd of y where w is N(mean, sd^2)."""
        # A posterior that went through compiled code carries its scale as arrays of JAX.
        top, unit, floor, sign, _ = (float(each) for each in self)
        sd = np.minimum(sd, _WIDEST)
        gap = np.exp(0.5 * sd**2 - sign * mean)
        return (
            top + sign * unit * (floor - gap),
            unit * gap * np.sqrt(np.expm1(sd**2)),
        )

    def joint_moments(
        self, mean: Float[np.ndarray, " n"], covariance: Float[np.ndarray, "n n"]
    ) -> tuple[Float[np.ndarray, " n"], Float[np.ndarray, "n n"]]:
        """Expectation and covariance of several y where their w are jointly Gaussian."""
        top, unit, floor, sign, _ = (float(each) for each in self)
        sd = np.sqrt(np.maximum(np.diagonal(covariance), 0.0))
        shrink = np.minimum(1.0, _WIDEST / np.maximum(sd, 1e-300))
        held = covariance * shrink[:, None] * shrink[None, :]
        gap = np.exp(0.5 * np.diagonal(held) - sign * mean)
        return (
            top + sign * unit * (floor - gap),
            unit**2 * gap[:, None] * gap[None, :] * np.expm1(held),
        )

    def told(self, stretch: Stretch) -> "Told":
        """How beliefs on this scale are reported if they are widened."""
        top, unit, floor, sign, _ = (float(each) for each in self)
        further = max(stretch.factor - 1.0, 0.0) * unit * floor
        return Told(top + sign * (unit * floor + further), further, unit, sign, stretch)


class Told(NamedTuple):
    """Reported beliefs on a scale: distances to a `limit` that are log-normal.

    The limit is `further` than the end of the scale, whose unit and sign these are.
    """

    limit: float
    further: float
    unit: float
    sign: float
    stretch: Stretch

    def moments(
        self, mean: Float[np.ndarray, " n"], sd: Float[np.ndarray, " n"]
    ) -> tuple[Float[np.ndarray, " n"], Float[np.ndarray, " n"]]:
        """Expectation and sd of y where w is N(mean, sd^2)."""
        gap, rate = self._gaps(mean, sd)
        return self.limit - self.sign * gap, gap * np.sqrt(np.expm1((rate * sd) ** 2))

    def joint_moments(
        self, mean: Float[np.ndarray, " n"], covariance: Float[np.ndarray, "n n"]
    ) -> tuple[Float[np.ndarray, " n"], Float[np.ndarray, "n n"]]:
        """Expectation and covariance of several y where their w are jointly Gaussian."""
        gap, logs = self.logs(mean, covariance)
        return self.limit - self.sign * gap, gap[:, None] * gap[None, :] * np.expm1(logs)

    def _gaps(
        self, mean: Float[np.ndarray, " n"], sd: Float[np.ndarray, " n"]
    ) -> tuple[Float[np.ndarray, " n"], Float[np.ndarray, " n"]]:
        """The expected distance to the limit, and what turns an sd of w into that of its log."""
        near = self.unit * np.exp(-self.sign * mean)
        gap, some = near + self.further, np.maximum(sd, 1e-12)
        return gap, np.minimum(self.stretch.wider(near * some) / gap, _WIDEST_TOLD) / some

    def logs(
        self, mean: Float[np.ndarray, " n"], covariance: Float[np.ndarray, "n n"]
    ) -> tuple[Float[np.ndarray, " n"], Float[np.ndarray, "n n"]]:
        """Expected distances to the limit, and the covariance of their logarithms."""
        sd = np.sqrt(np.maximum(np.diagonal(covariance), 0.0))
        gap, rate = self._gaps(mean, sd)
        return gap, covariance * rate[:, None] * rate[None, :]
