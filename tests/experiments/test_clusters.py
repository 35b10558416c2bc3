"""Clusters that exist already: experiments and functions run on them, found by their address.

test_ray.py has those of Ray.
"""

import os
import re
import socket
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

import counsel as cs
from counsel.errors import CounselError
from counsel.experiments import backends
from counsel.experiments.backends import fan_out
from experiments.running import by_command, results_of_tiny
from experiments.tiny import hill

TESTS = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def _foreign_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # clusters warn about their own ports and sockets
        yield


@pytest.fixture(scope="module")
def dask_address() -> Iterator[str]:
    """A scheduler and two workers, each a process of its own, as on several machines."""
    pytest.importorskip("distributed", reason="Dask is not installed")
    path = os.pathsep.join([str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONPATH": path}
    started: list[subprocess.Popen[str]] = []

    def start(program: str, *words: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", f"distributed.cli.{program}", *words]
        command += ["--host", "127.0.0.1", "--no-dashboard"]
        started.append(
            subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
        )
        return started[-1]

    try:
        scheduler = start("dask_scheduler", "--port", "0")
        assert scheduler.stderr is not None
        found = None
        for line in scheduler.stderr:
            found = re.search(r"Scheduler at:\s+(tcp://\S+)", line)
            if found:
                break
        assert found, "the scheduler did not start"
        for _ in range(2):
            start("dask_worker", found.group(1), "--nthreads", "1", "--no-nanny")
        from distributed import Client

        with Client(found.group(1)) as client:  # an experiment does not wait long for workers
            client.wait_for_workers(2, timeout=120)
        yield found.group(1)
    finally:
        for process in reversed(started):
            process.terminate()
            process.communicate(timeout=60)


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    return results_of_tiny(tmp_path_factory.mktemp("here"), "local", 1, seeds=2)


def test_an_experiment_on_a_dask_cluster(
    dask_address: str,
    here: tuple[bytes, bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert by_command(tmp_path, monkeypatch, "dask", dask_address) == here


@pytest.mark.parametrize(("backend", "what"), [("dask", "Dask scheduler"), ("ray", "Ray cluster")])
def test_a_cluster_that_is_not_there_is_a_sentence(
    backend: str, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backends, "_PATIENCE", 0.3)
    pytest.importorskip({"dask": "distributed"}.get(backend, backend))
    with socket.socket() as taken:  # bound and not listening: nobody answers
        taken.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(CounselError, match=f"No {what} answers at {address}"):
            list(fan_out(abs, [1], backend, address=address))


def test_a_cluster_without_workers_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backends, "_PATIENCE", 0.3)
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=None) as cluster,
        pytest.raises(CounselError, match=r"has no worker\. Start one: dask worker tcp:"),
    ):
        list(fan_out(abs, [1], "dask", address=cluster.scheduler_address))


def test_a_function_on_a_dask_cluster(dask_address: str) -> None:
    from distributed import Client

    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), policy="random", seed=0)
    with Client(dask_address) as client:
        study.optimize(hill, 8, executor=client)
    failed = [each.reason for each in study.failures]
    assert len(study.observations) + len(failed) == 8
    assert failed
    assert all("too hot" in reason for reason in failed)
