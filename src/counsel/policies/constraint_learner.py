"""The base of policies that learn constraints: everything between a study and their rule.

A round is that of `policies.certified`, or, with the union bound, of `policies.union`: put the
facts in order (points, trials, units), fit the model if it is due, fold the trials into beliefs and
running bounds, let the policy's own rule, `choose` and `asks`, pick a point and its questions.

Over a box the rule sees a finite set: spread-out points, points around the best trial, and every
point tried. Choosing good questions needs a joint belief over that set and all outcomes.
"""

import abc
from collections.abc import Mapping
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array as JaxArray
from jaxtyping import Bool, Float, Int
from scipy.special import ndtr

from counsel.constraints.exploring import Move
from counsel.constraints.learned import Confidence, Learned, course
from counsel.facts.history import Array, History, Mask
from counsel.facts.problem import Problem
from counsel.facts.records import Prediction
from counsel.models import multitask
from counsel.models.gp import bucket
from counsel.models.outcomes import left_out
from counsel.policies import certified, union
from counsel.policies.candidates import (
    NONE_SAFE,
    Candidates,
    candidates_of,
    check_problem,
    first_trial,
    widened,
)
from counsel.policies.certified_score import CertifiedScore
from counsel.policies.learner_score import LearnerScore, Phase, course_of
from counsel.policies.protocol import Choice
from counsel.policies.random import taken_points


class ConstraintLearner(eqx.Module):
    """A policy that learns constraints. Concrete classes say where to go and what to ask."""

    confidence: eqx.AbstractVar[Confidence]
    tolerance: eqx.AbstractVar[float | Float[JaxArray, ""]]
    budget: eqx.AbstractVar[int | None]
    rank: eqx.AbstractVar[int]
    standardise: eqx.AbstractVar[bool]
    drifting: eqx.AbstractVar[bool]
    safe: eqx.AbstractVar[tuple[tuple[str, Any], ...] | None]
    certificate: eqx.AbstractVar[str]
    certainty: eqx.AbstractVar[float]
    risk_limit: eqx.AbstractVar[float | None]
    gentle: eqx.AbstractVar[bool]
    hope: eqx.AbstractVar[float | None]
    persistent: eqx.AbstractVar[bool]
    choosy: eqx.AbstractVar[bool]
    unasked: eqx.AbstractVar[float]
    optimism: eqx.AbstractVar[float]
    attentive: eqx.AbstractVar[bool]
    centred: eqx.AbstractVar[bool]

    # ---- the rule ------------------------------------------------------------------------------

    @property
    @abc.abstractmethod
    def name(self) -> str: ...

    @abc.abstractmethod
    def choose(
        self, learned: Learned, allowed: Bool[JaxArray, " M"], budget: int | Int[JaxArray, ""]
    ) -> Move:
        """Where to go."""

    @abc.abstractmethod
    def asks(
        self, learned: Learned, move: Move, between_outputs: Float[JaxArray, "m m"]
    ) -> Bool[JaxArray, " k"]:
        """What to ask about there, decided in advance."""

    @abc.abstractmethod
    def gathered(self, outcomes: Array, measured: Mask) -> tuple[Array, Mask]:
        """The modelled outcomes: as they are, or combined into one."""

    @property
    @abc.abstractmethod
    def gathers(self) -> bool:
        """Whether several constraints are modelled as one."""

    @property
    @abc.abstractmethod
    def impute(self) -> bool:
        """Whether missing answers are filled in with their expectation."""

    @property
    def in_advance(self) -> bool:
        """Whether `asks` decides about a trial's questions even if they come one by one."""
        return False

    @property
    @abc.abstractmethod
    def ask_share(self) -> float | Float[JaxArray, ""]:
        """`ask_threshold` for asking one question after another; 0 asks everything."""

    # ---- a study's questions -------------------------------------------------------------------

    def check(self, problem: Problem) -> None:
        levels = self._posterior and not self.gathers
        check_problem(self, problem, joint=not self._posterior, levels=levels)

    @property
    def _posterior(self) -> bool:
        # What imputes, the paper's algorithm among it, has no calibrated posterior.
        return self.certificate == "posterior" and not self.impute

    def propose(self, problem: Problem, history: History) -> Choice:
        if self._posterior:
            return certified.propose(self, problem, history)
        names = tuple(constraint.name for constraint in problem.constraints)
        first = first_trial(self.safe, problem, history)
        if first is not None:
            return first
        candidates, _, theta, note, _, move, there = self._moved(problem, history)
        if not (move.known_safe or move.exploring):
            note = " ".join(filter(None, (note, NONE_SAFE)))
        arm = int(move.arm)
        # Plain floats, which overflow to infinity without a warning.
        mean, sd = float(there.mean), float(there.sd)
        offset, scale = float(candidates.units[0][0]), float(candidates.units[1][0])
        terms = {"ambiguity": float(move.worth)}
        if not move.exploring:
            terms = {
                "exploitation": offset + scale * mean,
                "approximation": scale * (float(there.upper) - mean),
            }
        point = candidates.points[arm, : problem.space.dim]
        return Choice(
            point=np.asarray(point),
            arm=arm if problem.space.finite else None,
            mean=offset + scale * mean,
            sd=scale * sd,
            terms=terms,
            theta=theta,
            asks=_named(names, np.asarray(there.asks)),
            note=note,
            chances=_shared(names, np.asarray(there.chances)),
        )

    def taken(self, problem: Problem, history: History) -> Array:
        return taken_points(problem.space, history)

    def score(
        self, problem: Problem, history: History, theta: tuple[float, ...] = ()
    ) -> LearnerScore | CertifiedScore | None:
        """What `propose` maximises in this round; its fit follows from the history."""
        if self._posterior:
            return certified.score(self, problem, history)
        if first_trial(self.safe, problem, history) is not None:
            return None
        candidates, model, _, _, learned, move, _ = self._moved(problem, history)
        safe, (offset, scale) = learned.sets.safe, candidates.units
        lower = jnp.where(safe, learned.bounds.lower[0], -jnp.inf)
        phase: Phase = "exploring"
        if not move.exploring:
            phase = "optimising" if move.known_safe else "hoping"
        trials, pairs = len(candidates.where), candidates.outcomes.shape[1] * len(candidates.points)
        betas = [float(self.confidence.beta(pairs, t)) for t in range(1, trials + 2)]
        far = np.full(problem.space.dim, np.inf)
        return LearnerScore(
            course_of(
                model,
                candidates.points[candidates.where],
                candidates.outcomes,
                candidates.measured,
                np.array(betas),
                candidates.drift,
                impute=self.impute,
                running=not self.drifting,
            ),
            far if self.safe is None else problem.space.encode(dict(self.safe)),
            np.asarray(jnp.max(lower)),
            (offset[0], scale[0]),
            phase,
            overall=candidates.outcomes.shape[1] <= len(problem.constraints),
            plain=bool(getattr(self, "paper", False)),
        )

    def predict(self, problem: Problem, history: History, points: Array) -> list[Prediction] | None:
        if not history.measured[:, :1].any() and len(history.y) == 0:
            return None
        if self._posterior:
            return certified.predict(self, problem, history, points)
        mean, sd, units = self._believed(problem, history, points)
        offset, scale = float(units[0][0]), float(units[1][0])
        return [
            Prediction(offset + scale * float(m), scale * float(s))
            for m, s in zip(mean[0], sd[0], strict=True)
        ]

    def noise(self, problem: Problem, history: History, points: Array, payoffs: Array) -> Array:
        if self._posterior:
            return certified.noise(self, problem, history, points)
        candidates = candidates_of(self, problem, history)
        model, _, _ = union.fitted(self, candidates, history)
        sd = float(candidates.units[1][0]) * float(np.asarray(model.noise)[0]) ** 0.5
        return np.full(len(points), sd)

    def chances(self, problem: Problem, history: History, points: Array) -> Array:
        count = len(problem.constraints)
        if self._posterior:
            each = certified.certificate(self, problem, history, points).chances.T
        else:
            mean, sd, _ = self._believed(problem, history, points)
            each = ndtr(mean[1:] / sd[1:]).T
        shared: Array = (
            np.tile(each ** (1.0 / count), (1, count)) if each.shape[1] < count else each
        )
        return shared

    def question(
        self, problem: Problem, history: History, point: Array, answers: Mapping[str, float]
    ) -> str | None:
        if self._posterior:
            return certified.question(self, problem, history, point, answers)
        names = tuple(constraint.name for constraint in problem.constraints)
        given = np.array([[0.0, *(answers.get(name, 0.0) for name in names)]])
        known = np.array([[False, *(name in answers for name in names)]])
        given, known = self.gathered(given, known)
        left = [name for name in names if name not in answers]
        if not left:
            return None
        nobody = not history.measured[:, 1:].any()  # a first trial asks about everything
        if nobody or given.shape[1] <= len(names) or self.ask_share <= 0.0:
            return left[0]
        candidates = candidates_of(self, problem, history, point)
        model, _, _ = union.fitted(self, candidates, history)
        learned = union.learned_from(self, candidates, model)
        if self.in_advance:
            listed = _named(names, np.asarray(union.listed(self, learned, model)))
            return next((name for name in listed if name not in answers), None)
        index = int(
            np.flatnonzero((candidates.points == widened(point, candidates)).all(axis=1))[0]
        )
        best = int(
            union.next_question(
                self, learned, np.asarray(index), given[0] / candidates.units[1], known[0, 1:]
            )
        )
        return None if best < 0 else names[best]

    def joint(self, problem: Problem, history: History, points: Array) -> tuple[Array, Array]:
        if self._posterior:
            return certified.joint(self, problem, history, points)
        candidates = candidates_of(self, problem, history)
        model, _, _ = union.fitted(self, candidates, history)
        padded = np.zeros((bucket(len(points)), candidates.points.shape[1]))
        padded[: len(points)] = np.stack([widened(p, candidates) for p in points])
        mean, covariance = union.jointly(multitask.posterior(model, candidates.rows), padded)
        (offset, scale), n = candidates.units, len(points)
        return (
            offset[0] + scale[0] * np.asarray(mean)[:n],
            scale[0] ** 2 * np.asarray(covariance)[:n, :n],
        )

    def left_out(self, problem: Problem, history: History) -> tuple[Array, Array, Array]:
        if self._posterior:
            return certified.left_out(self, problem, history)
        y, points = history.y, history.x
        mean, covariance = self.joint(problem, history, points)
        noise = self.noise(problem, history, points, y) ** 2
        return y, *left_out(mean, np.sqrt(np.diagonal(covariance)), noise, y)

    def safe_sets(self, problem: Problem, history: History) -> Array | None:
        if self._posterior:
            return certified.safe_sets(self, problem, history)
        candidates = candidates_of(self, problem, history)
        count = len(candidates.where)
        if self.drifting or count == 0:
            return None
        model, _, _ = union.fitted(self, candidates, history)
        safe, uncertain = (
            np.asarray(each)[:count, candidates.choosable]
            for each in course(
                *union.in_order(candidates, model), self.confidence, impute=self.impute
            )
        )
        return np.stack([safe.mean(axis=1), uncertain.mean(axis=1)], axis=1)

    # ---- inside --------------------------------------------------------------------------------

    def _believed(
        self, problem: Problem, history: History, points: Array
    ) -> tuple[Array, Array, tuple[Array, Array]]:
        """Mean and sd of all modelled outcomes at any points, in standard units, and the units."""
        candidates = candidates_of(self, problem, history)
        model, _, _ = union.fitted(self, candidates, history)
        belief = multitask.posterior(model, candidates.rows)
        padded = np.zeros((bucket(len(points)), candidates.points.shape[1]))
        padded[: len(points)] = np.stack([widened(p, candidates) for p in points])
        mean, sd = union.predicted(belief, padded)
        count = len(points)
        return np.asarray(mean)[:, :count], np.asarray(sd)[:, :count], candidates.units

    def _moved(self, problem: Problem, history: History) -> union.Moved:
        """A round: the candidates, the model and its fit, what was learned, and where to go."""
        candidates = candidates_of(self, problem, history)
        model, theta, note = union.fitted(self, candidates, history)
        learned = union.learned_from(self, candidates, model)
        budget = np.asarray(self._budget(candidates))
        found = union.decided(self, learned, candidates.free, candidates.allowed, budget, model)
        return union.Moved(candidates, model, theta, note, learned, *jax.device_get(found))

    def _budget(self, candidates: "Candidates") -> int:
        if self.budget is not None:
            return self.budget
        return min(3 * int(candidates.allowed.size), union.MOST_BUDGET)


def overall(outcomes: Array, measured: Mask, threshold: Any) -> tuple[Array, Mask]:
    """(objective, mean margin minus a threshold): known if every constraint was answered."""
    if outcomes.shape[1] == 1:
        return outcomes, measured
    every = measured[:, 1:].all(axis=1)
    mean = outcomes[:, 1:].mean(axis=1) - threshold
    return (
        np.stack([outcomes[:, 0], np.where(every, mean, 0.0)], axis=1),
        np.stack([measured[:, 0], every], axis=1),
    )


def _named(names: tuple[str, ...], asked: Mask) -> tuple[str, ...]:
    if len(asked) < len(names):  # several constraints share one question
        return names if asked.any() else ()
    return tuple(name for name, ask in zip(names, asked, strict=True) if ask)


def _shared(names: tuple[str, ...], chance: Array) -> dict[str, float]:
    if len(chance) < len(names):
        chance = np.repeat(chance ** (1.0 / len(names)), len(names))
    return {name: float(each) for name, each in zip(names, chance, strict=True)}
