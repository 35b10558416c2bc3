"""Identifies who sent a request, and checks what their role may do.

Without tokens everybody is an owner, and the service listens on loopback only. With them, the REST
interface takes a bearer token in a header (never a cookie, so no other site can use it), and the
pages a session (sessions.py) that was opened with a token. A token has a role for all studies, and
may have another one in single studies: an owner of one can be nobody in the next.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from counsel.service.api.problem_details import NO_TOKEN, Refused
from counsel.service.runtime.callers import CALLER, Caller
from counsel.service.security.authority import rule_for
from counsel.service.security.tokens import ROLES, Role, Token, Tokens
from counsel.storage.ledger import Rule
from counsel.study import NOBODY

__all__ = [
    "NOBODY_IN_PARTICULAR",
    "Owner",
    "Participant",
    "Person",
    "TokenHolder",
    "Viewer",
    "no_such_study",
]

_BEARER = HTTPBearer(auto_error=False, description="A token created with `counsel token create`.")


@dataclass(frozen=True, slots=True)
class Person:
    """Who sent a request. `named` is set if a token identifies them."""

    name: str
    role: Role
    named: bool
    studies: Mapping[str, Role] = field(default_factory=dict)  # where the role is another one
    token: str | None = None  # its id

    @classmethod
    def of(cls, token: Token) -> "Person":
        return cls(token.name, token.role, True, token.studies, token.id)

    def role_in(self, study: str | None) -> Role:
        return self.role if study is None else self.studies.get(study, self.role)

    def may(self, role: Role, study: str | None = None) -> bool:
        """Whether this person may do what takes a role: in a study, or outside of all."""
        return ROLES.index(self.role_in(study)) >= ROLES.index(role)

    def actor(self, given: str | None) -> str:
        """The actor of a fact; the request cannot override a token's name."""
        return self.name if self.named else given or self.name

    def rule(self, study: str | None) -> Rule | None:
        """What this person's facts in a study are checked against; None without a token."""
        return rule_for(owner=self.may("owner", study)) if self.named else None


NOBODY_IN_PARTICULAR = Person(NOBODY, "owner", named=False)


def no_such_study(name: str) -> str:
    """The answer to somebody who has no part in a study, whether there is one or not."""
    return f"There is no study {name!r}, or you have no part in it. See the list of studies."


def _at_least(role: Role) -> Callable[..., Any]:
    async def check(
        request: Request,
        given: Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)],
    ) -> Person:
        tokens: Tokens | None = request.app.state.tokens
        study = request.path_params.get("name")
        if tokens is None:
            CALLER.set(_caller(request, NOBODY_IN_PARTICULAR, study))
            return NOBODY_IN_PARTICULAR
        if given is None:
            raise Refused(401, NO_TOKEN)
        found = await request.app.state.pool.store(tokens.check, given.credentials)
        if found is None:
            raise Refused(401, "This token is unknown, expired or revoked. Ask for a new one.")
        person = Person.of(found)
        request.scope["counsel.actor"] = person.name
        if study is not None and not person.may("viewer", study):
            raise Refused(404, no_such_study(study))
        if not person.may(role, study):
            has = person.role_in(study)
            raise Refused(403, f"This needs the role {role!r}; the token has {has!r}.")
        CALLER.set(_caller(request, person, study))
        return person

    return check


def _caller(request: Request, person: Person, study: str | None) -> Caller:
    async def left() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    return Caller(person.token, study, request.method != "GET", left, person.rule(study))


TokenHolder = Annotated[Person, Depends(_at_least("none"))]
Viewer = Annotated[Person, Depends(_at_least("viewer"))]
Participant = Annotated[Person, Depends(_at_least("participant"))]
Owner = Annotated[Person, Depends(_at_least("owner"))]
