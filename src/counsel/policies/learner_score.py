r"""What a policy that learns constraints maximises, as a function of any point.

The rule itself looks at a finite set of candidates, told one trial after the other
(`constraints.learned`). An explanation mixes the proposal with other points, which are not among
the candidates. So this is the same belief anywhere: with the trials' rows in the order of time and
K = L L' their covariance, V = L^-1 k(x) and e = L^-1 y give the belief after every trial by sums,

$$ \mu_t(x) = \sum_{r \le t} V_r e_r, \qquad \sigma_t^2(x) = k(x, x) - \sum_{r \le t} V_r^2, $$

and with them the running bounds (`constraints.running_bounds`).

Phases: `exploring` goes where a constraint's bound is widest, among points that may be safe and
better; `optimising` where the objective's upper bound is largest, among points known to be safe;
`hoping`, where nothing is known to be safe, to the point that is likeliest to be.

Legend: n trials, m outputs, N = n m rows with outputs innermost, q points, k constraints.
"""

from typing import ClassVar, Literal

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float

from counsel.acquisition.terms import Terms, total
from counsel.constraints.running_bounds import Bounds, interval, running
from counsel.constraints.sets import sets
from counsel.facts.terms import OVERALL, about
from counsel.models.gp import SMALLEST_VARIANCE
from counsel.models.kernels import Numbers
from counsel.models.multitask import Coregion
from counsel.policies.candidates import room

__all__ = ["Course", "LearnerScore", "Phase", "course_of"]

Phase = Literal["exploring", "optimising", "hoping"]


class Course(eqx.Module):
    """The trials in order, and what turns a point into beliefs after each of them.

    `betas` (n + 1,) are the widths of the bounds before and after each trial; `running` says that
    bounds are kept from trial to trial. `drift` holds the columns that a model of drifting
    preferences appends to every point.
    """

    model: Coregion
    x: Float[Numbers, "n d"]
    connected: Bool[Numbers, "n m"]
    root: Float[Numbers, "N N"]
    surprise: Float[Numbers, " N"]
    betas: Float[Numbers, " b"]
    drift: Float[Numbers, " z"]
    running: bool = eqx.field(static=True)

    def beliefs(
        self, x: Float[Array, "q d"]
    ) -> tuple[Float[Array, "t m q"], Float[Array, "t m q"]]:
        """Mean and sd of every output, before any trial and after each."""
        drift = jnp.broadcast_to(jnp.asarray(self.drift), (x.shape[0], self.drift.shape[0]))
        points = jnp.concatenate([x, drift], axis=1)
        between = self.model.between_outputs()
        near = self.model.between_points(self.x, points)
        cross = jnp.asarray(self.connected)[:, :, None, None] * (
            between[None, :, :, None] * near[:, None, None, :]
        )
        n, m = self.connected.shape
        white = (jnp.asarray(self.root) @ cross.reshape(n * m, -1)).reshape(n, m, m, -1)
        surprise = jnp.asarray(self.surprise).reshape(n, m)
        means = jnp.cumsum(jnp.einsum("no,nomq->nmq", surprise, white), axis=0)
        known = jnp.cumsum(jnp.sum(white**2, axis=1), axis=0)
        start = jnp.zeros((1, *means.shape[1:]))
        prior = jnp.diagonal(between)[None, :, None]
        variance = prior - jnp.concatenate([start, known])
        sd = jnp.sqrt(jnp.maximum(variance, SMALLEST_VARIANCE))
        return jnp.concatenate([start, means]), sd

    def bounds(self, x: Float[Array, "q d"]) -> tuple[Bounds, Array, Array]:
        """The bounds of today, and today's mean and sd."""
        mean, sd = self.beliefs(x)
        betas = jnp.asarray(self.betas)
        if not self.running:
            return interval(mean[-1], sd[-1], betas[-1]), mean[-1], sd[-1]

        def step(before: Bounds, now: tuple[Array, Array, Array]) -> tuple[Bounds, None]:
            return running(before, interval(*now)), None

        first = interval(mean[0], sd[0], betas[0])
        found, _ = jax.lax.scan(step, first, (mean[1:], sd[1:], betas[1:]))
        return found, mean[-1], sd[-1]


def course_of(
    model: Coregion,
    x: Float[np.ndarray, "n d"],
    outcomes: Float[np.ndarray, "n m"],
    measured: Bool[np.ndarray, "n m"],
    betas: Float[np.ndarray, " b"],
    drift: Float[np.ndarray, " z"],
    *,
    impute: bool = False,
    running: bool = True,
) -> Course:
    """`impute` takes what was not asked as known and unsurprising (see `learned.tell`).

    Trials are padded with some that say nothing: a study that goes on compiles nothing new.
    """
    count, m = outcomes.shape
    n = room(count)
    x, outcomes = (np.concatenate([a, np.zeros((n - count, a.shape[1]))]) for a in (x, outcomes))
    known = np.zeros((n, m), dtype=bool)
    known[:count] = measured
    measured, connected = known, known | (impute & (np.arange(n) < count)[:, None])
    betas = np.append(betas, np.repeat(betas[-1:], n + 1 - len(betas)))
    rows = connected.reshape(-1)
    model = jax.tree.map(np.asarray, model)
    K = np.asarray(
        jnp.einsum("ab,ij->iajb", model.between_outputs(), model.between_points(x, x))
    ).reshape(n * m, n * m)
    K = np.where(rows[:, None] & rows[None, :], K, 0.0)
    K += np.diag(np.where(rows, np.tile(np.asarray(model.noise), n), 1.0))
    lower = np.linalg.cholesky(K)
    told, y = measured.reshape(-1), outcomes.reshape(-1)
    surprise = np.zeros(n * m)
    for r in np.flatnonzero(told):
        surprise[r] = (y[r] - lower[r, :r] @ surprise[:r]) / lower[r, r]
    root = np.linalg.solve(lower, np.eye(n * m))
    return Course(model, x, connected, np.tril(root), surprise, betas, drift, running)


class LearnerScore(eqx.Module):
    """The score of one phase. `given` is a point that is safe beforehand, as encoded, or far away.

    `best` is the largest lower bound of the objective among what is safe, `units` its offset and
    scale. `plain` explores by the widest bound of all, ambiguous or not (the paper's Algorithm 1).
    """

    course: Course
    given: Float[Numbers, " e"]
    best: Float[Numbers, ""]
    units: tuple[Float[Numbers, ""], Float[Numbers, ""]]
    phase: Phase = eqx.field(static=True)
    overall: bool = eqx.field(static=True)
    plain: bool = eqx.field(static=True)
    whole: ClassVar[bool] = False

    def terms(self, x: Float[Array, "n d"]) -> Terms:
        """As recorded: while hoping, a proposal records what is believed of the objective."""
        if self.phase == "exploring":
            return {"ambiguity": total(self.parts(x))}
        return self._payoff(x)

    def parts(self, x: Float[Array, "n d"]) -> Terms:
        if self.phase == "optimising":
            return self._payoff(x)
        bounds, mean, sd = self.course.bounds(x)
        if self.phase == "hoping":
            chance = jax.scipy.special.ndtr(mean[1:] / sd[1:])
            return self._by_constraint("feasibility", chance)
        found = sets(bounds, jnp.all(x[:, : self.given.shape[0]] == self.given, axis=1))
        # What the best safe point promises is that of all candidates, not of these points.
        possible = jnp.all(bounds.upper[1:] >= 0.0, axis=0)
        uncertain = possible & ~found.safe & (bounds.upper[0] >= self.best)
        ambiguous = (bounds.lower[1:] < 0.0) & (bounds.upper[1:] >= 0.0)
        open_here = uncertain[None, :] & (ambiguous | self.plain)
        width = jnp.where(open_here, bounds.width[1:], 0.0)
        widest = jnp.arange(width.shape[0])[:, None] == jnp.argmax(width, axis=0)[None, :]
        width = jnp.where(widest, width, 0.0)
        return self._by_constraint("ambiguity", width)

    def joined(self, parts: Terms) -> Float[Array, " n"]:
        if self.phase == "hoping":
            return total({name: jnp.log(part) for name, part in parts.items()})
        return total(parts)

    def log_weights(self, parts: Terms) -> Terms:
        weight = 1.0 if self.phase == "hoping" else 0.0
        return {name: jnp.full_like(part, weight) for name, part in parts.items()}

    def _by_constraint(self, kind: str, values: Float[Array, "k n"]) -> Terms:
        """One term for each constraint, by number, or one for the overall answer."""
        if self.overall:
            return {about(kind, OVERALL): values[0]}
        return {about(kind, number): value for number, value in enumerate(values, start=1)}

    def _payoff(self, x: Float[Array, "n d"]) -> Terms:
        bounds, mean, _ = self.course.bounds(x)
        offset, scale = (jnp.asarray(each) for each in self.units)
        return {
            "exploitation": offset + scale * mean[0],
            "approximation": scale * (bounds.upper[0] - mean[0]),
        }
