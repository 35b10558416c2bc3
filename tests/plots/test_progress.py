"""The progress figure: its best-so-far is monotone, and every trial is where its facts put it."""

import numpy as np
import plotly.graph_objects as go
import pytest

import counsel as cs
from counsel import plots


def study_of(values: list[float], direction: str = "maximize") -> cs.Study:
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), policy="random", direction=direction)
    for value in values:
        study.tell(study.ask(), value)
    return study


def trace(figure: go.Figure, name: str) -> go.Scatter:
    return next(t for t in figure.data if t.name == name)


@pytest.mark.parametrize(("direction", "sign"), [("maximize", 1), ("minimize", -1)])
def test_best_so_far_is_monotone_and_ends_at_the_best(direction: str, sign: int) -> None:
    values = [float(v) for v in np.random.default_rng(0).normal(size=30)]
    line = sign * np.array(trace(plots.progress(study_of(values, direction)), "best so far").y)
    assert (np.diff(line) >= 0).all()
    assert line[-1] == max(sign * v for v in values)
    assert line[0] == sign * values[0]


def test_statuses_values_and_predictions_are_those_of_the_facts() -> None:
    space = cs.Space(x=cs.Float(0, 1), y=cs.Float(0, 1))
    study = cs.create_study(space, objective="yield", seed=3)
    for value in (1.0, 2.0, 1.5):
        study.tell(study.ask(), value)
    predicted = study.ask()
    study.override(predicted, {"x": 0.5, "y": 0.5}, actor="ann", reason="<b>why</b> not")
    study.tell(predicted, 3.0)
    study.reject(study.ask(), actor="bob", reason="no")
    study.tell({"x": 0.25, "y": 0}, 0.5, actor="eve")
    withdrawn = study.tell({"x": 0.75, "y": 1}, 99.0)
    study.withdraw(withdrawn)
    study.ask()
    figure = plots.progress(study, optimum=4.0)
    assert figure.layout.title.text == "Yield, trial by trial"
    assert figure.layout.yaxis.title.text == "yield"
    assert list(trace(figure, "accepted").x) == [1, 2, 3]
    assert list(trace(figure, "accepted").y) == [1.0, 2.0, 1.5]
    assert (list(trace(figure, "overridden").x), list(trace(figure, "overridden").y)) == ([4], [3])
    assert "&lt;b&gt;why" in trace(figure, "overridden").text[0]
    assert list(trace(figure, "rejected").x) == [5]
    assert "not measured" in trace(figure, "rejected").text[0]
    assert list(trace(figure, "told by a person").x) == [6]
    assert list(trace(figure, "waiting").x) == [7]
    belief = trace(figure, "predicted, 95 %")
    assert predicted.prediction is not None
    assert (belief.x[0], belief.y[0]) == (4, predicted.prediction.mean)
    low, high = predicted.prediction.interval()
    assert belief.y[0] + belief.error_y.array[0] == pytest.approx(high)
    assert belief.y[0] - belief.error_y.arrayminus[0] == pytest.approx(low)
    assert set(trace(figure, "optimum 4").y) == {4.0}
    low, high = figure.layout.yaxis.range
    everything = [y for t in figure.data if t.yaxis != "y2" for y in t.y]
    assert low < min(everything) <= max(everything) < high
    apart = [t.name for t in figure.data if t.yaxis == "y2"]  # in a strip, at no height
    assert apart == ["rejected", "waiting"]


def test_looking_changes_nothing() -> None:
    study = study_of([1.0, 2.0])
    before = study.facts
    plots.progress(study)
    plots.landscape(study)
    assert study.facts == before


def test_the_empty_state_says_what_to_do() -> None:
    figure = plots.progress(study_of([]))
    assert len(figure.data) == 0
    assert "Ask for a proposal" in figure.layout.annotations[0].text


def test_a_proposal_alone_has_no_scale() -> None:
    study = study_of([])
    study.ask()
    figure = plots.progress(study)
    assert [t.name for t in figure.data] == ["waiting"]
    assert figure.layout.yaxis.showticklabels is False


@pytest.mark.parametrize("value", [0.0, -3.0, 1e-12, 1e12])
def test_one_or_equal_values_have_an_axis(value: float) -> None:
    low, high = plots.progress(study_of([value, value])).layout.yaxis.range
    assert low < value < high


def test_a_silly_optimum_is_refused() -> None:
    with pytest.raises(cs.InvalidInput, match="optimum"):
        plots.progress(study_of([1.0]), optimum=float("nan"))


def test_what_broke_a_constraint_is_never_the_best_and_in_the_strip() -> None:
    limits = [cs.Constraint("heat", at_most=1.0)]
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), constraints=limits, policy="random")
    study.tell({"x": 0.1}, 1.0, constraints={"heat": 0.5})
    study.tell({"x": 0.9}, 9.0, constraints={"heat": 1.5})
    parts = study.ask()
    study.tell(parts, constraints={"heat": 0.2})
    study.tell(parts, 2.0)
    figure = plots.progress(study)
    assert list(trace(figure, "best so far").y) == [1.0, 2.0, 2.0]
    assert list(trace(figure, "accepted").y) == [2.0]  # told in two parts
    assert list(trace(figure, "told by a person").y) == [1.0]
    broke = trace(figure, "told by a person, broke a constraint")
    assert (list(broke.x), broke.yaxis) == ([2], "y2")
    assert "measured: 9<br>broke a constraint" in broke.text[0]
