"""Open pages and their sessions.

A page lives for hours and its events arrive over a socket, where no request is checked again. So
the session is checked when an event arrives, before any handler runs; and the page of an ended
session is closed, with its socket, without waiting for an event.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import Client, core

from counsel.errors import CounselError
from counsel.service.security.sessions import Sessions

__all__ = ["OpenPages"]

log = logging.getLogger("counsel.service")

_LOOK = 0.3  # seconds between two checks of the tokens of all open pages
# Events trust the storage's last answer, which the check renews. Writes ask again.
_BELIEVED = 60.0
_CLOSING = 0.5  # seconds
_LEAVE = "location.assign('/sign-in')"


class OpenPages:
    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._pages: dict[str, tuple[Client, str]] = {}

    def enter(self, client: Client, session: str) -> None:
        """Check every event of this page from now on."""
        handle = client.handle_event

        def checked(message: dict[str, Any]) -> None:
            if self._sessions.person(session, within=_BELIEVED) is not None:
                handle(message)

        client.handle_event = checked  # type: ignore[method-assign, assignment]
        self._pages[client.id] = client, session
        client.on_delete(lambda: self._pages.pop(client.id, None))

    async def close(self, session: str) -> None:
        """Close the pages of one session."""
        for client, opened_in in list(self._pages.values()):
            if opened_in == session:
                await _shut(client)

    async def watch(self, store: Callable[..., Awaitable[set[str]]]) -> None:
        """While the service runs, close pages whose session has ended."""
        while True:
            await asyncio.sleep(_LOOK)
            open_now = {session for _, session in self._pages.values()}
            if not open_now:
                continue
            with contextlib.suppress(CounselError):  # an unreachable storage does not end sessions
                for session in await store(self._sessions.ended, open_now):
                    await self.close(session)


async def _shut(client: Client) -> None:
    """Send the browser to the sign-in page, and close its sockets."""
    if client.id not in Client.instances or not client.has_socket_connection:
        return  # gone or going: if it comes back, the next check closes it
    await core.sio.emit("run_javascript", {"code": _LEAVE}, room=client.id)
    sockets = list(core.sio.manager.get_participants("/", client.id))
    client.delete()  # first: after the socket closes it would wait for the browser to return
    for socket, transport in sockets:
        await core.sio.disconnect(socket)
        # This asks the browser to close; one that does not is cut off.
        with contextlib.suppress(TimeoutError):  # do not wait for a browser that does not read
            await asyncio.wait_for(core.sio.eio.disconnect(transport), _CLOSING)
    log.info("page closed", extra={"data": {"reason": "the session has ended"}})
