"""The search for the later trials of a batch, over candidates that the whole batch shares.

Trials under way are taken for done, as expected: means stay and uncertainty shrinks, so what a
point promises only falls. The candidates that promise most before the batch are then nearly all
that matter. They are chosen once for the data; every further trial scores them again, and climbs
briefly from the best.
"""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from numpy.typing import NDArray

from counsel.acquisition.local_search import SIZES, Stage, held_at, moved_from
from counsel.acquisition.maximise import (
    LIGHT,
    Effort,
    Found,
    Situation,
    climbed,
    describe,
    evaluate,
)
from counsel.space import Space

__all__ = ["Pool", "over_pool", "pool_of"]

_BEST, _OTHERS = 128, 128
_BRIEF = Effort(starts=4, evaluations=30)
_MOVED = 21  # of each size of moves
_WIDELY = (256, 256, 256, 112, 8, 8)  # small moves end beside the first trial
_SIZES, _MOVES = (0.1, 0.03, 0.01, 0.003), 256


class Pool(NamedTuple):
    """Candidates in the order in which they were made; the best, where moves looked for it."""

    points: Float[np.ndarray, "k e"]
    best: Float[np.ndarray, " e"] | None


def pool_of(
    here: Situation,
    space: Space,
    candidates: Float[np.ndarray, "r e"],
    held: Float[np.ndarray, " e"] | None,
    *,
    wide: bool = False,
) -> Pool:
    """The best candidates before a batch, and some from everywhere for batches that use them up.

    Of a space that is searched by moves, what they came by as well, and the best that they found;
    `wide`, so many of it that later trials need no moves of their own.
    """
    if by_moves(space, held):
        candidates = held_at(space, candidates, held)
        (_, first), *later = _moved(here, space, candidates, held, SIZES, len(candidates))
        rows = _chosen(first, _BEST // 2, _OTHERS // 2)
        some = _WIDELY if wide else [_MOVED] * len(later)
        stages = [
            points[np.argsort(-values, kind="stable")[:count]]
            for (points, values), count in zip(later, some, strict=True)
        ]
        points, values = later[-1]
        best = points[np.argmax(values)] if np.isfinite(values.max()) else None
        return Pool(np.concatenate([candidates[rows], *stages]), best)
    rows = np.sort(_chosen(_values(here, candidates), _BEST, _OTHERS))
    return Pool(candidates[rows], None)


def by_moves(space: Space, held: Float[np.ndarray, " e"] | None) -> bool:
    """Whether there is no way up by gradients."""
    return space.restricted or held is not None


def _moved(
    here: Situation,
    space: Space,
    points: Float[np.ndarray, "r e"],
    held: Float[np.ndarray, " e"] | None,
    sizes: Sequence[float],
    count: int,
) -> list[Stage]:
    rng = np.random.default_rng([int(here.round.seed), int(here.round.t), 2])
    return moved_from(partial(_values, here), space, points, held, rng, sizes, count, points)


def _values(here: Situation, points: Float[np.ndarray, "r e"]) -> Float[np.ndarray, " r"]:
    values = np.asarray(evaluate(here, points))
    return np.where(np.isnan(values), -np.inf, values)


def _chosen(values: Float[np.ndarray, " r"], best: int, others: int) -> NDArray[np.intp]:
    order = np.argsort(-values, kind="stable")
    some = np.linspace(best, len(order) - 1, others).astype(int)
    return np.concatenate([order[:best], order[some]])


def over_pool(
    here: Situation,
    space: Space,
    pool: Pool,
    held: Float[np.ndarray, " e"] | None,
    *,
    light: bool = False,
) -> Found | None:
    """The best point found from a pool; None if none of it is allowed.

    `light`: with less effort, because there are many observations.
    """
    if by_moves(space, held):
        points, values = _moved(here, space, pool.points, held, _SIZES, _MOVES)[-1]
        top = int(np.argmax(values))
        return describe(here, points[top]) if np.isfinite(values[top]) else None
    return climbed(here, space, pool.points, LIGHT if light else _BRIEF)
