"""What a study can do: the one list of its verbs and properties, typed and documented here.

`Study` (on this machine) and `RemoteStudy` (over HTTP) both keep this contract.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, overload

from counsel.explain.attribution import Attribution, Shown, WhatIf
from counsel.facts.history import Array
from counsel.facts.records import (
    Best,
    Comparison,
    Decision,
    Fact,
    Lease,
    Observation,
    PastTrial,
    Prediction,
    Problem,
    Proposal,
    Replay,
    Revision,
    Setup,
    Value,
    Withdrawal,
)
from counsel.facts.safety import SafeSet
from counsel.facts.state import InForce
from counsel.teams.alignment import Alignment
from counsel.teams.overriding import Overriding

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["NOBODY", "Point", "StudyLike"]

NOBODY = "anonymous"
Point = Proposal | str | Mapping[str, Value]  # a trial: a proposal, its id, or values


class StudyLike(Protocol):
    """People and a policy deciding together, one trial at a time."""

    @property
    def setup(self) -> Setup:
        """What the study was created with."""
        ...

    @property
    def name(self) -> str: ...

    @property
    def problem(self) -> Problem: ...

    @property
    def seed(self) -> int: ...

    # ---- the loop ------------------------------------------------------------------------------

    @overload
    def ask(
        self,
        n: None = None,
        *,
        context: Mapping[str, Value] | None = None,
        idempotency_key: str | None = None,
    ) -> Proposal: ...
    @overload
    def ask(
        self,
        n: int,
        *,
        context: Mapping[str, Value] | None = None,
        idempotency_key: str | None = None,
    ) -> list[Proposal]: ...
    def ask(
        self,
        n: int | None = None,
        *,
        context: Mapping[str, Value] | None = None,
        idempotency_key: str | None = None,
    ) -> Proposal | list[Proposal]:
        """Propose what to try next; `ask(3)` proposes three trials that go well together."""
        ...

    def accept(
        self,
        proposal: Proposal | str,
        *,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Decision:
        """Try what was proposed."""
        ...

    def override(
        self,
        proposal: Proposal | str,
        values: Mapping[str, Value],
        *,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Decision:
        """Try `values` instead; the observation will be theirs."""
        ...

    def reject(
        self,
        proposal: Proposal | str,
        *,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Decision:
        """Do not try this. It is not proposed again until the decision is withdrawn."""
        ...

    def tell(
        self,
        proposal: Point,
        value: float | None = None,
        *,
        constraints: Mapping[str, float] | None = None,
        context: Mapping[str, Value] | None = None,
        actor: str = NOBODY,
        idempotency_key: str | None = None,
    ) -> Observation:
        """Record what was measured: of a proposal, or of a point that nobody proposed.

        `value` is the objective's, `constraints` holds the answers about constraints: those of
        `proposal.asks`, fewer or more. What was not measured is left out, and may be told of the
        same proposal later. Telling an undecided proposal counts as accepting it.
        """
        ...

    def tell_many(
        self, trials: Iterable[PastTrial], *, idempotency_key: str | None = None
    ) -> list[Observation]:
        """Record many trials that nobody proposed, as from a table of past ones: all or none."""
        ...

    def compare(
        self,
        *,
        winner: Point,
        loser: Point,
        tie: bool = False,
        context: Mapping[str, Value] | None = None,
        actor: str = NOBODY,
        idempotency_key: str | None = None,
    ) -> Comparison:
        """Record that a person prefers one trial to another; with `tie`, neither.

        Each is a proposal (compared where it was tried, if somebody overrode it), the id of one, or
        a dict of values. Two proposals are compared in the context that they share.
        """
        ...

    def next_question(self, proposal: Proposal | str) -> str | None:
        """The constraint to ask about next where a proposal is tried; None when that is enough.

        For asking one question after the other: tell the objective first, if it is measured, then
        each answer, `tell(proposal, constraints={question: answer})`, and ask again. Every answer
        is taken into account, so there are fewer questions than in `proposal.asks`, which names
        them all beforehand.
        """
        ...

    def revise(
        self,
        observation: Observation | str,
        value: float | None = None,
        *,
        constraints: Mapping[str, float] | None = None,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Revision:
        """Correct what was measured; outcomes that are not given stay. The history keeps both."""
        ...

    def withdraw(
        self,
        fact: InForce | str,
        *,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Withdrawal:
        """Take back a decision, observation, comparison or revision; the history keeps both."""
        ...

    # ---- who is at it --------------------------------------------------------------------------

    def hold(self, proposal: Proposal | str, *, actor: str, seconds: float = 600.0) -> Lease:
        """Keep a proposal for one person: until the lease lapses, nobody else decides or tells it.

        Holding it again renews the lease.
        """
        ...

    def release(self, proposal: Proposal | str, *, actor: str) -> None:
        """Give a proposal back before the lease lapses."""
        ...

    @property
    def leases(self) -> tuple[Lease, ...]:
        """Who holds which proposal, and until when."""
        ...

    # ---- what happened -------------------------------------------------------------------------

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Everything that happened, in order."""
        ...

    @property
    def observations(self) -> tuple[Observation, ...]:
        """The observations in force."""
        ...

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """The comparisons in force."""
        ...

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The decisions in force."""
        ...

    @property
    def pending(self) -> tuple[Proposal, ...]:
        """Proposals that wait for a decision or an observation."""
        ...

    def proposal(self, proposal: Proposal | str) -> Proposal:
        """The proposal of this id."""
        ...

    def dataframe(self) -> "pd.DataFrame":
        """One row per proposal, and per observation that nobody proposed."""
        ...

    def replay(self) -> Replay:
        """Derive every proposal anew from the facts before it, and compare bit for bit."""
        ...

    # ---- what is believed ----------------------------------------------------------------------

    @property
    def best(self) -> Best | None:
        """The best trial so far, or None.

        With noise the largest value is often the luckiest: the trial is chosen by what is believed
        of its payoff, where the policy has beliefs; `value` is what was measured there. With
        constraints it is the certified trial whose payoff has the largest lower bound, and
        `certified` is True. Where no trial is certified it is the one where all constraints most
        likely hold: `certified` is False and `chance` says how likely.
        """
        ...

    def predict(
        self, values: Mapping[str, Value], *, context: Mapping[str, Value] | None = None
    ) -> Prediction | None:
        """What is believed of the objective at a point; None before any observation."""
        ...

    def predict_many(
        self, many: Iterable[Mapping[str, Value]], *, context: Mapping[str, Value] | None = None
    ) -> list[Prediction] | None:
        """What is believed at several points, from one posterior."""
        ...

    def chances(
        self, values: Mapping[str, Value], *, context: Mapping[str, Value] | None = None
    ) -> dict[str, float]:
        """How likely each constraint holds at a point; empty while nothing is believed of them."""
        ...

    def safe_set(self, *, context: Mapping[str, Value] | None = None) -> SafeSet:
        """The points where all constraints are certified to hold, with their bounds.

        Over arms these are arms; in a box, tried points and a sample of the rest, with the ranges
        that they lie in.
        """
        ...

    def safe_sets(self) -> Array:
        """After each trial (n, 2): the share of points known to be safe, and that may be.

        The shares of earlier trials are as one would see them today, with today's model.
        """
        ...

    # ---- why -----------------------------------------------------------------------------------

    def explain(
        self,
        proposal: Point,
        *,
        context: Mapping[str, Value] | None = None,
        instead_of: Proposal | str | None = None,
        background: Sequence[Mapping[str, Value]] | None = None,
        tolerance: float = 0.01,
        actor: str | None = None,
    ) -> Attribution:
        """Why this proposal, or why one would try these values.

        A proposal is explained under the facts it was derived from: base and contributions add up
        to the terms that were maximised. Values are explained under the facts of today, by what the
        next `ask` would maximise, or, `instead_of` a proposal, by what that one maximised.
        Contributions are relative to `background`, by default the whole space; `tolerance` matters
        only where coalitions are too many to enumerate. With `actor` it is written down that this
        person has seen it (`shown`).
        """
        ...

    def what_if(
        self,
        values: Mapping[str, Value],
        *,
        context: Mapping[str, Value] | None = None,
        instead_of: Proposal | str | None = None,
    ) -> WhatIf:
        """What is believed of a point that nobody proposed, and what speaks for trying it.

        `instead_of` a proposal, both are judged by what that proposal maximised, in its context.
        """
        ...

    @property
    def shown(self) -> tuple[Shown, ...]:
        """The explanations that people have seen, in order."""
        ...

    def alignment(self, proposal: Proposal | str, *, actor: str = NOBODY) -> Alignment | None:
        """How far the machine's reasons for a proposal are from this person's past ones.

        None while the person has overridden nothing.
        """
        ...

    def overriding(self) -> tuple[Overriding, ...]:
        """What overriding cost or gained, person by person, as far as is believed today."""
        ...
