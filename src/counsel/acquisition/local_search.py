"""The search of a space that is not a whole box: requirements, conditions, parts that are held.

From the best of many points of the space, moves that grow smaller. Each result is moved to the
nearest point of the space, and evaluated only if it satisfies everything. No gradient is needed,
and no proposal ever breaks a requirement.
"""

from collections.abc import Callable, Sequence

import numpy as np
from jaxtyping import Bool, Float
from numpy.typing import NDArray

from counsel.space import Space

__all__ = ["SIZES", "Stage", "held_at", "moved_from", "search", "starts_in"]

Points = Float[np.ndarray, "n e"]
Stage = tuple[NDArray[np.float64], NDArray[np.float64]]  # points and their values
SIZES = (0.3, 0.1, 0.03, 0.01, 0.003, 0.001)
_KEPT = 8


def search(
    evaluate: Callable[[Points], Float[np.ndarray, " n"]],
    space: Space,
    candidates: Points,
    held: Float[np.ndarray, " e"] | None,
    rng: np.random.Generator,
) -> tuple[Float[np.ndarray, " e"], float]:
    """The best point found and its value; -inf where no candidate is allowed.

    `held` has the columns that must not change, NaN for the others.
    """
    points = held_at(space, candidates, held)
    points, values = moved_from(evaluate, space, points, held, rng, SIZES, len(points))[-1]
    top = int(np.argmax(np.where(np.isnan(values), -np.inf, values)))
    return points[top], float(values[top])


def moved_from(
    evaluate: Callable[[Points], Float[np.ndarray, " n"]],
    space: Space,
    points: Points,
    held: Float[np.ndarray, " e"] | None,
    rng: np.random.Generator,
    sizes: Sequence[float],
    count: int,
    others: Float[np.ndarray, "m e"] | None = None,
) -> list[Stage]:
    """Points of the space with their values, then the best and `count` moves from them, by size.

    Some moves take a parameter from one of `others`, or from anywhere.
    """
    values = evaluate(points)
    stages = [(points, values)]
    for size in sizes:
        order = np.argsort(-values)[:_KEPT]
        centres = points[order][rng.integers(len(order), size=count)]
        # Half of the moves change a single parameter: a choice, or one part of a mixture.
        moved = centres + size * rng.standard_normal(centres.shape) * _some(space, count, rng)
        flips = _flipped(space, centres, others, rng) if size >= 0.01 else moved
        again = np.where((rng.uniform(size=count) < 0.25)[:, None], flips, moved)
        again = held_at(space, again, held)
        points = np.concatenate([points[order], again])
        values = np.concatenate([values[order], evaluate(again)])
        stages.append((points, values))
    return stages


def starts_in(
    space: Space, points: Points, count: int, rng: np.random.Generator
) -> Float[np.ndarray, "r e"]:
    """So many points of a restricted space: those of `points` that are, and others at random."""
    kept = points[space.fits(points)]
    if len(kept) < count:
        kept = np.concatenate([kept, space.sample(count - len(kept), rng)])
    return kept[:count]


def held_at(space: Space, points: Points, held: Float[np.ndarray, " e"] | None) -> Points:
    """Points moved into the space, with some columns held; those that cannot be are replaced by one
    that can, so that there are as many."""
    if held is None:
        snapped = space.snap(points)
        fine = space.fits(snapped)
    else:
        fixed = ~np.isnan(held)
        snapped = space.snap(np.where(fixed, held, points))
        fine = space.fits(snapped) & (np.abs(snapped - held)[:, fixed] < 1e-9).all(axis=1)
    if fine.all() or not fine.any():
        return snapped
    rows: Bool[np.ndarray, " n"] = np.flatnonzero(fine)
    return snapped[np.where(fine, np.arange(len(fine)), np.resize(rows, len(fine)))]


def _some(space: Space, count: int, rng: np.random.Generator) -> Float[np.ndarray, "n e"]:
    """Which columns a move changes: all, or those of one parameter."""
    groups = np.asarray(space.groups[: space.dim])
    one = groups[None, :] == rng.integers(groups.max() + 1, size=count)[:, None]
    return np.where((rng.uniform(size=count) < 0.5)[:, None], 1.0, one)


def _flipped(
    space: Space,
    points: Points,
    others: Float[np.ndarray, "m e"] | None,
    rng: np.random.Generator,
) -> Points:
    """One parameter of each point taken from one of the others, or a random point of the space."""
    if others is None:
        others = space.snap(rng.uniform(size=points.shape))
    else:
        others = others[rng.integers(len(others), size=len(points))]
    groups = np.asarray(space.groups[: space.dim])
    one = groups[None, :] == rng.integers(groups.max() + 1, size=len(points))[:, None]
    return np.where(one, others, points)
