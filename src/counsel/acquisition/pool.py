"""The search for the later trials of a batch, over candidates that the whole batch shares.

Trials under way are taken for done, as expected: means stay and uncertainty shrinks, so what a
point promises only falls. The candidates that promise most before the batch are then nearly all
that matter. They are chosen once for the data; every further trial scores them again, and climbs
briefly from the best.
"""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float
from numpy.typing import NDArray

from counsel.acquisition.local_search import SIZES, Stage, held_at, moved_from
from counsel.acquisition.maximise import (
    Effort,
    Found,
    Points,
    Situation,
    Starts,
    ascend_from,
    best_of,
    describe,
    evaluate,
    inside,
    neighbours,
    value_of,
)
from counsel.models.compiling import compiled
from counsel.models.kernels import Numbers
from counsel.space import Space

__all__ = ["Pool", "over_pool", "pool_of"]

_BEST, _OTHERS = 128, 128
_BLOCKS = 4
_BRIEF = Effort(starts=2, evaluations=12, slope_tolerance=1e-4, value_tolerance=1e-5)
_TURNS = 2
_MOVED = 21  # of each size of moves
_SIZES, _MOVES = (0.1, 0.03, 0.01), 128


class Pool(NamedTuple):
    """Candidates in the order in which they were made, the best of them, and the spread of all."""

    points: Float[np.ndarray, "k e"]
    best: Float[np.ndarray, " e"] | None
    spread: float


def pool_of(
    here: Situation,
    space: Space,
    candidates: Float[np.ndarray, "r e"],
    held: Float[np.ndarray, " e"] | None,
) -> Pool:
    """The best candidates before a batch, and some from everywhere for batches that use them up.

    Of a space that is searched by moves, what they came by as well, and the best that they found.
    """
    if by_moves(space, held):
        candidates = held_at(space, candidates, held)
        (_, first), *later = _moved(here, space, candidates, held, SIZES, len(candidates))
        rows = _chosen(first, _BEST // 2, _OTHERS // 2)
        stages = [points[np.argsort(-values, kind="stable")[:_MOVED]] for points, values in later]
        points, values = later[-1]
        best = points[np.argmax(values)] if np.isfinite(values.max()) else None
        return Pool(np.concatenate([candidates[rows], *stages]), best, 1.0)
    values = _values(here, candidates)
    rows = np.sort(_chosen(values, _BEST, _OTHERS))
    finite = values[np.isfinite(values)]
    least = np.quantile(finite, 0.9) if here.round.steep else finite.min(initial=np.inf)
    spread = max(float(finite.max(initial=-np.inf) - least), 1e-300)
    return Pool(candidates[rows], None, spread)


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
    together: bool = False,
) -> Found | None:
    """The best point found from a pool; None if none of it is allowed.

    `together` as in an `Effort`.
    """
    if by_moves(space, held):
        points, values = _moved(here, space, pool.points, held, _SIZES, _MOVES)[-1]
        top = int(np.argmax(values))
        return describe(here, points[top]) if np.isfinite(values[top]) else None
    discrete = space.discrete_columns
    effort = _BRIEF._replace(together=together)
    value, found = _brief(here, pool.points, np.asarray(pool.spread), ~discrete, effort=effort)
    if not discrete.any():
        return found if np.isfinite(value) else None
    best = Points(np.asarray(found.point)[None], np.asarray(value)[None])
    for _ in range(_TURNS):
        nearby = neighbours(space, best.points[0])
        moves = Points(nearby, np.asarray(evaluate(here, nearby)))
        if not moves.values.max() > best.values[0]:
            break
        best = best_of(moves)
    return describe(here, best.points[0]) if np.isfinite(best.values[0]) else None


@compiled(rows=lambda here, *_: len(here.posterior.data.y), static=("effort",))
def _brief(
    here: Situation,
    points: Float[Array, "k e"],
    spread: Float[Array, ""],
    free: Bool[Array, " e"],
    *,
    effort: Effort,
) -> tuple[Float[Numbers, ""], Found]:
    """Score a pool, climb from the best, and describe the best of all."""
    score = here.acquisition.score(here.posterior, here.round)
    values = value_of(score, here, points)
    allowed = jnp.where((inside(here, points) > 0.0) | jnp.isnan(values), -jnp.inf, values)
    blocks = allowed.reshape(_BLOCKS, -1)
    rows = jnp.argmax(blocks, axis=1) + jnp.arange(_BLOCKS) * blocks.shape[1]
    starts = Starts(points[rows], allowed[rows], spread)
    ends = ascend_from(here, starts, free, effort=effort)
    reached = jnp.concatenate([ends.values, starts.values])
    reached = jnp.where(jnp.isnan(reached), -jnp.inf, reached)
    top = jnp.argmax(reached)
    return reached[top], describe(here, jnp.concatenate([ends.points, starts.points])[top])
