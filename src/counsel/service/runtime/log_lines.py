"""The log: one JSON object per line, for both processes of the service and all libraries.

Strangers cannot fill a disk with it: the same kind of line is written so often a second, except
those of requests whose sender is known.
"""

import json
import logging
import re
import sys
import threading
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

__all__ = ["JsonLines", "LineLimit", "log_lines"]

_RATE = 20.0  # lines a second from one place in the code
_BURST = 200.0

# The query of a URL may contain a token; anything that looks like one is removed.
_QUERY = re.compile(r"(?<=[\w/])\?(?:[^\s\"\\]|\\.)*")
_TOKEN = re.compile(r"counsel_(?:[^\s\"\\]|\\.)*_(?:[^\s\"\\]|\\.)*")
# JSON escapes ASCII line breaks; these are the others.
_ENDS = {ord(sign): f"\\u{ord(sign):04x}" for sign in "\x7f\x85\u2028\u2029"}


class JsonLines(logging.Formatter):
    """One JSON object per line, from every logger, without queries and tokens."""

    def format(self, record: logging.LogRecord) -> str:
        data: Mapping[str, object] = getattr(record, "data", {})
        time_ = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, object] = {
            "time": time_,
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        line |= {name: each for name, each in data.items() if each is not None}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        text = json.dumps(line, ensure_ascii=False, default=str).translate(_ENDS)
        return _TOKEN.sub("counsel_***", _QUERY.sub("?***", text))


class LineLimit(logging.Filter):
    """Leaves out lines from a place in the code that writes too many; a later one says how many.

    A record with `known` set, of a request whose sender is known, always passes.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._lock = threading.Lock()
        # By place: how many lines it may write at once, since when, and how many were left out.
        self._places: dict[tuple[str, int], tuple[float, float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "known", False):
            return True
        place = record.pathname, record.lineno
        with self._lock:
            now = self._clock()
            level, then, left_out = self._places.get(place, (_BURST, now, 0))
            level = min(_BURST, level + (now - then) * _RATE)
            if level < 1.0:
                self._places[place] = level, now, left_out + 1
                return False
            self._places[place] = level - 1.0, now, 0
        if left_out:
            record.data = {**getattr(record, "data", {}), "left_out": left_out}
        return True


def log_lines(level: str) -> None:
    """Have everything that this process logs or warns of written in one form."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(LineLimit())
    # One format for all: the libraries' messages contain what strangers sent.
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    for name in ("counsel", "uvicorn", "nicegui", "socketio", "engineio"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [], True
    ours = logging.getLogger("counsel")
    ours.setLevel(level.upper())
    # Its lines contain everything that identifies the pages' connections.
    logging.getLogger("uvicorn").setLevel(max(logging.WARNING, ours.level))
    logging.captureWarnings(True)
