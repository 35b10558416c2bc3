"""Comparing two trials and correcting one: what people say besides a number."""

from typing import Any

import pytest

import counsel as cs

BOX = cs.Space(x=cs.Float(0, 1), y=cs.Float(0, 1))
DAY = cs.Space(x=cs.Float(0, 1), context={"day": cs.Int(1, 5)})
POINTS = [{"x": 0.25, "y": 0.5}, {"x": 0.75, "y": 0.5}]


@pytest.fixture
def study() -> Any:
    made = cs.create_study(BOX, policy="random", name="trial")
    made.tell(made.ask(), 1.0)
    made.ask()
    return made


def refused(study: Any, call: Any, kind: Any, *parts: str) -> Any:
    before = study.facts
    with pytest.raises(kind) as caught:
        call()
    assert study.facts == before
    for part in parts:
        assert part in str(caught.value)
    return caught.value


# ---- comparisons --------------------------------------------------------------------------------


def test_comparing_proposals(study: Any) -> None:
    comparison = study.compare(winner="p2", loser=study.facts[0], actor="ann")
    assert comparison.id == "c1"
    assert (comparison.winner_proposal, comparison.loser_proposal) == ("p2", "p1")
    assert comparison.winner == study.pending[0].values
    assert comparison.loser == study.facts[0].values
    assert (comparison.tie, comparison.context, comparison.actor) == (False, {}, "ann")
    assert study.comparisons == (comparison,)
    assert study.facts[-1] is comparison


def test_comparing_points_and_ties(study: Any) -> None:
    comparison = study.compare(winner=POINTS[0], loser=POINTS[1], tie=True)
    assert comparison.tie
    assert (comparison.winner, comparison.loser) == (POINTS[0], POINTS[1])
    assert (comparison.winner_proposal, comparison.loser_proposal) == (None, None)
    assert study.compare(winner="p2", loser=POINTS[1]).id == "c2"


def test_an_overridden_proposal_is_compared_where_it_was_tried(study: Any) -> None:
    study.override("p2", POINTS[0])
    assert study.compare(winner="p1", loser="p2").loser == POINTS[0]


def test_a_comparison_can_be_withdrawn(study: Any) -> None:
    comparison = study.compare(winner=POINTS[0], loser=POINTS[1])
    study.withdraw(comparison, actor="ann")
    assert study.comparisons == ()
    assert comparison in study.facts
    refused(study, lambda: study.withdraw(comparison), cs.NotFound, "'c1'")


def test_comparing_in_a_context() -> None:
    study = cs.create_study(DAY, policy="random")
    monday, also = study.ask(2, context={"day": 1})
    tuesday = study.ask(context={"day": 2})
    assert study.compare(winner=monday, loser=also).context == {"day": 1}
    assert study.compare(winner=monday, loser={"x": 0.5}).context == {"day": 1}
    assert study.compare(winner={"x": 0}, loser={"x": 1}, context={"day": 3}).context == {"day": 3}
    for bad in (
        lambda: study.compare(winner=monday, loser=tuesday),
        lambda: study.compare(winner=monday, loser=also, context={"day": 2}),
        lambda: study.compare(winner={"x": 0.0}, loser={"x": 1.0}),
    ):
        refused(study, bad, cs.InvalidInput, "context")


def test_comparisons_that_make_no_sense(study: Any) -> None:
    a, b = POINTS
    calls: list[tuple[Any, Any, str]] = [
        (lambda: study.compare(winner=a, loser=a), cs.InvalidInput, "two different points"),
        (lambda: study.compare(winner="p1", loser="p1"), cs.InvalidInput, "two different points"),
        (lambda: study.compare(winner=a, loser={"x": 2, "y": 0}), cs.InvalidInput, "x: got 2"),
        (lambda: study.compare(winner=a, loser="p9"), cs.NotFound, "'p9'"),
        (lambda: study.compare(winner=3, loser=a), cs.InvalidInput, "winner: got 3"),
        (lambda: study.compare(winner=a, loser=None), cs.InvalidInput, "loser: got None"),
        (lambda: study.compare(winner=a, loser=b, tie=1), cs.InvalidInput, "tie: got 1"),
        (lambda: study.compare(winner=a, loser=b, actor=1), cs.InvalidInput, "actor: got 1"),
    ]
    for call, kind, part in calls:
        refused(study, call, kind, part)


# ---- revisions ----------------------------------------------------------------------------------


def test_a_revision_corrects_and_the_history_keeps_both(study: Any) -> None:
    told = study.observations[0]
    revision = study.revise(told, 2.0, actor="ann", reason="read the wrong line")
    assert (revision.id, revision.fact, revision.outcomes) == ("r1", "o1", {"objective": 2.0})
    assert (revision.actor, revision.reason) == ("ann", "read the wrong line")
    assert study.observations[0].outcomes == {"objective": 2.0}
    assert study.observations[0].id == "o1"
    assert study.best.value == 2.0
    assert study.dataframe()["objective"].tolist()[0] == 2.0
    assert told in study.facts
    assert revision in study.facts
    assert study.replay().identical


def test_revising_a_revised_observation_by_either_form(study: Any) -> None:
    told = study.observations[0]
    study.revise(told, 2.0)
    study.revise(told, 3.0)  # as it was first told
    study.revise(study.observations[0], 4.0)  # as it stands
    study.revise("o1", 5.0)
    assert study.observations[0].outcomes == {"objective": 5.0}
    study.withdraw("r4")
    assert study.observations[0].outcomes == {"objective": 4.0}
    study.withdraw(told)
    assert study.observations == ()
    refused(study, lambda: study.revise("o1", 6.0), cs.NotFound, "'o1'")
    refused(study, lambda: study.withdraw("r1"), cs.NotFound, "'r1'")


@pytest.mark.parametrize("policy", ["v-ucb", "ts"])
def test_beliefs_follow_a_revision(policy: str) -> None:
    arms = cs.Arms([{"a": i / 4, "b": j / 4} for i in range(5) for j in range(5)])
    right, mistaken = (cs.create_study(arms, policy=policy, seed=9) for _ in range(2))
    told = [(0.0, 0.5, 1.0), (0.5, 0.5, 2.0), (1.0, 0.25, 0.5), (0.25, 1.0, 0.0)]
    for study in (right, mistaken):
        for a, b, value in told:
            wrong = study is mistaken and a == 0.5
            study.tell({"a": a, "b": b}, 50.0 if wrong else value)
    mistaken.revise("o2", 2.0)
    a, b = right.ask(), mistaken.ask()
    assert (a.values, a.prediction, a.theta) == (b.values, b.prediction, b.theta)
    point = {"a": 1.0, "b": 1.0}
    assert right.predict(point) == mistaken.predict(point)
    assert mistaken.replay().identical


def test_revisions_that_make_no_sense(study: Any) -> None:
    other = cs.create_study(BOX, policy="random", seed=5)
    foreign = other.tell(other.ask(), 7.0)
    calls: list[tuple[Any, Any, str]] = [
        (lambda: study.revise("o9", 1.0), cs.NotFound, "'o9'"),
        (lambda: study.revise("p1", 1.0), cs.NotFound, "'p1'"),
        (lambda: study.revise(foreign, 1.0), cs.NotFound, "another study"),
        (lambda: study.revise(3, 1.0), cs.InvalidInput, "observation: got 3"),
        (lambda: study.revise("o1"), cs.InvalidInput, "objective: got None"),
        (lambda: study.revise("o1", float("nan")), cs.InvalidInput, "objective: got nan"),
        (lambda: study.revise("o1", constraints={"c": 1.0}), cs.InvalidInput, "constraints: got"),
        (lambda: study.revise("o1", 1.0, reason=3), cs.InvalidInput, "reason: got 3"),
    ]
    for call, kind, part in calls:
        refused(study, call, kind, part)
