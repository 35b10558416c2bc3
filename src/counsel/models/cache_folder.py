"""Where compiled code is kept: a folder that nobody else can write to.

Its content is executed. A folder or file that another user could have written is not used; programs
are then compiled in every process.
"""

import os
import stat
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["chosen", "is_private", "location", "locked", "read_private"]

_PAUSE = 0.02  # seconds between two attempts to take a lock
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def location() -> Path:
    """`$COUNSEL_CACHE`, else the user's cache folder."""
    given = os.environ.get("COUNSEL_CACHE")
    if given:
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "counsel"


def chosen() -> Path | None:
    """The folder for compiled code; None, with a warning, if others can write to it."""
    folder = location()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return folder  # it cannot be written, which is not an error
    if is_private(folder):
        return folder
    warnings.warn(
        f"The cache folder {folder} can be written by other users, so the compiled code in it is "
        "not used. Remove it, or give COUNSEL_CACHE a folder of your own (chmod 700).",
        RuntimeWarning,
        stacklevel=2,
    )
    return None


def is_private(folder: Path) -> bool:
    """Whether only this user and the machine's administrator can write there."""
    try:
        return _ours(folder.stat())
    except OSError:
        return False


def read_private(file: Path) -> bytes | None:
    """A file's content; None if it does not exist or somebody else could have written it."""
    try:
        with file.open("rb") as opened:
            ours = is_private(file.parent) and _ours(os.fstat(opened.fileno()))
            return opened.read() if ours else None
    except OSError:
        return None


@contextmanager
def locked(file: Path, patience: float) -> Iterator[bool]:
    """One process at a time that makes this file; the answer says whether another one was first.

    The lock ends with its process. Whoever has waited for `patience` seconds goes on without it, as
    does everyone where files cannot be locked: then the file is made twice, which harms nothing.
    """
    beside = file.with_name(f"{file.name}.lock")
    try:
        import fcntl

        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(beside, os.O_RDWR | os.O_CREAT, 0o600)
    except (ImportError, OSError):
        yield False
        return
    waited, deadline = False, time.monotonic() + patience
    try:
        while time.monotonic() < deadline:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError:
                waited = True
                time.sleep(_PAUSE)
        # Another one may have made the file between our look for it and the lock.
        yield waited or file.exists()
        beside.unlink(missing_ok=True)
    finally:
        os.close(handle)


def _ours(found: os.stat_result) -> bool:
    if not hasattr(os, "geteuid"):  # on systems without such owners
        return True
    return found.st_uid in (os.geteuid(), 0) and not found.st_mode & _OTHERS_WRITE
