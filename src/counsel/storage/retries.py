"""Database errors: which ones to retry, and a message for the rest."""

import random
import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import TypeVar

from sqlalchemy import exc

from counsel.errors import CounselError, StorageError

__all__ = ["ARRIVED", "patiently", "sentence"]

T = TypeVar("T")

# When the request arrived that this thread works for, by `time.monotonic`; None outside of queues.
ARRIVED: ContextVar[float | None] = ContextVar("ARRIVED", default=None)

_FIRST_PAUSE, _LONGEST_PAUSE = 0.01, 1.0  # seconds
_JITTER = random.Random()  # the global one is its callers'

# PostgreSQL: serialisation failure, deadlock, lock not available, shutting down or starting up, too
# many connections; class 08 is the connection itself.
_PASSING = {"40001", "40P01", "55P03", "57P01", "57P02", "57P03", "53300"}
# libpq has no code for errors before a connection is established.
_UNREACHED = (
    "connection refused",
    "could not connect",
    "connection timeout",
    "timeout expired",
    "server closed the connection",
    "is the server running",
    "the database system is",
)
_SQLITE = {
    "SQLITE_BUSY": "is locked by another program",
    "SQLITE_LOCKED": "is locked by another program",
    "SQLITE_READONLY": "is read-only. Make the file and its folder writable",
    "SQLITE_FULL": "cannot grow: the disk is full. Make room",
    "SQLITE_IOERR": "cannot be read or written: the disk reports an error, or a limit is reached. "
    "Make room, or check the disk",
    "SQLITE_CANTOPEN": "cannot be opened. Its folder has to exist and be writable",
    "SQLITE_NOTADB": "is not an SQLite database. Give another file, or restore it from a backup",
    "SQLITE_CORRUPT": "is damaged. Restore it from a backup",
}
_DAMAGE = {"SQLITE_NOTADB", "SQLITE_CORRUPT"}
_POSTGRES = {
    "28P01": "refused the password. Correct it in the address",
    "28000": "refused this user. Correct the user or the password in the address",
    "3D000": "has no such database. Create it first: createdb NAME",
    "42501": "does not permit this user to do that. Grant the rights on the schema",
    "53100": "has no room left on its disk. Make room",
    "25006": "is read-only at present. Use the primary server",
}
_WORDS = {  # the same before a connection is established
    "password authentication failed": _POSTGRES["28P01"],
    "no password supplied": _POSTGRES["28P01"],
    "no pg_hba.conf entry": _POSTGRES["28000"],
    "role": _POSTGRES["28000"],
    "does not exist": _POSTGRES["3D000"],
}


def patiently(work: Callable[[], T], where: str, patience: float, since: float | None = None) -> T:
    """Do the work; retry passing errors for at most `patience` seconds.

    They count from `since` (`time.monotonic`), or from when the request arrived that this thread
    works for (`ARRIVED`): a caller that has queued has less left.
    """
    began = min(each for each in (since, ARRIVED.get(), time.monotonic()) if each is not None)
    deadline, pause = began + patience, _FIRST_PAUSE
    while True:
        try:
            return work()
        except exc.DBAPIError as error:
            if not _may_pass(error) or time.monotonic() + pause > deadline:
                raise sentence(error, where) from error
        except exc.TimeoutError as error:  # every connection of the pool is in use
            if time.monotonic() + pause > deadline:
                raise StorageError(f"All connections to {where} are busy. Try again.") from error
        # Uneven pauses, so that callers that collided do not collide again.
        time.sleep(pause * _JITTER.uniform(0.5, 1.5))
        pause = min(2 * pause, _LONGEST_PAUSE)


def sentence(error: exc.SQLAlchemyError, where: str) -> CounselError:
    """The message for an error: what went wrong and what to do about it."""
    original = getattr(error, "orig", None)
    said = " ".join(str(original or error).split())
    code = _sqlite_code(original)
    if code:
        family = next((known for known in _SQLITE if code.startswith(known)), None)
        if family:
            kept = "" if family in _DAMAGE else "; nothing was lost"
            return StorageError(f"The database {where} {_SQLITE[family]}{kept}.")
    state = getattr(original, "sqlstate", None)
    if state in _POSTGRES:
        return StorageError(f"The database {where} {_POSTGRES[state]}.")
    if isinstance(error, exc.DBAPIError) and _may_pass(error):
        return StorageError(
            f"The database {where} cannot be reached, or is busy: {said}. Acknowledged facts are "
            "kept. Check that the database is running, then try again."
        )
    for words, explained in _WORDS.items():
        if words in said:
            return StorageError(f"The database {where} {explained}.")
    return StorageError(f"The database {where} refused: {said}. Nothing was written.")


def _may_pass(error: exc.DBAPIError) -> bool:
    if isinstance(error, exc.IntegrityError | exc.ProgrammingError | exc.DataError):
        return False
    code = _sqlite_code(error.orig)
    if code:
        return code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))
    state = getattr(error.orig, "sqlstate", None)
    if state:
        return state in _PASSING or state.startswith("08")
    said = str(error.orig).lower()
    return error.connection_invalidated or any(words in said for words in _UNREACHED)


def _sqlite_code(error: object) -> str:
    return getattr(error, "sqlite_errorname", "")
