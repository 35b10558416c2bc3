"""A database in use: its transactions, tried again where that helps, on the file that was opened.

An SQLite file that is removed or replaced while it is open can be written for hours, and nobody
finds the facts again: the process writes to a file without a name. So each transaction begins and
ends with a look at whether the name still stands for that file.
"""

import os
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import sqlalchemy as sa

from counsel.errors import StorageError
from counsel.storage import engine as opening
from counsel.storage.retries import patiently

__all__ = ["PATIENCE", "Database"]

T = TypeVar("T")
PATIENCE = 30.0  # seconds that lock and connection errors are tried again for
_PATIENCE_TO_OPEN = 10.0  # someone who has mistyped the address should not wait for long


class Database:
    """`prepare` makes the tables, or brings them up to date, of whatever file is opened."""

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
    def sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    def patiently(self, work: Callable[[], T], since: float | None = None) -> T:
        """Do the work; after a complaint that may pass, again, for a while from `since` on."""
        return patiently(work, self.where, self._patience, since)

    def forked(self) -> bool:
        """Whether this process is a child that has just been forked.

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
                f"The file of {self.where} was removed or replaced while it was written. What was "
                "being written may not be kept: look at the history before you repeat it."
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
        """Which file stands under the name; None where there is none, or no file at all."""
        if self._file is None:
            return None
        try:
            found = os.stat(self._file)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _look(self) -> None:
        """Open the file that stands under the name now; refuse where there is none."""
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
