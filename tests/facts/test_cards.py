"""What people see of studies and records, in notebooks and in terminals."""

import re

import numpy as np
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
    assert f"{cards.beside(proposal.prediction.mean, proposal.prediction.sd)} ±" in shown
    assert study.best is not None
    assert f"{study.best.value:.4g}" in text(study.best._repr_html_())
    why = study.explain(proposal)
    table = text(why._repr_html_())
    for name in (*why.terms, *why.parameters, "sum"):
        assert name in table
    what_if = study.what_if({"x": 0.5, "y": 0.5})
    assert f"{what_if.prediction.mean:.4g}" in text(what_if._repr_html_())


def test_numbers_have_the_digits_that_tell_them_apart() -> None:
    assert cards.beside(0.31628, 0.1) == "0.3163"
    assert cards.beside(1234567.0625, 0.099) == "1234567.062"
    assert cards.beside(1234567.0625, 0.0, 1e-9) == "1.235e+06"  # rounding alone
    assert cards.values({"a": 12345.6, "b": 9999.7, "c": 9999.4, "d": -1e20}) == (
        "a 12346, b 10000, c 9999, d -1e+20"
    )


def test_cards_of_a_cost_in_a_context() -> None:
    """A level of a million does not hide what trials differ by, and no cost is negative."""
    space = cs.Space(x=cs.Float(0, 1), context={"rain": cs.Categorical(["no", "yes"])})
    study = cs.create_study(space, direction="minimize", policy="v-ucb", seed=0)
    for x in (0.0, 0.3, 0.6, 0.9):
        study.tell({"x": x}, 1234567.0 + (x - 0.4) ** 2, context={"rain": "no"})
    proposal = study.ask(context={"rain": "no"})
    shown = str(proposal)
    assert "  predicted  1234566.98" in shown
    assert "  maximised  " in shown
    assert "because of" not in shown
    assert str(study.best).splitlines()[1:4] == [
        "  value        1234567",
        "  at           x 0.3",
        "  in           rain no",
    ]
    what_if = str(study.what_if({"x": 0.5}, context={"rain": "no"}))
    assert "  predicted    1234566.99" in what_if
    assert "  best so far  1234567.01" in what_if


def test_what_underflows_is_nothing() -> None:
    assert cards.values({"feasibility:calm": -3.9e-289, "improvement": -0.5}) == (
        "feasibility:calm 0, improvement -0.5"
    )


def test_nothing_is_shown_of_what_is_empty() -> None:
    card = cards.Card("title", [("there", 1.0), ("not there", None), ("empty", "")])
    for shown in (card.html(), card.text()):
        assert "not there" not in shown
        assert "empty" not in shown
    assert card.html().count("<tr>") == 1
    assert card.text() == "title\n  there  1"


def test_text_stands_in_columns() -> None:
    table = cards.Table(
        ["", "heat", "sum"], [["expected yield", 12.3456789, 0.5], ["sd", 1.0, 2e-5]]
    )
    card = cards.Card("Why", [("at", "heat 3"), ("method", "exact")], [table, cards.Card("Inside")])
    assert card.text().splitlines() == [
        "Why",
        "  at      heat 3",
        "  method  exact",
        "                   heat    sum",
        "  expected yield  12.35    0.5",
        "  sd                  1  2e-05",
        "  Inside",
    ]


def test_what_is_printed_is_short(study: cs.Study) -> None:
    """A record's fields are in its `repr`; `print` says what a person wants to know."""
    proposal = study.ask()
    why = study.explain(proposal)
    assert str(proposal).startswith(f"Proposal {proposal.id} by v-ucb\n  try")
    assert str(study.best).startswith("Best trial so far\n  value")
    assert str(why).splitlines()[0] == why.sentence()
    assert all(name in str(why) for name in (*why.terms, *why.parameters))
    assert str(study.what_if({"x": 0.5, "y": 0.5})).startswith("What if\n  predicted")
    assert str(study.outlook()) == study.outlook().sentence()
    advice = study.advise(proposal, {"x": 0.9, "y": 0.5}, actor="ann")
    assert str(advice).startswith(f"{advice.recommendation.capitalize()}. {advice.why}\n  rests on")
    assert str(study.observations[0]) == repr(study.observations[0])
    assert study.observations[0]._repr_html_() is None


def test_a_safe_set_is_not_a_wall_of_numbers() -> None:
    arms = cs.Arms(np.linspace(0.0, 1.0, 30)[:, None], names=["x"])
    calm = cs.Constraint("calm", at_least=0.0)
    study = cs.create_study(arms, constraints=[calm], policy="dmcl", seed=0)
    for x in (0.1, 0.3, 0.9):
        values = arms[int(x * 29)]
        study.tell(values, values["x"], constraints={"calm": 0.6 - values["x"]})
    safe = study.safe_set()
    shown = str(safe).splitlines()
    assert shown[0] == f"Safe set: {safe.certified} of 30 points certified at {safe.certainty:.0%}"
    assert len(shown) <= 14
    assert "best first" in text(safe._repr_html_() or "")
    for line, point in zip(shown[-min(10, len(safe.points)) :], safe.points, strict=False):
        assert line.strip().startswith(f"x {point.values['x']:.4g}")
