"""Whether what is being computed is still wanted, and whether others wait for their turn.

Whoever lets many compute in one thread, such as a service, sets two functions. `STILL_WANTED`
raises once nobody waits for the answer; every compiled program calls it before it runs.
`OTHERS_FIRST` does what others wait for; long work calls it between its steps, where it holds no
lock of a study.
"""

from collections.abc import Callable
from contextvars import ContextVar

__all__ = ["OTHERS_FIRST", "STILL_WANTED", "check_wanted", "give_way"]

STILL_WANTED: ContextVar[Callable[[], None] | None] = ContextVar("STILL_WANTED", default=None)
OTHERS_FIRST: ContextVar[Callable[[], None] | None] = ContextVar("OTHERS_FIRST", default=None)


def check_wanted() -> None:
    """Raise if nobody waits for this any more."""
    check = STILL_WANTED.get()
    if check is not None:
        check()


def give_way() -> None:
    """Let something else be done that waits, if this has had its turn."""
    check_wanted()
    others = OTHERS_FIRST.get()
    if others is not None:
        others()
