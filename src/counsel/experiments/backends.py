"""Runs blocks in this process, in several, or on a Dask or Ray cluster.

All give the same numbers: a block is one compiled program with its own seeds, and XLA's threads
only divide work whose results do not depend on the division. Results come back to this process,
which alone writes files: workers need no common disk.
"""

import os
import socket
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from typing import Any, TypeVar

from counsel.errors import CounselError, InvalidInput, install

__all__ = ["BACKENDS", "best_backend", "check_backend", "cores", "fan_out"]

BACKENDS = ("local", "loky", "dask", "ray")
Task = TypeVar("Task")
Result = TypeVar("Result")
# One thread for each worker process: there are as many workers as cores.
_ONE_THREAD = {
    "NPROC": "1",  # XLA
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
# Seconds to wait for a cluster to answer, and again for its first worker.
_PATIENCE = 4.0
_NEEDS = {
    "local": (),
    "loky": ("joblib",),
    "dask": ("joblib", "distributed"),
    "ray": ("joblib", "ray"),
}


def best_backend(workers: int | None) -> str:
    """One process per core; without joblib, or with one core, this process alone."""
    several = (workers or cores()) > 1
    return "loky" if several and find_spec("joblib") is not None else "local"


def check_backend(backend: str, address: str | None) -> None:
    if backend not in BACKENDS:
        raise InvalidInput("backend", backend, f"Choose one of {', '.join(BACKENDS)}.")
    if address is not None and backend in ("local", "loky"):
        raise InvalidInput("address", address, "Only dask and ray clusters have an address.")
    missing = [name for name in _NEEDS[backend] if find_spec(name) is None]
    if missing:
        extras = [backend] if backend in ("dask", "ray") else []
        raise CounselError(
            f"The {backend} backend needs {' and '.join(missing)}: {install(*extras)}."
        )


def fan_out(
    function: Callable[[Task], Result],
    tasks: Sequence[Task],
    backend: str,
    workers: int | None = None,
    address: str | None = None,
) -> Iterator[Result]:
    """function(task) for every task, in the order in which they finish.

    `workers` is how many at once; None means every core of this machine, or of the cluster at
    `address`.
    """
    if backend == "local":
        yield from map(function, tasks)
        return
    from joblib import Parallel, delayed, parallel_config

    with ExitStack() as stack:
        setup = {"loky": _loky, "dask": _dask, "ray": _ray}[backend]
        count, options = stack.enter_context(setup(workers, address))
        stack.enter_context(parallel_config(n_jobs=count, **options))
        if backend != "ray":
            parallel = Parallel(return_as="generator_unordered", batch_size=1, pre_dispatch=count)
            yield from parallel(delayed(function)(task) for task in tasks)
            return
        # Ray's joblib backend returns results only when all are done, so it is fed in waves.
        with Parallel(batch_size=1) as parallel:
            for start in range(0, len(tasks), count):
                wave = tasks[start : start + count]
                yield from parallel(delayed(function)(task) for task in wave)


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# How many blocks at once, and what joblib must be told.
_Setup = tuple[int, dict[str, Any]]


@contextmanager
def _loky(workers: int | None, address: str | None) -> Iterator[_Setup]:
    with _environment(_ONE_THREAD), warnings.catch_warnings():
        # Where psutil is installed, loky takes compiled programs for a memory leak and replaces the
        # worker after its block. Nothing is lost, and nothing can be done about it.
        warnings.filterwarnings("ignore", message="A worker stopped while some jobs were given")
        yield workers or cores(), {"backend": "loky", "inner_max_num_threads": 1}


@contextmanager
def _dask(workers: int | None, address: str | None) -> Iterator[_Setup]:
    from distributed import Client, LocalCluster

    with ExitStack() as stack:
        if address is None:
            cluster = LocalCluster(
                n_workers=workers or cores(),
                threads_per_worker=1,
                dashboard_address=None,
                env=_ONE_THREAD,
            )
            stack.enter_context(cluster)
            address = cluster.scheduler_address
        try:
            client = stack.enter_context(Client(address, timeout=_PATIENCE, set_as_default=True))
        except (OSError, ValueError) as error:
            raise _nobody("Dask scheduler", address) from error
        try:
            client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError as error:
            raise CounselError(
                f"The Dask cluster at {address} has no worker. Start one: dask worker {address}"
            ) from error
        # A worker process runs one block at a time, however many threads it has.
        yield workers or len(client.ncores()), {"backend": "dask"}


@contextmanager
def _ray(workers: int | None, address: str | None) -> Iterator[_Setup]:
    import ray
    from ray.util.joblib import register_ray

    own = not ray.is_initialized()
    if own:
        _check_reachable("Ray cluster", address)
        room = {} if address else {"num_cpus": workers or cores(), "include_dashboard": False}
        ray.init(
            address=address or "local",  # without one Ray joins any cluster of this machine
            runtime_env={"env_vars": _ONE_THREAD},
            log_to_driver=False,
            logging_level="ERROR",
            **room,
        )
    try:
        register_ray()
        there = int(ray.cluster_resources().get("CPU", 0))
        if there == 0:
            raise CounselError("The Ray cluster has no CPU for tasks. Start it with --num-cpus.")
        yield workers or there, {"backend": "ray"}
    finally:
        if own:
            ray.shutdown()


def _check_reachable(what: str, address: str | None) -> None:
    """Refuse an address where nobody listens; Ray itself would try for a minute."""
    host, separator, port = (address or "").rpartition("//")[2].rpartition(":")
    if not separator:  # none, or a word such as "auto"
        return
    try:
        socket.create_connection((host, int(port)), timeout=_PATIENCE).close()
    except (OSError, ValueError) as error:
        raise _nobody(what, address) from error


def _nobody(what: str, address: str | None) -> CounselError:
    return CounselError(f"No {what} answers at {address}. Check the address, and that it runs.")


@contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    """Set variables for processes started inside the block."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
