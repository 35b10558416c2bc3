"""Random faults under a service in use: what was acknowledged is there, or its loss is said.

Faults are drawn from one list and done to the processes, the connections and the data; after each,
the storage is compared with everything that was acknowledged. Meanwhile nothing may hang, and
health has to be answered.
"""

import contextlib
import os
import random
import resource
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

import counsel as cs
import postgres
from counsel.storage.backup import backup, restore
from counsel.storage.sql import SqlStorage
from counsel.storage.verify import verify
from service.under_fire import HEALTH, LONGEST, Place, bound_by_rights

_FAULTS = int(os.environ.get("COUNSEL_FAULTS", "100"))  # for each kind of storage
_SEED = int(os.environ.get("COUNSEL_FAULTS_SEED", "24"))
_PAUSE = 1.5  # seconds that a fault lasts
_ASIDE = "aside"

# ---- processes ----------------------------------------------------------------------------------


def kill(place: Place, *_: Any) -> None:
    place.end(signal.SIGKILL)
    place.start()


def restart(place: Place, *_: Any) -> None:
    place.end(signal.SIGTERM)
    place.start()


def stop_computing(place: Place, *_: Any) -> None:
    for child in _computing(place):
        child.suspend()
        time.sleep(_PAUSE)
        child.resume()


def kill_computing(place: Place, *_: Any) -> None:
    for child in _computing(place):
        child.kill()


def _computing(place: Place) -> list[psutil.Process]:
    """Without one that was killed before, if the service has not noticed yet."""
    children = psutil.Process(place.process.pid).children()
    return [each for each in children if each.status() != psutil.STATUS_ZOMBIE]


def stop_server(place: Place, server: postgres.Server) -> None:
    with server.frozen():
        time.sleep(_PAUSE)


def restart_server(place: Place, server: postgres.Server) -> None:
    """A crash: what its memory holds is gone."""
    server.stop("immediate")
    server.start()


def terminate(place: Place, server: postgres.Server) -> None:
    """Every connection of the service is cut by the server."""
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name = 'counsel'"
        )


# ---- the storage stands in the way --------------------------------------------------------------


def lock_file(place: Place, file: Path) -> None:
    with contextlib.closing(sqlite3.connect(file, isolation_level=None, timeout=30)) as rude:
        rude.execute("BEGIN IMMEDIATE")
        time.sleep(_PAUSE)
        rude.execute("ROLLBACK")


def lock_table(place: Place, server: postgres.Server) -> None:
    with psycopg.connect(place.url) as connection:
        connection.execute("LOCK TABLE facts IN ACCESS EXCLUSIVE MODE")
        time.sleep(_PAUSE)
        connection.rollback()


def full_disk(place: Place, file: Path) -> None:
    """No file of the service may grow."""
    _, hard = resource.prlimit(place.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(place.process.pid, resource.RLIMIT_FSIZE, (4096, hard))
    time.sleep(_PAUSE)
    resource.prlimit(place.process.pid, resource.RLIMIT_FSIZE, (hard, hard))


def full_server(place: Place, server: postgres.Server) -> None:
    """No file of PostgreSQL may grow. It crashes, and is started again when there is room."""
    server.may_not_grow()
    time.sleep(_PAUSE)
    with contextlib.suppress(RuntimeError):  # it may have ended
        server.stop("immediate")
    server.start()


def read_only_file(place: Place, file: Path) -> None:
    file.chmod(0o444)
    time.sleep(_PAUSE)
    file.chmod(0o644)


def read_only_server(place: Place, server: postgres.Server) -> None:
    """As a standby that has not been promoted."""
    writable = f"{server.url()}?options=-c%20default_transaction_read_only%3Doff"
    with psycopg.connect(writable, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET default_transaction_read_only = on")
        connection.execute("SELECT pg_reload_conf()")
        time.sleep(_PAUSE)
        connection.execute("ALTER SYSTEM RESET default_transaction_read_only")
        connection.execute("SELECT pg_reload_conf()")


# ---- the data are changed -----------------------------------------------------------------------


def remove_file(place: Place, file: Path) -> None:
    names = [file.with_name(file.name + end) for end in ("", "-wal", "-shm")]
    for name in names:
        if name.exists():
            name.rename(name.with_name(f"{_ASIDE}-{name.name}"))
    time.sleep(_PAUSE)
    for name in names:
        aside = name.with_name(f"{_ASIDE}-{name.name}")
        if aside.exists():
            aside.rename(name)


def remove_database(place: Place, server: postgres.Server) -> None:
    name = place.url.rpartition("/")[2]
    with server.alone(name) as connection:
        connection.execute(f"ALTER DATABASE {name} RENAME TO {_ASIDE}")
        time.sleep(_PAUSE)
        connection.execute(f"ALTER DATABASE {_ASIDE} RENAME TO {name}")


def replace_file(place: Place, file: Path) -> None:
    """A copy of a moment ago takes the file's name, without what SQLite kept beside it."""
    copy = place.folder / "older.db"
    copy.unlink(missing_ok=True)
    with contextlib.closing(SqlStorage(place.url)) as storage:
        backup(storage, copy)
    place.wait_for_facts(3)
    with place.losing():
        for end in ("-wal", "-shm"):
            file.with_name(file.name + end).unlink(missing_ok=True)
        copy.replace(file)


def replace_database(place: Place, server: postgres.Server) -> None:
    name = place.url.rpartition("/")[2]
    with server.alone(name) as connection:
        connection.execute(f"CREATE DATABASE older TEMPLATE {name}")
    place.wait_for_facts(3)
    with place.losing(), server.alone(name) as connection:
        connection.execute(f"DROP DATABASE {name}")
        connection.execute(f"ALTER DATABASE older RENAME TO {name}")


def roll_back(place: Place, *_: Any) -> None:
    """A backup of a moment ago is brought back under the running service."""
    copy = place.folder / "copy.db"
    copy.unlink(missing_ok=True)
    with contextlib.closing(SqlStorage(place.url)) as storage:
        backup(storage, copy)
        place.wait_for_facts(3)
        with place.losing():
            restore(copy, storage, replace=True)


def flip(place: Place, _: Any) -> None:
    """A value changes in the storage: it is found, never used, and mended by a backup."""
    copy = place.folder / "before.db"
    copy.unlink(missing_ok=True)
    with contextlib.closing(SqlStorage(place.url)) as storage:
        backup(storage, copy)
        place.wait_for_facts()
        chance = random.Random(len(place.acknowledged))
        facts = cs.load_study("s", storage).facts[:-1]
        told = [n for n, fact in enumerate(facts, 1) if isinstance(fact, cs.Observation)]
        change = chance.choice(
            [
                "UPDATE outcomes SET value = value + 0.5 WHERE place = ",
                """UPDATE observations SET point = '{"x": 0.25}' WHERE place = """,
                "UPDATE facts SET digest = 'another', time = time, link = 'another' WHERE place = ",
            ]
        )
        with storage.database.writing() as connection:
            assert connection.exec_driver_sql(f"{change}{chance.choice(told)}").rowcount == 1
        assert [verdict.intact for verdict in verify(storage)] == [False]
        with pytest.raises(cs.StorageError):
            cs.load_study("s", storage).facts
        with place.losing():
            restore(copy, storage, replace=True)


# ---- the list -----------------------------------------------------------------------------------

Fault = Callable[[Place, Any], None]
# What happens, and how it is done to a file and to a server.
FAULTS: dict[str, tuple[Sequence[Fault], Sequence[Fault]]] = {
    "kill": ([kill, kill_computing], [kill, kill_computing]),
    "stop": ([stop_computing], [stop_computing, stop_server]),
    "restart": ([restart], [restart, restart_server]),
    "terminate": ([], [terminate]),  # a file has no connections that a server could cut
    "lock": ([lock_file], [lock_table]),
    "remove": ([remove_file], [remove_database]),
    "replace": ([replace_file], [replace_database]),
    "flip": ([flip], [flip]),
    "full": ([full_disk], [full_server]),
    "read-only": ([read_only_file], [read_only_server]),
    "rollback": ([roll_back], [roll_back]),
}


@pytest.fixture(params=["sqlite", "postgresql"])
def under_fire(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[tuple[Place, Any, list[Fault]]]:
    """A place, what its faults are done to, and the faults."""
    which = 0 if request.param == "sqlite" else 1
    faults = [fault for ways in FAULTS.values() for fault in ways[which]]
    with contextlib.ExitStack() as stack:
        if request.param == "sqlite":
            where: Any = tmp_path / "a.db"
            url = f"sqlite:///{where}"
            if bound_by_rights() is None:  # root, to whom file rights say nothing
                faults.remove(read_only_file)
        else:
            if postgres.programs() is None:
                pytest.skip("PostgreSQL is not on this machine: apt-get install postgresql")
            where = stack.enter_context(postgres.running(durable=True))
            url = where.database("faults")
        place = Place(url, tmp_path)
        stack.callback(place.close)
        yield place, where, faults


@pytest.mark.slow
@pytest.mark.alone
def test_random_faults_lose_nothing_that_is_not_said(
    under_fire: tuple[Place, Any, list[Fault]],
) -> None:
    place, where, faults = under_fire
    moments = random.Random(_SEED)
    place.wait_for_facts(3)
    done: Counter[str] = Counter()
    for _ in range(_FAULTS):
        fault = moments.choice(faults)
        time.sleep(moments.expovariate(1 / 0.2))
        fault(place, where)
        done[fault.__name__] += 1
        place.wait_for_facts()
        place.check()
        print(f"{sum(done.values())} {fault.__name__} {place.slowest_health:.2f}", flush=True)
    print(
        f"\n{sum(done.values())} faults: {dict(sorted(done.items()))}\n"
        f"acknowledged {place.answers[201]}, answers {dict(place.answers)}, "
        f"health {dict(place.health)}\nlosses said {place.changed}; slowest request "
        f"{place.slowest:.1f} s, end {place.slowest_end:.1f} s, health {place.slowest_health:.2f} s"
    )
    if len(faults) * 5 < _FAULTS:
        assert set(done) == {fault.__name__ for fault in faults}
    assert place.slowest < LONGEST
    assert place.slowest_end < LONGEST
    assert place.slowest_health < HEALTH
