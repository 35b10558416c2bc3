"""Results on disk: one Parquet and one JSON file per finished block, then the whole.

    <out>/<name>/blocks/<world>/<method>/00010.parquet   the rows of seeds 10-19
    <out>/<name>/blocks/<world>/<method>/00010.json      what they were made with
    <out>/<name>/results.parquet, results.json           all of it, in a fixed order
    <out>/<name>/timing.json                             seconds, which differ between runs

A file appears complete or not at all. A block counts once its JSON file, written last, exists; a
block made with other settings or versions does not count.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from counsel.errors import CounselError, install
from counsel.experiments.experiment import Experiment
from counsel.experiments.job import Done, Job, block_size, changes, fingerprint, settings
from counsel.experiments.versions import made_with

__all__ = ["Store", "check_parquet", "write_text"]


def check_parquet() -> None:
    """Refuse at once, not after an hour, if Parquet cannot be written."""
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise CounselError(
            f"Results are kept as Parquet, which needs pyarrow: {install()}."
        ) from error


@dataclass(frozen=True)
class Store:
    experiment: Experiment
    out: Path

    @property
    def folder(self) -> Path:
        return self.out / self.experiment.name

    # ---- blocks --------------------------------------------------------------------------------

    def stale(self, job: Job) -> str | None:
        """Why a block cannot be used: "missing", or what has changed; None for one that can."""
        rows, beside = self._paths(job)
        try:
            kept = json.loads(beside.read_text(encoding="utf-8"))
            intact = kept["sha256"] == hashlib.sha256(rows.read_bytes()).hexdigest()
        except FileNotFoundError:
            return "missing"
        except (OSError, ValueError, KeyError, TypeError):
            return "its files are damaged"
        now = settings(self.experiment, job)
        if not intact:
            return "its files are damaged"
        if kept.get("fingerprint") == fingerprint(now):
            return None
        return "; ".join(changes(kept.get("settings", {}), now)) or "its fingerprint is another"

    def keep(self, done: Done) -> None:
        """Write a finished block."""
        job, made = done.task
        rows, beside = self._paths(job)
        rows.parent.mkdir(parents=True, exist_ok=True)
        _write_rows(done.rows, rows)
        _write_json(
            {
                "fingerprint": fingerprint(made),
                "settings": made,
                "sha256": hashlib.sha256(rows.read_bytes()).hexdigest(),
                "seconds": round(done.seconds, 3),
                "cpu seconds": round(done.cpu, 3),
            },
            beside,
        )

    def forget(self, jobs: Iterable[Job]) -> None:
        for job in jobs:
            for path in reversed(self._paths(job)):
                path.unlink(missing_ok=True)

    def _paths(self, job: Job) -> tuple[Path, Path]:
        place = self.folder / "blocks" / _slug(job.world) / _slug(job.method)
        return place / f"{job.start:05d}.parquet", place / f"{job.start:05d}.json"

    # ---- the whole -----------------------------------------------------------------------------

    def assemble(self, jobs: list[Job], seeds: int) -> pd.DataFrame:
        """Join the blocks into results.parquet and results.json, in a fixed order."""
        worlds = list(self.experiment.worlds)
        methods = [method.label for method in self.experiment.methods]
        ordered = sorted(
            jobs, key=lambda job: (worlds.index(job.world), methods.index(job.method), job.start)
        )
        parts = []
        for job in ordered:
            rows = pd.read_parquet(self._paths(job)[0])
            rows.insert(0, "method", job.method)
            rows.insert(0, "world", job.world)
            parts.append(rows[rows["seed"] < seeds])
        whole = pd.concat(parts, ignore_index=True)
        _write_rows(whole, self.folder / "results.parquet")
        made = [settings(self.experiment, job) for job in ordered if job.start == 0]
        _write_json(
            {
                "experiment": self.experiment.name,
                "title": self.experiment.title,
                "mirrors": self.experiment.mirrors,
                "seeds": seeds,
                "block": block_size(self.experiment, seeds),
                "rounds": self.experiment.rounds,
                "made with": made_with(),
                "runs": [
                    {key: each[key] for key in ("world", "method", "acquisition", "prior")}
                    for each in made
                ],
                "sha256 of results.parquet": hashlib.sha256(
                    (self.folder / "results.parquet").read_bytes()
                ).hexdigest(),
            },
            self.folder / "results.json",
        )
        return whole

    def seconds(self, jobs: Iterable[Job], kind: str = "seconds") -> dict[str, float]:
        """Seconds (or "cpu seconds") by world and method, summed over the blocks."""
        total: dict[str, float] = {}
        for job in jobs:
            kept = json.loads(self._paths(job)[1].read_text(encoding="utf-8"))
            key = f"{job.world}, {job.method}"
            total[key] = round(total.get(key, 0.0) + float(kept[kind]), 3)
        return total

    def time(self, timing: dict[str, Any]) -> None:
        _write_json(timing, self.folder / "timing.json")


def _write_rows(rows: pd.DataFrame, path: Path) -> None:
    with _replacing(path) as temporary:
        rows.to_parquet(temporary, index=False, compression="zstd")


def _write_json(content: dict[str, Any], path: Path) -> None:
    write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", path)


def write_text(content: str, path: Path) -> None:
    with _replacing(path) as temporary:
        temporary.write_text(content, encoding="utf-8")


@contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    """A temporary file, synced to disk, that replaces `path` on success."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _slug(label: str) -> str:
    return re.sub(r"[^a-z0-9.]+", "-", label.lower()).strip("-")
