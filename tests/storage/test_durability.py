"""Facts that were acknowledged and are not there: not lost by our doing, and noticed otherwise."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

import counsel as cs
import postgres
from counsel.exchange import document
from counsel.storage.sql import SqlStorage

BOX = cs.Space(x=cs.Float(0, 1))


@pytest.fixture(scope="module")
def mortal() -> Iterator[postgres.Server]:
    """A server that may crash, and that is set to forget: it acknowledges before it writes."""
    if postgres.programs() is None:
        pytest.skip("PostgreSQL is not on this machine: apt-get install postgresql")
    with postgres.running(durable=True) as running:
        with psycopg.connect(running.url(), autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET synchronous_commit = off")
            connection.execute("ALTER SYSTEM SET wal_writer_delay = '10s'")
            connection.execute("SELECT pg_reload_conf()")
        yield running


def create(url: str) -> cs.Study:
    return cs.create_study(BOX, name="kept", policy="random", storage=url)


def crash(server: postgres.Server) -> None:
    server.stop("immediate")
    server.start()


def test_acknowledged_facts_do_not_vanish_with_synchronous_commit_off(
    mortal: postgres.Server,
) -> None:
    """Set for the server, and for the database and in the address besides."""
    url = mortal.database("forgetful")
    with psycopg.connect(mortal.url(), autocommit=True) as connection:
        connection.execute("ALTER DATABASE forgetful SET synchronous_commit = off")
    study = create(f"{url}?options=-c%20synchronous_commit%3Doff")
    told = [study.tell({"x": 0.5}, float(i)) for i in range(20)]
    crash(mortal)
    assert cs.load_study("kept", url).facts == tuple(told)
    # What the same server does to whoever trusts it as it is set up.
    with psycopg.connect(url, autocommit=True) as connection:
        assert connection.execute("SHOW synchronous_commit").fetchone() == ("off",)


def restored_in_place(server: postgres.Server, name: str, copy: str) -> None:
    """Put a copy in the place of a database that is in use, as a restore or a failover does."""
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name]
        )
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
        connection.execute(f'ALTER DATABASE "{copy}" RENAME TO "{name}"')


def assert_noticed(study: cs.Study, act: Any, url: str, held: int, there: int) -> None:
    """It is refused in a sentence, once; then everybody has the same facts and goes on."""
    with pytest.raises(cs.HistoryChanged) as caught:
        act()
    assert f"once held {held} facts" in str(caught.value)
    assert "Nothing was written" in str(caught.value)
    assert len(study.facts) == there
    assert study.facts == cs.load_study("kept", url).facts
    study.tell({"x": 0.75}, 2.0)
    assert [type(fact) for fact in study.facts[-1:]] == [cs.Observation]
    assert len({fact.id for fact in study.facts}) == there + 1
    whole = document.to_json(study.setup, study.facts)
    document.check(*document.from_json(whole))


@pytest.mark.parametrize("what", ["tell", "look", "hold"])
def test_a_database_that_is_restored_under_a_running_process_is_noticed(
    server: postgres.Server, what: str
) -> None:
    name = f"restored_{what}"
    url = server.database(name, like="prepared")
    study = create(url)
    proposal = study.ask()
    for i in range(5):
        study.tell({"x": 0.5}, float(i))
    study._ledger.storage.close()  # a database that is copied has nobody in it
    server.database(f"{name}_copy", like=name)
    for i in range(4):
        study.tell({"x": 0.25}, float(i))
    restored_in_place(server, name, f"{name}_copy")
    acts = {
        "tell": lambda: study.tell({"x": 0.5}, 9.0),
        "look": lambda: study.facts,
        "hold": lambda: study.hold(proposal, actor="ann"),
    }
    assert_noticed(study, acts[what], url, held=10, there=6)


def test_other_facts_in_the_same_places_are_noticed(server: postgres.Server) -> None:
    """After a failover somebody else has gone on: as many facts, but not the same."""
    url = server.database("failover", like="prepared")
    study = create(url)
    study.tell({"x": 0.5}, 1.0)
    study._ledger.storage.close()
    other = server.database("failover_copy", like="failover")
    study.tell({"x": 0.25}, 2.0)
    storage = SqlStorage(other)
    cs.load_study("kept", storage).tell({"x": 0.125}, 3.0)
    storage.close()
    restored_in_place(server, "failover", "failover_copy")
    with pytest.raises(cs.HistoryChanged, match="other facts in their place"):
        study.tell({"x": 0.5}, 4.0)
    assert [o.values["x"] for o in study.observations] == [0.5, 0.125]


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE outcomes SET value = 1.25 WHERE place = 2",
        "UPDATE observations SET point = '{\"x\": 0.75}' WHERE place = 2",
        "UPDATE facts SET time = '2020-01-01 00:00:00.000000' WHERE place = 2",
        "UPDATE facts SET actor = 'bob' WHERE place = 2",
        "UPDATE proposals SET mean = 0.5, sd = 1 WHERE place = 1",
    ],
)
def test_a_changed_fact_is_never_taken_for_the_one_that_was_written(
    tmp_path: Path, change: str
) -> None:
    file = tmp_path / "study.db"
    study = create(f"sqlite:///{file}")
    study.ask()
    study.tell("p1", 1.0, actor="ann")
    study.tell({"x": 0.5}, 2.0, actor="bob")
    with sqlite3.connect(file) as raw:
        assert raw.execute(change).rowcount == 1
    raw.close()
    with pytest.raises(cs.StorageError, match=r"Fact [12] .*differs from what was written"):
        cs.load_study("kept", f"sqlite:///{file}").facts


def test_a_fact_that_is_missing_in_the_middle_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "study.db"
    study = create(f"sqlite:///{file}")
    for i in range(4):
        study.tell({"x": 0.5}, float(i))
    with sqlite3.connect(file) as raw:
        for table in ("outcomes", "observations", "facts"):
            raw.execute(f"DELETE FROM {table} WHERE place = 2")
    raw.close()
    with pytest.raises(cs.StorageError, match=r"Fact 2 is missing.*'o3'"):
        cs.load_study("kept", f"sqlite:///{file}").facts


def test_a_database_from_before_there_were_links_is_covered_from_the_next_fact_on(
    tmp_path: Path,
) -> None:
    file = tmp_path / "old.db"
    with sqlite3.connect(file) as raw:
        raw.executescript((Path(__file__).parent / "old" / "0003.sql").read_text())
    raw.close()
    url = f"sqlite:///{file}"
    study = cs.load_study("kept", url)
    study.tell({"lifting": 4, "mode": "stiff"}, 1.0)
    assert cs.load_study("kept", url).facts == study.facts
    with sqlite3.connect(file) as raw:
        raw.execute("UPDATE outcomes SET value = 9 WHERE place = 3")
    raw.close()
    with pytest.raises(cs.StorageError, match="or one before it, differs from what was written"):
        cs.load_study("kept", url).facts
