"""What happened in a study."""

from typing import TYPE_CHECKING, Protocol

from counsel.facts.records import (
    Archival,
    Claim,
    Comment,
    Comparison,
    Decision,
    Fact,
    Failure,
    Observation,
    Proposal,
)
from counsel.facts.summaries import Replay

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Recorded"]


class Recorded(Protocol):
    """What is recorded, and what of it is in force."""

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Everything that happened, in order."""
        ...

    @property
    def observations(self) -> tuple[Observation, ...]:
        """The observations in force, with the outcomes in force."""
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
