"""The table of terms: every term that an acquisition returns has words, and only one entry."""

import numpy as np
import pytest

import counsel as cs
from counsel.errors import InvalidInput
from counsel.facts.terms import Term, looks, named, place, register, term, terms


def test_every_term_has_its_own_label_and_colour() -> None:
    for field in ("tag", "label", "colour"):
        found = [getattr(each, field) for each in terms()]
        assert len(set(found)) == len(found), field


def test_a_term_without_an_entry_speaks_for_itself() -> None:
    assert term("luck").favours == "raise{s} the term 'luck'"
    assert place("luck") > max(place(each.tag) for each in terms())


def test_a_tag_is_taken_once() -> None:
    with pytest.raises(InvalidInput, match="choose another tag"):
        register(Term("model", "x", "x", "#000000", "", "x", "x"))


@pytest.mark.parametrize("policy", ["v-ucb", "ei", "ts", "lw-ucb", "uncertainty-aware"])
def test_what_policies_record_is_in_the_table(policy: str) -> None:
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), policy=policy, seed=1)
    for value in np.linspace(0.0, 1.0, 5):
        study.tell({"x": float(value)}, float(np.sin(6 * value)))
    assert set(study.ask().terms) <= {each.tag for each in terms()}


@pytest.mark.parametrize("policy", ["dmcl", "augmented-ei"])
def test_with_constraints_too(policy: str) -> None:
    arms = cs.Arms([[i / 6.0] for i in range(7)])
    study = cs.create_study(
        arms, constraints=[cs.Constraint("calm", at_least=0.0)], policy=policy, seed=1
    )
    for i in range(4):
        study.tell(arms[i], float(i), constraints={"calm": 0.4 - 0.2 * i})
    found = set(study.ask().terms)
    assert found
    assert {tag.partition(":")[0] for tag in found} <= {each.tag for each in terms()}


def test_a_term_about_a_constraint_has_its_name() -> None:
    assert named("feasibility:2", ["calm", "quiet"]) == "feasibility:quiet"
    assert named("exploitation", ["calm", "quiet"]) == "exploitation"
    assert term("feasibility:quiet").label == "quiet is as required"
    assert place("feasibility:quiet")[0] == place("feasibility")[0]


def test_no_two_constraints_of_a_figure_look_alike() -> None:
    names = [f"preference {i}" for i in range(14)]
    found = looks(["improvement", *(f"feasibility:{name}" for name in names)])
    assert len({(each.colour, each.pattern) for each in found}) == 15
    assert len({each.colour for each in found[:9]}) == 9
    both = looks(["feasibility:calm", "ambiguity:calm", "feasibility:quiet"])
    assert both[0].colour == both[1].colour != both[2].colour
    assert sorted(["feasibility:10", "feasibility:2", "improvement"], key=place) == [
        "improvement",
        "feasibility:2",
        "feasibility:10",
    ]


def test_that_a_trial_works_is_not_a_constraint() -> None:
    assert term("feasibility:success").meaning == "chance that the trial works"
    assert term("feasibility:success").favours == "raise{s} the chance that the trial works"
