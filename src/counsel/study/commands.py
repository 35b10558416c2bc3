"""The commands of a study: each validates its input and then appends a fact.

A refused command leaves the study as it was.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

from counsel.errors import Conflict, InvalidInput, NotFound
from counsel.facts.checks import LONGEST_NAME, check_actor, check_name, check_text, finite_number
from counsel.facts.problem import Problem
from counsel.facts.records import (
    Amendment,
    Archival,
    Comment,
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
from counsel.storage.ledger import Ledger, provided
from counsel.study.contract.points import Point, Trials
from counsel.study.measured import errors_of, outcomes_of
from counsel.study.refusing import (
    refuse_foreign,
    refuse_if_held,
    refuse_if_over,
    refuse_uncovered,
)
from counsel.study.tables import past_trials

__all__ = ["Commands", "Writing", "check_key", "named", "now"]

_LONGEST_COMMENT = 2000  # characters
_LONGEST_LEASE = 30 * 24 * 3600.0
# A past trial, and its values, context, outcomes and standard errors as they were checked.
_Checked = tuple[PastTrial, dict[str, Value], dict[str, Value], dict[str, float], dict[str, float]]
# How far a rejection reaches, as a share of every range, where nothing else is said.
REGION = 0.05
POINT = 0.001


class Writing:
    """What every command needs: the problem, the ledger, and what follows from its facts."""

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


class Commands(Writing):
    """The commands that decide, report, correct and hold, by appending to a ledger."""

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
        check_actor(actor)
        check_text("reason", reason)
        if not isinstance(replace, bool):
            raise InvalidInput("replace", replace, "Give True or False.")
        own = self._space.validate(values) if kind == "override" else None  # type: ignore[arg-type]

        def work(writer: Writer) -> Decision:
            found = self._state.find(proposal)
            refuse_if_over(self._state, found, kind)
            first = self._state.decisions.get(found.id)
            if first is not None and (first.kind, kind) == ("reject", "abandon"):
                raise Conflict(
                    f"Proposal {found.id!r} is not pending: {first.actor} rejected it. Withdraw "
                    f"the rejection ({first.id}) if it may be tried after all.",
                    first,
                )
            if first is not None and first.kind != "abandon" and not replace:
                raise Conflict(
                    f"Proposal {found.id!r} was already decided: {first.kind} by {first.actor}. "
                    f"Withdraw that ({first.id}) to decide anew, or decide with `replace`.",
                    first,
                )
            refuse_if_held(writer, found, actor)
            if kind in ("reject", "abandon"):
                writer.release(found.id)
            made = self._state.made[Decision]
            return Decision(f"d{made + 1}", found.id, kind, own, actor, reason, now(), radius)

        said = [each for each in (replace, radius) if each]  # keys of earlier versions stay valid
        asked = (kind, named(proposal), own, actor, reason, *said)
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
        check_actor(actor)
        check_text("reason", reason)

        def work(writer: Writer) -> Failure:
            values, given, source = self._tried(writer, proposal, context, "fail", None, actor)
            made = self._state.made[Failure]
            return Failure(f"f{made + 1}", source, values, given, actor, reason, now())

        asked = ("fail", named(proposal), context, actor, reason)
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
                with provided(None):  # it lapsed, whoever notices
                    self._ledger.write(work, None, ("lapsed", lease.proposal))
            except _Taken:  # somebody took it in the meantime
                continue

    def tell(
        self,
        proposal: Point,
        value: float | Mapping[str, float | str] | None,
        constraints: Mapping[str, float | str] | None,
        context: Mapping[str, Value] | None,
        actor: str,
        key: str | None,
        *,
        sem: float | Mapping[str, float] | None = None,
        repeat: bool = False,
    ) -> Observation:
        outcomes = outcomes_of(self._problem, value, constraints)
        check_actor(actor)
        if not isinstance(repeat, bool):
            raise InvalidInput("repeat", repeat, "Give True or False.")
        errors = errors_of(sem, outcomes, self._problem.measured)
        again = () if repeat else outcomes

        def work(writer: Writer) -> Observation:
            values, given, source = self._tried(writer, proposal, context, "tell", again, actor)
            made = self._state.made[Observation]
            return Observation(
                f"o{made + 1}", source, values, given, outcomes, actor, now(), errors
            )

        said = [each for each in (errors, repeat) if each]  # keys of earlier versions stay valid
        asked = ("tell", named(proposal), outcomes, context, actor, *said)
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
        refuse_if_over(self._state, found, verb, outcomes, actor)
        if refuse_if_held(writer, found, actor) is not None:
            writer.release(found.id)
        return dict(self._state.tried(found)), dict(found.context), found.id

    def tell_many(self, trials: Trials, key: str | None) -> list[Observation]:
        checked = self._checked(trials)
        key = check_key(key)
        keys = [None if key is None else f"{key} #{i + 1}" for i in range(len(checked))]
        asked = ("tell_many", [_asked(*each) for each in checked])
        return self._ledger.write_all(lambda _: self._past(checked), keys, asked)

    def tell_and_correct(
        self,
        trials: Trials,
        anew: Sequence[Observation],
        changed: Sequence[tuple[Observation, PastTrial]],
        reason: str,
        key: str,
    ) -> tuple[list[Observation], list[Revision]]:
        """New trials, and corrections of known ones: all of them, or none.

        The last of `trials` are told `anew`, and what was told before is withdrawn; of those
        `changed`, other outcomes are in force from now on.
        """
        checked = self._checked(trials)
        outcomes = []
        for _, trial in changed:
            check_actor(trial.actor)
            outcomes.append(outcomes_of(self._problem, trial.outcomes, None))

        def work(writer: Writer) -> list[Fact]:
            facts: list[Fact] = [*self._past(checked)]
            gone, corrected = self._state.made[Withdrawal], self._state.made[Revision]
            by = [trial.actor for trial, *_ in checked[len(checked) - len(anew) :]]
            for i, (known, actor) in enumerate(zip(anew, by, strict=True), 1):
                self._state.in_force(known.id)
                facts.append(Withdrawal(f"w{gone + i}", known.id, actor, reason, now()))
            for i, ((known, trial), new) in enumerate(zip(changed, outcomes, strict=True), 1):
                all_ = {**self._state.observation(known.id).outcomes, **new}
                name, actor = f"r{corrected + i}", trial.actor
                facts.append(Revision(name, known.id, all_, actor, reason, now()))
            return facts

        asked = ("import", [_asked(*each) for each in checked], [k.id for k in anew], outcomes)
        count = len(checked) + len(anew) + len(changed)
        keys: list[str | None] = [f"{key} #{i + 1}" for i in range(count)]
        facts = self._ledger.write_all(work, keys, asked)
        told = [each for each in facts if isinstance(each, Observation)]
        return told, [each for each in facts if isinstance(each, Revision)]

    def _checked(self, trials: Trials) -> list[_Checked]:
        space, measured = self._space, self._problem.measured
        checked = []
        for i, trial in enumerate(past_trials(self._state.problem, trials)):
            check_actor(trial.actor)
            objective = {n: each for n, each in trial.outcomes.items() if n in measured}
            others = {n: each for n, each in trial.outcomes.items() if n not in measured}
            try:
                outcomes = outcomes_of(self._problem, objective or None, others)
                context = space.validate_context(trial.context or None)
                errors = errors_of(trial.sem or None, outcomes, measured)
                check_text("label", trial.label, most=LONGEST_NAME)
                checked.append((trial, space.validate(trial.values), context, outcomes, errors))
            except InvalidInput as error:
                raise InvalidInput(f"trial {i}, {error.field}", error.value, error.remedy) from None
        return checked

    def _past(self, checked: Sequence[_Checked]) -> list[Observation]:
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

    def revise(
        self,
        observation: Observation | str,
        value: float | Mapping[str, float | str] | None,
        constraints: Mapping[str, float | str] | None,
        actor: str,
        reason: str,
        key: str | None,
    ) -> Revision:
        check_actor(actor)
        check_text("reason", reason)
        if not isinstance(observation, Observation | str):
            raise InvalidInput("observation", observation, "Give an observation, or its id.")
        given = outcomes_of(self._problem, value, constraints)
        name = observation if isinstance(observation, str) else observation.id

        def work(writer: Writer) -> Revision:
            found = self._state.observation(name)
            refuse_foreign(self._state, observation)
            made = self._state.made[Revision]
            outcomes = {**found.outcomes, **given}
            return Revision(f"r{made + 1}", name, outcomes, actor, reason, now())

        asked = ("revise", name, given, actor, reason)
        return self._ledger.write(work, check_key(key), asked)

    def withdraw(self, fact: InForce | str, actor: str, reason: str, key: str | None) -> Withdrawal:
        check_actor(actor)
        check_text("reason", reason)
        if not isinstance(fact, InForce | str):
            raise InvalidInput(
                "fact",
                fact,
                "Give a decision, observation, failure, comparison, claim, comment or revision, or "
                "its id.",
            )
        fact_id = fact if isinstance(fact, str) else fact.id

        def work(writer: Writer) -> Withdrawal:
            self._state.in_force(fact_id)
            refuse_foreign(self._state, fact)
            made = self._state.made[Withdrawal]
            return Withdrawal(f"w{made + 1}", fact_id, actor, reason, now())

        asked = ("withdraw", fact_id, actor, reason)
        return self._ledger.write(work, check_key(key), asked)

    def comment(self, fact: Fact | str, text: str, actor: str, key: str | None) -> Comment:
        check_actor(actor)
        check_text("text", text, most=_LONGEST_COMMENT)
        if not text.strip():
            raise InvalidInput("text", text, "Write what you have to say.")
        if not isinstance(fact, Fact | str):
            raise InvalidInput("fact", fact, "Give a fact of this study, or its id, as in 'o3'.")
        fact_id = fact if isinstance(fact, str) else fact.id

        def work(writer: Writer) -> Comment:
            if fact_id not in self._state.ids:
                raise NotFound(f"This study has no fact {fact_id!r}. See its history.")
            made = self._state.made[Comment]
            return Comment(f"n{made + 1}", fact_id, text.strip(), actor, now())

        return self._ledger.write(work, check_key(key), ("comment", fact_id, text, actor))

    def archive(self, archived: bool, actor: str, reason: str, key: str | None) -> Archival:
        check_actor(actor)
        check_text("reason", reason)
        if not isinstance(archived, bool):
            raise InvalidInput("archived", archived, "Give True or False.")

        def work(writer: Writer) -> Archival:
            last = self._state.archival
            if last is not None and last.archived == archived:
                raise _Already
            if last is None and not archived:
                raise InvalidInput("archived", archived, "This study is not archived.")
            return Archival(f"h{self._state.made[Archival] + 1}", archived, actor, reason, now())

        asked = ("archive", archived, actor, reason)
        try:
            return self._ledger.write(work, check_key(key), asked)
        except _Already:
            assert self._state.archival is not None
            return self._state.archival

    def amend(
        self,
        changes: AnySpace | Mapping[str, Parameter],
        actor: str,
        reason: str,
        key: str | None,
    ) -> Amendment:
        check_actor(actor)
        check_text("reason", reason)
        if not isinstance(changes, Space | Arms | Mapping):
            raise InvalidInput(
                "changes", changes, "Give a space, or a dict like {'x': counsel.Float(0, 2)}."
            )

        def work(writer: Writer) -> Amendment:
            space = amended(self._space, changes)
            refuse_uncovered(self._state, space)
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
            refuse_if_over(self._state, found, "hold")
            refuse_if_held(writer, found, actor)
            return writer.hold(found.id, actor, float(seconds))

        return self._ledger.change(work)

    def release(self, proposal: Proposal | str, actor: str) -> None:
        check_name("actor", actor)

        def work(writer: Writer) -> None:
            found = self._state.find(proposal)
            refuse_if_held(writer, found, actor)
            writer.release(found.id)

        self._ledger.change(work)


class _Already(Exception):
    """Raised if the study is archived already, or not archived."""


class _Taken(Exception):
    """A lapsed lease was taken over before its proposal could be abandoned."""


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


def named(point: object) -> object:
    """The id of a proposal, given it or its id, for comparing requests."""
    return point.id if isinstance(point, Proposal) else point
