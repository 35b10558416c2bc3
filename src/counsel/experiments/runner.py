"""Runs the missing parts of an experiment, keeps every block as it finishes, and joins them.

An interrupt loses at most the running blocks: the same call continues from there, and its result is
byte for byte that of an uninterrupted run.
"""

import time
from collections import Counter
from functools import partial
from pathlib import Path

import pandas as pd
from rich.console import Console

from counsel.errors import InvalidInput
from counsel.experiments.backends import best_backend, check_backend, cores, fan_out
from counsel.experiments.experiment import Experiment
from counsel.experiments.job import Job, Task, execute, jobs, settings
from counsel.experiments.progress import Meter
from counsel.experiments.store import Store, check_parquet

__all__ = ["run"]


def run(
    experiment: Experiment,
    *,
    seeds: int | None = None,
    out: Path = Path("results"),
    backend: str | None = None,
    workers: int | None = None,
    address: str | None = None,
    fresh: bool = False,
    console: Console | None = None,
) -> pd.DataFrame:
    """All rows of the experiment: world, method, seed, and what it measures.

    Without a `backend`, blocks are run in as many processes as there are cores.
    """
    console = console or Console(stderr=True)
    seeds = _checked_seeds(experiment, seeds)
    if workers is not None and workers < 1:
        raise InvalidInput("jobs", workers, "Give at least one.")
    if backend is None:
        backend = "local" if experiment.serial else best_backend(workers)
    check_backend(backend, address)
    check_parquet()
    if experiment.serial and backend != "local":
        console.print(f"{experiment.name} measures seconds: its blocks run one by one, here.")
        backend, address = "local", None
    if backend == "local":
        workers = 1
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
            "at once": workers or ("as many as the cluster has" if address else cores()),
            "seconds by world and method": store.seconds(wanted),
            "cpu seconds by world and method": store.seconds(wanted, "cpu seconds"),
        }
    )
    return rows


def _make(
    store: Store,
    missing: list[Job],
    backend: str,
    workers: int | None,
    address: str | None,
    console: Console,
    wanted: int,
) -> None:
    experiment = store.experiment
    if not missing:
        return
    tasks = [Task(job, settings(experiment, job)) for job in missing]
    with Meter(console, len(missing), missing[0].size * experiment.rounds) as meter:
        try:
            for done in fan_out(partial(execute, experiment), tasks, backend, workers, address):
                store.keep(done)
                meter.tick(str(done.task.job), done.seconds)
        except KeyboardInterrupt:
            safe = wanted - len(missing) + meter.done
            console.print(
                f"Interrupted. {safe} of {wanted} blocks are safe in {store.folder}; "
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
