"""Runs that are interrupted, resumed, spread out or changed end with the same bytes."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pandas as pd
import pytest
from rich.console import Console

from counsel.acquisition import VUCB
from counsel.errors import CounselError, InvalidInput
from counsel.experiments import runner
from counsel.experiments.experiment import Experiment, Method
from counsel.experiments.job import Task, execute, jobs, settings
from counsel.experiments.runner import run
from experiments.tiny import TINY

TESTS = Path(__file__).resolve().parent.parent


def _run(out: Path, experiment: Experiment = TINY, **options: object) -> tuple[pd.DataFrame, str]:
    said = io.StringIO()
    given: dict[str, object] = {"seeds": 5, "backend": "local", **options}
    rows = run(experiment, out=out, console=Console(file=said, width=200), **given)  # type: ignore[arg-type]
    return rows, said.getvalue()


def _bytes(out: Path) -> tuple[bytes, bytes]:
    folder = out / TINY.name
    return tuple((folder / f"results.{kind}").read_bytes() for kind in ("parquet", "json"))  # type: ignore[return-value]


def _blocks(out: Path) -> list[Path]:
    return sorted((out / TINY.name / "blocks").glob("*/*/*.json"))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An uninterrupted run, in this process."""
    out = tmp_path_factory.mktemp("whole")
    _run(out)
    return out


def test_results_have_the_seeds_asked_for_and_no_more(whole: Path) -> None:
    rows = pd.read_parquet(whole / TINY.name / "results.parquet")
    assert set(rows["seed"]) == set(range(5))
    assert list(rows.columns[:3]) == ["world", "method", "seed"]
    assert len(_blocks(whole)) == 2 * 2 * 3  # the third block holds seed 5 as well
    about = json.loads((whole / TINY.name / "results.json").read_text())
    assert about["seeds"] == 5
    assert about["made with"]["jax"]
    assert about["runs"][0]["acquisition"]["components"] == 2
    timing = json.loads((whole / TINY.name / "timing.json").read_text())
    assert timing["blocks made by the last run"] == 12


def test_neighbouring_jobs_are_different_methods() -> None:
    wanted = jobs(TINY, 4)
    assert len(wanted) == 8
    assert all(a.method != b.method for a, b in pairwise(wanted))


def test_what_is_there_is_not_run_again(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = _bytes(whole)
    monkeypatch.setattr(runner, "execute", None)
    _run(whole)
    assert _bytes(whole) == before


def test_fewer_seeds_than_a_block_has_compute_no_more() -> None:
    assert {job.size for job in jobs(TINY, 1)} == {1}
    assert {job.size for job in jobs(TINY, 3)} == {TINY.block}
    assert max(job.seeds.stop for job in jobs(TINY, 1)) == 1


def test_more_seeds_only_add_blocks(tmp_path: Path, whole: Path) -> None:
    _run(tmp_path, seeds=2)
    _, said = _run(tmp_path)
    assert "4 of 12 blocks are there already." in said
    assert "8/8" in said
    assert _bytes(tmp_path) == _bytes(whole)


def test_a_damaged_block_is_made_again(tmp_path: Path, whole: Path) -> None:
    _run(tmp_path)
    victim = _blocks(tmp_path)[0].with_suffix(".parquet")
    victim.write_bytes(victim.read_bytes()[:-8])
    _blocks(tmp_path)[1].write_text("{")
    _, said = _run(tmp_path)
    assert "2 blocks made again: its files are damaged." in said
    assert _bytes(tmp_path) == _bytes(whole)


def test_a_changed_setting_makes_its_blocks_again_and_says_so(tmp_path: Path) -> None:
    _run(tmp_path, seeds=2)
    bolder = replace(TINY, methods=(TINY.methods[0], Method("V-UCB", VUCB(3.0))))
    _, said = _run(tmp_path, bolder, seeds=2)
    assert "2 blocks made again: acquisition kappa was 2.0, is 3.0." in said
    assert "2 of 4 blocks are there already." in said


def test_another_version_makes_everything_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _run(tmp_path, seeds=2)
    from counsel.experiments import job

    other = {**job.made_with(), "jax": "9.9"}
    monkeypatch.setattr(job, "made_with", lambda: other)
    _, said = _run(tmp_path, seeds=2)
    assert "4 blocks made again: made with jax was" in said
    assert "is 9.9" in said


def test_fresh_runs_everything_again(tmp_path: Path) -> None:
    _run(tmp_path, seeds=2)
    _, said = _run(tmp_path, seeds=2, fresh=True)
    assert "4/4" in said


def test_a_worker_with_other_data_is_refused_before_it_computes() -> None:
    job = jobs(TINY, 2)[0]
    given = settings(TINY, job)
    given["world"] = {**given["world"], "data": "something else"}
    unused = replace(TINY, measure=lambda *_: pytest.fail("it computed"))
    with pytest.raises(CounselError, match="data or versions differ"):
        execute(unused, Task(job, given))


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"seeds": 0}, "seeds"),
        ({"seeds": 10**9}, "seeds"),
        ({"workers": 0}, "jobs"),
        ({"backend": "slurm"}, "backend"),
        ({"address": "tcp://here"}, "address"),
    ],
)
def test_bad_input_is_refused(tmp_path: Path, options: dict[str, object], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        _run(tmp_path, **options)
    assert refused.value.field == field


_SLOW = """
import sys
from dataclasses import replace
from pathlib import Path
from experiments.tiny import TINY, slow_pull
from counsel.experiments.job import jobs
from counsel.experiments.runner import run
run(replace(TINY, measure=slow_pull), seeds=5, out=Path(sys.argv[1]), backend=sys.argv[2])
"""


@pytest.mark.parametrize("backend", ["local", pytest.param("loky", marks=pytest.mark.slow)])
def test_an_interrupted_run_goes_on_to_the_same_bytes(
    tmp_path: Path, whole: Path, backend: str
) -> None:
    if backend == "loky":
        pytest.importorskip("joblib", reason="joblib is not installed")
    process = subprocess.Popen(
        [sys.executable, "-c", _SLOW, str(tmp_path), backend],
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 300.0
    while not _blocks(tmp_path) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=120)[1]
    assert "blocks are safe in" in said, said
    assert 0 < len(_blocks(tmp_path)) < 12
    assert not (tmp_path / TINY.name / "results.parquet").exists()
    assert not list(tmp_path.rglob("*.tmp"))
    _, said = _run(tmp_path)
    assert "blocks are there already." in said
    assert _bytes(tmp_path) == _bytes(whole)


def test_serial_experiments_run_one_by_one(tmp_path: Path) -> None:
    _, said = _run(tmp_path, replace(TINY, serial=True), seeds=1, backend="loky")
    assert "one by one" in said
