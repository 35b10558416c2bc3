"""Where a study stands: the fold over its facts.

`Standing.add` is the whole of it: one fact in, and what is decided, observed, pending and rejected
follows. Replaying is folding a prefix.
"""

from collections.abc import Iterable

import numpy as np

from counsel.errors import Conflict, NotFound
from counsel.policies.protocol import Array, History
from counsel.records import Decision, Fact, Observation, Problem, Proposal, Withdrawal


class Standing:
    """The facts so far, indexed. Facts in force only: what was withdrawn is not here."""

    def __init__(self, problem: Problem, facts: Iterable[Fact] = ()) -> None:
        self.problem = problem
        self.count = 0
        self.made = {Proposal: 0, Decision: 0, Observation: 0, Withdrawal: 0}
        self.proposals: dict[str, Proposal] = {}
        self.decisions: dict[str, Decision] = {}  # by proposal
        self.observations: dict[str, Observation] = {}
        self.observed: dict[str, Observation] = {}  # by proposal
        self.theta: tuple[float, ...] = ()
        self._rows: dict[str, Array] = {}  # encoded points, by fact
        for fact in facts:
            self.add(fact)

    def add(self, fact: Fact) -> None:
        self.count += 1
        self.made[type(fact)] += 1
        match fact:
            case Proposal():
                self.proposals[fact.id] = fact
                self.theta = fact.theta or self.theta
                self._rows[fact.id] = self._encode(fact)
            case Decision():
                self.decisions[fact.proposal] = fact
                if fact.values is not None:
                    context = self.proposals[fact.proposal].context
                    self._rows[fact.id] = self._joined(fact.values, context)
            case Observation():
                self.observations[fact.id] = fact
                if fact.proposal is not None:
                    self.observed[fact.proposal] = fact
                self._rows[fact.id] = self._encode(fact)
            case Withdrawal():
                self._withdraw(fact.fact)

    def _withdraw(self, fact_id: str) -> None:
        fact = self.in_force(fact_id)
        if isinstance(fact, Decision):
            del self.decisions[fact.proposal]
        else:
            del self.observations[fact.id]
            if fact.proposal is not None:
                del self.observed[fact.proposal]

    def in_force(self, fact_id: str) -> Decision | Observation:
        """A decision or observation that can be withdrawn."""
        for decision in self.decisions.values():
            if decision.id == fact_id:
                if decision.proposal in self.observed:
                    raise Conflict(
                        f"Decision {fact_id!r} led to observation "
                        f"{self.observed[decision.proposal].id!r}: withdraw that first.",
                        self.observed[decision.proposal],
                    )
                return decision
        if fact_id in self.observations:
            return self.observations[fact_id]
        raise NotFound(
            f"No decision or observation {fact_id!r} is in force in this study. "
            "Look it up in study.facts."
        )

    @property
    def pending(self) -> list[Proposal]:
        """Proposals that wait for a decision or an observation."""
        return [
            p for p in self.proposals.values() if p.id not in self.observed and not self.rejects(p)
        ]

    def rejects(self, proposal: Proposal) -> bool:
        decision = self.decisions.get(proposal.id)
        return decision is not None and decision.kind == "reject"

    def history(self, *, t: int, seed: int, context: Array) -> History:
        """The facts as arrays, for round t."""
        space, objective = self.problem.space, self.problem.objective
        width = space.dim + space.context_dim
        measured = [o for o in self.observations.values() if objective.name in o.outcomes]
        rejected = [p for p in self.proposals.values() if self.rejects(p)]
        return History(
            x=_stack([self._rows[o.id] for o in measured], width),
            y=np.array([objective.sign * o.outcomes[objective.name] for o in measured]),
            pending=_stack([self._expected_row(p) for p in self.pending], width),
            rejected=_stack([self._rows[p.id][: space.dim] for p in rejected], space.dim),
            context=context,
            t=t,
            seed=seed,
            theta=self.theta,
        )

    def _expected_row(self, proposal: Proposal) -> Array:
        """Where a pending trial will be made: as proposed, or as the person overrode it."""
        decision = self.decisions.get(proposal.id)
        own = decision is not None and decision.values is not None
        return self._rows[decision.id if own and decision else proposal.id]

    def _encode(self, fact: Proposal | Observation) -> Array:
        return self._joined(fact.values, fact.context)

    def _joined(self, values: object, context: object) -> Array:
        space = self.problem.space
        return np.concatenate([space.encode(values), space.encode_context(context)])  # type: ignore[arg-type]


def _stack(rows: list[Array], width: int) -> Array:
    return np.stack(rows) if rows else np.zeros((0, width))
