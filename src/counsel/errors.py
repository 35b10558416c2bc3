"""Everything Counsel raises on purpose.

CounselError
 ├── InvalidInput       a value was refused at the door (also a ValueError)
 ├── Conflict           somebody else was first; carries the fact that won
 ├── NotFound           no such study, proposal or name (also a LookupError)
 ├── NothingToPropose   every arm is rejected, pending or already used up
 ├── NothingToExplain   no acquisition led to this point
 └── StorageError       the database cannot be reached, read or written; nothing was damaged
      └── HistoryChanged  the storage no longer holds what it had acknowledged
"""

from __future__ import annotations

import difflib
import reprlib
from collections.abc import Iterable

__all__ = [
    "Conflict",
    "CounselError",
    "HistoryChanged",
    "InvalidInput",
    "NotFound",
    "NothingToExplain",
    "NothingToPropose",
    "StorageError",
    "did_you_mean",
    "install",
]

# On the package index, the import name belongs to another project.
DISTRIBUTION = "counsel-opt"

# A refused value may be a whole table: the message shows its beginning, not all of it.
_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 100
_SHORT.maxlong = 40
_SHORT.maxdict = _SHORT.maxlist = _SHORT.maxtuple = 8


def install(*extras: str) -> str:
    """The command that installs optional parts, for all messages."""
    if not extras:
        return f"pip install {DISTRIBUTION}"
    return f"pip install '{DISTRIBUTION}[{','.join(extras)}]'"


def shorten(value: object) -> str:
    """A refused value as messages show it."""
    return _SHORT.repr(value)


class CounselError(Exception):
    """The root: catch this to catch everything Counsel raises on purpose."""


class InvalidInput(CounselError, ValueError):
    """A refused value; the message names the field, the value and the remedy."""

    def __init__(self, field: str, value: object, remedy: str) -> None:
        super().__init__(f"{field}: got {shorten(value)}. {remedy}")
        self.field = field
        self.value = value
        self.remedy = remedy

    # The default would rebuild from the message alone and fail in a worker process.
    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.field, self.value, self.remedy)


class Conflict(CounselError):
    """Somebody else was first; ``fact`` is the fact that won, if there is one."""

    def __init__(self, message: str, fact: object = None) -> None:
        super().__init__(message)
        self.fact = fact

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.fact)


class NotFound(CounselError, LookupError):
    """The named thing does not exist."""


class NothingToPropose(CounselError):
    """The space has no eligible point left."""


class NothingToExplain(CounselError):
    """No acquisition led to this point, or it cannot be evaluated at other points."""


class StorageError(CounselError):
    """The database cannot be reached, read or written; its content is unchanged."""


class HistoryChanged(StorageError):
    """The storage no longer holds facts that it acknowledged."""


def did_you_mean(given: object, known: Iterable[object]) -> str:
    """The name that was probably meant, as a sentence with a space before it; empty if none was."""
    close = difflib.get_close_matches(str(given), [str(each) for each in known], n=1)
    return f" Did you mean {close[0]!r}?" if close else ""
