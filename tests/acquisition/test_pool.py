"""The search for the later trials of a batch, over candidates that the whole batch shares."""

import threading
from dataclasses import replace

import jax.numpy as jnp
import numpy as np
import pytest

import counsel as cs
from counsel.acquisition import maximise
from counsel.facts.kept import Kept
from counsel.policies.bandit import Bandit

BOX = cs.Space(a=cs.Float(0, 1), b=cs.Float(0, 1))
MIXED = cs.Space(a=cs.Float(0, 1), k=cs.Int(1, 9), kind=cs.Categorical(["x", "y", "z"]))
MIXTURE = cs.Space(a=cs.Float(0, 100), b=cs.Float(0, 100), c=cs.Float(0, 100), require="a+b+c==100")
OVEN = cs.Space(a=cs.Float(0, 1), heat=cs.Float(0, 1, shared=True))
SPACES = {"box": BOX, "mixed": MIXED, "mixture": MIXTURE, "oven": OVEN}


def payoff(values: dict[str, object]) -> float:
    numbers = [v for v in values.values() if isinstance(v, int | float)]
    return -sum((v % 7 - 0.4) ** 2 for v in numbers)


def begun(space: cs.Space, trials: int = 8) -> cs.Study:
    study = cs.create_study(space, seed=3)
    points = space.sample(trials, np.random.default_rng(1))
    study.tell_many([{**(v := space.decode(x)), "objective": payoff(v)} for x in points])
    return study


@pytest.mark.parametrize("kind", SPACES)
def test_a_batch_makes_its_candidates_once_and_replays(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    start = maximise.candidates_for

    def noted(*args: object) -> np.ndarray:
        if threading.current_thread() is threading.main_thread():  # others only compile
            made.append(1)
        return start(*args)  # type: ignore[arg-type]

    study = begun(SPACES[kind])
    monkeypatch.setattr(maximise, "candidates_for", noted)
    batch = study.ask(3)
    assert len(made) == 1
    assert len({tuple(p.values.items()) for p in batch}) == 3
    study._kept.clear()  # somebody else opens the study in the middle of the batch
    study.ask(2)
    assert study.replay().identical


@pytest.mark.parametrize("kind", SPACES)
def test_a_later_trial_is_nearly_as_good_as_by_a_search_of_its_own(kind: str) -> None:
    study = begun(SPACES[kind])
    policy = study.policy
    assert isinstance(policy, Bandit)
    assert policy.pooled
    alone = replace(policy, pooled=False)
    study.ask(2)
    state = study._ledger.state
    history = state.history(t=3, seed=3, context=np.zeros(0), kept=Kept())
    shared, own = (sum(p.propose(study.problem, history).terms.values()) for p in (policy, alone))
    score = policy.score(study.problem, history)
    assert score is not None
    points = jnp.asarray(study.problem.space.sample(256, np.random.default_rng(0)))
    values = maximise.total(score.terms(points))
    assert shared >= own - 0.05 * (own - float(np.min(values)))
    assert shared > float(np.quantile(values, 0.95))


def test_a_pool_that_is_used_up_leaves_a_search_of_its_own() -> None:
    study = begun(cs.Space(k=cs.Int(1, 3), kind=cs.Categorical(["x", "y"])))
    batch = study.ask(7)  # one more than there are points
    assert len({tuple(p.values.items()) for p in batch}) == 6
    assert study.replay().identical


def test_a_stored_policy_from_before_searches_for_every_trial() -> None:
    from counsel.facts.aliases import modern
    from counsel.policies.description import describe, make

    written = describe(begun(BOX).policy)
    del written["settings"]["pooled"]
    old = make(modern(written))
    assert isinstance(old, Bandit)
    assert not old.pooled


def test_reported_errors_are_fitted_to_once_for_a_batch() -> None:
    study = cs.create_study(BOX, seed=3)
    for number, x in enumerate(BOX.sample(6, np.random.default_rng(1))):
        study.tell(BOX.decode(x), float(number), sem=0.1)
    assert len({p.theta for p in study.ask(3)}) == 1
    assert study.replay().identical
