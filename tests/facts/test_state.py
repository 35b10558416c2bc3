"""StudyState: the fold over facts, and the arrays that policies see."""

import dataclasses
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

import counsel as cs
from counsel.facts.history import History
from counsel.facts.records import Claim, Fact
from counsel.facts.state import StudyState

NOW = datetime(2026, 1, 2, tzinfo=UTC)
SPACE = cs.Space(x=cs.Float(0, 10), c=cs.Categorical(["u", "v"]), context={"day": cs.Int(1, 5)})
PROBLEM = cs.Problem(SPACE)


def compared(history: History) -> list[dataclasses.Field[object]]:
    """The fields that say what a history is; what was computed from it is none of them."""
    return [field for field in dataclasses.fields(history) if field.compare]


def propose(number: int, x: float, *, day: int = 1, theta: tuple[float, ...] = ()) -> cs.Proposal:
    values, context = {"x": x, "c": "u"}, {"day": day}
    return cs.Proposal(
        id=f"p{number}",
        round=number,
        values=values,
        context=context,
        asks=(),
        prediction=None,
        terms={},
        policy="test",
        theta=theta,
        seen=0,
        note="",
        time=NOW,
    )


def decide(number: int, proposal: str, kind: Any, x: float | None = None) -> cs.Decision:
    values = None if x is None else {"x": x, "c": "v"}
    return cs.Decision(f"d{number}", proposal, kind, values, "ann", "", NOW)


def observe(
    number: int,
    proposal: str | None,
    x: float,
    value: float,
    *,
    day: int = 1,
    of: str = "objective",
) -> cs.Observation:
    values = {"x": x, "c": "u"}
    return cs.Observation(f"o{number}", proposal, values, {"day": day}, {of: value}, "ann", NOW)


def compare(number: int, winner: float, loser: float) -> cs.Comparison:
    sides = [{"x": x, "c": "u"} for x in (winner, loser)]
    return cs.Comparison(f"c{number}", *sides, False, {"day": 5}, None, None, "ann", NOW)


def revise(number: int, fact: str, value: float) -> cs.Revision:
    return cs.Revision(f"r{number}", fact, {"objective": value}, "ann", "", NOW)


def withdraw(number: int, fact: str) -> cs.Withdrawal:
    return cs.Withdrawal(f"w{number}", fact, "ann", "", NOW)


def ids(items: Any) -> list[str]:
    return [item.id for item in items]


def history(state: StudyState, day: int = 1) -> Any:
    return state.history(t=9, seed=7, context=SPACE.encode_context({"day": day}))


# One of everything: told, overridden and pending, rejected, withdrawn, told without a proposal,
# compared, corrected.
FACTS: list[Fact] = [
    propose(1, 1.0, theta=(0.5,)),
    decide(1, "p1", "accept"),
    observe(1, "p1", 1.0, 10.0),
    propose(2, 2.0, day=2),
    decide(2, "p2", "override", 3.0),
    propose(3, 4.0, day=3),
    decide(3, "p3", "reject"),
    propose(4, 5.0, theta=(0.25,)),
    observe(2, None, 6.0, 19.0, day=5),
    observe(3, "p4", 5.0, 30.0),
    withdraw(1, "o3"),
    compare(1, 1.0, 2.0),
    compare(2, 3.0, 1.0),
    withdraw(2, "c1"),
    revise(1, "o2", 20.0),
    revise(2, "o2", 21.0),
    withdraw(3, "r2"),
]


def prefixes() -> Iterator[list[Fact]]:
    return (FACTS[:n] for n in range(len(FACTS) + 1))


def test_nothing_yet() -> None:
    state = StudyState(PROBLEM)
    seen = history(state)
    assert state.count == 0
    assert state.pending == []
    assert seen.x.shape == (0, 4)
    assert seen.y.shape == (0,)
    assert seen.pending.shape == (0, 4)
    assert seen.rejected.shape == (0, 3)
    assert seen.theta == ()


def test_the_fold_of_one_of_everything() -> None:
    state = StudyState(PROBLEM, FACTS)
    assert state.count == len(FACTS)
    assert state.made == {
        cs.Proposal: 4,
        cs.Decision: 3,
        cs.Observation: 3,
        cs.Comparison: 2,
        cs.Revision: 2,
        cs.Withdrawal: 3,
        cs.Failure: 0,
        cs.Amendment: 0,
        Claim: 0,
        cs.Comment: 0,
        cs.Archival: 0,
    }
    assert ids(state.proposals.values()) == ["p1", "p2", "p3", "p4"]
    assert ids(state.observations.values()) == ["o1", "o2"]
    assert ids(state.comparisons.values()) == ["c2"]
    assert state.observations["o2"].outcomes == {"objective": 20.0}
    assert ids(state.pending) == ["p2", "p4"]
    assert list(state.observed) == ["p1"]
    assert list(state.decisions) == ["p1", "p2", "p3"]


def test_history_holds_the_facts_as_arrays() -> None:
    seen = history(StudyState(PROBLEM, FACTS), day=3)
    # Columns: x / 10, one-hot c, then the context (day - 1) / 4.
    np.testing.assert_allclose(seen.x, [[0.1, 1, 0, 0], [0.6, 1, 0, 1]])
    np.testing.assert_array_equal(seen.y, [10.0, 20.0])
    np.testing.assert_allclose(seen.pending, [[0.3, 0, 1, 0.25], [0.5, 1, 0, 0]])
    np.testing.assert_allclose(seen.rejected, [[0.4, 1, 0]])
    np.testing.assert_array_equal(seen.context, [0.5])
    assert (seen.t, seen.seed) == (9, 7)


def test_the_last_fit_is_the_warm_start_and_a_round_without_one_keeps_it() -> None:
    state = StudyState(PROBLEM, [propose(1, 1.0, theta=(0.5,)), propose(2, 2.0)])
    assert history(state).theta == (0.5,)
    state.add(propose(3, 3.0, theta=(0.25,)))
    assert history(state).theta == (0.25,)


def test_minimisation_flips_the_sign_and_nothing_else() -> None:
    up = history(StudyState(PROBLEM, FACTS))
    down = history(StudyState(cs.Problem(SPACE, cs.Objective(direction="minimize")), FACTS))
    np.testing.assert_array_equal(down.y, -up.y)
    for field in ("x", "pending", "rejected", "context"):
        np.testing.assert_array_equal(getattr(down, field), getattr(up, field))


def test_folding_at_once_or_one_by_one_is_the_same() -> None:
    grown = StudyState(PROBLEM)
    for facts in prefixes():
        if facts:
            grown.add(facts[-1])
        at_once = StudyState(PROBLEM, facts)
        assert grown.count == at_once.count
        assert grown.made == at_once.made
        assert grown.pending == at_once.pending
        assert grown.decisions == at_once.decisions
        assert grown.observations == at_once.observations
        assert grown.observed == at_once.observed
        assert grown.comparisons == at_once.comparisons
        assert grown.revisions == at_once.revisions
        for field in compared(history(grown)):
            np.testing.assert_array_equal(
                getattr(history(grown), field.name), getattr(history(at_once), field.name)
            )


def test_what_was_not_measured_is_not_in_the_history() -> None:
    facts = [observe(1, None, 1.0, 5.0), observe(2, None, 2.0, 6.0, of="comfort")]
    state = StudyState(PROBLEM, facts)
    assert ids(state.observations.values()) == ["o1", "o2"]
    np.testing.assert_array_equal(history(state).y, [5.0])
    assert len(history(state).x) == 1


# ---- withdrawals --------------------------------------------------------------------------------


def test_withdrawing_an_observation_makes_its_proposal_pending_again() -> None:
    facts = [propose(1, 1.0), observe(1, "p1", 1.0, 5.0)]
    state = StudyState(PROBLEM, facts)
    assert state.pending == []
    state.add(withdraw(1, "o1"))
    assert ids(state.pending) == ["p1"]
    assert state.observations == {}
    assert len(history(state).y) == 0
    state.add(observe(2, "p1", 1.0, 6.0))
    assert state.pending == []
    np.testing.assert_array_equal(history(state).y, [6.0])


def test_withdrawing_leaves_the_history_of_a_study_that_never_had_it() -> None:
    with_it = [*FACTS[:3], observe(4, None, 9.0, 99.0), *FACTS[3:], withdraw(2, "o4")]
    a, b = history(StudyState(PROBLEM, with_it)), history(StudyState(PROBLEM, FACTS))
    for field in compared(a):
        np.testing.assert_array_equal(getattr(a, field.name), getattr(b, field.name))


def test_withdrawing_an_override_makes_the_proposed_point_pending() -> None:
    state = StudyState(PROBLEM, [propose(1, 1.0), decide(1, "p1", "override", 3.0)])
    np.testing.assert_allclose(history(state).pending, [[0.3, 0, 1, 0]])
    state.add(withdraw(1, "d1"))
    np.testing.assert_allclose(history(state).pending, [[0.1, 1, 0, 0]])


def test_withdrawing_a_rejection_makes_the_proposal_pending() -> None:
    state = StudyState(PROBLEM, [propose(1, 1.0), decide(1, "p1", "reject")])
    assert state.pending == []
    state.add(withdraw(1, "d1"))
    assert ids(state.pending) == ["p1"]
    assert len(history(state).rejected) == 0


def test_only_what_is_in_force_can_be_withdrawn() -> None:
    state = StudyState(PROBLEM, FACTS)
    assert state.in_force("d3").id == "d3"
    assert state.in_force("o2").id == "o2"
    assert state.in_force("c2").id == "c2"
    assert state.in_force("r1").id == "r1"
    for unknown in ("o3", "p1", "w1", "d9", "c1", "r2", ""):
        with pytest.raises(cs.NotFound, match=repr(unknown)):
            state.in_force(unknown)


def test_a_decision_that_led_to_an_observation_stays() -> None:
    state = StudyState(PROBLEM, FACTS)
    with pytest.raises(cs.Conflict, match=r"'d1' led to observation 'o1': withdraw that") as caught:
        state.in_force("d1")
    assert caught.value.fact == FACTS[2]
    state.add(withdraw(2, "o1"))
    assert state.in_force("d1").id == "d1"


# ---- revisions ----------------------------------------------------------------------------------


def test_a_revised_history_is_that_of_a_study_told_right_at_once() -> None:
    wrong = [propose(1, 1.0), observe(1, "p1", 1.0, 5.0), observe(2, None, 2.0, 6.0)]
    right = [*wrong[:1], observe(1, "p1", 1.0, 7.0), *wrong[2:]]
    a, b = StudyState(PROBLEM, [*wrong, revise(1, "o1", 7.0)]), StudyState(PROBLEM, right)
    assert a.observations == b.observations
    assert a.observed == b.observed
    for field in compared(history(a)):
        np.testing.assert_array_equal(
            getattr(history(a), field.name), getattr(history(b), field.name)
        )


def test_withdrawing_revisions_in_any_order() -> None:
    facts: list[Fact] = [observe(1, None, 1.0, 5.0), *(revise(i, "o1", 10.0 * i) for i in (1, 2))]
    for order, expected in (((2, 1), (10.0, 5.0)), ((1, 2), (20.0, 5.0))):
        state = StudyState(PROBLEM, facts)
        for number, (revision, value) in enumerate(zip(order, expected, strict=True)):
            state.add(withdraw(number, f"r{revision}"))
            assert state.observations["o1"].outcomes == {"objective": value}
            assert history(state).y.tolist() == [value]


def test_an_observation_takes_its_revisions_with_it() -> None:
    facts = [observe(1, None, 1.0, 5.0), revise(1, "o1", 6.0), withdraw(1, "o1")]
    state = StudyState(PROBLEM, facts)
    assert len(history(state).y) == 0
    with pytest.raises(cs.NotFound):
        state.in_force("r1")
    with pytest.raises(cs.NotFound, match="'o1'"):
        state.observation("o1")


def test_times_play_no_part() -> None:
    later = [dataclasses.replace(fact, time=NOW + timedelta(days=1)) for fact in FACTS]
    a, b = history(StudyState(PROBLEM, later)), history(StudyState(PROBLEM, FACTS))
    for field in compared(a):
        np.testing.assert_array_equal(getattr(a, field.name), getattr(b, field.name))


def test_comments_and_archivals_leave_the_arrays_as_they_were() -> None:
    said = [
        cs.Comment("n1", "o1", "wet", "ann", FACTS[0].time),
        cs.Archival("h1", True, "ann", "", FACTS[0].time),
        cs.Withdrawal("w4", "n1", "ann", "", FACTS[0].time),
    ]
    before, after = StudyState(PROBLEM, FACTS), StudyState(PROBLEM, [*FACTS, *said])
    assert after.comments == {}
    assert "n1" in after.ids
    one, other = history(before, day=3), history(after, day=3)
    np.testing.assert_array_equal(one.x, other.x)
    np.testing.assert_array_equal(one.y, other.y)
    assert one.fresh == other.fresh
    assert one.theta == other.theta
