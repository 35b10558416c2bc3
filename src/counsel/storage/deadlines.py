"""PostgreSQL connections that do not wait forever.

A server that is stopped or has become unreachable neither answers nor closes the connection, and no
server setting helps. So the client ends the wait.
"""

import time
from collections.abc import Generator
from typing import Any

import psycopg

__all__ = ["LIMIT", "LimitedConnection"]

LIMIT = 15.0  # seconds that a statement may take
_LOOK = 0.5  # seconds between two checks of the clock


class LimitedConnection(psycopg.Connection[Any]):  # type: ignore[misc]
    """Every statement, commit and rollback takes at most `limit` seconds."""

    limit = LIMIT

    def wait(self, gen: Any, *args: Any, **options: Any) -> Any:
        try:
            return super().wait(_until(gen, time.monotonic() + self.limit), interval=_LOOK)
        except TimeoutError:
            self.pgconn.finish()  # a later answer must not be read
            raise psycopg.OperationalError(
                f"timeout expired: no answer within {self.limit:g} seconds"
            ) from None


def _until(gen: Generator[Any, Any, Any], deadline: float) -> Generator[Any, Any, Any]:
    """The same steps, with a TimeoutError if one of them waits too long."""
    try:
        state = next(gen)
        while True:
            ready = yield state
            if not ready and time.monotonic() > deadline:
                raise TimeoutError
            state = gen.send(ready)
    except StopIteration as done:
        return done.value
