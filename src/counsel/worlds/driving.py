"""Driving past a car that changes lane: ten ways to drive, eight preferences (DMCL section 6).

Dynamics of Sadigh et al. 2017 as in Lindner et al. 2022: x' = v cos th, y' = v sin th, th' = v u1,
v' = u2 - v, steps of 0.2; three lanes of 0.17. A way to drive is a feedback law with four settings.
Instances of ten arms are drawn so that they are hard: some of the ways that pay most are not safe.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from jaxtyping import Float, Int

from counsel.errors import InvalidInput
from counsel.facts.checks import check_whole
from counsel.space import Arms
from counsel.worlds.constrained import ConstrainedWorld
from counsel.worlds.registry import worlds

__all__ = ["PREFERENCES", "Drives", "drive", "driving", "follow", "margins", "other_car", "pick"]

STEPS, DT, LANE = 20, 0.2, 0.17
START = (0.0, -0.1, np.pi / 2, 0.41)
SETTINGS = {"speed": (0.2, 1.0), "lane": (-0.3, 0.3), "gain": (0.1, 1.0), "caution": (0.0, 1.0)}
PREFERENCES = (
    "pace", "side", "lane keeping", "heading", "smoothness", "road edge", "speed limit", "distance",
)  # fmt: skip
NOISE = 0.05
MARGIN, GAP = 0.1, 0.05
_REFERENCE = 4000
_TRIES = 1000
_NONE = "No such instance was found; ask for fewer."

Settings = Float[np.ndarray, "n 4"]


@dataclass(frozen=True, eq=False)
class Drives:
    """Trajectories of cars: states (n, 21, 4) as x, y, heading, speed; controls (n, 20, 2)."""

    states: Float[np.ndarray, "n s 4"]
    controls: Float[np.ndarray, "n c 2"]


def other_car() -> Float[np.ndarray, "s 4"]:
    """The car that changes lane: straight, left, right again, at a constant speed."""
    steering = np.repeat([0.0, 1.0, -1.0, 0.0], [5, 6, 6, 3])
    state = np.array([LANE, 0.0, np.pi / 2, 0.41])
    states = [state]
    for u in steering:
        state = _step(state[None, :], np.array([[u, state[3]]]))[0]
        states.append(state)
    return np.stack(states)


def drive(settings: Settings) -> Drives:
    """Drive with each of the settings: (speed, lane, gain, caution).

    Steering turns towards the wanted lateral position, the more sharply the larger the gain; the
    car keeps its wanted speed, and slows down near the other car in proportion to its caution.
    """
    speed, lane, gain, caution = settings.T
    other = other_car()
    state = np.tile(START, (len(settings), 1))
    states, controls = [state], []
    for step in range(STEPS):
        x, y, heading, v = state.T
        wanted = np.pi / 2 - np.clip(3.0 * gain * (lane - x), -0.6, 0.6)
        steering = np.clip(4.0 * (wanted - heading), -1.0, 1.0)
        ahead = other[step, :2] - np.stack([x, y], axis=1)
        near = np.exp(-0.5 * ((ahead[:, 0] / LANE) ** 2 + ((ahead[:, 1] - 0.15) / 0.25) ** 2))
        target = speed * (1.0 - caution * near)
        throttle = np.clip(v + 2.0 * (target - v), -1.0, 1.0)
        control = np.stack([steering, throttle], axis=1)
        state = _step(state, control)
        states.append(state)
        controls.append(control)
    return Drives(np.stack(states, axis=1), np.stack(controls, axis=1))


def follow(controls: Float[np.ndarray, "n c 2"]) -> Drives:
    """Drive with controls that are known beforehand: steering and throttle of every step."""
    state = np.tile(START, (len(controls), 1))
    states = [state]
    for step in range(controls.shape[1]):
        state = _step(state, controls[:, step])
        states.append(state)
    return Drives(np.stack(states, axis=1), controls)


def _step(
    state: Float[np.ndarray, "n 4"], control: Float[np.ndarray, "n 2"]
) -> Float[np.ndarray, "n 4"]:
    x, y, heading, v = state.T
    steering, throttle = control.T
    return np.stack(
        [
            x + DT * v * np.cos(heading),
            y + DT * v * np.sin(heading),
            heading + DT * v * steering,
            np.clip(v + DT * (throttle - v), -1.0, 1.0),
        ],
        axis=1,
    )


def margins(drives: Drives) -> Float[np.ndarray, "8 n"]:
    """How far each preference is from being violated, squashed to about +-1.2."""
    x, y, heading, v = np.moveaxis(drives.states[:, 1:], 2, 0)
    off_centre = np.abs(x[:, :, None] - LANE * np.array([-1.0, 0.0, 1.0])).min(axis=2)
    jumps = np.diff(drives.controls, axis=1)
    other = other_car()[1:]
    gaps = np.sqrt(((x - other[:, 0]) / 0.6) ** 2 + (y - other[:, 1]) ** 2)
    raw = np.stack(
        [
            1.0 - np.mean((v - 0.45) ** 2, axis=1) / 0.04,
            1.0 - np.mean((x - LANE) ** 2, axis=1) / 0.04,
            1.0 - np.mean(off_centre, axis=1) / 0.045,
            1.0 - np.mean(np.abs(np.cos(heading)), axis=1) / 0.25,
            1.0 - np.mean(np.sum(jumps**2, axis=2), axis=1) / 0.06,
            0.225 / np.maximum(np.abs(x).max(axis=1), 1e-3) - 1.0,
            0.62 / np.maximum(v.max(axis=1), 1e-3) - 1.0,
            gaps.min(axis=1) / 0.13 - 1.0,
        ]
    )
    return 1.2 * np.tanh(raw / 1.2)


def _rewards(drives: Drives) -> Float[np.ndarray, " n"]:
    progress = drives.states[:, -1, 1] - drives.states[:, 0, 1]
    effort = np.mean(np.sum(drives.controls**2, axis=2), axis=1)
    return progress / 2.0 - 0.05 * effort


@cache
def _scale() -> tuple[float, float]:
    """Mean and sd of the reward over ways to drive at random."""
    rewards = _rewards(drive(_settings(_REFERENCE, np.random.default_rng(0))))
    return float(rewards.mean()), float(rewards.std())


def _settings(count: int, rng: np.random.Generator) -> Settings:
    low, high = np.array(list(SETTINGS.values())).T
    return low + (high - low) * rng.uniform(size=(count, 4))


def payoffs(drives: Drives) -> Float[np.ndarray, "9 n"]:
    """Standardised reward, then the eight margins."""
    mean, sd = _scale()
    return np.concatenate([(_rewards(drives)[None, :] - mean) / sd, margins(drives)])


@worlds.register(
    "driving",
    title="Driving",
    sentence="Ways to drive past a car that changes lane; eight preferences.",
    constrained=True,
)
def driving(
    seed: int = 0, arms: int = 10, feasible: int = 4, noise: float = NOISE
) -> ConstrainedWorld:
    """Instance `seed`: `feasible` arms are safe by a margin, at least two others pay more.

    The best safe arm is ahead of the next safe one by 0.05; the start is the worst safe one.
    """
    check_whole("arms", arms, least=4)
    check_whole("feasible", feasible, least=2, most=arms - 2)
    rng = np.random.default_rng([seed, 17])
    for _ in range(_TRIES):
        settings = _settings(_REFERENCE // 4, rng)
        outcomes = payoffs(drive(settings))
        found = _drawn(outcomes, arms, feasible, rng)
        if found is not None:
            chosen, start = found
            space = Arms(settings[chosen], names=list(SETTINGS))
            part = outcomes[:, chosen]
            return ConstrainedWorld(f"driving-{seed}", space, part, PREFERENCES, noise, start)
    raise InvalidInput("feasible", feasible, _NONE)


def pick(
    outcomes: Float[np.ndarray, "m n"], arms: int, feasible: int, rng: np.random.Generator
) -> tuple[Int[np.ndarray, " k"], int]:
    """Of n ways to drive, those of a hard instance, and which of them is the start."""
    for _ in range(_TRIES):
        found = _drawn(outcomes, arms, feasible, rng)
        if found is not None:
            return found
    raise InvalidInput("feasible", feasible, _NONE)


def _drawn(
    outcomes: Float[np.ndarray, "m n"], arms: int, feasible: int, rng: np.random.Generator
) -> tuple[Int[np.ndarray, " k"], int] | None:
    """One draw, or None if it is not hard enough."""
    least = outcomes[1:].min(axis=0)
    safe, unsafe = np.flatnonzero(least >= MARGIN), np.flatnonzero(least < 0.0)
    if len(safe) < feasible or len(unsafe) < arms - feasible:
        return None
    chosen = np.concatenate(
        [
            rng.choice(safe, feasible, replace=False),
            rng.choice(unsafe, arms - feasible, replace=False),
        ]
    )
    chosen = rng.permutation(chosen)
    part = outcomes[:, chosen]
    good = np.flatnonzero(part[1:].min(axis=0) >= 0.0)
    ranked = np.sort(part[0, good])[::-1]
    ahead = int((np.delete(part[0], good) > ranked[0]).sum())
    if ranked[0] - ranked[1] < GAP or ahead < 2:
        return None
    return chosen, int(good[np.argmin(part[0, good])])
