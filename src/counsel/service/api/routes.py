"""The REST interface. Routes read the request, call the study and answer; they decide nothing.

routes.py          the service itself, studies, their facts
loop_routes.py     ask, decide, tell, compare, correct
belief_routes.py   what is believed, and why
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import PlainTextResponse

from counsel import __version__, policies
from counsel.errors import InvalidInput
from counsel.exchange import document, table
from counsel.service.api import beliefs as belief_routes
from counsel.service.api import loop as loop_routes
from counsel.service.api import models as m
from counsel.service.api.problem_details import Refused
from counsel.service.api.requests import PROBLEMS, Key, StudyName, pool_of
from counsel.service.runtime.study_pool import StudyPool
from counsel.service.security.access import Owner, Participant, Viewer
from counsel.space import space_from_dict
from counsel.study import Study, create_study, delete_study

__all__ = ["checked_name", "make_study", "router"]

router = APIRouter(prefix="/api/v1", responses=PROBLEMS)


# ---- the service --------------------------------------------------------------------------------


@router.get("/live", tags=["service"])
async def live() -> dict[str, Literal["ok"]]:
    """Whether the service itself answers, whatever its storage does. Needs no token."""
    return {"status": "ok"}


@router.get("/health", tags=["service"])
async def health(request: Request) -> m.HealthShown:
    """Whether the service is ready: it and its storage answer. Needs no token, and says nothing
    of what is wrong: the log does."""
    found = await pool_of(request).pulse()
    if found is None:
        raise Refused(503, "The storage does not answer at present. The service's log says why.")
    return m.HealthShown(status="ok", version=__version__, studies=found)


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
    pool = pool_of(request)
    return [m.SummaryShown(**m.summary_shown(s)) for s in await pool.store(pool.summaries)]


@router.post("/studies", status_code=201, tags=["studies"])
async def new_study(
    request: Request, given: m.StudyGiven, person: Owner, key: Key = None
) -> m.StudyShown:
    """Create a study. Repeated with a key, the study that is there is answered with."""
    pool = pool_of(request)
    made = await pool.store(make_study, pool, given, key is not None)
    pool.changed(made.name)
    return await pool.store(_study_shown, made)


@router.get("/studies/{name}", tags=["studies"])
async def show_study(request: Request, name: StudyName, person: Viewer) -> m.StudyShown:
    pool = pool_of(request)
    return await pool.store(lambda: _study_shown(pool.study(name)))


@router.delete("/studies/{name}", status_code=204, tags=["studies"])
async def remove_study(request: Request, name: StudyName, person: Owner) -> None:
    """Remove a study with all its facts, for good."""
    pool = pool_of(request)
    await pool.store(delete_study, name, pool.storage)
    pool.put_away(name)


@router.get("/studies/{name}/facts", tags=["history"])
async def facts(
    request: Request,
    name: StudyName,
    person: Viewer,
    after: Annotated[int, Query(ge=0, le=2**31)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
) -> m.FactsShown:
    """Everything that happened, in order, from behind the first `after` facts on."""
    pool = pool_of(request)
    every = await pool.store(lambda: pool.study(name).facts)
    found = [m.fact_shown(fact) for fact in every[after : after + limit]]
    following = after + limit if after + limit < len(every) else None
    return m.FactsShown.model_validate({"facts": found, "count": len(every), "next": following})


@router.get("/studies/{name}/observations", tags=["history"])
async def observations(
    request: Request, name: StudyName, person: Viewer
) -> list[m.ObservationShown]:
    """The observations in force, with the outcomes in force."""
    pool = pool_of(request)
    found = await pool.store(lambda: pool.study(name).observations)
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
    pool = pool_of(request)
    study = await pool.store(pool.study, name)
    write = document.to_json if format == "json" else table.to_csv
    text = await pool.store(lambda: write(study.setup, study.facts))
    media = "application/json" if format == "json" else "text/csv"
    offered = {"Content-Disposition": f'attachment; filename="study.{format}"'}
    return Response(text, media_type=media, headers=offered)


@router.post("/studies/{name}/replay", tags=["history"])
async def replay(request: Request, name: StudyName, person: Participant) -> m.ReplayShown:
    """Derive every proposal anew from the facts before it, and compare bit for bit."""
    pool = pool_of(request)
    found = await pool.compute(lambda: pool.study(name).replay())
    differences = [
        {"proposal": d.proposal, "field": d.field, "recorded": str(d.recorded),
         "replayed": str(d.replayed)}
        for d in found.differences
    ]  # fmt: skip
    return m.ReplayShown(
        proposals=found.proposals, identical=found.identical, differences=differences
    )


router.include_router(loop_routes.router)
router.include_router(belief_routes.router)


# ---- inside -------------------------------------------------------------------------------------


def make_study(pool: StudyPool, given: m.StudyGiven, load_if_exists: bool = False) -> Study:
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
        from counsel.facts.records import Constraint

        more["constraints"] = [Constraint(**each.model_dump()) for each in given.constraints]
    return create_study(
        space_from_dict(space),
        name=given.name,
        objective=given.objective,
        direction=given.direction,
        policy=given.policy,
        seed=given.seed,
        storage=pool.storage,
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


def _study_shown(study: Study) -> m.StudyShown:
    return m.StudyShown(
        **m.setup_shown(study.setup),
        facts=len(study.facts),
        observations=len(study.observations),
        pending=[each.id for each in study.pending],
    )
