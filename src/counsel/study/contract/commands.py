"""Verbs that write facts, and leases."""

from collections.abc import Mapping
from typing import Protocol, overload

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
    Proposal,
    Revision,
    Scope,
    Value,
    Withdrawal,
)
from counsel.facts.state import InForce
from counsel.space import AnySpace, Parameter
from counsel.study.contract.points import NOBODY, Compared, Point, Trials

__all__ = ["Commands"]


class Commands(Protocol):
    """What people and the policy do."""

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
        """Propose what to try next; `ask(3)` proposes three trials that go well together.

        At most 1,000 at a time: what is pending is accounted for when more are asked for.
        """
        found = self._ask(n, context, idempotency_key)
        return found[0] if n is None else found

    def accept(
        self,
        proposal: Proposal | str,
        *,
        actor: str = NOBODY,
        reason: str = "",
        replace: bool = False,
        idempotency_key: str | None = None,
    ) -> Decision:
        """Try what was proposed.

        With `replace`, a decision that was made before is changed, for as long as nothing was
        told; the history keeps both.
        """
        return self._decide(
            proposal, "accept", None, actor, reason, idempotency_key, replace=replace
        )

    def override(
        self,
        proposal: Proposal | str,
        values: Mapping[str, Value],
        *,
        actor: str = NOBODY,
        reason: str = "",
        replace: bool = False,
        idempotency_key: str | None = None,
    ) -> Decision:
        """Try `values` instead; what is told of this proposal is then an observation at these."""
        return self._decide(
            proposal, "override", values, actor, reason, idempotency_key, replace=replace
        )

    def reject(
        self,
        proposal: Proposal | str,
        *,
        scope: Scope | None = None,
        radius: float | None = None,
        actor: str = NOBODY,
        reason: str = "",
        replace: bool = False,
        idempotency_key: str | None = None,
    ) -> Decision:
        """Do not try this. It is not proposed again until the decision is withdrawn.

        With the scope "region", which is the default in a box, neither is anything within `radius`
        of it in every parameter, as a share of the parameter's range: 0.05 if not given. With the
        scope "point", the default among arms, only the point itself (in a box, 0.001 around it).
        """
        return self._decide(
            proposal,
            "reject",
            None,
            actor,
            reason,
            idempotency_key,
            replace=replace,
            scope=scope,
            radius=radius,
        )

    def abandon(
        self,
        proposal: Proposal | str,
        *,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Decision:
        """Stop waiting for a proposal, and conclude nothing from that: it may be proposed again.

        A result that comes in later is still welcome. A proposal whose lease has lapsed is
        abandoned at the next `ask`.
        """
        return self._decide(proposal, "abandon", None, actor, reason, idempotency_key, replace=True)

    def fail(
        self,
        proposal: Point,
        *,
        context: Mapping[str, Value] | None = None,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Failure:
        """Record that a trial was made and nothing could be measured, because of where it was.

        How likely a trial works is learned from it, and weighs in what is proposed next. For a
        trial that went wrong by accident, use `abandon`.
        """
        ...

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
        """Record what was measured: of a proposal, or of a point that nobody proposed.

        `value` is the objective's, `constraints` holds the answers about constraints: those of
        `proposal.asks`, fewer or more. Several objectives are told by name, and constraints may be
        told with them: `tell(proposal, {"yield": 81.0, "cost": 3.2})`. What was not measured is
        left out, and may be told of the same proposal later. Telling an undecided proposal counts
        as accepting it.

        `sem` is the standard error of `value`, or of each outcome by its name, where it is known:
        that outcome then counts as exactly that noisy. With `repeat`, something that was told of
        this proposal is measured once more, and both count.
        """
        ...

    def tell_many(self, trials: Trials, *, idempotency_key: str | None = None) -> list[Observation]:
        """Record many trials that nobody proposed, such as a table of past ones: all or none.

        Each is a `PastTrial`, or a dict or row with parameters and outcomes by name.
        """
        ...

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
        """Record that a person prefers one trial to another; with `tie`, neither.

        With the trade-off "comparisons" it is their outcomes that are compared, which have to be
        told first: what each objective is worth is learned from them.

        Each is a proposal, its id, a dict of values, or a trial of `front().compare`; an overridden
        proposal is compared where it was tried. Two proposals are compared in the context that they
        share.
        """
        ...

    def claim(
        self,
        better: Point,
        worse: Point,
        *,
        context: Mapping[str, Value] | None = None,
        actor: str = NOBODY,
        idempotency_key: str | None = None,
    ) -> Claim:
        """Record which of two trials a person expects to be better, before that is known.

        Ask it of the first trials, before their results are seen: what came of it tells how far to
        follow the person. Nothing else is concluded.
        """
        ...

    def decide(
        self,
        proposal: Proposal | str,
        mine: Mapping[str, Value],
        *,
        actor: str = NOBODY,
        idempotency_key: str | None = None,
    ) -> Decision:
        """Let the team's rule decide between a proposal and what this person would try instead.

        What they would try is recorded as a claim, whoever is followed. The decision is theirs:
        `override` or `accept` with `replace=True` overrules it. Only in a study with a `team`.
        """
        ...

    def next_question(self, proposal: Proposal | str) -> str | None:
        """The constraint to ask about next for a proposal, or None when no more are needed.

        Use it to ask one question after another: tell the objective first, if it is measured, then
        each answer with `tell(proposal, constraints={question: answer})`, and ask again. Each
        answer is taken into account, so fewer questions are needed than `proposal.asks` names in
        advance. With `dmcl` it may be None from the start: where the point is certified already,
        and where the objective, once told, shows that it is hardly better than what is certified.
        """
        ...

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
        """Correct what was measured; other outcomes stay as they are. The history keeps both."""
        ...

    def withdraw(
        self,
        fact: InForce | str,
        *,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Withdrawal:
        """Take back a decision, observation, failure, comparison, claim, comment or revision; the
        history keeps both."""
        ...

    def comment(
        self,
        fact: Fact | str,
        text: str,
        *,
        actor: str = NOBODY,
        idempotency_key: str | None = None,
    ) -> Comment:
        """Say something about a proposal, a trial or any other fact; beliefs stay as they are."""
        ...

    def archive(
        self,
        archived: bool = True,
        *,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Archival:
        """Archive the study: lists leave it out. With `archived=False` it is brought back.

        Nothing else changes: it opens by its name, and can go on.
        """
        ...

    def amend(
        self,
        changes: AnySpace | Mapping[str, Parameter],
        *,
        actor: str = NOBODY,
        reason: str = "",
        idempotency_key: str | None = None,
    ) -> Amendment:
        """Change the space from now on: `amend({"temperature": Float(20, 120)})`.

        Bounds may be widened, and narrowed to what was tried; levels and arms may be added. What is
        named stays named. Proposals that were made before still replay.
        """
        ...

    # ---- leases --------------------------------------------------------------------------------

    def hold(self, proposal: Proposal | str, *, actor: str, seconds: float = 600.0) -> Lease:
        """Reserve a proposal for one person: until the lease expires, nobody else can decide or
        tell it.

        Holding it again renews the lease.
        """
        ...

    def release(self, proposal: Proposal | str, *, actor: str) -> None:
        """Release a proposal before the lease expires."""
        ...

    @property
    def leases(self) -> tuple[Lease, ...]:
        """Who holds which proposal, and until when."""
        ...

    # ---- what the verbs above rest on ----------------------------------------------------------

    def _ask(
        self, n: int | None, context: Mapping[str, Value] | None, key: str | None
    ) -> list[Proposal]: ...

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
    ) -> Decision: ...
