"""Random search, which also chooses the first points of every other policy.

A first point is the farthest of a few random ones from what was tried, is pending or was
rejected: close to a space-filling design, but able to start from any data at hand. NumPy only:
the first proposals of a study need no compiled code.
"""

from dataclasses import dataclass

import numpy as np

from counsel.acquisition.local_search import held_at
from counsel.errors import NothingToPropose
from counsel.facts.history import Array, History, Mask
from counsel.facts.problem import Problem
from counsel.facts.records import Prediction
from counsel.policies.protocol import Choice
from counsel.policies.registry import policies
from counsel.space import Arms, Space

EXCLUSION_RADIUS = 0.05
"""A rejected point of a box takes its neighbourhood with it: this share of every range, where the
rejection does not say how much (those of earlier versions). Among arms, that alone."""

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
        if space.restricted:
            points = space.sample(16 * _DRAWS, rng)
        else:
            points = space.snap(rng.uniform(size=(16 * _DRAWS, space.dim)))
        if history.held is not None:
            points = held_at(space, points, history.held)
        points = points[~excluded(points, history)][:_DRAWS]
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


def allowed_arms(arms: Arms, history: History) -> Mask:
    """Arms that may be proposed: not rejected, and not pending while another is left."""
    allowed = ~refused_arms(arms.points, history) & ~spent(arms, arms.points, history)
    if not allowed.any():
        rejected = "rejected, tried or under way" if arms.once else "rejected"
        raise NothingToPropose(f"Every arm is {rejected}. Withdraw a rejection to go on.")
    free = allowed.copy()
    for point in history.pending[:, : arms.dim]:
        free &= ~(arms.points == point).all(axis=1)
    return free if free.any() else allowed


def spent(space: Space | Arms, points: Array, history: History) -> Mask:
    """Which points are arms that were tried and may be tried once only; if all are, a refusal."""
    found = np.zeros(len(points), dtype=bool)
    if not (isinstance(space, Arms) and space.once):
        return found
    for done in (history.x, history.points, history.failed, history.pending):
        for point in done[:, : space.dim]:
            found |= (points[:, : space.dim] == point).all(axis=1)
    if found.all():
        raise NothingToPropose("Every arm was tried or is under way; each may be tried once.")
    return found


def refused_arms(points: Array, history: History) -> Mask:
    """Which of these arms were rejected, each with what its rejection takes along."""
    refused = np.zeros(len(points), dtype=bool)
    for point, radius in zip(history.rejected, reaches(history, 0.0), strict=True):
        refused |= (np.abs(points - point) <= radius).all(axis=1)
    return refused


def excluded(points: Array, history: History) -> Mask:
    """Which points of a box lie in the neighbourhood of a rejected one, in every coordinate."""
    rejected = history.rejected
    if len(rejected) == 0:
        return np.zeros(len(points), dtype=bool)
    gaps = np.abs(points[:, None, :] - rejected[None, :, :]).max(axis=2)
    close: Mask = (gaps < reaches(history, EXCLUSION_RADIUS)).any(axis=1)
    return close


def near_failures(points: Array, history: History, space: Space | Arms) -> Mask:
    """Which points are, or in a box are close to, trials that failed in the round's context."""
    near = np.zeros(len(points), dtype=bool)
    radius = 0.0 if isinstance(space, Arms) else EXCLUSION_RADIUS
    for trial in history.failed:
        if (trial[space.dim :] == history.context).all():
            near |= (np.abs(points - trial[: space.dim]) <= radius).all(axis=1)
    return near


def reaches(history: History, otherwise: float) -> Array:
    """How far each rejection reaches; `otherwise` where it does not say."""
    radii = np.full(len(history.rejected), np.nan)
    radii[: len(history.radii)] = history.radii
    return np.where(np.isnan(radii), otherwise, radii)
