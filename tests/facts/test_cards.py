"""What a notebook shows of studies, proposals, explanations and the best trial."""

import re

import pytest

import counsel as cs
from counsel.facts import cards


@pytest.fixture(scope="module")
def study() -> cs.Study:
    space = cs.Space(x=cs.Float(0, 1), y=cs.Float(0, 1))
    study = cs.create_study(space, name="<tea> & more", policy="v-ucb", seed=0)
    study.optimize(lambda values: values["x"], 6)
    return study


def text(html: str) -> str:
    return re.sub(r"<[^>]*>", " ", html)


def test_a_study(study: cs.Study) -> None:
    shown = study._repr_html_()
    assert "&lt;tea&gt; &amp; more" in shown
    assert "<tea>" not in shown
    assert "maximize objective" in text(shown)
    assert study.best is not None
    assert f"{study.best.value:.4g}" in text(shown)


def test_a_proposal_the_best_and_why(study: cs.Study) -> None:
    proposal = study.ask()
    shown = text(proposal._repr_html_())
    assert proposal.id in shown
    assert f"x {proposal.values['x']:.4g}" in shown
    assert proposal.prediction is not None
    assert f"{proposal.prediction.mean:.4g} ±" in shown
    assert study.best is not None
    assert f"{study.best.value:.4g}" in text(study.best._repr_html_())
    why = study.explain(proposal)
    table = text(why._repr_html_())
    for name in (*why.terms, *why.parameters, "sum"):
        assert name in table
    what_if = study.what_if({"x": 0.5, "y": 0.5})
    assert f"{what_if.prediction.mean:.4g}" in text(what_if._repr_html_())


def test_what_underflows_is_nothing() -> None:
    assert cards.values({"feasibility:calm": -3.9e-289, "improvement": -0.5}) == (
        "feasibility:calm 0, improvement -0.5"
    )


def test_nothing_is_shown_of_what_is_empty() -> None:
    shown = cards.card("title", [("there", 1.0), ("not there", None), ("empty", "")])
    assert "not there" not in shown
    assert "empty" not in shown
    assert shown.count("<tr>") == 1
