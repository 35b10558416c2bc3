"""Starts the process that computes proposals.

Apart from compute.py, which imports what it computes with: a command starts the process first, and
imports its own libraries meanwhile.
"""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator

__all__ = ["start", "started"]


def start() -> "subprocess.Popen[bytes]":
    """The process; it ends when its standard input is closed."""
    path = [each or os.getcwd() for each in sys.path if isinstance(each, str)]
    return subprocess.Popen(
        # -P: not from the working folder, which may have a random.py
        [sys.executable, "-P", "-c", "from counsel.service.runtime.compute import work; work()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(path)},
        start_new_session=True,  # Ctrl-C is for the service, which then stops it
    )


@contextlib.contextmanager
def started() -> "Iterator[subprocess.Popen[bytes] | None]":
    """The process, for as long as a command runs; None where there is no Python to start."""
    if getattr(sys, "frozen", False):  # packed into one file
        yield None
        return
    process = start()
    try:
        yield process
    finally:
        process.kill()  # unless the service has ended it
        with process:  # closes the pipes, and waits
            pass
