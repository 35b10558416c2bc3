"""Objectives, constraints and problems are particular about what they take in."""

import math
from typing import Any

import numpy as np
import pytest

import counsel as cs
from counsel.facts import problem
from facts.refusals import assert_refused

# The same names, for calls that a type checker would refuse before Counsel does.
loose: Any = problem
SPACE = cs.Space(x=cs.Float(0, 1))


def test_sign_of_an_objective() -> None:
    assert cs.Objective().sign == 1.0
    assert cs.Objective(direction="minimize").sign == -1.0


def test_a_threshold_of_zero_counts_as_given() -> None:
    assert cs.Constraint("comfort", at_least=0.0).at_least == 0.0
    assert cs.Constraint("comfort", at_most=0).at_most == 0


def test_constraint_without_a_threshold() -> None:
    assert_refused(
        lambda: cs.Constraint("comfort"),
        "constraint 'comfort'",
        "{'at_least': None, 'at_most': None}",
        "Give at_least, at_most, or both",
    )


def test_constraint_with_both_thresholds() -> None:
    assert cs.Constraint("comfort", at_least=0.0, at_most=1.0).margin(0.9) == pytest.approx(0.1)
    assert_refused(
        lambda: cs.Constraint("comfort", at_least=1.0, at_most=1.0),
        "constraint 'comfort'",
        "{'at_least': 1.0, 'at_most': 1.0}",
        "Give an at_least below at_most",
    )


@pytest.mark.parametrize("side", ["at_least", "at_most"])
@pytest.mark.parametrize("threshold", [math.nan, math.inf, -math.inf])
def test_constraint_with_a_threshold_that_is_not_finite(side: str, threshold: float) -> None:
    assert_refused(
        lambda: cs.Constraint("jerk", **{side: threshold}),
        "constraint 'jerk' threshold",
        str(threshold),
        "Give a finite number",
    )


@pytest.mark.parametrize("threshold", ["2", True, [1.0], np.array([1.0, 2.0])])
def test_constraint_with_a_threshold_that_is_no_number(threshold: object) -> None:
    assert_refused(
        lambda: loose.Constraint("jerk", at_most=threshold),
        "constraint 'jerk' threshold",
        repr(threshold),
        "Give one number",
    )


@pytest.mark.parametrize("direction", ["max", "Maximize", "", None, True, 1])
def test_objective_with_a_bad_direction(direction: object) -> None:
    assert_refused(
        lambda: loose.Objective("yield", direction),
        "direction",
        repr(direction),
        "Use 'maximize' or 'minimize'",
    )


@pytest.mark.parametrize("name", ["", "  ", "\n", None, 3, b"yield"])
def test_empty_names(name: object) -> None:
    remedy = "Give a string that is not empty"
    assert_refused(lambda: loose.Objective(name), "objective name", repr(name), remedy)
    assert_refused(lambda: loose.Constraint(name, 0.0), "constraint name", repr(name), remedy)


def test_two_things_of_one_name() -> None:
    twice = (cs.Constraint("comfort", at_least=0.0), cs.Constraint("comfort", at_most=1.0))
    remedy = "a name of its own"
    assert_refused(lambda: cs.Problem(SPACE, constraints=twice), "name", "'comfort'", remedy)
    like_the_objective = (cs.Constraint("yield", at_least=0.0),)
    assert_refused(
        lambda: cs.Problem(SPACE, cs.Objective("yield"), like_the_objective),
        "name",
        "'yield'",
        remedy,
    )
    assert_refused(lambda: cs.Problem(SPACE, cs.Objective("x")), "name", "'x'", remedy)
    day = cs.Space(x=cs.Float(0, 1), context={"day": cs.Int(1, 5)})
    assert_refused(lambda: cs.Problem(day, cs.Objective("day")), "name", "'day'", remedy)


@pytest.mark.parametrize("space", [None, "box", {"x": (0, 1)}, cs.Float(0, 1), cs.Space])
def test_problem_without_a_space(space: object) -> None:
    with pytest.raises(cs.InvalidInput, match=r"^space: got .*counsel\.Space\(.*counsel\.Arms"):
        loose.Problem(space)
