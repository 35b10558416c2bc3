"""What a study believes, and why, over REST."""

from fastapi import APIRouter, Request

from counsel.explain.attribution import Attribution
from counsel.service.api import models as m
from counsel.service.api.requests import Actor, FactId, StudyName, pool_of
from counsel.service.security.access import Viewer

__all__ = ["router"]

router = APIRouter()


@router.get("/studies/{name}/best", tags=["beliefs"])
async def best(request: Request, name: StudyName, person: Viewer) -> m.BestShown | None:
    """The best trial so far, by what is believed of its payoff; null without one."""
    pool = pool_of(request)
    found = m.best_shown(await pool.compute(lambda: pool.study(name).best))
    return None if found is None else m.BestShown(**found)


@router.get("/studies/{name}/proposals/{proposal}/explanation", tags=["beliefs"])
async def explain(
    request: Request, name: StudyName, proposal: FactId, person: Viewer
) -> m.AttributionShown:
    """Why this was proposed: what each parameter adds to each term that was maximised."""
    pool = pool_of(request)
    return _why(await pool.compute(lambda: pool.study(name).explain(proposal)))


@router.get("/studies/{name}/proposals/{proposal}/alignment", tags=["beliefs"])
async def alignment(
    request: Request, name: StudyName, proposal: FactId, person: Viewer, actor: Actor = None
) -> m.AlignmentShown | None:
    """How far the reasons for a proposal are from a person's; null before their first override."""
    pool, whose = pool_of(request), person.actor(actor)
    found = await pool.compute(lambda: pool.study(name).alignment(proposal, actor=whose))
    return None if found is None else m.AlignmentShown(**m.alignment_shown(found))


@router.get("/studies/{name}/overriding", tags=["beliefs"])
async def overriding(request: Request, name: StudyName, person: Viewer) -> list[m.OverridingShown]:
    """What overriding cost or gained, person by person, as far as is believed today."""
    pool = pool_of(request)
    found = await pool.compute(lambda: pool.study(name).overriding())
    return [m.OverridingShown(**m.overriding_shown(each)) for each in found]


@router.post("/studies/{name}/explanations", tags=["beliefs"])
async def explain_point(
    request: Request, name: StudyName, given: m.PointGiven, person: Viewer
) -> m.AttributionShown:
    """Why one would try these values."""
    pool = pool_of(request)
    found = await pool.compute(
        lambda: pool.study(name).explain(
            dict(given.values), context=given.context, instead_of=given.instead_of
        )
    )
    return _why(found)


@router.post("/studies/{name}/what-if", tags=["beliefs"])
async def what_if(
    request: Request, name: StudyName, given: m.PointGiven, person: Viewer
) -> m.WhatIfShown:
    """What is believed of a point that nobody proposed, and what speaks for trying it."""
    pool = pool_of(request)
    found = await pool.compute(
        lambda: pool.study(name).what_if(
            given.values, context=given.context, instead_of=given.instead_of
        )
    )
    believed = m.PredictionShown(mean=found.prediction.mean, sd=found.prediction.sd)
    return m.WhatIfShown(prediction=believed, attribution=_why(found.attribution))


@router.post("/studies/{name}/predictions", tags=["beliefs"])
async def predict(
    request: Request, name: StudyName, given: m.PointsGiven, person: Viewer
) -> list[m.PredictionShown] | None:
    """What is believed at several points; null before any observation."""
    pool = pool_of(request)
    found = await pool.compute(
        lambda: pool.study(name).predict_many(given.points, context=given.context)
    )
    return None if found is None else [m.PredictionShown(mean=p.mean, sd=p.sd) for p in found]


@router.post("/studies/{name}/chances", tags=["beliefs"])
async def chances(
    request: Request, name: StudyName, given: m.PlaceGiven, person: Viewer
) -> dict[str, float]:
    """How likely each constraint holds at a point; empty while nothing is believed of them."""
    pool = pool_of(request)
    return await pool.compute(lambda: pool.study(name).chances(given.values, context=given.context))


@router.get("/studies/{name}/safe-sets", tags=["beliefs"])
async def safe_sets(request: Request, name: StudyName, person: Viewer) -> list[list[float]]:
    """After each trial: the share of points known to be safe, and of those that may be."""
    pool = pool_of(request)
    found = await pool.compute(lambda: pool.study(name).safe_sets())
    shares: list[list[float]] = found.tolist()
    return shares


def _why(attribution: Attribution) -> m.AttributionShown:
    return m.AttributionShown(**m.attribution_shown(attribution))
