"""The log: one JSON object per line, for both processes of the service and all libraries."""

import json
import logging
import re
import sys
from collections.abc import Mapping
from datetime import UTC, datetime

__all__ = ["JsonLines", "log_lines"]

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


def log_lines(level: str) -> None:
    """Have everything that this process logs or warns of written in one form."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
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
