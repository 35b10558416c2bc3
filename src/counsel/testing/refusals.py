"""Checks that something is refused, without depending on a test runner."""

import contextlib
import re
from collections.abc import Iterator

__all__ = ["refused"]


@contextlib.contextmanager
def refused(kind: type[Exception], pattern: str = "") -> Iterator[None]:
    """Expect an exception of this kind whose message has the pattern."""
    message = None
    try:
        yield
    except kind as error:
        message = str(error)
    assert message is not None, f"{kind.__name__} was not raised"
    assert re.search(pattern, message), f"{message} does not say {pattern!r}"
