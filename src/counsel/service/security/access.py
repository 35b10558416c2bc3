"""Identifies who sent a request, and checks what their role may do.

Without tokens everybody is an owner, and the service listens on loopback only. With them, the REST
interface takes a bearer token in a header (never a cookie, so no other site can use it), and the
pages a session (sessions.py) that was opened with a token.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from counsel.errors import CounselError
from counsel.service.api.problem_details import NO_TOKEN, Refused
from counsel.service.security.tokens import ROLES, Role, Tokens
from counsel.study import NOBODY

__all__ = [
    "NOBODY_IN_PARTICULAR",
    "NotAllowed",
    "Owner",
    "Participant",
    "Person",
    "Viewer",
]

_BEARER = HTTPBearer(auto_error=False, description="A token created with `counsel token create`.")


@dataclass(frozen=True, slots=True)
class Person:
    """Who sent a request. `named` is set if a token identifies them."""

    name: str
    role: Role
    named: bool

    def may(self, role: Role) -> bool:
        return ROLES.index(self.role) >= ROLES.index(role)

    def actor(self, given: str | None) -> str:
        """The actor of a fact; the request cannot override a token's name."""
        return self.name if self.named else given or self.name


class NotAllowed(CounselError):
    """Raised if a person on a page may not, or may no longer, do this."""


NOBODY_IN_PARTICULAR = Person(NOBODY, "owner", named=False)


def _at_least(role: Role) -> Callable[..., Any]:
    async def check(
        request: Request,
        given: Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)],
    ) -> Person:
        tokens: Tokens | None = request.app.state.tokens
        if tokens is None:
            return NOBODY_IN_PARTICULAR
        if given is None:
            raise Refused(401, NO_TOKEN)
        found = await request.app.state.pool.store(tokens.check, given.credentials)
        if found is None:
            raise Refused(401, "This token is unknown, expired or revoked. Ask for a new one.")
        person = Person(found.name, found.role, named=True)
        if not person.may(role):
            raise Refused(403, f"This needs the role {role!r}; the token has {found.role!r}.")
        request.scope["counsel.actor"] = person.name
        return person

    return check


Viewer = Annotated[Person, Depends(_at_least("viewer"))]
Participant = Annotated[Person, Depends(_at_least("participant"))]
Owner = Annotated[Person, Depends(_at_least("owner"))]
