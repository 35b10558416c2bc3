"""What goes wrong with databases: a sentence each, and nothing damaged."""

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

import counsel as cs
from counsel.facts.records import PastTrial
from counsel.storage import schema
from counsel.storage.sql import SqlStorage

BOX = cs.Space(x=cs.Float(0, 1))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A database with a little study in it, closed."""
    path = tmp_path / "study.db"
    storage = SqlStorage(address(path))
    study = cs.create_study(BOX, name="trial", policy="random", storage=storage)
    for i in range(3):
        study.tell(study.ask(), float(i))
    storage.close()
    return path


def create(storage: Any) -> cs.Study:
    return cs.create_study(BOX, policy="random", storage=storage)


def address(path: Path) -> str:
    return f"sqlite:///{path}"


def assert_intact(path: Path, facts: int = 6) -> None:
    study = cs.load_study("trial", address(path))
    assert len(study.facts) == facts
    assert study.replay().identical
    study.ask()
    assert sqlite3.connect(path).execute("PRAGMA integrity_check").fetchone() == ("ok",)


def refused(call: Any, *parts: str) -> str:
    with pytest.raises(cs.StorageError) as caught:
        call()
    message = str(caught.value)
    for part in parts:
        assert part in message
    assert "Traceback" not in message
    assert message.endswith(".")
    return message


# ---- SQLite -------------------------------------------------------------------------------------


def test_a_read_only_file_can_be_read(file: Path) -> None:
    only_read = f"sqlite:///file:{file}?mode=ro&uri=true"
    study = cs.load_study("trial", only_read)
    assert len(study.facts) == 6
    for call in (study.ask, lambda: study.tell({"x": 0.5}, 1.0)):
        refused(call, "study.db", "is read-only", "writable")
    assert len(study.facts) == 6
    assert_intact(file)


def test_a_write_protected_folder(folder_with_rights: Path) -> None:
    folder_with_rights.chmod(0o555)
    refused(lambda: create(address(folder_with_rights / "new.db")), "folder")
    folder_with_rights.chmod(0o755)
    create(address(folder_with_rights / "new.db"))


_FILL = """
import resource, sys
import counsel as cs
from pathlib import Path
path = Path(sys.argv[1])
study = cs.load_study("trial", f"sqlite:///{path}")
study.facts
log = Path(f"{path}-wal").stat().st_size if Path(f"{path}-wal").exists() else 0
size = max(path.stat().st_size, log) + 40_000
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))  # as a full disk: writing beyond fails
done = 6
try:
    for _ in range(10_000):
        study.tell({"x": 0.5}, 1.0, actor="a" * 200)
        done += 1
except cs.StorageError as error:
    assert len(study.facts) == done
    print(done, str(error))
"""


def test_a_disk_that_is_full(file: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    ran = subprocess.run(
        [sys.executable, "-c", _FILL, str(file)], capture_output=True, text=True, env=environment
    )
    done, _, message = ran.stdout.strip().partition(" ")
    assert int(done) > 6, ran.stderr
    assert "study.db" in message
    assert "Make room" in message
    assert_intact(file, int(done))


def test_a_database_that_may_not_grow(file: Path) -> None:
    """SQLite's own "database or disk is full"."""
    storage = SqlStorage(address(file))

    @sa.event.listens_for(storage._database.engine, "begin")
    def limited(connection: Any) -> None:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    study = cs.load_study("trial", storage)
    many = [PastTrial({"x": 0.5}, {study.problem.objective.name: 1.0}, actor="a" * 200)] * 500
    refused(lambda: study.tell_many(many), "disk is full")
    assert len(study.facts) == 6
    sa.event.remove(storage._database.engine, "begin", limited)
    storage.close()
    assert_intact(file)


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database at all " * 100)
    before = path.read_bytes()
    for call in (
        lambda: create(address(path)),
        lambda: cs.load_study("trial", address(path)),
    ):
        refused(call, "notes.txt", "not an SQLite database")
    assert path.read_bytes() == before


def test_a_damaged_file(file: Path) -> None:
    copy = shutil.copy(file, file.with_name("copy.db"))
    content = bytearray(file.read_bytes())
    content[2 * 4096 :] = os.urandom(len(content) - 2 * 4096)
    file.write_bytes(content)
    refused(lambda: cs.load_study("trial", address(file)).facts, "study.db", "Restore it")
    assert file.read_bytes() == bytes(content)  # for whoever can rescue more
    assert_intact(Path(copy))


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    missing = address(tmp_path / "no" / "study.db")
    refused(lambda: create(missing), "folder has to exist")
    refused(lambda: cs.load_study("trial", missing), "There is no database")
    refused(lambda: create(address(tmp_path)), "cannot be opened")


def test_looking_creates_nothing(tmp_path: Path) -> None:
    url = address(tmp_path / "typo.db")
    for call in (
        lambda: cs.load_study("trial", url),
        lambda: cs.list_studies(url),
        lambda: cs.delete_study("trial", url),
    ):
        refused(call, "typo.db", "Create a study")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_another_program_keeps_locked(file: Path) -> None:
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    storage = SqlStorage(address(file) + "?timeout=0.05", patience=0.3)
    study = cs.load_study("trial", storage)
    assert len(study.facts) == 6  # reading goes on
    refused(lambda: study.tell({"x": 0.5}, 1.0), "locked by another program")
    other.execute("ROLLBACK")
    other.close()
    study.tell({"x": 0.5}, 1.0)
    assert len(study.facts) == 7


def test_a_new_file_that_another_program_is_just_writing(tmp_path: Path) -> None:
    path = tmp_path / "study.db"
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    impatient = address(path) + "?timeout=0.05"
    refused(lambda: SqlStorage(impatient, patience=0.3), "locked by another program")
    soon = threading.Timer(0.3, other.execute, ["ROLLBACK"])
    soon.start()
    create(impatient).tell({"x": 0.5}, 1.0)
    soon.join()
    other.close()


@pytest.mark.parametrize(
    "storage",
    ["study.db", "", "sqlite://", "sqlite:///:memory:", "mysql://u@h/d", "://", 3, True, object()],
)
def test_addresses_that_make_no_sense(storage: Any) -> None:
    with pytest.raises(cs.InvalidInput, match=r"^storage: got ") as caught:
        create(storage)
    assert "sqlite:///file.db" in str(caught.value)


def test_a_near_miss_is_guessed() -> None:
    with pytest.raises(cs.InvalidInput, match=r"Did you mean 'sqlite:///study\.db'"):
        create("study.db")


def test_passwords_are_not_repeated() -> None:
    with pytest.raises(cs.InvalidInput) as caught:
        create("mysql://ann:secret@host/db")
    assert "secret" not in str(caught.value)


# ---- both ---------------------------------------------------------------------------------------


def test_a_schema_from_the_future(url: str) -> None:
    cs.create_study(BOX, name="trial", policy="random", storage=url)
    engine = sa.create_engine(SqlStorage(url)._database.engine.url)
    change = sa.text(f"UPDATE {schema.VERSION_TABLE} SET version_num = :v")
    with engine.begin() as connection:
        connection.execute(change, {"v": "9999"})
    for call in (
        lambda: create(url),
        lambda: cs.load_study("trial", url),
    ):
        refused(call, "'9999'", "newer Counsel")
    with engine.begin() as connection:
        connection.execute(change, {"v": schema.VERSION})
    engine.dispose()
    assert cs.load_study("trial", url).ask().id == "p1"


def test_tables_of_another_program(tmp_path: Path, server: Any) -> None:
    for url in (address(tmp_path / "optuna.db"), server.database("strangers")):
        engine = sa.create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
        with engine.begin() as connection:
            connection.exec_driver_sql("CREATE TABLE studies (study_id INTEGER)")
        refused(lambda u=url: create(u), "(studies)", "of its own")
        assert sa.inspect(engine).get_table_names() == ["studies"]
        engine.dispose()


# ---- PostgreSQL ---------------------------------------------------------------------------------


def test_a_wrong_password(server: Any) -> None:
    message = refused(lambda: create(server.url(password="guessed")), "password")
    assert "guessed" not in message


def test_a_database_or_user_that_is_not_there(server: Any) -> None:
    refused(lambda: create(server.url("nowhere")), "no such database")
    refused(lambda: create(server.url(user="eve")), "password")


def test_no_server(server: Any) -> None:
    nobody = server.url().replace(str(server.port), "1")
    refused(
        lambda: SqlStorage(nobody, patience=0.2),
        "cannot be reached",
        "Check that the database is running",
    )
