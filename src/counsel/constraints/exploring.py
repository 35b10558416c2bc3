"""Chooses the next arm: an uncertain one while that matters, else the best safe one."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from counsel.constraints.learned import Learned


class Move(NamedTuple):
    """`known_safe`: the arm is in S. `worth` is the value that it maximised."""

    arm: Int[Array, ""]
    exploring: Bool[Array, ""]
    known_safe: Bool[Array, ""]
    worth: Float[Array, ""]


def explore_or_exploit(
    learned: Learned,
    allowed: Bool[Array, " M"],
    tolerance: float | Float[Array, ""],
    budget: int | Int[Array, ""],
) -> Move:
    """The widest ambiguous bound in U while it exceeds `tolerance`; else argmax over S of u_0.

    The paper explores for as many rounds as there are arms. Here exploration ends when nothing is
    left to find out, or after `budget` trials outside S, and resumes if something becomes
    ambiguous.
    """
    widest = jnp.where(allowed, learned.sets.widest(learned.bounds), 0.0)
    exploring = (jnp.max(widest) > tolerance) & (learned.explored < budget)
    return choose(learned, allowed, exploring, widest)


def choose(
    learned: Learned,
    allowed: Bool[Array, " M"],
    exploring: Bool[Array, ""],
    widest: Float[Array, " M"],
) -> Move:
    """The arm of either phase. If no arm is known to be safe, the one most likely to be."""
    safe = learned.sets.safe & allowed
    hopeful = jnp.where(allowed, joint_chance(learned), -1.0)
    best = jnp.where(safe, learned.bounds.upper[0], -jnp.inf)
    fallback = jnp.where(jnp.any(safe), jnp.argmax(best), jnp.argmax(hopeful))
    arm = jnp.where(exploring, jnp.argmax(widest), fallback)
    worth = jnp.where(exploring, widest[arm], learned.bounds.upper[0, arm])
    return Move(arm, exploring, learned.sets.safe[arm], worth)


def chances(learned: Learned) -> Float[Array, "k M"]:
    """The probability of each constraint at each arm."""
    belief = learned.belief
    return jax.scipy.special.ndtr(belief.mean[1:] / belief.sd[1:])


def joint_chance(learned: Learned) -> Float[Array, " M"]:
    """The probability that all constraints hold at each arm, taken as independent."""
    return jnp.prod(chances(learned), axis=0)
