"""Shared by the routes: parts of a request, the form of an answer, the pool of studies."""

from typing import Annotated, Any

from fastapi import Header, Path, Query, Request, Response

from counsel.facts import codec
from counsel.service.runtime.study_pool import StudyPool

__all__ = ["PROBLEMS", "Actor", "FactId", "Key", "StudyName", "pool_of", "reply"]

Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=200,
        description="A request sent twice with the same key counts once.",
    ),
]
StudyName = Annotated[str, Path(min_length=1, max_length=200)]
FactId = Annotated[str, Path(pattern=r"^[a-z][0-9]{1,12}$")]
Actor = Annotated[str | None, Query(min_length=1, max_length=200)]
_PROBLEM: dict[str, Any] = {"content": {"application/problem+json": {
    "schema": {"$ref": "#/components/schemas/ProblemDetails"}}}}  # fmt: skip
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"description": text, **_PROBLEM}
    for status, text in {
        400: "The request cannot be read.",
        401: "No token, or an invalid one.",
        403: "The token's role does not allow this.",
        404: "There is no such study, proposal or fact.",
        409: "Somebody else was first; `fact` is the one that won.",
        413: "The request is too large.",
        422: "Refused: field, value and remedy say why.",
        429: "Too many requests; try again after `Retry-After` seconds.",
        503: "The storage cannot be reached.",
    }.items()
}


def pool_of(request: Request) -> StudyPool:
    pool: StudyPool = request.app.state.pool
    return pool


def reply(value: object, status: int = 200) -> Response:
    """Records, or plain data with records in them, in the codec's form."""
    return Response(codec.to_text(value), status, media_type="application/json")
