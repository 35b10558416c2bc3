"""The other end of a contestant's process."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Self

from benchmarks.regret import ONE_THREAD
from benchmarks.suites.setting import Point, Setting
from benchmarks.suites.world import Past
from benchmarks.worker import WorkerError

ROOT = Path(__file__).parents[2]


def interpreter(name: str) -> str:
    """The Python of a contestant: `.venv-NAME` beside the project, or this one."""
    own = ROOT / f".venv-{name.partition(':')[0]}" / "bin" / "python"
    return str(own) if own.exists() else sys.executable


class Conversation:
    """A contestant that is alive; one cell after the other."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 - as long as the process lives
        self.process = subprocess.Popen(
            [interpreter(name), "-m", "benchmarks.suites.contestant", name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
            cwd=ROOT,
            env={**os.environ, **ONE_THREAD},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.close()
            self.process.wait(30)
        except (BrokenPipeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.errors.close()

    def version(self) -> str:
        self._say({"version": True})
        return str(self._hear()["version"])

    def start(self, setting: Setting, seed: int) -> None:
        self._say({"start": setting.to_dict(), "seed": seed})

    def past(self, told: Past) -> None:
        """Trials of another task, before the first of this one."""
        self._say({"past": told})

    def tell(self, told: Past) -> None:
        self._say({"tell": told})

    def ask(self, count: int) -> tuple[list[Point], float, float]:
        """Points, and the CPU and wall seconds that they took."""
        self._say({"ask": count})
        answer = self._hear()
        return answer["points"], answer["cpu"], answer["wall"]

    def _say(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(message) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            self._fail()

    def _hear(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            self._fail()
        found: dict[str, Any] = json.loads(line)
        return found

    def _fail(self) -> None:
        self.process.wait(30)
        self.errors.seek(0)
        lines = self.errors.read().strip().splitlines() or [f"exit code {self.process.returncode}"]
        raise WorkerError(f"{self.name}: {lines[-1]}")
