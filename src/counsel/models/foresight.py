r"""How much wider to foretell than a model would, from what it foretold before.

A model is fitted to all trials, but asked about the point that it rates highest: there it is too
hopeful, and a fit to few trials is too sure of itself. So a study keeps the score. With u the error
of a forecast, in the sds that the model itself had given (and the noise of a measurement),

$$ u_i \sim \sigma\, t_3, \qquad \log \sigma \sim N(0, 1), $$

the next error is within q with 95% under the posterior of sigma, and sds are told as q / 1.96 of
the model's. Student's t, because a few errors are very large; and an error counts a twentieth less
with every later one, because models become better, or worse, as a search closes in.

The factor is learned where trials are proposed. Far from there a model may be unsure enough by
itself, so no sd grows by more than forecasts have been wrong, in the objective's units: told is the
smaller of r s and (s^2 + a^2)^1/2, with a one and a half times the root mean square of the errors.

What was foretold had been widened itself, by what was known then: `stretch_after` undoes that in
the order in which things were said.
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
_LOOKED_AT = 3 * _RECENT  # and so has, beyond this many, what later forecasts owed to it
_FAR = 4.0  # sds, beyond which errors of a skewed belief are measured in its units
_SIGMA = np.exp(np.linspace(math.log(0.02), math.log(200.0), 96))
_REACH = np.exp(np.linspace(math.log(0.02), math.log(4000.0), 256))


class Stretch(NamedTuple):
    """How sds are told: times a factor, but with no more than `most` added, as variances add."""

    factor: float
    most: float

    def wider(self, sd: Float[np.ndarray, " n"]) -> Float[np.ndarray, " n"]:
        """Sds as they are told."""
        if self.factor <= 1.0:
            return self.factor * sd
        return np.minimum(self.factor * sd, np.hypot(sd, self.most))


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
    found: Float[np.ndarray, " g"] = -2.0 * np.log1p((error / _SIGMA) ** 2 / 3.0) - np.log(_SIGMA)
    return found


def _factor(likelihoods: list[Float[np.ndarray, " g"]]) -> float:
    log_weights = -0.5 * (np.log(_SIGMA) / _SPREAD) ** 2
    if likelihoods:
        ages = np.arange(len(likelihoods) - 1, -1, -1)
        log_weights = log_weights + _FADE**ages @ np.stack(likelihoods)
    weights = np.exp(log_weights - log_weights.max())
    within = _WITHIN @ (weights / weights.sum())
    return float(np.exp(np.interp(0.95, within, np.log(_REACH)))) / 1.96


def stretch_after(
    y: Float[np.ndarray, " n"],
    foretold: Sequence[Prediction],
    noise: Float[np.ndarray, " n"],
    seen: Float[np.ndarray, " n"],
    at: Float[np.ndarray, " n"],
    usual: float,
) -> Stretch:
    """The stretch after trials of which the stretched beliefs `foretold` were told.

    `noise` is the sd of repeated trials. `seen` is how many facts each forecast rests on, and `at`
    the place of each result among them. One error of `usual` size counts as known beforehand.
    """
    # Results so far in the order of their places, which is seldom not that of the forecasts.
    places: list[float] = []
    found: list[Float[np.ndarray, " g"]] = []
    for i in np.argsort(seen, kind="stable")[-_LOOKED_AT:]:
        known = bisect.bisect_right(places, seen[i])
        then = _factor(found[max(0, known - _RECENT) : known])
        said = foretold[i]
        if said.sd > 0.0:
            place = bisect.bisect_right(places, at[i])
            places.insert(place, float(at[i]))
            share = said.sd / math.hypot(said.sd, float(noise[i]))
            found.insert(place, _likelihood(then * share * _error(said, float(y[i]))))
    recent = np.argsort(at, kind="stable")[-_RECENT:]
    errors = np.array([y[i] - foretold[i].mean for i in recent])
    weights = _FADE ** np.arange(len(recent) - 1, -1, -1)
    # In units of the largest, whose squares neither overflow nor vanish.
    unit = max(usual, float(np.abs(errors).max(initial=0.0))) or 1.0
    square = ((usual / unit) ** 2 + weights @ (errors / unit) ** 2) / (1.0 + weights.sum())
    return Stretch(_factor(found[-_RECENT:]), _MOST * unit * math.sqrt(square))


def _error(said: Prediction, y: float) -> float:
    """How many sds a payoff lies from what was expected; past a limit, not without end."""
    low, high = said.interval(_FAR)
    beyond = _FAR + max(low - y, y - high, 0.0) / said.sd
    return min(abs(said.surprise(y)), beyond)
