"""Storages to test on: memory, an SQLite file, a PostgreSQL server that the tests start."""

import ctypes
import itertools
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import counsel as cs
import postgres
from counsel.storage import MemoryStorage, Storage, open_storage

_NUMBERS = itertools.count(1)
_NOBODY = 65534
MEMORY, SQLITE, POSTGRES = "memory", "sqlite", "postgres"


@pytest.fixture
def folder_with_rights(tmp_path: Path) -> Iterator[Path]:
    """A folder in which file rights count. Root, whom they do not stop, is somebody else for files
    meanwhile; that is so for this thread alone."""
    # Everything is imported before: the other user may not read where Python is.
    storage = open_storage(f"sqlite:///{tmp_path / 'first.db'}")
    cs.create_study(cs.Space(x=cs.Float(0, 1)), policy="random", storage=storage).ask()
    storage.close()
    folder = Path(tempfile.mkdtemp(prefix="counsel-rights-"))
    if os.geteuid() == 0:
        os.chown(folder, _NOBODY, _NOBODY)
        ctypes.CDLL(None).setfsuid(_NOBODY)
    yield folder
    if os.geteuid() == 0:
        ctypes.CDLL(None).setfsuid(0)
    shutil.rmtree(folder)


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
