"""What people's claims add to a bandit's belief, recomputed in every round."""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array as Computed
from jaxtyping import Float

from counsel.acquisition.survey import fill
from counsel.facts.history import Array, History, Mask
from counsel.models import gp
from counsel.models.compiling import compiled
from counsel.models.kernels import Numbers
from counsel.models.said import BACKGROUND, Listening, Said, drawn, spoken, weighed
from counsel.space import AnySpace, Arms

__all__ = ["HEARING", "heard"]

# The latest claims of all people that count: what was said long ago was said knowing less.
_MOST = 32
# Who may have been wrong is heard less, but never as if they meant the opposite: several people who
# agree on something that the model holds unlikely, and nobody has tried, are not all contrary.
HEARING = Listening(prior=np.array([0.7, 0.3, 0.0, 0.0]))


def heard(space: AnySpace, history: History, belief: gp.Posterior) -> tuple[Array, Array]:
    """Places (q, d) and weights (q,): the claims add covariance(x, places) @ weights to the mean.

    In standardised units; there has to be a claim.
    """
    return history.once(
        ("heard", np.asarray(belief.weights).tobytes()),
        lambda: _hear(space, history, belief),
        *("claims", "claimants", "suggested", "pending", "context"),
    )


def _hear(space: AnySpace, history: History, belief: gp.Posterior) -> tuple[Array, Array]:
    claims = history.claims[-_MOST:]
    people, free = history.claimants[-_MOST:], history.suggested[-_MOST:]
    # A choice is one among all points in the context that it was made in; in another context than
    # today's it counts as what it is besides: better than what was proposed.
    here = free & (claims[:, 0, space.dim :] == history.context).all(axis=1)
    among = _background(space, history)
    rows = len(claims)
    size = gp.bucket(rows)
    points = np.zeros((2 * size + len(among), claims.shape[2]))
    points[:rows], points[size : size + rows] = claims[:, 0], claims[:, 1]
    points[2 * size :] = among
    said = [_by(people == each, here, claims, size, len(among)) for each in np.unique(people)]
    stacked = Said(*(np.stack(each) for each in zip(*said, strict=True)))
    real = np.zeros(len(points))
    real[:rows] = real[size : size + rows] = 1.0
    unit = float(np.std(history.y)) or 1.0
    weights = _weights(belief, points, real, stacked, np.asarray(unit))
    return points[: 2 * size], np.asarray(weights)[: 2 * size]


def _by(mine: Mask, here: Mask, claims: Array, size: int, background: int) -> Said:
    """What one person said: choices that they made again say nothing new."""
    chosen = np.flatnonzero(mine & here)
    points = claims[chosen, 0]
    again = (points[:-1] == points[1:]).all(axis=1)
    new = np.delete(chosen, np.flatnonzero(again))
    counts, told = np.zeros(size), np.zeros(size)
    counts[new] = HEARING.earlier
    if len(new):
        counts[new[-1]] = 1.0
    told[np.flatnonzero(mine & ~here)] = 1.0
    rows = np.arange(size)
    return Said(rows, counts, rows, size + rows, told, 2 * size + np.arange(background))


def _background(space: AnySpace, history: History) -> Array:
    """Points all over the space, in today's context, that a choice is among."""
    rng = np.random.default_rng(0)
    if isinstance(space, Arms):
        points = space.points[rng.permutation(len(space))[:BACKGROUND]]
    elif space.restricted:
        points = space.sample(BACKGROUND, rng)
    else:
        points = fill(space, BACKGROUND, rng)
    return np.concatenate([points, np.tile(history.context, (len(points), 1))], axis=1)


@compiled(rows=lambda belief, points, *_: len(points))
def _weights(
    belief: gp.Posterior,
    points: Float[Numbers, "m d"],
    real: Float[Numbers, " m"],
    said: Said,
    unit: Float[Numbers, ""],
) -> Float[Computed, " m"]:
    """What the claims shift the belief by at the claimed points, as weights of covariances."""
    mean, covariance = belief.joint(points)
    g, _, _ = drawn(mean, covariance)
    f = g if belief.warp is None else belief.warp.back(g)

    def one(each: Said) -> Float[Computed, " N"]:
        return weighed(spoken(f, each, unit, HEARING))[0]

    weights = jax.nn.softmax(jnp.sum(jax.vmap(one)(said), axis=0))
    shift = real * (weights @ g - mean) / belief.scale
    inside = real[:, None] * real[None, :] * covariance / belief.scale**2
    jitter = 1e-6 * jnp.mean(jnp.diagonal(covariance)) / belief.scale**2
    return jnp.linalg.solve(inside + jnp.diag(jitter + (1.0 - real)), shift) * real
