"""The loop over REST: ask, decide, tell, compare, correct."""

from typing import Any

from fastapi import APIRouter, Request

from counsel.errors import InvalidInput
from counsel.facts.records import Fact, Proposal
from counsel.service.api import models as m
from counsel.service.api.requests import Actor, FactId, Key, StudyName, pool_of
from counsel.service.security.access import Participant, Viewer
from counsel.study import Study

__all__ = ["router"]

router = APIRouter()


@router.get("/studies/{name}/proposals", tags=["the loop"])
async def pending(request: Request, name: StudyName, person: Viewer) -> list[m.ProposalShown]:
    """Proposals that wait for a decision or an observation."""
    pool = pool_of(request)
    found = await pool.store(lambda: pool.study(name).pending)
    return [m.ProposalShown(**m.fact_shown(each)) for each in found]


@router.post("/studies/{name}/proposals", status_code=201, tags=["the loop"])
async def ask(
    request: Request, name: StudyName, given: m.AskGiven, person: Participant, key: Key = None
) -> list[m.ProposalShown]:
    """Propose what to try next: one trial, or n that go well together."""
    pool = pool_of(request)

    def work() -> list[Proposal]:
        study = pool.study(name)
        if given.n is None:
            return [study.ask(context=given.context, idempotency_key=key)]
        return study.ask(given.n, context=given.context, idempotency_key=key)

    found = await pool.ask(work)
    pool.changed(name)
    return [m.ProposalShown(**m.fact_shown(each)) for each in found]


@router.get("/studies/{name}/proposals/{proposal}", tags=["the loop"])
async def show_proposal(
    request: Request, name: StudyName, proposal: FactId, person: Viewer
) -> m.ProposalShown:
    pool = pool_of(request)
    found = await pool.store(lambda: pool.study(name).proposal(proposal))
    return m.ProposalShown(**m.fact_shown(found))


@router.post("/studies/{name}/proposals/{proposal}/decision", status_code=201, tags=["the loop"])
async def decide(
    request: Request,
    name: StudyName,
    proposal: FactId,
    given: m.DecisionGiven,
    person: Participant,
    key: Key = None,
) -> m.DecisionShown:
    """Accept a proposal, override it with values of one's own, or reject it."""
    if (given.values is None) == (given.decision == "override"):
        remedy = "An override needs the values to try; other decisions have none."
        raise InvalidInput("values", given.values, remedy)
    common: dict[str, Any] = {
        "actor": person.actor(given.actor), "reason": given.reason, "idempotency_key": key,
    }  # fmt: skip

    def work(study: Study) -> Fact:
        if given.values is not None:
            return study.override(proposal, given.values, **common)
        verb = study.accept if given.decision == "accept" else study.reject
        return verb(proposal, **common)

    return m.DecisionShown(**await _write(request, name, work))


@router.post("/studies/{name}/proposals/{proposal}/observation", status_code=201, tags=["the loop"])
async def tell(
    request: Request,
    name: StudyName,
    proposal: FactId,
    given: m.OutcomesGiven,
    person: Participant,
    key: Key = None,
) -> m.ObservationShown:
    """Record what was measured of a proposal, where it was tried."""
    common = _outcomes(given) | {"actor": person.actor(given.actor), "idempotency_key": key}
    written = await _write(request, name, lambda study: study.tell(proposal, **common))
    return m.ObservationShown(**written)


@router.post("/studies/{name}/observations", status_code=201, tags=["the loop"])
async def tell_point(
    request: Request,
    name: StudyName,
    given: m.ObservationGiven,
    person: Participant,
    key: Key = None,
) -> m.ObservationShown:
    """Record what was measured at a point that nobody proposed."""
    common = _outcomes(given) | {"actor": person.actor(given.actor), "idempotency_key": key}
    values, context = dict(given.values), given.context
    written = await _write(request, name, lambda s: s.tell(values, context=context, **common))
    return m.ObservationShown(**written)


@router.get("/studies/{name}/proposals/{proposal}/question", tags=["the loop"])
async def next_question(
    request: Request, name: StudyName, proposal: FactId, person: Viewer
) -> m.QuestionShown:
    """Which constraint to ask about next where a proposal is tried, one after the other."""
    pool = pool_of(request)
    found = await pool.compute(lambda: pool.study(name).next_question(proposal))
    return m.QuestionShown(question=found)


@router.post("/studies/{name}/comparisons", status_code=201, tags=["the loop"])
async def compare(
    request: Request,
    name: StudyName,
    given: m.ComparisonGiven,
    person: Participant,
    key: Key = None,
) -> m.ComparisonShown:
    """Record that a person prefers one trial to another, or neither."""
    written = await _write(
        request,
        name,
        lambda study: study.compare(
            winner=given.winner,
            loser=given.loser,
            tie=given.tie,
            context=given.context,
            actor=person.actor(given.actor),
            idempotency_key=key,
        ),
    )
    return m.ComparisonShown(**written)


@router.post(
    "/studies/{name}/observations/{observation}/revisions", status_code=201, tags=["history"]
)
async def revise(
    request: Request,
    name: StudyName,
    observation: FactId,
    given: m.RevisionGiven,
    person: Participant,
    key: Key = None,
) -> m.RevisionShown:
    """Correct what was measured; the history keeps both."""
    written = await _write(
        request,
        name,
        lambda study: study.revise(
            observation,
            given.value,
            constraints=given.constraints or None,
            actor=person.actor(given.actor),
            reason=given.reason,
            idempotency_key=key,
        ),
    )
    return m.RevisionShown(**written)


@router.post("/studies/{name}/withdrawals", status_code=201, tags=["history"])
async def withdraw(
    request: Request,
    name: StudyName,
    given: m.WithdrawalGiven,
    person: Participant,
    key: Key = None,
) -> m.WithdrawalShown:
    """Take back a decision, observation, comparison or revision; the history keeps both."""
    actor = person.actor(given.actor)
    written = await _write(
        request,
        name,
        lambda s: s.withdraw(given.fact, actor=actor, reason=given.reason, idempotency_key=key),
    )
    return m.WithdrawalShown(**written)


@router.get("/studies/{name}/leases", tags=["the loop"])
async def leases(request: Request, name: StudyName, person: Viewer) -> list[m.LeaseShown]:
    """Who holds which proposal, and until when."""
    pool = pool_of(request)
    found = await pool.store(lambda: pool.study(name).leases)
    return [m.LeaseShown(**m.lease_shown(each)) for each in found]


@router.put("/studies/{name}/proposals/{proposal}/lease", tags=["the loop"])
async def hold(
    request: Request, name: StudyName, proposal: FactId, given: m.LeaseGiven, person: Participant
) -> m.LeaseShown:
    """Keep a proposal for one person; doing so again renews the lease."""
    pool = pool_of(request)
    actor = person.actor(given.actor)
    lease = await pool.store(
        lambda: pool.study(name).hold(proposal, actor=actor, seconds=given.seconds)
    )
    pool.changed(name)
    return m.LeaseShown(**m.lease_shown(lease))


@router.delete("/studies/{name}/proposals/{proposal}/lease", status_code=204, tags=["the loop"])
async def release(
    request: Request,
    name: StudyName,
    proposal: FactId,
    person: Participant,
    actor: Actor = None,
) -> None:
    """Give a proposal back before the lease lapses."""
    pool = pool_of(request)
    by = person.actor(actor)
    await pool.store(lambda: pool.study(name).release(proposal, actor=by))
    pool.changed(name)


# ---- inside -------------------------------------------------------------------------------------


async def _write(request: Request, name: str, work: Any) -> dict[str, Any]:
    """Let a study write a fact, and let everybody who looks at it know."""
    pool = pool_of(request)
    fact = await pool.store(lambda: work(pool.study(name)))
    pool.changed(name)
    return m.fact_shown(fact)


def _outcomes(given: m.OutcomesGiven) -> dict[str, Any]:
    more: dict[str, Any] = {"constraints": given.constraints} if given.constraints else {}
    return {"value": given.value, **more}
