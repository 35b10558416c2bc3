"""Many runs of a policy that asks: a compiled loop over rounds, instances side by side.

Legend: B instances, T rounds, M arms, m outcomes (the objective, then k margins).
Every instance has its own arms, truth, noise, fit and beliefs; `noise` is drawn beforehand and the
same for every policy, so that runs are paired. The policy sees outcomes in their own units.
"""

from functools import partial
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int

from counsel.constraints.learned import Learned, begin, fold, tell
from counsel.constraints.selection import gains, question
from counsel.models.joint import Joint, prior
from counsel.models.kernels import Numbers
from counsel.models.multitask import Coregion, Rows, fit, pack, posterior, tabulated, unpack
from counsel.policies.constraint_learner import ConstraintLearner

__all__ = ["Instances", "Runs", "run_asking"]


class Instances(NamedTuple):
    """The truth of each instance and the noise to come; `start` is the first arm.

    `drift` is added to the truth in every round: margins that grow are preferences that relax.
    """

    points: Float[np.ndarray, "B M d"]
    truth: Float[np.ndarray, "B m M"]
    noise: Float[np.ndarray, "B T m"]
    start: Int[np.ndarray, " B"]
    drift: Float[np.ndarray, "B m"]


class Runs(NamedTuple):
    """Round by round: the arm, whether it explored, how many were asked, what was believed.

    `advised` is the arm the policy would return, argmax over S of l_0; `covered` says whether all
    bounds held before the trial, `certified` how many arms are in S, `width` and `payoff_width` how
    wide the widest margin's and the objective's bounds were at the arm. Before the trial, `error`
    is the largest |f - mean| / sd of all pairs, `allowed` whether the truly best arm was in S;
    `information` is what the trial's answers gave, in nats.
    """

    arm: Int[np.ndarray, "B T"]
    exploring: Bool[np.ndarray, "B T"]
    asked: Int[np.ndarray, "B T"]
    advised: Int[np.ndarray, "B T"]
    covered: Bool[np.ndarray, "B T"]
    certified: Int[np.ndarray, "B T"]
    width: Float[np.ndarray, "B T"]
    payoff_width: Float[np.ndarray, "B T"]
    error: Float[np.ndarray, "B T"]
    allowed: Bool[np.ndarray, "B T"]
    information: Float[np.ndarray, "B T"]


class _State(NamedTuple):
    learned: Learned
    theta: Float[Array, " p"]
    arms: Int[Array, " T"]
    values: Float[Array, "T m"]
    measured: Bool[Array, "T m"]
    table: Float[Array, "3 m M"]


def run_asking(
    policy: ConstraintLearner,
    model: Coregion,
    instances: Instances,
    *,
    sequential: bool = False,
    fitted: bool = True,
    own_models: bool = False,
    budget: int | None = None,
) -> Runs:
    """T rounds of every instance.

    `model` is where fits start and what they stay close to; without fits (`fitted` False) it is
    used as it is. With `own_models` its arrays are stacked, one model per instance, and never
    fitted, as if the truth were known.
    """
    arms = instances.points.shape[1]
    most = min(3 * arms, 60) if budget is None else budget
    fitted = fitted and not own_models
    mode = jnp.asarray(pack(model)) if fitted else jnp.zeros(0)
    options = {"sequential": sequential, "fitted": fitted, "own_models": own_models}
    runs = _run(policy, model, mode, instances, jnp.asarray(most), **options)
    return Runs(*(np.asarray(each) for each in runs))


@partial(jax.jit, static_argnames=("sequential", "fitted", "own_models"))
def _run(
    policy: ConstraintLearner,
    model: Coregion,
    mode: Float[Array, " p"],
    instances: Instances,
    budget: Int[Array, ""],
    *,
    sequential: bool,
    fitted: bool,
    own_models: bool,
) -> tuple[Array, ...]:
    rounds = instances.noise.shape[1]
    each = partial(jax.vmap, in_axes=(0 if own_models else None, 0, 0))
    nobody = jnp.zeros(instances.start.shape)
    start = each(partial(_begin, policy, mode, rounds))(model, nobody, instances)

    def turn(state: _State, n: Int[Array, ""]) -> tuple[_State, tuple[Array, ...]]:
        if fitted:
            refit = partial(each(partial(_refitted, policy, n)), model)
            state = jax.lax.cond(_due(n), refit, lambda s, i: s, state, instances)
        if policy.drifting:
            state = each(partial(_now, policy, fitted, n))(model, state, instances)
        trial = each(partial(_trial, policy, budget, sequential, fitted, n))
        return trial(model, state, instances)

    _, found = jax.lax.scan(turn, start, jnp.arange(rounds))
    return tuple(jnp.swapaxes(one, 0, 1) for one in found)


def _due(n: Int[Array, ""]) -> Bool[Array, ""]:
    """`policies.union.refit_due`, traced."""
    power = 2 ** jnp.floor(jnp.log2(jnp.maximum(n, 1).astype(jnp.float64)) + 1e-9).astype(n.dtype)
    return (n >= 2) & ((n == power) | (n == power + power // 2))


def _given(instance: Instances) -> Bool[Array, " M"]:
    return jnp.arange(instance.points.shape[0]) == instance.start


def _begin(
    policy: ConstraintLearner,
    mode: Float[Array, " p"],
    rounds: int,
    model: Coregion,
    nobody: Array,
    instance: Instances,
) -> _State:
    outputs, arms = instance.truth.shape
    return _State(
        begin(prior(model, _bare(model, instance.points)), _given(instance), policy.confidence),
        mode,
        jnp.zeros(rounds, dtype=jnp.int64),
        jnp.zeros((rounds, outputs)),
        jnp.zeros((rounds, outputs), dtype=bool),
        jnp.zeros((3, outputs, arms)),
    )


def _bare(model: Coregion, points: Float[Numbers, "M d"]) -> Float[Array, "M D"]:
    """Points with columns for what drifts, still zero."""
    return jnp.concatenate([points, jnp.zeros((points.shape[0], model.context.shape[0]))], axis=1)


def _now(
    policy: ConstraintLearner,
    fitted: bool,
    n: Int[Array, ""],
    like: Coregion,
    state: _State,
    instance: Instances,
) -> _State:
    """Where preferences drift (ICM-CI): beliefs at today's shares of answers that held."""
    rounds, outputs = state.values.shape
    model = unpack(state.theta, like) if fitted else like
    asked = state.measured[:, 1:]
    held = jnp.cumsum(asked & (state.values[:, 1:] >= 0.0), axis=0)
    total = jnp.cumsum(asked, axis=0)
    share = jnp.where(total > 0, held / jnp.maximum(total, 1), 0.5)
    share = jnp.concatenate([jnp.full((1, outputs - 1), 0.5), share])
    placed = jnp.concatenate([jnp.asarray(instance.points)[state.arms], share[:-1]], axis=1)
    size = rounds * outputs
    rows = Rows(
        jnp.repeat(placed, outputs, axis=0),
        jnp.tile(jnp.arange(outputs), rounds),
        state.values.reshape(-1),
        jnp.ones(size),
        jnp.zeros(size),
        state.measured.reshape(-1).astype(jnp.float64),
    )
    arms = instance.points.shape[0]
    here = jnp.concatenate([instance.points, jnp.tile(share[n], (arms, 1))], axis=1)
    mean, covariance = posterior(model, rows).joint(here)
    belief = Joint(mean.reshape(outputs, arms), covariance, jnp.asarray(model.noise))
    fresh = begin(belief, _given(instance), policy.confidence, t=n + 1)
    return state._replace(learned=eqx.tree_at(lambda l: l.explored, fresh, state.learned.explored))


def _refitted(
    policy: ConstraintLearner,
    n: Int[Array, ""],
    like: Coregion,
    state: _State,
    instance: Instances,
) -> _State:
    rows = tabulated(instance.points, *state.table)
    found = fit(like, rows, state.theta)
    learned = fold(
        found.model,
        instance.points,
        _given(instance),
        state.arms,
        state.values,
        state.measured,
        n,
        policy.confidence,
        impute=policy.impute,
    )
    return state._replace(learned=learned, theta=found.theta)


def _trial(
    policy: ConstraintLearner,
    budget: Int[Array, ""],
    sequential: bool,
    fitted: bool,
    n: Int[Array, ""],
    like: Coregion,
    state: _State,
    instance: Instances,
) -> tuple[_State, tuple[Array, ...]]:
    """One round: choose, measure the objective, ask, learn."""
    learned, confidence = state.learned, policy.confidence
    outputs, arms = instance.truth.shape
    truth = instance.truth + n * instance.drift[:, None]
    model = unpack(state.theta, like) if fitted else like
    move = policy.choose(learned, jnp.ones(arms, dtype=bool), budget)
    first = n == 0
    arm = jnp.where(first, instance.start, move.arm)
    exploring = move.exploring & ~first
    seen = truth[:, arm] + instance.noise[n]
    objective = jnp.arange(outputs) == 0
    if sequential:
        after = tell(learned, arm, seen, objective, confidence)
        most = jnp.max(gains(after.belief, arm, after.sets.ambiguous), initial=0.0)

        def ask(
            _: int, held: tuple[Learned, Bool[Array, " k"], Bool[Array, ""]]
        ) -> tuple[Learned, Bool[Array, " k"], Bool[Array, ""]]:
            now, asked, going = held
            best, _gain = question(
                now.belief, arm, now.sets.ambiguous, asked, most, policy.ask_share
            )
            best = jnp.where(first, jnp.argmin(asked), best)
            going = jnp.where(first, ~jnp.all(asked), going & exploring & (best >= 0))
            chosen = (jnp.arange(outputs - 1) == best) & going
            measured = jnp.append(False, chosen)
            told = tell(now, arm, seen, measured, confidence, same_trial=True)
            kept = jax.tree.map(lambda a, b: jnp.where(going, a, b), told, now)
            return kept, asked | chosen, going

        start = (after, jnp.zeros(outputs - 1, dtype=bool), jnp.asarray(True))
        after, asked, _ = jax.lax.fori_loop(0, outputs - 1, ask, start)
        measured = jnp.append(True, asked)
    else:
        asked = policy.asks(learned, move, model.between_outputs()) | first
        measured = jnp.append(True, asked)
        after = tell(learned, arm, seen, measured, confidence, impute=policy.impute)
    counted = jnp.stack([measured, measured * seen, measured * seen**2])
    state = _State(
        after,
        state.theta,
        state.arms.at[n].set(arm),
        state.values.at[n].set(jnp.where(measured, seen, 0.0)),
        state.measured.at[n].set(measured),
        state.table.at[:, :, arm].add(counted),
    )
    now = after.sets
    within = (learned.bounds.lower <= truth) & (truth <= learned.bounds.upper)
    advised = jnp.argmax(jnp.where(now.safe, after.bounds.lower[0], -jnp.inf))
    width = learned.bounds.width[:, arm]
    belief = learned.belief
    best = jnp.argmax(jnp.where(jnp.all(truth[1:] >= 0.0, axis=0), truth[0], -jnp.inf))
    here = jnp.arange(outputs) * arms + arm
    signal = belief.covariance[here][:, here] * measured / belief.noise[:, None]
    return state, (
        arm,
        exploring,
        jnp.sum(asked),
        advised,
        jnp.all(within),
        jnp.sum(now.safe),
        jnp.max(width[1:]),
        width[0],
        jnp.max(jnp.abs(truth - belief.mean) / belief.sd),
        learned.sets.safe[best],
        0.5 * jnp.linalg.slogdet(jnp.eye(outputs) + signal * measured[:, None])[1],
    )
