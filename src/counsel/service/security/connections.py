"""Limits on HTTP connections before the sender is known: a request's head has a maximum size and
time, its body a maximum time, and one address a maximum number of connections. An answer that
nobody reads is given up: it would be kept in memory for as long as the connection stays open.
"""

import asyncio
import ipaddress
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

__all__ = ["LimitedProtocol"]

_HEAD = 64 * 1024  # bytes of a request line with its headers
_HEAD_SECONDS = 20.0
_BODY_SECONDS = 120.0
_UNREAD_SECONDS = 60.0
_MOST = 512  # connections of one address, half of the files that a process may usually open


class LimitedProtocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """The server's own protocol, with limits.

    `cycle` is the current request: a new one begins when a complete head has been read.
    """

    head_seconds = _HEAD_SECONDS
    body_seconds = _BODY_SECONDS
    unread_seconds = _UNREAD_SECONDS
    most = _MOST

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._head = 0  # bytes of an incomplete head
        self._late: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        self._give(self.head_seconds)
        if len(self.connections) > self.most and self._too_many():
            transport.close()

    def data_received(self, data: bytes) -> None:
        before = self.cycle
        between = before is None or (before.response_complete and not before.more_body)
        if between and self._head == 0:
            self._give(self.head_seconds)
        super().data_received(data)
        if self.transport.get_protocol() is not self:  # from now on a web socket of the pages
            self._done()
        elif self.cycle is not before:
            self._head = 0
            self._done()
            if self.cycle.more_body:
                self._give(self.body_seconds)
        elif between:
            self._head += len(data)
            if self._head > _HEAD and not self.transport.is_closing():
                self._refuse()
        elif not self.cycle.more_body:
            self._done()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch_reader()

    def resume_writing(self) -> None:
        self._stop_watching()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._done()
        self._stop_watching()
        super().connection_lost(exc)

    def _too_many(self) -> bool:
        """Whether this address has too many connections; a proxy has those of all its clients."""
        peer = self.client[0] if self.client else None
        if self.config.proxy_headers and _is_among(peer, self.config.forwarded_allow_ips):
            return False
        here = (each.client for each in self.connections)
        return sum(client is not None and client[0] == peer for client in here) > self.most

    def _give(self, seconds: float) -> None:
        self._done()
        self._late = self.loop.call_later(seconds, self.transport.close)

    def _done(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _watch_reader(self) -> None:
        left = self.transport.get_write_buffer_size()
        self._unread = self.loop.call_later(self.unread_seconds, self._give_up_if_unread, left)

    def _give_up_if_unread(self, before: int) -> None:
        if self.transport.get_write_buffer_size() < before:  # slow, but reading
            self._watch_reader()
        else:
            self.transport.abort()

    def _stop_watching(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _refuse(self) -> None:
        answer = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\n"
        self.transport.write(answer + b"content-length: 0\r\n\r\n")
        self.transport.close()


def _is_among(peer: str | None, proxies: list[str] | str | None) -> bool:
    """Whether an address is that of a proxy; each is an address or a network."""
    try:
        address = ipaddress.ip_address(peer or "")
    except ValueError:
        return False
    each = [proxies] if isinstance(proxies, str) else proxies or []
    return any(address in ipaddress.ip_network(proxy) for proxy in each)
