"""Why a study proposes what it proposes, and whether to follow it."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from counsel.explain.attribution import Attribution, Shown, WhatIf
from counsel.explain.grounds import Grounds
from counsel.facts.records import Proposal, Value
from counsel.study.contract.points import NOBODY, Point, Until
from counsel.teams.advice import Advice
from counsel.teams.alignment import Alignment
from counsel.teams.overriding import Overriding

__all__ = ["Reasons"]


class Reasons(Protocol):
    """Explanations, and what they say of people."""

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
