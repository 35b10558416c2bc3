"""Requests to a service: retried where that is safe, with refusals raised as a study raises them.

A request that changes something has an idempotency key, given or generated: if it is sent again
after a broken connection, it counts once.
"""

import time
import uuid
from collections.abc import Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from counsel.errors import (
    Conflict,
    CounselError,
    HistoryChanged,
    InvalidInput,
    NotFound,
    NothingToExplain,
    NothingToPropose,
    StorageError,
    install,
)
from counsel.facts import codec
from counsel.facts.records import Lease
from counsel.facts.summaries import Setup

if TYPE_CHECKING:
    import httpx

__all__ = ["Connection"]

_LONGEST_WAIT = 10.0
_ATTEMPTS = 3
_RAISED: dict[str, type[CounselError]] = {
    "not-found": NotFound,
    "nothing-to-propose": NothingToPropose,
    "nothing-to-explain": NothingToExplain,
    "history-changed": HistoryChanged,
    "storage": StorageError,
}


class Connection:
    """One address, one token; safe to share between threads."""

    def __init__(self, url: str, token: str | None, timeout: float) -> None:
        if not isinstance(url, str) or not url.startswith(("http://", "https://")):
            raise InvalidInput(
                "url", url, "Give the service's address, such as http://127.0.0.1:8000."
            )
        try:
            import httpx
        except ImportError:
            raise CounselError(f"The client needs httpx: {install('server')}.") from None
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self.url = url.rstrip("/")
        self._http = httpx.Client(base_url=f"{self.url}/api/v1/", headers=headers, timeout=timeout)
        self._broken: type[Exception] = httpx.TransportError

    def close(self) -> None:
        self._http.close()

    def get(self, path: str, query: Mapping[str, str] | None = None) -> Any:
        return self._send("GET", path, query=query)

    def put(self, path: str, body: Mapping[str, Any]) -> Any:
        return self._send("PUT", path, body)

    def delete(self, path: str, query: Mapping[str, str] | None = None) -> None:
        self._send("DELETE", path, query=query)

    def compute(self, path: str, body: Mapping[str, Any]) -> Any:
        """Post a request that changes nothing and may be sent again."""
        return self._send("POST", path, body)

    def write(self, path: str, body: Mapping[str, Any], key: str | None) -> Any:
        """Post a request that changes something; with a key it counts once."""
        return self._send("POST", path, body, key=uuid.uuid4().hex if key is None else key)

    def _send(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        key: str | None = None,
        query: Mapping[str, str] | None = None,
    ) -> Any:
        # httpx would write NaN, and would refuse other values with its own message.
        content = None if body is None else _text(body)
        headers = {} if content is None else {"Content-Type": "application/json"}
        headers |= {} if key is None else {"Idempotency-Key": key}
        for attempt in range(1, _ATTEMPTS + 1):
            last = attempt == _ATTEMPTS
            try:
                answer = self._http.request(
                    method, path, content=content, headers=headers, params=query
                )
            except self._broken as error:
                if last:
                    raise CounselError(f"No answer from {self.url}: {error}.") from error
                time.sleep(0.2 * attempt)
                continue
            if answer.status_code != HTTPStatus.TOO_MANY_REQUESTS or last:
                break
            # Nothing was done yet: wait as long as the service asks.
            time.sleep(min(float(answer.headers.get("Retry-After", 1)), _LONGEST_WAIT))
        if answer.is_success:
            return answer.json() if answer.content else None
        raise _error(answer)


def _text(body: Mapping[str, Any]) -> str:
    try:
        return codec.to_text(body)
    except (TypeError, ValueError):
        raise InvalidInput(
            "request", body, "Give strings, finite numbers and booleans, by names that are strings."
        ) from None


def _error(answer: "httpx.Response") -> CounselError:
    try:
        problem = answer.json()
        kind = str(problem["type"]).removeprefix("urn:counsel:")
        detail = str(problem["detail"])
    except (ValueError, KeyError, TypeError):
        return CounselError(f"The service answered {answer.status_code}: {answer.text[:200]}.")
    if kind == "invalid-input":
        return InvalidInput(problem["field"], problem.get("value"), problem["remedy"])
    if kind == "conflict":
        return Conflict(detail, _winner(problem.get("fact")))
    return _RAISED.get(kind, CounselError)(detail)


def _winner(shown: Mapping[str, Any] | None) -> object:
    if shown is None:
        return None
    fields = {name: each for name, each in shown.items() if name != "kind"}
    match shown["kind"]:
        case "lease":
            return codec.read(Lease, fields)
        case "study":
            return codec.read(Setup, fields)
    return codec.read_fact(shown)
