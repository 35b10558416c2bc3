"""A job: one block of seeds of one method in one world; the unit that is run, kept and resumed."""

import hashlib
import json
import threading
import time
from dataclasses import asdict, dataclass, is_dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from counsel.errors import CounselError
from counsel.experiments.experiment import Experiment, Method
from counsel.experiments.versions import made_with
from counsel.models.kernels import Prior
from counsel.space import Arms
from counsel.worlds.world import Values, World

__all__ = [
    "Done",
    "Job",
    "Task",
    "block_size",
    "changes",
    "execute",
    "fingerprint",
    "jobs",
    "settings",
]

# Two programs at once in one process can wait for each other forever: a batched Cholesky of jaxlib
# (0.10) blocks a thread of XLA's pool until others of that pool have done its parts.
_ALONE = threading.Lock()


@dataclass(frozen=True)
class Job:
    world: str
    method: str
    start: int
    size: int

    @property
    def seeds(self) -> range:
        return range(self.start, self.start + self.size)

    def __str__(self) -> str:
        return f"{self.world}, {self.method}, seeds {self.start}-{self.start + self.size - 1}"


class Task(NamedTuple):
    """A job, and the settings under which it was given out."""

    job: Job
    settings: dict[str, Any]


class Done(NamedTuple):
    task: Task
    rows: pd.DataFrame
    seconds: float
    cpu: float


def jobs(experiment: Experiment, seeds: int) -> list[Job]:
    """All jobs, the first block of everything before any second block.

    Neighbours are different methods: run side by side, they do not compile the same program twice.
    Fewer seeds than a block has are a block of their own: a first look computes no more than that.
    """
    size = block_size(experiment, seeds)
    return [
        Job(world, method.label, start, size)
        for start in range(0, seeds, size)
        for world in experiment.worlds
        for method in experiment.methods
        if experiment.has is None or experiment.has(world, method, start)
    ]


def block_size(experiment: Experiment, seeds: int) -> int:
    return min(experiment.block, seeds)


def execute(experiment: Experiment, task: Task) -> Done:
    """Run one block, unless this worker has other data or versions.

    A worker runs one at a time, even if a cluster gives it several threads.
    """
    job = task.job
    with _ALONE:
        if differences := changes(settings(experiment, job), task.settings):
            raise CounselError(
                f"A worker's data or versions differ from this process's ({differences[0]} here). "
                "Install the same versions there, and give COUNSEL_DATA the same data."
            )
        began, worked = time.perf_counter(), time.process_time()
        rows = experiment.run(job.world, job.method, job.seeds)
        seconds, cpu = time.perf_counter() - began, time.process_time() - worked
    return Done(task, rows, seconds, cpu)


def settings(experiment: Experiment, job: Job) -> dict[str, Any]:
    """Everything that a job's result depends on, as JSON data."""
    method = experiment.method(job.method)
    return {
        "experiment": experiment.name,
        "world": {"label": job.world, "data": _digest(experiment, job)},
        "method": job.method,
        "acquisition": _plain(method.acquisition_in(job.world)),
        "prior": _fit(method),
        **({"also": dict(method.also)} if method.also else {}),
        **({"begin": experiment.begin.__name__} if experiment.begin else {}),
        "rounds": experiment.rounds_in(job.world),
        "seeds": [job.start, job.start + job.size],
        "made with": made_with(),
    }


def _fit(method: Method) -> dict[str, Any]:
    if not isinstance(method.prior, Prior):
        return _plain(method.prior)
    numbers = method.prior._asdict().items()
    return {name: None if value is None else float(value) for name, value in numbers}


def changes(old: dict[str, Any], new: dict[str, Any], path: str = "") -> list[str]:
    """What differs between two settings, in words."""
    found = []
    for key in sorted({*old, *new}):
        before, after = old.get(key), new.get(key)
        if isinstance(before, dict) and isinstance(after, dict):
            found += changes(before, after, f"{path}{key} ")
        elif before != after:
            found.append(f"{path}{key} was {before}, is {after}")
    return found


def fingerprint(settings: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()


def _digest(experiment: Experiment, job: Job) -> str:
    """The worlds themselves: names, arms (or box), payoffs and noise of every seed."""
    digest = hashlib.sha256()
    previous = None
    for seed in job.seeds:
        built = experiment.worlds[job.world](seed)
        world = getattr(built, "world", built)  # a world may come with the model it was drawn from
        if world is previous:
            continue
        previous = world
        digest.update(f"{world.name} {world.direction} {world.noise!r}".encode())
        if isinstance(world.space, Arms):
            digest.update(np.ascontiguousarray(world.arms.points).tobytes())
            digest.update(world.payoffs.tobytes())
        else:
            digest.update(json.dumps(world.space.to_dict()).encode())
            digest.update(_probed(world).tobytes())
    return digest.hexdigest()[:16]


def _probed(world: World) -> Values:
    """A box's payoffs at a few fixed points."""
    units = np.random.default_rng(0).uniform(size=(64, world.space.dim))
    points = [list(world.space.decode(unit).values()) for unit in units]
    return world.function(np.array(points, dtype=np.float64))


def _plain(thing: object) -> dict[str, Any]:
    assert is_dataclass(thing)
    assert not isinstance(thing, type)
    return {"name": type(thing).__name__, **asdict(thing)}
