"""A service in use, for tests that break things under it.

A client tells and asks all the time, and remembers what was acknowledged; another one asks for
health.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

import counsel as cs
from counsel.storage.sql import SqlStorage

LONGEST = 35.0  # seconds that any request may take: this is the promise
HEALTH = 1.0  # and so is this
_ASKS = 5  # one request in so many asks for a proposal
_SERVE = "import sys; from counsel.cli import main; sys.argv[0] = 'counsel'; main()"
# Root may write where a file's rights forbid it. Without these two capabilities it may not.
_RIGHTS = "-dac_override,-dac_read_search"


def bound_by_rights() -> list[str] | None:
    """What to put before a command so that file rights count for it; None if that cannot be had."""
    if os.geteuid() != 0:
        return []
    program = shutil.which("setpriv")
    if program is None:
        return None
    command = [program, f"--bounding-set={_RIGHTS}", f"--inh-caps={_RIGHTS}"]
    possible = subprocess.run([*command, "true"], capture_output=True).returncode == 0
    return command if possible else None


class Place:
    """A storage, a service on it, and somebody who writes."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url, self.folder = url, folder
        cs.create_study(cs.Space(x=cs.Float(0, 1)), name="s", policy="random", storage=url)
        self.acknowledged: dict[str, float] = {}
        self.answers: Counter[object] = Counter()
        self.slowest, self.slowest_health, self.slowest_end = 0.0, 0.0, 0.0
        self.health: Counter[object] = Counter()
        self.said: Counter[str] = Counter()  # sentences of refusals
        self.wrong: list[str] = []  # answers that are neither acknowledgements nor such sentences
        self.changed = 0  # how often a loss was said
        self._before_said: dict[str, float] = {}  # acknowledged when it was last said
        self._going = True
        self._up = threading.Event()
        self.start()
        self._threads = [threading.Thread(target=self._write), threading.Thread(target=self._feel)]
        for thread in self._threads:
            thread.start()

    # ---- the service ---------------------------------------------------------------------------

    def start(self) -> None:
        arguments = ["serve", "--no-pages", "--level", "error", "--port", "0"]
        with (self.folder / "service.log").open("a") as log:
            self.process = subprocess.Popen(
                [*(bound_by_rights() or []), sys.executable, "-c", _SERVE, *arguments,
                 "--storage", self.url],
                stdout=subprocess.PIPE, stderr=log, text=True,
            )  # fmt: skip
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("Counsel is at"), (self.folder / "service.log").read_text()
        self.address = f"{line.split()[3]}/api/v1"
        self._up.set()

    def end(self, how: signal.Signals) -> None:
        self._up.clear()
        self.process.send_signal(how)
        began = time.monotonic()
        self.process.wait(LONGEST)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.slowest_end = max(self.slowest_end, time.monotonic() - began)

    def close(self) -> None:
        self._going = False
        self._up.set()
        for thread in self._threads:
            thread.join()
        self.end(signal.SIGKILL)

    # ---- in use --------------------------------------------------------------------------------

    def _write(self) -> None:
        number = 0
        while self._going:
            self._up.wait()
            number += 1
            told = {"values": {"x": 0.5}, "value": float(number)}
            verb, body = ("proposals", {}) if number % _ASKS == 0 else ("observations", told)
            began = time.monotonic()
            try:
                found = httpx.post(
                    f"{self.address}/studies/s/{verb}", json=body, timeout=2 * LONGEST
                )
            except httpx.TransportError:  # it was killed, or is not there yet
                self.answers["broken off"] += 1
                time.sleep(0.05)
                continue
            finally:
                self.slowest = max(self.slowest, time.monotonic() - began)
            self.answers[found.status_code] += 1
            if found.status_code == 201 and verb == "proposals":
                (made,) = found.json()
                self.acknowledged[made["id"]] = made["values"]["x"]
                continue
            if found.status_code == 201:
                self.acknowledged[found.json()["id"]] = float(number)
            elif found.json()["type"] == "urn:counsel:history-changed":
                self._before_said = dict(self.acknowledged)
                self.changed += 1
            elif found.status_code != 503:
                self.wrong.append(found.text)
            self.said[found.json().get("detail", "")] += 1
            time.sleep(0.02)

    def _feel(self) -> None:
        while self._going:
            self._up.wait()
            began, timed = time.monotonic(), True
            try:
                found = httpx.get(f"{self.address}/health", timeout=LONGEST)
                self.health[found.status_code] += 1
            except httpx.TransportError as error:
                timed = isinstance(error, httpx.TimeoutException)  # else nobody was there
            if timed:
                self.slowest_health = max(self.slowest_health, time.monotonic() - began)
            time.sleep(0.1)

    def wait_for_facts(self, count: int = 1) -> None:
        held = len(self.acknowledged)
        self._until(lambda: len(self.acknowledged) >= held + count, f"{count} more facts")

    def _until(self, happened: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + LONGEST
        while not happened():
            assert not self.wrong, self.wrong
            if time.monotonic() > end:
                log = (self.folder / "service.log").read_text()[-2000:]
                pytest.fail(f"Not within {LONGEST:g} s: {what}; {self.answers}; {log}")
            time.sleep(0.05)

    # ---- what is there -------------------------------------------------------------------------

    @contextmanager
    def losing(self) -> Iterator[None]:
        """Within, acknowledged facts are lost; afterwards the service has said so, once."""
        said = self.changed
        yield
        self._until(lambda: self.changed > said, "a loss is said")
        assert self.changed == said + 1
        found = self._stored()
        # One by one: whoever writes goes on. What came before the loss was said may be gone.
        for key, value in self._before_said.items():
            if found.get(key) != value and self.acknowledged.get(key) == value:
                del self.acknowledged[key]

    def check(self) -> None:
        """Everything acknowledged is there, and nothing that was not sent."""
        expected = dict(self.acknowledged)
        found = self._stored()
        assert {key: v for key, v in expected.items() if found.get(key) != v} == {}
        assert len(set(found.values())) == len(found)  # nothing twice

    def _stored(self) -> dict[str, float]:
        with contextlib.closing(SqlStorage(self.url)) as storage:
            facts = cs.load_study("s", storage).facts
        told = {f.id: f.outcomes["objective"] for f in facts if isinstance(f, cs.Observation)}
        return told | {f.id: float(f.values["x"]) for f in facts if isinstance(f, cs.Proposal)}
