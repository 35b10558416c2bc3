"""Sentences of the pages."""

from dataclasses import replace

import pytest

import counsel as cs
from counsel.facts.summaries import NOTHING_CERTIFIED, Best
from counsel.service.web import words


def test_what_names_itself_has_no_title() -> None:
    values = {"name": "cup 4", "tile": "tile 40", "brew": 93.0}
    assert words.point(values) == "cup 4, tile 40, brew 93"


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


def test_a_trial_that_breaks_a_constraint_is_not_called_the_best() -> None:
    bound = cs.Constraint("heat", at_most=5.0)
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), constraints=[bound], policy="random")
    study.tell({"x": 0.5}, 9.0, constraints={"heat": 8.0})
    assert study.best is not None
    said = words.best(study.best, "speed")
    assert said.startswith("No trial is known to meet all constraints yet. At x 0.5 (speed 9)")
    study.tell({"x": 0.1}, 2.0, constraints={"heat": 1.0})
    assert words.best(study.best, "speed").startswith("Best speed so far: 2 at x 0.1.")


def test_the_likeliest_is_not_called_the_best_where_a_better_one_kept_everything() -> None:
    note = "o2 was better (35) and kept every constraint when it was measured, but is not certified"
    found = Best({"x": 1.0}, 20.0, None, None, False, 0.91, f"{NOTHING_CERTIFIED} {note}.")
    said = words.best(found, "speed")
    assert said == (
        "Nothing is certified safe yet. The likeliest is x 1 (speed 20): all constraints hold with "
        f"a chance of 91%. {note}."
    )
    safe = words.best(replace(found, certified=True, note=f"{note}."), "speed")
    assert safe == (
        "Best speed that is known to be safe: 20 at x 1. Certified safe: all constraints hold with "
        f"a chance of 91%. {note}."
    )
    alone = replace(found, note=NOTHING_CERTIFIED)
    assert words.best(alone, "speed").startswith("Best speed so far: 20 at x 1. Not certified:")


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


@pytest.mark.parametrize(
    ("policy", "begin"), [("mcl", "It may be better"), ("ei", "Of everything")]
)
def test_what_looks_beyond_what_is_certified_is_called_so(policy: str, begin: str) -> None:
    drawn = cs.create_study(cs.Space(x=cs.Float(0, 1)), policy="random").ask()
    found = replace(drawn, policy=policy, terms={"improvement": 1.0}, chances={"comfort": 0.7})
    assert words.purpose(found).startswith(begin)
