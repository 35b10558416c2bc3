r"""A person corrects the two-link arm while it moves (Jin et al. 2023, as in `robot_arm`).

A key pushes a joint one way at one step of the movement. It is taken to mean that such a push would
make the movement cheaper, which cuts the weights of the features by a half-space:

    d/dpush J(u + push at step t; w) . key = normal'w + offset <= 0

The rest of the movement is planned again for the centroid of the remaining weights. So each
correction gives other weights, and their plan from the start is another way to move: these are the
arms of a study.

That centroid may be far from the weights before, and its plan may swing the hand the other way: of
ten first plans, pushed at seven steps, the hand went left after 22 of 70 pushes to the left. So
`pushed` looks for other weights then, and the hand goes where it was pushed.
"""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from counsel.errors import InvalidInput
from counsel.models.compiling import compiled
from counsel.models.kernels import Numbers
from counsel.worlds.robot_arm import (
    LEAST,
    MOST,
    STEPS,
    WALL,
    feature_sums,
    half_space,
    plan,
    roll,
)

__all__ = [
    "KEYS",
    "Game",
    "Movement",
    "Weights",
    "begin",
    "corrected",
    "hand",
    "movement",
    "pushed",
    "towards",
    "watched",
]

KEYS = {"left": (1.0, 0.0), "right": (-1.0, 0.0), "up": (0.0, 1.0), "down": (0.0, -1.0)}
_PARTICLES = 2000
_TRIES = 20
_WAYS = {"left": (0, -1.0), "right": (0, 1.0), "up": (1, 1.0), "down": (1, -1.0)}  # axis, sign
_NEAR = 12  # weights to look at, nearest first
_SOON, _SEEN = 8, 0.03  # steps in which the hand has to go there, and how far at least

Weights = Float[np.ndarray, "5"]


class Movement(NamedTuple):
    """A planned movement: torques, states (q1, q2, v1, v2), how far the hand keeps from the wall,
    and how easy it is: minus the log of its cost for middling weights."""

    torques: Float[np.ndarray, "50 2"]
    states: Float[np.ndarray, "51 4"]
    clearance: float
    ease: float


class Game(NamedTuple):
    """The state of a person and the arm.

    under_way      the movement as begun, corrected and planned to continue
    weights        those of the last correction, and of every one before it
    left           the weights that agree with all corrections
    """

    under_way: Movement
    weights: tuple[Weights, ...]
    left: Float[np.ndarray, "p 5"]


def begin(seed: int) -> Game:
    """A first plan for random weights that hits the wall, so that there is something to correct."""
    rng = np.random.default_rng([seed, 29])
    left = LEAST + (MOST - LEAST) * rng.uniform(size=(_PARTICLES, 5))
    for weights in left[:_TRIES]:
        first = movement(weights)
        if first.clearance < 0.0:
            break
    return Game(first, (weights,), left)


def watched(game: Game) -> Game:
    """From the start again, with the current weights."""
    return game._replace(under_way=movement(game.weights[-1]))


def corrected(game: Game, step: int, key: str) -> Game | None:
    """After a key at a step; None if it contradicts all earlier presses."""
    if key not in KEYS:
        raise InvalidInput("key", key, f"Press one of {', '.join(KEYS)}.")
    if not 0 <= step < STEPS:
        raise InvalidInput("step", step, f"Give a step from 0 to {STEPS - 1}.")
    torques = game.under_way.torques
    at = np.asarray(step)
    normal, offset = (np.asarray(each) for each in _cut(torques, at, np.asarray(KEYS[key])))
    agree = game.left @ normal + offset <= 0.0
    if not agree.any():
        return None
    left = game.left[agree]
    weights = left.mean(axis=0)
    return Game(_made(*_go_on(weights, torques, at)), (*game.weights, weights), left)


def pushed(game: Game, step: int, key: str) -> Game | None:
    """After the hand was pushed at a step; None if no weights known take it there.

    Of weights that agree with all corrections the centroid comes first, then those nearest to the
    last ones; then weights that agree with all corrections but this.
    """
    after = corrected(game, step, towards(key, game.under_way.states[step]))
    if after is not None and _goes(game, after.under_way, step, key):
        return after
    for left in (after.left if after is not None else game.left[:0], game.left):
        apart = np.square(left - game.weights[-1]).sum(axis=1)
        for weights in left[np.argsort(apart)[:_NEAR]]:
            made = _made(*_go_on(weights, game.under_way.torques, np.asarray(step)))
            if _goes(game, made, step, key):
                return Game(made, (*game.weights, weights), left)
    return None


def _goes(game: Game, made: Movement, step: int, key: str) -> bool:
    """Whether the hand soon is further where it was pushed than it would have been."""
    axis, sign = _WAYS[key]
    soon = slice(step + 1, step + 1 + _SOON)
    apart = hand(made.states[soon]) - hand(game.under_way.states[soon])
    return bool(sign * apart[:, axis].mean() > _SEEN)


def hand(states: Float[np.ndarray, "n 4"]) -> Float[np.ndarray, "n 2"]:
    """Where the hand is."""
    first, second = states[:, 0], states[:, 0] + states[:, 1]
    return np.stack([np.cos(first) + np.cos(second), np.sin(first) + np.sin(second)], axis=1)


def towards(key: str, state: Float[np.ndarray, "4"]) -> str:
    """The turn of a joint that moves the hand where a key points, as `KEYS` names it.

    Left and right turn the shoulder, up and down the elbow. A turn to the left moves what is above
    the joint to the left and what is below it to the right.
    """
    shoulder, bend = float(state[0]), float(state[1])
    if key in ("left", "right"):
        above = np.sin(shoulder) + np.sin(shoulder + bend) >= 0.0
        return key if above else {"left": "right", "right": "left"}[key]
    right = np.cos(shoulder + bend) >= 0.0
    return key if right else {"up": "down", "down": "up"}[key]


def movement(weights: Weights) -> Movement:
    """The plan for these weights, from the start."""
    return _made(*_go_on(weights, np.zeros((STEPS, 2)), np.asarray(0)))


def _made(
    torques: Float[Array, "50 2"], states: Float[Array, "51 4"], total: Float[Array, "6"]
) -> Movement:
    q = np.asarray(states)
    reach = hand(q)[:, 0]
    cost = float(np.asarray(total) @ np.append(0.5 * (LEAST + MOST), 1.0))
    return Movement(np.asarray(torques), q, float(WALL - reach.max()), -float(np.log(cost)))


@compiled()
def _go_on(
    weights: Float[Numbers, "5"], torques: Float[Numbers, "50 2"], first: Numbers
) -> tuple[Float[Array, "50 2"], Float[Array, "51 4"], Float[Array, "6"]]:
    planned = plan(jnp.asarray(weights), jnp.asarray(torques), jnp.asarray(first))
    return planned, roll(planned), feature_sums(planned)


@compiled()
def _cut(
    torques: Float[Numbers, "50 2"], at: Numbers, key: Float[Numbers, "2"]
) -> tuple[Float[Array, "5"], Float[Array, ""]]:
    return half_space(jnp.asarray(torques), jnp.asarray(at), jnp.asarray(key))
