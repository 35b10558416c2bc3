"""ASGI middleware: limits, safe headers, and a line in the log.

It is plain ASGI, so that answers are not buffered and the pages' sockets pass through.
"""

import asyncio
import logging
import time
import uuid
from collections import OrderedDict
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from counsel.service.api.problem_details import NO_TOKEN, answer
from counsel.service.runtime.metrics import Metrics

__all__ = ["Limits", "ServiceMiddleware"]

log = logging.getLogger("counsel.service")

_API = "/api/"
_STATIC = "/_nicegui/"
# The pages' framework compiles its templates in the browser: it needs 'unsafe-eval'. Nothing is
# loaded from elsewhere, nothing is sent elsewhere, and no other site may frame a page.
_PAGES = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self' ws: wss:; worker-src 'self' blob:; frame-ancestors 'none'; "
    "base-uri 'self'; form-action 'self'; object-src 'none'"
)
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # "no-referrer" would make our own forms' origin "null"
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
_UNSAFE = {"POST", "PUT", "PATCH", "DELETE"}
_PEERS = 10_000
_FORM = 64 * 1024  # bytes
_LARGE = 256 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """`rate` requests a second from one address, `burst` at once, `body` bytes each."""

    rate: float = 300.0
    burst: float = 1000.0
    body: int = 8 * 1024 * 1024


class ServiceMiddleware:
    def __init__(
        self,
        app: ASGIApp,
        *,
        limits: Limits,
        metrics: Metrics,
        hosts: frozenset[str] | None,
        guarded: bool = False,
    ) -> None:
        self._app, self._limits, self._metrics, self._hosts = app, limits, metrics, hosts
        self._guarded = guarded  # tokens are required
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        # Reading the JSON of a large body holds up every other request: one at a time, once it is
        # here whole, so that the others have their turn in between.
        self._one_large = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        headers = Headers(scope=scope)
        refused = self._refusal(scope, headers)
        if scope["type"] == "websocket":
            if refused is not None:
                await send({"type": "websocket.close", "code": 1008})
                return None
            return await self._app(scope, receive, send)
        began = time.perf_counter()
        scope["counsel.request"] = uuid.uuid4().hex[:12]
        status = 500
        read, late, most = 0, False, self._most(scope)

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > most:
                raise _TooLarge
            return message

        async def dressed(message: Message) -> None:
            nonlocal status
            if read > most and not late:
                return  # whatever the app does with it: the answer is below
            if message["type"] == "http.response.start":
                status = message["status"]
                _dress(MutableHeaders(scope=message), scope)
            await send(message)

        try:
            if refused is not None:
                await answer(*refused)(scope, receive, dressed)
            elif _large(scope, headers):
                body = await _whole(counted)
                async with self._one_large:
                    await self._app(scope, _once(body, counted), dressed)
            else:
                await self._app(scope, counted, dressed)
        except _TooLarge:
            pass
        finally:
            if read > most:
                late = True
                await answer(413, "refused", _too_large(most))(scope, receive, dressed)
            self._note(scope, status, time.perf_counter() - began)

    def _refusal(
        self, scope: Scope, headers: Headers
    ) -> tuple[int, str, str, dict[str, str] | None] | None:
        host = headers.get("host", "")
        # An open service answers only to its own names: otherwise a site whose name points to this
        # machine could reach it from a visitor's browser.
        if self._hosts is not None and _name(host) not in self._hosts:
            return 403, "refused", f"This service is not known as {host[:100]!r}.", None
        origin = headers.get("origin")
        # A browser says which site a request comes from: only our own may change anything.
        unsafe = scope["type"] == "websocket" or scope["method"] in _UNSAFE
        if origin is not None and unsafe and urlsplit(origin).netloc.lower() != host.lower():
            return 403, "refused", "Requests from other sites are not accepted.", None
        if not scope["path"].startswith(_STATIC):
            wait = self._wait(scope["client"][0] if scope.get("client") else "")
            if wait > 0:
                retry = {"Retry-After": str(int(wait) + 1)}
                return 429, "refused", f"Too many requests; wait {int(wait) + 1} s.", retry
        # Before a body is read: without a token there is nothing to send to the interface.
        named = headers.get("authorization", "").lower().startswith("bearer ")
        if self._guarded and unsafe and scope["path"].startswith(_API) and not named:
            return 401, "refused", NO_TOKEN, {"WWW-Authenticate": "Bearer"}
        length, most = headers.get("content-length", "0"), self._most(scope)
        if not length.isdecimal() or len(length) > 15 or int(length) > most:
            return 413, "refused", _too_large(most), None
        return None

    def _most(self, scope: Scope) -> int:
        """The largest body in bytes: forms are small, files go to the pages' own addresses."""
        large = scope["path"].startswith((_API, _STATIC))
        return self._limits.body if large else min(self._limits.body, _FORM)

    def _wait(self, peer: str) -> float:
        """Seconds until this address may send again; 0 takes a token from its bucket."""
        now = time.monotonic()
        level, then = self._buckets.pop(peer, (self._limits.burst, now))
        level = min(self._limits.burst, level + (now - then) * self._limits.rate)
        self._buckets[peer] = (level - 1.0 if level >= 1.0 else level, now)
        while len(self._buckets) > _PEERS:
            self._buckets.popitem(last=False)
        return 0.0 if level >= 1.0 else (1.0 - level) / self._limits.rate

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        if scope["path"].startswith(_STATIC):
            return
        route = getattr(scope.get("route"), "path", None) or "other"
        self._metrics.answered(scope["method"], route, status, seconds)
        actor = scope.get("counsel.actor")
        # The path without its query, and no headers: no token or cookie is logged.
        log.info(
            "request",
            extra={
                "known": actor is not None or not self._guarded,
                "data": {
                    "request": scope["counsel.request"],
                    "method": scope["method"],
                    "path": scope["path"][:300],
                    "status": status,
                    "ms": round(1000 * seconds, 1),
                    "actor": actor,
                },
            },
        )


def _large(scope: Scope, headers: Headers) -> bool:
    if not scope["path"].startswith(_API) or scope["method"] not in _UNSAFE:
        return False
    return "transfer-encoding" in headers or int(headers.get("content-length", "0")) > _LARGE


async def _whole(receive: Receive) -> list[Message]:
    """All parts of a body, or what comes instead of them."""
    found = [await receive()]
    while found[-1].get("more_body", False):
        found.append(await receive())
    return found


def _once(parts: list[Message], receive: Receive) -> Receive:
    """Give parts that have been received, then whatever follows."""
    left = iter(parts)

    async def again() -> Message:
        part = next(left, None)
        return await receive() if part is None else part

    return again


def _too_large(most: int) -> str:
    return f"Send at most {most} bytes; import larger data with `counsel import`."


class _TooLarge(Exception):
    """The body exceeded the limit."""


def _name(host: str) -> str:
    """The host without its port: example:8080, [::1]:8080."""
    return (
        host.rsplit(":", 1)[0].lower() if not host.endswith("]") and ":" in host else host.lower()
    )


def _dress(headers: MutableHeaders, scope: Scope) -> None:
    for name, value in _HEADERS.items():
        headers.setdefault(name, value)
    api = scope["path"].startswith(_API)
    headers.setdefault(
        "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'" if api else _PAGES
    )
    if api:
        headers.setdefault("Cache-Control", "no-store")
    headers["X-Request-Id"] = scope["counsel.request"]
    if scope.get("scheme") == "https":
        headers.raw[:] = [
            (name, value + b"; secure" if _bare_cookie(name, value) else value)
            for name, value in headers.raw
        ]
        headers.setdefault("Strict-Transport-Security", "max-age=31536000")


def _bare_cookie(name: bytes, value: bytes) -> bool:
    return name.lower() == b"set-cookie" and b"; secure" not in value.lower()
