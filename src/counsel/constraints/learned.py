"""Beliefs and running bounds, as a fold over trials.

A policy remembers nothing. Its bounds are recomputed by folding the history under today's
hyper-parameters, so no bounds from an earlier fit survive a refit.
"""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from counsel.constraints.running_bounds import Bounds, bayesian_beta, interval, running
from counsel.constraints.sets import Sets, sets
from counsel.models.compiling import compiled
from counsel.models.joint import Joint, prior
from counsel.models.kernels import Numbers
from counsel.models.multitask import Coregion
from counsel.registry import parts


@parts.register(
    "confidence", title="Confidence", sentence="How wide the bounds of a constraint learner are."
)
class Confidence(eqx.Module):
    """How wide bounds are: `constant` times the sd, or (0) Bayesian at level `delta`."""

    delta: float | Float[Array, ""] = 0.1
    constant: float | Float[Array, ""] = 0.0

    def beta(self, pairs: int, t: int | Int[Array, ""]) -> Float[Array, ""]:
        constant = jnp.asarray(self.constant, dtype=jnp.float64)
        return jnp.where(constant > 0.0, constant, bayesian_beta(pairs, t, self.delta))


class Learned(eqx.Module):
    """After `t - 1` trials: beliefs, bounds, and the number of exploring trials.

    `sizes` are the numbers of arms where each constraint alone is known to hold; `before` are those
    of the previous round.
    """

    belief: Joint
    bounds: Bounds
    given: Bool[Array, " M"]
    t: Int[Array, ""]
    explored: Int[Array, ""]
    sizes: Float[Array, " k"]
    before: Float[Array, " k"]

    @property
    def sets(self) -> Sets:
        return sets(self.bounds, self.given)


def begin(
    belief: Joint,
    given: Bool[Array, " M"],
    confidence: Confidence,
    t: int | Int[Array, ""] = 1,
) -> Learned:
    """The state that follows from a belief alone in round t, without earlier bounds."""
    beta = confidence.beta(belief.mean.size, t)
    bounds = interval(belief.mean, belief.sd, beta)
    sizes = _sizes(bounds)
    return Learned(bounds=bounds, belief=belief, given=given, t=jnp.asarray(t),
                   explored=jnp.asarray(0), sizes=sizes, before=sizes)  # fmt: skip


def tell(
    learned: Learned,
    arm: Int[Array, ""],
    y: Float[Array, " m"],
    measured: Bool[Array, " m"],
    confidence: Confidence,
    *,
    impute: bool = False,
    same_trial: bool | Bool[Array, ""] = False,
) -> Learned:
    """After one more trial, or (`same_trial`) one more answer about the last one.

    `impute` pretends, as the paper does, that missing answers came out as expected: the mean stays,
    and the sd shrinks as if it had been measured. It is here to show the consequences.
    """
    told = measured | jnp.asarray(impute)
    value = jnp.where(measured, y, learned.belief.mean[:, arm])
    belief = learned.belief.told(arm, value, told)
    new = 1 - jnp.asarray(same_trial).astype(learned.t.dtype)
    t = learned.t + new
    now = interval(belief.mean, belief.sd, confidence.beta(belief.mean.size, t))
    bounds = running(learned.bounds, now)
    explored = new * (~learned.sets.safe[arm]).astype(learned.t.dtype)
    return Learned(
        belief=belief,
        bounds=bounds,
        given=learned.given,
        t=t,
        explored=learned.explored + explored,
        sizes=_sizes(bounds),
        before=jnp.where(new > 0, learned.sizes, learned.before),
    )


@compiled(static=("impute",))
def fold(
    model: Coregion,
    points: Float[Numbers, "M d"],
    given: Bool[Numbers, " M"],
    arms: Int[Numbers, " n"],
    outcomes: Float[Numbers, "n m"],
    measured: Bool[Numbers, "n m"],
    count: Int[Numbers, ""],
    confidence: Confidence,
    *,
    impute: bool = False,
) -> Learned:
    """`tell` of the first `count` trials in turn; the rest is padding."""
    start = begin(prior(model, points), jnp.asarray(given), confidence)
    where, y, asked = jnp.asarray(arms), jnp.asarray(outcomes), jnp.asarray(measured)

    def step(i: Int[Array, ""], learned: Learned) -> Learned:
        return tell(learned, where[i], y[i], asked[i], confidence, impute=impute)

    return jax.lax.fori_loop(0, count, step, start)


@compiled(static=("impute",))
def course(
    model: Coregion,
    points: Float[Numbers, "M d"],
    given: Bool[Numbers, " M"],
    arms: Int[Numbers, " n"],
    outcomes: Float[Numbers, "n m"],
    measured: Bool[Numbers, "n m"],
    confidence: Confidence,
    *,
    impute: bool = False,
) -> tuple[Bool[Array, "n M"], Bool[Array, "n M"]]:
    """What was safe, and what was still open, after each trial of `fold`."""

    def step(
        learned: Learned, trial: tuple[Array, Array, Array]
    ) -> tuple[Learned, tuple[Bool[Array, " M"], Bool[Array, " M"]]]:
        arm, y, asked = trial
        after = tell(learned, arm, y, asked, confidence, impute=impute)
        return after, (after.sets.safe, after.sets.uncertain)

    start = begin(prior(model, points), jnp.asarray(given), confidence)
    trials = jnp.asarray(arms), jnp.asarray(outcomes), jnp.asarray(measured)
    return jax.lax.scan(step, start, trials)[1]


def _sizes(bounds: Bounds) -> Float[Array, " k"]:
    return jnp.sum(bounds.lower[1:] >= 0.0, axis=1).astype(jnp.float64)
