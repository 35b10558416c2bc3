"""The commands of a study: each validates its input and then appends a fact.

A refused command leaves the study as it was.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from counsel.errors import Conflict, InvalidInput, NotFound
from counsel.facts.records import (
    LONGEST_NAME,
    Comparison,
    Decision,
    DecisionKind,
    Frozen,
    Lease,
    Observation,
    PastTrial,
    Problem,
    Proposal,
    Revision,
    Value,
    Withdrawal,
    check_name,
    check_text,
    finite_number,
)
from counsel.facts.state import InForce, StudyState
from counsel.storage.contract import Writer
from counsel.storage.ledger import Ledger, digest
from counsel.study.protocol import Point

__all__ = ["Commands", "check_key", "now"]

_LONGEST_LEASE = 30 * 24 * 3600.0


class Commands:
    """The commands that decide, report, compare, correct and hold, by appending to a ledger."""

    def __init__(self, problem: Problem, ledger: Ledger) -> None:
        self._problem = problem
        self._ledger = ledger

    @property
    def _state(self) -> StudyState:
        return self._ledger.state

    def decide(
        self,
        proposal: Proposal | str,
        kind: DecisionKind,
        values: Mapping[str, Value] | None,
        actor: str,
        reason: str,
        key: str | None,
    ) -> Decision:
        check_text("actor", actor, most=LONGEST_NAME)
        check_text("reason", reason)
        own = self._problem.space.validate(values) if kind == "override" else None  # type: ignore[arg-type]

        def work(writer: Writer) -> Decision:
            found = self._state.find(proposal)
            self._refuse_if_over(found, kind)
            first = self._state.decisions.get(found.id)
            if first is not None:
                raise Conflict(
                    f"Proposal {found.id!r} was already decided: {first.kind} by {first.actor}. "
                    "Withdraw that decision to decide again.",
                    first,
                )
            _refuse_if_held(writer, found, actor)
            if kind == "reject":
                writer.release(found.id)
            made = self._state.made[Decision]
            return Decision(f"d{made + 1}", found.id, kind, own, actor, reason, now())

        asked = digest(kind, _named(proposal), own, actor, reason)
        return self._ledger.write(work, check_key(key), asked)

    def tell(
        self,
        proposal: Point,
        value: float | None,
        constraints: Mapping[str, float] | None,
        context: Mapping[str, Value] | None,
        actor: str,
        key: str | None,
    ) -> Observation:
        outcomes = self._outcomes(value, constraints)
        check_text("actor", actor, most=LONGEST_NAME)

        def work(writer: Writer) -> Observation:
            if isinstance(proposal, Mapping):
                values = self._problem.space.validate(proposal)
                given = self._problem.space.validate_context(context)
                source = None
            else:
                found = self._state.find(proposal)
                if context is not None and context != found.context:
                    raise InvalidInput(
                        "context", context, "A proposal's context was set when it was asked for."
                    )
                self._refuse_if_over(found, "tell", outcomes, actor)
                if _refuse_if_held(writer, found, actor) is not None:
                    writer.release(found.id)
                values, given = dict(self._state.tried(found)), dict(found.context)
                source = found.id
            made = self._state.made[Observation]
            return Observation(f"o{made + 1}", source, values, given, outcomes, actor, now())

        asked = digest("tell", _named(proposal), outcomes, context, actor)
        return self._ledger.write(work, check_key(key), asked)

    def tell_many(self, trials: Iterable[PastTrial], key: str | None) -> list[Observation]:
        space, objective = self._problem.space, self._problem.objective.name
        checked = []
        for i, trial in enumerate(trials):
            check_text("actor", trial.actor, most=LONGEST_NAME)
            others = {name: each for name, each in trial.outcomes.items() if name != objective}
            try:
                outcomes = self._outcomes(trial.outcomes.get(objective), others)
                context = space.validate_context(trial.context or None)
                checked.append((trial, space.validate(trial.values), context, outcomes))
            except InvalidInput as error:
                raise InvalidInput(f"trial {i}, {error.field}", error.value, error.remedy) from None

        def work(writer: Writer) -> list[Observation]:
            made = self._state.made[Observation]
            return [
                Observation(
                    f"o{made + i}", None, values, given, found, trial.actor, trial.time or now()
                )
                for i, (trial, values, given, found) in enumerate(checked, 1)
            ]

        key = check_key(key)
        keys = [None if key is None else f"{key} #{i + 1}" for i in range(len(checked))]
        asked = digest("tell_many", [[*each[1:], each[0].actor] for each in checked])
        return self._ledger.write_all(work, keys, asked)

    def compare(
        self,
        winner: Point,
        loser: Point,
        tie: bool,
        context: Mapping[str, Value] | None,
        actor: str,
        key: str | None,
    ) -> Comparison:
        check_text("actor", actor, most=LONGEST_NAME)
        if not isinstance(tie, bool):
            raise InvalidInput("tie", tie, "Give True or False.")

        def work(writer: Writer) -> Comparison:
            first, second = self._trial("winner", winner), self._trial("loser", loser)
            contexts = [p.context for _, p in (first, second) if p is not None]
            if context is not None or not contexts:
                contexts.insert(0, Frozen(self._problem.space.validate_context(context)))
            if contexts[-1] != contexts[0]:
                raise InvalidInput(
                    "context", contexts[-1], f"Compare two trials in one context: {contexts[0]}."
                )
            if first[0] == second[0]:
                raise InvalidInput("loser", first[0], "Compare two different points.")
            names = [None if p is None else p.id for _, p in (first, second)]
            return Comparison(
                id=f"c{self._state.made[Comparison] + 1}",
                winner=first[0],
                loser=second[0],
                tie=tie,
                context=contexts[0],
                winner_proposal=names[0],
                loser_proposal=names[1],
                actor=actor,
                time=now(),
            )

        asked = digest("compare", _named(winner), _named(loser), tie, context, actor)
        return self._ledger.write(work, check_key(key), asked)

    def revise(
        self,
        observation: Observation | str,
        value: float | None,
        constraints: Mapping[str, float] | None,
        actor: str,
        reason: str,
        key: str | None,
    ) -> Revision:
        check_text("actor", actor, most=LONGEST_NAME)
        check_text("reason", reason)
        if not isinstance(observation, Observation | str):
            raise InvalidInput("observation", observation, "Give an observation, or its id.")
        given = self._outcomes(value, constraints)
        name = observation if isinstance(observation, str) else observation.id

        def work(writer: Writer) -> Revision:
            found = self._state.observation(name)
            self._refuse_foreign(observation)
            made = self._state.made[Revision]
            outcomes = {**found.outcomes, **given}
            return Revision(f"r{made + 1}", name, outcomes, actor, reason, now())

        asked = digest("revise", name, given, actor, reason)
        return self._ledger.write(work, check_key(key), asked)

    def withdraw(self, fact: InForce | str, actor: str, reason: str, key: str | None) -> Withdrawal:
        check_text("actor", actor, most=LONGEST_NAME)
        check_text("reason", reason)
        if not isinstance(fact, InForce | str):
            raise InvalidInput(
                "fact", fact, "Give a decision, observation, comparison or revision, or its id."
            )
        fact_id = fact if isinstance(fact, str) else fact.id

        def work(writer: Writer) -> Withdrawal:
            self._state.in_force(fact_id)
            self._refuse_foreign(fact)
            made = self._state.made[Withdrawal]
            return Withdrawal(f"w{made + 1}", fact_id, actor, reason, now())

        asked = digest("withdraw", fact_id, actor, reason)
        return self._ledger.write(work, check_key(key), asked)

    def hold(self, proposal: Proposal | str, actor: str, seconds: float) -> Lease:
        check_name("actor", actor)
        if not 0 < finite_number("seconds", seconds) <= _LONGEST_LEASE:
            raise InvalidInput("seconds", seconds, f"Give a number up to {_LONGEST_LEASE}.")

        def work(writer: Writer) -> Lease:
            found = self._state.find(proposal)
            self._refuse_if_over(found, "hold")
            _refuse_if_held(writer, found, actor)
            return writer.hold(found.id, actor, float(seconds))

        return self._ledger.change(work)

    def release(self, proposal: Proposal | str, actor: str) -> None:
        check_name("actor", actor)

        def work(writer: Writer) -> None:
            found = self._state.find(proposal)
            _refuse_if_held(writer, found, actor)
            writer.release(found.id)

        self._ledger.change(work)

    # ---- checks --------------------------------------------------------------------------------

    def _trial(self, role: str, point: Point) -> tuple[Mapping[str, Value], Proposal | None]:
        """The point of a trial, and its proposal if it has one."""
        if isinstance(point, Mapping):
            return Frozen(self._problem.space.validate(point)), None
        if not isinstance(point, Proposal | str):
            raise InvalidInput(role, point, "Give a proposal, its id, or a dict of values.")
        found = self._state.find(point)
        return self._state.tried(found), found

    def _outcomes(
        self, value: float | None, constraints: Mapping[str, float] | None
    ) -> dict[str, float]:
        """What was measured, by name."""
        objective = self._problem.objective
        known = [constraint.name for constraint in self._problem.constraints]
        given = {} if constraints is None else constraints
        if not isinstance(given, Mapping) or not set(given) <= set(known):
            names = ", ".join(known) or "none; leave it out"
            raise InvalidInput("constraints", given, f"This study's constraints: {names}.")
        if objective.preferred and not given:
            raise InvalidInput(
                objective.name,
                value,
                "This objective is not measured: use compare(winner=..., loser=...) instead.",
            )
        outcomes = {} if value is None else {objective.name: finite_number(objective.name, value)}
        outcomes |= {
            each.name: each.check(given[each.name])
            for each in self._problem.constraints
            if each.name in given
        }
        if not outcomes:
            remedy = "Give one number, or answers about constraints."
            raise InvalidInput(objective.name, value, remedy if known else "Give one number.")
        return outcomes

    def _twice(self, part: Observation, outcomes: Iterable[str], actor: str | None) -> bool:
        """Whether a part already has one of the outcomes.

        A trial is measured once, but several people may answer the same question about it.
        """
        both = set(outcomes) & set(part.outcomes)
        return bool(both) and (part.actor == actor or self._problem.objective.name in both)

    def _refuse_foreign(self, fact: InForce | str) -> None:
        if not isinstance(fact, str) and not self._state.knows(fact):
            raise NotFound(f"Fact {fact.id!r} belongs to another study. Give a fact of this study.")

    def _refuse_if_over(
        self,
        proposal: Proposal,
        verb: str,
        outcomes: Iterable[str] | None = None,
        actor: str | None = None,
    ) -> None:
        observed = self._state.observed.get(proposal.id)
        if outcomes is not None:  # a part that was not reported yet is accepted
            parts = self._state.reported(proposal.id)
            again = [each for each in parts if self._twice(each, outcomes, actor)]
            observed = again[0] if again else None
        if observed is not None:
            raise Conflict(
                f"Cannot {verb} proposal {proposal.id!r}: it was already told (observation "
                f"{observed.id!r}). Revise or withdraw that observation to correct it.",
                observed,
            )
        decision = self._state.decisions.get(proposal.id)
        if verb == "tell" and decision is not None and decision.kind == "reject":
            raise Conflict(
                f"Cannot tell proposal {proposal.id!r}: {decision.actor} rejected it. Withdraw "
                "the rejection, or tell the point itself as a dict of values.",
                decision,
            )


def _refuse_if_held(writer: Writer, proposal: Proposal, actor: str) -> Lease | None:
    """The actor's own lease, if any; raises Conflict if somebody else holds one."""
    lease = writer.lease(proposal.id)
    if lease is not None and lease.actor != actor:
        raise Conflict(
            f"{lease.actor} holds proposal {proposal.id!r} until {lease.until:%H:%M:%S} UTC. "
            "Wait until then, or ask them to release it.",
            lease,
        )
    return lease


def now() -> datetime:
    return datetime.now(UTC)


def check_key(key: str | None) -> str | None:
    if key is not None:
        check_name("idempotency key", key)
    return key


def _named(point: object) -> object:
    """The id of a proposal, given it or its id, for comparing requests."""
    return point.id if isinstance(point, Proposal) else point
