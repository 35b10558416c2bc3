"""Derives proposals from facts, seed and policy alone, so that replaying reproduces them."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial

import numpy as np

from counsel.errors import Conflict, InvalidInput
from counsel.facts.checks import MOST_PROPOSALS, check_whole
from counsel.facts.history import History
from counsel.facts.kept import Kept
from counsel.facts.problem import Problem
from counsel.facts.records import Amendment, Decision, Prediction, Proposal, Value, Withdrawal
from counsel.facts.state import StudyState
from counsel.facts.summaries import Difference, Replay, Setup
from counsel.policies.protocol import Choice
from counsel.policies.random import allowed_arms
from counsel.space import AnySpace, Arms
from counsel.storage.contract import Writer
from counsel.storage.ledger import Ledger
from counsel.study.commands import check_key, now

__all__ = ["Choose", "Proposing", "signed"]

Choose = Callable[[History], Choice]  # what a policy chooses, given the history
# How often others' facts may overtake a proposal before it is computed under the lock.
_RACES = 3
_SAME = 1e-9  # apart in the unit cube
UNDER_WAY = "The same trial is under way already: this one would measure it again."


class Proposing:
    """Asks `choose` for proposals and records them, one at a time under `computing`.

    Take `computing` before the ledger's lock if you need both.
    """

    def __init__(
        self,
        setup: Setup,
        ledger: Ledger,
        choose: Choose,
        computing: AbstractContextManager[object],
        kept: Kept,
        free: Callable[[], None],
    ) -> None:
        """`free` takes back what nobody works on any more, before anything is proposed."""
        self._setup = setup
        self._ledger = ledger
        self._choose = choose
        self._computing = computing
        self._kept = kept
        self._free = free

    @property
    def _space(self) -> AnySpace:
        return self._ledger.state.problem.space

    def one(self, context: Mapping[str, Value] | None, key: str | None) -> Proposal:
        given = self._space.validate_context(context)
        return self._propose(given, check_key(key), ("ask", None, given))

    def many(self, n: int, context: Mapping[str, Value] | None, key: str | None) -> list[Proposal]:
        check_whole("n", n, least=1, most=MOST_PROPOSALS)
        given = self._space.validate_context(context)
        key, asked = check_key(key), ("ask", n, given)
        # Each proposal has its own key, so repeating an interrupted batch completes it.
        keys = [None if key is None else f"{key} #{i + 1}" for i in range(n)]
        if self._ledger.answered(keys[0], asked) is None:
            self._refuse_beyond(n, given)
        with self._computing:  # not the ledger: people decide while a batch is computed
            return [
                self._propose(given, each, asked, free=place == 0, left=n - place)
                for place, each in enumerate(keys)
            ]

    def replay(self) -> Replay:
        with self._ledger.current():
            facts = list(self._ledger.facts)
        problem, kept = self._setup.problem, Kept()  # from nothing: it is a proof
        differences: list[Difference] = []
        state, count = StudyState(problem), 0
        for fact in facts:
            if isinstance(fact, Proposal):
                before = (
                    state if fact.seen == state.count else StudyState(problem, facts[: fact.seen])
                )
                again = self._derive(before, fact.round, dict(fact.context), kept)
                differences += _differences(fact, again)
                count += 1
            state.add(fact)
        return Replay(count, tuple(differences))

    def _propose(
        self,
        context: dict[str, Value],
        key: str | None,
        asked: tuple[object, ...],
        *,
        free: bool = True,
        left: int = 1,
    ) -> Proposal:
        """The next proposal. It is computed before the storage is locked, and computed anew if
        meanwhile somebody else has changed what it must keep clear of. `left` are still asked
        for, this one included."""
        before = self._ledger.answered(key, asked)
        if isinstance(before, Proposal):
            return before
        self._refuse_archived()
        if free:
            self._free()
        for _ in range(_RACES):
            with self._computing:
                with self._ledger.locked() as state:
                    t, seen = state.made[Proposal] + 1, state.count
                    history = self._history(state, t, context, self._kept)
                proposal = self._made(replace(history, wanted=left), seen, context)
            try:
                return self._ledger.write(partial(self._current, proposal), key, asked)
            except _Overtaken:  # the facts that overtook it are known by now
                continue

        def make(_: Writer) -> Proposal:
            state = self._ledger.state
            return self._derive(state, state.made[Proposal] + 1, context, self._kept)

        with self._computing:
            return self._ledger.write(make, key, asked)

    def _refuse_beyond(self, n: int, context: dict[str, Value]) -> None:
        """A batch of more arms than are left is refused as a whole, not after its first trials."""
        if not (isinstance(self._space, Arms) and self._space.once):
            return
        self._refuse_archived()
        self._free()
        with self._ledger.current() as state:
            history = self._history(state, state.made[Proposal] + 1, context, self._kept)
        left = int(allowed_arms(self._space, history).sum())
        if n > left:
            raise InvalidInput(
                "n", n, f"Each arm may be tried once, and {left} are left: ask for {left}."
            )

    def _refuse_archived(self) -> None:
        with self._ledger.current() as state:
            last = state.archival
        if last is not None and last.archived:
            raise Conflict(
                f"{last.actor} archived this study. Bring it back first: `counsel archive "
                "--back`, or study.archive(False).",
                last,
            )

    def _current(self, proposal: Proposal, writer: Writer) -> Proposal:
        """Record a proposal, unless facts that it has not seen rule it out.

        A measurement or failure more only means that less was known. A proposal, rejection,
        override, amendment or withdrawal changes where trials are under way or forbidden.
        """
        for fact in self._ledger.facts[proposal.seen :]:
            if isinstance(fact, Proposal | Withdrawal | Amendment) or (
                isinstance(fact, Decision) and fact.kind != "accept"
            ):
                raise _Overtaken
        return proposal

    def _derive(self, state: StudyState, t: int, context: dict[str, Value], kept: Kept) -> Proposal:
        return self._made(self._history(state, t, context, kept), state.count, context)

    def _history(self, state: StudyState, t: int, context: dict[str, Value], kept: Kept) -> History:
        given = state.problem.space.encode_context(context)
        return state.history(t=t, seed=self._setup.seed, context=given, kept=kept)

    def _made(self, history: History, seen: int, context: dict[str, Value]) -> Proposal:
        """The proposal of a round: a function of the facts, the seed and the policy alone."""
        problem = history.problem(self._setup.problem)
        choice = self._choose(history)
        prediction = None
        if choice.mean is not None and choice.sd is not None:
            believed = Prediction(choice.mean, choice.sd, choice.limit)
            prediction = signed(believed, problem.objective.sign)
        return Proposal(
            id=f"p{history.t}",
            round=history.t,
            values=_values(problem, choice),
            context=context,
            asks=choice.asks,
            prediction=prediction,
            terms=dict(choice.terms),
            policy=self._setup.policy_name,
            theta=choice.theta,
            seen=seen,
            note=" ".join(filter(None, (choice.note, _again(problem, history, choice)))),
            time=now(),
            chances=dict(choice.chances),
        )


def _again(problem: Problem, history: History, choice: Choice) -> str:
    """What a note says of a trial that is under way already, as in a large batch."""
    if not len(history.pending) or problem.objective.preferred:
        return ""
    point = problem.space.encode(_values(problem, choice))
    here = np.concatenate([point, history.context])
    gaps = np.abs(history.pending - here).max(axis=1, initial=0.0)
    return UNDER_WAY if (gaps < _SAME).any() else ""


def _values(problem: Problem, choice: Choice) -> dict[str, Value]:
    space = problem.space
    return space.decode(choice.point) if choice.arm is None else space[choice.arm]  # type: ignore[index]


def signed(prediction: Prediction, sign: float) -> Prediction:
    """A prediction of what is maximised, in the user's sign."""
    limit = None if prediction.limit is None else sign * prediction.limit + 0.0
    return Prediction(sign * prediction.mean + 0.0, prediction.sd, limit)  # 0, not -0


class _Overtaken(Exception):
    """Raised when facts that a proposal has not seen have changed where it may be."""


def _differences(recorded: Proposal, replayed: Proposal) -> list[Difference]:
    before, again = recorded.prediction, replayed.prediction
    if before is not None and before.limit is None and again is not None:
        # Proposals were once recorded without a limit.
        replayed = replace(replayed, prediction=replace(again, limit=None))
    if replayed.note == f"{recorded.note} {UNDER_WAY}".strip():
        # A repeated trial was once proposed without a word.
        replayed = replace(replayed, note=recorded.note)
    compared = ("values", "asks", "chances", "prediction", "terms", "policy", "theta", "note")
    return [
        Difference(recorded.id, field, getattr(recorded, field), getattr(replayed, field))
        for field in compared
        if getattr(recorded, field) != getattr(replayed, field)
    ]
