"""Anything in any order, closed and opened in between, against a model in plain Python."""

import copy
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import counsel as cs
from counsel.storage import MemoryStorage
from counsel.storage.sql import SqlStorage

ARMS = cs.Arms([[float(i)] for i in range(40)], names=["x"])
picks = st.integers(0, 10**6)
values = st.floats(-1e150, 1e150)
actors = st.sampled_from(["ann", "bob"])


class Model:
    """What should be so, kept in the plainest way."""

    def __init__(self) -> None:
        self.log: list[str] = []  # ids of all facts
        self.proposals: list[str] = []
        self.decided: dict[str, tuple[str, str]] = {}  # proposal: decision, kind
        self.told: dict[str, list[Any]] = {}  # observation: proposal, stack of (revision, value)
        self.compared: list[str] = []
        self.held: dict[str, str] = {}
        self.keys: dict[str, Any] = {}

    def number(self, letter: str) -> str:
        return f"{letter}{sum(fact[0] == letter for fact in self.log) + 1}"

    def observed(self, proposal: str) -> bool:
        return any(told[0] == proposal for told in self.told.values())

    def rejected(self, proposal: str) -> bool:
        return self.decided.get(proposal, ("", ""))[1] == "reject"

    def pending(self) -> list[str]:
        return [p for p in self.proposals if not self.observed(p) and not self.rejected(p)]


class Machine(RuleBasedStateMachine):
    """One study, two who use it: each sees at once what the other did."""

    def storage(self) -> Any:
        raise NotImplementedError

    @initialize()
    def begin(self) -> None:
        self.model = Model()
        first = cs.create_study(ARMS, name="m", policy="random", storage=self.storage())
        self.hands = [first, self.opened()]
        self.turn = 0

    def opened(self) -> cs.Study:
        return cs.load_study("m", self.storage(), policy=None)

    @property
    def study(self) -> cs.Study:
        self.turn += 1
        return self.hands[self.turn % 2]

    def any_proposal(self, pick: int) -> str:
        return self.model.proposals[pick % len(self.model.proposals)]

    def expect(self, fact: Any, letter: str) -> str:
        assert fact.id == self.model.number(letter)
        self.model.log.append(fact.id)
        return str(fact.id)

    # ---- what may be done ------------------------------------------------------------------

    @rule(n=st.integers(1, 3))
    def ask(self, n: int) -> None:
        if len(self.model.proposals) > 20:
            return
        for proposal in self.study.ask(n):
            self.model.proposals.append(self.expect(proposal, "p"))

    @precondition(lambda self: self.model.proposals)
    @rule(pick=picks, kind=st.sampled_from(["accept", "override", "reject"]), actor=actors)
    def decide(self, pick: int, kind: str, actor: str) -> None:
        proposal, study, model = self.any_proposal(pick), self.study, self.model
        call = {
            "accept": lambda: study.accept(proposal, actor=actor),
            "override": lambda: study.override(proposal, ARMS[pick % 40], actor=actor),
            "reject": lambda: study.reject(proposal, actor=actor),
        }[kind]
        held = model.held.get(proposal, actor) != actor
        if model.observed(proposal) or proposal in model.decided or held:
            with pytest.raises(cs.Conflict) as caught:
                call()
            assert caught.value.fact is not None
            return
        model.decided[proposal] = (self.expect(call(), "d"), kind)
        if kind == "reject":
            model.held.pop(proposal, None)

    @precondition(lambda self: self.model.proposals)
    @rule(pick=picks, value=values, actor=actors)
    def tell(self, pick: int, value: float, actor: str) -> None:
        proposal, study, model = self.any_proposal(pick), self.study, self.model
        held = model.held.get(proposal, actor) != actor
        if model.observed(proposal) or model.rejected(proposal) or held:
            with pytest.raises(cs.Conflict):
                study.tell(proposal, value, actor=actor)
            return
        name = self.expect(study.tell(proposal, value, actor=actor), "o")
        model.told[name] = [proposal, [("", value)]]
        model.held.pop(proposal, None)

    @rule(pick=picks, value=values)
    def tell_a_point(self, pick: int, value: float) -> None:
        name = self.expect(self.study.tell(ARMS[pick % 40], value), "o")
        self.model.told[name] = [None, [("", value)]]

    @rule(pick=picks, other=picks, tie=st.booleans())
    def compare(self, pick: int, other: int, tie: bool) -> None:
        if pick % 40 == other % 40:
            return
        made = self.study.compare(winner=ARMS[pick % 40], loser=ARMS[other % 40], tie=tie)
        self.model.compared.append(self.expect(made, "c"))

    @precondition(lambda self: self.model.told)
    @rule(pick=picks, value=values)
    def revise(self, pick: int, value: float) -> None:
        name = list(self.model.told)[pick % len(self.model.told)]
        made = self.expect(self.study.revise(name, value), "r")
        self.model.told[name][1].append((made, value))

    @precondition(lambda self: self.model.log)
    @rule(pick=picks)
    def withdraw(self, pick: int) -> None:
        model, study = self.model, self.study
        name = model.log[pick % len(model.log)]
        before = copy.deepcopy(model)
        if name in model.told:
            del model.told[name]
        elif name in model.compared:
            model.compared.remove(name)
        elif name in [decision for decision, _ in model.decided.values()]:
            proposal = next(p for p, (decision, _) in model.decided.items() if decision == name)
            if model.observed(proposal):
                with pytest.raises(cs.Conflict):
                    study.withdraw(name)
                return
            del model.decided[proposal]
        else:
            stacks = [told[1] for told in model.told.values()]
            found = [s for s in stacks if name in [revision for revision, _ in s]]
            if not found:
                self.model = before
                with pytest.raises(cs.NotFound):
                    study.withdraw(name)
                return
            found[0][:] = [pair for pair in found[0] if pair[0] != name]
        self.expect(study.withdraw(name), "w")

    @precondition(lambda self: self.model.proposals)
    @rule(pick=picks, actor=actors)
    def hold(self, pick: int, actor: str) -> None:
        proposal, model, study = self.any_proposal(pick), self.model, self.study
        over = model.observed(proposal) or model.rejected(proposal)
        if over or model.held.get(proposal, actor) != actor:
            with pytest.raises(cs.Conflict):
                study.hold(proposal, actor=actor)
            return
        study.hold(proposal, actor=actor, seconds=3600)
        model.held[proposal] = actor

    @precondition(lambda self: self.model.held)
    @rule(pick=picks)
    def release(self, pick: int) -> None:
        proposal = list(self.model.held)[pick % len(self.model.held)]
        self.study.release(proposal, actor=self.model.held.pop(proposal))

    @rule(key=st.sampled_from("abc"), pick=picks)
    def repeat(self, key: str, pick: int) -> None:
        """A point told under a key: the second time nothing happens."""
        model = self.model
        if key in model.keys:
            point, value, first = model.keys[key]
            assert self.study.tell(point, value, idempotency_key=key) == first
            with pytest.raises(cs.Conflict) as caught:
                self.study.tell(point, value + 1.0, idempotency_key=key)
            assert caught.value.fact == first
            return
        fact = self.study.tell(ARMS[pick % 40], 1.0, idempotency_key=key)
        model.keys[key] = (ARMS[pick % 40], 1.0, fact)
        model.told[self.expect(fact, "o")] = [None, [("", 1.0)]]

    @rule()
    def reopen(self) -> None:
        self.hands[0] = self.opened()

    # ---- what must be so -------------------------------------------------------------------

    @invariant()
    def both_agree_with_the_model(self) -> None:
        if not hasattr(self, "model"):
            return
        for study in self.hands:
            assert [fact.id for fact in study.facts] == self.model.log
            assert [p.id for p in study.pending] == self.model.pending()
            told = {o.id: o.outcomes["objective"] for o in study.observations}
            assert told == {name: stack[-1][1] for name, (_, stack) in self.model.told.items()}
            assert [c.id for c in study.comparisons] == self.model.compared
            assert {lease.proposal: lease.actor for lease in study.leases} == self.model.held

    def teardown(self) -> None:
        if hasattr(self, "model"):
            assert self.opened().replay().identical


class InMemory(Machine):
    def storage(self) -> Any:
        if not hasattr(self, "memory"):
            self.memory = MemoryStorage()
        return self.memory


class InSqlite(Machine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()

    def storage(self) -> Any:
        return SqlStorage(f"sqlite:///{Path(self.folder.name) / 'study.db'}")

    def teardown(self) -> None:
        super().teardown()
        self.folder.cleanup()


def test_in_memory() -> None:
    limits = settings(max_examples=25, stateful_step_count=30)
    run_state_machine_as_test(InMemory, settings=limits)


def test_in_sqlite() -> None:
    limits = settings(max_examples=4, stateful_step_count=25)
    run_state_machine_as_test(InSqlite, settings=limits)


@pytest.mark.slow
@pytest.mark.parametrize("machine", [InMemory, InSqlite])
def test_for_long(machine: Any) -> None:
    limits = settings(max_examples=100, stateful_step_count=60)
    run_state_machine_as_test(machine, settings=limits)


@pytest.mark.slow
def test_in_postgres(server: Any) -> None:
    import itertools

    numbers = itertools.count()

    class InPostgres(Machine):
        def __init__(self) -> None:
            super().__init__()
            self.address = server.database(f"machine_{next(numbers)}", like="prepared")

        def storage(self) -> Any:
            return SqlStorage(self.address)

    limits = settings(max_examples=20, stateful_step_count=40)
    run_state_machine_as_test(InPostgres, settings=limits)
