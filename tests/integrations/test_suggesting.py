"""Other people's domains and loops, in our words and back."""

import math
from typing import Any

import pytest

import counsel as cs
from counsel.integrations.suggesting import (
    Domain,
    Loop,
    Names,
    by_position,
    choice,
    interval,
    measured,
)


@pytest.mark.parametrize(
    ("domain", "values"),
    [
        (interval(0.0, 1.0), [0.0, 0.25]),
        (interval(1, 9, whole=True), [1, 9]),
        (interval(0.0, 0.3, step=0.1), [0.0, 0.1, 0.2, 0.3]),
        (interval(0, 10, whole=True, step=5), [0, 5, 10]),
        (interval(1e-4, 1.0, log=True), [1e-4, 1.0]),
        (choice(["a", "b"]), ["a", "b"]),
        (choice([None, (1, 2), "None"]), [None, (1, 2), "None"]),
        (choice([True, 1, 1.0]), [True, 1, 1.0]),
    ],
    ids=str,
)
def test_values_go_there_and_back(domain: Any, values: list[Any]) -> None:
    for value in values:
        ours = domain.parameter.validate("value", domain.here(value))
        back = domain.there(ours)
        assert back == value
        assert type(back) is type(value)


def test_a_step_is_a_step_of_ours_and_the_range_ends_on_one() -> None:
    assert interval(0.0, 1.0, step=0.3).parameter == cs.Float(0.0, 0.9, step=0.3)
    assert interval(2, 11, whole=True, step=4).parameter == cs.Int(2, 10, step=4)


def test_positions_on_a_grid_as_earlier_versions_had_them() -> None:
    floats, ints = interval(0.0, 0.3, step=0.1), interval(2, 11, whole=True, step=4)
    assert by_position(floats) == Domain(cs.Int(0, 3), (0.0, 0.1, 0.2, 0.3))
    assert by_position(ints) == Domain(cs.Int(0, 2), (2, 6, 10))
    assert by_position(ints).there(by_position(ints).here(6)) == 6
    for plain in (interval(0.0, 1.0), interval(1, 9, whole=True), choice(["a", "b"])):
        assert by_position(plain) is plain


def test_names_that_are_taken_are_changed_both_ways() -> None:
    names = Names(["x", "status", "objective"], taken=["objective"])
    assert names.here == {"x": "x", "status": "status_", "objective": "objective_"}
    assert {names.there[ours]: ours for ours in names.here.values()} == names.here


@pytest.mark.parametrize("value", [None, math.nan, math.inf, "1", object()])
def test_what_is_not_measured(value: object) -> None:
    assert not measured(value)


def new_loop() -> Loop:
    study = cs.create_study(
        cs.Space(x=cs.Float(0, 1)), policy="random", constraints=[cs.Constraint("c", at_most=0.0)]
    )
    return Loop(study, "robot")


def test_a_result_is_told_of_its_proposal() -> None:
    loop = new_loop()
    proposal = loop.suggest("t1")
    loop.ingest("t1", None, {"objective": 1.5, "c": -1.0})
    (told,) = loop.study.observations
    assert (told.proposal, told.outcomes) == (proposal.id, {"objective": 1.5, "c": -1.0})
    assert loop.running == {}


def test_a_result_without_a_number_is_a_failure() -> None:
    loop = new_loop()
    loop.suggest("t1")
    loop.ingest("t1", None, {"objective": math.nan, "c": None})
    assert [each.actor for each in loop.study.failures] == ["robot"]


def test_a_trial_made_elsewhere_is_told_where_it_was() -> None:
    loop = new_loop()
    loop.suggest("t1")
    loop.ingest("t1", {"x": 0.125}, {"objective": 1.0})
    assert loop.study.observations[0].values == {"x": 0.125}
    assert loop.study.pending == ()


def test_a_trial_under_way_elsewhere_is_kept_clear_of() -> None:
    loop = new_loop()
    loop.occupy("other", {"x": 0.5})
    assert len(loop.study.pending) == 1
    loop.ingest("other", None, {"objective": 2.0})
    assert loop.study.observations[0].values == {"x": 0.5}


def test_a_person_who_was_first_counts() -> None:
    loop = new_loop()
    proposal = loop.suggest("t1")
    loop.study.reject(proposal, actor="ann", reason="unsafe")
    loop.ingest("t1", None, {"objective": 2.0})
    assert loop.study.observations == ()
