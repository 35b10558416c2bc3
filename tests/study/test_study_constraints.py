"""A study with constraints: what may be told of them, what becomes of it, what is refused."""

import numpy as np
import pytest

import counsel as cs
from counsel.facts.state import StudyState

ARMS = cs.Arms([{"a": float(i)} for i in range(5)])
COMFORT = cs.Constraint("comfort", at_least=0.5)
JERK = cs.Constraint("jerk", at_most=2.0)


@pytest.fixture
def study() -> cs.Study:
    return cs.create_study(ARMS, constraints=[COMFORT, JERK], policy="random", seed=1)


def history(study: cs.Study, **options: object) -> object:
    return StudyState(study.problem, study.facts).history(
        t=1,
        seed=0,
        context=np.zeros(0),
        **options,  # type: ignore[arg-type]
    )


def test_margin_is_zero_at_the_threshold_and_positive_where_it_holds() -> None:
    assert COMFORT.margin(0.5) == JERK.margin(2.0) == 0.0
    assert COMFORT.margin(0.75) == 0.25
    assert JERK.margin(0.5) == 1.5


def test_an_observation_holds_what_was_measured_and_no_more(study: cs.Study) -> None:
    first = study.tell(study.ask(), 1.0, constraints={"comfort": 0.7})
    second = study.tell({"a": 2.0}, constraints={"jerk": 3.0})
    assert first.outcomes == {"objective": 1.0, "comfort": 0.7}
    assert second.outcomes == {"jerk": 3.0}
    seen = history(study)
    np.testing.assert_allclose(seen.outcomes, [[1.0, 0.2, 0.0], [0.0, 0.0, -1.0]])
    np.testing.assert_array_equal(seen.measured, [[True, True, False], [False, False, True]])
    assert seen.points.shape == (2, 1)
    assert seen.x.shape == (1, 1)
    assert seen.y.tolist() == [1.0]


def test_history_without_constraints_has_one_outcome() -> None:
    study = cs.create_study(ARMS, direction="minimize", policy="random")
    assert history(study).outcomes.shape == (0, 1)
    study.tell({"a": 1.0}, 3.0)
    assert history(study).outcomes.tolist() == [[-3.0]]
    assert history(study).measured.tolist() == [[True]]


def test_a_proposal_may_be_told_in_parts_but_no_part_twice(study: cs.Study) -> None:
    proposal = study.ask()
    study.tell(proposal, 1.0)
    part = study.tell(proposal, constraints={"comfort": 0.9})
    with pytest.raises(cs.Conflict) as caught:
        study.tell(proposal, constraints={"comfort": 0.1})
    assert caught.value.fact == part
    study.tell(proposal, constraints={"jerk": 1.0})
    assert len(study.observations) == 3
    row = study.dataframe().iloc[0]
    assert (row.objective, row.comfort, row.jerk) == (1.0, 0.9, 1.0)
    study.withdraw(part)
    study.tell(proposal, constraints={"comfort": 0.2})
    assert study.dataframe().comfort.tolist() == [0.2]
    study.withdraw("o1")
    assert study.pending == ()
    with pytest.raises(cs.Conflict):
        study.reject(proposal)
    for name in ("o3", "o4"):
        study.withdraw(name)
    assert study.pending == (proposal,)


def test_hidden_answers_leave_the_objective(study: cs.Study) -> None:
    proposal = study.ask()
    study.tell(proposal, 1.0, constraints={"comfort": 0.7})
    study.tell({"a": 0.0}, 2.0, constraints={"comfort": 0.7})
    seen = history(study, unanswered=proposal.id)
    np.testing.assert_array_equal(seen.measured, [[True, False, False], [True, True, False]])
    assert seen.outcomes[0].tolist() == [1.0, 0.0, 0.0]


def test_the_table_has_a_column_for_every_constraint(study: cs.Study) -> None:
    assert list(study.dataframe().columns)[3:7] == ["a", "objective", "comfort", "jerk"]


def test_best_is_the_best_where_all_constraints_held(study: cs.Study) -> None:
    assert study.best is None
    study.tell({"a": 0.0}, 9.0)  # nobody was asked
    study.tell({"a": 1.0}, 8.0, constraints={"comfort": 0.9})  # jerk is not known
    study.tell({"a": 2.0}, 7.0, constraints={"comfort": 0.9, "jerk": 3.0})
    likeliest = study.best
    assert likeliest is not None
    assert not likeliest.certified  # and how likely it is
    assert likeliest.chance is not None
    assert likeliest.chance < 0.5
    study.tell({"a": 3.0}, 5.0, constraints={"comfort": 0.9, "jerk": 1.0})
    study.tell({"a": 4.0}, 4.0, constraints={"comfort": 0.5, "jerk": 2.0})
    best = study.best
    assert best is not None
    assert best.values == {"a": 3.0}
    assert best.chance is not None
    assert best.chance > 0.5
    study.tell({"a": 3.0}, constraints={"comfort": 0.0})  # on average it does not hold
    doubted = study.best
    assert doubted is not None
    assert doubted.chance is not None
    assert doubted.chance < best.chance


def test_without_beliefs_the_next_question_is_the_first_of_asks_not_answered(
    study: cs.Study,
) -> None:
    assert study.next_question(study.ask()) is None
    refused = study.ask()
    study.reject(refused)
    with pytest.raises(cs.Conflict):
        study.next_question(refused)
    with pytest.raises(cs.NotFound):
        study.next_question("p9")


@pytest.mark.parametrize(
    ("constraints", "field"),
    [
        ("comfort", "constraints"),
        ({"comfort": 1.0}, "constraints"),
        (7, "constraints"),
        (["comfort"], "constraints"),
        ([COMFORT, COMFORT], "name"),
        ([cs.Constraint("a", at_least=0.0)], "name"),
        ([cs.Constraint("objective", at_least=0.0)], "name"),
        ([cs.Constraint("sd", at_least=0.0)], "name"),
    ],
)
def test_constraints_that_are_refused(constraints: object, field: str) -> None:
    with pytest.raises(cs.InvalidInput) as caught:
        cs.create_study(ARMS, constraints=constraints, policy="random")  # type: ignore[arg-type]
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("value", "answers", "field"),
    [
        (None, None, "objective"),
        (None, {}, "objective"),
        (1.0, {"comfrot": 1.0}, "constraints"),
        (1.0, {"comfort": float("nan")}, "comfort"),
        (1.0, {"comfort": "high"}, "comfort"),
        (1.0, {"comfort": None}, "comfort"),
        (float("inf"), {"comfort": 1.0}, "objective"),
        (1.0, [0.3], "constraints"),
    ],
)
def test_answers_that_are_refused(
    study: cs.Study, value: object, answers: object, field: str
) -> None:
    proposal = study.ask()
    before = study.facts
    with pytest.raises(cs.InvalidInput) as caught:
        study.tell(proposal, value, constraints=answers)  # type: ignore[arg-type]
    assert caught.value.field == field
    assert study.facts == before


def test_answers_to_a_study_without_constraints_are_refused() -> None:
    plain = cs.create_study(ARMS, policy="random")
    with pytest.raises(cs.InvalidInput, match="none"):
        plain.tell({"a": 1.0}, 1.0, constraints={"comfort": 1.0})
