"""Refusals that commands share: closed or held proposals, facts of another study, no room left."""

from collections.abc import Iterable, Mapping

from counsel.errors import Conflict, InvalidInput, NotFound
from counsel.facts.payoffs import comparable
from counsel.facts.problem import Problem
from counsel.facts.records import Lease, Observation, Proposal, Value
from counsel.facts.state import InForce, StudyState
from counsel.space import AnySpace
from counsel.storage.contract import Writer

__all__ = [
    "refuse_foreign",
    "refuse_if_held",
    "refuse_if_over",
    "refuse_uncovered",
    "refuse_unmeasured",
]


def refuse_if_over(
    state: StudyState,
    proposal: Proposal,
    verb: str,
    outcomes: Iterable[str] | None = None,
    actor: str | None = None,
) -> None:
    failure = state.failed.get(proposal.id)
    if failure is not None:
        raise Conflict(
            f"Cannot {verb} proposal {proposal.id!r}: it failed (failure {failure.id!r}, "
            f"reported by {failure.actor}). Withdraw that failure to correct it.",
            failure,
        )
    observed = state.observed.get(proposal.id)
    if outcomes is not None:  # a part that was not reported yet is accepted
        parts = state.reported(proposal.id)
        again = [each for each in parts if _twice(state.problem, each, outcomes, actor)]
        observed = again[0] if again else None
    if observed is not None:
        more = ", or say repeat for one more measurement" if verb == "tell" else ""
        raise Conflict(
            f"Cannot {verb} proposal {proposal.id!r}: it was already told (observation "
            f"{observed.id!r}). Revise or withdraw that observation to correct it{more}.",
            observed,
        )
    decision = state.decisions.get(proposal.id)
    if verb in ("tell", "fail", "hold") and decision is not None and decision.kind == "reject":
        itself = "" if verb == "hold" else f", or {verb} the point itself as a dict of values"
        raise Conflict(
            f"Cannot {verb} proposal {proposal.id!r}: {decision.actor} rejected it. Withdraw "
            f"the rejection{itself}.",
            decision,
        )


def _twice(problem: Problem, part: Observation, outcomes: Iterable[str], actor: str | None) -> bool:
    """Whether a part already has one of the outcomes.

    A trial is measured once, but several people may answer the same question about it.
    """
    both = set(outcomes) & set(part.outcomes)
    return bool(both) and (part.actor == actor or not both.isdisjoint(problem.measured))


def refuse_if_held(writer: Writer, proposal: Proposal, actor: str) -> Lease | None:
    """The actor's own lease, if any; raises Conflict if somebody else holds one."""
    lease = writer.lease(proposal.id)
    if lease is not None and lease.actor != actor:
        raise Conflict(
            f"{lease.actor} holds proposal {proposal.id!r} until {lease.until:%H:%M:%S} UTC. "
            "Wait until then, or ask them to release it.",
            lease,
        )
    return lease


def refuse_foreign(state: StudyState, fact: InForce | str) -> None:
    if not isinstance(fact, str) and not state.knows(fact):
        raise NotFound(f"Fact {fact.id!r} belongs to another study. Give a fact of this study.")


def refuse_unmeasured(
    state: StudyState, role: str, values: Mapping[str, Value], context: Mapping[str, Value]
) -> None:
    observations = state.observations.values()
    if not comparable(state.problem, observations, values, context):
        names = ", ".join(state.problem.measured)
        raise InvalidInput(
            role, dict(values), f"Its outcomes are compared: tell {names} of it first."
        )


def refuse_uncovered(state: StudyState, space: AnySpace) -> None:
    """Refuse a space in which something that happened would have no place."""
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
                error.field, error.value, f"{fact} lies outside: keep it inside."
            ) from None
