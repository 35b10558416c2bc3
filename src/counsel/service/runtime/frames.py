"""Messages over a pipe, with heartbeats in between.

A process that is stopped or hangs neither writes nor closes the pipe, and a reader would wait
forever. A working process sends an empty message every second, however long the work takes, so
silence means that it hangs.
"""

import contextlib
import os
import select
import threading
import time
from collections.abc import Iterator

__all__ = ["Answers", "receive", "send"]

_HEAD = 8  # bytes that hold a message's length
_LONGEST = 1 << 32
_PULSE = 1.0  # seconds between two heartbeats
_PIECE = 1 << 16


def send(pipe: int, message: bytes, silence: float) -> None:
    """Write a message; TimeoutError if nobody takes it for `silence` seconds."""
    os.set_blocking(pipe, False)
    left = memoryview(_framed(message))
    while left:
        if not select.select([], [pipe], [], silence)[1]:
            raise TimeoutError
        with contextlib.suppress(BlockingIOError):
            left = left[os.write(pipe, left[:_PIECE]) :]


def receive(pipe: int, silence: float | None) -> bytes:
    """The next message; TimeoutError after `silence` seconds without one or a heartbeat."""
    while True:
        length = int.from_bytes(_read(pipe, _HEAD, silence), "big")
        if length > _LONGEST:
            raise ValueError("This is not a message.")
        if length:
            return _read(pipe, length, silence)


def _read(pipe: int, count: int, silence: float | None) -> bytes:
    found = bytearray()
    while len(found) < count:
        if not select.select([pipe], [], [], silence)[0]:
            raise TimeoutError
        piece = os.read(pipe, min(count - len(found), _PIECE))
        if not piece:
            raise EOFError
        found += piece
    return bytes(found)


def _framed(message: bytes) -> bytes:
    return len(message).to_bytes(_HEAD, "big") + message


class Answers:
    """The other end: messages, and heartbeats while there is work."""

    def __init__(self, pipe: int) -> None:
        self._pipe, self._lock, self._working = pipe, threading.Lock(), threading.Event()
        threading.Thread(target=self._pulse, daemon=True).start()

    @contextlib.contextmanager
    def working(self) -> Iterator[None]:
        self._working.set()
        try:
            yield
        finally:
            self._working.clear()

    def send(self, message: bytes) -> None:
        with self._lock:
            left = memoryview(_framed(message))
            while left:
                left = left[os.write(self._pipe, left) :]

    def _pulse(self) -> None:
        while self._working.wait():
            try:
                self.send(b"")
            except OSError:  # nobody is listening any more
                return
            time.sleep(_PULSE)
