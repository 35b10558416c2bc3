"""A study in a storage: opened again, shared, repeated, overtaken, held."""

import dataclasses
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import counsel as cs
from counsel.facts.history import Array, History
from counsel.facts.problem import Objective, Problem
from counsel.facts.records import PastTrial, Prediction
from counsel.facts.summaries import Setup
from counsel.policies.description import describe
from counsel.policies.protocol import Choice
from counsel.policies.random import Random
from counsel.storage import MemoryStorage, open_storage

ARMS = cs.Arms([[float(i)] for i in range(30)], names=["x"])
loose: Any = cs


@pytest.fixture(params=["memory", "sqlite"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    if request.param == "memory":
        return MemoryStorage()
    return f"sqlite:///{tmp_path / 'study.db'}"


def create(storage: Any, **given: Any) -> cs.Study:
    return cs.create_study(ARMS, **{"name": "t", "policy": "random", "storage": storage, **given})


# ---- creating and opening -----------------------------------------------------------------------


def test_a_study_opened_again_goes_on(storage: Any) -> None:
    study = create(storage, seed=3)
    study.tell(study.ask(), 1.0, actor="ann")
    again = cs.load_study("t", storage)
    assert again.facts == study.facts
    assert (again.name, again.seed, again.problem) == ("t", 3, study.problem)
    assert again.policy.name == "random"
    proposal = again.ask()
    assert study.pending == (proposal,)  # the first sees at once what the second did
    assert study.tell("p2", 2.0).id == "o2"
    assert again.best is not None
    assert again.best.value == 2.0
    assert again.replay().identical


def test_beliefs_are_the_same_after_opening(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'study.db'}"
    policy = cs.policies.Bandit(cs.acquisition.LWUCB(kappa=1.5), initial=2)
    stored, kept = (
        cs.create_study(ARMS, name="t", policy=policy, storage=s, seed=5) for s in (url, None)
    )
    for _ in range(3):
        for study in (stored, kept):
            proposal = study.ask()
            study.tell(proposal, -((proposal.values["x"] - 7) ** 2))  # type: ignore[operator]
    again = cs.load_study("t", url)
    a, b = again.ask(), kept.ask()
    assert (a.values, a.terms, a.theta) == (b.values, b.terms, b.theta)
    assert again.predict({"x": 3.0}) == kept.predict({"x": 3.0})
    assert again.replay().identical


def test_a_name_is_taken_once(storage: Any) -> None:
    create(storage).ask()
    with pytest.raises(cs.Conflict, match=r"'t'.*load_if_exists"):
        create(storage)
    assert len(create(storage, load_if_exists=True).facts) == 1
    assert create(storage, name="other", load_if_exists=True).facts == ()


@pytest.mark.parametrize(
    ("field", "given"),
    [
        ("seed", {"seed": 9}),
        ("problem", {"objective": "comfort"}),
        ("problem", {"direction": "minimize"}),
        ("policy", {"policy": Random("another")}),
    ],
)
def test_an_existing_study_that_was_created_otherwise(
    storage: Any, field: str, given: dict[str, Any]
) -> None:
    create(storage)
    with pytest.raises(cs.Conflict, match=f"another {field}"):
        create(storage, load_if_exists=True, **given)


def test_studies_are_listed_and_deleted(storage: Any) -> None:
    for name in ("a", "b"):
        create(storage, name=name)
    cs.load_study("a", storage).ask()
    assert [(s.name, s.facts) for s in cs.list_studies(storage)] == [("a", 1), ("b", 0)]
    study = cs.load_study("a", storage)
    cs.delete_study("a", storage)
    assert [s.name for s in cs.list_studies(storage)] == ["b"]
    for call in (study.ask, lambda: study.facts, lambda: cs.load_study("a", storage)):
        with pytest.raises(cs.NotFound):
            call()


def test_a_storage_is_needed_to_open_one() -> None:
    for call in (lambda: loose.load_study("t", None), lambda: loose.list_studies(None)):
        with pytest.raises(cs.InvalidInput, match="storage: got None"):
            call()


# ---- policies -----------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Own:
    """A policy of somebody else's."""

    weight: float = 1.0
    name: str = "own"

    def propose(self, problem: Problem, history: History) -> Choice:
        return Random().propose(problem, history)

    def predict(self, problem: Problem, history: History, points: Array) -> list[Prediction] | None:
        return None


@dataclasses.dataclass(frozen=True)
class WithFunction(Own):
    how: Callable[[float], float] = abs


def test_a_policy_of_ones_own_is_handed_over(storage: Any) -> None:
    create(storage, policy=Own(2.0)).ask()
    opened = cs.load_study("t", storage)
    assert len(opened.facts) == 1  # looking needs no policy
    with pytest.raises(
        cs.InvalidInput, match=r"policy: got '(.*:)?Own'.*load_study\(\.\.\., policy="
    ):
        opened.ask()
    assert cs.load_study("t", storage, policy=Own(2.0)).ask().id == "p2"
    with pytest.raises(cs.Conflict, match="another policy"):
        cs.load_study("t", storage, policy=Own(3.0))


def test_a_study_from_before_a_policy_got_a_field(storage: Any) -> None:
    policy = cs.policies.Bandit(cs.acquisition.VUCB())
    described = describe(policy)
    del described["settings"]["prior"]["settings"]["lengthscale_factor"]
    kept = open_storage(storage)
    problem = Problem(ARMS, Objective("objective", "maximize"), ())
    kept.create(Setup("t", problem, "v-ucb", described, 0, datetime.now(UTC)))
    assert create(kept, policy="v-ucb", load_if_exists=True).ask().id == "p1"
    assert cs.load_study("t", kept, policy=policy).ask().id == "p2"
    with pytest.raises(cs.Conflict, match="another policy"):
        create(kept, policy="ei", load_if_exists=True)


def test_a_policy_that_cannot_be_stored(tmp_path: Path) -> None:
    with pytest.raises(cs.InvalidInput, match=r"policy: got .*\.how cannot be stored.*dataclass"):
        create(f"sqlite:///{tmp_path / 'study.db'}", policy=WithFunction())
    assert create(None, policy=WithFunction()).ask().id == "p1"


# ---- many at once -------------------------------------------------------------------------------


def interrupted(storage: Any, *meanwhile: Callable[[cs.Study], object]) -> tuple[Any, list[int]]:
    """A study whose policy, while it computes, is overtaken by what another does."""
    create(storage, policy=Own())
    other = cs.load_study("t", storage, policy=Own())
    other.ask(2)
    todo, computed = list(meanwhile), [0]

    class Interrupted(Own):
        def propose(self, problem: Problem, history: History) -> Choice:
            computed[0] += 1
            if todo:
                todo.pop(0)(other)
            return super().propose(problem, history)

    study = cs.load_study("t", storage)
    study._policy = Interrupted()
    return study, computed


def test_a_proposal_overtaken_by_another_is_computed_anew(storage: Any) -> None:
    study, computed = interrupted(storage, lambda other: other.ask())
    proposal = study.ask()
    assert (proposal.id, proposal.round, proposal.seen) == ("p4", 4, 3)
    assert computed == [2]
    points = [p.values for p in study.pending]
    assert len({p["x"] for p in points}) == 4


@pytest.mark.parametrize(
    "meanwhile",
    [
        lambda other: other.reject("p1"),
        lambda other: other.override("p1", ARMS[3]),
        lambda other: other.withdraw(other.accept("p1")),
    ],
    ids=["reject", "override", "withdraw"],
)
def test_what_is_forbidden_or_under_way_counts(storage: Any, meanwhile: Any) -> None:
    study, computed = interrupted(storage, meanwhile)
    proposal = study.ask()
    assert computed == [2]
    assert proposal.seen == len(study.facts) - 1


def test_a_measurement_in_between_only_means_that_less_was_known(storage: Any) -> None:
    study, computed = interrupted(storage, lambda other: other.tell(other.accept("p1").proposal, 1))
    proposal = study.ask()
    assert computed == [1]
    assert proposal.seen == 2  # of the four before it
    assert [f.id for f in study.facts] == ["p1", "p2", "d1", "o1", "p3"]
    study._policy = Own()
    assert study.replay().identical


def test_after_three_races_lost_the_fourth_is_run_alone(storage: Any) -> None:
    study, computed = interrupted(storage, *[lambda other: other.ask()] * 3)
    assert study.ask().id == "p6"
    assert computed == [4]


# ---- idempotency --------------------------------------------------------------------------------


def test_a_request_repeated_changes_nothing(storage: Any) -> None:
    study = create(storage)
    again = cs.load_study("t", storage)
    calls: list[Callable[[cs.Study], Any]] = [
        lambda s: s.ask(idempotency_key="1"),
        lambda s: s.ask(2, idempotency_key="2"),
        lambda s: s.accept("p1", actor="ann", idempotency_key="3"),
        lambda s: s.override("p2", ARMS[0], idempotency_key="4"),
        lambda s: s.reject("p3", idempotency_key="5"),
        lambda s: s.tell("p1", 1.0, idempotency_key="6"),
        lambda s: s.compare(winner="p1", loser="p2", idempotency_key="7"),
        lambda s: s.revise("o1", 2.0, idempotency_key="8"),
        lambda s: s.withdraw("d3", idempotency_key="9"),
        lambda s: s.tell_many([PastTrial({"x": 1.0}, {"objective": 2.0})], idempotency_key="10"),
    ]
    first = [call(study) for call in calls]
    count = len(study.facts)
    assert [call(again) for call in calls] == first
    assert [call(study) for call in reversed(calls)] == first[::-1]
    assert len(study.facts) == count


def test_a_key_is_for_one_request(storage: Any) -> None:
    study = create(storage)
    proposal = study.ask(idempotency_key="k")
    for call in (
        lambda: study.accept(proposal, idempotency_key="k"),
        lambda: study.tell(proposal, 1.0, idempotency_key="k"),
    ):
        with pytest.raises(cs.Conflict, match="another request") as caught:
            call()
        assert isinstance(caught.value.fact, cs.Proposal)


def test_a_batch_that_was_interrupted_is_completed(storage: Any) -> None:
    study = create(storage, policy=Own())
    left = [2]

    class Dying(Own):
        def propose(self, problem: Problem, history: History) -> Choice:
            left[0] -= 1
            if left[0] < 0:
                raise KeyboardInterrupt
            return super().propose(problem, history)

    study._policy = Dying()
    with pytest.raises(KeyboardInterrupt):
        study.ask(3, idempotency_key="batch")
    assert len(study.facts) == 2
    study._policy = Own()
    assert [p.id for p in study.ask(3, idempotency_key="batch")] == ["p1", "p2", "p3"]


@pytest.mark.parametrize("key", ["", " ", 3, True, b"k", "a\0b"])
def test_bad_keys(storage: Any, key: Any) -> None:
    study = create(storage)
    with pytest.raises(cs.InvalidInput, match="idempotency key"):
        study.ask(idempotency_key=key)
    assert study.facts == ()


# ---- leases -------------------------------------------------------------------------------------


def test_who_holds_a_proposal_has_it(storage: Any) -> None:
    study = create(storage)
    study.ask(2)
    lease = study.hold("p1", actor="ann", seconds=60)
    assert study.leases == (lease,)
    other = cs.load_study("t", storage)
    for call in (
        lambda: other.accept("p1", actor="bob"),
        lambda: other.override("p1", ARMS[0]),
        lambda: other.reject("p1", actor="bob"),
        lambda: other.tell("p1", 1.0, actor="bob"),
        lambda: other.hold("p1", actor="bob"),
        lambda: other.release("p1", actor="bob"),
    ):
        with pytest.raises(cs.Conflict, match=r"ann holds proposal 'p1' until \d\d:") as caught:
            call()
        assert caught.value.fact == lease
    assert len(study.facts) == 2
    other.accept("p2", actor="bob")
    assert other.accept("p1", actor="ann").actor == "ann"
    study.tell("p1", 1.0, actor="ann")
    assert other.leases == ()  # done with


def test_what_was_rejected_is_not_held(storage: Any) -> None:
    study = create(storage)
    study.ask()
    study.hold("p1", actor="ann")
    decision = study.reject("p1", actor="ann")
    assert study.leases == ()
    with pytest.raises(cs.Conflict, match="Cannot hold proposal 'p1': ann rejected it") as caught:
        study.hold("p1", actor="ann")
    assert caught.value.fact == decision
    study.withdraw(decision, actor="ann")
    assert study.hold("p1", actor="ann").actor == "ann"


def test_a_lapsed_lease_is_nobodys(storage: Any) -> None:
    study = create(storage)
    study.ask()
    study.hold("p1", actor="ann", seconds=0.05)
    time.sleep(0.06)
    assert study.leases == ()
    assert study.hold("p1", actor="bob").actor == "bob"
    study.release("p1", actor="bob")
    assert study.accept("p1", actor="cid").actor == "cid"


def test_holding_again_renews(storage: Any) -> None:
    study = create(storage)
    study.ask()
    first = study.hold("p1", actor="ann", seconds=10)
    second = study.hold("p1", actor="ann", seconds=20)
    assert second.until > first.until
    assert study.leases == (second,)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), "60", 1e12, True])
def test_bad_leases(storage: Any, seconds: Any) -> None:
    study = create(storage)
    study.ask()
    with pytest.raises(cs.InvalidInput, match="seconds"):
        study.hold("p1", actor="ann", seconds=seconds)
    with pytest.raises(cs.InvalidInput, match="actor name"):
        study.hold("p1", actor="")
    with pytest.raises(cs.NotFound):
        study.hold("p9", actor="ann")
    assert study.leases == ()


# ---- many trials --------------------------------------------------------------------------------


def test_many_trials_or_none(storage: Any) -> None:
    study = create(storage)
    good = [PastTrial({"x": float(i)}, {"objective": float(i)}, actor="ann") for i in range(5)]
    told = study.tell_many(good)
    assert [o.id for o in told] == ["o1", "o2", "o3", "o4", "o5"]
    assert study.observations == tuple(told)
    for bad in (
        PastTrial({"x": 99.5}, {"objective": 1.0}),
        PastTrial({"x": 1.0}, {"objective": float("inf")}),
        PastTrial({"x": 1.0}, {"comfort": 1.0}),
        PastTrial({"x": 1.0}, {}),
    ):
        with pytest.raises(cs.InvalidInput, match=r"^trial 5, "):
            study.tell_many([*good, bad])
    assert len(study.facts) == 5
    assert study.tell_many([]) == []


@pytest.mark.parametrize("text", ["a\0b", "\ud800"])
def test_texts_that_no_database_keeps(storage: Any, text: str) -> None:
    study = create(storage)
    study.ask()
    for call in (
        lambda: study.accept("p1", actor=text),
        lambda: study.accept("p1", reason=text),
        lambda: study.tell("p1", 1.0, actor=text),
        lambda: create(storage, name=text),
    ):
        with pytest.raises(cs.InvalidInput, match="NUL or broken"):
            call()
    assert len(study.facts) == 1
