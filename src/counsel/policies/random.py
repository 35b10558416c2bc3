"""Random search, which also chooses the first points of every other policy.

A first point is the farthest of a few random ones from what was tried, is pending or was
rejected: close to a space-filling design, but able to start from any data at hand. NumPy only:
the first proposals of a study need no compiled code.
"""

from dataclasses import dataclass

import numpy as np

from counsel.errors import NothingToPropose
from counsel.facts.history import Array, History
from counsel.facts.records import Prediction, Problem
from counsel.policies.protocol import Choice
from counsel.policies.registry import policies
from counsel.space import Arms, Space

EXCLUSION_RADIUS = 0.05
"""The neighbourhood of a rejected point in a box, as a share of every range."""

_DRAWS = 64


@policies.register(
    "random",
    title="Random search",
    sentence="Points drawn at random, whatever was measured.",
    has_beliefs=False,
)
@dataclass(frozen=True, slots=True)
class Random:
    """Uniform over the space, never a rejected point."""

    name: str = "random"

    def propose(self, problem: Problem, history: History) -> Choice:
        return draw(problem.space, history, spread=False)

    def predict(self, problem: Problem, history: History, points: Array) -> list[Prediction] | None:
        return None


def draw(
    space: Space | Arms, history: History, *, spread: bool, known: Array | None = None
) -> Choice:
    """A random point; with `spread`, of several random points the farthest from the known ones.

    Known points are those with an objective (or `known`, if given) and the pending ones.
    """
    rng = np.random.default_rng([history.seed, history.t])
    if isinstance(space, Arms):
        allowed = np.flatnonzero(allowed_arms(space, history))
        chosen = allowed[rng.permutation(len(allowed))[:_DRAWS]]
        points = space.points[chosen]
    else:
        points = space.snap(rng.uniform(size=(16 * _DRAWS, space.dim)))
        points = points[~excluded(points, history.rejected)][:_DRAWS]
        chosen = None
    if len(points) == 0:
        raise NothingToPropose(
            "Every point of the space is rejected. Withdraw a rejection, or widen the space."
        )
    best = 0
    if spread:
        taken = taken_points(space, history, known)
        if len(taken):
            gaps = np.linalg.norm(points[:, None, :] - taken[None, :, :], axis=2).min(axis=1)
            best = int(np.argmax(gaps))
    return Choice(points[best], arm=None if chosen is None else int(chosen[best]))


def taken_points(space: Space | Arms, history: History, known: Array | None = None) -> Array:
    """What a first trial keeps away from: the known points and those under way."""
    tried = history.x if known is None else known
    return np.concatenate([tried, history.pending])[:, : space.dim]


def allowed_arms(arms: Arms, history: History) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Arms that may be proposed: not rejected, and not pending unless all others are."""
    allowed = np.ones(len(arms), dtype=bool)
    for point in history.rejected:
        allowed &= ~(arms.points == point).all(axis=1)
    if not allowed.any():
        raise NothingToPropose("Every arm is rejected. Withdraw a rejection to go on.")
    free = allowed.copy()
    for point in history.pending[:, : arms.dim]:
        free &= ~(arms.points == point).all(axis=1)
    return free if free.any() else allowed


def excluded(points: Array, rejected: Array) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which points lie in the neighbourhood of a rejected one."""
    if len(rejected) == 0:
        return np.zeros(len(points), dtype=bool)
    gaps = np.abs(points[:, None, :] - rejected[None, :, :]).max(axis=2)
    close: np.ndarray[tuple[int], np.dtype[np.bool_]] = gaps.min(axis=1) < EXCLUSION_RADIUS
    return close
