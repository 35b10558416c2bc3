"""Open pages and their sessions.

A page lives for hours and its events arrive over a socket, where no request is checked again. So
the session is checked when an event arrives, before any handler runs; and the page of an ended
session is closed, with its socket, without waiting for an event.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from nicegui import Client, core

from counsel.errors import CounselError
from counsel.service.security.access import Person
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
        self._pages: dict[str, _Page] = {}

    def enter(self, client: Client, session: str, study: str | None) -> None:
        """Check every event of this page, which is about `study`, from now on."""
        handle, page = client.handle_event, _Page(client, session, study)

        def checked(message: dict[str, Any]) -> None:
            if page.open_to(self._sessions.person(session, within=_BELIEVED)):
                handle(message)

        client.handle_event = checked  # type: ignore[method-assign, assignment]
        self._pages[client.id] = page
        client.on_delete(lambda: self._pages.pop(client.id, None))

    async def close(self, session: str) -> None:
        """Close the pages of one session."""
        for page in list(self._pages.values()):
            if page.session == session:
                await _shut(page.client)

    async def watch(self, store: Callable[..., Awaitable[dict[str, Person]]]) -> None:
        """While the service runs, close pages whose session has ended, or whose viewer has lost
        the role in the study."""
        while True:
            await asyncio.sleep(_LOOK)
            open_now = list(self._pages.values())
            if not open_now:
                continue
            with contextlib.suppress(CounselError):  # an unreachable storage does not end sessions
                people = await store(self._sessions.people, {page.session for page in open_now})
                shut = [page for page in open_now if not page.open_to(people.get(page.session))]
                # All at once: a browser that does not answer delays nobody else.
                await asyncio.gather(*(_shut(page.client) for page in shut))


class _Page(NamedTuple):
    client: Client
    session: str
    study: str | None

    def open_to(self, person: Person | None) -> bool:
        return person is not None and (self.study is None or person.may("viewer", self.study))


async def _shut(client: Client) -> None:
    """Send the browser to the sign-in page, and close its sockets."""
    if client.id not in Client.instances or not client.has_socket_connection:
        return  # gone or going: if it comes back, the next check closes it
    await core.sio.emit("run_javascript", {"code": _LEAVE}, room=client.id)
    sockets = list(core.sio.manager.get_participants("/", client.id))
    if client.id in Client.instances:  # signing out may have closed it just now
        client.delete()  # first: after the socket closes it would wait for the browser to return
    for socket, transport in sockets:
        await core.sio.disconnect(socket)
        # This asks the browser to close; one that does not is cut off.
        with contextlib.suppress(TimeoutError):  # do not wait for a browser that does not read
            await asyncio.wait_for(core.sio.eio.disconnect(transport), _CLOSING)
    log.info("page closed", extra={"data": {"reason": "the session has ended"}})
