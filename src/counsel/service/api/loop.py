"""Routes of the loop: ask, decide, tell, compare, correct."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request, Response

from counsel.errors import InvalidInput
from counsel.facts.records import (
    Amendment,
    Archival,
    Claim,
    Comment,
    Comparison,
    Decision,
    Failure,
    Lease,
    Observation,
    Proposal,
    Revision,
    Withdrawal,
)
from counsel.service.api import models as m
from counsel.service.api.requests import Actor, FactId, Key, StudyName, pool_of, reply
from counsel.service.security.access import Owner, Participant, Viewer
from counsel.space import space_from_dict
from counsel.study import Study

__all__ = ["router"]

router = APIRouter()


@router.get("/studies/{name}/proposals", tags=["the loop"], response_model=list[Proposal])
async def pending(request: Request, name: StudyName, person: Viewer) -> Response:
    """Proposals that wait for a decision or an observation."""
    pool = pool_of(request)
    found = await pool.store(lambda: pool.study(name).pending)
    return reply(found)


@router.post(
    "/studies/{name}/proposals", status_code=201, tags=["the loop"], response_model=list[Proposal]
)
async def ask(
    request: Request,
    name: StudyName,
    person: Participant,
    given: m.AskGiven | None = None,
    key: Key = None,
) -> Response:
    """Propose what to try next: one trial, or n that go well together."""
    pool, wanted = pool_of(request), given or m.AskGiven(n=None)

    def work() -> list[Proposal]:
        study = pool.study(name)
        if wanted.n is None:
            return [study.ask(context=wanted.context, idempotency_key=key)]
        return study.ask(wanted.n, context=wanted.context, idempotency_key=key)

    found = await pool.ask(work)
    pool.changed(name)
    return reply(found, 201)


@router.get("/studies/{name}/proposals/{proposal}", tags=["the loop"], response_model=Proposal)
async def show_proposal(
    request: Request, name: StudyName, proposal: FactId, person: Viewer
) -> Response:
    pool = pool_of(request)
    found = await pool.store(lambda: pool.study(name).proposal(proposal))
    return reply(found)


@router.post(
    "/studies/{name}/proposals/{proposal}/decision",
    status_code=201,
    tags=["the loop"],
    response_model=Decision,
)
async def decide(
    request: Request,
    name: StudyName,
    proposal: FactId,
    given: m.DecisionGiven,
    person: Participant,
    key: Key = None,
) -> Response:
    """Accept a proposal, override it with values of one's own, reject or abandon it."""
    if (given.values is None) == (given.decision == "override"):
        remedy = "An override needs the values to try; other decisions have none."
        raise InvalidInput("values", given.values, remedy)
    if given.decision != "reject" and (given.scope is not None or given.radius is not None):
        remedy = "Only a rejection has a scope and a radius."
        raise InvalidInput("scope", given.scope or given.radius, remedy)
    common: dict[str, Any] = {
        "actor": person.actor(given.actor), "reason": given.reason, "idempotency_key": key,
    }  # fmt: skip

    def work(study: Study) -> Decision:
        if given.decision == "abandon":
            return study.abandon(proposal, **common)
        if given.values is not None:
            return study.override(proposal, given.values, replace=given.replace, **common)
        if given.decision == "accept":
            return study.accept(proposal, replace=given.replace, **common)
        return study.reject(
            proposal, scope=given.scope, radius=given.radius, replace=given.replace, **common
        )

    return await _write(request, name, work)


@router.post(
    "/studies/{name}/proposals/{proposal}/observation",
    status_code=201,
    tags=["the loop"],
    response_model=Observation,
)
async def tell(
    request: Request,
    name: StudyName,
    proposal: FactId,
    given: m.TellGiven,
    person: Participant,
    key: Key = None,
) -> Response:
    """Record what was measured at a proposal, where it was tried."""
    common = _measured(given) | {"actor": person.actor(given.actor), "idempotency_key": key}
    return await _write(request, name, lambda study: study.tell(proposal, **common))


@router.post(
    "/studies/{name}/observations", status_code=201, tags=["the loop"], response_model=Observation
)
async def tell_point(
    request: Request,
    name: StudyName,
    given: m.ObservationGiven,
    person: Participant,
    key: Key = None,
) -> Response:
    """Record what was measured at a point that nobody proposed."""
    common = _measured(given) | {"actor": person.actor(given.actor), "idempotency_key": key}
    return await _write(request, name, lambda study: study.tell(dict(given.values), **common))


@router.post("/studies/{name}/failures", status_code=201, tags=["the loop"], response_model=Failure)
async def fail(
    request: Request, name: StudyName, given: m.FailureGiven, person: Participant, key: Key = None
) -> Response:
    """Record that a trial was made and nothing could be measured, because of its settings."""
    common: dict[str, Any] = {
        "context": given.context, "actor": person.actor(given.actor), "reason": given.reason,
    }  # fmt: skip
    return await _write(request, name, lambda s: s.fail(given.trial, **common, idempotency_key=key))


@router.post(
    "/studies/{name}/amendments", status_code=201, tags=["history"], response_model=Amendment
)
async def amend(
    request: Request, name: StudyName, given: m.AmendmentGiven, person: Participant, key: Key = None
) -> Response:
    """Change the space from now on: wider bounds, further levels or arms."""
    space, actor = space_from_dict(given.space), person.actor(given.actor)
    return await _write(
        request,
        name,
        lambda s: s.amend(space, actor=actor, reason=given.reason, idempotency_key=key),
    )


@router.post(
    "/studies/{name}/trials",
    status_code=201,
    tags=["the loop"],
    response_model=list[Observation],
)
async def tell_many(
    request: Request, name: StudyName, given: m.TrialsGiven, person: Participant, key: Key = None
) -> Response:
    """Record many trials that nobody proposed: all of them, or none."""
    trials = [replace(trial, actor=person.actor(trial.actor)) for trial in given.trials]
    return await _write(request, name, lambda s: s.tell_many(trials, idempotency_key=key))


@router.get(
    "/studies/{name}/proposals/{proposal}/question",
    tags=["the loop"],
    response_model=m.QuestionShown,
)
async def next_question(
    request: Request, name: StudyName, proposal: FactId, person: Viewer
) -> Response:
    """The constraint to ask about next for a proposal, when asking one after another."""
    pool = pool_of(request)
    found = await pool.compute(lambda: pool.study(name).next_question(proposal))
    return reply({"question": found})


@router.post(
    "/studies/{name}/comparisons", status_code=201, tags=["the loop"], response_model=Comparison
)
async def compare(
    request: Request,
    name: StudyName,
    given: m.ComparisonGiven,
    person: Participant,
    key: Key = None,
) -> Response:
    """Record that a person prefers one trial to another, or neither."""
    return await _write(
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


@router.post("/studies/{name}/claims", status_code=201, tags=["the loop"], response_model=Claim)
async def claim(
    request: Request, name: StudyName, given: m.ClaimGiven, person: Participant, key: Key = None
) -> Response:
    """Record which of two trials a person expects to be better, before that is known."""
    return await _write(
        request,
        name,
        lambda study: study.claim(
            better=given.better,
            worse=given.worse,
            context=given.context,
            actor=person.actor(given.actor),
            idempotency_key=key,
        ),
    )


@router.post(
    "/studies/{name}/proposals/{proposal}/team-decision",
    status_code=201,
    tags=["the loop"],
    response_model=Decision,
)
async def decide_as_a_team(
    request: Request,
    name: StudyName,
    proposal: FactId,
    given: m.TeamDecisionGiven,
    person: Participant,
    key: Key = None,
) -> Response:
    """Let the team's rule decide between a proposal and what this person would try instead."""
    pool, actor = pool_of(request), person.actor(given.actor)
    found = await pool.compute(
        lambda: pool.study(name).decide(proposal, given.mine, actor=actor, idempotency_key=key)
    )
    pool.changed(name)
    return reply(found, 201)


@router.post(
    "/studies/{name}/observations/{observation}/revisions",
    status_code=201,
    tags=["history"],
    response_model=Revision,
)
async def revise(
    request: Request,
    name: StudyName,
    observation: FactId,
    given: m.RevisionGiven,
    person: Participant,
    key: Key = None,
) -> Response:
    """Correct what was measured; the history keeps both."""
    return await _write(
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


@router.post("/studies/{name}/comments", status_code=201, tags=["history"], response_model=Comment)
async def comment(
    request: Request, name: StudyName, given: m.CommentGiven, person: Participant, key: Key = None
) -> Response:
    """Say something about a proposal, a trial or any other fact; beliefs stay as they are."""
    actor = person.actor(given.actor)
    return await _write(
        request,
        name,
        lambda study: study.comment(given.fact, given.text, actor=actor, idempotency_key=key),
    )


@router.post(
    "/studies/{name}/archivals", status_code=201, tags=["studies"], response_model=Archival
)
async def archive(
    request: Request, name: StudyName, given: m.ArchivalGiven, person: Owner, key: Key = None
) -> Response:
    """Archive the study, so that lists leave it out, or bring it back."""
    actor = person.actor(given.actor)
    return await _write(
        request,
        name,
        lambda study: study.archive(
            given.archived, actor=actor, reason=given.reason, idempotency_key=key
        ),
    )


@router.post(
    "/studies/{name}/withdrawals", status_code=201, tags=["history"], response_model=Withdrawal
)
async def withdraw(
    request: Request,
    name: StudyName,
    given: m.WithdrawalGiven,
    person: Participant,
    key: Key = None,
) -> Response:
    """Take back a decision, observation, failure, comparison or revision; the history keeps both.

    Somebody else's rejection takes an owner of the study.
    """
    actor = person.actor(given.actor)
    return await _write(
        request,
        name,
        lambda study: study.withdraw(
            given.fact, actor=actor, reason=given.reason, idempotency_key=key
        ),
    )


@router.get("/studies/{name}/leases", tags=["the loop"], response_model=list[Lease])
async def leases(request: Request, name: StudyName, person: Viewer) -> Response:
    """Who holds which proposal, and until when."""
    pool = pool_of(request)
    found = await pool.store(lambda: pool.study(name).leases)
    return reply(found)


@router.put("/studies/{name}/proposals/{proposal}/lease", tags=["the loop"], response_model=Lease)
async def hold(
    request: Request,
    name: StudyName,
    proposal: FactId,
    person: Participant,
    given: m.LeaseGiven | None = None,
) -> Response:
    """Reserve a proposal for one person; doing so again renews the lease."""
    pool, wanted = pool_of(request), given or m.LeaseGiven()
    actor = person.actor(wanted.actor)
    lease = await pool.store(
        lambda: pool.study(name).hold(proposal, actor=actor, seconds=wanted.seconds)
    )
    pool.changed(name)
    return reply(lease)


@router.delete("/studies/{name}/proposals/{proposal}/lease", status_code=204, tags=["the loop"])
async def release(
    request: Request,
    name: StudyName,
    proposal: FactId,
    person: Participant,
    actor: Actor = None,
) -> None:
    """Release a proposal before the lease expires."""
    pool = pool_of(request)
    by = person.actor(actor)
    await pool.store(lambda: pool.study(name).release(proposal, actor=by))
    pool.changed(name)


# ---- inside -------------------------------------------------------------------------------------


async def _write(request: Request, name: str, work: Callable[[Study], object]) -> Response:
    """Let a study write a fact, and notify everybody who is viewing it."""
    pool = pool_of(request)
    fact = await pool.store(lambda: work(pool.study(name)))
    pool.changed(name)
    return reply(fact, 201)


def _measured(given: m.TellGiven) -> dict[str, Any]:
    return {
        "value": given.value,
        "constraints": given.constraints or None,
        "context": given.context,
        "sem": given.sem,
        "repeat": given.repeat,
    }
