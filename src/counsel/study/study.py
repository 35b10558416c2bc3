"""The local study: a facade over the parts that ask, decide, tell, believe and explain.

A study appends facts and rebuilds everything else from them.

proposing.py    derives proposals, and replays them
commands.py     validates and writes facts
comparing.py    the commands that take two trials at once
fronts.py       what is best of several objectives
beliefs.py      predictions, chances, the best trial, what to ask
explaining.py   why, and what people's choices say
advising.py     should a person step in?
grounding.py    what the reasons for a proposal rest on
tables.py       a study as a table
opening.py      create, load, list, delete
protocol.py     the list of verbs, with their documentation
"""

import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from counsel.explain.attribution import Attribution, Shown, WhatIf
from counsel.explain.grounds import Grounds
from counsel.facts.history import Array, History
from counsel.facts.kept import Kept
from counsel.facts.problem import Problem
from counsel.facts.records import (
    Amendment,
    Archival,
    Claim,
    Comment,
    Comparison,
    Decision,
    DecisionKind,
    Fact,
    Failure,
    Lease,
    Observation,
    PastTrial,
    Prediction,
    Proposal,
    Revision,
    Scope,
    Value,
    Withdrawal,
)
from counsel.facts.safety import SafeSet
from counsel.facts.state import InForce
from counsel.facts.summaries import Best, Front, Outlook, Replay, Setup
from counsel.policies.ahead import Ahead
from counsel.policies.description import make
from counsel.policies.protocol import Choice, Policy
from counsel.space import AnySpace, Parameter
from counsel.storage.contract import Storage
from counsel.storage.ledger import Ledger
from counsel.study.advising import Advising
from counsel.study.beliefs import Beliefs
from counsel.study.cards import card
from counsel.study.commands import Commands
from counsel.study.comparing import Comparing
from counsel.study.contract.points import NOBODY, Compared, Point, Trials, Until, compared
from counsel.study.explaining import Explaining
from counsel.study.fronts import front_of
from counsel.study.grounding import Grounding
from counsel.study.outlook import outlook_of
from counsel.study.proposing import Choose, Proposing
from counsel.study.protocol import StudyLike
from counsel.study.showing import described
from counsel.study.tables import dataframe
from counsel.study.travelling import packed
from counsel.teams.advice import Advice
from counsel.teams.alignment import Alignment
from counsel.teams.overriding import Overriding

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Study"]


class Study(StudyLike):
    """People and a policy deciding together, one trial at a time.

    Make one with `create_study`, or open one with `load_study`.
    """

    def __init__(
        self,
        setup: Setup,
        storage: Storage,
        number: int,
        policy: Policy | None = None,
        *,
        choose: Choose | None = None,
        computing: AbstractContextManager[object] | None = None,
        kept: Kept | None = None,
    ) -> None:
        """`choose` replaces the policy's own choice: a service asks another process.

        `computing` is held while a proposal is computed; by default, one at a time per study.
        `kept` holds what was computed, for an owner of many studies who bounds it for all.
        """
        self._setup = setup
        self._policy = policy
        self._ledger = Ledger(storage, number, setup.problem)
        self._commands = Commands(setup.problem, self._ledger)
        self._comparing = Comparing(setup.problem, self._ledger)
        self._ahead = Ahead()
        self._kept = kept = Kept() if kept is None else kept
        self._proposing = Proposing(
            setup,
            self._ledger,
            choose or self._choose,
            computing or threading.RLock(),
            kept,
            self._commands.free_lapsed,
        )
        self._beliefs = Beliefs(setup, self._ledger, self._the_policy, kept)
        self.explaining = Explaining(setup, self._ledger, self._beliefs, self._the_policy)
        self._grounding = Grounding(
            setup, self._ledger, self._beliefs, self.explaining, self._the_policy
        )
        self._advising = Advising(
            setup, self._ledger, self._beliefs, self.explaining, self._comparing, self._the_policy
        )

    def __repr__(self) -> str:
        """What a study is about and how far it is."""
        return described(self)

    def __reduce__(self) -> tuple[object, ...]:
        """A study in a database is pickled as its address, one in memory with all its facts."""
        return packed(self._setup, self._ledger, self._policy)

    @property
    def setup(self) -> Setup:
        return self._setup

    @property
    def problem(self) -> Problem:
        if self._ledger.state.count == 0:  # nothing was read yet
            self._ledger.refresh()
        return self._ledger.state.problem

    @property
    def policy(self) -> Policy:
        """The policy, built on first use: reading facts needs no beliefs."""
        if self._policy is None:
            self._policy = make(self._setup.policy)
        return self._policy

    def _the_policy(self) -> Policy:
        return self.policy

    def _choose(self, history: History) -> Choice:
        self._ahead.asked()
        problem = history.problem(self._setup.problem)
        policy = self.policy
        with self._ahead.helping(policy, problem, history):
            choice = policy.propose(problem, history)
        self._ahead.proposed(policy, problem, history)
        return choice

    # ---- the loop ------------------------------------------------------------------------------

    def _ask(
        self, n: int | None, context: Mapping[str, Value] | None, key: str | None
    ) -> list[Proposal]:
        if n is None:
            return [self._proposing.one(context, key)]
        return self._proposing.many(n, context, key)

    def _decide(
        self,
        proposal: Proposal | str,
        kind: DecisionKind,
        values: Mapping[str, Value] | None,
        actor: str,
        reason: str,
        key: str | None,
        *,
        replace: bool = False,
        scope: Scope | None = None,
        radius: float | None = None,
    ) -> Decision:
        if kind == "reject":
            return self._commands.reject(
                proposal, scope, radius, actor, reason, key, replace=replace
            )
        return self._commands.decide(proposal, kind, values, actor, reason, key, replace=replace)

    def fail(
        self,
        proposal: Point,
        *,
        context: Mapping[str, Value] | None = None,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Failure:
        return self._commands.fail(proposal, context, actor, reason, idempotency_key)

    def tell(
        self,
        proposal: Point,
        value: float | Mapping[str, float | str] | None = None,
        *,
        constraints: Mapping[str, float | str] | None = None,
        context: Mapping[str, Value] | None = None,
        sem: float | Mapping[str, float] | None = None,
        repeat: bool = False,
        actor: str = NOBODY,
        idempotency_key: str | None = None,
    ) -> Observation:
        return self._commands.tell(
            proposal,
            value,
            constraints,
            context,
            actor,
            idempotency_key,
            sem=sem,
            repeat=repeat,
        )

    def tell_many(self, trials: Trials, *, idempotency_key: str | None = None) -> list[Observation]:
        return self._commands.tell_many(trials, idempotency_key)

    def _tell_and_correct(
        self,
        trials: Trials,
        anew: Sequence[Observation],
        changed: Sequence[tuple[Observation, PastTrial]],
        reason: str,
        key: str,
    ) -> tuple[list[Observation], list[Revision]]:
        return self._commands.tell_and_correct(trials, anew, changed, reason, key)

    def compare(
        self,
        winner: Compared,
        loser: Compared,
        *,
        tie: bool = False,
        context: Mapping[str, Value] | None = None,
        actor: str = NOBODY,
        idempotency_key: str | None = None,
    ) -> Comparison:
        one, two, where = compared(winner, loser, context)
        return self._comparing.compare(one, two, tie, where, actor, idempotency_key)

    def claim(
        self,
        better: Point,
        worse: Point,
        *,
        context: Mapping[str, Value] | None = None,
        actor: str = NOBODY,
        idempotency_key: str | None = None,
    ) -> Claim:
        return self._comparing.claim(better, worse, context, actor, idempotency_key)

    def decide(
        self,
        proposal: Proposal | str,
        mine: Mapping[str, Value],
        *,
        actor: str = NOBODY,
        idempotency_key: str | None = None,
    ) -> Decision:
        return self._advising.decide(proposal, mine, actor, idempotency_key)

    def next_question(self, proposal: Proposal | str) -> str | None:
        return self._beliefs.next_question(proposal)

    def revise(
        self,
        observation: Observation | str,
        value: float | Mapping[str, float | str] | None = None,
        *,
        constraints: Mapping[str, float | str] | None = None,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Revision:
        return self._commands.revise(
            observation, value, constraints, actor, reason, idempotency_key
        )

    def withdraw(
        self,
        fact: InForce | str,
        *,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Withdrawal:
        return self._commands.withdraw(fact, actor, reason, idempotency_key)

    def comment(
        self,
        fact: Fact | str,
        text: str,
        *,
        actor: str = NOBODY,
        idempotency_key: str | None = None,
    ) -> Comment:
        return self._commands.comment(fact, text, actor, idempotency_key)

    def archive(
        self,
        archived: bool = True,
        *,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Archival:
        return self._commands.archive(archived, actor, reason, idempotency_key)

    def amend(
        self,
        changes: AnySpace | Mapping[str, Parameter],
        *,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Amendment:
        return self._commands.amend(changes, actor, reason, idempotency_key)

    # ---- who is at it --------------------------------------------------------------------------

    # ---- leases --------------------------------------------------------------------------------

    def hold(self, proposal: Proposal | str, *, actor: str, seconds: float = 600.0) -> Lease:
        return self._commands.hold(proposal, actor, seconds)

    def release(self, proposal: Proposal | str, *, actor: str) -> None:
        self._commands.release(proposal, actor)

    @property
    def leases(self) -> tuple[Lease, ...]:
        return tuple(self._ledger.storage.leases(self._ledger.study))

    # ---- what happened -------------------------------------------------------------------------

    @property
    def facts(self) -> tuple[Fact, ...]:
        with self._ledger.current():
            return tuple(self._ledger.facts)

    @property
    def observations(self) -> tuple[Observation, ...]:
        with self._ledger.current() as state:
            return tuple(state.observations.values())

    @property
    def failures(self) -> tuple[Failure, ...]:
        with self._ledger.current() as state:
            return tuple(state.failures.values())

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        with self._ledger.current() as state:
            return tuple(state.comparisons.values())

    @property
    def claims(self) -> tuple[Claim, ...]:
        with self._ledger.current() as state:
            return tuple(state.claims.values())

    @property
    def comments(self) -> tuple[Comment, ...]:
        with self._ledger.current() as state:
            return tuple(state.comments.values())

    @property
    def decisions(self) -> tuple[Decision, ...]:
        with self._ledger.current() as state:
            return tuple(state.decisions.values())

    @property
    def pending(self) -> tuple[Proposal, ...]:
        with self._ledger.current() as state:
            return tuple(state.pending)

    def proposal(self, proposal: Proposal | str) -> Proposal:
        with self._ledger.current() as state:
            return state.find(proposal)

    def dataframe(self) -> "pd.DataFrame":
        with self._ledger.current() as state:
            return dataframe(state)

    def replay(self) -> Replay:
        return self._proposing.replay()

    # ---- what is believed ----------------------------------------------------------------------

    @property
    def best(self) -> Best | None:
        return self._beliefs.best()

    def predict(
        self,
        values: Mapping[str, Value],
        *,
        context: Mapping[str, Value] | None = None,
        noise: bool = False,
    ) -> Prediction | None:
        believed = self._beliefs.predict_many([values], context, noise=noise)
        return None if believed is None else believed[0]

    def predict_many(
        self,
        many: Iterable[Mapping[str, Value]],
        *,
        context: Mapping[str, Value] | None = None,
        noise: bool = False,
    ) -> list[Prediction] | None:
        return self._beliefs.predict_many(many, context, noise=noise)

    def chances(
        self, values: Mapping[str, Value], *, context: Mapping[str, Value] | None = None
    ) -> dict[str, float]:
        return self._beliefs.chances(values, context)

    def weights(
        self, many: Iterable[Mapping[str, Value]], *, context: Mapping[str, Value] | None = None
    ) -> list[float] | None:
        return self._beliefs.weights(many, context)

    def front(self) -> Front:
        with self._ledger.current() as state:
            return front_of(state)

    def outlook(
        self, *, worth: float | None = None, context: Mapping[str, Value] | None = None
    ) -> Outlook:
        return outlook_of(self._setup, self._ledger, self._the_policy, worth, context, self._kept)

    def safe_set(self, *, context: Mapping[str, Value] | None = None) -> SafeSet:
        return self._beliefs.safe_set(context)

    def safe_sets(self) -> Array:
        return self._beliefs.safe_sets()

    # ---- why -----------------------------------------------------------------------------------

    def explain(
        self,
        proposal: Point,
        *,
        context: Mapping[str, Value] | None = None,
        instead_of: Point | None = None,
        background: Sequence[Mapping[str, Value]] | None = None,
        tolerance: float = 0.01,
        until: Until = "tolerance",
        actor: str | None = None,
    ) -> Attribution:
        return self.explaining.explain(
            proposal, context, instead_of, background, tolerance, until, actor
        )

    def what_if(
        self,
        values: Mapping[str, Value],
        *,
        context: Mapping[str, Value] | None = None,
        instead_of: Proposal | str | None = None,
    ) -> WhatIf:
        return self.explaining.what_if(values, context, instead_of)

    @property
    def shown(self) -> tuple[Shown, ...]:
        return self.explaining.shown()

    def advise(
        self,
        proposal: Proposal | str,
        mine: Mapping[str, Value] | None = None,
        *,
        actor: str = NOBODY,
    ) -> Advice:
        return self._advising.advise(proposal, mine, actor)

    def grounds(self, proposal: Proposal | str) -> Grounds:
        return self._grounding.grounds(proposal)

    def alignment(self, proposal: Proposal | str, *, actor: str = NOBODY) -> Alignment | None:
        return self.explaining.alignment(proposal, actor)

    def overriding(self) -> tuple[Overriding, ...]:
        return self.explaining.overriding()

    def _repr_html_(self) -> str:
        return card(self).html()
