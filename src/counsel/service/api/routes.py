"""The REST interface. Routes read the request, call the study and answer; they contain no logic.

routes.py    the service itself, studies, their facts
loop.py      ask, decide, tell, compare, correct
beliefs.py   beliefs and explanations
"""

import types
from typing import Annotated, Any, Literal, get_args, get_type_hints

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import PlainTextResponse
from starlette.routing import compile_path

from counsel import __version__, policies
from counsel.errors import InvalidInput
from counsel.exchange import document, table
from counsel.exchange.description import described
from counsel.exchange.schema import schemas
from counsel.facts.problem import Problem
from counsel.facts.summaries import Replay, Setup, Summary
from counsel.service.api import beliefs as belief_routes
from counsel.service.api import loop as loop_routes
from counsel.service.api import models as m
from counsel.service.api.problem_details import Refused
from counsel.service.api.requests import PROBLEMS, Key, StudyName, pool_of, reply
from counsel.service.runtime.study_pool import StudyPool
from counsel.service.security.access import Owner, Participant, TokenHolder, Viewer
from counsel.study import Study, create_study
from counsel.study.protocol import members

__all__ = ["checked_name", "make_study", "router"]

router = APIRouter(prefix="/api/v1", responses=PROBLEMS)
_METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]


# ---- the service --------------------------------------------------------------------------------


@router.get("/live", tags=["service"])
async def live() -> dict[str, Literal["ok"]]:
    """Whether the service itself answers, whatever the state of its storage. Needs no token."""
    return {"status": "ok"}


@router.get("/health", tags=["service"])
async def health(request: Request) -> m.HealthShown:
    """Whether the service and its storage answer. Needs no token; the log says what is wrong."""
    found = await pool_of(request).pulse()
    if found is None:
        raise Refused(503, "The storage does not answer. The service's log says why.")
    return m.HealthShown(status="ok", version=__version__, studies=found)


@router.get("/metrics", tags=["service"], response_class=PlainTextResponse)
async def metrics(request: Request, person: Viewer) -> Response:
    """Counts and times in Prometheus' text format."""
    content, media = request.app.state.metrics.text()
    return Response(content, media_type=media)


@router.get("/policies", tags=["service"])
async def list_policies(request: Request, person: TokenHolder) -> list[str]:
    """The names that a new study's policy can have."""
    return list(await pool_of(request).store(policies.names))


@router.get("/schema", tags=["service"])
async def schema(person: TokenHolder) -> dict[str, Any]:
    """The JSON Schema of a study file and of every record, by name."""
    return schemas()


# ---- studies ------------------------------------------------------------------------------------


@router.get("/studies", tags=["studies"], response_model=list[Summary])
async def list_studies(request: Request, person: TokenHolder, archived: bool = False) -> Response:
    """The studies that the token has a part in; archived ones only if asked for."""
    pool = pool_of(request)
    found = await pool.store(pool.summaries)
    seen = [each for each in found if person.may("viewer", each.name)]
    return reply([each for each in seen if archived or not each.archived])


@router.post("/studies", status_code=201, tags=["studies"], response_model=Setup)
async def new_study(
    request: Request, given: m.StudyGiven, person: Owner, key: Key = None
) -> Response:
    """Create a study. Repeating the request with its key returns the study that it created."""
    pool = pool_of(request)
    made = await pool.store(make_study, pool, given, key)
    pool.changed(made.name)
    return reply(made.setup, 201)


@router.get("/studies/{name}", tags=["studies"], response_model=Setup)
async def show_study(request: Request, name: StudyName, person: Viewer) -> Response:
    """What the study was created with."""
    pool = pool_of(request)
    return reply(await pool.store(lambda: pool.study(name).setup))


@router.delete("/studies/{name}", status_code=204, tags=["studies"])
async def remove_study(request: Request, name: StudyName, person: Owner) -> None:
    """Delete a study and all its facts, permanently."""
    pool = pool_of(request)
    await pool.store(pool.delete, name)


@router.get("/studies/{name}/facts", tags=["history"], response_model=m.FactsShown)
async def facts(
    request: Request,
    name: StudyName,
    person: Viewer,
    after: Annotated[int, Query(ge=0, le=2**31)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
) -> Response:
    """Everything that happened, in order: the facts after offset `after`."""
    pool = pool_of(request)
    every = await pool.store(lambda: pool.study(name).facts)
    following = after + limit if after + limit < len(every) else None
    found = every[after : after + limit]
    return reply({"facts": found, "count": len(every), "next": following})


@router.get("/studies/{name}/problem", tags=["history"], response_model=Problem)
async def problem(request: Request, name: StudyName, person: Viewer) -> Response:
    """What is searched and wanted today: the space is as the last amendment has it."""
    pool = pool_of(request)
    return reply(await pool.store(lambda: pool.study(name).problem))


def _lists_records(verb: str) -> None:
    """A route for what the contract lists under this name."""
    listed = members()[verb].fget

    async def route(request: Request, name: StudyName, person: Viewer) -> Response:
        pool = pool_of(request)
        return reply(await pool.store(lambda: getattr(pool.study(name), verb)))

    route.__name__, route.__doc__ = verb, listed.__doc__
    (record, _) = get_args(get_type_hints(listed)["return"])
    listing = types.GenericAlias(list, (record,))
    path = f"/studies/{{name}}/{verb}"
    router.get(path, tags=["history"], response_model=listing)(route)


for _verb in ("observations", "decisions", "failures", "claims", "comments", "comparisons"):
    _lists_records(_verb)


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


@router.post("/studies/{name}/replay", tags=["history"], response_model=Replay)
async def replay(request: Request, name: StudyName, person: Participant) -> Response:
    """Derive every proposal again from the facts before it, and compare bit for bit."""
    pool = pool_of(request)
    return reply(await pool.compute(lambda: pool.study(name).replay()))


router.include_router(loop_routes.router)
router.include_router(belief_routes.router)


@router.api_route("/{rest:path}", methods=_METHODS, include_in_schema=False)
async def unknown(request: Request, rest: str, person: TokenHolder) -> None:
    """Refuse what no route above takes; otherwise the pages would answer, in HTML."""
    paths: dict[str, dict[str, Any]] = request.app.openapi()["paths"]
    others = {
        method.upper()
        for path, methods in paths.items()
        if compile_path(path)[0].match(request.scope["path"])
        for method in methods
    }
    if others:
        allowed = ", ".join(sorted(others))
        said = f"{request.method} is not a method of /api/v1/{rest}. Use {allowed}."
        raise Refused(405, said, {"Allow": allowed})
    raise Refused(404, f"There is no /api/v1/{rest}. /api/v1/openapi.json lists what there is.")


# ---- inside -------------------------------------------------------------------------------------


def make_study(pool: StudyPool, given: m.StudyGiven, key: str | None = None) -> Study:
    """The study that a request describes."""
    checked_name(given.name)
    arguments = described(given.model_dump(exclude_none=True), where="study")
    return create_study(**arguments, storage=pool.storage, idempotency_key=key)


def checked_name(name: str) -> str:
    """Check that a name can be part of a URL."""
    if not name or "/" in name or name in (".", "..") or name != name.strip():
        raise InvalidInput("name", name, "Give a name without slashes or outer spaces.")
    return name
