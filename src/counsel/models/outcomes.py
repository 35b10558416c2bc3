r"""What is believed of one outcome, with its hyper-parameters averaged over instead of fitted.

$$ k = \text{level} + v\, k_{5/2}(x, x') + p\,[\text{same person}] + w\, e^{-|t - t'| / L} $$

A constraint is learned from a handful of answers. A single fit of the hyper-parameters is then far
too sure of itself: bounds that should hold in nine runs of ten held in six. So every statement is
an average over H settings that the answers leave possible (`models.believing`).

Legend: n rows, M points, H settings, d columns of a point. Values are in standard units.
"""

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int
from scipy.special import ndtr, ndtri, stdtr, stdtrit

__all__ = ["JITTER", "Answers", "At", "Belief", "Prior", "Settings", "left_out", "numbers"]

_SMALLEST_VARIANCE = 1e-12
JITTER = 1e-9  # of each row, beside its noise
# How quickly preferences drift, in trials.
DRIFT_TRIALS = 20.0
# How many answers what is assumed of an unknown unit is worth.
_KNOWN_UNIT = 1.0


@dataclass(frozen=True, slots=True)
class Prior:
    """Gaussians on the logs of length-scales, variance and noise (both variances)."""

    lengthscale: float = 0.5  # times sqrt(d), as distances grow
    lengthscale_sd: float = 0.5
    variance: float = 1.0
    variance_sd: float = 0.5
    # Of few answers the scale is hardly known: this over their number is added to both sds.
    few: float = 2.0
    free: bool = False  # whether the mean can be anything
    noise: float = math.exp(-5.0)
    noise_sd: float = 1.0
    person: float = 0.1
    person_sd: float = 0.7
    drift: float = 0.3
    drift_sd: float = 0.7


@dataclass(frozen=True, eq=False)
class Answers:
    """Rows: where, and a mean `y` of `count` numbers with a `spread`, or a range `low` to `high`.

    `spread` is the sum of squared deviations from y. `person` and `time` are None where they do
    not matter.
    """

    x: Float[np.ndarray, "n d"]
    y: Float[np.ndarray, " n"]
    count: Float[np.ndarray, " n"]
    spread: Float[np.ndarray, " n"]
    low: Float[np.ndarray, " n"] | None = None
    high: Float[np.ndarray, " n"] | None = None
    person: Int[np.ndarray, " n"] | None = None
    time: Float[np.ndarray, " n"] | None = None

    def __len__(self) -> int:
        return len(self.y)


def numbers(
    x: Float[np.ndarray, "n d"],
    y: Float[np.ndarray, " n"],
    person: Int[np.ndarray, " n"] | None = None,
    time: Float[np.ndarray, " n"] | None = None,
) -> Answers:
    """Rows of measured numbers; those alike in everything but the number become one row."""
    columns = [
        x,
        *(np.asarray(each, dtype=float)[:, None] for each in (person, time) if each is not None),
    ]
    kept, which = np.unique(np.concatenate(columns, axis=1), axis=0, return_inverse=True)
    which, n = which.reshape(-1), len(kept)
    count = np.bincount(which, minlength=n).astype(float)
    mean = np.bincount(which, y, minlength=n) / np.maximum(count, 1.0)
    spread = np.bincount(which, (y - mean[which]) ** 2, minlength=n).astype(float)
    d = x.shape[1]
    return Answers(
        kept[:, :d],
        mean,
        count,
        spread,
        person=None if person is None else kept[:, d].astype(np.int64),
        time=None if time is None else kept[:, -1],
    )


class Settings(NamedTuple):
    """H settings of the hyper-parameters, not as logs."""

    lengthscale: Float[np.ndarray, "H d"]
    variance: Float[np.ndarray, " H"]
    level: Float[np.ndarray, " H"]
    noise: Float[np.ndarray, " H"]
    person: Float[np.ndarray, " H"] | None
    drift: Float[np.ndarray, " H"] | None

    def kernel(self, a: Answers, b: Answers) -> Float[np.ndarray, "H n k"]:
        """Between rows, noise left out. A row without a person is about nobody in particular."""
        gaps = (a.x[:, None, :] - b.x[None, :, :]) ** 2
        n, k, d = gaps.shape
        r = (self.lengthscale**-2.0) @ gaps.reshape(n * k, d).T
        # In place: between thousands of points the arrays are large, and memory is what takes time.
        r *= 5.0
        r = np.sqrt(r, out=r).reshape(len(r), n, k)
        K = np.square(r)
        K /= 3.0
        K += 1.0 + r
        K *= self.variance[:, None, None]
        K *= np.exp(np.negative(r, out=r), out=r)
        K += self.level[:, None, None]
        if self.person is not None and a.person is not None and b.person is not None:
            K += self.person[:, None, None] * (a.person[:, None] == b.person[None, :])
        if self.drift is not None and a.time is not None and b.time is not None:
            gap = np.abs(a.time[:, None] - b.time[None, :]) / DRIFT_TRIALS
            K += self.drift[:, None, None] * np.exp(-gap)
        return K

    def slopes(self, rows: Answers, by: Float[np.ndarray, "H n n"]) -> Float[np.ndarray, "H p"]:
        """Of the sum of `by` x kernel, with the log of each hyper-parameter but the noise.

        The level counts where it is the variance.
        """
        gaps = (rows.x[:, None, :] - rows.x[None, :, :]) ** 2
        inverse = self.lengthscale**-2.0
        r = np.sqrt(5.0 * np.einsum("nkd,hd->hnk", gaps, inverse))
        fading = by * np.exp(-r)
        bend = fading * (1.0 + r)
        variance = (bend + fading * r**2 / 3.0).sum(axis=(1, 2))
        variance += np.where(self.level == self.variance, by.sum(axis=(1, 2)), 0.0)
        columns = [
            np.einsum("hnk,nkd->hd", bend, gaps) * inverse * (5.0 / 3.0),
            variance[:, None],
        ]
        columns[0] *= self.variance[:, None]
        columns[1] *= self.variance[:, None]
        if self.person is not None and rows.person is not None:
            same = rows.person[:, None] == rows.person[None, :]
            columns.append((self.person * (by * same).sum(axis=(1, 2)))[:, None])
        if self.drift is not None and rows.time is not None:
            gap = np.abs(rows.time[:, None] - rows.time[None, :]) / DRIFT_TRIALS
            columns.append((self.drift * (by * np.exp(-gap)).sum(axis=(1, 2)))[:, None])
        return np.concatenate(columns, axis=1)

    def total(self) -> Float[np.ndarray, " H"]:
        """The prior variance of the outcome itself, as an average person sees it."""
        return self.level + self.variance + (0.0 if self.drift is None else self.drift)


@dataclass(frozen=True, eq=False)
class Belief:
    """H settings, their weights, and what the answers say under each of them."""

    answers: Answers
    settings: Settings
    weight: Float[np.ndarray, " H"]
    root: Float[np.ndarray, "H n n"] = field(repr=False)  # L^-1 of kernel + noise
    white: Float[np.ndarray, "H n"] = field(repr=False)  # L^-1 y
    evidence: float

    def at(self, x: Float[np.ndarray, "M d"], time: float | None = None) -> "At":
        """Mean and sd of the noise-free outcome at points, under every setting."""
        points = _points(x, time)
        cross = self.root @ self.settings.kernel(self.answers, points)
        mean = np.einsum("hn,hnm->hm", self.white, cross)
        variance = self.settings.total()[:, None] - np.einsum("hnm,hnm->hm", cross, cross)
        return At(self, points, cross, mean, np.sqrt(np.maximum(variance, _SMALLEST_VARIANCE)))

    @property
    def noise(self) -> Float[np.ndarray, " H"]:
        return self.settings.noise

    def unit(self) -> tuple[float, Float[np.ndarray, " H"]]:
        """Degrees of freedom, and by how much each setting's sd is off, if the unit is unknown.

        Variances have an inverse gamma prior, worth `_KNOWN_UNIT` answers; the unknown mean takes
        one.
        """
        freedom = _KNOWN_UNIT + max(len(self.answers) - 1, 0)
        factor: np.ndarray = np.sqrt((_KNOWN_UNIT + (self.white**2).sum(axis=1)) / freedom)
        return freedom, factor

    def surprise(self) -> Float[np.ndarray, " n"]:
        """How likely a row is as far as it is, or farther, from what the others say of it."""
        inverse = np.einsum("hnk,hnk->hk", self.root, self.root)
        z = np.einsum("hnk,hn->hk", self.root, self.white) / np.sqrt(inverse)
        found: np.ndarray = self.weight @ (2.0 * ndtr(-np.abs(z)))
        return found

    def strictness(self) -> dict[int, tuple[float, float]]:
        """How much lower than the average each person answers: mean and sd, in standard units."""
        if self.settings.person is None or self.answers.person is None:
            return {}
        found = {}
        for one in np.unique(self.answers.person):
            cross = self.settings.person[:, None] * (self.answers.person == one)
            white = np.einsum("hnk,hk->hn", self.root, cross)
            mean = np.einsum("hn,hn->h", white, self.white)
            variance = np.maximum(self.settings.person - (white**2).sum(axis=1), 0.0)
            middle = float(self.weight @ mean)
            spread = float(self.weight @ (variance + (mean - middle) ** 2))
            found[int(one)] = (-middle, math.sqrt(spread))
        return found


@dataclass(frozen=True, eq=False)
class At:
    """A belief at M points."""

    belief: Belief
    points: Answers
    cross: Float[np.ndarray, "H n M"] = field(repr=False)
    means: Float[np.ndarray, "H M"]
    sds: Float[np.ndarray, "H M"]

    @property
    def mean(self) -> Float[np.ndarray, " M"]:
        found: np.ndarray = self.belief.weight @ self.means
        return found

    @property
    def sd(self) -> Float[np.ndarray, " M"]:
        """Of the mixture: what is unknown under each setting, and which setting is right."""
        spread = self.belief.weight @ (self.sds**2 + (self.means - self.mean) ** 2)
        found: np.ndarray = np.sqrt(spread)
        return found

    def left_out(
        self, y: Float[np.ndarray, " M"]
    ) -> tuple[Float[np.ndarray, " M"], Float[np.ndarray, " M"]]:
        """Mean and sd of each number, measured at these points, under all others."""
        mean, sd = left_out(self.means, self.sds, self.belief.noise[:, None] + JITTER, y)
        middle: np.ndarray = self.belief.weight @ mean
        spread: np.ndarray = self.belief.weight @ (sd**2 + (mean - middle) ** 2)
        return middle, np.sqrt(spread)

    def chance(self) -> Float[np.ndarray, " M"]:
        """How likely the outcome is 0 or more."""
        found: np.ndarray = self.belief.weight @ ndtr(self.means / self.sds)
        return found

    def share_below(
        self, values: Float[np.ndarray, " M"], *, unit_unknown: bool = False
    ) -> Float[np.ndarray, " M"]:
        """How likely the outcome is below each value.

        With `unit_unknown`, nothing but the answers says how large the outcome is: its unit is
        integrated out as well, and every setting has a Student t instead of a normal. The first two
        or three payoffs are often close together, and say nearly nothing about how far others are.
        """
        if unit_unknown:
            freedom, factor = self.belief.unit()
            z = (values - self.means) / (factor[:, None] * self.sds)
            found: np.ndarray = self.belief.weight @ stdtr(freedom, z)
        else:
            found = self.belief.weight @ ndtr((values - self.means) / self.sds)
        return found

    def quantile(self, share: float, *, unit_unknown: bool = False) -> Float[np.ndarray, " M"]:
        """The value that the outcome stays below with probability `share`, by bisection."""
        sds, farthest = self.sds, ndtri(share)
        if unit_unknown:
            freedom, factor = self.belief.unit()
            sds, farthest = factor[:, None] * sds, stdtrit(freedom, share)
        reach = 1.2 * abs(float(farthest)) + 1.0
        low = (self.means - reach * sds).min(axis=0)
        high = (self.means + reach * sds).max(axis=0)
        for _ in range(50 if unit_unknown else 30):
            middle = 0.5 * (low + high)
            below = self.share_below(middle, unit_unknown=unit_unknown) < share
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        return 0.5 * (low + high)

    def covariance(self, point: int) -> Float[np.ndarray, "H M"]:
        """Between the outcome at one of the points and at all of them, under every setting."""
        one = _points(
            self.points.x[[point]], None if self.points.time is None else self.points.time[0]
        )
        before = self.belief.settings.kernel(one, self.points)[:, 0, :]
        shared = np.einsum("hn,hnm->hm", self.cross[:, :, point], self.cross)
        return before - shared

    def joint(self) -> tuple[Float[np.ndarray, " M"], Float[np.ndarray, "M M"]]:
        """Mean and covariance of the mixture at all points together."""
        before = self.belief.settings.kernel(self.points, self.points)
        each = before - np.einsum("hnm,hnk->hmk", self.cross, self.cross)
        apart = self.means - self.mean
        each += apart[:, :, None] * apart[:, None, :]
        return self.mean, np.einsum("h,hmk->mk", self.belief.weight, each)

    def chance_above(self, point: int) -> Float[np.ndarray, " M"]:
        """How likely each point has more of the outcome than `point`."""
        apart = self.means - self.means[:, [point]]
        variance = self.sds**2 + self.sds[:, [point]] ** 2 - 2.0 * self.covariance(point)
        sd = np.sqrt(np.maximum(variance, _SMALLEST_VARIANCE))
        found: np.ndarray = self.belief.weight @ ndtr(apart / sd)
        return found


def _points(x: Float[np.ndarray, "M d"], time: float | None) -> Answers:
    none = np.zeros(len(x))
    at = None if time is None else np.full(len(x), float(time))
    return Answers(x, none, none, none, time=at)


def left_out(
    mean: Float[np.ndarray, "*b M"],
    sd: Float[np.ndarray, "*b M"],
    noise: Float[np.ndarray, "*b #M"],
    y: Float[np.ndarray, " M"],
) -> tuple[Float[np.ndarray, "*b M"], Float[np.ndarray, "*b M"]]:
    """What is believed of a measurement y had it not been made, from what is believed with it.

    Its likelihood, a normal of variance `noise`, is divided out of the posterior at its point:
    exact for one trial of several at a point too, which row-wise formulas of a Gaussian process
    with averaged rows are not.
    """
    precision = np.maximum(sd**-2.0 - 1.0 / noise, _SMALLEST_VARIANCE)
    before = (mean * sd**-2.0 - y / noise) / precision
    return before, np.sqrt(1.0 / precision + noise)
