"""Run what is missing of an experiment, keep every block as it finishes, put the whole together.

An interrupt loses at most the blocks under way: the same call goes on from there, and what it ends
with is byte for byte what an uninterrupted run would have given.
"""

import os
import time
from collections import Counter
from functools import partial
from pathlib import Path

import pandas as pd
from rich.console import Console

from counsel.errors import InvalidInput
from counsel.experiments.backends import check_backend, fan_out
from counsel.experiments.experiment import Experiment
from counsel.experiments.job import Job, execute, jobs
from counsel.experiments.progress import Meter
from counsel.experiments.store import Store, check_parquet

__all__ = ["run"]


def run(
    experiment: Experiment,
    *,
    seeds: int | None = None,
    out: Path = Path("results"),
    backend: str = "local",
    workers: int | None = None,
    address: str | None = None,
    fresh: bool = False,
    console: Console | None = None,
) -> pd.DataFrame:
    """All rows of the experiment: world, method, seed, and what it measures."""
    console = console or Console(stderr=True)
    seeds = _checked_seeds(experiment, seeds)
    check_backend(backend, address)
    check_parquet()
    workers = _checked_workers(workers)
    if experiment.serial and (backend != "local" or workers > 1):
        console.print(f"{experiment.name} measures seconds: its blocks run one by one, here.")
        backend, workers, address = "local", 1, None
    store = Store(experiment, out)
    wanted = jobs(experiment, seeds)
    if fresh:
        store.forget(wanted)
    missing = _missing(store, wanted, console)
    began = time.perf_counter()
    _make(store, missing, backend, workers, address, console, len(wanted))
    rows = store.assemble(wanted, seeds)
    store.time(
        {
            "blocks": len(wanted),
            "blocks made by the last run": len(missing),
            "seconds of the last run": round(time.perf_counter() - began, 1),
            "backend": backend,
            "workers": workers,
            "seconds by world and method": store.seconds(wanted),
        }
    )
    return rows


def _make(
    store: Store,
    missing: list[Job],
    backend: str,
    workers: int,
    address: str | None,
    console: Console,
    wanted: int,
) -> None:
    experiment = store.experiment
    if not missing:
        return
    finishing = partial(
        console.print,
        "Interrupted: the blocks under way are finished first. Once more stops at once.",
    )
    task = partial(execute, experiment)
    with Meter(console, len(missing), experiment.block * experiment.rounds) as meter:
        try:
            for done in fan_out(task, missing, backend, workers, address, finishing):
                store.keep(done)
                meter.tick(str(done.job), done.seconds)
        except KeyboardInterrupt:
            safe = wanted - len(missing) + meter.done
            console.print(
                f"Stopped. {safe} of {wanted} blocks are safe in {store.folder}; "
                "the same command goes on from there.",
                soft_wrap=True,
            )
            raise


def _missing(store: Store, wanted: list[Job], console: Console) -> list[Job]:
    stale = {job: reason for job in wanted if (reason := store.stale(job)) is not None}
    for reason, count in Counter(stale.values()).items():
        if reason != "missing":
            console.print(
                f"{count} block{'s' if count > 1 else ''} made again: {reason}.",
                soft_wrap=True,
                highlight=False,
            )
    if stale and len(stale) < len(wanted):
        console.print(f"{len(wanted) - len(stale)} of {len(wanted)} blocks are there already.")
    return list(stale)


def _checked_seeds(experiment: Experiment, seeds: int | None) -> int:
    if seeds is None:
        return experiment.seeds
    if not 1 <= seeds <= experiment.most_seeds:
        raise InvalidInput("seeds", seeds, f"Give a number from 1 to {experiment.most_seeds}.")
    return seeds


def _checked_workers(workers: int | None) -> int:
    if workers is None:
        return (
            len(os.sched_getaffinity(0))
            if hasattr(os, "sched_getaffinity")
            else os.cpu_count() or 1
        )
    if workers < 1:
        raise InvalidInput("jobs", workers, "Give at least one.")
    return workers
