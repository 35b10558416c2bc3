"""The commands of a study: each validates its input and then appends a fact.

A refused command leaves the study as it was.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from counsel.errors import Conflict, InvalidInput, NotFound
from counsel.facts.checks import LONGEST_NAME, check_name, check_text, finite_number
from counsel.facts.form import Frozen
from counsel.facts.payoffs import comparable
from counsel.facts.problem import Problem
from counsel.facts.records import (
    Amendment,
    Claim,
    Comparison,
    Decision,
    DecisionKind,
    Fact,
    Failure,
    Lease,
    Observation,
    PastTrial,
    Proposal,
    Revision,
    Scope,
    Value,
    Withdrawal,
)
from counsel.facts.state import InForce, StudyState
from counsel.space import AnySpace, Arms, Parameter, Space, amended
from counsel.storage.contract import Writer
from counsel.storage.ledger import Ledger
from counsel.study.protocol import Point, Trials
from counsel.study.tables import past_trials

__all__ = ["Commands", "check_key", "now"]

_LONGEST_LEASE = 30 * 24 * 3600.0
# How far a rejection reaches, as a share of every range, where nothing else is said.
REGION = 0.05
POINT = 0.001


class Commands:
    """The commands that decide, report, compare, correct and hold, by appending to a ledger."""

    def __init__(self, problem: Problem, ledger: Ledger) -> None:
        self._problem = problem
        self._ledger = ledger

    @property
    def _state(self) -> StudyState:
        return self._ledger.state

    @property
    def _space(self) -> AnySpace:
        """The space of today: facts may have amended it."""
        return self._ledger.state.problem.space

    def decide(
        self,
        proposal: Proposal | str,
        kind: DecisionKind,
        values: Mapping[str, Value] | None,
        actor: str,
        reason: str,
        key: str | None,
        *,
        replace: bool = False,
        radius: float | None = None,
    ) -> Decision:
        check_text("actor", actor, most=LONGEST_NAME)
        check_text("reason", reason)
        if not isinstance(replace, bool):
            raise InvalidInput("replace", replace, "Give True or False.")
        own = self._space.validate(values) if kind == "override" else None  # type: ignore[arg-type]

        def work(writer: Writer) -> Decision:
            found = self._state.find(proposal)
            self._refuse_if_over(found, kind)
            first = self._state.decisions.get(found.id)
            if first is not None and first.kind != "abandon" and not replace:
                raise Conflict(
                    f"Proposal {found.id!r} was already decided: {first.kind} by {first.actor}. "
                    "Decide with replace=True to change that, or withdraw it to decide anew.",
                    first,
                )
            _refuse_if_held(writer, found, actor)
            if kind in ("reject", "abandon"):
                writer.release(found.id)
            made = self._state.made[Decision]
            return Decision(f"d{made + 1}", found.id, kind, own, actor, reason, now(), radius)

        said = [each for each in (replace, radius) if each]  # keys of earlier versions stay valid
        asked = (kind, _named(proposal), own, actor, reason, *said)
        return self._ledger.write(work, check_key(key), asked)

    def reject(
        self,
        proposal: Proposal | str,
        scope: Scope | None,
        radius: float | None,
        actor: str,
        reason: str,
        key: str | None,
        *,
        replace: bool,
    ) -> Decision:
        if scope not in (None, "point", "region"):
            raise InvalidInput("scope", scope, "Use 'point' or 'region'.")
        if radius is not None:
            if scope == "point":
                raise InvalidInput("radius", radius, "A point has none: use scope='region'.")
            if not 0.0 < finite_number("radius", radius) <= 1.0:
                raise InvalidInput(
                    "radius", radius, "Give a share of every range, above 0 and at most 1."
                )
            reach = float(radius)
        elif self._space.finite:
            reach = REGION if scope == "region" else 0.0
        else:
            reach = POINT if scope == "point" else REGION
        return self.decide(
            proposal, "reject", None, actor, reason, key, replace=replace, radius=reach
        )

    def fail(
        self,
        proposal: Point,
        context: Mapping[str, Value] | None,
        actor: str,
        reason: str,
        key: str | None,
    ) -> Failure:
        check_text("actor", actor, most=LONGEST_NAME)
        check_text("reason", reason)

        def work(writer: Writer) -> Failure:
            values, given, source = self._tried(writer, proposal, context, "fail", None, actor)
            made = self._state.made[Failure]
            return Failure(f"f{made + 1}", source, values, given, actor, reason, now())

        asked = ("fail", _named(proposal), context, actor, reason)
        return self._ledger.write(work, check_key(key), asked)

    def free_lapsed(self) -> None:
        """Abandon the proposals whose holders let their lease lapse: nobody waits for them."""
        with self._ledger.locked() as state:  # other threads may be adding facts
            waiting = {p.id for p in state.pending}
        if not waiting:
            return
        for lease in self._ledger.storage.lapsed(self._ledger.study):
            if lease.proposal not in waiting:
                continue

            def work(writer: Writer, lease: Lease = lease) -> Decision:
                held = writer.lease(lease.proposal)
                if held is not None or lease.proposal not in {p.id for p in self._state.pending}:
                    raise _Taken
                writer.release(lease.proposal)
                made = self._state.made[Decision]
                reason = f"The lease of {lease.actor} lapsed."
                return Decision(
                    f"d{made + 1}", lease.proposal, "abandon", None, lease.actor, reason, now()
                )

            try:
                self._ledger.write(work, None, ("lapsed", lease.proposal))
            except _Taken:  # somebody took it in the meantime
                continue

    def tell(
        self,
        proposal: Point,
        value: float | Mapping[str, float] | None,
        constraints: Mapping[str, float] | None,
        context: Mapping[str, Value] | None,
        actor: str,
        key: str | None,
        *,
        sem: float | Mapping[str, float] | None = None,
        repeat: bool = False,
    ) -> Observation:
        outcomes = self._outcomes(value, constraints)
        check_text("actor", actor, most=LONGEST_NAME)
        if not isinstance(repeat, bool):
            raise InvalidInput("repeat", repeat, "Give True or False.")
        errors = _errors(sem, outcomes, self._problem.measured)
        again = () if repeat else outcomes

        def work(writer: Writer) -> Observation:
            values, given, source = self._tried(writer, proposal, context, "tell", again, actor)
            made = self._state.made[Observation]
            return Observation(
                f"o{made + 1}", source, values, given, outcomes, actor, now(), errors
            )

        said = [each for each in (errors, repeat) if each]  # keys of earlier versions stay valid
        asked = ("tell", _named(proposal), outcomes, context, actor, *said)
        return self._ledger.write(work, check_key(key), asked)

    def _tried(
        self,
        writer: Writer,
        proposal: Point,
        context: Mapping[str, Value] | None,
        verb: str,
        outcomes: Iterable[str] | None,
        actor: str,
    ) -> tuple[dict[str, Value], dict[str, Value], str | None]:
        """Where a trial was made: values, context, and the proposal it was made for, if any."""
        if isinstance(proposal, Mapping):
            return self._space.validate(proposal), self._space.validate_context(context), None
        found = self._state.find(proposal)
        if context is not None and context != found.context:
            raise InvalidInput(
                "context", context, "A proposal's context was set when it was asked for."
            )
        self._refuse_if_over(found, verb, outcomes, actor)
        if _refuse_if_held(writer, found, actor) is not None:
            writer.release(found.id)
        return dict(self._state.tried(found)), dict(found.context), found.id

    def tell_many(self, trials: Trials, key: str | None) -> list[Observation]:
        space, measured = self._space, self._problem.measured
        checked = []
        for i, trial in enumerate(past_trials(self._state.problem, trials)):
            check_text("actor", trial.actor, most=LONGEST_NAME)
            objective = {n: each for n, each in trial.outcomes.items() if n in measured}
            others = {n: each for n, each in trial.outcomes.items() if n not in measured}
            try:
                outcomes = self._outcomes(objective or None, others)
                context = space.validate_context(trial.context or None)
                errors = _errors(trial.sem or None, outcomes, measured)
                check_text("label", trial.label, most=LONGEST_NAME)
                checked.append((trial, space.validate(trial.values), context, outcomes, errors))
            except InvalidInput as error:
                raise InvalidInput(f"trial {i}, {error.field}", error.value, error.remedy) from None

        def work(writer: Writer) -> list[Observation]:
            made = self._state.made[Observation]
            return [
                Observation(
                    f"o{made + i}",
                    None,
                    values,
                    given,
                    found,
                    trial.actor,
                    trial.time or now(),
                    errors,
                    trial.label,
                )
                for i, (trial, values, given, found, errors) in enumerate(checked, 1)
            ]

        key = check_key(key)
        keys = [None if key is None else f"{key} #{i + 1}" for i in range(len(checked))]
        asked = ("tell_many", [_asked(*each) for each in checked])
        return self._ledger.write_all(work, keys, asked)

    def claim(
        self,
        better: Point,
        worse: Point,
        context: Mapping[str, Value] | None,
        actor: str,
        key: str | None,
    ) -> Claim:
        check_text("actor", actor, most=LONGEST_NAME)

        def work(writer: Writer) -> Claim:
            first, second, given = self._two("better", better, "worse", worse, context)
            both = (first, second)
            if all(p is not None and p.id in self._state.observed for _, p in both):
                raise Conflict(
                    "Both trials have been measured: a claim is made before the results are known.",
                    self._state.observed[second[1].id],  # type: ignore[union-attr]
                )
            return self._claimed(first, second, given, actor)

        asked = ("claim", _named(better), _named(worse), context, actor)
        return self._ledger.write(work, check_key(key), asked)

    def decide_as_a_team(
        self,
        proposal: Proposal | str,
        mine: Mapping[str, Value],
        kind: DecisionKind,
        actor: str,
        reason: str,
        key: str | None,
    ) -> Decision:
        """What a person would try, and what is tried: both facts, or none."""
        check_text("actor", actor, most=LONGEST_NAME)
        own = self._space.validate(mine)

        def work(writer: Writer) -> list[Fact]:
            found = self._state.find(proposal)
            self._refuse_if_over(found, kind)
            _refuse_if_held(writer, found, actor)
            facts: list[Fact] = []
            if own != dict(found.values):
                both = (own, None), (found.values, found)
                facts.append(self._claimed(*both, found.context, actor))
            first = self._state.decisions.get(found.id)
            if first is not None and first.kind != "abandon":
                raise Conflict(
                    f"Proposal {found.id!r} was already decided: {first.kind} by {first.actor}.",
                    first,
                )
            made, values = self._state.made[Decision], own if kind == "override" else None
            facts.append(Decision(f"d{made + 1}", found.id, kind, values, actor, reason, now()))
            return facts

        key = check_key(key)
        with self._ledger.current() as state:
            many = 1 if own == dict(state.find(proposal).values) else 2
        keys = [None if key is None else f"{key} #{i}" for i in range(many)]
        asked = ("team", _named(proposal), own, actor)
        return self._ledger.write_all(work, keys, asked)[-1]  # type: ignore[return-value]

    def _claimed(
        self,
        first: tuple[Mapping[str, Value], Proposal | None],
        second: tuple[Mapping[str, Value], Proposal | None],
        context: Mapping[str, Value],
        actor: str,
    ) -> Claim:
        (better, source), (worse, other) = first, second
        return Claim(
            id=f"e{self._state.made[Claim] + 1}",
            better=better,
            worse=worse,
            context=context,
            better_proposal=None if source is None else source.id,
            worse_proposal=None if other is None else other.id,
            actor=actor,
            time=now(),
        )

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
            first, second, given = self._two("winner", winner, "loser", loser, context)
            if self._problem.tradeoff == "comparisons":
                for role, (values, _) in (("winner", first), ("loser", second)):
                    self._refuse_unmeasured(role, values, given)
            names = [None if p is None else p.id for _, p in (first, second)]
            return Comparison(
                id=f"c{self._state.made[Comparison] + 1}",
                winner=first[0],
                loser=second[0],
                tie=tie,
                context=given,
                winner_proposal=names[0],
                loser_proposal=names[1],
                actor=actor,
                time=now(),
            )

        asked = ("compare", _named(winner), _named(loser), tie, context, actor)
        return self._ledger.write(work, check_key(key), asked)

    def revise(
        self,
        observation: Observation | str,
        value: float | Mapping[str, float] | None,
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

        asked = ("revise", name, given, actor, reason)
        return self._ledger.write(work, check_key(key), asked)

    def withdraw(self, fact: InForce | str, actor: str, reason: str, key: str | None) -> Withdrawal:
        check_text("actor", actor, most=LONGEST_NAME)
        check_text("reason", reason)
        if not isinstance(fact, InForce | str):
            raise InvalidInput(
                "fact",
                fact,
                "Give a decision, observation, failure, comparison, claim or revision, or its id.",
            )
        fact_id = fact if isinstance(fact, str) else fact.id

        def work(writer: Writer) -> Withdrawal:
            self._state.in_force(fact_id)
            self._refuse_foreign(fact)
            made = self._state.made[Withdrawal]
            return Withdrawal(f"w{made + 1}", fact_id, actor, reason, now())

        asked = ("withdraw", fact_id, actor, reason)
        return self._ledger.write(work, check_key(key), asked)

    def amend(
        self,
        changes: AnySpace | Mapping[str, Parameter],
        actor: str,
        reason: str,
        key: str | None,
    ) -> Amendment:
        check_text("actor", actor, most=LONGEST_NAME)
        check_text("reason", reason)
        if not isinstance(changes, Space | Arms | Mapping):
            raise InvalidInput(
                "changes", changes, "Give a space, or a dict like {'x': counsel.Float(0, 2)}."
            )

        def work(writer: Writer) -> Amendment:
            space = amended(self._space, changes)
            self._refuse_uncovered(space)
            made = self._state.made[Amendment]
            return Amendment(f"a{made + 1}", space, actor, reason, now())

        named = changes.to_dict() if isinstance(changes, Space | Arms) else str(changes)
        return self._ledger.write(work, check_key(key), ("amend", named, actor, reason))

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

    def _two(
        self,
        role: str,
        point: Point,
        other_role: str,
        other: Point,
        context: Mapping[str, Value] | None,
    ) -> tuple[
        tuple[Mapping[str, Value], Proposal | None],
        tuple[Mapping[str, Value], Proposal | None],
        Mapping[str, Value],
    ]:
        """Two different trials, and the context that they share."""
        first, second = self._trial(role, point), self._trial(other_role, other)
        contexts = [p.context for _, p in (first, second) if p is not None]
        if context is not None or not contexts:
            contexts.insert(0, Frozen(self._space.validate_context(context)))
        if contexts[-1] != contexts[0]:
            raise InvalidInput(
                "context", contexts[-1], f"Compare two trials in one context: {contexts[0]}."
            )
        if first[0] == second[0]:
            raise InvalidInput(other_role, first[0], "Compare two different points.")
        return first, second, contexts[0]

    def _trial(self, role: str, point: Point) -> tuple[Mapping[str, Value], Proposal | None]:
        """The point of a trial, and its proposal if it has one."""
        if isinstance(point, Mapping):
            return Frozen(self._space.validate(point)), None
        if not isinstance(point, Proposal | str):
            raise InvalidInput(role, point, "Give a proposal, its id, or a dict of values.")
        found = self._state.find(point)
        return self._state.tried(found), found

    def _outcomes(
        self,
        value: float | Mapping[str, float] | None,
        constraints: Mapping[str, float] | None,
    ) -> dict[str, float]:
        """What was measured, by name, in the problem's order."""
        problem = self._problem
        objective, limits = problem.objective, {each.name: each for each in problem.constraints}
        given = {} if constraints is None else constraints
        if not isinstance(given, Mapping) or not set(given) <= set(limits):
            names = ", ".join(limits) or "none; leave it out"
            raise InvalidInput("constraints", given, f"This study's constraints: {names}.")
        by_name = isinstance(value, Mapping)
        if objective.preferred and not by_name and (value is not None or not given):
            raise InvalidInput(
                objective.name,
                value,
                "This objective is not measured: use compare(winner=..., loser=...) instead.",
            )
        if isinstance(value, Mapping):
            for name in value:
                if name not in problem.outcomes or name in given:
                    known = ", ".join(problem.outcomes)
                    raise InvalidInput("value", name, f"Give each of these once: {known}.")
            given = {**value, **given}
        elif value is not None:
            if problem.parts:
                form = ", ".join(f"{name!r}: ..." for name in problem.measured)
                raise InvalidInput(objective.name, value, f"Give each by its name: {{{form}}}.")
            given = {objective.name: value, **given}
        outcomes = {
            name: limits[name].check(given[name])
            if name in limits
            else finite_number(name, given[name])
            for name in problem.outcomes
            if name in given
        }
        if not outcomes:
            remedy = "Give one number, or answers about constraints."
            raise InvalidInput(objective.name, value, remedy if limits else "Give one number.")
        return outcomes

    def _refuse_unmeasured(
        self, role: str, values: Mapping[str, Value], context: Mapping[str, Value]
    ) -> None:
        observations = self._state.observations.values()
        if not comparable(self._problem, observations, values, context):
            names = ", ".join(self._problem.measured)
            raise InvalidInput(
                role, dict(values), f"Its outcomes are compared: tell {names} of it first."
            )

    def _refuse_uncovered(self, space: AnySpace) -> None:
        """Refuse a space in which something that happened would have no place."""
        state = self._state
        tried = [(p.id, p.values) for p in state.proposals.values()]
        tried += [(d.id, d.values) for d in state.decisions.values() if d.values is not None]
        tried += [(o.id, o.values) for o in state.observations.values()]
        tried += [(f.id, f.values) for f in state.failures.values()]
        for pair in state.comparisons.values():
            tried += [(pair.id, pair.winner), (pair.id, pair.loser)]
        for fact, values in tried:
            try:
                space.validate(values)
            except InvalidInput as error:
                raise InvalidInput(
                    error.field, error.value, f"{fact} was there: leave room for it."
                ) from None

    def _twice(self, part: Observation, outcomes: Iterable[str], actor: str | None) -> bool:
        """Whether a part already has one of the outcomes.

        A trial is measured once, but several people may answer the same question about it.
        """
        both = set(outcomes) & set(part.outcomes)
        return bool(both) and (part.actor == actor or not both.isdisjoint(self._problem.measured))

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
        failure = self._state.failed.get(proposal.id)
        if failure is not None:
            raise Conflict(
                f"Cannot {verb} proposal {proposal.id!r}: it failed (failure {failure.id!r}, "
                f"reported by {failure.actor}). Withdraw that failure to correct it.",
                failure,
            )
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
        if verb in ("tell", "fail") and decision is not None and decision.kind == "reject":
            raise Conflict(
                f"Cannot {verb} proposal {proposal.id!r}: {decision.actor} rejected it. Withdraw "
                f"the rejection, or {verb} the point itself as a dict of values.",
                decision,
            )


class _Taken(Exception):
    """A lapsed lease was taken over before its proposal could be abandoned."""


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


def _errors(
    sem: float | Mapping[str, float] | None,
    outcomes: Mapping[str, float],
    measured: tuple[str, ...],
) -> dict[str, float]:
    """The standard errors by outcome; a number is that of the one thing that is measured."""
    if sem is None:
        return {}
    if not isinstance(sem, Mapping) and len(measured) != 1:
        raise InvalidInput("sem", sem, f"Give it by name: {', '.join(outcomes)}.")
    given = sem if isinstance(sem, Mapping) else {measured[0]: sem}
    for name, each in given.items():
        if name not in outcomes:
            raise InvalidInput(
                "sem", name, f"Give it for what is told here: {', '.join(outcomes)}."
            )
        if finite_number(f"sem of {name}", each) <= 0.0:
            raise InvalidInput(f"sem of {name}", each, "Give a number above 0, or leave it out.")
    return {name: float(each) for name, each in given.items()}


def now() -> datetime:
    return datetime.now(UTC)


def _asked(
    trial: PastTrial, values: object, context: object, outcomes: object, errors: object
) -> list[object]:
    """What counts of a past trial; keys of earlier versions stay valid."""
    said = [each for each in (errors, trial.label) if each]
    return [values, context, outcomes, trial.actor, *said]


def check_key(key: str | None) -> str | None:
    if key is not None:
        check_name("idempotency key", key)
    return key


def _named(point: object) -> object:
    """The id of a proposal, given it or its id, for comparing requests."""
    return point.id if isinstance(point, Proposal) else point
