"""Finished regret runs of the peer, kept in a file so that it need not play again.

Counsel's own runs are never kept: its code is what changes. A run is found again only for the same
version of the peer.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from benchmarks.report import version

FILE = Path(__file__).parent / ".cache" / "regret.jsonl"
KEPT = "botorch"


@dataclass(frozen=True)
class Task:
    """One contestant on one grid with one seed."""

    contestant: str
    grid: str
    seed: int
    rounds: int


@dataclass(frozen=True)
class Run:
    """A finished task: the regret of each round."""

    task: Task
    regrets: list[float]


@dataclass
class RegretCache:
    """Runs by task, backed by a file with one JSON object per line."""

    path: Path
    runs: dict[Task, Run]

    @classmethod
    def open(cls, path: Path = FILE) -> Self:
        """Read the file, if there is one."""
        cache = cls(path, {})
        for line in path.read_text().splitlines() if path.exists() else []:
            entry = json.loads(line)
            if entry["version"] == version(KEPT):
                task = Task(**entry["task"])
                cache.runs[task] = Run(task, entry["regrets"])
        return cache

    def find(self, task: Task) -> Run | None:
        """The finished run of a task."""
        return self.runs.get(task)

    def add(self, run: Run) -> None:
        """Keep a run of the peer; others are ignored."""
        if run.task.contestant != KEPT:
            return
        self.runs[run.task] = run
        self.path.parent.mkdir(exist_ok=True)
        entry = {"version": version(KEPT), "task": asdict(run.task), "regrets": run.regrets}
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")
