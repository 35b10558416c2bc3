"""Commits the writes of several threads in one SQLite transaction.

SQLite lets one transaction write at a time, and a commit waits for the disk. Callers
queue here; one of them leads, does the work of all that wait, commits once and wakes the next
leader. Each caller is answered after that commit, as if it had been alone. A write that is refused
(it raises) is undone by a savepoint of its own; a commit that fails is every caller's failure.
"""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import sqlalchemy as sa
from sqlalchemy import exc

__all__ = ["GroupCommit"]

# Seconds after which a waiting caller checks for itself: the leader may have been interrupted.
_UNCALLED = 0.5


class _Write:
    def __init__(self, study: int, work: Callable[[sa.Connection], Any]) -> None:
        self.study, self.work = study, work
        self.over = False
        self.called = threading.Event()  # it is done, or this thread is to lead
        self.value: Any = None
        self.error: Exception | None = None

    def attempt(self, connection: sa.Connection, *, alone: bool) -> None:
        self.error = None
        if alone:  # it has the transaction to itself, which is rolled back as a whole
            self.value = self.work(connection)
            return
        try:
            with connection.begin_nested():
                self.value = self.work(connection)
        except exc.SQLAlchemyError:  # the database may have rolled back the whole transaction
            raise
        except Exception as error:
            self.error = error

    def finish(self) -> None:
        self.over = True
        self.called.set()

    def answer(self) -> Any:
        if self.error is not None:
            raise self.error
        return self.value


class GroupCommit:
    def __init__(self, begin: Callable[[], AbstractContextManager[sa.Connection]]) -> None:
        self._begin = begin
        self._turn = threading.Lock()  # to write
        self._list = threading.Lock()  # to change the queue
        self._queue: list[_Write] = []

    def write(self, study: int, work: Callable[[sa.Connection], Any]) -> Any:
        """Do the work in one transaction with that of other waiting callers."""
        mine, led = _Write(study, work), False
        with self._list:
            self._queue.append(mine)
        try:
            if self._turn.locked():
                mine.called.wait(_UNCALLED)
            if not mine.over:
                with self._turn:
                    led = True
                    if not mine.over:
                        self._commit(self._batch(mine))
        finally:
            with self._list:
                if mine in self._queue:  # interrupted: nobody should do it later
                    self._queue.remove(mine)
                if led and self._queue:
                    self._queue[0].called.set()
        return mine.answer()

    def _batch(self, mine: _Write) -> list[_Write]:
        """The writes of this turn: one per study, as its next write must see what is committed."""
        with self._list:
            chosen = {write.study: write for write in reversed(self._queue)}
            chosen[mine.study] = mine
            self._queue = [write for write in self._queue if write is not chosen[write.study]]
        return list(chosen.values())

    def _commit(self, batch: list[_Write]) -> None:
        alone = len(batch) == 1
        try:
            with self._begin() as connection:
                for write in batch:
                    write.attempt(connection, alone=alone)
        except Exception as error:
            if isinstance(error, exc.OperationalError):
                # Most likely a lock, which all waiting callers would meet in turn: each has its own
                # patience and decides for itself.
                with self._list:
                    batch, self._queue = [*batch, *self._queue], []
            for write in batch:
                write.error = error
        except BaseException:  # this thread is being stopped; the others retry on their own
            with self._list:
                self._queue = [*batch, *self._queue]
            raise
        for write in batch:
            write.finish()
