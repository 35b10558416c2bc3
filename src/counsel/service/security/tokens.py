"""Access tokens with a name, a role and an expiry, stored as hashes.

A token is `counsel_ID_SECRET`. The secret has 256 random bits, so one round of SHA-256 is enough;
it is shown once, when created. Tokens belong to the service, not to a study: they are in their own
table beside the studies, created when first needed.
"""

import hashlib
import hmac
import re
import secrets
import time
import uuid
from collections.abc import Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, get_args

import sqlalchemy as sa

from counsel.errors import InvalidInput, NotFound
from counsel.facts.records import check_name
from counsel.storage import engine as opening
from counsel.storage.database import PATIENCE, Database
from counsel.storage.schema import Moment

__all__ = ["ROLES", "Role", "Token", "Tokens"]

Role = Literal["viewer", "participant", "owner"]
ROLES: tuple[Role, ...] = get_args(Role)

_PREFIX = "counsel"
_ID = re.compile(r"[0-9a-f]{12}")
_FRESH = 2.0  # seconds for which a token is trusted without another lookup
_metadata = sa.MetaData()
_tokens = sa.Table(
    "counsel_tokens",
    _metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("hash", sa.Text, nullable=False),
    sa.Column("created", Moment, nullable=False),
    sa.Column("expires", Moment),
    sa.Column("revoked", Moment),
)


@dataclass(frozen=True, slots=True)
class Token:
    """A token without its secret."""

    id: str
    name: str
    role: Role
    created: datetime
    expires: datetime | None
    revoked: datetime | None

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
        self._database = Database(opening.parse(url), _prepare, patience)
        self._known: dict[str, tuple[float, Token, str]] = {}

    def create(self, name: str, role: str, days: float | None = 90.0) -> tuple[Token, str]:
        """A new token and its text, which is not stored. `days=None` never expires."""
        check_name("token", name)
        if role not in ROLES:
            raise InvalidInput("role", role, f"Use one of {', '.join(ROLES)}.")
        if days is not None and not 0 < days <= 3650:
            raise InvalidInput("days", days, "Give a number above 0, up to 3650.")
        now = datetime.now(UTC)
        ends = None if days is None else now + timedelta(days=days)
        made = Token(secrets.token_hex(6), name, role, now, ends, None)
        secret = secrets.token_urlsafe(32)
        row = {"id": made.id, "name": name, "role": role, "hash": _hashed(secret)}

        def work() -> None:
            with self._database.writing() as connection:
                connection.execute(sa.insert(_tokens), {**row, "created": now, "expires": ends})

        self._database.patiently(work)
        return made, f"{_PREFIX}_{made.id}_{secret}"

    def all(self) -> list[Token]:
        return [_token(row) for row in self._rows(sa.select(_tokens).order_by(_tokens.c.created))]

    def revoke(self, token_id: str) -> Token:
        """Revoke a token; services notice within two seconds."""
        found = self._find(token_id)
        if found is None:
            raise NotFound(f"There is no token {token_id!r}. See `counsel token list`.")

        def work() -> None:
            with self._database.writing() as connection:
                change = sa.update(_tokens).where(_tokens.c.id == token_id)
                connection.execute(change.values(revoked=datetime.now(UTC)))

        self._database.patiently(work)
        self._known.pop(token_id, None)
        after = self._find(token_id)
        assert after is not None
        return after[0]

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

    def valid(self, token_ids: Set[str]) -> set[str]:
        """Those of the tokens that are valid now, with one query for all."""
        query = sa.select(_tokens).where(_tokens.c.id.in_(sorted(token_ids)))
        rows = self._rows(query)
        now = time.monotonic()
        found = {row["id"]: (now, _token(row), row["hash"]) for row in rows}
        self._known |= found
        return {token_id for token_id, (_, token, _) in found.items() if token.state == "valid"}

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
        rows = self._rows(sa.select(_tokens).where(_tokens.c.id == token_id))
        return (_token(rows[0]), rows[0]["hash"]) if rows else None

    def _rows(self, query: sa.Select[Any]) -> Sequence[sa.RowMapping]:
        def work() -> Sequence[sa.RowMapping]:
            with self._database.reading() as connection:
                return connection.execute(query).mappings().all()

        return self._database.patiently(work)

    def close(self) -> None:
        self._database.close()


def _prepare(engine: sa.Engine) -> None:
    with opening.begin_writing(engine) as connection:
        _metadata.create_all(connection)


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _token(row: sa.RowMapping) -> Token:
    return Token(
        row["id"], row["name"], row["role"], row["created"], row["expires"], row["revoked"]
    )
