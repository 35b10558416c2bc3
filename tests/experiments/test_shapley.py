"""The ShapleyBO experiments, on a few rounds: what they measure and what they say."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

from counsel.experiments.experiment import Experiment
from counsel.experiments.job import Job, settings
from counsel.experiments.shapley.ellipsoid import ELLIPSOID
from counsel.experiments.shapley.prosthesis import PROSTHESIS
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


@pytest.mark.parametrize("experiment", [ELLIPSOID, RISK, PROSTHESIS], ids=lambda e: e.name)
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
