"""Who is seen to be in a study."""

import asyncio
from types import SimpleNamespace
from typing import Any

from counsel.service.runtime.study_pool import StudyPool
from counsel.service.security.access import Person
from counsel.service.security.sessions import Sessions
from counsel.service.web.frame import Visit
from counsel.storage import MemoryStorage


def test_whoever_has_left_a_page_is_not_there_although_it_may_come_back() -> None:
    pool, gone = StudyPool(MemoryStorage()), asyncio.Event()
    client: Any = SimpleNamespace(has_socket_connection=True)
    person, sessions = Person("anonymous", "owner", named=False), Sessions(None)
    here = Visit(pool, person, sessions, "", "ann", client, False, gone, "study")
    here.appear()
    here.appear()  # told twice, there once
    assert pool.present("study") == ["ann"]
    client.has_socket_connection = False
    here.appear()
    assert pool.present("study") == []
    client.has_socket_connection = True
    here.appear()
    assert pool.present("study") == ["ann"]
    gone.set()  # its time to come back is over
    here.appear()
    assert pool.present("study") == []
    pool.close()
