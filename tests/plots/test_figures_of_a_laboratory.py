"""Importances, parallel coordinates and the leave-one-out check as figures."""

from typing import Any

import numpy as np
import pytest

import counsel as cs
from counsel import plots

SPACE = cs.Space(a=cs.Float(0, 1), b=cs.Float(0, 1), kind=cs.Categorical(["x", "y"]))


def told(space: Any) -> Any:
    study = cs.create_study(space, policy="v-ucb", direction="minimize")
    rng = np.random.default_rng(3)
    for u in space.sample(14, rng):
        values = space.decode(u)
        study.tell(values, 3.0 * values["a"] + (values["kind"] == "y"))
    return study


@pytest.fixture(scope="module")
def study() -> Any:
    return told(SPACE)


def test_importances_are_those_of_the_truth(study: Any) -> None:
    """Of 3 a + [kind is y]: 0.75 and 0.25 of a variance of 1, and nothing for b."""
    bars = plots.importances(study).data[0]
    shares = dict(zip(bars.y, bars.x, strict=True))
    assert shares["a"] == pytest.approx(75.0, abs=10.0)
    assert shares["kind"] == pytest.approx(25.0, abs=10.0)
    assert shares["b"] < 3.0
    assert list(bars.y) == ["b", "kind", "a"]


def test_importances_where_one_parameter_cannot_vary_alone(study: Any) -> None:
    rows = [{"a": a, "b": b, "kind": k} for a in (0.0, 0.5, 1.0) for b in (0, 1) for k in "xy"]
    arms = cs.create_study(cs.Arms(rows), policy="v-ucb")
    for row in rows:
        arms.tell(row, 3.0 * row["a"] + (row["kind"] == "y"))
    bars = plots.importances(arms).data[0]
    shares = dict(zip(bars.y, bars.x, strict=True))
    assert shares["a"] == pytest.approx(100 * 1.5 / 1.75, abs=3.0)
    assert shares["b"] < 2.0


def test_without_beliefs_there_is_a_reason() -> None:
    figure = plots.importances(cs.create_study(SPACE))
    assert "no beliefs" in figure.layout.annotations[0].text
    figure = plots.validation(cs.create_study(SPACE))
    assert "two measurements" in figure.layout.annotations[0].text
    assert "Nothing" in plots.parallel(cs.create_study(SPACE)).layout.annotations[0].text


def test_every_trial_is_a_line(study: Any) -> None:
    lines = plots.parallel(study).data[0]
    assert [axis.label for axis in lines.dimensions] == ["a", "b", "kind", "objective"]
    kind = lines.dimensions[2]
    told = [kind.ticktext[int(place)] for place in kind["values"]]
    assert told == [each.values["kind"] for each in study.observations]
    assert list(lines.line.color) == [each.outcomes["objective"] for each in study.observations]


def test_each_measurement_is_held_against_the_others(study: Any) -> None:
    found = study.outlook()
    assert [each.observation for each in found.left_out] == [o.id for o in study.observations]
    assert [each.value for each in found.left_out] == [
        o.outcomes["objective"] for o in study.observations
    ]
    error = np.mean([abs(each.value - each.mean) for each in found.left_out])
    assert error == pytest.approx(found.error)
    drawn = [trace for trace in plots.validation(study).data if trace.mode == "markers"]
    assert sum(len(trace.x) for trace in drawn) == 14
    inside = sum(len(t.x) for t in drawn if t.name.startswith("within"))
    assert inside / 14 == pytest.approx(found.coverage)
