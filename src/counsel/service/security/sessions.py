"""The sessions that browsers opened with a token.

A browser keeps a signed cookie with a random id; the token of each session is kept here. Signing
out removes the session, so a copied cookie is useless afterwards. Sessions end with the service.
"""

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Iterable

from counsel.service.security.access import NOBODY_IN_PARTICULAR, Person
from counsel.service.security.tokens import Token, Tokens

__all__ = ["LONGEST", "Sessions"]

LONGEST = 12 * 3600  # seconds; the token's own expiry applies if it is sooner
_MOST = 10_000  # the oldest session makes room


class Sessions:
    """Without `tokens` nobody signs in, and every session may do everything."""

    def __init__(self, tokens: Tokens | None) -> None:
        self._tokens = tokens
        self._open: OrderedDict[str, tuple[str, float]] = OrderedDict()  # token id, monotonic end
        self._lock = threading.Lock()

    def open(self, token: Token) -> str:
        session = secrets.token_urlsafe(24)
        with self._lock:
            self._open[session] = token.id, time.monotonic() + LONGEST
            while len(self._open) > _MOST:
                self._open.popitem(last=False)
        return session

    def close(self, session: str) -> None:
        with self._lock:
            self._open.pop(session, None)

    def person(self, session: str, *, within: float = 0.0) -> Person | None:
        """Whose session it is, or None if it has ended: signed out, too old, or its token revoked
        or expired.

        The storage's answer about the token is trusted for `within` seconds; its expiry is compared
        with the clock every time.
        """
        if self._tokens is None:
            return NOBODY_IN_PARTICULAR
        token_id = self._token(session)
        found = None if token_id is None else self._tokens.still(token_id, within=within)
        return None if found is None else Person.of(found)

    def people(self, sessions: Iterable[str]) -> dict[str, Person]:
        """The people behind those sessions that have not ended, with one query to the storage."""
        if self._tokens is None:
            return dict.fromkeys(sessions, NOBODY_IN_PARTICULAR)
        tokens = {session: self._token(session) for session in sessions}
        valid = self._tokens.valid({token for token in tokens.values() if token is not None})
        return {
            session: Person.of(valid[token])
            for session, token in tokens.items()
            if token is not None and token in valid
        }

    def _token(self, session: str) -> str | None:
        with self._lock:
            token, until = self._open.get(session, (None, 0.0))
            if token is not None and time.monotonic() > until:
                del self._open[session]
                return None
            return token
