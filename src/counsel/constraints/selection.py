r"""Dynamic constraint selection: which constraints to ask about at a point.

The gain of asking about constraint i at x is the share of variance that one answer removes, summed
over everything that is ambiguous:

$$ g_i = \sum_{(j, b)\ \text{ambiguous}}
   \frac{\mathrm{Cov}(f_i(x), f_j(b))^2}{(\sigma_i^2(x) + \text{noise}_i)\, \sigma_j^2(b)} $$

Ask the largest, take it as answered, and go on while the gain is at least `ask_threshold` times the
first: 0 asks everything, 1 one question. This replaces the paper's weight (8), which is 0 for a
constraint never asked and so never asks it; (8) with rule (14) is here too, for comparison.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from counsel.models.joint import Joint

# A gain below this is rounding: nothing that matters would change.
_NOTHING = 1e-9


class _Here(NamedTuple):
    """What an answer at one point can change: variances, and covariances with the m outputs there.

    own (m,) are the indices of the point's outputs among all pairs.
    """

    rows: Float[Array, "m A"]
    variance: Float[Array, " A"]
    noise: Float[Array, " m"]
    own: Int[Array, " m"]

    def answered(self, output: Int[Array, ""] | int) -> "_Here":
        """Condition on one answer there, whatever it is: a rank-one change of these rows."""
        row, pulled = self.rows[output], self.rows[:, self.own[output]]
        spread = pulled[output] + self.noise[output]
        return self._replace(
            rows=self.rows - pulled[:, None] * row[None, :] / spread,
            variance=self.variance - row**2 / spread,
        )

    def gains(self, ambiguous: Bool[Array, "k M"]) -> Float[Array, " k"]:
        arms = ambiguous.shape[1]
        share = self.rows[1:, arms:] ** 2 / jnp.maximum(self.variance[arms:], 1e-14)[None, :]
        told = jnp.sum(jnp.where(ambiguous.reshape(-1)[None, :], share, 0.0), axis=1)
        return told / (self.variance[self.own[1:]] + self.noise[1:])


def _here(belief: Joint, point: Int[Array, ""]) -> _Here:
    outputs, arms = belief.mean.shape
    own = jnp.arange(outputs) * arms + point
    return _Here(belief.covariance[own], jnp.diagonal(belief.covariance), belief.noise, own)


def gains(
    belief: Joint, point: Int[Array, ""], ambiguous: Bool[Array, "k M"]
) -> Float[Array, " k"]:
    """What an answer about each constraint at `point` would tell about the ambiguous pairs."""
    return _here(belief, point).gains(ambiguous)


def batch(
    belief: Joint,
    point: Int[Array, ""],
    ambiguous: Bool[Array, "k M"],
    ask_threshold: float | Float[Array, ""],
) -> Bool[Array, " k"]:
    """The questions chosen in advance: covariances shrink with each answer, means stay."""
    count = ambiguous.shape[0]
    start = _here(belief, point).answered(0)  # the objective is measured in any case
    first = jnp.max(start.gains(ambiguous), initial=0.0)

    def ask(
        turn: Int[Array, ""], state: tuple[_Here, Bool[Array, " k"], Bool[Array, ""]]
    ) -> tuple[_Here, Bool[Array, " k"], Bool[Array, ""]]:
        here, asked, going = state
        left = jnp.where(asked, -1.0, here.gains(ambiguous))
        best = jnp.argmax(left)
        going = going & (left[best] >= ask_threshold * first) & (left[best] > _NOTHING)
        # Once it stops, the belief is not used again.
        return here.answered(1 + best), asked | ((jnp.arange(count) == best) & going), going

    _, asked, _ = jax.lax.fori_loop(
        0, count, ask, (start, jnp.zeros(count, dtype=bool), jnp.asarray(True))
    )
    return asked | (jnp.asarray(ask_threshold) <= 0.0)


def question(
    belief: Joint,
    point: Int[Array, ""],
    ambiguous: Bool[Array, "k M"],
    asked: Bool[Array, " k"],
    first: Float[Array, ""],
    ask_threshold: float | Float[Array, ""],
) -> tuple[Int[Array, ""], Float[Array, ""]]:
    """The next question and its gain, or -1 for no more; `first` is the first question's gain.

    The sequential form: `belief` and `ambiguous` already know every answer so far, so it stops
    by itself where nothing about `point` is ambiguous any more (it is known to be safe, or not).
    """
    everything = jnp.asarray(ask_threshold) <= 0.0
    left = jnp.where(asked, -1.0, gains(belief, point, ambiguous))
    best = jnp.argmax(left)
    open_here = jnp.any(ambiguous[:, point])
    worth = open_here & (left[best] >= ask_threshold * first) & (left[best] > _NOTHING)
    going = jnp.where(everything, ~jnp.all(asked), worth)
    return jnp.where(going, best, -1), left[best]


def paper_weights(
    between_outputs: Float[Array, "m m"],
    before: Float[Array, " k"],
    now: Float[Array, " k"],
    expansion_share: float | Float[Array, ""],
) -> Float[Array, " k"]:
    """(8): growth of each constraint's own safe set, mixed with its correlation to the objective.

    As printed the growth is divided by a size that may be 0, and B_0i has a sign and a scale: here
    the divisor is at least 1, and the correlation's absolute value is taken. Rule (14) asks about
    those with a weight of at least `ask_threshold`, once (9) has made the weights comparable.
    """
    growth = jnp.maximum(now - before, 0.0) / jnp.maximum(before, 1.0)
    scale = jnp.sqrt(jnp.diagonal(between_outputs))
    correlation = jnp.abs(between_outputs[0, 1:]) / (scale[0] * scale[1:])
    return expansion_share * growth + (1.0 - expansion_share) * correlation


def normalised(weights: Float[Array, " k"]) -> Float[Array, " k"]:
    """(9): weights relative to the largest, so that rule (14) always asks about something.

    As printed they are undefined where all are 0, before anything is learned: they are equal then.
    """
    largest = jnp.max(weights, initial=0.0)
    return jnp.where(largest > 0.0, weights / jnp.where(largest > 0.0, largest, 1.0), 1.0)
