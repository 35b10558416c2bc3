"""The pages that are open, and the sessions they were opened in.

A page lives for hours and its events come over a socket, where no request is checked again. So the
session is checked where an event arrives, before any handler of any page runs; and the page of a
session that has ended is closed, socket and all, without waiting for an event.
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

_LOOK = 0.3  # seconds between two looks at the tokens of all open pages
# What the storage said last is believed for events: the look renews it. Whatever writes asks anew.
_BELIEVED = 60.0
_CLOSING = 0.5  # seconds
_LEAVE = "location.assign('/sign-in')"


class OpenPages:
    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._pages: dict[str, _Page] = {}

    def enter(self, client: Client, session: str, study: str | None) -> None:
        """From now on every event of this page, of a study or of none, is checked."""
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
        """Close pages whose session has ended, or whose study is not theirs any more, for as long
        as the service runs."""
        while True:
            await asyncio.sleep(_LOOK)
            open_now = list(self._pages.values())
            if not open_now:
                continue
            with contextlib.suppress(CounselError):  # a storage that is away ends no session
                people = await store(self._sessions.people, {page.session for page in open_now})
                shut = [page for page in open_now if not page.open_to(people.get(page.session))]
                # All at once: one browser that does not answer holds up nobody else's end.
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
        return  # gone, or going: should it come back, the next look closes it
    await core.sio.emit("run_javascript", {"code": _LEAVE}, room=client.id)
    sockets = list(core.sio.manager.get_participants("/", client.id))
    client.delete()  # first: a socket that closes would have it wait for the browser to come back
    for socket, transport in sockets:
        await core.sio.disconnect(socket)
        # That asks the browser to close; whoever does not is cut off.
        with contextlib.suppress(TimeoutError):  # nor does anybody wait for one who does not read
            await asyncio.wait_for(core.sio.eio.disconnect(transport), _CLOSING)
    log.info("page closed", extra={"data": {"reason": "the session has ended"}})
