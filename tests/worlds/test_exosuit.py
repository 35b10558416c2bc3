"""The exosuit: the index column is no data, the stand-in says that it is one."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from counsel.errors import InvalidInput
from counsel.worlds import load
from counsel.worlds.exosuit import exosuit, synthetic_exosuit


@pytest.fixture(autouse=True)
def _no_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COUNSEL_DATA", raising=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of our own making: 100 lowering + lifting + block, behind a column of row numbers."""
    root = tmp_path_factory.mktemp("data")
    inside = root / "exosuit_utilities"
    inside.mkdir()
    lowering, lifting = np.meshgrid(np.arange(100.0), np.arange(100.0), indexing="ij")
    for block in (1, 2, 3):
        pd.DataFrame(100.0 * lowering + lifting + block).to_csv(inside / f"S4-B{block}.csv")
    return root


def test_rows_lower_columns_lift_and_row_numbers_are_dropped(folder: Path) -> None:
    world = exosuit(4, folder=folder)
    assert world.name == "exosuit-4"
    assert world.evaluate({"lifting": 3, "lowering": 7}) == 703.0 + 2.0
    assert exosuit(4, block=3, folder=folder).evaluate({"lifting": 0, "lowering": 0}) == 3.0
    assert world.optimum == 4949.0 + 2.0
    assert len(world.arms) == 2500


def test_extent_and_step(folder: Path) -> None:
    world = exosuit(4, extent=100, step=25, folder=folder)
    assert len(world.arms) == 16
    assert world.optimisers == ({"lifting": 75.0, "lowering": 75.0},)


def test_without_data_the_stand_in_answers_and_says_so() -> None:
    world = exosuit(2, step=5)
    assert world.name == "synthetic-exosuit-2"
    np.testing.assert_array_equal(world.payoffs, synthetic_exosuit(2, step=5).payoffs)
    assert not np.array_equal(world.payoffs, synthetic_exosuit(3, step=5).payoffs)
    assert 0.1 < world.payoffs.std() < 3.0
    assert load("synthetic-exosuit", subject=2, step=5).name == world.name


def test_the_stand_in_learned_what_its_subject_likes() -> None:
    """The learned utility goes with the true one: that is what choices are for."""
    from counsel.worlds.exosuit import _hills

    found = []
    for subject in range(1, 16):
        world = synthetic_exosuit(subject, extent=100, step=10)
        at = np.array([list(arm.values()) for arm in world.arms])
        found.append(np.corrcoef(world.payoffs, _hills(subject)(at))[0, 1])
    assert np.median(found) > 0.6


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"subject": 0}, "subject"),
        ({"subject": 16}, "subject"),
        ({"block": 4}, "block"),
        ({"extent": 1}, "extent"),
        ({"step": 50}, "step"),
    ],
)
def test_what_is_not_there_is_refused(options: dict[str, int], field: str) -> None:
    with pytest.raises(InvalidInput, match=field):
        exosuit(**options)  # type: ignore[arg-type]


def test_a_broken_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"S5-B1\.csv"):
        exosuit(5, folder=folder)
    inside = tmp_path / "exosuit_utilities"
    inside.mkdir()
    pd.DataFrame(np.ones((3, 3))).to_csv(inside / "S1-B1.csv")
    with pytest.raises(InvalidInput, match="100 utilities"):
        exosuit(1, block=1, folder=tmp_path)


def test_the_real_subjects(data_folder: Path) -> None:
    for subject in range(1, 16):
        world = exosuit(subject, folder=data_folder)
        assert -1.5 < world.payoffs.min() < world.payoffs.max() < 4.0
