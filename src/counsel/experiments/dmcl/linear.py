"""ACOL in the compiled loop: linear bounds, instances side by side. Legend as in `asking`."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int

from counsel.experiments.asking import Instances, Runs
from counsel.policies.acol import ACOL, Linear, answered, choose, features, nothing

__all__ = ["run_linear"]


def run_linear(policy: ACOL, instances: Instances, rewards: Float[np.ndarray, "B M"]) -> Runs:
    """T rounds of every instance: one overall answer each; the true `rewards` are known."""
    return Runs(*(np.asarray(each) for each in _run(policy, instances, rewards)))


@jax.jit
def _run(policy: ACOL, instances: Instances, rewards: Float[Array, "B M"]) -> tuple[Array, ...]:
    rounds = instances.noise.shape[1]
    width = instances.points.shape[2] + 1
    block = instances.points.shape[0]
    start = jax.tree.map(lambda a: jnp.broadcast_to(a, (block, *a.shape)), nothing(width))

    def turn(state: Linear, n: Int[Array, ""]) -> tuple[Linear, tuple[Array, ...]]:
        return jax.vmap(partial(_trial, policy, n))(state, instances, rewards)

    _, found = jax.lax.scan(turn, start, jnp.arange(rounds))
    return tuple(jnp.swapaxes(each, 0, 1) for each in found)


def _trial(
    policy: ACOL,
    n: Int[Array, ""],
    state: Linear,
    instance: Instances,
    rewards: Float[Array, " M"],
) -> tuple[Linear, tuple[Array, ...]]:
    arms = instance.points.shape[0]
    given: Bool[Array, " M"] = jnp.arange(arms) == instance.start
    everything = jnp.ones(arms, dtype=bool)
    sigma, delta = jnp.asarray(policy.sigma), jnp.asarray(policy.delta)
    phi = features(jnp.asarray(instance.points))
    move = choose(state, phi, rewards, given, everything, sigma, delta)
    arm = jnp.where(n == 0, instance.start, move.arm)
    seen = instance.truth[1, arm] + instance.noise[n, 1]
    after = answered(state, phi[arm], seen, jnp.asarray(1.0))
    now = choose(after, phi, rewards, given, everything, sigma, delta)
    advised = jnp.argmax(jnp.where(now.feasible, rewards, -jnp.inf))
    truth = instance.truth[1]
    within = (move.lower <= truth) & (truth <= move.upper)
    exploring = move.exploring & (n > 0)
    return after, (
        arm,
        exploring,
        jnp.asarray(1),
        advised,
        jnp.all(within),
        jnp.sum(now.feasible),
        (move.upper - move.lower)[arm],
        jnp.zeros(()),
        # It has bounds on the margin alone, and no process that could be informed.
        jnp.asarray(jnp.nan),
        jnp.asarray(False),
        jnp.asarray(jnp.nan),
    )
