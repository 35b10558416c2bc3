"""Random faults under a service in use: what was acknowledged is there, or its loss is said.

A client writes through the service all the time. Faults are drawn from one list and done to the
processes, the connections and the data; after each, the storage is compared with everything that
was acknowledged. Meanwhile nothing may hang, and health has to be answered.
"""

import contextlib
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil
import psycopg
import pytest

import counsel as cs
import postgres
from counsel.storage.backup import backup, restore
from counsel.storage.sql import SqlStorage
from counsel.storage.verify import verify

_FAULTS = int(os.environ.get("COUNSEL_FAULTS", "200"))
_LONGEST = 35.0  # seconds that any request may take
_HEALTH = 1.0
_PAUSE = 1.5  # seconds that a fault lasts
_SERVE = "import sys; from counsel.cli import main; sys.argv[0] = 'counsel'; main()"


class Place:
    """A storage, a service on it, and somebody who writes; `acknowledged` is what they heard."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url, self._folder = url, folder
        cs.create_study(cs.Space(x=cs.Float(0, 1)), name="s", policy="random", storage=url)
        self.acknowledged: dict[str, float] = {}
        self.answers: Counter[object] = Counter()
        self.slowest, self.slowest_health = 0.0, 0.0
        self.changed = 0  # how often a loss was said
        self._going = True
        self._up = threading.Event()
        self.start()
        self._threads = [threading.Thread(target=self._write), threading.Thread(target=self._feel)]
        for thread in self._threads:
            thread.start()

    # ---- the service ---------------------------------------------------------------------------

    def start(self) -> None:
        arguments = ["serve", "--no-pages", "--level", "error", "--port", "0"]
        with (self._folder / "service.log").open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", _SERVE, *arguments, "--storage", self.url],
                stdout=subprocess.PIPE, stderr=log, text=True,
            )  # fmt: skip
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("Counsel is at"), (self._folder / "service.log").read_text()
        self.address = f"{line.split()[3]}/api/v1"
        self._up.set()

    def end(self, how: signal.Signals) -> None:
        self._up.clear()
        self.process.send_signal(how)
        began = time.monotonic()
        self.process.wait(_LONGEST)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.slowest = max(self.slowest, time.monotonic() - began)

    def close(self) -> None:
        self._going = False
        self._up.set()
        for thread in self._threads:
            thread.join()
        self.end(signal.SIGKILL)

    # ---- in use --------------------------------------------------------------------------------

    def _write(self) -> None:
        number = 0
        while self._going:
            self._up.wait()
            number += 1
            body = {"values": {"x": 0.5}, "value": float(number)}
            began = time.monotonic()
            try:
                found = httpx.post(
                    f"{self.address}/studies/s/observations", json=body, timeout=2 * _LONGEST
                )
            except httpx.TransportError:  # it was killed, or not there yet
                self.answers["broken off"] += 1
                time.sleep(0.05)
                continue
            finally:
                self.slowest = max(self.slowest, time.monotonic() - began)
            self.answers[found.status_code] += 1
            if found.status_code == 201:
                self.acknowledged[found.json()["id"]] = float(number)
            elif found.json().get("type") == "urn:counsel:history-changed":
                self.changed += 1
            time.sleep(0.02)

    def _feel(self) -> None:
        while self._going:
            self._up.wait()
            began = time.monotonic()
            with contextlib.suppress(httpx.TransportError):
                httpx.get(f"{self.address}/health", timeout=_LONGEST)
                self.slowest_health = max(self.slowest_health, time.monotonic() - began)
            time.sleep(0.1)

    # ---- what is there -------------------------------------------------------------------------

    def check(self, lost: bool = False) -> None:
        """Everything acknowledged is there; where it was rolled back, that is said."""
        expected, changes = dict(self.acknowledged), self.changed
        storage = SqlStorage(self.url)
        found = {o.id: o.outcomes["objective"] for o in cs.load_study("s", storage).observations}
        storage.close()
        if not lost:
            gone = {key: v for key, v in expected.items() if found.get(key) != v}
            assert gone == {}
            return
        until(lambda: self.changed > changes or self._says_so())
        for key, value in expected.items():  # what was said to be lost is not expected any more
            if found.get(key) != value and self.acknowledged.get(key) == value:
                del self.acknowledged[key]

    def _says_so(self) -> bool:
        found = httpx.get(f"{self.address}/studies/s/facts", timeout=_LONGEST)
        return found.status_code == 409


def until(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + _LONGEST
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.1)


# ---- the list of faults -------------------------------------------------------------------------


def kill(place: Place, *_: Any) -> None:
    place.end(signal.SIGKILL)
    place.start()


def end(place: Place, *_: Any) -> None:
    place.end(signal.SIGTERM)
    place.start()


def stop_computing(place: Place, *_: Any) -> None:
    for child in psutil.Process(place.process.pid).children():
        child.suspend()
        time.sleep(_PAUSE)
        child.resume()


def kill_computing(place: Place, *_: Any) -> None:
    for child in psutil.Process(place.process.pid).children():
        child.kill()


def lock_file(place: Place, file: Path) -> None:
    with contextlib.closing(sqlite3.connect(file, isolation_level=None, timeout=30)) as rude:
        rude.execute("BEGIN IMMEDIATE")
        time.sleep(_PAUSE)
        rude.execute("ROLLBACK")


def remove_file(place: Place, file: Path) -> None:
    names = [file.with_name(file.name + end) for end in ("", "-wal", "-shm")]
    for name in names:
        if name.exists():
            name.rename(name.with_name(f"aside-{name.name}"))
    time.sleep(_PAUSE)
    for name in names:
        aside = name.with_name(f"aside-{name.name}")
        if aside.exists():
            aside.rename(name)


def full_disk(place: Place, *_: Any) -> None:
    """No file of the service may grow, as on a full disk."""
    _, hard = resource.prlimit(place.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(place.process.pid, resource.RLIMIT_FSIZE, (4096, hard))
    time.sleep(_PAUSE)
    resource.prlimit(place.process.pid, resource.RLIMIT_FSIZE, (hard, hard))


def read_only(place: Place, file: Path) -> None:
    file.chmod(0o444)
    time.sleep(_PAUSE)
    file.chmod(0o644)


def roll_back(place: Place, *_: Any) -> None:
    """A backup of a moment ago is brought back under the running service."""
    copy = place._folder / "copy.db"
    copy.unlink(missing_ok=True)
    with contextlib.closing(SqlStorage(place.url)) as storage:
        backup(storage, copy)
        held = len(place.acknowledged)
        until(lambda: len(place.acknowledged) > held + 2)
        restore(copy, storage, replace=True)
    place.check(lost=True)


def flip(place: Place, where: Any) -> None:
    """A value changes in the storage: it is found, never used, and mended by a backup."""
    copy = place._folder / "before.db"
    copy.unlink(missing_ok=True)
    with contextlib.closing(SqlStorage(place.url)) as storage:
        backup(storage, copy)
        change = "UPDATE outcomes SET value = value + 0.5 WHERE place = 1"
        with storage.database.writing() as connection:
            connection.exec_driver_sql(change)
        assert [verdict.intact for verdict in verify(storage)] == [False]
        with pytest.raises(cs.StorageError):
            cs.load_study("s", storage).facts
        restore(copy, storage, replace=True)
    place.check(lost=True)


def terminate(place: Place, server: postgres.Server) -> None:
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name = 'counsel'"
        )


def lock_table(place: Place, server: postgres.Server) -> None:
    with psycopg.connect(place.url) as connection:
        connection.execute("LOCK TABLE facts IN ACCESS EXCLUSIVE MODE")
        time.sleep(_PAUSE)
        connection.rollback()


def freeze(place: Place, server: postgres.Server) -> None:
    with server.frozen():
        time.sleep(_PAUSE)


def crash_server(place: Place, server: postgres.Server) -> None:
    server.stop("immediate")
    server.start()


BOTH = [kill, end, stop_computing, kill_computing, roll_back, flip]
OF_FILES = [lock_file, remove_file, full_disk, *([read_only] if os.geteuid() else [])]
OF_SERVERS = [terminate, lock_table, freeze, crash_server]


@pytest.fixture(params=["sqlite", "postgresql"])
def under_fire(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Place, Any, Any]]:
    """A place, what its faults are done to, and the faults."""
    with contextlib.ExitStack() as stack:
        if request.param == "sqlite":
            file = tmp_path / "a.db"
            url, where, faults = f"sqlite:///{file}", file, BOTH + OF_FILES
        else:
            if postgres.programs() is None:
                pytest.skip("PostgreSQL is not on this machine: apt-get install postgresql")
            where = stack.enter_context(postgres.running(durable=True))
            url, faults = where.database("faults"), BOTH + OF_SERVERS
        place = Place(url, tmp_path)
        stack.callback(place.close)
        yield place, where, faults
    shutil.rmtree(tmp_path, ignore_errors=True)


@pytest.mark.slow
def test_random_faults_lose_nothing_that_is_not_said(under_fire: tuple[Place, Any, Any]) -> None:
    """Half of all faults for each kind of storage, each from the whole list of that kind."""
    place, where, faults = under_fire
    moments = random.Random(24)
    until(lambda: len(place.acknowledged) > 3)
    done: Counter[str] = Counter()
    for _ in range(_FAULTS // 2):
        fault = moments.choice(faults)
        time.sleep(moments.expovariate(1 / 0.2))
        fault(place, where)
        done[fault.__name__] += 1
        held = len(place.acknowledged)
        until(lambda held=held: len(place.acknowledged) > held)  # type: ignore[misc]
        place.check()
    print(
        f"\n{dict(done)}; answers {dict(place.answers)}; losses said {place.changed}; "
        f"slowest {place.slowest:.1f} s, health {place.slowest_health:.2f} s"
    )
    assert place.slowest < _LONGEST
    assert place.slowest_health < _HEALTH
