"""Where compiled code is kept: a folder that nobody else can write to.

Its content is executed. A folder or file that another user could have written is not used; programs
are then compiled in every process.
"""

import os
import stat
import warnings
from pathlib import Path

__all__ = ["chosen", "is_private", "location", "read_private"]

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


def _ours(found: os.stat_result) -> bool:
    if not hasattr(os, "geteuid"):  # on systems without such owners
        return True
    return found.st_uid in (os.geteuid(), 0) and not found.st_mode & _OTHERS_WRITE
