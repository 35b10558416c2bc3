"""Where blocks are run: in threads of this process, in processes, on a Dask or a Ray cluster.

All give the same numbers: a block is one compiled program with its own seeds, and threads only
share out work whose results do not depend on the sharing. Results come back to this process, which
alone writes files: workers need no common disk.
"""

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from typing import Any, TypeVar

from counsel.errors import CounselError, InvalidInput

__all__ = ["BACKENDS", "check_backend", "fan_out"]

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
_NEEDS = {
    "local": (),
    "loky": ("joblib",),
    "dask": ("joblib", "distributed"),
    "ray": ("joblib", "ray"),
}


def check_backend(backend: str, address: str | None) -> None:
    if backend not in BACKENDS:
        raise InvalidInput("backend", backend, f"Choose one of {', '.join(BACKENDS)}.")
    if address is not None and backend in ("local", "loky"):
        raise InvalidInput("address", address, "Only dask and ray clusters have an address.")
    missing = [name for name in _NEEDS[backend] if find_spec(name) is None]
    if missing:
        extra = backend if backend in ("dask", "ray") else None
        wanted = f"'counsel[{extra}]'" if extra else " ".join(missing)
        raise CounselError(
            f"The {backend} backend needs {' and '.join(missing)}: pip install {wanted}."
        )


def fan_out(
    function: Callable[[Task], Result],
    tasks: Sequence[Task],
    backend: str,
    workers: int,
    address: str | None = None,
    interrupted: Callable[[], None] = lambda: None,
) -> Iterator[Result]:
    """function(task) for every task, in the order in which they finish.

    Threads cannot be stopped: an interrupt of the local backend calls `interrupted`, lets the
    tasks under way finish and yields them before it is raised; a second one ends the process.
    """
    if backend == "local":
        yield from _threads(function, tasks, workers, interrupted)
        return
    from joblib import Parallel, delayed, parallel_config

    with ExitStack() as stack:
        setup = {"loky": _loky, "dask": _dask, "ray": _ray}[backend]
        options = stack.enter_context(setup(workers, address))
        stack.enter_context(parallel_config(n_jobs=workers, **options))
        if backend != "ray":
            yield from Parallel(
                return_as="generator_unordered", batch_size=1, pre_dispatch=workers
            )(delayed(function)(task) for task in tasks)
            return
        # Ray's joblib backend gives results only when all are there, so it is fed in waves.
        with Parallel(batch_size=1) as parallel:
            for start in range(0, len(tasks), workers):
                wave = tasks[start : start + workers]
                yield from parallel(delayed(function)(task) for task in wave)


def _threads(
    function: Callable[[Task], Result],
    tasks: Sequence[Task],
    workers: int,
    interrupted: Callable[[], None],
) -> Iterator[Result]:
    with ThreadPoolExecutor(workers) as pool:
        futures = [pool.submit(function, task) for task in tasks]
        told: set[Future[Result]] = set()
        try:
            for future in as_completed(futures):
                told.add(future)
                yield future.result()
        except KeyboardInterrupt:
            with _second_interrupt_ends_all():
                under_way = [future for future in futures if not future.cancel()]
                interrupted()
                yield from (f.result() for f in as_completed(under_way) if f not in told)
            raise
        finally:
            pool.shutdown(cancel_futures=True)


@contextmanager
def _second_interrupt_ends_all() -> Iterator[None]:
    """At once and without a word: files are whole or not there, so nothing can break."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _loky(workers: int, address: str | None) -> Iterator[dict[str, Any]]:
    with _environment(_ONE_THREAD):
        yield {"backend": "loky", "inner_max_num_threads": 1}


@contextmanager
def _dask(workers: int, address: str | None) -> Iterator[dict[str, Any]]:
    from distributed import Client, LocalCluster

    with ExitStack() as stack:
        if address is None:
            cluster = LocalCluster(
                n_workers=workers, threads_per_worker=1, dashboard_address=None, env=_ONE_THREAD
            )
            stack.enter_context(cluster)
            address = cluster.scheduler_address
        stack.enter_context(Client(address, set_as_default=True))
        yield {"backend": "dask"}


@contextmanager
def _ray(workers: int, address: str | None) -> Iterator[dict[str, Any]]:
    import ray
    from ray.util.joblib import register_ray

    own = not ray.is_initialized()
    if own:
        room = {} if address else {"num_cpus": workers, "include_dashboard": False}
        ray.init(
            address=address,
            runtime_env={"env_vars": _ONE_THREAD},
            log_to_driver=False,
            logging_level="ERROR",
            **room,
        )
    try:
        register_ray()
        yield {"backend": "ray"}
    finally:
        if own:
            ray.shutdown()


@contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    """Set variables for the processes that are started meanwhile."""
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
