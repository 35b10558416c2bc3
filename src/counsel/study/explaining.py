"""Explanations of proposals and points, and how they compare with a person's choices."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from counsel.errors import InvalidInput, NothingToExplain
from counsel.explain.attribution import Attribution, Shown, WhatIf
from counsel.facts.history import History
from counsel.facts.records import LONGEST_NAME, Proposal, Setup, Value, check_name, check_text
from counsel.policies.protocol import Joint, Policy, Scoring
from counsel.storage.ledger import Ledger
from counsel.study.beliefs import Beliefs
from counsel.study.commands import now
from counsel.study.protocol import Point
from counsel.teams.alignment import Alignment, alignment
from counsel.teams.overriding import Believed, Overriding, overriding

if TYPE_CHECKING:
    from counsel.acquisition.terms import Score

__all__ = ["Explaining"]

_KEPT_SCORES = 4  # the current proposal, and what the next one would maximise


class Explaining:
    """Rebuilds what was maximised and attributes it; keeps the last few scores."""

    def __init__(
        self, setup: Setup, ledger: Ledger, beliefs: Beliefs, policy: Callable[[], Policy]
    ) -> None:
        self._problem = setup.problem
        self._seed = setup.seed
        self._ledger = ledger
        self._beliefs = beliefs
        self._policy = policy
        self._scores: dict[object, Score] = {}

    def explain(
        self,
        proposal: Point,
        context: Mapping[str, Value] | None = None,
        instead_of: Proposal | str | None = None,
        background: Sequence[Mapping[str, Value]] | None = None,
        tolerance: float = 0.01,
        actor: str | None = None,
    ) -> Attribution:
        from counsel.explain.methods import attribute

        if actor is not None:
            check_name("actor", actor)
        if not isinstance(tolerance, float | int) or not 0.0 < tolerance < 1.0:
            raise InvalidInput(
                "tolerance", tolerance, "Give a share between 0 and 1, such as 0.01."
            )
        with self._ledger.current() as state:
            if isinstance(proposal, Mapping):
                found = None
                values = self._problem.space.validate(proposal)
                if instead_of is None:
                    given = self._problem.space.validate_context(context)
                    score = self.score_now(given)
                else:
                    rival = state.find(instead_of)
                    given, score = dict(rival.context), self.score_of(rival)
            else:
                found = state.find(proposal)
                values, given = dict(found.values), dict(found.context)
                score = self.score_of(found)
            why = attribute(
                score,
                self._problem.space,
                values,
                context=given,
                background=background,
                tolerance=tolerance,
                proposal=None if found is None else found.id,
                objective=self._problem.objective.name,
                direction=self._problem.objective.direction,
            )
        if found is not None:
            _check_same(found, why)
        if actor is not None:
            seen = Shown(actor, now(), why)
            self._ledger.change(lambda writer: writer.show(seen))
        return why

    def what_if(
        self,
        values: Mapping[str, Value],
        context: Mapping[str, Value] | None,
        instead_of: Proposal | str | None,
    ) -> WhatIf:
        with self._ledger.current():
            why = self.explain(dict(values), context=context, instead_of=instead_of)
            predictions = self._beliefs.predict_many([values], why.context or None)
        assert predictions is not None  # a score implies observations
        return WhatIf(predictions[0], why)

    def shown(self) -> tuple[Shown, ...]:
        return tuple(self._ledger.storage.shown(self._ledger.study))

    def alignment(self, proposal: Proposal | str, actor: str) -> Alignment | None:
        check_text("actor", actor, most=LONGEST_NAME)
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
            return overriding(self._problem.space, made, self._jointly() if made else None)

    def score_now(self, context: Mapping[str, Value] | None = None) -> "Score":
        """What the next `ask` would maximise, as a function of encoded points."""
        given = self._problem.space.validate_context(context)
        with self._ledger.current() as state:
            history = self._beliefs.history(state, self._problem.space.encode_context(given))
            return self._score((state.count, tuple(given.items())), history, ())

    def score_of(self, proposal: Proposal | str) -> "Score":
        """What a proposal maximised, rebuilt from the facts it was derived from."""
        with self._ledger.current() as state:
            found = state.find(proposal)
            if not found.terms:
                raise NothingToExplain(
                    f"Proposal {found.id!r} did not come from an acquisition: it is random, or "
                    "one of the first trials, which are spread over the space."
                )
            before = self._ledger.state_after(found.seen)
            return self._score(found.id, self._beliefs.history_of(found, before), found.theta)

    def _jointly(self) -> Believed | None:
        """The joint belief about the objective at several points, if the policy has one."""
        from counsel.models.gp import Posterior

        policy, state = self._policy(), self._ledger.state
        if not state.observations:
            return None
        history = self._beliefs.history(state)
        if isinstance(policy, Joint):
            return partial(policy.joint, self._problem, history)
        score = policy.score(self._problem, history) if isinstance(policy, Scoring) else None
        belief = getattr(score, "posterior", None)
        if not isinstance(belief, Posterior):
            return None
        return lambda points: tuple(np.asarray(each) for each in belief.joint(points))  # type: ignore[return-value]

    def _score(self, of: object, history: History, theta: tuple[float, ...]) -> "Score":
        of = self._ledger.generation, of
        if of in self._scores:
            return self._scores[of]
        score, policy = None, self._policy()
        if isinstance(policy, Scoring):
            score = policy.score(self._problem, history, theta)
        if score is None:
            raise NothingToExplain(
                "Nothing has been measured yet, so there is nothing to explain. Tell a trial first."
                if isinstance(policy, Scoring)
                else f"The policy {policy.name!r} does not maximise an acquisition."
            )
        while len(self._scores) >= _KEPT_SCORES:
            del self._scores[next(iter(self._scores))]
        self._scores[of] = score  # type: ignore[assignment]
        return self._scores[of]


def _check_same(proposal: Proposal, why: Attribution) -> None:
    """Refuse to explain a proposal that the facts do not reproduce (another policy or version)."""
    recorded = [proposal.terms.get(term, np.nan) for term in why.terms]
    unit = max(1e-300, float(np.abs(why.total).max()), float(np.abs(why.base).max()))
    if not np.allclose(recorded, why.total, rtol=0.0, atol=1e-6 * unit):
        raise NothingToExplain(
            f"Proposal {proposal.id!r} cannot be rebuilt: policy {proposal.policy!r} recorded "
            f"{dict(proposal.terms)}, but the facts now lead to {why.total.tolist()}."
        )
