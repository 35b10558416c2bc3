"""Nothing waits for ever: a server that stands still, a lock that nobody lets go of."""

import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import counsel as cs
import postgres
from counsel.storage import deadlines
from counsel.storage.sql import SqlStorage

BOX = cs.Space(x=cs.Float(0, 1))
_GENEROUS = 5  # times the promised patience, for a busy machine; one after the other it is nine


@pytest.fixture(scope="module")
def still() -> Iterator[postgres.Server]:
    """A server that nobody else uses."""
    if postgres.programs() is None:
        pytest.skip("PostgreSQL is not on this machine: apt-get install postgresql")
    with postgres.running() as running:
        yield running


def test_a_postgresql_that_stands_still_is_a_sentence(
    still: postgres.Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deadlines.LimitedConnection, "limit", 1.0)
    url = f"{still.database('still')}?connect_timeout=2"
    study = cs.create_study(BOX, policy="random", storage=SqlStorage(url, patience=2.0))
    study.tell({"x": 0.5}, 1.0)
    # Until it goes on, only a deadline can end the wait.
    reached = r"cannot be reached.*Acknowledged facts"
    with still.frozen(), pytest.raises(cs.StorageError, match=reached):
        study.tell({"x": 0.5}, 2.0)
    study.tell({"x": 0.5}, 3.0)
    assert [o.outcomes["objective"] for o in study.observations][-1] == 3.0


def test_a_statement_that_takes_its_time_is_let_be(still: postgres.Server) -> None:
    with deadlines.LimitedConnection.connect(still.url()) as connection:
        connection.limit = 3.0
        assert connection.execute("SELECT 7, pg_sleep(1)").fetchone()[0] == 7
        connection.limit = 0.5
        with pytest.raises(Exception, match="no answer within"):
            connection.execute("SELECT pg_sleep(30)")
        assert connection.closed


def test_a_lock_on_a_file_with_nine_who_wait(tmp_path: Path) -> None:
    """Each has its own patience; they do not wait for one another's as well. That is a promise in
    seconds, so it is held against a clock."""
    file = tmp_path / "study.db"
    patience = 4.0
    storage = SqlStorage(f"sqlite:///{file}", patience=patience)
    study = cs.create_study(BOX, policy="random", storage=storage)
    said: list[str] = []
    waited: list[float] = []

    def tell() -> None:
        mine = cs.load_study("study", storage)
        began = time.monotonic()
        try:
            mine.tell({"x": 0.5}, 1.0)
        except cs.StorageError as error:
            said.append(str(error))
        waited.append(time.monotonic() - began)

    with sqlite3.connect(file, isolation_level=None) as rude:
        rude.execute("BEGIN IMMEDIATE")
        threads = [threading.Thread(target=tell) for _ in range(9)]
        for thread in threads:
            thread.start()
        assert study.facts == ()  # looking goes on
        for thread in threads:
            thread.join()
        rude.execute("ROLLBACK")
    rude.close()
    assert len(said) == 9
    assert max(waited) < _GENEROUS * patience
    assert all("is locked by another program" in each for each in said)
    study.tell({"x": 0.5}, 1.0)
    assert len(study.facts) == 1


def test_deleting_thousands_of_facts_takes_no_longer_for_each(still: postgres.Server) -> None:
    """In steps of the server's work: fact by fact it would search all that may name it."""
    from storage.test_speed import big

    url = still.database("many")
    seconds = []
    for facts in (1000, 4000):
        big(url, facts)
        began = time.monotonic()
        cs.delete_study("big", url)
        seconds.append(time.monotonic() - began)
    assert seconds[1] < 10 * seconds[0] + 1
