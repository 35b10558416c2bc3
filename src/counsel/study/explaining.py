"""Explanations of proposals and points, and how they compare with a person's choices."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from counsel.errors import InvalidInput, NothingToExplain
from counsel.explain.attribution import Attribution, Shown, WhatIf
from counsel.facts.checks import check_actor, check_name
from counsel.facts.history import Array, History
from counsel.facts.kept import Kept
from counsel.facts.payoffs import shares
from counsel.facts.problem import Problem
from counsel.facts.records import Proposal, Value
from counsel.facts.state import StudyState
from counsel.facts.summaries import Setup
from counsel.policies.protocol import Joint, JointByFit, Policy, Scoring, Spreading
from counsel.space import AnySpace
from counsel.storage.ledger import Ledger
from counsel.study.beliefs import Beliefs
from counsel.study.commands import now
from counsel.study.contract.points import Point, Until
from counsel.teams.alignment import Alignment, alignment
from counsel.teams.overriding import Believed, Overriding, overriding

if TYPE_CHECKING:
    from counsel.acquisition.terms import Score
    from counsel.models.gp import Posterior
    from counsel.models.mixture import Fits, Mixture

__all__ = ["Explaining"]

_NOTHING_MEASURED = (
    "Nothing has been measured yet, so there is nothing to explain. Tell a trial first."
)
_KEPT_SCORES = 4  # the current proposal, and what the next one would maximise


class Explaining:
    """Rebuilds what was maximised and attributes it; keeps the last few scores."""

    def __init__(
        self, setup: Setup, ledger: Ledger, beliefs: Beliefs, policy: Callable[[], Policy]
    ) -> None:
        self._created = setup.problem
        self._seed = setup.seed
        self._ledger = ledger
        self._beliefs = beliefs
        self._policy = policy
        # Each with what an explanation computes from it alone, whatever the point.
        self._scores: dict[object, tuple[Score, Kept]] = {}

    @property
    def _problem(self) -> Problem:
        return self._ledger.state.problem

    def explain(
        self,
        proposal: Point,
        context: Mapping[str, Value] | None = None,
        instead_of: Point | None = None,
        background: Sequence[Mapping[str, Value]] | None = None,
        tolerance: float = 0.01,
        until: Until = "tolerance",
        actor: str | None = None,
    ) -> Attribution:
        if actor is not None:
            check_name("actor", actor)
        if not isinstance(tolerance, float | int) or not 0.0 < tolerance < 1.0:
            raise InvalidInput(
                "tolerance", tolerance, "Give a share between 0 and 1, such as 0.01."
            )
        if until not in ("tolerance", "ranking"):
            raise InvalidInput("until", until, "Use 'tolerance' or 'ranking'.")
        if instead_of is not None and background is not None:
            raise InvalidInput(
                "background", background, "Leave it out: the other trial is the background."
            )
        with self._ledger.current() as state:
            other = instead_of
            if instead_of is not None:
                other = self._space_of(instead_of).validate(
                    instead_of
                    if isinstance(instead_of, Mapping)
                    else dict(state.find(instead_of).values)
                )
            judged_by = proposal if not isinstance(proposal, Mapping) else instead_of
            why = self._attribute(
                proposal,
                context,
                None if isinstance(judged_by, Mapping) else judged_by,
                instead_of=other,
                instead_of_proposal=isinstance(instead_of, Proposal | str),
                background=background,
                tolerance=tolerance,
                until=until,
            )
        if actor is not None:
            # Of an explanation that somebody saw, the numbers that its sentence rests on are kept.
            seen = Shown(actor, now(), why)
            self._ledger.change(lambda writer: writer.show(seen))
        return why

    def what_if(
        self,
        values: Mapping[str, Value],
        context: Mapping[str, Value] | None,
        instead_of: Proposal | str | None,
    ) -> WhatIf:
        if not isinstance(values, Mapping):
            raise InvalidInput("values", values, "Give a dict of parameter values.")
        with self._ledger.current() as state:
            why = self._attribute(dict(values), context, instead_of)
            source = None if instead_of is None else state.find(instead_of)
            points = [values] if source is None else [values, source.values]
            predictions = self._beliefs.predict_many(points, why.context or None)
            best = self._beliefs.best_kept(why.context)
        if predictions is None:  # a first trial has a reason, its distance, before any belief
            raise NothingToExplain(_NOTHING_MEASURED)
        if source is None:
            return WhatIf(predictions[0], why, best)
        return WhatIf(predictions[0], why, best, source.id, predictions[1])

    def _space_of(self, judged_by: object) -> AnySpace:
        """The space as a proposal met it, else that of today."""
        if not isinstance(judged_by, Proposal | str):
            return self._problem.space
        return self._ledger.state_after(self._ledger.state.find(judged_by).seen).problem.space

    def _attribute(
        self,
        proposal: Point,
        context: Mapping[str, Value] | None,
        judged_by: Proposal | str | None,
        **options: Any,
    ) -> Attribution:
        """Explain a proposal or values by what a proposal maximised, else by what is now."""
        from counsel.explain.methods import attribute

        with self._ledger.current() as state:
            found = None if isinstance(proposal, Mapping) else state.find(proposal)
            space = self._space_of(judged_by)
            given_values = (
                proposal if isinstance(proposal, Mapping) else state.find(proposal).values
            )
            values = space.validate(given_values)
            if judged_by is None:
                given = space.validate_context(context)
                score = self.score_now(given)
                history = self._beliefs.history(state, space.encode_context(given))
                objectives = self._objectives(state, history)
            else:
                source = state.find(judged_by)
                given, score = dict(source.context), self.score_of(source)
                then = self._ledger.state_after(source.seen)
                objectives = self._objectives(
                    then, self._beliefs.history_of(source, then), source.theta
                )
            return attribute(
                score,
                space,
                values,
                context=given,
                proposal=None if found is None else found.id,
                objective=self._problem.objective.name,
                direction=self._problem.objective.direction,
                constraints=[constraint.name for constraint in self._problem.constraints],
                recorded=None if found is None else found.terms or None,
                objectives=objectives,
                kept=next((kept for own, kept in self._scores.values() if own is score), None),
                **options,
            )

    def _objectives(
        self, state: StudyState, history: History, theta: tuple[float, ...] = ()
    ) -> list[tuple[str, float, "Posterior"]]:
        """What is believed of each of several weighed objectives: name, weight, posterior.

        All under the fit of their sum (`theta`, if that was made on its own scale): a posterior
        mean is linear in what was measured, so the weighted sum of theirs is that of the payoff.
        Not where standard errors were reported, which differ by objective, nor where some
        observations stand for all.
        """
        parts, policy = state.problem.parts, self._policy()
        if not parts or len(history.y) == 0 or np.isfinite(history.sem).any():
            return []
        from counsel.policies.bandit import Bandit

        if not isinstance(policy, Bandit) or policy.scaling is None:
            return []
        if len(history.y) > policy.scaling.exact_rows:
            return []
        plain, space = policy.on_its_own_scale(), history.problem(self._created).space
        alone = replace(history, pending=history.pending[:0])
        if plain is not policy:
            theta, alone = (), replace(alone, theta=(), fresh=False)
        theta = theta or plain.believe(space, alone).theta
        measured = shares(state.problem, list(state.observations.values()))
        return [
            (
                each.name,
                each.sign * each.weight,
                plain.believe(space, replace(alone, y=measured[:, j]), theta).posterior,
            )
            for j, each in enumerate(parts)
        ]

    def shown(self) -> tuple[Shown, ...]:
        units = self._ledger.state.problem.space.units
        return tuple(
            replace(each, attribution=replace(each.attribution, units=units))
            for each in self._ledger.storage.shown(self._ledger.study)
        )

    def alignment(self, proposal: Proposal | str, actor: str) -> Alignment | None:
        check_actor(actor)
        with self._ledger.current() as state:
            found = state.find(proposal)
            own = [d for d in state.decisions.values() if d.kind == "override" and d.actor == actor]
            if not own:
                return None
            theirs = [
                self.explain(dict(d.values or {}), context=state.find(d.proposal).context)
                for d in own
            ]
            return alignment(found, actor, self.explain(found), theirs)

    def overriding(self) -> tuple[Overriding, ...]:
        with self._ledger.current() as state:
            made = [
                (decision, state.find(decision.proposal))
                for decision in state.decisions.values()
                if decision.kind == "override"
            ]
            return overriding(self._problem.space, made, self.jointly() if made else None)

    def score_now(self, context: Mapping[str, Value] | None = None) -> "Score":
        """What the next `ask` would maximise, as a function of encoded points."""
        with self._ledger.current() as state:
            given = self._problem.space.validate_context(context)
            history = self._beliefs.history(state, self._problem.space.encode_context(given))
            return self._score((state.count, tuple(given.items())), history, ())

    def score_of(self, proposal: Proposal | str) -> "Score":
        """What a proposal maximised, rebuilt from the facts it was derived from."""
        with self._ledger.current() as state:
            found = state.find(proposal)
            history = self._beliefs.history_of(found, self._ledger.state_after(found.seen))
            policy = self._policy()
            if found.terms or not getattr(policy, "records_terms", True):
                try:
                    return self._score(found.id, history, found.theta)
                except NothingToExplain:
                    if found.terms:
                        raise
            return self._first(found, history, policy)

    def _first(self, found: Proposal, history: History, policy: Policy) -> "Score":
        """The score of a first trial: its distance from earlier ones."""
        from counsel.acquisition.spread import Spread

        taken = np.zeros((0, 0))
        problem = history.problem(self._created)
        if isinstance(policy, Spreading):
            taken = policy.taken(problem, history)
        named = _named(policy, problem.space, found, alone=len(taken) == 0)
        if named:
            raise NothingToExplain(
                f"Proposal {found.id!r} is {named}: it was not chosen for anything else."
            )
        if len(taken) == 0:
            raise NothingToExplain(
                f"Proposal {found.id!r} was drawn at random: there is nothing to explain."
            )
        return Spread.over(taken)

    def jointly(self, *, expecting: bool = True) -> Believed | None:
        """The joint belief about the objective at several points, if the policy has one.

        With `expecting`, trials under way count as if they came out as expected.
        """
        from counsel.models.gp import Posterior
        from counsel.policies.surrogate import joint_at

        policy, state = self._policy(), self._ledger.state
        history = self._beliefs.history(state)
        if len(history.y) + len(history.comparisons) == 0:
            return None
        if not expecting:
            history = replace(history, pending=history.pending[:0])
        if isinstance(policy, Joint):
            if len(history.y) == 0:
                return None
            return partial(policy.joint, self._problem, history)
        score = policy.score(self._problem, history) if isinstance(policy, Scoring) else None
        belief = getattr(score, "posterior", None)
        if not isinstance(belief, Posterior):
            return None
        return partial(joint_at, belief)

    def jointly_by_fit(self, points: Array, fits: "Fits") -> "Mixture | None":
        """The same under several fits, if the policy has them; trials under way do not count."""
        policy = self._policy()
        history = self._beliefs.history(self._ledger.state)
        if not isinstance(policy, JointByFit) or not 0 < len(history.y) <= int(fits.few):
            return None
        history = replace(history, pending=history.pending[:0])
        return policy.joint_by_fit(self._problem, history, points, fits)

    def _score(self, of: object, history: History, theta: tuple[float, ...]) -> "Score":
        of = self._ledger.generation, of
        if of in self._scores:
            return self._scores[of][0]
        score, policy = None, self._policy()
        if isinstance(policy, Scoring):
            score = policy.score(history.problem(self._created), history, theta)
        if score is None:
            raise NothingToExplain(
                _NOTHING_MEASURED
                if isinstance(policy, Scoring)
                else f"The policy {policy.name!r} does not maximise an acquisition."
            )
        while len(self._scores) >= _KEPT_SCORES:
            del self._scores[next(iter(self._scores))]
        self._scores[of] = score, Kept()  # type: ignore[assignment]
        return self._scores[of][0]


def _named(policy: Policy, space: AnySpace, found: Proposal, *, alone: bool) -> str:
    """What a first trial is if a person named it, or ""; `alone` if it is the very first."""
    safe, guess = getattr(policy, "safe", None), getattr(policy, "guess", None)
    if safe is not None and space.validate(dict(safe)) == dict(found.values):
        return "the point that somebody vouches for (the setting safe)"
    if guess is not None and alone and guess.leads_to(space, found.values):
        return "where somebody expects the optimum (the setting guess)"
    return ""
