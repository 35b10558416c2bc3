"""Routes for beliefs and explanations."""

from fastapi import APIRouter, Request, Response

from counsel.errors import InvalidInput
from counsel.explain.attribution import Attribution, Shown, WhatIf
from counsel.explain.grounds import Grounds
from counsel.facts.records import Prediction
from counsel.facts.safety import SafeSet
from counsel.facts.summaries import Best, Front, Outlook
from counsel.service.api import models as m
from counsel.service.api.requests import Actor, FactId, StudyName, pool_of, reply
from counsel.service.security.access import Person, Viewer
from counsel.teams.advice import Advice
from counsel.teams.alignment import Alignment
from counsel.teams.overriding import Overriding

__all__ = ["router"]

router = APIRouter(tags=["beliefs"])


@router.get("/studies/{name}/best", response_model=Best | None)
async def best(request: Request, name: StudyName, person: Viewer) -> Response:
    """The best trial so far, by its believed payoff; null if there is none."""
    pool = pool_of(request)
    return reply(await pool.compute(lambda: pool.study(name).best))


@router.get("/studies/{name}/proposals/{proposal}/explanation", response_model=Attribution)
async def explain(
    request: Request, name: StudyName, proposal: FactId, person: Viewer, actor: Actor = None
) -> Response:
    """Explain a proposal: each parameter's contribution to each term that was maximised.

    It is recorded that `actor`, or the token's owner, has seen it.
    """
    pool, seen_by = pool_of(request), _seen_by(person, actor)
    found = await pool.compute(lambda: pool.study(name).explain(proposal, actor=seen_by))
    return reply(found)


@router.post("/studies/{name}/explanations", response_model=Attribution)
async def explain_point(
    request: Request, name: StudyName, given: m.ExplanationGiven, person: Viewer
) -> Response:
    """Explain a proposal, or a point given by its values.

    It is recorded that `actor`, or the token's owner, has seen it.
    """
    if (given.proposal is None) == (given.values is None):
        raise InvalidInput("proposal", given.proposal, "Give either a proposal or values.")
    pool, seen_by = pool_of(request), _seen_by(person, given.actor)
    found = await pool.compute(
        lambda: pool.study(name).explain(
            given.proposal or dict(given.values or {}),
            context=given.context,
            instead_of=given.instead_of,
            background=given.background,
            tolerance=given.tolerance,
            until=given.until,
            actor=seen_by,
        )
    )
    return reply(found)


@router.get("/studies/{name}/explanations", response_model=list[Shown])
async def shown(request: Request, name: StudyName, person: Viewer) -> Response:
    """The explanations that people have seen, in order."""
    pool = pool_of(request)
    return reply(await pool.store(lambda: pool.study(name).shown))


@router.post("/studies/{name}/what-if", response_model=WhatIf)
async def what_if(
    request: Request, name: StudyName, given: m.PointGiven, person: Viewer
) -> Response:
    """The belief about a point that nobody proposed, and the reasons for trying it."""
    pool = pool_of(request)
    found = await pool.compute(
        lambda: pool.study(name).what_if(
            given.values, context=given.context, instead_of=given.instead_of
        )
    )
    return reply(found)


@router.post("/studies/{name}/predictions", response_model=list[Prediction] | None)
async def predict(
    request: Request, name: StudyName, given: m.PredictionsGiven, person: Viewer
) -> Response:
    """The beliefs at several points; null before any observation."""
    pool = pool_of(request)
    found = await pool.compute(
        lambda: pool.study(name).predict_many(
            given.points, context=given.context, noise=given.noise
        )
    )
    return reply(found)


@router.post("/studies/{name}/weights", response_model=list[float] | None)
async def weights(
    request: Request, name: StudyName, given: m.PointsGiven, person: Viewer
) -> Response:
    """The output weights at several points; null before any observation."""
    pool = pool_of(request)
    found = await pool.compute(
        lambda: pool.study(name).weights(given.points, context=given.context)
    )
    return reply(found)


@router.post("/studies/{name}/chances", response_model=dict[str, float])
async def chances(
    request: Request, name: StudyName, given: m.PlaceGiven, person: Viewer
) -> Response:
    """The probability that each constraint holds at a point and, once trials have failed, that
    a trial works there ("success"); empty while nothing is known."""
    pool = pool_of(request)
    found = await pool.compute(
        lambda: pool.study(name).chances(given.values, context=given.context)
    )
    return reply(found)


@router.get("/studies/{name}/front", response_model=Front)
async def front(request: Request, name: StudyName, person: Viewer) -> Response:
    """The trials that no other one beats in every objective, and what objectives are worth."""
    pool = pool_of(request)
    return reply(await pool.store(lambda: pool.study(name).front()))


@router.post("/studies/{name}/outlook", response_model=Outlook)
async def outlook(
    request: Request, name: StudyName, person: Viewer, given: m.OutlookGiven | None = None
) -> Response:
    """How much is still to be gained, and whether the model predicts what was measured."""
    pool, wanted = pool_of(request), given or m.OutlookGiven()
    found = await pool.compute(
        lambda: pool.study(name).outlook(worth=wanted.worth, context=wanted.context)
    )
    return reply(found)


@router.post("/studies/{name}/safe-set", response_model=SafeSet)
async def safe_set(
    request: Request, name: StudyName, person: Viewer, given: m.ContextGiven | None = None
) -> Response:
    """The points where all constraints are certified to hold, with their bounds."""
    pool, context = pool_of(request), None if given is None else given.context
    return reply(await pool.compute(lambda: pool.study(name).safe_set(context=context)))


@router.get("/studies/{name}/safe-sets", response_model=list[list[float]])
async def safe_sets(request: Request, name: StudyName, person: Viewer) -> Response:
    """After each trial: the share of points known to be safe, and the share that may be."""
    pool = pool_of(request)
    return reply(await pool.compute(lambda: pool.study(name).safe_sets()))


@router.post("/studies/{name}/proposals/{proposal}/advice", response_model=Advice)
async def advise(
    request: Request,
    name: StudyName,
    proposal: FactId,
    person: Viewer,
    given: m.AdviceGiven | None = None,
) -> Response:
    """Should this person step in? How their point compares with the proposal, and why."""
    pool, wanted = pool_of(request), given or m.AdviceGiven()
    whose = person.actor(wanted.actor)
    found = await pool.compute(lambda: pool.study(name).advise(proposal, wanted.mine, actor=whose))
    return reply(found)


@router.get("/studies/{name}/proposals/{proposal}/grounds", response_model=Grounds)
async def grounds(request: Request, name: StudyName, proposal: FactId, person: Viewer) -> Response:
    """What a proposal's reasons rest on: other plausible fits, and whose trials."""
    pool = pool_of(request)
    return reply(await pool.compute(lambda: pool.study(name).grounds(proposal)))


@router.get("/studies/{name}/proposals/{proposal}/alignment", response_model=Alignment | None)
async def alignment(
    request: Request, name: StudyName, proposal: FactId, person: Viewer, actor: Actor = None
) -> Response:
    """How far a proposal's reasons are from a person's; null before their first override."""
    pool, whose = pool_of(request), person.actor(actor)
    found = await pool.compute(lambda: pool.study(name).alignment(proposal, actor=whose))
    return reply(found)


@router.get("/studies/{name}/overriding", response_model=list[Overriding])
async def overriding(request: Request, name: StudyName, person: Viewer) -> Response:
    """What overriding cost or gained each person, as believed today."""
    pool = pool_of(request)
    return reply(await pool.compute(lambda: pool.study(name).overriding()))


def _seen_by(person: Person, given: str | None) -> str | None:
    return person.actor(given) if person.named or given is not None else None
