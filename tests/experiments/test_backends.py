"""The same numbers, bit for bit, wherever the blocks are run; test_ray.py has Ray."""

import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pandas as pd
import pytest

from counsel.errors import CounselError
from counsel.experiments import backends
from counsel.experiments.job import Task, execute, jobs, settings
from experiments.running import results_of_tiny
from experiments.tiny import TINY


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    return results_of_tiny(tmp_path_factory.mktemp("here"), "local", 1)


@pytest.fixture(autouse=True)
def _foreign_warnings() -> Iterator[None]:
    # Clusters warn about their own ports, sockets and deprecations; those are not ours to mend.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def test_threads_of_one_process_take_turns(here: tuple[bytes, bytes]) -> None:
    wanted = jobs(TINY, 3)
    tasks = [Task(job, settings(TINY, job)) for job in wanted]
    with ThreadPoolExecutor(len(wanted)) as pool:
        began = [done.rows for done in pool.map(partial(execute, TINY), tasks)]
    for job, rows in zip(wanted, began, strict=True):
        pd.testing.assert_frame_equal(rows, TINY.run(job.world, job.method, job.seeds))


def test_the_default_is_a_process_per_core(monkeypatch: pytest.MonkeyPatch) -> None:
    assert backends.best_backend(1) == "local"
    monkeypatch.setattr(backends, "find_spec", lambda name: None)
    assert backends.best_backend(8) == "local"
    monkeypatch.setattr(backends, "find_spec", lambda name: object())
    assert backends.best_backend(8) == "loky"


def test_loky_agrees(tmp_path: Path, here: tuple[bytes, bytes]) -> None:
    pytest.importorskip("joblib", reason="joblib is not installed")
    assert results_of_tiny(tmp_path, "loky", 2) == here


@pytest.mark.slow  # a cluster that exists is in test_clusters
def test_a_local_dask_cluster_agrees(tmp_path: Path, here: tuple[bytes, bytes]) -> None:
    pytest.importorskip(
        "distributed", reason="Dask is not installed: pip install 'counsel-opt[dask]'"
    )
    assert results_of_tiny(tmp_path, "dask", 2) == here


def test_a_missing_engine_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backends, "find_spec", lambda name: None if name == "ray" else object())
    with pytest.raises(CounselError, match=r"needs ray: pip install 'counsel-opt\[ray\]'"):
        backends.check_backend("ray", None)


def test_the_environment_is_left_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NPROC", "7")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    import os

    with backends._loky(2, None):
        assert os.environ["NPROC"] == os.environ["MKL_NUM_THREADS"] == "1"
    assert os.environ["NPROC"] == "7"
    assert "MKL_NUM_THREADS" not in os.environ
