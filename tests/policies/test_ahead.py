"""Rounds to come: their programs are there before anybody needs them."""

import itertools
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any

import jax
import numpy as np
import pytest

import counsel as cs
from counsel.facts.history import History
from counsel.facts.state import StudyState
from counsel.models import compiling
from counsel.models.compiling import LOADED, compiled, forget
from counsel.models.gp import bucket
from counsel.policies import ahead as module
from counsel.policies.ahead import Ahead, grown
from counsel.policies.default import default_policy
from counsel.policies.protocol import Policy
from counsel.study.opening import create_study

MADE: list[str] = []


def _note(event: str, duration: float, **_: object) -> None:
    if event in (LOADED, "/jax/core/compile/backend_compile_duration"):
        MADE.append(event)


jax.monitoring.register_event_duration_secs_listener(_note)
LIMITS = (cs.Constraint("g", at_least=0.0),)


def patient() -> Callable[[], float]:
    """A clock by which an hour passes between two looks."""
    return map(float, itertools.count(step=3600)).__next__


def history_of(problem: cs.Problem, count: int) -> History:
    """`count` trials, none pending."""
    study = create_study(problem.space, constraints=problem.constraints, policy="random", seed=1)
    for i in range(count):
        value = float(np.sin(i))
        answers = {"g": 0.5 - value} if problem.constraints else {}
        study.tell(study.ask(), value, constraints=answers)
    state = StudyState(problem, study.facts)
    context = np.zeros(problem.space.context_dim)
    return replace(state.history(t=count + 1, seed=1, context=context), theta=())


def cases() -> list[tuple[str, cs.Problem, Policy]]:
    box = cs.Problem(cs.Space(a=cs.Float(0, 1), b=cs.Float(0, 1)))
    mixed = cs.Problem(cs.Space(a=cs.Float(0, 1), k=cs.Int(1, 9), s=cs.Categorical(["x", "y"])))
    arms = cs.Arms([[i / 9.0, (i % 4) / 4.0] for i in range(10)], names=["a", "b"])
    limited = cs.Problem(arms, constraints=LIMITS)
    return [
        ("box", box, default_policy(box)),
        ("mixed", mixed, default_policy(mixed)),
        ("arms with constraints", limited, default_policy(limited)),
        ("learned constraints", limited, cs.policies.by_name("dmcl")),
    ]


@pytest.mark.parametrize(("name", "problem", "policy"), cases())
def test_no_round_up_to_the_next_size_compiles_anything(
    name: str, problem: cs.Problem, policy: Policy
) -> None:
    forget()  # whatever other tests have made
    now = history_of(problem, 11)
    policy.propose(problem, replace(now))  # small programs of JAX's own are not ours to make
    watcher = Ahead(patient())
    before = len(MADE)
    for _ in range(2):
        watcher.asked()
        watcher.proposed(policy, problem, now)
    watcher.wait()
    if name != "learned constraints":  # whose sizes are coarser: nothing new in these rounds
        assert len(MADE) > before
    for count in (12, 17):
        later = history_of(problem, count)
        before = len(MADE)
        policy.propose(problem, later)
        policy.predict(problem, later, now.x[:1])
        assert MADE[before:] == []


def test_a_batch_compiles_nothing_where_batches_are_asked_for() -> None:
    forget()
    _, problem, policy = cases()[0]
    now = history_of(problem, 11)
    batch = replace(now, pending=now.x[:6])
    policy.propose(problem, batch)
    watcher = Ahead(patient())
    for history in (batch, now):
        watcher.asked()
        watcher.proposed(policy, problem, history)
    watcher.wait()
    for count, pending in ((12, 1), (12, 7), (17, 3)):
        later = history_of(problem, count)
        before = len(MADE)
        policy.propose(problem, replace(later, pending=later.x[:pending]))
        assert MADE[before:] == []


def test_after_a_first_batch_the_second_compiles_nothing() -> None:
    forget()
    _, problem, policy = cases()[0]
    later = history_of(problem, 8)
    policy.propose(problem, replace(later))  # small programs of JAX's own are not ours to make
    forget()
    nothing = replace(history_of(problem, 0), t=1)
    watcher = Ahead()
    for count in range(8):
        watcher.asked()
        watcher.proposed(policy, problem, replace(nothing, pending=later.x[:count]))
    before = len(MADE)
    watcher.wait()
    assert len(MADE) > before
    before = len(MADE)
    for count in range(8):
        policy.propose(problem, replace(later, pending=later.x[:count]))
    assert MADE[before:] == []


def test_a_batch_that_is_soon_asked_again_prepares_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    prepared: list[History] = []
    monkeypatch.setattr(module, "_prepare", lambda *given: prepared.append(given[2]))
    monkeypatch.setattr(module, "_QUIET", 3.0)
    _, problem, policy = cases()[0]
    now = history_of(problem, 3)
    watcher = Ahead()
    for _ in range(3):
        for count in (0, 1, 2):
            watcher.asked()
            watcher.proposed(policy, problem, replace(now, pending=now.x[:count]))
        assert prepared == []
    watcher.wait()
    assert [len(each.pending) for each in prepared] == [2]


def test_what_is_made_up_leaves_no_trace() -> None:
    problem = cases()[0][1]
    policy = default_policy(problem)
    now = history_of(problem, 5)
    before = policy.propose(problem, replace(now))
    watcher = Ahead(patient())
    for _ in range(2):
        watcher.asked()
        watcher.proposed(policy, problem, now)
    watcher.wait()
    after = policy.propose(problem, now)
    np.testing.assert_array_equal(before.point, after.point)
    assert before.terms == after.terms


def test_a_loop_that_asks_at_once_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared: list[History] = []
    monkeypatch.setattr(module, "_prepare", lambda *given: prepared.append(given[2]))
    # Asked at once, asked at once after a proposal that took long, asked after some thought.
    seconds = iter([0.0, 0.1, 50.0, 50.1, 50.2, 60.0, 60.1])
    watcher = Ahead(lambda: next(seconds))
    _, problem, policy = cases()[0]
    now = history_of(problem, 3)
    started = []
    for _ in range(4):
        watcher.asked()
        watcher.proposed(policy, problem, now)
        watcher.wait()
        started.append(len(prepared))
    assert started == [0, 0, 0, 1]


def test_grown_histories_have_the_shapes_of_later_rounds() -> None:
    for _, problem, _ in cases():
        now = history_of(problem, 4)
        more = grown(now, 5, problem.space.finite)
        assert (len(more.x), len(more.y)) == (9, 9)
        assert len(more.points) == len(more.outcomes) == len(more.measured) == 9
        np.testing.assert_array_equal(more.x[:4], now.x)
        assert more.kept is not now.kept
        if problem.space.finite:
            assert {tuple(row) for row in more.x} == {tuple(row) for row in now.x}


def test_both_trials_of_a_pair_are_prepared_with_and_without_ties() -> None:
    space = cs.Space(a=cs.Float(0, 1))
    study = create_study(space, objective="preference", policy="preference", seed=1)
    problem = study.problem
    study.compare(winner={"a": 0.2}, loser={"a": 0.7})
    state = StudyState(problem, study.facts)
    history = state.history(t=1, seed=1, context=np.zeros(0))
    asked: list[tuple[int, bool]] = []

    class Noting:
        name = "noting"

        def propose(self, problem: cs.Problem, history: History) -> None:
            asked.append((len(history.pending), bool(history.ties.any())))

        def predict(self, problem: cs.Problem, history: History, points: object) -> None: ...

    policy: Policy = Noting()  # type: ignore[assignment]
    for step in module._steps(policy, problem, grown(history, 3, finite=False)):
        step()
    assert asked == [(0, False), (1, False), (0, True), (1, True)]


def test_measured_and_compared_trials_are_prepared_for_in_their_shares() -> None:
    """Judgements and the points that they are about have sizes of their own."""
    study = create_study(cs.Space(a=cs.Float(0, 1)), policy="preference", seed=1)
    seen: list[tuple[int, int]] = []

    class Noting:
        name = "noting"

        def propose(self, problem: cs.Problem, history: History) -> None:
            count, pairs = len(history.y), len(history.comparisons)
            seen.append((bucket(count + pairs), bucket(count + 2 * pairs)))

        def predict(self, problem: cs.Problem, history: History, points: object) -> None: ...

    policy: Policy = Noting()  # type: ignore[assignment]

    def one_more(place: int) -> History:
        study.tell({"a": place / 50}, float(np.sin(place)))
        if place:
            study.compare({"a": place / 50}, {"a": (place - 1) / 50})
        state = StudyState(study.problem, study.facts)
        return state.history(t=1, seed=1, context=np.zeros(0))

    for place in range(30):
        history = one_more(place)
        if place:
            policy.propose(study.problem, history)
            assert place == 1 or seen.pop() in seen
            module._prepare(policy, study.problem, history)


def test_what_a_proposal_has_to_compile_is_compiled_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, problem, _ = cases()[0]
    now = history_of(problem, 3)
    played: list[str] = []
    begun = threading.Event()
    compile_now = compiling._compile

    def compile_late(*given: Any) -> Any:
        if threading.current_thread() is threading.main_thread():
            assert begun.wait(60), "the second program waits for the first"
        return compile_now(*given)

    @compiled()
    def first(x: jax.Array) -> jax.Array:
        return 2.0 * x

    @compiled()
    def second(x: jax.Array) -> jax.Array:
        begun.set()
        return x + 1.0

    class TwoPrograms:
        name = "two programs"

        def propose(self, problem: cs.Problem, history: History) -> Any:
            played.append(threading.current_thread().name)
            return np.asarray(second(first(history.y)))

        def predict(self, problem: cs.Problem, history: History, points: object) -> None: ...

    policy: Any = TwoPrograms()
    watcher = Ahead()
    monkeypatch.setattr(compiling, "_compile", compile_late)
    for _ in range(2):  # the second time there is nothing to compile, and nobody to help
        with watcher.helping(policy, problem, now):
            found = policy.propose(problem, now)
        np.testing.assert_array_equal(found, 2.0 * now.y + 1.0)
        assert (first.programs, second.programs) == (1, 1)
    assert sorted(played) == ["MainThread", "MainThread", "counsel-helping"]


def test_an_error_reaches_whoever_needs_the_program() -> None:
    _, problem, _ = cases()[0]
    now = history_of(problem, 3)

    @compiled()
    def wrong(x: jax.Array) -> jax.Array:
        return x + np.ones(len(x) + 1)

    class Failing:
        name = "failing"

        def propose(self, problem: cs.Problem, history: History) -> Any:
            return wrong(history.y)

        def predict(self, problem: cs.Problem, history: History, points: object) -> None: ...

    policy: Any = Failing()
    with Ahead().helping(policy, problem, now), pytest.raises(TypeError, match="incompatible"):
        policy.propose(problem, now)


def test_a_proposal_does_not_need_what_another_thread_is_just_importing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A module is listed before it is complete: the process that computes answered with a 500."""
    monkeypatch.setitem(sys.modules, "counsel.models.compiling", ModuleType("half"))
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), policy="random")
    history = study._ledger.state.history(t=1, seed=0, context=np.zeros(0))
    with Ahead().helping(study.policy, study.problem, history):
        pass
