"""The caller of a piece of work: whose share it uses, and whether they still wait.

The check of a request's token sets the caller for everything that the request does; pages say it
themselves.
"""

import contextvars
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from counsel.storage.ledger import Rule

__all__ = ["CALLER", "Caller"]


@dataclass(frozen=True, slots=True)
class Caller:
    """`person` is the token's id, `left` returns once they have gone, `rule` checks their facts."""

    person: str | None = None
    study: str | None = None
    writes: bool = True
    left: Callable[[], Awaitable[object]] | None = None
    rule: Rule | None = None


_NOBODY = Caller()
CALLER: contextvars.ContextVar[Caller] = contextvars.ContextVar("CALLER", default=_NOBODY)
