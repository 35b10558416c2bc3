"""Sentences of the pages."""

import pytest

import counsel as cs
from counsel.service.web import words


def test_one_is_singular() -> None:
    counted = [words.count(many, "trial") for many in (0, 1, 2)]
    assert counted == ["0 trials", "1 trial", "2 trials"]


def test_a_second_decision_is_refused_with_what_a_page_can_do() -> None:
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), policy="random")
    study.accept(proposal := study.ask(), actor="ann")
    with pytest.raises(cs.Conflict, match="decide with `replace`") as refused:
        study.reject(proposal, actor="bob")
    said = words.on_page(refused.value)
    assert said.endswith("accept by ann. Withdraw that (d1) to decide anew.")


def test_why_there_is_no_best_trial() -> None:
    bound = cs.Constraint("comfort", at_least=0.0)
    study = cs.create_study(
        cs.Space(x=cs.Float(0, 1)), objective="speed", constraints=[bound], policy="random"
    )
    assert words.nothing_good(study.problem, 0) == "Nothing has been measured yet."
    measured = words.nothing_good(study.problem, 2)
    assert measured == "No trial is known to meet all constraints yet."


def test_a_trial_that_breaks_a_constraint_is_not_called_the_best() -> None:
    bound = cs.Constraint("heat", at_most=5.0)
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), constraints=[bound], policy="random")
    study.tell({"x": 0.5}, 9.0, constraints={"heat": 8.0})
    assert study.best is not None
    said = words.best(study.best, "speed")
    assert said.startswith("No trial is known to meet all constraints yet. At x 0.5 (speed 9)")
    study.tell({"x": 0.1}, 2.0, constraints={"heat": 1.0})
    assert words.best(study.best, "speed").startswith("Best speed so far: 2 at x 0.1.")


def test_the_chance_of_all_is_bounded_by_the_chances_of_each() -> None:
    assert words.together([0.9, 0.8]) == "All hold: 70% to 80%"
    assert words.together([0.4, 0.5, 0.6]) == "All hold: 0% to 40%"
    assert words.together([1.0, 1.0]) == "All hold: 100%"


def test_a_point_that_was_tried_before_is_said_so() -> None:
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), objective="speed", policy="random")
    study.tell({"x": 0.5}, 1.0)
    assert words.tried_before(study.observations, {"x": 0.25}) == ""
    assert words.tried_before(study.observations, {"x": 0.5}) == "Tried before, once: speed 1."
    study.tell({"x": 0.5}, 2.0)
    assert "2 times, last: speed 2." in words.tried_before(study.observations, {"x": 0.5})


def test_what_is_drawn_at_random_is_called_so() -> None:
    space = cs.Space(x=cs.Float(0, 1))
    drawn = cs.create_study(space, policy="random").ask()
    assert words.purpose(drawn) == "Chosen at random."
    assert words.purpose(cs.create_study(space).ask()).startswith("One of the first trials")
