"""The table of rivals on constraints: pairs runs of the same instances, and says what is unsafe."""

from pathlib import Path

import numpy as np
import pytest
from benchmarks.constraints import OURS, Run, kept, played, rows_of


def _run(method: str, seed: int, regret: float, *, sound: bool = True) -> Run:
    return Run("Mill", method, seed, 40, regret, 2, 160, sound, sound)


def test_differences_are_over_instances_that_both_played() -> None:
    runs = [_run(OURS, seed, 10.0 + seed) for seed in range(4)]
    runs += [_run("SafeOpt", seed, 13.0 + seed, sound=seed > 1) for seed in range(3)]
    ours, theirs = rows_of(runs, 40)
    assert ours[:3] == ["Mill", OURS, "4"]
    assert theirs[4] == "3.00 [3.00, 3.00]"
    assert theirs[-1] == "33%, unsafe in 2"
    assert rows_of(runs, 50) == []


def test_a_run_is_that_of_a_study_and_is_kept(tmp_path: Path) -> None:
    run = played("Kitchen", OURS, 0, 4)
    assert run.rounds == 4
    assert np.isfinite(run.regret)
    assert kept(tmp_path / "none.jsonl") == []
    with pytest.raises(KeyError):
        played("Kitchen", "nobody", 0, 4)
