"""A file that is removed or replaced while it is in use, and addresses that are shown."""

import shutil
from pathlib import Path

import pytest

import counsel as cs
from counsel.storage import engine as opening
from counsel.storage.sql import SqlStorage

BOX = cs.Space(x=cs.Float(0, 1))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "study.db"


@pytest.fixture
def study(file: Path) -> cs.Study:
    made = cs.create_study(BOX, name="kept", policy="random", storage=f"sqlite:///{file}")
    for i in range(3):
        made.tell({"x": 0.5}, float(i))
    return made


def copy(file: Path, to: Path) -> None:
    """A whole copy: what is still in the write-ahead log as well."""
    for end in ("", "-wal"):
        if Path(f"{file}{end}").exists():
            shutil.copy(f"{file}{end}", f"{to}{end}")


def test_a_file_removed_under_a_running_study_is_refused(file: Path, study: cs.Study) -> None:
    aside = file.with_name("aside")
    file.rename(aside)
    for act in (
        lambda: study.tell({"x": 0.5}, 9.0),
        lambda: study.facts,
        study.ask,
        lambda: cs.create_study(BOX, name="new", storage=study._ledger.storage),
    ):
        with pytest.raises(cs.StorageError, match=r"is gone.*Nothing was written.*Put it back"):
            act()
    assert not file.exists()  # none was made in its place
    aside.rename(file)
    study.tell({"x": 0.5}, 3.0)
    assert len(cs.load_study("kept", f"sqlite:///{file}").facts) == 4


def test_a_file_replaced_by_an_older_copy_is_noticed(file: Path, study: cs.Study) -> None:
    older = file.with_name("older")
    copy(file, older)
    study.tell({"x": 0.25}, 3.0)
    for end in ("", "-wal", "-shm"):
        Path(f"{file}{end}").unlink(missing_ok=True)
    for end in ("", "-wal"):
        if Path(f"{older}{end}").exists():
            Path(f"{older}{end}").rename(f"{file}{end}")
    with pytest.raises(cs.HistoryChanged, match=r"once held 4 facts.*now it holds 3"):
        study.tell({"x": 0.5}, 9.0)
    told = study.tell({"x": 0.5}, 9.0)
    assert cs.load_study("kept", f"sqlite:///{file}").facts[-1] == told
    assert len(study.facts) == 4


def test_a_file_removed_while_it_is_written_is_not_acknowledged(
    file: Path, study: cs.Study
) -> None:
    storage = study._ledger.storage
    with pytest.raises(cs.StorageError, match=r"while it was written.*may be lost"):
        storage.write(1, lambda writer: file.rename(file.with_name("aside")))


def test_a_file_that_is_made_writable_again_is_written_again(folder_with_rights: Path) -> None:
    file = folder_with_rights / "study.db"
    url = f"sqlite:///{file}"
    cs.create_study(BOX, name="kept", policy="random", storage=url)._ledger.storage.close()
    file.chmod(0o444)
    study = cs.load_study("kept", url)
    with pytest.raises(cs.StorageError, match="is read-only"):
        study.tell({"x": 0.5}, 1.0)
    file.chmod(0o644)
    study.tell({"x": 0.5}, 1.0)
    assert len(cs.load_study("kept", url).facts) == 1


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ann:hidden@host/lab",
        "postgresql://host/lab?user=ann&password=hidden",
        "postgresql://host/lab?sslpassword=hidden",
    ],
)
def test_no_password_is_shown(address: str) -> None:
    assert "hidden" not in opening.shown(opening.parse(address))


@pytest.mark.parametrize(
    "mistyped",
    [
        "postgresql:/ann:hidden@host/lab",
        "postgresql//ann:hidden@host/lab",
        "ann:hidden@host/lab",
        "postgresql://ann:hidden@host:port/lab",
        "postgresql://ann:hid@den@host:x/lab",
        "mysql://ann:hidden@host/lab",
        "postgresql:/host/lab?password=hidden",
    ],
)
def test_a_mistyped_address_does_not_print_its_password(mistyped: str) -> None:
    with pytest.raises(cs.InvalidInput) as caught:
        SqlStorage(mistyped)
    assert "hid" not in str(caught.value)
    assert "hid" not in str(caught.value.value)
