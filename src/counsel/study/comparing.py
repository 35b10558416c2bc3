"""What people say of two trials: which was better, which will be, and who decides between them."""

from collections.abc import Mapping

from counsel.errors import Conflict, InvalidInput
from counsel.facts.checks import check_actor
from counsel.facts.form import Frozen
from counsel.facts.records import (
    Claim,
    Comparison,
    Decision,
    DecisionKind,
    Fact,
    Proposal,
    Value,
)
from counsel.storage.contract import Writer
from counsel.study.commands import Writing, check_key, named, now
from counsel.study.contract.points import Point
from counsel.study.refusing import refuse_if_held, refuse_if_over, refuse_unmeasured

__all__ = ["Comparing"]


class Comparing(Writing):
    """The commands that take two trials at once."""

    def compare(
        self,
        winner: Point,
        loser: Point,
        tie: bool,
        context: Mapping[str, Value] | None,
        actor: str,
        key: str | None,
    ) -> Comparison:
        check_actor(actor)
        if not isinstance(tie, bool):
            raise InvalidInput("tie", tie, "Give True or False.")

        def work(writer: Writer) -> Comparison:
            first, second, given = self._two("winner", winner, "loser", loser, context)
            if self._problem.tradeoff == "comparisons":
                for role, (values, _) in (("winner", first), ("loser", second)):
                    refuse_unmeasured(self._state, role, values, given)
            names = [None if p is None else p.id for _, p in (first, second)]
            return Comparison(
                id=f"c{self._state.made[Comparison] + 1}",
                winner=first[0],
                loser=second[0],
                tie=tie,
                context=given,
                winner_proposal=names[0],
                loser_proposal=names[1],
                actor=actor,
                time=now(),
            )

        asked = ("compare", named(winner), named(loser), tie, context, actor)
        return self._ledger.write(work, check_key(key), asked)

    def claim(
        self,
        better: Point,
        worse: Point,
        context: Mapping[str, Value] | None,
        actor: str,
        key: str | None,
    ) -> Claim:
        check_actor(actor)

        def work(writer: Writer) -> Claim:
            first, second, given = self._two("better", better, "worse", worse, context)
            both = (first, second)
            if all(p is not None and p.id in self._state.observed for _, p in both):
                raise Conflict(
                    "Both trials have been measured: a claim is made before the results are known.",
                    self._state.observed[second[1].id],  # type: ignore[union-attr]
                )
            claim = self._claimed(first, second, given, actor)
            for known in self._state.claims.values():
                if known.actor == actor and _opposite(known, claim):
                    raise Conflict(
                        f"{actor} expects the opposite ({known.id}): withdraw that first.", known
                    )
            return claim

        asked = ("claim", named(better), named(worse), context, actor)
        return self._ledger.write(work, check_key(key), asked)

    def decide_as_a_team(
        self,
        proposal: Proposal | str,
        mine: Mapping[str, Value],
        kind: DecisionKind,
        actor: str,
        reason: str,
        key: str | None,
        third: tuple[str, Mapping[str, Value]] | None = None,
    ) -> Decision:
        """What a person would try, and what is tried: both facts, or none.

        `third` is a point that neither named, and who named it: the choice is not the person's.
        """
        check_actor(actor)
        own = self._space.validate(mine)
        by, tried = (actor, own) if third is None else (third[0], self._space.validate(third[1]))

        def work(writer: Writer) -> list[Fact]:
            found = self._state.find(proposal)
            refuse_if_over(self._state, found, kind)
            refuse_if_held(writer, found, actor)
            facts: list[Fact] = []
            if own != dict(found.values):
                both = (own, None), (found.values, found)
                facts.append(self._claimed(*both, found.context, actor))
            first = self._state.decisions.get(found.id)
            if first is not None and first.kind != "abandon":
                raise Conflict(
                    f"Proposal {found.id!r} was already decided: {first.kind} by {first.actor}. "
                    f"Withdraw {first.id} to decide anew.",
                    first,
                )
            made, values = self._state.made[Decision], tried if kind == "override" else None
            facts.append(Decision(f"d{made + 1}", found.id, kind, values, by, reason, now()))
            return facts

        key = check_key(key)
        with self._ledger.current() as state:
            many = 1 if own == dict(state.find(proposal).values) else 2
        keys = [None if key is None else f"{key} #{i}" for i in range(many)]
        asked = ("team", named(proposal), own, actor)
        return self._ledger.write_all(work, keys, asked)[-1]  # type: ignore[return-value]

    def _claimed(
        self,
        first: tuple[Mapping[str, Value], Proposal | None],
        second: tuple[Mapping[str, Value], Proposal | None],
        context: Mapping[str, Value],
        actor: str,
    ) -> Claim:
        (better, source), (worse, other) = first, second
        return Claim(
            id=f"e{self._state.made[Claim] + 1}",
            better=better,
            worse=worse,
            context=context,
            better_proposal=None if source is None else source.id,
            worse_proposal=None if other is None else other.id,
            actor=actor,
            time=now(),
        )

    def _two(
        self,
        role: str,
        point: Point,
        other_role: str,
        other: Point,
        context: Mapping[str, Value] | None,
    ) -> tuple[
        tuple[Mapping[str, Value], Proposal | None],
        tuple[Mapping[str, Value], Proposal | None],
        Mapping[str, Value],
    ]:
        """Two different trials, and the context that they share."""
        first, second = self._trial(role, point), self._trial(other_role, other)
        contexts = [p.context for _, p in (first, second) if p is not None]
        if context is not None or not contexts:
            contexts.insert(0, Frozen(self._space.validate_context(context)))
        if contexts[-1] != contexts[0]:
            raise InvalidInput(
                "context", contexts[-1], f"Compare two trials in one context: {contexts[0]}."
            )
        if first[0] == second[0]:
            raise InvalidInput(other_role, first[0], "Compare two different points.")
        return first, second, contexts[0]

    def _trial(self, role: str, point: Point) -> tuple[Mapping[str, Value], Proposal | None]:
        """The point of a trial, and its proposal if it has one."""
        if isinstance(point, Mapping):
            return Frozen(self._space.validate(point)), None
        if not isinstance(point, Proposal | str):
            raise InvalidInput(role, point, "Give a proposal, its id, or a dict of values.")
        found = self._state.find(point)
        return self._state.tried(found), found


def _opposite(one: Claim, other: Claim) -> bool:
    """Whether two claims say the contrary of the same pair."""
    pair = dict(one.better), dict(one.worse), dict(one.context)
    return pair == (dict(other.worse), dict(other.better), dict(other.context))
