"""The ShapleyBO experiments, on a few rounds: what they measure and what they say."""

import dataclasses
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from counsel.experiments.experiment import Experiment
from counsel.experiments.job import Job, settings
from counsel.experiments.shapley.ellipsoid import ELLIPSOID, crossings
from counsel.experiments.shapley.prosthesis import PROSTHESIS
from counsel.experiments.shapley.recorded import RECORDED
from counsel.experiments.shapley.risk import RISK


def tried(experiment: Experiment, rounds: int, seeds: int) -> pd.DataFrame:
    short = dataclasses.replace(experiment, rounds=rounds)
    parts = []
    for world in short.worlds:
        for method in short.methods:
            rows = short.run(world, method.label, range(seeds))
            rows.insert(0, "method", method.label)
            rows.insert(0, "world", world)
            parts.append(rows)
    return pd.concat(parts, ignore_index=True)


@pytest.mark.parametrize(
    "experiment",
    [ELLIPSOID, pytest.param(RISK, marks=pytest.mark.slow), PROSTHESIS],
    ids=lambda e: e.name,
)
def test_a_few_rounds_make_a_story(experiment: Experiment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COUNSEL_DATA", raising=False)
    rows = tried(experiment, 2, 2)
    parameters = 4 if experiment is ELLIPSOID else 2 if experiment is RISK else 1
    terms = rows["term"].nunique()
    assert len(rows) == 2 * 2 * parameters * terms * len(experiment.methods)
    assert np.isfinite(rows["value"]).all()
    report = experiment.tell(dataclasses.replace(experiment, rounds=2), rows)
    assert report.remarks
    assert all(chapter.tables for chapter in report.chapters)


def test_methods_share_first_points_and_boxes_have_a_digest() -> None:
    job = Job(next(iter(ELLIPSOID.worlds)), ELLIPSOID.methods[0].label, 0, 1)
    first = settings(ELLIPSOID, job)["world"]["data"]
    other = settings(RISK, Job(next(iter(RISK.worlds)), RISK.methods[0].label, 0, 1))
    assert first != other["world"]["data"]
    assert first == settings(ELLIPSOID, job)["world"]["data"]


def test_the_crossing_is_the_round_from_which_the_mean_leads_for_good() -> None:
    mean = np.array([[1.0, 3.0, 1.0, 4.0], [2.0, 2.0, 2.0, 2.0], [0.0, 0.0, 0.0, 0.0]])
    sd = np.array([[2.0, 2.0, 2.0, 2.0], [1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]])
    np.testing.assert_array_equal(crossings(mean, sd), [4.0, 1.0, 5.0])


def test_the_bound_is_the_sum_of_its_terms() -> None:
    rows = tried(ELLIPSOID, 1, 1)
    from counsel.experiments.shapley.ellipsoid import _with_bound

    found = _with_bound(rows)
    keys = ["method", "seed", "round", "parameter"]
    parts = found[found["term"] != "bound"].groupby(keys)["value"].sum()
    bound = found[found["term"] == "bound"].set_index(keys)["value"]
    np.testing.assert_allclose(bound.sort_index(), parts.sort_index())


def test_recorded_proposals_are_judged_by_the_bound_that_they_should_have_maximised(
    data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COUNSEL_DATA", str(data_folder))
    rows = tried(RECORDED, 4, 2)
    assert len(rows) == 2 * 2
    ours, theirs = (rows[rows["who"] == who] for who in ("our search", "the recorded proposal"))
    # Ours is the maximum of the bound, which is minimised here: nothing recorded is below it.
    assert (theirs["bound"].to_numpy() >= ours["bound"].to_numpy() - 1e-6).all()
    assert theirs["recorded sd"].between(0.0, 100.0).all()
    report = RECORDED.tell(dataclasses.replace(RECORDED, rounds=4), rows)
    assert "miss the maximum" in report.remarks[1]
