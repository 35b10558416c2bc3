"""What the facts add up to: the fold over a study's history.

`StudyState.add` takes one fact and updates what is decided, observed, pending and rejected.
Replaying is folding a prefix.
"""

import dataclasses
import typing
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from counsel.errors import Conflict, InvalidInput, NotFound
from counsel.facts.history import Array, History
from counsel.facts.kept import Kept
from counsel.facts.payoffs import means, payoffs, weighed
from counsel.facts.problem import Problem
from counsel.facts.records import (
    Amendment,
    Archival,
    Claim,
    Comment,
    Comparison,
    Decision,
    Fact,
    Failure,
    Observation,
    Proposal,
    Revision,
    Value,
    Withdrawal,
)
from counsel.space import Arms

_STATUS = {
    "accept": "accepted",
    "override": "overridden",
    "reject": "rejected",
    "abandon": "abandoned",
}
InForce = Decision | Observation | Failure | Comparison | Claim | Comment | Revision

# Of a trial that nothing was foretold of.
_NOTHING = (np.nan,) * 5


class StudyState:
    """The facts so far, indexed. Facts in force only: what was withdrawn is not here.

    `problem` is the study's own, with the space as the last amendment has it and the weights of
    objectives as comparisons teach them.
    """

    def __init__(self, problem: Problem, facts: Iterable[Fact] = ()) -> None:
        self._problem = problem
        self._weighed: tuple[int, Problem] | None = None  # with its number of facts
        self.amended = False
        self.count = 0
        self.made: dict[type, int] = dict.fromkeys(typing.get_args(Fact), 0)
        self.proposals: dict[str, Proposal] = {}
        self.decisions: dict[str, Decision] = {}  # by proposal
        self.observations: dict[str, Observation] = {}  # with the outcomes in force
        self.observed: dict[str, Observation] = {}  # by proposal, the first in force
        self.failures: dict[str, Failure] = {}
        self.failed: dict[str, Failure] = {}  # by proposal
        self.comparisons: dict[str, Comparison] = {}
        self.claims: dict[str, Claim] = {}
        self.comments: dict[str, Comment] = {}
        self.archival: Archival | None = None  # the last one
        self.ids: set[str] = set()  # of every fact, in force or not
        self.revisions: dict[str, list[Revision]] = {}  # by observation, the one in force last
        self._reported: dict[str, Observation] = {}  # as first reported
        self.theta: tuple[float, ...] = ()
        self._fitted = 0  # how many facts that fit has seen
        self._changed = 0  # how many facts there were when the data last changed
        self._folded: tuple[int, History] | None = None  # the arrays, and their number of facts
        self._rows: dict[str, Array] = {}  # encoded points, by fact
        self._answers: dict[str, Array] = {}  # outcomes in force, by observation
        self._places: dict[str, int] = {}  # how many facts there were with it, by observation
        for fact in facts:
            self.add(fact)

    def add(self, fact: Fact) -> None:
        self.count += 1
        self.made[type(fact)] += 1
        self.ids.add(fact.id)
        if isinstance(fact, Observation | Comparison | Revision | Withdrawal) and not (
            isinstance(fact, Withdrawal) and fact.fact in self.comments
        ):
            self._changed = self.count
        match fact:
            case Proposal():
                self.proposals[fact.id] = fact
                if fact.theta:
                    self.theta, self._fitted = fact.theta, fact.seen
                self._rows[fact.id] = self._encode(fact)
            case Decision():
                self.decisions[fact.proposal] = fact
                if fact.values is not None:
                    context = self.proposals[fact.proposal].context
                    self._rows[fact.id] = self._joined(fact.values, context)
            case Observation():
                self._reported[fact.id] = fact
                self._places[fact.id] = self.count
                self._observe(fact)
                self._rows[fact.id] = self._encode(fact)
            case Failure():
                self.failures[fact.id] = fact
                self._rows[fact.id] = self._encode(fact)
                if fact.proposal is not None:
                    self.failed[fact.proposal] = fact
            case Comparison():
                self.comparisons[fact.id] = fact
                self._rows[fact.id] = self._encode_pair(fact)
            case Claim():
                self.claims[fact.id] = fact
                self._rows[fact.id] = self._encode_pair(fact)
            case Comment():
                self.comments[fact.id] = fact
            case Archival():
                self.archival = fact
            case Revision():
                self.revisions.setdefault(fact.fact, []).append(fact)
                self._correct(fact.fact)
            case Amendment():
                self._problem = dataclasses.replace(self._problem, space=fact.space)
                self.amended = True
                self._encode_anew()
            case Withdrawal():
                self._withdraw(fact.fact)

    @property
    def problem(self) -> Problem:
        """What is searched and wanted today."""
        if self._problem.tradeoff != "comparisons":
            return self._problem
        if self._weighed is None or self._weighed[0] != self.count:
            observations, pairs = self.observations.values(), self.comparisons.values()
            self._weighed = self.count, weighed(self._problem, observations, pairs)
        return self._weighed[1]

    def _encode_anew(self) -> None:
        """Every point that is still looked at, in the columns of today's space."""
        self._rows = {}
        tried: list[Proposal | Observation | Failure] = [*self.proposals.values()]
        tried += [*self._reported.values(), *self.failures.values()]
        for fact in tried:
            self._rows[fact.id] = self._encode(fact)
        for decision in self.decisions.values():
            if decision.values is not None:
                context = self.proposals[decision.proposal].context
                self._rows[decision.id] = self._joined(decision.values, context)
        pairs: list[Comparison | Claim] = [*self.comparisons.values(), *self.claims.values()]
        for pair in pairs:
            self._rows[pair.id] = self._encode_pair(pair)

    def _encode_pair(self, pair: Comparison | Claim) -> Array:
        claimed = isinstance(pair, Claim)
        both = (pair.better, pair.worse) if claimed else (pair.winner, pair.loser)  # type: ignore[union-attr]
        return np.stack([self._joined(side, pair.context) for side in both])

    def _observe(self, observation: Observation) -> None:
        self.observations[observation.id] = observation
        self._answers[observation.id] = self._maximised(observation)
        if observation.proposal is not None:
            first = self.observed.get(observation.proposal)
            if first is None or first.id == observation.id:
                self.observed[observation.proposal] = observation

    def _correct(self, observation_id: str) -> None:
        """Set an observation's outcomes to those of its last revision in force, else its own."""
        told, revisions = self._reported[observation_id], self.revisions[observation_id]
        outcomes = revisions[-1].outcomes if revisions else told.outcomes
        self._observe(dataclasses.replace(told, outcomes=outcomes))

    def _withdraw(self, fact_id: str) -> None:
        fact = self.in_force(fact_id)
        match fact:
            case Decision():
                del self.decisions[fact.proposal]
            case Observation():  # and its corrections
                del self.observations[fact.id]
                self.revisions.pop(fact.id, None)
                if fact.proposal is not None:
                    del self.observed[fact.proposal]
                    for left in self.reported(fact.proposal)[:1]:
                        self.observed[fact.proposal] = left
            case Failure():
                del self.failures[fact.id]
                if fact.proposal is not None:
                    del self.failed[fact.proposal]
            case Comparison():
                del self.comparisons[fact.id]
            case Claim():
                del self.claims[fact.id]
            case Comment():
                del self.comments[fact.id]
            case Revision():
                self.revisions[fact.fact].remove(fact)
                self._correct(fact.fact)

    def in_force(self, fact_id: str) -> InForce:
        """A decision, observation, failure, comparison, claim, comment or revision that can be
        withdrawn."""
        for decision in self.decisions.values():
            if decision.id == fact_id:
                made = self.outcome(decision.proposal)
                if made is not None:
                    raise Conflict(
                        f"Decision {fact_id!r} led to {type(made).__name__.lower()} {made.id!r}: "
                        "withdraw that first.",
                        made,
                    )
                return decision
        found: dict[str, InForce] = {**self.observations, **self.failures, **self.comparisons}
        found |= {**self.claims, **self.comments}
        found |= {r.id: r for revisions in self.revisions.values() for r in revisions}
        if fact_id in found:
            return found[fact_id]
        raise NotFound(
            "No decision, observation, failure, comparison, claim, comment or revision "
            f"{fact_id!r} is in force in this study. See its history."
        )

    def observation(self, observation_id: str) -> Observation:
        """An observation in force, with the outcomes in force."""
        if observation_id not in self.observations:
            raise NotFound(
                f"No observation {observation_id!r} is in force in this study. See its history."
            )
        return self.observations[observation_id]

    def find(self, proposal: Proposal | str) -> Proposal:
        """The proposal itself, given it or its id."""
        if not isinstance(proposal, Proposal | str):
            raise InvalidInput(
                "proposal", proposal, "Give a proposal, its id, or a dict of parameter values."
            )
        proposal_id = proposal if isinstance(proposal, str) else proposal.id
        found = self.proposals.get(proposal_id)
        if found is None or (isinstance(proposal, Proposal) and proposal != found):
            raise NotFound(
                f"This study has no proposal {proposal_id!r}. Give a proposal that its ask "
                "returned, or its id."
            )
        return found

    def tried(self, proposal: Proposal) -> Mapping[str, Value]:
        """Where a proposal is tried: as proposed or as overridden."""
        decision = self.decisions.get(proposal.id)
        return (decision.values if decision is not None else None) or proposal.values

    def outcome(self, proposal_id: str) -> Observation | Failure | None:
        """What came of a proposal: the first observation, or that it failed."""
        return self.observed.get(proposal_id) or self.failed.get(proposal_id)

    def status(self, proposal: Proposal) -> str:
        """What became of a proposal: accepted, overridden, rejected, abandoned, failed, compared,
        or just proposed."""
        decision = self.decisions.get(proposal.id)
        if proposal.id in self.failed:
            return "failed"
        if decision is not None and decision.kind == "abandon" and proposal.id in self.observed:
            return "accepted"  # it came in late
        if decision is not None:
            return _STATUS[decision.kind]
        if proposal.id in self.observed:
            return "accepted"  # telling without a decision counts as accepting
        return "compared" if proposal.id in self.compared else "proposed"

    def answers(self, proposal_id: str) -> dict[str, float]:
        """All outcomes in force of a proposal, whether reported at once or in parts; the mean of
        those that were measured several times."""
        return means(self.reported(proposal_id))

    def knows(self, fact: InForce) -> bool:
        """Whether this very fact is in force, rather than another one with its id."""
        first = self._reported.get(fact.id) if isinstance(fact, Observation) else None
        return fact in (self.in_force(fact.id), first)

    @property
    def pending(self) -> list[Proposal]:
        """Proposals that wait for a decision, an observation or, where that is all, an answer."""
        over = set(self.observed) | set(self.failed)
        if self._problem.objective.preferred:
            over |= self.compared
        return [p for p in self.proposals.values() if p.id not in over and not self.dropped(p)]

    @property
    def compared(self) -> set[str]:
        """Proposals that a comparison in force is about."""
        pairs = [(c.winner_proposal, c.loser_proposal) for c in self.comparisons.values()]
        return {each for pair in pairs for each in pair if each is not None}

    def keeps(self, trial: Observation) -> bool:
        """Whether a trial was measured to keep every constraint."""
        answers = self.answers(trial.proposal) if trial.proposal else trial.outcomes
        return all(
            each.name in answers and each.margin(answers[each.name]) >= 0.0
            for each in self.problem.constraints
        )

    def reported(self, proposal_id: str) -> list[Observation]:
        """A proposal's observations in force: one, or several parts."""
        return [o for o in self.observations.values() if o.proposal == proposal_id]

    def rejects(self, proposal: Proposal) -> bool:
        decision = self.decisions.get(proposal.id)
        return decision is not None and decision.kind == "reject"

    def dropped(self, proposal: Proposal) -> bool:
        """Whether it was decided that a proposal is not tried."""
        decision = self.decisions.get(proposal.id)
        return decision is not None and decision.kind in ("reject", "abandon")

    def history(
        self,
        *,
        t: int,
        seed: int,
        context: Array,
        unanswered: str | None = None,
        kept: Kept | None = None,
    ) -> History:
        """The facts as arrays for round t, without the answers about proposal `unanswered`."""
        if unanswered is not None:
            arrays = self._arrays(unanswered)
        else:
            if self._folded is None or self._folded[0] != self.count:
                self._folded = self.count, self._arrays(None)
            arrays = self._folded[1]
        kept = Kept() if kept is None else kept
        return dataclasses.replace(arrays, t=t, seed=seed, context=context, kept=kept)

    def _arrays(self, unanswered: str | None) -> History:
        """The history outside any round."""
        space = self._problem.space
        width = space.dim + space.context_dim
        rejected = [p for p in self.proposals.values() if self.rejects(p)]
        pending = self.pending
        observations = list(self.observations.values())
        points = _stack([self._rows[o.id] for o in observations], width)
        problem = self.problem
        outcomes = _stack([self._answers[o.id] for o in observations], 1 + len(problem.constraints))
        errors: Array = np.full(len(observations), np.nan)
        if any(o.sem for o in observations):
            named = problem.objective.name
            errors = np.array([o.sem.get(named, np.nan) for o in observations])
        foretold = np.full((len(observations), 5), np.nan)
        for place, each in enumerate(observations):
            if each.proposal is not None:
                foretold[place] = self._foretold(each)
        if problem.parts:
            worth, spreads = payoffs(problem, observations)
            outcomes[:, 0], errors = worth, np.array(spreads)
        if unanswered is not None:
            outcomes[[o.proposal == unanswered for o in observations], 1:] = np.nan
        measured = ~np.isnan(outcomes)
        valued = measured[:, 0]
        # Comparisons of outcomes have done their part in the payoffs.
        pairs = list(self.comparisons.values()) if problem.tradeoff != "comparisons" else []
        claims = list(self.claims.values())
        return History(
            x=points[valued],
            y=outcomes[valued, 0],
            pending=_stack([self._expected_row(p) for p in pending], width),
            rejected=_stack([self._rows[p.id][: space.dim] for p in rejected], space.dim),
            radii=np.array([self._radius(p) for p in rejected]),
            failed=_stack([self._rows[f.id] for f in self.failures.values()], width),
            sem=errors[valued],
            foretold=foretold[valued],
            space=space if self.amended else None,
            held=self._held(pending),
            context=np.zeros(space.context_dim),
            t=0,
            seed=0,
            theta=self.theta,
            comparisons=_stack([self._rows[c.id] for c in pairs], 2, width),
            ties=np.array([c.tie for c in pairs], dtype=bool),
            claims=_stack([self._rows[c.id] for c in claims], 2, width),
            claimants=_numbered([c.actor for c in claims]),
            suggested=np.array([c.suggests for c in claims], dtype=bool),
            points=points,
            outcomes=np.where(measured, outcomes, 0.0),
            measured=measured,
            trials=_numbered([o.proposal or o.id for o in observations]),
            people=_numbered([o.actor for o in observations]),
            fresh=bool(self.theta) and self._fitted >= self._changed,
        )

    def _foretold(self, trial: Observation) -> tuple[float, ...]:
        """What was foretold of a trial, maximised, and when; NaN where nothing was.

        Nothing, where a person chose another point, for repeated measurements, and for a payoff
        that is weighed out of several objectives: weights change after the forecast.
        """
        source = self.proposals.get(trial.proposal or "")
        if source is None or source.prediction is None or self._problem.parts:
            return _NOTHING
        if self.observed[source.id].id != trial.id or dict(trial.values) != dict(source.values):
            return _NOTHING
        sign, said = self._problem.objective.sign, source.prediction
        limit = np.nan if said.limit is None else sign * said.limit
        return sign * said.mean, said.sd, limit, source.seen, self._places[trial.id]

    def _held(self, pending: list[Proposal]) -> Array | None:
        """What the trials under way share because it is hard to change, as the last of them has
        it."""
        space = self._problem.space
        if isinstance(space, Arms) or not space.shared or not pending:
            return None
        held = np.full(space.dim, np.nan)
        for name in space.shared:
            columns = space.columns(name)
            held[columns] = self._expected_row(pending[-1])[columns]
        return held

    def _radius(self, proposal: Proposal) -> float:
        radius = self.decisions[proposal.id].radius
        return np.nan if radius is None else radius

    def payoffs(self) -> dict[str, float]:
        """The objective in the user's direction, by observation that has it."""
        observations = list(self.observations.values())
        worth, _ = payoffs(self.problem, observations)
        return {o.id: y for o, y in zip(observations, worth, strict=True) if not np.isnan(y)}

    def payoff(self, proposal_id: str) -> float | None:
        """The objective of a proposal, in the user's direction; None while it is not measured."""
        return self.problem.payoff(self.answers(proposal_id))

    def _maximised(self, observation: Observation) -> Array:
        """The objective, maximised, and each constraint's margin; NaN where not measured."""
        objective, outcomes = self._problem.objective, observation.outcomes
        row = [objective.sign * outcomes.get(objective.name, np.nan)]
        for constraint in self._problem.constraints:
            answer = outcomes.get(constraint.name)
            row.append(np.nan if answer is None else constraint.margin(answer))
        return np.array(row)

    def _expected_row(self, proposal: Proposal) -> Array:
        """Where a pending trial will be made: as proposed or as overridden."""
        decision = self.decisions.get(proposal.id)
        own = decision is not None and decision.values is not None
        return self._rows[decision.id if own and decision else proposal.id]

    def _encode(self, fact: Proposal | Observation | Failure) -> Array:
        return self._joined(fact.values, fact.context)

    def _joined(self, values: object, context: object) -> Array:
        space = self._problem.space
        return np.concatenate([space.encode(values), space.encode_context(context)])  # type: ignore[arg-type]


def _numbered(names: list[str]) -> NDArray[np.int64]:
    """The number of each name, in order of first appearance."""
    numbers = {name: place for place, name in enumerate(dict.fromkeys(names))}
    return np.array([numbers[name] for name in names], dtype=np.int64)


def _stack(rows: list[Array], *shape: int) -> Array:
    """Stack rows; faster than `np.stack` for many short ones."""
    return np.concatenate(rows).reshape(-1, *shape) if rows else np.zeros((0, *shape))
