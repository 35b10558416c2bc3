"""Driving with recorded policies: ten of them make an instance.

Of the 1,000 recorded sequences of controls 20 are different. They are those of Lindner et al. 2022
and not part of Counsel: put them in a folder and name it in $COUNSEL_DATA. Without it random
controls take their place, and the world's name says so: `recorded-driving-3` is real,
`synthetic-recorded-driving-3` is not. Dynamics, other car, reward and preferences are those of
`worlds.driving`, but for two: the recorded controls jump, and none of them is smooth; and with a
pace to keep, only one of them would be safe.
"""

import os
from functools import cache
from pathlib import Path

import numpy as np
from jaxtyping import Float

from counsel.errors import InvalidInput
from counsel.facts.checks import check_whole
from counsel.space import Arms
from counsel.worlds.constrained import ConstrainedWorld
from counsel.worlds.driving import NOISE, PREFERENCES, STEPS, Drives, follow, payoffs, pick
from counsel.worlds.registry import worlds

__all__ = ["recorded_driving"]

_FILES = ("acol_driver_policies/policies_1000x20x2.npy", "policies_1000x20x2.npy")
_LEFT_OUT = tuple(PREFERENCES.index(name) for name in ("pace", "smoothness"))
_MANY = 1000
_NAMES = ("speed", "position", "drift", "steering")


@worlds.register(
    "recorded-driving",
    title="Driving, recorded",
    sentence="Recorded ways to drive past a car that changes lane; six preferences.",
    constrained=True,
)
def recorded_driving(
    seed: int = 0,
    arms: int = 10,
    feasible: int = 4,
    noise: float = NOISE,
    folder: str | os.PathLike[str] | None = None,
) -> ConstrainedWorld:
    """Instance `seed`, as hard as those of `driving`; an arm is described by how it was driven.

    Its coordinates are the mean speed, the mean lateral position, how far the position changes, and
    how much is steered.
    """
    check_whole("arms", arms, least=4)
    check_whole("feasible", feasible, least=2, most=arms - 2)
    given = folder if folder is not None else os.environ.get("COUNSEL_DATA") or None
    drives = _stand_in() if given is None else _recorded(Path(given))
    outcomes = np.delete(payoffs(drives), [1 + i for i in _LEFT_OUT], axis=0)
    rng = np.random.default_rng([seed, 19])
    chosen, start = pick(outcomes, arms, feasible, rng)
    names = tuple(name for i, name in enumerate(PREFERENCES) if i not in _LEFT_OUT)
    space = Arms(_described(drives)[chosen], names=list(_NAMES))
    title = f"{'synthetic-' if given is None else ''}recorded-driving-{seed}"
    return ConstrainedWorld(title, space, outcomes[:, chosen], names, noise, start)


@cache
def _recorded(folder: Path) -> Drives:
    for file in _FILES:
        if (folder / file).is_file():
            controls = np.load(folder / file).astype(np.float64)
            break
    else:
        raise InvalidInput("folder", str(folder), f"It has no {_FILES[0]}.")
    if controls.ndim != 3 or controls.shape[1:] != (STEPS, 2):
        raise InvalidInput("folder", controls.shape, f"Give controls of shape (n, {STEPS}, 2).")
    _, firsts = np.unique(controls.round(6), axis=0, return_index=True)
    return follow(controls[np.sort(firsts)])


@cache
def _stand_in() -> Drives:
    """A thousand drives: steering that changes every five steps, throttle once."""
    rng = np.random.default_rng(0)
    steering = np.repeat(rng.normal(0.0, 0.35, (_MANY, 4)), STEPS // 4, axis=1)
    throttle = np.repeat(rng.uniform(0.2, 0.8, (_MANY, 2)), STEPS // 2, axis=1)
    return follow(np.clip(np.stack([steering, throttle], axis=2), -1.0, 1.0))


def _described(drives: Drives) -> Float[np.ndarray, "n 4"]:
    x, _, _, v = np.moveaxis(drives.states[:, 1:], 2, 0)
    steering = np.abs(drives.controls[:, :, 0]).mean(axis=1)
    return np.stack([v.mean(axis=1), x.mean(axis=1), x[:, -1] - x[:, 0], steering], axis=1)
