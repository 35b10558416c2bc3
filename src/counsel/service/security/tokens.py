"""Access tokens with a name, roles and an expiry, stored as hashes.

A token is `counsel_ID_SECRET`. The secret has 256 random bits, so one round of SHA-256 is enough;
it is shown once, when created. Tokens are stored beside the studies in the same database. A token
has one role for all studies, and may have another one in single studies.

The name of an agent's token begins with "agent:", and no person's token can have such a name. Facts
carry the name, so the history tells agents from people wherever it is read.
"""

import hashlib
import hmac
import re
import secrets
import time
import uuid
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Literal, TypeVar, get_args

import sqlalchemy as sa

from counsel.errors import InvalidInput, NotFound
from counsel.facts.checks import check_name
from counsel.facts.records import AGENT
from counsel.storage import engine as opening
from counsel.storage import schema
from counsel.storage.database import PATIENCE, Database

__all__ = ["ROLES", "Role", "Token", "Tokens"]

T = TypeVar("T")
Role = Literal["none", "viewer", "participant", "owner"]
ROLES: tuple[Role, ...] = get_args(Role)

_PREFIX = "counsel"
_ID = re.compile(r"[0-9a-f]{12}")
_CHOSEN = re.compile(rf"{_PREFIX}_({_ID.pattern})_([!-~]{{32,200}})")  # as long as ours, or longer
_FRESH = 2.0  # seconds for which a token is trusted without another lookup


@dataclass(frozen=True, slots=True)
class Token:
    """A token without its secret."""

    id: str
    name: str
    role: Role
    created: datetime
    expires: datetime | None
    revoked: datetime | None
    studies: Mapping[str, Role] = field(default_factory=dict)  # where it has another role

    @property
    def state(self) -> Literal["valid", "expired", "revoked"]:
        if self.revoked is not None:
            return "revoked"
        if self.expires is not None and self.expires <= datetime.now(UTC):
            return "expired"
        return "valid"


class Tokens:
    """The tokens of the database at `url`; None keeps them in memory."""

    def __init__(self, url: str | None = None, *, patience: float = PATIENCE) -> None:
        if url is None:  # one that all threads of this process share
            url = f"sqlite:///file:{uuid.uuid4()}?mode=memory&cache=shared&uri=true"
        address = opening.parse(url)
        where = opening.shown(address)
        self._database = Database(address, lambda engine: opening.prepare(engine, where), patience)
        self._known: dict[str, tuple[float, Token, str]] = {}

    def create(
        self,
        name: str,
        role: str = "none",
        days: float | None = 90.0,
        *,
        studies: Mapping[str, str] | None = None,
        agent: bool = False,
        text: str | None = None,
    ) -> tuple[Token, str]:
        """A new token and its text, which is not stored. `days=None` never expires.

        `studies` maps studies to the role there, where it is not `role`. `text` is a text that was
        chosen before, such as a container's secret; a token that has it already stays as it is.
        """
        check_name("token", name)
        if name.startswith(AGENT):
            raise InvalidInput(
                "token name", name, "Names like this are for agents: create one with `agent`."
            )
        if agent:
            name = f"{AGENT}{name}"
            check_name("token", name)
        for each in (role, *(studies or {}).values()):
            _check_role(each)
        if days is not None and not 0 < days <= 3650:
            raise InvalidInput("days", days, "Give a number above 0, up to 3650.")
        now = datetime.now(UTC)
        ends = None if days is None else now + timedelta(days=days)
        if text is None:
            token_id, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
        else:
            token_id, secret = _chosen(text)
            if (known := self._find(token_id)) is not None:
                return _unchanged(*known, name, role, _hashed(secret)), text
        row: dict[str, object] = {"id": token_id, "name": name, "role": role}
        row |= {"hash": _hashed(secret), "created": now, "expires": ends}

        def work(connection: sa.Connection) -> None:
            connection.execute(sa.insert(schema.tokens), row)
            for study, given in (studies or {}).items():
                _grant(connection, token_id, study, given)

        self._write(work)
        found = self._find(token_id)
        assert found is not None
        return found[0], f"{_PREFIX}_{token_id}_{secret}"

    def all(self) -> list[Token]:
        return [token for token, _ in self._read(sa.true())]

    def revoke(self, token_id: str) -> Token:
        """Revoke a token; services notice within two seconds."""
        self._existing(token_id)
        change = sa.update(schema.tokens).where(schema.tokens.c.id == token_id)
        self._write(lambda connection: connection.execute(change.values(revoked=datetime.now(UTC))))
        return self._changed(token_id)

    def grant(self, token_id: str, study: str, role: str | None) -> Token:
        """Give a token another role in one study; None gives it its own role there again."""
        self._existing(token_id)
        if role is not None:
            _check_role(role)
        self._write(lambda connection: _grant(connection, token_id, study, role))
        return self._changed(token_id)

    def check(self, text: str) -> Token | None:
        """The token with this text if it is valid, else None."""
        parts = text.split("_", 2)
        if len(parts) != 3 or parts[0] != _PREFIX:
            return None
        found = self._fresh(parts[1])
        # Compared even if there is no such token, so that the time taken reveals nothing.
        kept = found[1] if found is not None else _hashed("")
        same = hmac.compare_digest(kept, _hashed(parts[2]))
        return found[0] if found is not None and same and found[0].state == "valid" else None

    def still(self, token_id: str, *, within: float = _FRESH) -> Token | None:
        """The token of this id if it is valid: for a session that was opened with it."""
        found = self._fresh(token_id, within)
        return found[0] if found is not None and found[0].state == "valid" else None

    def valid(self, token_ids: Set[str]) -> dict[str, Token]:
        """Those of the tokens that are valid now, with one query for all."""
        now = time.monotonic()
        found = self._read(schema.tokens.c.id.in_(sorted(token_ids)))
        self._known |= {token.id: (now, token, kept) for token, kept in found}
        return {token.id: token for token, _ in found if token.state == "valid"}

    def _existing(self, token_id: str) -> None:
        if self._find(token_id) is None:
            raise NotFound(f"There is no token {token_id!r}. See `counsel token list`.")

    def _changed(self, token_id: str) -> Token:
        self._known.pop(token_id, None)
        found = self._find(token_id)
        assert found is not None
        return found[0]

    def _fresh(self, token_id: str, within: float = _FRESH) -> tuple[Token, str] | None:
        known = self._known.get(token_id)
        if known is not None and time.monotonic() - known[0] < within:
            return known[1:]
        found = self._find(token_id)
        if found is not None:
            self._known[token_id] = (time.monotonic(), *found)
        return found

    def _find(self, token_id: str) -> tuple[Token, str] | None:
        if not _ID.fullmatch(token_id):  # and not every database accepts any text
            return None
        return next(iter(self._read(schema.tokens.c.id == token_id)), None)

    def _read(self, which: sa.ColumnElement[bool]) -> list[tuple[Token, str]]:
        """Tokens with their hashes, oldest first."""
        tokens, grants, studies = schema.tokens, schema.grants, schema.studies
        query = sa.select(tokens).where(which).order_by(tokens.c.created)
        granted = (
            sa.select(grants.c.token_id, studies.c.name, grants.c.role)
            .join_from(grants, studies)
            .join(tokens, tokens.c.id == grants.c.token_id)
            .where(which)
            .order_by(studies.c.id)
        )

        def work() -> list[tuple[Token, str]]:
            with self._database.reading() as connection:
                found = {row["id"]: row for row in connection.execute(query).mappings()}
                roles: dict[str, dict[str, Role]] = {token_id: {} for token_id in found}
                for token_id, study, role in connection.execute(granted):
                    roles[token_id][study] = role
            return [(_token(row, roles[row["id"]]), row["hash"]) for row in found.values()]

        return self._database.patiently(work)

    def _write(self, work: Callable[[sa.Connection], object]) -> None:
        def once() -> None:
            with self._database.writing() as connection:
                work(connection)

        self._database.patiently(once)

    def close(self) -> None:
        self._database.close()


def _grant(connection: sa.Connection, token_id: str, study: str, role: str | None) -> None:
    check_name("study", study)
    table = schema.grants
    query = sa.select(schema.studies.c.id).where(schema.studies.c.name == study)
    number = connection.execute(query).scalar_one_or_none()
    if number is None:
        raise NotFound(f"There is no study {study!r}. Create it first, then give roles in it.")
    there = (table.c.token_id == token_id) & (table.c.study_id == number)
    connection.execute(sa.delete(table).where(there))
    if role is not None:
        row = {"token_id": token_id, "study_id": number, "role": role}
        connection.execute(sa.insert(table), row)


def _check_role(role: str) -> None:
    if role not in ROLES:
        raise InvalidInput("role", role, f"Use one of {', '.join(ROLES)}.")


def _chosen(text: str) -> tuple[str, str]:
    """The id and the secret of a text that somebody chose. Messages do not repeat it."""
    found = _CHOSEN.fullmatch(text)
    if found is None:
        remedy = "Give counsel_ID_SECRET: 12 hexadecimal digits, then 32 or more random characters."
        raise InvalidInput("token text", f"{len(text)} characters", remedy)
    return found[1], found[2]


def _unchanged(known: Token, kept: str, name: str, role: str, hashed: str) -> Token:
    if (known.name, known.role) != (name, role) or not hmac.compare_digest(kept, hashed):
        taken = f"A token of {known.name}, {known.role}, has this id already. Choose another text."
        raise InvalidInput("token text", known.id, taken)
    return known


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _token(row: sa.RowMapping, studies: Mapping[str, Role]) -> Token:
    fields = {name: value for name, value in row.items() if name != "hash"}
    return Token(**fields, studies=studies)
