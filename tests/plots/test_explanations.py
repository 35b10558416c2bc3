"""Figures of explanations: what they show is what the numbers say."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import counsel as cs
from counsel import plots
from counsel.explain.attribution import Attribution
from counsel.plots._importances import shares_of


@pytest.fixture(scope="module")
def study() -> cs.Study:
    space = cs.Space(
        lift=cs.Float(0, 50), low_er=cs.Float(0, 50), kind=cs.Categorical(["<soft>", "firm"])
    )
    study = cs.create_study(
        space, seed=1, objective="comfort", direction="minimize", policy="v-ucb"
    )
    for _ in range(7):
        proposal = study.ask()
        lift = float(proposal.values["lift"])
        study.tell(proposal, (lift - 20.0) ** 2 / 100.0 + len(str(proposal.values["kind"])))
    study.ask()
    return study


@pytest.fixture(scope="module")
def why(study: cs.Study) -> Attribution:
    return study.explain("p8")


def test_bars_are_the_contributions(why: Attribution) -> None:
    figure = plots.contributions(why)
    bars = [trace for trace in figure.data if trace.type == "bar"]
    np.testing.assert_allclose([bar.x for bar in bars], why.values)
    assert len({bar.marker.pattern.shape for bar in bars}) == len(bars)
    assert all(bar.marker.pattern.fillmode == "overlay" for bar in bars)
    (marks,) = (trace for trace in figure.data if trace.type == "scatter")
    np.testing.assert_allclose(marks.x, why.values.sum(axis=0))
    assert "kind = &lt;soft&gt;" in bars[0].y or "kind = firm" in bars[0].y


def test_a_waterfall_ends_at_the_value(why: Attribution) -> None:
    for term in (None, "exploitation"):
        (steps,) = plots.waterfall(why, term).data
        assert steps.measure[0] == "absolute"
        assert steps.measure[-1] == "total"
        assert sum(steps.x[:-1]) == pytest.approx(steps.x[-1])
        sizes = np.abs(steps.x[1:-1])
        assert (np.diff(sizes) <= 0.0).all()
    assert plots.waterfall(why).data[0].x[-1] == pytest.approx(float(why.total.sum()))


def test_paths_have_a_panel_for_each_term(study: cs.Study, why: Attribution) -> None:
    figure = plots.paths(study)
    assert len(figure.data) == 2 * 3
    assert figure.data[0].y[-1] == pytest.approx(float(why.values[0, 0]))
    assert list(figure.data[0].x) == [5, 6, 7, 8]
    assert not plots.paths(cs.create_study(cs.Space(x=cs.Float(0, 1)))).data


def test_slices_show_the_round_of_the_proposal(study: cs.Study) -> None:
    figure = plots.slices(study, "p8")
    maps = [trace for trace in figure.data if trace.type == "contour"]
    assert len(maps) == 3
    proposal = study.proposal("p8")
    best = np.max(maps[2].z)
    assert sum(proposal.terms.values()) >= best - 1e-6 * abs(best)
    stars = [trace for trace in figure.data if trace.name == "the proposal"]
    assert all(star.x[0] == proposal.values["lift"] for star in stars)
    assert "Held at the proposal" in figure.layout.title.subtitle.text
    curve = plots.slices(study, "p8", ["lift"])
    assert {trace.name for trace in curve.data} >= {"95 %", "the proposal"}


def test_slices_of_arms_and_of_first_trials() -> None:
    arms = cs.Arms(np.random.default_rng(0).uniform(size=(30, 2)), names=["a", "b"])
    study = cs.create_study(arms, seed=1)
    for _ in range(4):
        proposal = study.ask()
        study.tell(proposal, float(proposal.values["a"]))
    figure = plots.slices(study, study.ask())
    assert len([trace for trace in figure.data if trace.mode == "markers"]) == 6
    assert "drawn at random" in plots.slices(study, "p1").layout.annotations[0].text


def test_no_parameter_has_more_than_all_of_what_varies() -> None:
    """Also where an estimate comes out higher: on a narrow ridge along one parameter."""

    def ridge(points: list[dict[str, float]], context: object = None) -> list[SimpleNamespace]:
        return [SimpleNamespace(mean=np.exp(-(((p["y"] - 0.33) / 0.08) ** 2))) for p in points]

    space = cs.Space(x=cs.Float(0, 1), y=cs.Float(0, 1))
    study: Any = SimpleNamespace(problem=SimpleNamespace(space=space), predict_many=ridge)
    assert shares_of(study) == {"x": 0.0, "y": 1.0}
