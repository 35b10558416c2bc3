r"""ACOL: a linear constraint, learned where it is most uncertain (Lindner et al. 2022, greedy).

With features phi = (x, 1), A = 0.1 I + sum phi phi', theta = A^-1 sum phi y:

$$ c(x) \in \theta'\phi \pm \sqrt{\beta}\, \|\phi\|_{A^{-1}}, \qquad
   \sqrt{\beta} = \sigma \sqrt{d \log\frac{1 + n/0.1}{\delta}} + \sqrt{0.1} $$

An arm is feasible where the lower bound is 0 or more, infeasible where the upper one is less, and
uncertain otherwise, unless a feasible arm pays more. While any is uncertain, try the arm that most
shrinks the largest uncertain norm; then the best feasible one. Several constraints enter as one,
their mean margin, which must reach `overall`. The paper assumes a known objective (`rewards`, one
per arm). Without it, the measured means are used, and an untried arm is never dropped.
"""

from typing import Any, ClassVar, NamedTuple

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array as JaxArray
from jaxtyping import Bool, Float, Int

from counsel.acquisition.terms import Terms
from counsel.errors import InvalidInput
from counsel.facts.history import Array, History, Mask
from counsel.facts.problem import Problem
from counsel.facts.records import Prediction
from counsel.facts.terms import OVERALL, about
from counsel.models.compiling import compiled
from counsel.models.kernels import Numbers
from counsel.policies import constraint_learner, learner_settings
from counsel.policies.candidates import (
    NONE_SAFE,
    Candidates,
    candidates_of,
    check_problem,
    first_trial,
)
from counsel.policies.learner_score import Phase
from counsel.policies.protocol import Choice
from counsel.policies.random import taken_points
from counsel.policies.registry import policies
from counsel.space import Arms

_RIDGE = 0.1


class Linear(NamedTuple):
    """What n answers add up to: A and sum phi y."""

    A: Float[Numbers, "f f"]
    total: Float[Numbers, " f"]
    n: Float[Numbers, ""]


def features(points: Float[JaxArray, "M d"]) -> Float[JaxArray, "M f"]:
    return jnp.concatenate([points, jnp.ones((points.shape[0], 1))], axis=1)


def nothing(width: int) -> Linear:
    return Linear(_RIDGE * jnp.eye(width), jnp.zeros(width), jnp.zeros(()))


def answered(
    linear: Linear, phi: Float[JaxArray, " f"], y: Float[JaxArray, ""], weight: Float[JaxArray, ""]
) -> Linear:
    """Add one answer; `weight` 0 leaves it out."""
    return Linear(
        linear.A + weight * phi[:, None] * phi[None, :],
        linear.total + weight * y * phi,
        linear.n + weight,
    )


class Linearly(NamedTuple):
    arm: Int[JaxArray, ""]
    exploring: Bool[JaxArray, ""]
    feasible: Bool[JaxArray, " M"]
    lower: Float[JaxArray, " M"]
    upper: Float[JaxArray, " M"]
    uncertain: Bool[JaxArray, " M"]


class LinearScore(eqx.Module):
    """What one phase of ACOL maximises, as a function of any point.

    Exploring: by how much an answer there shrinks the largest uncertain norm. Optimising: the
    payoff, of which only the candidates' is known; elsewhere the nearest one counts. Where nothing
    is known to be feasible: the expected margin.
    """

    inverse: Float[Numbers, "f f"]
    total: Float[Numbers, " f"]
    phi: Float[Numbers, "M f"]
    uncertain: Bool[Numbers, " M"]
    points: Float[Numbers, "r d"]
    pays: Float[Numbers, " r"]
    phase: Phase = eqx.field(static=True)
    only: bool = eqx.field(static=True, default=False)  # one constraint is the overall answer
    whole: ClassVar[bool] = False

    def terms(self, x: Float[JaxArray, "n d"]) -> Terms:
        inverse = jnp.asarray(self.inverse)
        asked = 1 if self.only else OVERALL
        if self.phase == "optimising":
            apart = jnp.sum((x[:, None, :] - self.points[None, :, :]) ** 2, axis=2)
            return {"known": jnp.asarray(self.pays)[jnp.argmin(apart, axis=1)]}
        here = features(x)
        if self.phase == "hoping":
            return {about("margin", asked): here @ (inverse @ self.total)}
        own = jnp.sum((here @ inverse) * here, axis=1)
        cross = jnp.asarray(self.phi) @ inverse @ here.T
        before = jnp.sum((jnp.asarray(self.phi) @ inverse) * self.phi, axis=1)
        after = before[:, None] - cross**2 / (1.0 + own[None, :])
        open_, lowest = jnp.asarray(self.uncertain), -jnp.inf
        largest = jnp.max(jnp.where(open_, before, lowest))
        left = jnp.max(jnp.where(open_[:, None], after, lowest), axis=0)
        return {about("insight", asked): largest - left}


@compiled()
def choose(
    linear: Linear,
    phi: Float[JaxArray, "M f"],
    rewards: Float[JaxArray, " M"],
    given: Bool[JaxArray, " M"],
    allowed: Bool[JaxArray, " M"],
    sigma: Float[JaxArray, ""],
    delta: Float[JaxArray, ""],
) -> Linearly:
    """The next arm, and what is known about all arms."""
    inverse = jnp.linalg.inv(linear.A)
    cross = phi @ inverse @ phi.T
    squared = jnp.diagonal(cross)
    width = phi.shape[1]
    beta = sigma * jnp.sqrt(width * jnp.log((1.0 + linear.n / _RIDGE) / delta)) + jnp.sqrt(_RIDGE)
    mean, spread = phi @ (inverse @ linear.total), beta * jnp.sqrt(squared)
    lower, upper = mean - spread, mean + spread
    feasible = (lower >= 0.0) | given
    best = jnp.max(jnp.where(feasible & jnp.isfinite(rewards), rewards, -jnp.inf))
    uncertain = ~feasible & (upper >= 0.0) & (rewards > best) & allowed
    # |u| in (A + a a')^-1, for every u and a; the largest uncertain one matters.
    after = squared[:, None] - cross**2 / (1.0 + squared[None, :])
    largest = jnp.max(jnp.where(uncertain[:, None], after, -jnp.inf), axis=0)
    query = jnp.argmin(jnp.where(allowed, largest, jnp.inf))
    pays = jnp.where(
        jnp.isfinite(rewards), rewards, jnp.max(jnp.where(jnp.isfinite(rewards), rewards, 0.0))
    )
    certain = jnp.where(feasible & allowed, pays, -jnp.inf)
    likely = jnp.where(allowed, mean, -jnp.inf)
    settled = jnp.where(jnp.any(feasible & allowed), jnp.argmax(certain), jnp.argmax(likely))
    exploring = jnp.any(uncertain)
    arm = jnp.where(exploring, query, settled)
    return Linearly(arm, exploring, feasible, lower, upper, uncertain)


@policies.register(
    "acol",
    title="ACOL",
    sentence="The mean of all answers, learned as linear, tested where it is most uncertain.",
    learns_constraints=True,
    has_beliefs=False,
)
class ACOL(eqx.Module):
    """Adaptive constraint learning: `sigma` is the noise of an overall answer."""

    overall: float = 0.0
    sigma: float = 0.05
    delta: float = 0.1
    rewards: tuple[float, ...] | None = eqx.field(static=True, default=None)
    standardise: bool = eqx.field(static=True, default=False)
    drifting: bool = eqx.field(static=True, default=False)
    safe: tuple[tuple[str, Any], ...] | None = eqx.field(
        static=True, default=None, converter=learner_settings.hashable
    )

    def __check_init__(self) -> None:
        if not 0.0 < self.delta < 1.0:
            raise InvalidInput("delta", self.delta, "Give a probability between 0 and 1.")
        if not 0.0 <= self.sigma < np.inf:
            raise InvalidInput("sigma", self.sigma, "Give a standard deviation of 0 or more.")

    @property
    def name(self) -> str:
        return "acol"

    def check(self, problem: Problem) -> None:
        check_problem(self, problem)
        count = len(problem.space) if isinstance(problem.space, Arms) else None
        if self.rewards is not None and len(self.rewards) != count:
            remedy = (
                "Leave them out over a box." if count is None else f"Give {count}, one per arm."
            )
            raise InvalidInput("rewards", f"{len(self.rewards)} numbers", remedy)

    def gathered(self, outcomes: Array, measured: Mask) -> tuple[Array, Mask]:
        return constraint_learner.overall(outcomes, measured, self.overall)

    records_terms: ClassVar[bool] = False

    def propose(self, problem: Problem, history: History) -> Choice:
        names = tuple(constraint.name for constraint in problem.constraints)
        first = first_trial(self.safe, problem, history)
        if first is not None:
            return first
        candidates, _, _, _, move = self._moved(problem, history)
        arm = int(move.arm)
        safe = bool(move.feasible[arm] | move.exploring)
        return Choice(
            point=candidates.points[arm, : problem.space.dim],
            arm=arm if problem.space.finite else None,
            asks=names,
            note="" if safe else NONE_SAFE,
        )

    def taken(self, problem: Problem, history: History) -> Array:
        return taken_points(problem.space, history)

    def score(
        self, problem: Problem, history: History, theta: tuple[float, ...] = ()
    ) -> "LinearScore | None":
        """What `propose` maximises in this round."""
        if first_trial(self.safe, problem, history) is not None:
            return None
        candidates, linear, phi, rewards, move = self._moved(problem, history)
        settled: Phase = "optimising" if bool(move.feasible[int(move.arm)]) else "hoping"
        known = np.isfinite(rewards)
        most = np.max(rewards[known], initial=-np.inf) if known.any() else 0.0
        real = candidates.choosable
        return LinearScore(
            np.linalg.inv(np.asarray(linear.A)),
            np.asarray(linear.total),
            phi,
            np.asarray(move.uncertain),
            candidates.points[real],
            np.where(known, rewards, most)[real],
            "exploring" if bool(move.exploring) else settled,
            len(problem.constraints) == 1,
        )

    def _moved(
        self, problem: Problem, history: History
    ) -> tuple[Candidates, Linear, Array, Array, Linearly]:
        """A round: the candidates, what the answers left, features, payoffs, and where to go."""
        names = tuple(constraint.name for constraint in problem.constraints)
        candidates = candidates_of(self, problem, history)
        rewards = self._rewards(
            problem, candidates.points, candidates.where, candidates.outcomes, candidates.measured
        )
        phi = np.concatenate([candidates.points, np.ones((len(candidates.points), 1))], axis=1)
        state = Linear(_RIDGE * np.eye(phi.shape[1]), np.zeros(phi.shape[1]), np.zeros(()))
        if names:
            asked = phi[candidates.where[candidates.measured[:, 1]]]
            answers = candidates.outcomes[candidates.measured[:, 1], 1]
            state = Linear(state.A + asked.T @ asked, answers @ asked, np.asarray(len(asked) + 0.0))
        given = candidates.given if names else np.ones(len(phi), dtype=bool)
        move = choose(
            state,
            phi,
            rewards,
            given,
            candidates.free,
            np.asarray(self.sigma),
            np.asarray(self.delta),
        )
        return candidates, state, phi, rewards, move

    def predict(self, problem: Problem, history: History, points: Array) -> list[Prediction] | None:
        return None

    def _rewards(
        self, problem: Problem, points: Array, index: np.ndarray, outcomes: Array, measured: Mask
    ) -> Array:
        """The payoff of each point: as given, or its measured mean; infinite where unknown."""
        count = len(points)
        if self.rewards is not None:
            # The arms come first; then points tried in other contexts.
            others = np.full(count - len(self.rewards), np.inf)
            return np.append(problem.objective.sign * np.array(self.rewards), others)
        tried = index[measured[:, 0]]
        number = np.bincount(tried, minlength=count)
        total = np.bincount(tried, outcomes[measured[:, 0], 0], minlength=count)
        return np.where(number > 0, total / np.maximum(number, 1), np.inf)
