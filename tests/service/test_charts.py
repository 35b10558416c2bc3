"""Names that people give are drawn as text, and figures for a dark ground too."""

import json

import numpy as np
import pytest

import counsel as cs
from counsel import plots
from counsel.explain.attribution import Attribution
from counsel.service.web import charts
from counsel.study import Study
from counsel.teams.alignment import Alignment

LINK = '<a href="https://elsewhere.example">x</a>'


def test_a_parameter_named_as_a_link_is_drawn_as_text() -> None:
    study = cs.create_study(cs.Space(**{LINK: cs.Float(0, 1), "y": cs.Float(0, 1)}))
    why = Attribution(
        terms=("exploitation",),
        parameters=tuple(study.problem.space.names),
        values=np.array([[0.25, -0.5]]),
        base=np.array([1.0]),
        total=np.array([0.75]),
        error=np.zeros((1, 2)),
        methods=("exact",),
        background="the whole space",
        evaluations=4,
        point={LINK: 0.5, "y": 0.5},
        context={},
    )
    drawn = [charts.contributions(why, 1.0, dark=False)]
    found = Alignment("p1", "ann", why.parameters, (0.5, 0.5), (0.5, -0.5), 2.0, 1)
    drawn.append(charts.alignment(found, dark=False))
    for figure in drawn:
        assert "<a" not in json.dumps(figure)
        assert "&lt;a" in json.dumps(figure)


@pytest.fixture(scope="module")
def measured() -> Study:
    study = cs.create_study(cs.Space(a=cs.Float(0, 1), b=cs.Float(0, 1)), policy="v-ucb")
    for a, b, value in ((0.1, 0.2, 1.0), (0.4, 0.8, 3.0), (0.7, 0.3, 2.0), (0.9, 0.9, 0.5)):
        study.tell({"a": a, "b": b}, value)
    return study


@pytest.mark.parametrize("name", ["importances", "landscape", "parallel", "progress"])
def test_figures_can_be_drawn_for_a_dark_ground(measured: Study, name: str) -> None:
    figure = charts.grounded(getattr(plots, name)(measured), dark=True)
    assert figure.layout.paper_bgcolor == "rgba(0,0,0,0)"
