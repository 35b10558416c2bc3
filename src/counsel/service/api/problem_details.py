"""Errors as problem+json (RFC 9457): field, value and remedy; for a conflict, the fact that won."""

import math
from collections.abc import Sequence
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
    shorten,
)
from counsel.facts import codec
from counsel.facts.form import Record
from counsel.facts.records import Archival, Lease
from counsel.facts.summaries import Setup
from counsel.service.runtime.fair_queue import Abandoned, Busy
from counsel.service.security.authority import NotAllowed

__all__ = ["MEDIA", "NO_TOKEN", "Refused", "answer", "refusals", "register"]

MEDIA = "application/problem+json"
NO_TOKEN = "Send a token: the header 'Authorization: Bearer counsel_...'."
_LONGEST = 500  # characters of a text
_DEEPEST = 5  # levels of what is nested
_NUMBER, _WHOLE = "Give a number.", "Give a whole number."
_UNREADABLE = (
    "body: it cannot be read as JSON. Send UTF-8 text, less deeply nested, whose numbers have "
    "fewer digits."
)
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
        more = _parts(error)
    if isinstance(error, Conflict):
        archived = isinstance(error.fact, Archival) and error.fact.archived
        more = {"fact": _fact(error.fact), "title": "The study is archived" if archived else None}
    return answer(status, kind, str(error), **more)


def _parts(error: InvalidInput) -> dict[str, Any]:
    return {"field": error.field, "value": plain(error.value), "remedy": error.remedy}


def plain(value: Any, depth: int = _DEEPEST) -> Any:
    """A value that JSON can hold; others, and what is deep inside, are shown as shortened text."""
    if not depth and isinstance(value, dict | list | tuple):
        return shorten(value)
    match value:
        case None | bool() | int():
            return value if value is None or abs(value) < 2**53 else str(value)[:_LONGEST]
        case float():
            return value if math.isfinite(value) else str(value)
        case str():
            return value.encode("utf-8", "replace").decode()[:_LONGEST]
        case dict() if len(value) <= 20:
            return {str(plain(str(name))): plain(each, depth - 1) for name, each in value.items()}
        case list() | tuple() if len(value) <= 20:
            return [plain(each, depth - 1) for each in value]
    return plain(shorten(value))


def _fact(fact: object) -> dict[str, Any] | None:
    """The winning fact in the codec's form; leases and studies are named, as facts are."""
    if not isinstance(fact, Record):
        return None
    kinds = {Lease: "lease", Setup: "study"}
    kind = {"kind": kinds[type(fact)]} if type(fact) in kinds else {}
    return {**kind, **codec.write(fact)}


def refusals(errors: Sequence[Any], given: Any) -> list[InvalidInput]:
    """Errors that the models found in what was given, one for each field, in the words of all
    other refusals.

    Where a value may be of several kinds there is an error for each: they are one refusal, about
    the innermost field that was given.
    """
    found: dict[str, list[InvalidInput]] = {}
    for each in errors:
        refused = _refused(each, given)
        found.setdefault(refused.field, []).append(refused)
    return [
        InvalidInput(field, same[0].value, _any_of([each.remedy for each in same]))
        for field, same in found.items()
        if not any(other.startswith(f"{field}.") for other in found)
    ]


def _any_of(remedies: list[str]) -> str:
    """One sentence of several that begin with the same word."""
    said = list(dict.fromkeys(remedies))
    if _NUMBER in said and _WHOLE in said:
        said.remove(_WHOLE)
    if len(said) == 1 or not all(each.startswith("Give ") for each in said):
        return said[0]
    *others, last = [each.removeprefix("Give ").removesuffix(".") for each in said]
    return f"Give {', '.join(others)} or {last}."


def _refused(each: Any, given: Any) -> InvalidInput:
    place = _place(each, given)
    field = ".".join(place)
    own = (each.get("ctx") or {}).get("error")
    if each["type"] == "json_invalid":  # its place is a character, not a field
        return InvalidInput("body", each.get("input"), f"Send JSON: {own} at character {field}.")
    if isinstance(own, InvalidInput):  # of a record
        field = ".".join([*place, own.field] if own.field else place)
        return InvalidInput(field or "body", own.value, own.remedy)
    value = None if each["type"] == "missing" else each.get("input")
    return InvalidInput(field or "body", value, codec.remedy(each))


def _place(each: Any, given: Any) -> list[str]:
    """The fields that lead to an error, without the names of what a value might have been."""
    rest = list(each["loc"])
    if rest[:1] == ["body"]:
        del rest[0]
    if each["type"] == "json_invalid" or rest[:1] in (["path"], ["query"], ["header"]):
        return [str(part) for part in rest]
    place, inside = [], given
    for number, part in enumerate(rest):
        try:
            inside = inside[part]
        except (LookupError, TypeError):
            if each["type"] != "missing" or number < len(rest) - 1:
                continue
        place.append(str(part))
    return place


def register(app: FastAPI) -> None:
    @app.exception_handler(CounselError)
    async def counsel_error(request: Request, error: CounselError) -> JSONResponse:
        return of(error)

    @app.exception_handler(Busy)
    async def busy(request: Request, error: Busy) -> JSONResponse:
        return answer(429, "refused", str(error), {"Retry-After": "1"})

    @app.exception_handler(NotAllowed)
    async def not_allowed(request: Request, error: NotAllowed) -> JSONResponse:
        return answer(403, "refused", str(error))

    @app.exception_handler(Abandoned)
    async def abandoned(request: Request, error: Abandoned) -> JSONResponse:
        return answer(499, "refused", str(error))  # for the log: nobody hears it

    @app.exception_handler(Refused)
    async def refused(request: Request, error: Refused) -> JSONResponse:
        return answer(error.status, "refused", error.detail, error.headers)

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> JSONResponse:
        found = refusals(error.errors(), error.body)
        every = [_parts(each) for each in found[:20]]
        return answer(422, "invalid-input", str(found[0]), **every[0], errors=every)

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> JSONResponse:
        headers = dict(error.headers) if error.headers else None
        unreadable = isinstance(error.__cause__, RecursionError | ValueError)
        said = _UNREADABLE if unreadable else str(error.detail)
        return answer(error.status_code, "http", said, headers)
