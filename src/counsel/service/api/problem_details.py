"""Errors as problem+json (RFC 9457): field, value and remedy; for a conflict, the fact that won."""

import math
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from counsel.errors import (
    Conflict,
    CounselError,
    HistoryChanged,
    InvalidInput,
    NotFound,
    NothingToExplain,
    NothingToPropose,
    StorageError,
)
from counsel.facts import codec
from counsel.facts.form import Record
from counsel.facts.records import Archival, Lease
from counsel.facts.summaries import Setup
from counsel.service.runtime.fair_queue import Abandoned, Busy

__all__ = ["MEDIA", "NO_TOKEN", "Refused", "answer", "register"]

MEDIA = "application/problem+json"
NO_TOKEN = "Send a token: the header 'Authorization: Bearer counsel_...'."
_LONGEST = 500
_TITLES = {
    400: "The request cannot be read",
    401: "Not signed in",
    403: "Not allowed",
    404: "Not found",
    405: "Not a method of this address",
    409: "Somebody else was first",
    413: "Too large",
    422: "Not accepted",
    429: "Too many requests",
    500: "Something is wrong with the service",
    503: "The storage cannot be reached",
}
_KIND_TITLES = {
    "history-changed": "The history has changed",
    "nothing-to-explain": "There is nothing to say",
    "nothing-to-propose": "There is nothing to propose",
}
_KINDS: tuple[tuple[type[CounselError], int, str], ...] = (
    (InvalidInput, 422, "invalid-input"),
    (NotFound, 404, "not-found"),
    (Conflict, 409, "conflict"),
    (NothingToPropose, 409, "nothing-to-propose"),
    (NothingToExplain, 409, "nothing-to-explain"),
    (HistoryChanged, 409, "history-changed"),
    (StorageError, 503, "storage"),
    (CounselError, 500, "error"),
)


class Refused(Exception):
    """Raised to refuse a request."""

    def __init__(self, status: int, detail: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.detail = status, detail
        self.headers = headers or ({"WWW-Authenticate": "Bearer"} if status == 401 else {})


def answer(
    status: int, kind: str, detail: str, headers: dict[str, str] | None = None, **more: Any
) -> JSONResponse:
    body = {
        "type": f"urn:counsel:{kind}",
        "title": _KIND_TITLES.get(kind) or _TITLES.get(status, "Refused"),
        "status": status,
        "detail": detail,
        **{name: each for name, each in more.items() if each is not None},
    }
    return JSONResponse(body, status, headers, media_type=MEDIA)


def of(error: CounselError) -> JSONResponse:
    status, kind = next((status, kind) for cls, status, kind in _KINDS if isinstance(error, cls))
    more: dict[str, Any] = {}
    if isinstance(error, InvalidInput):
        more = {"field": error.field, "value": plain(error.value), "remedy": error.remedy}
    if isinstance(error, Conflict):
        archived = isinstance(error.fact, Archival) and error.fact.archived
        more = {"fact": _fact(error.fact), "title": "The study is archived" if archived else None}
    return answer(status, kind, str(error), **more)


def plain(value: Any) -> Any:
    """A value that JSON can hold; others are shown as shortened text."""
    match value:
        case None | bool() | int():
            return value if value is None or abs(value) < 2**53 else str(value)[:_LONGEST]
        case float():
            return value if math.isfinite(value) else str(value)
        case str():
            return value.encode("utf-8", "replace").decode()[:_LONGEST]
        case dict() if len(value) <= 20:
            return {str(plain(str(name))): plain(each) for name, each in value.items()}
        case list() | tuple() if len(value) <= 20:
            return [plain(each) for each in value]
    return plain(repr(value)[:_LONGEST])


def _fact(fact: object) -> dict[str, Any] | None:
    """The winning fact in the codec's form; leases and studies are named, as facts are."""
    if not isinstance(fact, Record):
        return None
    kinds = {Lease: "lease", Setup: "study"}
    kind = {"kind": kinds[type(fact)]} if type(fact) in kinds else {}
    return {**kind, **codec.write(fact)}


def _malformed(error: RequestValidationError) -> JSONResponse:
    """Validation errors of the models, in the form of all other refusals."""
    found = [_refused(each) for each in error.errors()]
    first = found[0]
    detail = f"{first['field']}: {first['remedy']}"
    return answer(422, "invalid-input", detail, **first, errors=plain(found[:20]))


def _refused(each: Any) -> dict[str, Any]:
    field = ".".join(str(part) for part in each["loc"] if part != "body")
    own = (each.get("ctx") or {}).get("error")
    if each.get("type") == "json_invalid":  # its place is a character, not a field
        remedy = f"Send JSON: {own} at character {field}."
        return {"field": "body", "value": plain(each.get("input")), "remedy": remedy}
    if isinstance(own, InvalidInput):  # of a record
        field = f"{field}.{own.field}" if field and own.field else field or own.field
        return {"field": field or "body", "value": plain(own.value), "remedy": own.remedy}
    return {
        "field": field or "body",
        "value": plain(each.get("input")),
        "remedy": f"{each['msg']}.",
    }


def register(app: FastAPI) -> None:
    @app.exception_handler(CounselError)
    async def counsel_error(request: Request, error: CounselError) -> JSONResponse:
        return of(error)

    @app.exception_handler(Busy)
    async def busy(request: Request, error: Busy) -> JSONResponse:
        return answer(429, "refused", str(error), {"Retry-After": "1"})

    @app.exception_handler(Abandoned)
    async def abandoned(request: Request, error: Abandoned) -> JSONResponse:
        return answer(499, "refused", str(error))  # for the log: nobody hears it

    @app.exception_handler(Refused)
    async def refused(request: Request, error: Refused) -> JSONResponse:
        return answer(error.status, "refused", error.detail, error.headers)

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> JSONResponse:
        return _malformed(error)

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> JSONResponse:
        headers = dict(error.headers) if error.headers else None
        return answer(error.status_code, "http", str(error.detail), headers)
