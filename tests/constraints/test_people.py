"""Answers as people give them: yes or no, levels, several people, preferences that change."""

from typing import Any

import numpy as np
import pytest

import counsel as cs
from counsel.experiments.dmcl.studies import Played, play
from counsel.models.believing import believe
from counsel.models.outcomes import Answers, Prior, numbers
from counsel.policies.dmcl import DMCL
from counsel.worlds.driving import driving

X = np.linspace(0.0, 1.0, 9)[:, None]
ARMS = cs.Arms([{"a": float(x)} for x in X[:, 0]])


def yes_no(margins: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.where(margins > 0, 0.0, -np.inf), np.where(margins > 0, np.inf, 0.0)


def test_yes_and_no_say_where_a_constraint_holds() -> None:
    margin = 0.5 - X[:, 0]
    margin[4] = 0.1
    low, high = yes_no(margin)
    none = np.zeros(len(X))
    answers = Answers(X, none, none + 1.0, none, low, high)
    chance = believe(answers, Prior(variance=1.5, noise=0.1)).at(X).chance()
    assert ((chance > 0.5) == (margin > 0)).all()
    # A single answer is little: people err. Ten alike are nearly certain.
    once = Answers(X[:1], none[:1], none[:1] + 1.0, none[:1], low[:1], high[:1])
    often = Answers(
        np.tile(X[:1], (10, 1)), np.zeros(10), np.ones(10), np.zeros(10),
        np.zeros(10), np.full(10, np.inf),
    )  # fmt: skip
    few, many = (believe(each, Prior(noise=0.1)).at(X[:1]).chance()[0] for each in (once, often))
    assert 0.8 < few < 0.97
    assert many > 0.98


def test_expectation_propagation_agrees_with_sampling() -> None:
    """Against importance sampling from the prior, one setting of the hyper-parameters."""
    margin = np.array([0.4, -0.3, 0.8])
    x, (low, high) = X[[0, 3, 6]], yes_no(margin)
    none = np.zeros(3)
    belief = believe(Answers(x, none, none + 1.0, none, low, high), Prior(), count=1, rounds=1)
    kernel = belief.settings.kernel(belief.answers, belief.answers)[0]
    rng = np.random.default_rng(0)
    draws = rng.standard_normal((400_000, 3)) @ np.linalg.cholesky(kernel).T
    from scipy.special import ndtr

    sd = np.sqrt(belief.noise[0])
    weight = (ndtr(np.where(margin > 0, draws, -draws) / sd)).prod(axis=1)
    mean = (weight[:, None] * draws).sum(axis=0) / weight.sum()
    np.testing.assert_allclose(belief.at(x).means[0], mean, atol=0.03)
    # The evidence without its constant is that of numbers without theirs.
    np.testing.assert_allclose(belief.evidence, np.log(weight.mean()), atol=0.05)


def test_a_study_takes_yes_no_and_levels() -> None:
    limits = [
        cs.Constraint("calm", answer="yes/no"),
        cs.Constraint("ease", at_least=3, answer="scale", levels=5),
    ]
    study = cs.create_study(ARMS, constraints=limits, policy=DMCL(safe={"a": 0.0}), seed=0)
    for _ in range(16):
        proposal = study.ask()
        a = proposal.values["a"]
        said = {"calm": float(a < 0.6), "ease": 4.0 if a < 0.7 else 2.0}
        study.tell(proposal, a)
        while (question := study.next_question(proposal)) is not None:
            study.tell(proposal, constraints={question: said[question]})
    assert study.best is not None
    assert study.best.certified
    assert 0.3 < study.best.values["a"] < 0.6
    certified = study.safe_set().points
    assert all(point.values["a"] < 0.6 for point in certified)
    assert study.replay().identical
    for point in certified:
        if not point.declared:
            assert point.lower["calm"] == point.upper["calm"] == 1.0
            assert 3 <= point.lower["ease"] <= point.upper["ease"] <= 5


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"answer": "maybe"}, "constraint 'c' answer"),
        ({"answer": "yes/no", "at_least": 0.0}, "constraint 'c'"),
        ({"answer": "scale", "at_least": 3}, "constraint 'c' levels"),
        ({"answer": "scale", "at_least": 1, "levels": 5}, "constraint 'c' threshold"),
        ({"answer": "scale", "at_most": 5, "levels": 5}, "constraint 'c' threshold"),
        ({"at_least": 0.0, "levels": 5}, "constraint 'c' levels"),
        ({"at_least": 0.0, "cost": 0.0}, "constraint 'c' cost"),
        ({"at_least": 0.0, "cost": float("inf")}, "constraint 'c' cost"),
    ],
)
def test_constraints_that_make_no_sense_are_refused(settings: dict[str, Any], field: str) -> None:
    with pytest.raises(cs.InvalidInput) as error:
        cs.Constraint("c", **settings)
    assert error.value.field == field


def test_answers_that_are_no_level_are_refused() -> None:
    limits = [
        cs.Constraint("calm", answer="yes/no"),
        cs.Constraint("ease", at_least=3, answer="scale", levels=5),
    ]
    study = cs.create_study(ARMS, constraints=limits, policy="dmcl")
    given: list[dict[str, float | str]] = [
        {"calm": 0.5}, {"calm": "maybe"}, {"ease": 6}, {"ease": 2.5}, {"ease": True},
        {"ease": "yes"},
    ]  # fmt: skip
    for answers in given:
        with pytest.raises(cs.InvalidInput, match="Give"):
            study.tell({"a": 0.0}, constraints=answers)
    with pytest.raises(cs.InvalidInput, match="Give yes or no"):
        study.tell({"a": 0.0}, constraints={"calm": "maybe"})
    assert study.observations == ()


@pytest.mark.parametrize(("said", "kept"), [("yes", 1.0), (" No ", 0.0), (True, 1.0), (0, 0.0)])
def test_yes_and_no_are_answers(said: Any, kept: float) -> None:
    study = cs.create_study(ARMS, constraints=[cs.Constraint("calm", answer="yes/no")])
    study.tell({"a": 0.0}, constraints={"calm": said})
    study.tell({"a": 1.0}, {"objective": 2.0, "calm": said})
    assert study.observations[0].outcomes == {"calm": kept}
    assert study.observations[1].outcomes == {"objective": 2.0, "calm": kept}


def test_bounds_on_answers_are_answers() -> None:
    """What holds is bounded by the level that is required, and no level is beyond the last."""
    least = cs.Constraint("c", at_least=3, answer="scale", levels=5)
    most = cs.Constraint("c", at_most=2, answer="scale", levels=5)
    calm = cs.Constraint("c", answer="yes/no")
    assert [least.answered(m) for m in (-9.0, -0.1, 0.0, 0.9, 9.0)] == [1, 2, 3, 3, 5]
    assert [most.answered(m) for m in (-9.0, -0.1, 0.0, 0.9, 9.0)] == [5, 3, 2, 2, 1]
    assert [calm.answered(m) for m in (-9.0, -0.1, 0.0, 9.0)] == [0, 0, 1, 1]
    assert cs.Constraint("c", at_most=2.0).answered(0.25) == 1.75


def test_margins_and_outcomes_are_inverse() -> None:
    for constraint in (
        cs.Constraint("c", at_least=2.0),
        cs.Constraint("c", at_most=2.0),
        cs.Constraint("c", answer="yes/no"),
        cs.Constraint("c", at_most=2, answer="scale", levels=4),
    ):
        for value in (0.0, 1.0, 3.5):
            assert constraint.outcome(constraint.margin(value)) == pytest.approx(value)


def test_how_an_answer_is_given_survives_a_database(tmp_path: Any) -> None:
    limits = [
        cs.Constraint("calm", answer="yes/no", cost=2.0),
        cs.Constraint("ease", at_least=3, answer="scale", levels=5),
        cs.Constraint("heat", at_most=1.0),
    ]
    url = f"sqlite:///{tmp_path / 'study.db'}"
    cs.create_study(ARMS, name="s", constraints=limits, policy="dmcl", storage=url)
    assert list(cs.load_study("s", url).problem.constraints) == limits


def test_several_people_answer_the_same_question() -> None:
    limits = [cs.Constraint("calm", at_least=0.0)]
    study = cs.create_study(ARMS, constraints=limits, policy="dmcl", seed=0)
    proposal = study.ask()
    study.tell(proposal, 1.0, constraints={"calm": 0.4}, actor="ann")
    study.tell(proposal, constraints={"calm": -0.2}, actor="ben")
    for actor, answers in (("ann", {"calm": 0.1}), ("ben", {"calm": 0.1})):
        with pytest.raises(cs.Conflict):  # nobody answers twice
            study.tell(proposal, constraints=answers, actor=actor)
    with pytest.raises(cs.Conflict):  # a trial is measured once
        study.tell(proposal, 2.0, actor="ben")
    assert len(study.observations) == 2


def test_a_strict_person_is_recognised() -> None:
    """Two people answer about the same points; one answers half a unit lower."""
    truth = np.sin(4.0 * X[:, 0])
    rng = np.random.default_rng(0)
    x = np.concatenate([X, X])
    person = np.repeat([0, 1], len(X))
    y = np.concatenate([truth, truth]) - 0.5 * person + 0.05 * rng.standard_normal(len(x))
    belief = believe(numbers(x, y, person), Prior())
    mean, sd = belief.strictness()[1]
    other, _ = belief.strictness()[0]
    assert mean - other == pytest.approx(0.5, abs=0.15)
    assert 0.0 < sd < 0.5
    assert believe(numbers(x, y), Prior()).strictness() == {}


@pytest.mark.parametrize("direction", [-1.0, 1.0])
def test_preferences_that_tighten_or_relax_are_followed(direction: float) -> None:
    """The margin of an arm moves by one unit in thirty trials; the belief of now moves along."""
    times = np.arange(30.0)
    y = direction * (times - 15.0) / 15.0
    x = np.tile(X[4], (30, 1))
    rng = np.random.default_rng(1)
    steady = believe(numbers(x, y + 0.05 * rng.standard_normal(30)), Prior())
    moving = believe(numbers(x, y + 0.05 * rng.standard_normal(30), time=times), Prior())
    now = float(moving.at(X[4:5], 30.0).mean[0])
    assert now == pytest.approx(direction, abs=0.25)
    assert abs(float(steady.at(X[4:5]).mean[0])) < 0.25


def test_a_drifting_study_asks_about_certified_points_too() -> None:
    limits = [cs.Constraint("calm", at_least=0.0)]
    policy = DMCL(safe={"a": 0.0}, drifting=True)
    study = cs.create_study(ARMS, constraints=limits, policy=policy, seed=0)
    made = []
    for _ in range(14):
        proposal = study.ask()
        made.append(proposal)
        a = proposal.values["a"]
        study.tell(proposal, a, constraints=dict.fromkeys(proposal.asks, 0.6 - a))
    assert all(p.asks for p in made)
    assert study.replay().identical


@pytest.mark.parametrize("change", [0.0, -0.04, 0.04])
def test_answers_that_change_over_time_are_noticed_where_none_are_expected(change: float) -> None:
    """A person who tightens, or relaxes, all the while; and one who stays as they are."""
    limits = [cs.Constraint("calm", at_least=0.0), cs.Constraint("quiet", at_least=0.0)]
    study = cs.create_study(ARMS, constraints=limits, policy="dmcl", seed=0)
    notes = []
    for t in range(30):
        proposal = study.ask()
        notes.append("Answers about calm seem to change over time" in proposal.note)
        a = proposal.values["a"]
        study.tell(proposal, a, constraints={"calm": 0.6 - a + change * t, "quiet": 1.0 - a})
    assert any(notes) == (change != 0.0)
    assert notes == sorted(notes)  # once seen, it is said from then on
    assert ("about calm seem to change" in study.safe_set().note) == (change != 0.0)
    best = study.best
    assert best is not None
    assert best.certified == (change >= 0.0)  # and what is not certified needs no further doubt
    assert ("about calm seem to change" in best.note) == (change > 0.0)
    assert "quiet" not in study.safe_set().note
    assert study.replay().identical


@pytest.mark.slow
def test_yes_no_answers_seldom_certify_what_is_unsafe() -> None:
    wrong = [
        bool(play(Played(DMCL(), answer="yes/no"), driving(1200 + i), 25, i)["wrong"].iloc[-1])
        for i in range(20)
    ]
    assert np.mean(wrong) <= 0.1


@pytest.mark.parametrize("policy", [None, "v-ucb", "ei"])
def test_a_policy_without_questions_learns_from_yes_and_no(policy: str | None) -> None:
    """Yes up to a = 0.5: chances fall from one side to the other, and are never sure of a few."""
    arms = cs.Arms([{"a": i / 19} for i in range(20)])
    study = cs.create_study(
        arms, constraints=[cs.Constraint("calm", answer="yes/no")], policy=policy, seed=0
    )
    for i in (0, 4, 8, 11, 15, 19):
        study.tell(arms[i], i / 19, constraints={"calm": i < 10})
    proposal = study.ask()
    chance = [study.chances(arms[i])["calm"] for i in (0, 6, 13, 19)]
    assert chance[0] > 0.6 > 0.4 > chance[-1]
    assert chance == sorted(chance, reverse=True)
    assert min(chance) > 0.02
    assert max(chance) < 0.98
    assert proposal.chances["calm"] == pytest.approx(study.chances(proposal.values)["calm"])
    assert "calm" in str(study.explain(proposal).table())


@pytest.mark.parametrize(
    "policy", ["acl", "acol", DMCL(certificate="union"), DMCL(paper=True)], ids=str
)
@pytest.mark.parametrize("answer", ["yes/no", "scale"])
def test_a_policy_that_learns_from_numbers_alone_refuses_other_answers(
    policy: Any, answer: str
) -> None:
    levels = {"at_least": 3, "levels": 5} if answer == "scale" else {}
    limit = cs.Constraint("calm", answer=answer, **levels)  # type: ignore[arg-type]
    with pytest.raises(cs.InvalidInput, match=r"numbers alone\. Use dmcl or mcl"):
        cs.create_study(ARMS, constraints=[limit], policy=policy)


def test_the_safe_set_says_who_is_strict() -> None:
    """Bob's margins are 0.3 lower than Ann's and Cy's, about one of two constraints."""
    limits = [cs.Constraint("calm", at_least=0.0), cs.Constraint("heat", at_most=1.0)]
    study = cs.create_study(ARMS, constraints=limits, policy="dmcl", seed=0)
    for i, arm in enumerate([*ARMS, *ARMS]):
        who = ("ann", "bob", "cy")[i % 3]
        calm = 0.6 - arm["a"] - (0.3 if who == "bob" else 0.0)
        study.tell(arm, arm["a"], constraints={"calm": calm, "heat": 0.5 * arm["a"]}, actor=who)
    note = study.safe_set().note
    assert "bob is stricter about calm than the average of all by 0.2 (sd 0." in note
    assert "about heat" not in note
    assert "ann is stricter" not in note
