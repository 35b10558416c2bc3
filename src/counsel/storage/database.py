"""Transactions on an open database, retried where that helps, on the file that was opened.

An SQLite file that is removed or replaced while open can still be written for hours, and the facts
are lost: the process writes to a file without a name. So each transaction checks at its beginning
and end that the name still refers to that file.
"""

import contextlib
import os
import stat
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy import exc

from counsel.errors import StorageError
from counsel.storage import engine as opening
from counsel.storage.retries import patiently

__all__ = ["PATIENCE", "Database"]

T = TypeVar("T")
PATIENCE = 30.0  # seconds for which lock and connection errors are retried
_PATIENCE_TO_OPEN = 10.0  # after a typo in the address nobody should wait long


class Database:
    """`prepare` creates or upgrades the tables of the file that is opened."""

    def __init__(
        self, address: sa.URL, prepare: Callable[[sa.Engine], None], patience: float = PATIENCE
    ) -> None:
        self.where = opening.shown(address)
        self.engine = opening.engine_for(address)
        self._prepare, self._patience = prepare, patience
        self._file = opening.file_of(address)
        self._process = os.getpid()
        self._opening = threading.Lock()
        self._opened: tuple[int, int] | None = None
        weakref.finalize(self, self.engine.dispose)
        patiently(self._open, self.where, min(patience, _PATIENCE_TO_OPEN))

    @property
    def file(self) -> str | None:
        """The file of an SQLite database; None for a server."""
        return self._file

    @property
    def sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    def patiently(self, work: Callable[[], T], since: float | None = None) -> T:
        """Do the work; retry passing errors for a while, counted from `since`."""
        return patiently(lambda: self._anew(work), self.where, self._patience, since)

    def forked(self) -> bool:
        """Whether this process is a newly forked child.

        It must not use its parent's connections, nor close them: from now on it has its own.
        """
        if os.getpid() == self._process:
            return False
        self.engine.dispose(close=False)
        self._process = os.getpid()
        self._opening = threading.Lock()
        return True

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """A transaction that will write."""
        self._look()
        with opening.begin_writing(self.engine) as connection:
            yield connection
        if self._now() != self._opened:
            raise StorageError(
                f"The file of {self.where} was removed or replaced while it was written. The last "
                "write may be lost: check the history before you repeat it."
            )

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """A transaction that sees one state of the database."""
        self._look()
        engine = self.engine
        if not self.sqlite:  # one snapshot for several queries
            engine = engine.execution_options(isolation_level="REPEATABLE READ")
        with engine.begin() as connection:
            yield connection

    def close(self) -> None:
        self.engine.dispose()

    # ---- the file ------------------------------------------------------------------------------

    def _open(self) -> None:
        self._prepare(self.engine)
        self._opened = self._now()

    def _now(self) -> tuple[int, int] | None:
        """Which file the name refers to; None if it does not exist or is not a file."""
        if self._file is None:
            return None
        try:
            found = os.stat(self._file)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _anew(self, work: Callable[[], T]) -> T:
        """Do the work; once more if a file was read-only and no longer is.

        A connection to a read-only file stays read-only, and so do the log and the index that
        SQLite makes beside it, with the file's rights of that moment.
        """
        try:
            return work()
        except exc.OperationalError as error:
            said = getattr(error.orig, "sqlite_errorname", "")
            if self._file is None or not said.startswith("SQLITE_READONLY"):
                raise
            self.engine.dispose()
            for end in ("-shm", "-wal"):
                with contextlib.suppress(OSError):
                    beside = Path(f"{self._file}{end}")
                    beside.chmod(beside.stat().st_mode | stat.S_IWUSR)
            if not os.access(self._file, os.W_OK):
                raise
            return work()

    def _look(self) -> None:
        """Open the file that the name refers to now; refuse if there is none."""
        now = self._now()
        if now == self._opened:
            return
        if now is None:
            raise StorageError(
                f"The file of {self.where} is gone: it was moved or removed while in use. Nothing "
                "was written. Put it back; what was acknowledged is in it."
            )
        with self._opening:
            if now != self._opened:
                self.engine.dispose()
                self._open()
