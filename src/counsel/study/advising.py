"""Should a person step in? What both points promise, and what the person's advice was worth."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from counsel.errors import NothingToExplain
from counsel.facts.history import Array
from counsel.facts.records import LONGEST_NAME, Decision, Proposal, Value, check_text
from counsel.facts.state import StudyState
from counsel.policies.protocol import Feasibility, Policy
from counsel.storage.ledger import Ledger
from counsel.study.beliefs import Beliefs
from counsel.study.explaining import Explaining
from counsel.teams.advice import Advice, Past, Sides, advise, track_record
from counsel.teams.alignment import Alignment, reasons

__all__ = ["Advising"]

_KEPT = 256  # past choices whose surprise is remembered


class Advising:
    """Compares a person's point with a proposal; remembers what each past choice was worth."""

    def __init__(
        self, ledger: Ledger, beliefs: Beliefs, explaining: Explaining, policy: Callable[[], Policy]
    ) -> None:
        self._ledger = ledger
        self._beliefs = beliefs
        self._explaining = explaining
        self._policy = policy
        self._past: dict[object, Past | None] = {}

    def advise(
        self, proposal: Proposal | str, mine: Mapping[str, Value] | None, actor: str
    ) -> Advice:
        check_text("actor", actor, most=LONGEST_NAME)
        with self._ledger.current() as state:
            found, space = state.find(proposal), state.problem.space
            own = None if mine is None else space.validate(mine)
            same = own is not None and own == dict(found.values)
            sides = None if own is None or same else self._sides(state, found, own)
            record = track_record(
                space.names, self._record(state, actor), None if sides is None else sides.kind
            )
            return advise(
                found.id,
                actor,
                own,
                sides,
                record,
                self._alignment(found, actor),
                same=same,
            )

    def _alignment(self, found: Proposal, actor: str) -> Alignment | None:
        try:
            return self._explaining.alignment(found, actor)
        except NothingToExplain:  # a first trial has no reasons
            return None

    def _sides(self, state: StudyState, found: Proposal, own: Mapping[str, Value]) -> Sides | None:
        """Both points under what is known today; what is under way has not come out yet."""
        believed = self._explaining.jointly(expecting=False)
        if believed is None:
            return None
        points = self._points(state, found, own)
        mean, covariance = believed(points)
        kind = self._kind(own, found)
        return Sides(mean, covariance, self._keeps(state, found, points), kind)

    def _points(self, state: StudyState, found: Proposal, own: Mapping[str, Value]) -> Array:
        space = state.problem.space
        given = space.encode_context(found.context)
        return np.stack([np.concatenate([space.encode(v), given]) for v in (found.values, own)])

    def _keeps(self, state: StudyState, found: Proposal, points: Array) -> Array:
        """The probability that all constraints hold, and that a trial works, at each point."""
        policy, problem = self._policy(), state.problem
        history = self._beliefs.history(state, problem.space.encode_context(found.context))
        known = history.measured[:, 1:].any()
        if not problem.constraints or not known or not isinstance(policy, Feasibility):
            return np.ones(2)
        return np.asarray(policy.chances(problem, history, points)).prod(axis=1)

    def _kind(self, own: Mapping[str, Value], found: Proposal) -> Array:
        """The parameters in which two points differ, by their contributions; equal shares where
        the proposal has no reasons."""
        try:
            why = self._explaining.explain(dict(own), instead_of=found)
        except NothingToExplain:
            names = self._ledger.state.problem.space.names
            differs = np.array([own.get(n) != found.values.get(n) for n in names], dtype=np.float64)
            return np.asarray(differs / max(differs.sum(), 1.0))
        apart = np.abs(reasons(why))
        return np.asarray(apart / max(float(apart.sum()), 1e-300))

    def _record(self, state: StudyState, actor: str) -> list[Past]:
        """The person's own choices that were measured, as they looked beforehand."""
        made = []
        for decision in state.decisions.values():
            if decision.kind == "override" and decision.actor == actor:
                past = self._once(state, decision)
                if past is not None:
                    made.append(past)
        return made

    def _once(self, state: StudyState, decision: Decision) -> Past | None:
        name = state.problem.objective.name
        outcome = state.answers(decision.proposal).get(name)
        if outcome is None:
            return None
        key = self._ledger.generation, decision.id, outcome, state.amended
        if key not in self._past:
            while len(self._past) >= _KEPT:
                del self._past[next(iter(self._past))]
            y = state.problem.objective.sign * outcome
            self._past[key] = self._surprise(state, decision, y)
        return self._past[key]

    def _surprise(self, state: StudyState, decision: Decision, y: float) -> Past | None:
        """How far a choice came out from what was expected of it; None without expectations."""
        found = state.find(decision.proposal)
        before = self._ledger.state_after(found.seen)
        values = dict(decision.values or {})
        history = self._beliefs.history_of(found, before)
        known = replace(history, theta=found.theta, fresh=bool(found.theta))
        problem = before.problem
        point = self._points(before, found, values)[1:]
        expected = self._policy().predict(problem, known, point)
        if expected is None:
            return None
        mean, sd = expected[0].mean, expected[0].sd
        noise = self._noise(found, mean)
        variance = sd**2 + noise**2
        if not variance > 0.0:
            return None
        kind = self._kind(values, found)
        return Past((y - mean) / variance**0.5, sd**2 / variance, kind)

    def _noise(self, found: Proposal, mean: float) -> float:
        """The sd of repeated trials as it was believed then; 0 where the policy does not say."""
        from counsel.models.gp import Posterior

        try:
            belief = getattr(self._explaining.score_of(found), "posterior", None)
        except NothingToExplain:
            return 0.0
        if not isinstance(belief, Posterior) or np.ndim(belief.noise) > 0:
            return 0.0
        noise = float(belief.scale) * float(belief.noise) ** 0.5
        if belief.warp is None:
            return noise
        return noise / float(belief.warp.slope(np.minimum(mean, float(belief.warp.top))))
