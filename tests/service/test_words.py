"""Sentences of the pages."""

import counsel as cs
from counsel.service.web import words


def test_one_is_singular() -> None:
    counted = [words.count(many, "trial") for many in (0, 1, 2)]
    assert counted == ["0 trials", "1 trial", "2 trials"]


def test_why_there_is_no_best_trial() -> None:
    bound = cs.Constraint("comfort", at_least=0.0)
    study = cs.create_study(
        cs.Space(x=cs.Float(0, 1)), objective="speed", constraints=[bound], policy="random"
    )
    assert words.nothing_good(study.problem, 0) == "Nothing has been measured yet."
    measured = words.nothing_good(study.problem, 2)
    assert measured == "No trial is known to meet all constraints yet."
