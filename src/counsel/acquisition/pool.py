"""The search for the later trials of a batch, over candidates that the whole batch shares.

Trials under way are taken for done, as expected: means stay and uncertainty shrinks, so what a
point promises only falls. The candidates that promise most before the batch are then nearly all
that matter. They are chosen once for the data; every further trial scores them again, and climbs
briefly from the best.
"""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float

from counsel.acquisition.local_search import held_at, moved_from
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
_SIZES, _MOVES = (0.1, 0.03, 0.01, 0.003), 64


class Pool(NamedTuple):
    """Candidates in the order in which they were made, and the spread of all their values."""

    points: Float[np.ndarray, "k e"]
    spread: float


def pool_of(
    here: Situation,
    space: Space,
    candidates: Float[np.ndarray, "r e"],
    held: Float[np.ndarray, " e"] | None,
) -> Pool:
    """The best candidates before a batch, and some from everywhere for batches that use them up."""
    if held is not None:
        candidates = held_at(space, candidates, held)
    values = np.asarray(evaluate(here, candidates))
    values = np.where(np.isnan(values), -np.inf, values)
    order = np.argsort(-values, kind="stable")
    rest = order[_BEST:]
    some = rest[np.linspace(0, len(rest) - 1, _OTHERS).astype(int)]
    rows = np.sort(np.concatenate([order[:_BEST], some]))
    finite = values[np.isfinite(values)]
    least = np.quantile(finite, 0.9) if here.round.steep else finite.min(initial=np.inf)
    return Pool(candidates[rows], max(float(finite.max(initial=-np.inf) - least), 1e-300))


def over_pool(
    here: Situation, space: Space, pool: Pool, held: Float[np.ndarray, " e"] | None
) -> Found | None:
    """The best point found from a pool; None if none of it is allowed."""
    if space.restricted or held is not None:
        rng = np.random.default_rng([int(here.round.seed), int(here.round.t), 2])
        point, worth = moved_from(
            lambda points: np.asarray(evaluate(here, points)),
            space,
            pool.points,
            held,
            rng,
            _SIZES,
            _MOVES,
        )
        return describe(here, point) if np.isfinite(worth) else None
    discrete = space.discrete_columns
    value, found = _brief(here, pool.points, np.asarray(pool.spread), ~discrete)
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


@compiled(rows=lambda here, *_: len(here.posterior.data.y))
def _brief(
    here: Situation,
    points: Float[Array, "k e"],
    spread: Float[Array, ""],
    free: Bool[Array, " e"],
) -> tuple[Float[Numbers, ""], Found]:
    """Score a pool, climb from the best, and describe the best of all."""
    score = here.acquisition.score(here.posterior, here.round)
    values = value_of(score, here, points)
    allowed = jnp.where((inside(here, points) > 0.0) | jnp.isnan(values), -jnp.inf, values)
    blocks = allowed.reshape(_BLOCKS, -1)
    rows = jnp.argmax(blocks, axis=1) + jnp.arange(_BLOCKS) * blocks.shape[1]
    starts = Starts(points[rows], allowed[rows], spread)
    ends = ascend_from(here, starts, free, effort=_BRIEF)
    reached = jnp.concatenate([ends.values, starts.values])
    reached = jnp.where(jnp.isnan(reached), -jnp.inf, reached)
    top = jnp.argmax(reached)
    return reached[top], describe(here, jnp.concatenate([ends.points, starts.points])[top])
