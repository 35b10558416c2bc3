"""Finds the allowed point where a bandit's acquisition is largest, over arms or over a box."""

import jax.numpy as jnp
import numpy as np

from counsel.acquisition import maximise
from counsel.acquisition.pool import Pool, over_pool, pool_of
from counsel.acquisition.terms import Acquisition, Ready, Round, Score
from counsel.errors import NothingToPropose
from counsel.facts.history import Array, History
from counsel.models import gp
from counsel.models.compiling import compiled
from counsel.models.margins import best_kept
from counsel.policies.random import EXCLUSION_RADIUS, allowed_arms, reaches
from counsel.policies.scaling import Scaling
from counsel.space import AnySpace, Arms, Space

# Two trials under way at once should not be the same: a pending point of a box keeps this distance.
_PENDING_RADIUS = 0.01
_POOL = 3  # of the random numbers behind candidates that a batch shares


def candidates_of(
    space: AnySpace, history: History, *, refined: bool, pooled: bool = False
) -> Array:
    """Points that represent the space in this round: the arms, or where the ascent starts.

    With `refined`, the ascent starts around the best trial that keeps the constraints. With
    `pooled`, they are the same as long as nothing new is known.
    """
    if isinstance(space, Arms):
        return space.points
    if not pooled:
        rng = np.random.default_rng([history.seed, history.t])
        return _candidates(space, history, rng, refined=refined)
    rng = np.random.default_rng(
        [history.seed, max(len(history.points), len(history.x)), len(history.failed), _POOL]
    )
    return history.once(
        ("candidates", refined, repr(space)),
        lambda: _candidates(space, history, rng, refined=refined),
        "seed",
    )


def _candidates(
    space: Space, history: History, rng: np.random.Generator, *, refined: bool
) -> Array:
    x, best = history.x, int(np.argmax(history.y))
    if refined and history.measured.shape[1] > 1:
        x, best = history.points, best_kept(history.outcomes, history.measured)
    return maximise.candidates_for(space, x[:, : space.dim], best, rng)


def search(
    acquisition: Acquisition,
    belief: gp.Posterior,
    round: Round,
    space: AnySpace,
    history: History,
    candidates: Array,
    scaling: Scaling | None,
    pool: Pool | None = None,
) -> maximise.Found:
    """The best allowed point; of a box, if there is a pool, the best found from it."""
    if isinstance(space, Arms):
        rng = np.random.default_rng([history.seed, history.t])
        return maximise.over_arms(
            acquisition,
            belief,
            round,
            space.points,
            allowed_arms(space, history),
            history.context,
            int(rng.integers(len(space))),
        )
    if round.survey is not None:
        # The search of a box is several programs: a weight is fitted once for all of them.
        acquisition = Ready(score_of(acquisition, belief, round))
    pending = history.pending[:, : space.dim]
    effort = maximise.PLAIN
    if scaling is not None:
        effort = scaling.effort(belief, len(history.y), len(pending))
    # If pending points leave no room (a small discrete space), one may be proposed again.
    for apart in (pending, pending[:0]):
        forbidden = (
            np.concatenate([history.rejected, apart]),
            np.concatenate(
                [reaches(history, EXCLUSION_RADIUS), np.full(len(apart), _PENDING_RADIUS)]
            ),
        )
        if pool is not None:
            here = maximise.situation(acquisition, belief, round, *forbidden, history.context)
            if pool.best is not None and len(pending) == 0:
                return maximise.describe(here, pool.best)
            found = over_pool(here, space, pool, history.held, light=effort.together)
            if found is not None:
                return found
        found = maximise.over_box(
            acquisition,
            belief,
            round,
            space,
            candidates,
            *forbidden,
            history.context,
            history.held,
            effort=effort,
        )
        if found is not None:
            return found
    if len(history.rejected) == 0:
        raise NothingToPropose(
            "The acquisition is not finite anywhere: are there measurements far beyond the "
            "others? Correct or withdraw them."
        )
    raise NothingToPropose(
        "The rejected neighbourhoods cover the space. Withdraw a rejection, or widen it."
    )


def pool_for(
    acquisition: Acquisition,
    belief: gp.Posterior,
    round: Round,
    space: Space,
    history: History,
    candidates: Array,
    *,
    wide: bool = False,
) -> Pool:
    """What the trials of a batch are searched from, given what is believed before it."""
    if round.survey is not None:
        acquisition = Ready(score_of(acquisition, belief, round))
    nothing = np.zeros((0, space.dim)), np.zeros(0)
    here = maximise.situation(acquisition, belief, round, *nothing, history.context)
    return pool_of(here, space, candidates, history.held, wide=wide)


@compiled(static=("anywhere",))
def score_of(
    acquisition: Acquisition, belief: gp.Posterior, round: Round, *, anywhere: bool = False
) -> Score:
    """The round's score; with `anywhere`, one that has a value between the arms, too."""
    score = acquisition.score(belief, round)
    if anywhere and score.whole:
        return score.continued(jnp.asarray(round.sample))  # type: ignore[attr-defined]
    return score
