"""Clusters that exist already: experiments and functions run on them, found by their address."""

import os
import re
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console
from typer.testing import CliRunner

import counsel as cs
from counsel.cli import app
from counsel.experiments import reproduce
from counsel.experiments.runner import run
from experiments.tiny import TINY, hill

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
def ray_address() -> Iterator[str]:
    """A head node in processes of its own."""
    pytest.importorskip("ray", reason="Ray is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from ray.cluster_utils import Cluster

        before = os.environ.get("PYTHONPATH")
        os.environ["PYTHONPATH"] = os.pathsep.join([str(TESTS), *filter(None, [before])])
        head = {"num_cpus": 2, "include_dashboard": False}
        cluster = Cluster(initialize_head=True, head_node_args=head)
        try:
            yield cluster.address
        finally:
            cluster.shutdown()
            if before is None:
                del os.environ["PYTHONPATH"]
            else:
                os.environ["PYTHONPATH"] = before


def results(folder: Path) -> tuple[bytes, bytes]:
    found = folder / TINY.name
    return (found / "results.parquet").read_bytes(), (found / "results.json").read_bytes()


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    out = tmp_path_factory.mktemp("here")
    run(TINY, seeds=2, out=out, backend="local", workers=1, console=Console(quiet=True))
    return results(out)


def command_line(out: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    registry = SimpleNamespace(find=lambda name: SimpleNamespace(thing=TINY))
    monkeypatch.setattr(reproduce, "experiments", registry)
    done = CliRunner().invoke(app, ["reproduce", "tiny", "--seeds", "2", "--out", str(out), *words])
    assert done.exit_code == 0, done.output


def test_an_experiment_on_a_dask_cluster(
    dask_address: str,
    here: tuple[bytes, bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    command_line(tmp_path, monkeypatch, "--backend", "dask", "--address", dask_address)
    assert results(tmp_path) == here


def test_a_function_on_a_dask_cluster(dask_address: str) -> None:
    from distributed import Client

    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), policy="random", seed=0)
    with Client(dask_address) as client:
        study.optimize(hill, 8, executor=client)
    failed = [each.reason for each in study.failures]
    assert len(study.observations) + len(failed) == 8
    assert failed
    assert all("too hot" in reason for reason in failed)


def test_an_experiment_on_a_ray_cluster(
    ray_address: str,
    here: tuple[bytes, bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    command_line(tmp_path, monkeypatch, "--backend", "ray", "--address", ray_address)
    assert results(tmp_path) == here
