"""The contract of a study: the one list of its verbs and properties, typed and documented.

`Study` (local) and `RemoteStudy` (over HTTP) both satisfy it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, overload

from counsel.explain.attribution import Attribution, Shown, WhatIf
from counsel.explain.grounds import Grounds
from counsel.facts.history import Array
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
from counsel.facts.summaries import Best, Front, FrontTrial, Outlook, Replay, Setup
from counsel.space import AnySpace, Parameter
from counsel.study.optimizing import RUNNER, Callback, Function, optimize
from counsel.teams.advice import Advice
from counsel.teams.alignment import Alignment
from counsel.teams.overriding import Overriding

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["NOBODY", "Compared", "Point", "StudyLike", "Trials", "compared"]

NOBODY = "anonymous"
Until = Literal["tolerance", "ranking"]  # when sampling may stop
# Past trials: records, dicts of parameters and outcomes by name, or a DataFrame of such rows.
if TYPE_CHECKING:
    Trials: TypeAlias = Iterable[PastTrial] | Iterable[Mapping[str, object]] | pd.DataFrame
else:
    Trials = Iterable[PastTrial] | Iterable[Mapping[str, object]]
Point = Proposal | str | Mapping[str, Value]  # a trial: a proposal, its id, or values
Compared = Point | FrontTrial  # and those that `front().compare` names


def compared(
    winner: Compared, loser: Compared, context: Mapping[str, Value] | None
) -> tuple[Point, Point, Mapping[str, Value] | None]:
    """Two trials as points, and their context where nothing else says it."""
    if isinstance(winner, FrontTrial) and context is None and winner.proposal is None:
        context = winner.context or None
    one, two = (
        (each.proposal or each.values) if isinstance(each, FrontTrial) else each
        for each in (winner, loser)
    )
    return one, two, context


class StudyLike(Protocol):
    """People and a policy deciding together, one trial at a time."""

    @property
    def setup(self) -> Setup:
        """What the study was created with."""
        ...

    @property
    def name(self) -> str:
        return self.setup.name

    @property
    def problem(self) -> Problem:
        """What is searched and wanted today: the space is as the last amendment has it."""
        ...

    @property
    def seed(self) -> int:
        return self.setup.seed

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

    def optimize(
        self,
        function: Function,
        trials: int,
        *,
        executor: Any = None,
        workers: int | None = None,
        context: Mapping[str, Value] | None = None,
        actor: str = RUNNER,
        most_failures: int = 10,
        callbacks: Sequence[Callback] = (),
        progress: bool | None = None,
    ) -> None:
        """Try a function by itself until `trials` proposals of this study have been tried.

        `function` takes one dict, the values of parameters and context, and returns the objective,
        or a dict of outcomes by name. Proposals that were tried before count, so that an
        interrupted call can simply be repeated: what was under way is taken up again.

        `executor` is any `concurrent.futures` executor or a Dask client; without one the function
        runs here, one trial at a time. `workers` is how many trials run at once, by default as many
        as the executor has workers. An exception, NaN or infinity is recorded as a failed trial;
        after `most_failures` in a row the call ends with an error. Each of `callbacks` is called
        with the study and each new fact. `progress` shows a bar, by default in a terminal.
        """
        optimize(
            self,
            function,
            trials,
            executor=executor,
            workers=workers,
            context=context,
            actor=actor,
            most_failures=most_failures,
            callbacks=callbacks,
            progress=progress,
        )

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
    def failures(self) -> tuple[Failure, ...]:
        """The failed trials in force."""
        ...

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """The comparisons in force."""
        ...

    @property
    def claims(self) -> tuple[Claim, ...]:
        """What people expected of two points, in force."""
        ...

    @property
    def comments(self) -> tuple[Comment, ...]:
        """What people said about facts, in force."""
        ...

    @property
    def archived(self) -> bool:
        """Whether the study is archived."""
        marks = [fact.archived for fact in self.facts if isinstance(fact, Archival)]
        return bool(marks) and marks[-1]

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
        """One row per proposal, and per trial that nobody proposed."""
        ...

    def replay(self) -> Replay:
        """Derive every proposal again from the facts before it, and compare bit for bit."""
        ...

    # ---- what is believed ----------------------------------------------------------------------

    @property
    def best(self) -> Best | None:
        """The best trial so far, or None.

        Under noise the largest value is often just the luckiest, so a policy with beliefs chooses
        the trial by its believed payoff; `value` is what was measured there, on average if it was
        measured several times. With constraints it is
        the certified trial whose payoff has the largest lower bound, and `certified` is True. If no
        trial is certified, it is one that a person declared safe (`declared`), or else the one
        where all constraints most likely hold; `chance` gives the probability.
        """
        ...

    def predict(
        self,
        values: Mapping[str, Value],
        *,
        context: Mapping[str, Value] | None = None,
        noise: bool = False,
    ) -> Prediction | None:
        """The belief about the objective at a point; None before any observation.

        With `noise` it is about one measurement there: that repeated trials differ counts too.
        """
        ...

    def predict_many(
        self,
        many: Iterable[Mapping[str, Value]],
        *,
        context: Mapping[str, Value] | None = None,
        noise: bool = False,
    ) -> list[Prediction] | None:
        """The beliefs at several points, from one posterior."""
        ...

    def chances(
        self, values: Mapping[str, Value], *, context: Mapping[str, Value] | None = None
    ) -> dict[str, float]:
        """The probability that each constraint holds at a point; empty while nothing is known."""
        ...

    def weight(
        self, values: Mapping[str, Value], *, context: Mapping[str, Value] | None = None
    ) -> float | None:
        """The output weight w of `lw-ucb` at a point; None before any observation.

        It averages 1 over the space, and is large where the predicted payoff is rare.
        """
        found = self.weights([values], context=context)
        return None if found is None else found[0]

    def weights(
        self, many: Iterable[Mapping[str, Value]], *, context: Mapping[str, Value] | None = None
    ) -> list[float] | None:
        """The output weights at several points, from one posterior."""
        ...

    def front(self) -> Front:
        """The trials that no other one beats in every objective, and what objectives are worth.

        Trials are compared by what was measured, noise included. With one objective it is the best
        measurement.
        """
        ...

    def outlook(
        self, *, worth: float | None = None, context: Mapping[str, Value] | None = None
    ) -> Outlook:
        """How much is still to be gained, and whether the model predicts what was measured.

        `worth` is a gain that another trial would be worth, in the objective's units; by default a
        twentieth of the range of what was measured.
        """
        ...

    def safe_set(self, *, context: Mapping[str, Value] | None = None) -> SafeSet:
        """The points where all constraints are certified to hold, with their bounds.

        Over arms these are arms; in a box, tried points and a sample of the rest, with the ranges
        that they lie in.
        """
        ...

    def safe_sets(self) -> Array:
        """After each trial (n, 2): the share of points known to be safe, and the share that may be.

        Shares after earlier trials are computed with today's model.
        """
        ...

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
        """Explain a proposal, or a point given by its values.

        A proposal is explained under the facts it was derived from: base and contributions add up
        to the terms that were maximised. Values are explained under today's facts, by what the next
        `ask` would maximise.

        Contributions are relative to `background`, by default the whole space. With `instead_of`,
        another point or proposal, they add up to the difference from it: why this and not that. If
        one of the two is a proposal, both are judged by what it maximised, in its context.

        Where there are too many coalitions to enumerate, values are sampled until every 95%
        interval is within `tolerance` of the largest value of its term, or, with `until="ranking"`,
        until the order of the parameters is clear. With `actor`, it is recorded that this person
        has seen the explanation (`shown`).
        """
        ...

    def what_if(
        self,
        values: Mapping[str, Value],
        *,
        context: Mapping[str, Value] | None = None,
        instead_of: Proposal | str | None = None,
    ) -> WhatIf:
        """The belief about a point that nobody proposed, and the reasons for trying it.

        With `instead_of` a proposal, both are judged by what that proposal maximised, in its
        context.
        """
        ...

    @property
    def shown(self) -> tuple[Shown, ...]:
        """The explanations that people have seen, in order."""
        ...

    def advise(
        self,
        proposal: Proposal | str,
        mine: Mapping[str, Value] | None = None,
        *,
        actor: str = NOBODY,
    ) -> Advice:
        """Should this person step in: go ahead, your call, or step in, and one sentence why.

        `mine` is what they would try instead, in the proposal's context: how likely it is better,
        and by how much. What their past choices turned out to be worth counts as well. Nothing is
        written down.
        """
        ...

    def grounds(self, proposal: Proposal | str) -> Grounds:
        """What the reasons for a proposal rest on.

        Whether the main reason survives under other plausible fits, and how much each trial and
        each person's trials speak for the proposal. This takes a moment: it is a score for every
        fit, trial and person.
        """
        ...

    def alignment(self, proposal: Proposal | str, *, actor: str = NOBODY) -> Alignment | None:
        """The distance between the policy's reasons for a proposal and this person's past reasons.

        None while the person has overridden nothing.
        """
        ...

    def overriding(self) -> tuple[Overriding, ...]:
        """What overriding cost or gained each person, as believed today."""
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
