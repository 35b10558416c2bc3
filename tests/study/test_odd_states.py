"""Studies in odd states: nothing certified, everything failed, one point over and over."""

from pathlib import Path

import pytest

import counsel as cs
from counsel.errors import NothingToExplain
from counsel.exchange import import_trials
from counsel.service.web import words

TEA = cs.Space(t=cs.Float(10, 90), m=cs.Categorical(["low", "mid", "high"], ordered=True))


def tea() -> cs.Study:
    """A bitter tea: nothing is certified, and a cheaper trial was answered with yes, too."""
    study = cs.create_study(
        TEA,
        objective="bitter",
        direction="minimize",
        constraints=[cs.Constraint("ok", answer="yes/no")],
        seed=2,
    )
    for t, m, bitter, ok in [
        (20, "low", 5, "yes"),
        (40, "mid", 3, "yes"),
        (60, "high", 2, "no"),
        (80, "low", 4, "no"),
        (30, "high", 2.5, "yes"),
        (70, "mid", 4.5, "no"),
    ]:
        study.tell({"t": t, "m": m}, bitter, constraints={"ok": ok})
    return study


def test_where_nothing_is_certified_the_best_that_kept_everything_is_mentioned() -> None:
    found = tea().best
    assert found is not None
    assert found.certified is False
    assert "By the model that certifies, this is the one" in found.note
    assert "o5 was better (2.5) and kept every constraint when it was measured" in found.note
    shown = words.best(found, "bitter")
    assert "The likeliest is t 20, m low (bitter 5): all constraints hold with a chance of" in shown
    assert "o5 was better (2.5)" in shown
    assert "No trial is certified" not in shown  # it was said already


def test_a_what_if_beside_a_proposal_before_anything_is_measured() -> None:
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), seed=0)
    for i in range(3):
        study.fail({"x": 0.2 + 0.3 * i})
    proposal = study.ask()
    for other in (proposal, None):
        with pytest.raises(NothingToExplain, match="Nothing has been measured yet"):
            study.what_if({"x": 0.5}, instead_of=other)


@pytest.mark.parametrize("values", [None, 3, "x"])
def test_a_what_if_of_what_is_no_point(values: object) -> None:
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), seed=0)
    study.tell({"x": 0.5}, 1.0)
    with pytest.raises(cs.InvalidInput, match="Give a dict of parameter values"):
        study.what_if(values)  # type: ignore[arg-type]


@pytest.mark.parametrize("direction", ["minimize", "maximize"])
def test_what_differs_by_rounding_is_the_same(direction: str) -> None:
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), objective="y", direction=direction, seed=0)
    for value in (0.0, 1.0, 2.0, 3.0):
        study.tell({"x": 0.3}, value, repeat=True)
    proposal = study.ask()
    mine = dict(proposal.values)
    assert (
        f"the same as that of {proposal.id}" in study.what_if(mine, instead_of=proposal).sentence()
    )
    sentence = study.what_if({"x": 0.31}, instead_of=proposal).sentence()
    assert "e-1" not in sentence, sentence


def test_a_radius_that_is_no_number_is_not_called_a_measurement() -> None:
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), seed=0)
    with pytest.raises(cs.InvalidInput, match=r"radius: got nan\. Give a finite number\.$"):
        study.reject(study.ask(), actor="ann", scope="region", radius=float("nan"))


def test_answers_in_words_are_imported(tmp_path: Path) -> None:
    study = cs.create_study(
        cs.Space(x=cs.Float(0, 1)),
        objective="y",
        constraints=[cs.Constraint("ok", answer="yes/no")],
    )
    file = tmp_path / "past.csv"
    file.write_text("run;x;y;ok\nA1;0,5;2;yes\nA2;0,6;3; No \nA3;0,7;1;1\nA4;0,8;2;\n")
    import_trials(study, file, label="run")
    assert [each.outcomes.get("ok") for each in study.observations] == [1.0, 0.0, 1.0, None]
    file.write_text("run;x;y;ok\nA5;0,5;2;perhaps\n")
    with pytest.raises(cs.InvalidInput, match=r"row 2, column 'ok'.*Give yes or no"):
        import_trials(study, file, label="run")
