r"""How much to widen a model's forecasts, learned from how its earlier ones turned out.

A model is fitted to all trials, but asked about the point that it rates highest. There it is too
optimistic, and a fit to few trials is too confident. So a study keeps score. With u the error of a
forecast, in the sds that the model itself had given (and the noise of a measurement),

$$ u_i \sim \sigma\, t_3, \qquad \log \sigma \sim N(0, 1), $$

the next error is within q with 95% under the posterior of sigma, and the sds reported are q / 1.96
times the model's. Student's t, because a few errors are very large; and an error counts a twentieth
less with every later one, because models become better, or worse, as a search closes in.

The factor is learned where trials are proposed. Far from there a model may be unsure enough by
itself, so no sd grows by more than forecasts were wrong, in the objective's units: the sd reported
is the smaller of r s and (s^2 + a^2)^1/2, with a one and a half times the root mean square of the
errors.

Earlier forecasts had been widened too, by what was known at the time: `stretch_after` undoes that
in the order in which they were made.
"""

import bisect
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from counsel.facts.records import Prediction

__all__ = ["Stretch", "stretch_after"]

# The prior's sd, how errors fade, and the most that they add were chosen on seven functions of 1,
# 2, 3 and 5 inputs, with and without noise (`python -m benchmarks.coverage --tuning`); seven
# others are reported.
_SPREAD = 1.0
_FADE = 0.95
_MOST = 1.5
_RECENT = 128  # beyond this many an error has faded to less than a hundredth
_FAR = 4.0  # sds, beyond which errors of a skewed belief are measured in its units
_SIGMA = np.exp(np.linspace(math.log(0.02), math.log(200.0), 64))
_REACH = np.exp(np.linspace(math.log(0.02), math.log(4000.0), 160))
_LOG_SIGMA, _LOG_REACH = np.log(_SIGMA), np.log(_REACH)


class Stretch(NamedTuple):
    """How sds are widened: by a factor, with at most `most` added, as variances add."""

    factor: float
    most: float

    def wider(self, sd: Float[np.ndarray, " n"]) -> Float[np.ndarray, " n"]:
        """Sds as they are reported."""
        if self.factor <= 1.0:
            return self.factor * sd
        return np.minimum(self.factor * sd, np.hypot(sd, self.most))

    def undone(self, told: float) -> float:
        """The factor by which a reported sd was widened."""
        if self.factor <= 1.0 or math.hypot(told / self.factor, self.most) >= told:
            return self.factor
        # A payoff's spread has changed since: what was told may be less than `most` is now.
        rest = told**2 - self.most**2
        return min(self.factor, told / math.sqrt(rest)) if rest > 0.0 else self.factor


def _cumulative(x: Float[np.ndarray, "..."]) -> Float[np.ndarray, "..."]:
    """The distribution function of Student's t with three degrees of freedom."""
    scaled = x / math.sqrt(3.0)
    found: Float[np.ndarray, "..."] = 0.5 + (scaled / (1.0 + scaled**2) + np.arctan(scaled)) / (
        math.pi
    )
    return found


# The chance to lie within each reach, by sigma.
_WITHIN = 2.0 * _cumulative(_REACH[:, None] / _SIGMA[None, :]) - 1.0


def _likelihood(error: float) -> Float[np.ndarray, " g"]:
    """log p(error | sigma), but for a constant."""
    found: Float[np.ndarray, " g"] = -2.0 * np.log1p((error / _SIGMA) ** 2 / 3.0) - _LOG_SIGMA
    return found


_PRIOR = -0.5 * (_LOG_SIGMA / _SPREAD) ** 2


def _factor(evidence: Float[np.ndarray, " g"]) -> float:
    """What sds are to be multiplied with, given log p(errors | sigma)."""
    weights = np.exp(_PRIOR + evidence - (_PRIOR + evidence).max())
    within = _WITHIN @ (weights / weights.sum())
    return math.exp(float(np.interp(0.95, within, _LOG_REACH))) / 1.96


def stretch_after(
    y: Float[np.ndarray, " n"],
    foretold: Sequence[Prediction],
    noise: Float[np.ndarray, " n"],
    seen: Float[np.ndarray, " n"],
    at: Float[np.ndarray, " n"],
    usual: Float[np.ndarray, " n"],
    now: float,
    *,
    forgiving: bool = True,
) -> Stretch:
    """The stretch after trials of which the stretched beliefs `foretold` were told.

    `noise` is the sd of repeated trials. `seen` is how many facts each forecast rests on, and `at`
    the place of each result among them. One error of a `usual` size, which is how much payoffs
    had varied until then and vary `now`, counts as known beforehand.
    Unless it is `forgiving`, noise is divided by the stretch of the time as sds are: then errors
    that are noise alone look as many times larger, and a wide stretch stays wide.
    """
    # In units of the largest error, whose squares neither overflow nor vanish.
    errors = np.array([y[i] - said.mean for i, said in enumerate(foretold)])
    unit = max(now, float(np.abs(errors).max(initial=0.0))) or 1.0
    start = _Score(np.zeros(len(_SIGMA)), 0.0, 0.0)
    # Results so far in the order of their places, which is seldom not that of the forecasts, and
    # the score after each.
    places: list[float] = []
    found: list[tuple[Float[np.ndarray, " g"], float]] = []
    scores = [start]
    for i in np.argsort(seen, kind="stable")[-_RECENT:]:
        said = foretold[i]
        if said.sd <= 0.0:
            continue
        then = scores[bisect.bisect_right(places, seen[i])].stretch(unit, float(usual[i]))
        wider = then.undone(said.sd)
        apart = float(noise[i]) * (wider if forgiving else 1.0)
        share = said.sd / math.hypot(said.sd, apart)
        error = wider * share * _error(said, float(y[i]))
        place = bisect.bisect_right(places, at[i])
        places.insert(place, float(at[i]))
        found.insert(place, (_likelihood(error), (errors[i] / unit) ** 2))
        del scores[place + 1 :]
        for each in found[place:]:
            scores.append(scores[-1].after(*each))
    return scores[-1].stretch(unit, now)


class _Score(NamedTuple):
    """What errors so far say: log p(errors | sigma), and their squares with their weights."""

    evidence: Float[np.ndarray, " g"]
    squares: float
    weight: float

    def after(self, likelihood: Float[np.ndarray, " g"], square: float) -> "_Score":
        return _Score(
            _FADE * self.evidence + likelihood,
            _FADE * self.squares + square,
            _FADE * self.weight + 1.0,
        )

    def stretch(self, unit: float, usual: float) -> Stretch:
        mean = ((usual / unit) ** 2 + self.squares) / (1.0 + self.weight)
        return Stretch(_factor(self.evidence), _MOST * unit * math.sqrt(mean))


def _error(said: Prediction, y: float) -> float:
    """How many sds a payoff lies from what was expected; past a limit, not without end."""
    low, high = said.interval(_FAR)
    beyond = _FAR + max(low - y, y - high, 0.0) / said.sd
    return min(abs(said.surprise(y)), beyond)
