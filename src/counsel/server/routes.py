"""The REST interface. Routes read the request, call the study and answer; they decide nothing."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Path, Query, Request, Response
from fastapi.responses import PlainTextResponse

from counsel import __version__, policies
from counsel.errors import InvalidInput
from counsel.exchange import document, table
from counsel.records import Attribution, Fact, Proposal
from counsel.server import models as m
from counsel.server.access import Owner, Participant, Viewer
from counsel.server.desk import Desk
from counsel.space import space_from_dict
from counsel.study import Study, create_study, delete_study

__all__ = ["PROBLEMS", "router"]

Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=200,
        description="Sent twice, a request with one key counts once.",
    ),
]
StudyName = Annotated[str, Path(min_length=1, max_length=200)]
FactId = Annotated[str, Path(pattern=r"^[a-z][0-9]{1,12}$")]
Actor = Annotated[str | None, Query(min_length=1, max_length=200)]
_PROBLEM: dict[str, Any] = {"content": {"application/problem+json": {
    "schema": {"$ref": "#/components/schemas/Problem"}}}}  # fmt: skip
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"description": text, **_PROBLEM}
    for status, text in {
        400: "The request cannot be read.",
        401: "No token, or none that is valid.",
        403: "The token's role does not allow this.",
        404: "There is no such study, proposal or fact.",
        409: "Somebody else was first; `fact` is what won.",
        413: "The request is too large.",
        422: "Refused: field, value and remedy say why.",
        429: "Too many requests; try again after `Retry-After` seconds.",
        503: "The storage cannot be reached.",
    }.items()
}

router = APIRouter(prefix="/api/v1", responses=PROBLEMS)


def _desk(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    return desk


# ---- the service --------------------------------------------------------------------------------


@router.get("/health", tags=["service"])
async def health(request: Request) -> m.HealthShown:
    """Whether the service and its storage answer. Needs no token."""
    desk = _desk(request)
    found = await desk.store(desk.summaries)
    return m.HealthShown(status="ok", version=__version__, studies=len(found))


@router.get("/metrics", tags=["service"], response_class=PlainTextResponse)
async def metrics(request: Request, person: Viewer) -> Response:
    """Counts and times, in Prometheus' text form."""
    content, media = request.app.state.metrics.text()
    return Response(content, media_type=media)


@router.get("/policies", tags=["service"])
async def list_policies(person: Viewer) -> list[str]:
    """The names that a new study's policy can have."""
    return list(policies.names())


# ---- studies ------------------------------------------------------------------------------------


@router.get("/studies", tags=["studies"])
async def list_studies(request: Request, person: Viewer) -> list[m.SummaryShown]:
    desk = _desk(request)
    return [m.SummaryShown(**m.summary_shown(s)) for s in await desk.store(desk.summaries)]


@router.post("/studies", status_code=201, tags=["studies"])
async def new_study(
    request: Request, given: m.StudyGiven, person: Owner, key: Key = None
) -> m.StudyShown:
    """Create a study. Repeated with a key, the study that is there is answered with."""
    desk = _desk(request)
    made = await desk.store(make_study, desk, given, key is not None)
    desk.changed(made.name)
    return await desk.store(_study_shown, made)


@router.get("/studies/{name}", tags=["studies"])
async def show_study(request: Request, name: StudyName, person: Viewer) -> m.StudyShown:
    desk = _desk(request)
    return await desk.store(lambda: _study_shown(desk.study(name)))


@router.delete("/studies/{name}", status_code=204, tags=["studies"])
async def remove_study(request: Request, name: StudyName, person: Owner) -> None:
    """Remove a study with all its facts, for good."""
    desk = _desk(request)
    await desk.store(delete_study, name, desk.storage)
    desk.put_away(name)


@router.get("/studies/{name}/best", tags=["beliefs"])
async def best(request: Request, name: StudyName, person: Viewer) -> m.BestShown | None:
    """The best trial so far, by what is believed of its payoff; null without one."""
    desk = _desk(request)
    found = m.best_shown(await desk.compute(lambda: desk.study(name).best))
    return None if found is None else m.BestShown(**found)


@router.get("/studies/{name}/facts", tags=["history"])
async def facts(
    request: Request,
    name: StudyName,
    person: Viewer,
    after: Annotated[int, Query(ge=0, le=2**31)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
) -> m.FactsShown:
    """Everything that happened, in order, from behind the first `after` facts on."""
    desk = _desk(request)
    every = await desk.store(lambda: desk.study(name).facts)
    found = [m.fact_shown(fact) for fact in every[after : after + limit]]
    following = after + limit if after + limit < len(every) else None
    return m.FactsShown.model_validate({"facts": found, "count": len(every), "next": following})


@router.get("/studies/{name}/observations", tags=["history"])
async def observations(
    request: Request, name: StudyName, person: Viewer
) -> list[m.ObservationShown]:
    """The observations in force, with the outcomes in force."""
    desk = _desk(request)
    found = await desk.store(lambda: desk.study(name).observations)
    return [m.ObservationShown(**m.fact_shown(each)) for each in found]


@router.get(
    "/studies/{name}/export",
    tags=["history"],
    response_class=Response,
    responses={
        200: {"description": "The file.", "content": {"application/json": {}, "text/csv": {}}}
    },
)
async def export(
    request: Request, name: StudyName, person: Viewer, format: Literal["json", "csv"] = "json"
) -> Response:
    """The whole study as a file that `counsel import` reads."""
    desk = _desk(request)
    study = await desk.store(desk.study, name)
    write = document.to_json if format == "json" else table.to_csv
    text = await desk.store(lambda: write(study.setup, study.facts))
    media = "application/json" if format == "json" else "text/csv"
    offered = {"Content-Disposition": f'attachment; filename="study.{format}"'}
    return Response(text, media_type=media, headers=offered)


@router.post("/studies/{name}/replay", tags=["history"])
async def replay(request: Request, name: StudyName, person: Participant) -> m.ReplayShown:
    """Derive every proposal anew from the facts before it, and compare bit for bit."""
    desk = _desk(request)
    found = await desk.compute(lambda: desk.study(name).replay())
    differences = [
        {"proposal": d.proposal, "field": d.field, "recorded": str(d.recorded),
         "replayed": str(d.replayed)}
        for d in found.differences
    ]  # fmt: skip
    return m.ReplayShown(
        proposals=found.proposals, identical=found.identical, differences=differences
    )


# ---- the loop -----------------------------------------------------------------------------------


@router.get("/studies/{name}/proposals", tags=["the loop"])
async def pending(request: Request, name: StudyName, person: Viewer) -> list[m.ProposalShown]:
    """Proposals that wait for a decision or an observation."""
    desk = _desk(request)
    found = await desk.store(lambda: desk.study(name).pending)
    return [m.ProposalShown(**m.fact_shown(each)) for each in found]


@router.post("/studies/{name}/proposals", status_code=201, tags=["the loop"])
async def ask(
    request: Request, name: StudyName, given: m.AskGiven, person: Participant, key: Key = None
) -> list[m.ProposalShown]:
    """Propose what to try next: one trial, or n that go well together."""
    desk = _desk(request)

    def work() -> list[Proposal]:
        study = desk.study(name)
        if given.n is None:
            return [study.ask(context=given.context, idempotency_key=key)]
        return study.ask(given.n, context=given.context, idempotency_key=key)

    found = await desk.compute(work)
    desk.changed(name)
    return [m.ProposalShown(**m.fact_shown(each)) for each in found]


@router.get("/studies/{name}/proposals/{proposal}", tags=["the loop"])
async def show_proposal(
    request: Request, name: StudyName, proposal: FactId, person: Viewer
) -> m.ProposalShown:
    desk = _desk(request)
    found = await desk.store(lambda: desk.study(name).proposal(proposal))
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
    desk = _desk(request)
    found = await desk.compute(lambda: desk.study(name).next_question(proposal))
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
    desk = _desk(request)
    found = await desk.store(lambda: desk.study(name).leases)
    return [m.LeaseShown(**m.lease_shown(each)) for each in found]


@router.put("/studies/{name}/proposals/{proposal}/lease", tags=["the loop"])
async def hold(
    request: Request, name: StudyName, proposal: FactId, given: m.LeaseGiven, person: Participant
) -> m.LeaseShown:
    """Keep a proposal for one person; doing so again renews the lease."""
    desk = _desk(request)
    actor = person.actor(given.actor)
    lease = await desk.store(
        lambda: desk.study(name).hold(proposal, actor=actor, seconds=given.seconds)
    )
    desk.changed(name)
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
    desk = _desk(request)
    by = person.actor(actor)
    await desk.store(lambda: desk.study(name).release(proposal, actor=by))
    desk.changed(name)


# ---- beliefs ------------------------------------------------------------------------------------


@router.get("/studies/{name}/proposals/{proposal}/explanation", tags=["beliefs"])
async def explain(
    request: Request, name: StudyName, proposal: FactId, person: Viewer
) -> m.AttributionShown:
    """Why this was proposed: what each parameter adds to each term that was maximised."""
    desk = _desk(request)
    return _why(await desk.compute(lambda: desk.study(name).explain(proposal)))


@router.get("/studies/{name}/proposals/{proposal}/alignment", tags=["beliefs"])
async def alignment(
    request: Request, name: StudyName, proposal: FactId, person: Viewer, actor: Actor = None
) -> m.AlignmentShown | None:
    """How far the reasons for a proposal are from a person's; null before their first override."""
    desk, whose = _desk(request), person.actor(actor)
    found = await desk.compute(lambda: desk.study(name).alignment(proposal, actor=whose))
    return None if found is None else m.AlignmentShown(**m.alignment_shown(found))


@router.get("/studies/{name}/overriding", tags=["beliefs"])
async def overriding(request: Request, name: StudyName, person: Viewer) -> list[m.OverridingShown]:
    """What overriding cost or gained, person by person, as far as is believed today."""
    desk = _desk(request)
    found = await desk.compute(lambda: desk.study(name).overriding())
    return [m.OverridingShown(**m.overriding_shown(each)) for each in found]


@router.post("/studies/{name}/explanations", tags=["beliefs"])
async def explain_point(
    request: Request, name: StudyName, given: m.PointGiven, person: Viewer
) -> m.AttributionShown:
    """Why one would try these values."""
    desk = _desk(request)
    found = await desk.compute(
        lambda: desk.study(name).explain(
            dict(given.values), context=given.context, instead_of=given.instead_of
        )
    )
    return _why(found)


@router.post("/studies/{name}/what-if", tags=["beliefs"])
async def what_if(
    request: Request, name: StudyName, given: m.PointGiven, person: Viewer
) -> m.WhatIfShown:
    """What is believed of a point that nobody proposed, and what speaks for trying it."""
    desk = _desk(request)
    found = await desk.compute(
        lambda: desk.study(name).what_if(
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
    desk = _desk(request)
    found = await desk.compute(
        lambda: desk.study(name).predict_many(given.points, context=given.context)
    )
    return None if found is None else [m.PredictionShown(mean=p.mean, sd=p.sd) for p in found]


@router.post("/studies/{name}/chances", tags=["beliefs"])
async def chances(
    request: Request, name: StudyName, given: m.PlaceGiven, person: Viewer
) -> dict[str, float]:
    """How likely each constraint holds at a point; empty while nothing is believed of them."""
    desk = _desk(request)
    return await desk.compute(lambda: desk.study(name).chances(given.values, context=given.context))


@router.get("/studies/{name}/safe-sets", tags=["beliefs"])
async def safe_sets(request: Request, name: StudyName, person: Viewer) -> list[list[float]]:
    """After each trial: the share of points known to be safe, and of those that may be."""
    desk = _desk(request)
    found = await desk.compute(lambda: desk.study(name).safe_sets())
    shares: list[list[float]] = found.tolist()
    return shares


# ---- inside -------------------------------------------------------------------------------------


async def _write(request: Request, name: str, work: Any) -> dict[str, Any]:
    """Let a study write a fact, and let everybody who looks at it know."""
    desk = _desk(request)
    fact = await desk.store(lambda: work(desk.study(name)))
    desk.changed(name)
    return m.fact_shown(fact)


def make_study(desk: Desk, given: m.StudyGiven, load_if_exists: bool = False) -> Study:
    """The study that a request describes."""
    checked_name(given.name)
    if (given.parameters is None) == (given.arms is None):
        raise InvalidInput("parameters", given.parameters, "Give parameters or arms, one of them.")
    context = [_parameter(each) for each in given.context]
    space: dict[str, Any] = {"type": "arms", "arms": given.arms, "context": context}
    if given.parameters is not None:
        inside = [_parameter(each) for each in given.parameters]
        space = {"type": "space", "parameters": inside, "context": context}
    if given.arms is not None and not given.arms:
        raise InvalidInput("arms", given.arms, "Give at least one arm.")
    more: dict[str, Any] = {}
    if given.constraints:
        from counsel.records import Constraint

        more["constraints"] = [Constraint(**each.model_dump()) for each in given.constraints]
    return create_study(
        space_from_dict(space),
        name=given.name,
        objective=given.objective,
        direction=given.direction,
        policy=given.policy,
        seed=given.seed,
        storage=desk.storage,
        load_if_exists=load_if_exists,
        **more,
    )


def checked_name(name: str) -> str:
    """A name that can be part of an address."""
    if not name or "/" in name or name in (".", "..") or name != name.strip():
        raise InvalidInput("name", name, "Give a name without slashes or outer spaces.")
    return name


def _parameter(given: m.ParameterGiven) -> Mapping[str, Any]:
    return given.model_dump(exclude_none=True)


def _outcomes(given: m.OutcomesGiven) -> dict[str, Any]:
    more: dict[str, Any] = {"constraints": given.constraints} if given.constraints else {}
    return {"value": given.value, **more}


def _why(attribution: Attribution) -> m.AttributionShown:
    return m.AttributionShown(**m.attribution_shown(attribution))


def _study_shown(study: Study) -> m.StudyShown:
    return m.StudyShown(
        **m.setup_shown(study.setup),
        facts=len(study.facts),
        observations=len(study.observations),
        pending=[each.id for each in study.pending],
    )
