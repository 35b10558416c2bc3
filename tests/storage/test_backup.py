"""Copies of a whole storage, made and brought back while it is in use."""

import json
import os
import sqlite3
import stat
import threading
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import counsel as cs
from counsel.cli import app
from counsel.service.security.tokens import Tokens
from counsel.storage.backup import backup, restore
from counsel.storage.sql import SqlStorage

BOX = cs.Space(x=cs.Float(0, 1), kind=cs.Categorical(["a", "b"]))


def fill(storage: SqlStorage, name: str) -> cs.Study:
    made = cs.create_study(
        BOX, name=name, constraints=[cs.Constraint("c", at_least=0)], policy="random",
        storage=storage,
    )  # fmt: skip
    for i in range(4):
        proposal = made.ask()
        made.accept(proposal, actor="ann", reason="fine")
        made.tell(proposal, float(i), constraints={"c": 0.1 + 0.2}, actor="ann")
    made.revise("o1", 2.5)
    made.withdraw("o2")
    made.compare(winner="p1", loser="p3", actor="ben")
    made.hold(made.ask(), actor="ann", seconds=600)
    return made


def whole(storage: SqlStorage) -> list[Any]:
    names = [each.name for each in cs.list_studies(storage)]
    studies = [cs.load_study(name, storage) for name in names]
    return [(study.setup, study.facts, study.leases) for study in studies]


@pytest.fixture
def target(request: pytest.FixtureRequest, url: str) -> str:
    """A new database of the other kind than `url`."""
    if url.startswith("sqlite"):
        from storage.conftest import new_database

        return new_database(request.getfixturevalue("server"))
    return f"sqlite:///{request.getfixturevalue('tmp_path') / 'other.db'}"


def test_everything_comes_back_on_the_same_and_on_the_other_kind_of_storage(
    url: str, target: str, tmp_path: Path
) -> None:
    storage = SqlStorage(url)
    for name in ("one", "two"):
        fill(storage, name)
    storage.delete("one")  # numbers have a gap
    fill(storage, "three")
    tokens = Tokens(url)
    made, text = tokens.create("vera", studies={"two": "viewer"})
    before = whole(storage)
    done = backup(storage, tmp_path / "copy.db")
    assert (done.studies, done.facts) == (2, sum(len(facts) for _, facts, _ in before))
    assert [file.name for file in tmp_path.glob("*copy*")] == ["copy.db"]
    other = SqlStorage(target)
    assert restore(tmp_path / "copy.db", other) == done
    assert whole(other) == before
    assert Tokens(target).check(text) == made
    # And it goes on there, with numbers of its own.
    cs.load_study("two", other).tell({"x": 0.5, "kind": "a"}, 1.0)
    fill(other, "four")
    # Back where it came from, in the place of what has happened since.
    fill(storage, "later")
    with pytest.raises(cs.InvalidInput, match="holds 3 studies"):
        restore(tmp_path / "copy.db", storage)
    restore(tmp_path / "copy.db", storage, replace=True)
    assert whole(storage) == before


def test_it_is_made_while_others_write(url: str, tmp_path: Path) -> None:
    """Some moment of the study, whole; and nobody who writes is refused."""
    storage = SqlStorage(url)
    study = cs.create_study(BOX, name="busy", policy="random", storage=storage)
    going, wrong = threading.Event(), []
    going.set()

    def write() -> None:
        mine = cs.load_study("busy", url)
        while going.is_set():
            try:
                mine.tell({"x": 0.5, "kind": "a"}, 1.0)
            except Exception as error:
                wrong.append(error)

    writers = [threading.Thread(target=write) for _ in range(3)]
    for writer in writers:
        writer.start()
    counts = []
    try:
        for number in range(3):
            counts.append(backup(storage, tmp_path / f"copy{number}.db").facts)
            assert len(study.facts) >= counts[-1]
    finally:
        going.clear()
        for writer in writers:
            writer.join()
    assert wrong == []
    assert counts == sorted(counts)
    assert counts[-1] > 0
    copied = cs.load_study("busy", f"sqlite:///{tmp_path / 'copy2.db'}").facts
    assert copied == study.facts[: len(copied)]


@pytest.mark.skipif(os.name != "posix", reason="files have no such rights here")
def test_nobody_may_read_the_copy_who_may_not_read_the_storage(url: str, tmp_path: Path) -> None:
    """Even if there is a link already, by somebody else, under the name that it is written to."""
    storage = SqlStorage(url)
    fill(storage, "one")
    if storage.database.file is not None:
        os.chmod(storage.database.file, 0o640)
    bait = tmp_path / "bait"
    bait.touch(0o666)
    (tmp_path / ".copy.db.part").symlink_to(bait)
    before = os.umask(0)
    try:
        backup(storage, tmp_path / "copy.db")
    finally:
        os.umask(before)
    rights = stat.S_IMODE((tmp_path / "copy.db").stat().st_mode)
    assert rights == (0o600 if storage.database.file is None else 0o640)
    assert bait.read_bytes() == b""


def test_a_program_that_runs_notices_a_restore_and_goes_on(url: str, tmp_path: Path) -> None:
    running = fill(SqlStorage(url), "one")
    backup(SqlStorage(url), tmp_path / "copy.db")
    known = running.facts
    late = fill(SqlStorage(url), "late")
    running.tell({"x": 0.5, "kind": "a"}, 9.0)
    restore(tmp_path / "copy.db", SqlStorage(url), replace=True)
    with pytest.raises(cs.HistoryChanged, match="Nothing was written"):
        running.tell({"x": 0.5, "kind": "a"}, 10.0)
    assert running.facts == known
    running.tell({"x": 0.5, "kind": "a"}, 11.0)
    # The next study does not get the number of one that is gone and still open somewhere.
    fill(SqlStorage(url), "next")
    with pytest.raises(cs.CounselError):
        late.tell({"x": 0.5, "kind": "a"}, 1.0)


def test_a_damaged_storage_is_not_copied_and_a_damaged_copy_not_brought_back(
    tmp_path: Path,
) -> None:
    file = tmp_path / "a.db"
    storage = SqlStorage(f"sqlite:///{file}")
    fill(storage, "one")
    backup(storage, tmp_path / "good.db")
    storage.close()
    for name in ("a.db", "good.db"):
        with sqlite3.connect(tmp_path / name) as raw:
            raw.execute("UPDATE outcomes SET value = value + 1 WHERE place = 3")
        raw.close()
    with pytest.raises(cs.StorageError, match="'one' is damaged"):
        backup(SqlStorage(f"sqlite:///{file}"), tmp_path / "bad.db")
    assert not (tmp_path / "bad.db").exists()
    fresh = SqlStorage(f"sqlite:///{tmp_path / 'fresh.db'}")
    with pytest.raises(cs.StorageError, match="'one' is damaged"):
        restore(tmp_path / "good.db", fresh)
    assert cs.list_studies(fresh) == []


def test_from_the_terminal(tmp_path: Path) -> None:
    url, file = f"sqlite:///{tmp_path / 'a.db'}", str(tmp_path / "copy.db")
    fill(SqlStorage(url), "one")

    def run(*arguments: str) -> tuple[int, str]:
        result = CliRunner().invoke(app, list(arguments))
        return result.exit_code, result.output

    code, said = run("backup", file, "--storage", url, "--json")
    assert (code, json.loads(said)["studies"]) == (0, 1)
    assert run("backup", file, "--storage", url)[0] == 2  # a backup is never overwritten
    assert run("restore", file, "--storage", url)[0] == 2
    assert run("restore", file, "--storage", url, "--replace")[0] == 0
    new = f"sqlite:///{tmp_path / 'new.db'}"
    assert run("restore", file, "--storage", new)[0] == 0
    assert whole(SqlStorage(new)) == whole(SqlStorage(url))
    assert run("restore", str(tmp_path / "none.db"), "--storage", new)[0] == 2
