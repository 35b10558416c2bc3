"""The pages that are open, and the sessions they were opened in.

A page lives for hours and its events come over a socket, where no request is checked again. So the
session is checked where an event arrives, before any handler of any page runs; and the page of a
session that has ended is closed, socket and all, without waiting for an event.
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

_LOOK = 0.3  # seconds between two looks at the tokens of all open pages
# What the storage said last is believed for events: the look renews it. Whatever writes asks anew.
_BELIEVED = 60.0
_LEAVE = "location.assign('/sign-in')"


class OpenPages:
    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._pages: dict[str, tuple[Client, str]] = {}

    def enter(self, client: Client, session: str) -> None:
        """From now on every event of this page is checked."""
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
        """Close pages whose session has ended, for as long as the service runs."""
        while True:
            await asyncio.sleep(_LOOK)
            open_now = {session for _, session in self._pages.values()}
            if not open_now:
                continue
            with contextlib.suppress(CounselError):  # a storage that is away ends no session
                for session in await store(self._sessions.ended, open_now):
                    await self.close(session)


async def _shut(client: Client) -> None:
    """Send the browser to the sign-in page, and close its sockets."""
    if client.id not in Client.instances or not client.has_socket_connection:
        return  # gone, or going: should it come back, the next look closes it
    await core.sio.emit("run_javascript", {"code": _LEAVE}, room=client.id)
    sockets = [socket for socket, _ in core.sio.manager.get_participants("/", client.id)]
    client.delete()  # first: a socket that closes would have it wait for the browser to come back
    for socket in sockets:
        await core.sio.disconnect(socket)
    log.info("page closed", extra={"data": {"reason": "the session has ended"}})
