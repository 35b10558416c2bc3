"""A round of a constraint learner that certifies by the union bound: facts in, a choice out.

One model of all outcomes together is fitted when it is due, the trials are folded into beliefs and
running bounds, and the policy's own rule, `choose` and `asks`, says where to go and what to ask. It
is compiled and knows nothing of studies, so the experiments run it for many instances at once.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array as JaxArray
from jaxtyping import Bool, Float, Int

from counsel.constraints.exploring import Move, chances
from counsel.constraints.learned import Learned, begin, fold, tell
from counsel.constraints.selection import gains, question
from counsel.facts.history import History
from counsel.models import multitask
from counsel.models.compiling import compiled
from counsel.models.fit import FAILED
from counsel.models.joint import Joint
from counsel.models.kernels import Numbers
from counsel.policies.candidates import Candidates, room

if TYPE_CHECKING:
    from counsel.policies.constraint_learner import ConstraintLearner

__all__ = [
    "MOST_BUDGET",
    "Moved",
    "There",
    "decided",
    "fitted",
    "in_order",
    "jointly",
    "learned_from",
    "listed",
    "next_question",
    "predicted",
    "refit_due",
]

MOST_BUDGET = 60


def refit_due(trials: int) -> bool:
    """Twice per doubling of the trials: 2, 3, 4, 6, 8, 12, 16, 24, ..."""
    power = 1 << max(trials.bit_length() - 1, 0)
    return trials >= 2 and trials in (power, power + power // 2)


def fitted(
    policy: "ConstraintLearner", candidates: Candidates, history: History
) -> tuple[multitask.Coregion, tuple[float, ...], str]:
    """The model of this round: fitted when it is due, else the last one."""
    outputs, width = candidates.outcomes.shape[1], candidates.points.shape[1]
    context = width - candidates.chosen
    like = multitask.default(outputs, candidates.chosen, context, policy.rank)
    mode = multitask.pack(like)
    last = np.array(history.theta) if len(history.theta) == len(mode) else mode
    if len(history.theta) == len(mode) and not refit_due(len(candidates.where)):
        return multitask.unpack(last, like), tuple(last.tolist()), ""
    found = multitask.fit(like, candidates.rows, last)
    theta = np.asarray(found.theta)
    return found.model, tuple(theta.tolist()), "" if bool(found.ok) else FAILED


def learned_from(
    policy: "ConstraintLearner", candidates: Candidates, model: multitask.Coregion
) -> Learned:
    if policy.drifting:
        t = np.asarray(len(candidates.where) + 1)
        return _at_once(policy, model, candidates.rows, candidates.points, candidates.given, t)
    count = np.asarray(len(candidates.where))
    return fold(*in_order(candidates, model), count, policy.confidence, impute=policy.impute)


def in_order(candidates: Candidates, model: multitask.Coregion) -> tuple[Any, ...]:
    """The trials as `fold` takes them, padded."""
    n, outputs = candidates.outcomes.shape
    size = room(n)
    index = np.zeros(size, dtype=np.int64)
    outcomes, measured = np.zeros((size, outputs)), np.zeros((size, outputs), dtype=bool)
    index[:n], outcomes[:n], measured[:n] = (
        candidates.where,
        candidates.outcomes,
        candidates.measured,
    )
    return model, candidates.points, candidates.given, index, outcomes, measured


@compiled()
def _at_once(
    policy: "ConstraintLearner",
    model: multitask.Coregion,
    rows: multitask.Rows,
    points: Float[Numbers, "P d"],
    given: Bool[Numbers, " P"],
    t: Int[Numbers, ""],
) -> Learned:
    """If preferences drift, earlier bounds are out of date: use this round's alone."""
    mean, covariance = multitask.posterior(model, rows).joint(points)
    shape = (model.outputs, points.shape[0])
    belief = Joint(mean.reshape(shape), covariance, jnp.asarray(model.noise))
    return begin(belief, jnp.asarray(given), policy.confidence, jnp.asarray(t))


class There(NamedTuple):
    """The belief at the chosen point: the objective, and the probability of each constraint."""

    mean: Float[JaxArray, ""]
    sd: Float[JaxArray, ""]
    upper: Float[JaxArray, ""]
    asks: Bool[JaxArray, " k"]
    chances: Float[JaxArray, " k"]


class Moved(NamedTuple):
    """All that a round comes to."""

    candidates: Candidates
    model: multitask.Coregion
    theta: tuple[float, ...]
    note: str
    learned: Learned
    move: Move
    there: There


@compiled()
def decided(
    policy: "ConstraintLearner",
    learned: Learned,
    free: Bool[Numbers, " M"],
    allowed: Bool[Numbers, " M"],
    budget: Int[Numbers, ""],
    model: multitask.Coregion,
) -> tuple[Move, There]:
    """Where to go among the points that are `free`, and what to ask there.

    A safe arm that is already pending is better than one that is not known to be safe.
    """
    first, again = (
        policy.choose(learned, jnp.asarray(each), jnp.asarray(budget)) for each in (free, allowed)
    )
    fine = first.known_safe | first.exploring | ~jnp.any(allowed)
    move = jax.tree.map(lambda a, b: jnp.where(fine, a, b), first, again)
    belief, arm = learned.belief, move.arm
    asks = jnp.zeros(0, dtype=bool)
    if model.outputs > 1:
        asks = policy.asks(learned, move, model.between_outputs())
    return move, There(
        belief.mean[0, arm],
        belief.sd[0, arm],
        learned.bounds.upper[0, arm],
        asks,
        chances(learned)[:, arm],
    )


@compiled()
def listed(
    policy: "ConstraintLearner", learned: Learned, model: multitask.Coregion
) -> Bool[JaxArray, " k"]:
    """What to ask about any trial of this round."""
    everywhere = jnp.ones(learned.given.shape, dtype=bool)
    move = policy.choose(learned, everywhere, jnp.asarray(MOST_BUDGET))
    return policy.asks(learned, move, model.between_outputs())


@compiled()
def next_question(
    policy: "ConstraintLearner",
    learned: Learned,
    arm: Int[Numbers, ""],
    given: Float[Numbers, " m"],
    known: Bool[Numbers, " k"],
) -> Int[JaxArray, ""]:
    """The next question at `arm` after the answers `given` there."""
    at = jnp.asarray(arm)
    first = jnp.max(gains(learned.belief, at, learned.sets.ambiguous), initial=0.0)
    measured = jnp.append(False, jnp.asarray(known))
    after = tell(learned, at, jnp.asarray(given), measured, policy.confidence, same_trial=True)
    return question(
        after.belief, at, after.sets.ambiguous, jnp.asarray(known), first, policy.ask_share
    )[0]


@compiled()
def predicted(
    belief: multitask.Posterior, points: Float[JaxArray, "k d"]
) -> tuple[Float[JaxArray, "m k"], Float[JaxArray, "m k"]]:
    return belief.predict(points)


@compiled()
def jointly(
    belief: multitask.Posterior, points: Float[JaxArray, "k d"]
) -> tuple[Float[JaxArray, " A"], Float[JaxArray, "A A"]]:
    return belief.joint(points)
