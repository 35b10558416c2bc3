"""The application: studies in a storage, over HTTP and as pages."""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.types import ASGIApp, Receive, Scope, Send

from counsel import __version__
from counsel.service.api import problem_details as failures
from counsel.service.api.models import ProblemDetails
from counsel.service.api.routes import router
from counsel.service.extension import Extension
from counsel.service.runtime.compute import ComputeProcess
from counsel.service.runtime.metrics import Metrics
from counsel.service.runtime.study_pool import StudyPool
from counsel.service.security.middleware import Limits, ServiceMiddleware
from counsel.service.security.sessions import Sessions
from counsel.service.security.tokens import Tokens
from counsel.storage import Storage, open_storage

__all__ = ["LOOPBACK", "create_app"]

log = logging.getLogger("counsel.service")

_AGAIN = 1.0  # seconds until what failed is begun again
LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]", "testserver"})


def create_app(
    storage: str | Storage | None = None,
    *,
    tokens: Tokens | None = None,
    pages: bool = True,
    extension: Extension | None = None,
    limits: Limits | None = None,
    hosts: frozenset[str] | None = LOOPBACK,
    apart: bool | ComputeProcess = False,
) -> FastAPI:
    """An ASGI application over a storage.

    Without `tokens` everybody may do everything, so it answers only to `hosts`, this machine's own
    names. An `extension` adds simulated worlds and pages. With `apart`, proposals are computed in a
    separate process, for many people at once; there may be one already.
    """
    metrics = Metrics()
    pool = StudyPool(open_storage(storage), extension or Extension(), metrics.waited)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        if apart:  # only after a server has forked its workers
            pool.proposer = ComputeProcess() if apart is True else apart
        looking = [asyncio.create_task(_keep(pool.look)), asyncio.create_task(pool.begin())]
        if pages:
            watch = partial(app.state.open_pages.watch, pool.store)
            looking.append(asyncio.create_task(_keep(watch)))
        try:
            yield
        finally:
            for task in looking:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
            await asyncio.to_thread(pool.close)
            if tokens is not None:
                tokens.close()

    app = FastAPI(
        title="Counsel",
        version=__version__,
        summary="An optimizer that proposes what to try next, says why, and takes your counsel.",
        lifespan=lifespan,
        openapi_url="/api/v1/openapi.json",
        docs_url=None,  # its page would load scripts from another site
        redoc_url=None,
    )
    app.state.pool, app.state.tokens, app.state.metrics = pool, tokens, metrics
    app.state.sessions = Sessions(tokens)
    failures.register(app)
    app.include_router(router)
    app.openapi = lambda: _openapi(app)  # type: ignore[method-assign]
    if pages:
        from counsel.service.web import attach

        attach(app, secrets.token_urlsafe(32), pool.extension.pages)
    app.add_middleware(_Known, app=app)
    app.add_middleware(
        ServiceMiddleware,
        limits=limits or Limits(),
        metrics=metrics,
        hosts=hosts if tokens is None else None,
        guarded=tokens is not None,
    )
    return app


async def _keep(work: Callable[[], Awaitable[None]]) -> None:
    """Work for as long as the service runs: an error is logged, and does not end it."""
    while True:
        try:
            return await work()
        except Exception:
            log.exception("begun again after an error")
            await asyncio.sleep(_AGAIN)


class _Known:
    """Lets a page, which is part of a mounted app, find its pool."""

    def __init__(self, inner: ASGIApp, app: FastAPI) -> None:
        self._inner, self._app = inner, app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["counsel.app"] = self._app
        await self._inner(scope, receive, send)


def _openapi(app: FastAPI) -> dict[str, object]:
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title, version=app.version, summary=app.summary, routes=app.routes
        )
        schemas = document["components"]["schemas"]
        problem = ProblemDetails.model_json_schema(ref_template="#/components/schemas/{model}")
        schemas["ProblemDetails"] = problem
        for unused in ("HTTPValidationError", "ValidationError"):
            schemas.pop(unused, None)
        if app.state.tokens is None:  # an open service requires no token, and documents it
            for operation in (o for path in document["paths"].values() for o in path.values()):
                operation.pop("security", None)
        app.openapi_schema = document
    return app.openapi_schema
