"""Alive and ready: an answer in a moment, whatever is broken, and nothing private in it."""

import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import counsel as cs
import postgres
from counsel.storage.sql import SqlStorage
from service.conftest import running

BOX = [{"name": "x", "low": 0, "high": 1}]


@pytest.fixture(scope="module")
def still() -> Iterator[postgres.Server]:
    if postgres.programs() is None:
        pytest.skip("PostgreSQL is not on this machine: apt-get install postgresql")
    with postgres.running() as found:
        yield found


def states(url: str) -> tuple[int, int]:
    """What live and health answer; the client's deadline is the one that is promised to tells."""
    codes = [
        httpx.get(f"{url}/api/v1/{path}", timeout=30).status_code for path in ("live", "health")
    ]
    return codes[0], codes[1]


def test_health_answers_while_postgresql_stands_still_or_is_down(still: postgres.Server) -> None:
    address = f"{still.database('health')}?connect_timeout=2&sslpassword=hidden"
    storage = SqlStorage(address, patience=1.0)
    with running(storage=storage) as url:
        assert states(url) == (200, 200)
        with still.frozen():
            assert states(url) == (200, 503)
            assert states(url) == (200, 503)
        still.stop()
        assert states(url) == (200, 503)
        said = httpx.get(f"{url}/api/v1/health").text
        for private in ("hidden", postgres.PASSWORD, "127.0.0.1", "health?", "ann:"):
            assert private not in said
        still.start()
        while states(url) != (200, 200):
            time.sleep(0.2)


def test_health_answers_while_nine_tells_wait_for_a_lock(tmp_path: Path) -> None:
    file = tmp_path / "study.db"
    patience = 4.0
    with running(storage=SqlStorage(f"sqlite:///{file}", patience=patience)) as url:
        study = {"name": "a", "parameters": BOX}
        made = httpx.post(f"{url}/api/v1/studies", json=study, timeout=60)
        assert made.status_code == 201
        codes: list[int] = []

        def tell() -> None:
            body = {"values": {"x": 0.5}, "value": 1.0}
            told = httpx.post(f"{url}/api/v1/studies/a/observations", json=body, timeout=60)
            codes.append(told.status_code)

        rude = sqlite3.connect(file, isolation_level=None)
        rude.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        threads = [threading.Thread(target=tell) for _ in range(9)]
        for thread in threads:
            thread.start()
        time.sleep(0.5)
        assert states(url) == (200, 200)
        assert not codes  # it answered while all of them waited
        for thread in threads:
            thread.join()
        rude.close()
        assert codes == [503] * 9
        # They waited together: one after the other would have taken nine times the patience.
        assert time.monotonic() - began < 9 * patience


def test_a_file_removed_under_a_running_service_is_said_so(tmp_path: Path) -> None:
    """No tell is acknowledged, and health does not say ok."""
    file = tmp_path / "study.db"
    with running(storage=f"sqlite:///{file}") as url:
        study = {"name": "a", "parameters": BOX}
        assert httpx.post(f"{url}/api/v1/studies", json=study).status_code == 201
        file.rename(tmp_path / "aside.db")
        body = {"values": {"x": 0.5}, "value": 1.0}
        told = [httpx.post(f"{url}/api/v1/studies/a/observations", json=body) for _ in range(5)]
        assert [each.status_code for each in told] == [503] * 5
        assert "is gone" in told[0].json()["detail"]
        assert states(url) == (200, 503)
        assert not file.exists()
        (tmp_path / "aside.db").rename(file)
        assert httpx.post(f"{url}/api/v1/studies/a/observations", json=body).status_code == 201
    assert len(cs.load_study("a", f"sqlite:///{file}").facts) == 1
