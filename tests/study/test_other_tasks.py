"""Trials of another subject or campaign are a start, as far as they turn out to be alike."""

from typing import Any

import numpy as np
import pytest

import counsel as cs

CAMPAIGN = cs.Categorical(["last year", "this year"])
SPACE = cs.Space(t=cs.Float(0, 1), context={"campaign": CAMPAIGN})
THEN, NOW = {"campaign": "last year"}, {"campaign": "this year"}
GRID = np.linspace(0.0, 1.0, 21)


def last_year(t: float) -> float:
    return float(np.sin(5.0 * t) + 0.3 * t)


def begun() -> Any:
    study = cs.create_study(SPACE)
    rows = [{"t": t, "objective": last_year(t), **THEN} for t in np.linspace(0.0, 1.0, 9)]
    study.tell_many(rows)
    return study


def expected(study: Any, context: Any) -> Any:
    found = study.predict_many([{"t": float(t)} for t in GRID], context=context)
    return np.array([each.mean for each in found]), np.array([each.sd for each in found])


def test_the_first_proposal_is_where_last_year_was_good() -> None:
    study = begun()
    proposal = study.ask(context=NOW)
    best = GRID[np.argmax([last_year(t) for t in GRID])]
    assert abs(proposal.values["t"] - best) < 0.15
    # It is not taken for certain: nothing of this year is known.
    assert expected(study, NOW)[1].mean() > 3.0 * expected(study, THEN)[1].mean()


@pytest.mark.parametrize("alike", [True, False])
def test_how_alike_they_are_is_learned(alike: bool) -> None:
    """After three trials, the rest of the curve follows last year's if this year's are alike."""
    study = begun()
    for t in (0.1, 0.5, 0.9):
        study.tell({"t": t}, last_year(t) + 0.01 if alike else 1.0 - last_year(t), context=NOW)
    mean, _ = expected(study, NOW)
    truth = np.array([last_year(t) if alike else 1.0 - last_year(t) for t in GRID])
    if alike:
        assert np.abs(mean - truth).max() < 0.15
    else:
        assert np.corrcoef(mean, truth)[0, 1] > 0.8
