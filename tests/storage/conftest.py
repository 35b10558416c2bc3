"""Storages to test on: memory, an SQLite file, a PostgreSQL server that the tests start."""

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import postgres
from counsel.storage import MemoryStorage, Storage, open_storage

_NUMBERS = itertools.count(1)
MEMORY, SQLITE, POSTGRES = "memory", "sqlite", "postgres"


@pytest.fixture(scope="session")
def server() -> Iterator[postgres.Server]:
    if postgres.programs() is None:
        pytest.skip("PostgreSQL is not on this machine: apt-get install postgresql")
    with postgres.running() as running:
        open_storage(running.database("prepared")).close()
        yield running


def new_database(server: postgres.Server) -> str:
    """A database with Counsel's tables: copied, which is faster than made."""
    return server.database(f"test_{next(_NUMBERS)}", like="prepared")


@pytest.fixture(params=[SQLITE, POSTGRES])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a new database, of each kind in turn."""
    if request.param == SQLITE:
        return f"sqlite:///{tmp_path / 'study.db'}"
    server: postgres.Server = request.getfixturevalue("server")
    return new_database(server)


@pytest.fixture(params=[MEMORY, SQLITE, POSTGRES])
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Storage]:
    """Opens one storage of each kind in turn, each time as another program would."""
    if request.param == MEMORY:
        memory = MemoryStorage()
        return lambda: memory
    if request.param == SQLITE:
        address = f"sqlite:///{tmp_path / 'study.db'}"
    else:
        server: postgres.Server = request.getfixturevalue("server")
        address = new_database(server)
    return lambda: open_storage(address)
