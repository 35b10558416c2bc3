"""Batches: one program chooses their trials, and each is what it would be by itself."""

import threading
from typing import Any

import numpy as np
import pytest

import counsel as cs
from counsel.policies import batching

NUMBERS = {"a": cs.Float(0, 1), "b": cs.Float(0, 1)}
PERCENT = {name: cs.Float(0, 100) for name in "abc"}
SPACES: dict[str, Any] = {
    "box": cs.Space(**NUMBERS),
    "mixed": cs.Space(**NUMBERS, k=cs.Int(1, 9), kind=cs.Categorical(["x", "y", "z"])),
    "mixture": cs.Space(**PERCENT, require="a + b + c == 100"),
    "bounded": cs.Space(**NUMBERS, require="a * b <= 0.4"),
    "oven": cs.Space(a=cs.Float(0, 1), heat=cs.Float(0, 1, shared=True)),
    "arms": cs.Arms(np.random.default_rng(0).uniform(size=(60, 2)), names=["a", "b"]),
    "shifted": cs.Space(a=cs.Float(999_999_994, 999_999_995), b=cs.Float(0, 1)),
}


def payoff(values: Any) -> float:
    numbers = [v for v in values.values() if isinstance(v, int | float)]
    return -sum((v % 7 - 0.4) ** 2 for v in numbers)


def begun(kind: str, **settings: Any) -> cs.Study:
    space = SPACES[kind]
    study = cs.create_study(space, seed=3, **settings)
    rng = np.random.default_rng(1)
    rows = space.points[:8] if kind == "arms" else space.sample(8, rng)
    rest = {"calm": 0.5} if settings.get("constraints") else {}
    found = [space[i] for i in range(8)] if kind == "arms" else [space.decode(x) for x in rows]
    study.tell_many([{**v, "objective": payoff(v), **rest} for v in found])
    return study


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many trials each run of the program was to choose."""
    found: list[int] = []
    program = batching.together

    def noted(*args: Any, **options: Any) -> Any:
        if threading.current_thread() is threading.main_thread():  # others only compile
            found.append(int(args[4].wanted))
        return program(*args, **options)

    monkeypatch.setattr(batching, "together", noted)
    return found


@pytest.mark.parametrize("kind", SPACES)
def test_one_run_chooses_what_questions_one_by_one_would(kind: str, runs: list[int]) -> None:
    study, again = begun(kind), begun(kind)
    batch = study.ask(4)
    # Numbers of nine digits before the point are not read back as they were found.
    assert runs == ([3, 2, 1] if kind == "shifted" else [3])
    alone = [again.ask() for _ in range(4)]
    for one, other in zip(batch, alone, strict=True):
        assert (one.values, one.terms, one.prediction) == (
            other.values,
            other.terms,
            other.prediction,
        )
    assert study.replay().identical


def test_constraints_and_failures_are_told_of_each_trial(runs: list[int]) -> None:
    study = begun("box", constraints=[cs.Constraint("calm", at_least=0.0)])
    study.fail({"a": 0.9, "b": 0.9})
    batch = study.ask(4)
    assert runs == [3]
    assert all(set(each.chances) == {"calm", "success"} for each in batch)
    assert study.replay().identical


def test_what_somebody_rejects_is_not_chosen_by_a_later_run(runs: list[int]) -> None:
    study = begun("box")
    others = study.ask(3)
    study.reject(others[-1], scope="region", radius=0.2)
    for each in study.ask(3):
        assert max(abs(each.values[n] - others[-1].values[n]) for n in "ab") > 0.199
    assert len(runs) == 2
    assert study.replay().identical


def test_a_study_of_before_keeps_a_program_for_each_trial(runs: list[int]) -> None:
    from counsel.facts.aliases import ABSENT

    assert ABSENT["bandit"]["at_once"] is False
    policy = begun("box").policy
    study = begun("box", policy=policy.__class__(policy.acquisition, at_once=False))  # type: ignore[attr-defined]
    study.ask(3)
    assert runs == []
