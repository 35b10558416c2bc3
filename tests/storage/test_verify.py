"""What is damaged is found and named; nothing damaged is ever taken for a fact."""

import random
import re
import shutil
import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner

import counsel as cs
from counsel.cli import app
from counsel.storage.sql import SqlStorage
from counsel.storage.verify import verify

BOX = cs.Space(x=cs.Float(0, 1), kind=cs.Categorical(["a", "b"]))


def fill(url: str) -> None:
    for name in ("first", "second"):
        study = cs.create_study(BOX, name=name, policy="random", storage=url)
        for i in range(10):
            proposal = study.ask()
            study.accept(proposal, actor="ann", reason="fine")
            study.tell(proposal, float(i), actor="ann")
        study._ledger.storage.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "study.db"
    fill(f"sqlite:///{path}")
    return path


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(arguments), prog_name="counsel")
    return result.exit_code, re.sub(r"\s+", " ", result.output)


def test_an_intact_storage(url: str) -> None:
    fill(url)
    found = verify(SqlStorage(url))
    assert [(v.study, v.facts, v.whole, v.intact) for v in found] == [
        ("first", 30, 30, True),
        ("second", 30, 30, True),
    ]
    assert run("verify", "--replay", "--storage", url)[0] == 0


@pytest.mark.parametrize(
    ("change", "whole"),
    [
        ("UPDATE outcomes SET value = value + 1 WHERE study_id = 2 AND place = 9", 8),
        ("UPDATE decisions SET reason = 'bad' WHERE study_id = 2 AND place = 2", 1),
        ("UPDATE proposals SET point = '{' WHERE study_id = 2 AND place = 4", 3),
        ("UPDATE facts SET kind = 'nothing' WHERE study_id = 2 AND place = 30", 29),
        ("UPDATE studies SET space = '{}' WHERE id = 2", 0),
        ("UPDATE studies SET seed = 8 WHERE id = 2", 0),
        ("UPDATE studies SET space = replace(space, '1.0', '3.0') WHERE id = 2", 0),
        ("UPDATE proposals SET asks = 7 WHERE study_id = 2 AND place = 7", 6),
    ],
)
def test_what_is_damaged_is_named(file: Path, change: str, whole: int) -> None:
    with sqlite3.connect(file) as raw:
        assert raw.execute(change).rowcount == 1
    raw.close()
    url = f"sqlite:///{file}"
    first, second = verify(SqlStorage(url))
    assert first.intact
    assert (second.intact, second.whole) == (False, whole)
    code, said = run("verify", "--storage", url)
    assert code == 1
    assert f"second 30 {whole}" in said
    with pytest.raises(cs.StorageError):  # never a raw exception
        cs.load_study("second", url).facts
    assert len(cs.load_study("first", url).facts) == 30


def test_flipped_bits_never_change_a_fact_silently(file: Path, tmp_path: Path) -> None:
    """Either everything is as before, or it is said that something is not."""
    studies = [cs.load_study(name, f"sqlite:///{file}") for name in ("first", "second")]
    before = {study.name: (study.setup, study.facts) for study in studies}
    content = file.read_bytes()
    moments = random.Random(3)
    flipped, said = tmp_path / "flipped.db", 0
    for _ in range(60):
        bad = bytearray(content)
        bad[moments.randrange(100, len(bad))] ^= 1 << moments.randrange(8)
        flipped.write_bytes(bad)
        try:
            storage = SqlStorage(f"sqlite:///{flipped}", patience=0.1)
            for name, known in before.items():
                study = cs.load_study(name, storage)
                assert (study.setup, study.facts) == known
        except cs.CounselError:
            said += 1
        finally:
            storage.close()
            for end in ("-wal", "-shm"):
                flipped.with_name(f"{flipped.name}{end}").unlink(missing_ok=True)
    assert 0 < said < 60


def test_a_damaged_file_is_not_said_to_have_lost_nothing(file: Path) -> None:
    shutil.copy(file, file.with_name("copy.db"))
    content = bytearray(file.read_bytes())
    for page in range(2, len(content) // 4096):
        content[page * 4096 : page * 4096 + 100] = bytes(100)
    file.write_bytes(content)
    code, said = run("verify", "--storage", f"sqlite:///{file}")
    assert code == 2
    assert "is damaged" in said
    assert "nothing was lost" not in said
    assert run("verify", "--storage", f"sqlite:///{file.with_name('copy.db')}")[0] == 0
