"""Code that others could have put there is not run."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from counsel.models import cache_folder

pytestmark = pytest.mark.skipif(os.name != "posix", reason="folders have no such owners here")
SCRIPT = """
import numpy as np
from counsel.models import compiling
def plain(x): return 2.0 * x
plain.__module__ = "counsel.models.gp"
print(float(compiling.compiled()(plain)(np.ones(1))[0]))
"""


def run(folder: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**os.environ, "COUNSEL_CACHE": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )


class Planted:
    """Unpickled, it makes a file: somebody else's code has run."""

    def __init__(self, mark: Path) -> None:
        self._mark = mark

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self._mark,)


def test_code_in_a_folder_that_others_can_write_does_not_run(tmp_path: Path) -> None:
    folder, mark = tmp_path / "cache", tmp_path / "ran"
    run(folder)
    (kept,) = folder.glob("counsel-plain-*")
    assert not folder.stat().st_mode & 0o077  # made for this user alone
    kept.write_bytes(pickle.dumps(Planted(mark)))
    folder.chmod(0o777)
    done = run(folder)
    assert done.stdout == "2.0\n"
    assert "can be written by other users" in done.stderr
    assert not mark.exists()
    folder.chmod(0o755)
    kept.chmod(0o666)  # the folder is safe, the file is not
    assert run(folder).stdout == "2.0\n"
    assert not mark.exists()


def test_what_is_private(tmp_path: Path) -> None:
    for mode, private in ((0o700, True), (0o755, True), (0o775, False), (0o777, False)):
        tmp_path.chmod(mode)
        assert cache_folder.is_private(tmp_path) == private, oct(mode)
    assert not cache_folder.is_private(tmp_path / "nothing")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_what_belongs_to_somebody_else_is_not_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o700)
    os.chown(tmp_path, 12345, 12345)
    assert not cache_folder.is_private(tmp_path)
    os.chown(tmp_path, 0, 0)
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert cache_folder.is_private(tmp_path)  # the administrator's
