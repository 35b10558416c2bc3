"""The safe set as a record, for people and programs."""

from collections.abc import Mapping
from dataclasses import dataclass

from counsel.facts.cards import Card, Table, values
from counsel.facts.form import Record, freeze
from counsel.facts.records import Value

__all__ = ["SafePoint", "SafeSet"]

# Points on a safe set's card.
_SHOWN = 10


@dataclass(frozen=True, slots=True)
class SafePoint(Record):
    """A point where all constraints hold with probability `chance`, as far as is believed.

    `lower` and `upper` bound each outcome, the objective among them, in the user's units: each
    bound alone fails with a probability of at most one less the set's `certainty`. Where people
    answer, they bound the typical answer: a level, or 1 for yes and 0 for no. `declared` means that
    the point is in the set because a person vouched for it.
    """

    values: Mapping[str, Value]
    chance: float
    chances: Mapping[str, float]
    lower: Mapping[str, float]
    upper: Mapping[str, float]
    trials: int
    declared: bool = False

    def __post_init__(self) -> None:
        freeze(self, "values", "chances", "lower", "upper")


@dataclass(frozen=True, slots=True)
class SafeSet(Record):
    """The points that are certified, the best lower bound of the objective first.

    `certified` counts them, those that a person declared safe among them; `points` lists the first
    200.
    `considered` counts the points that were looked at: all arms, or in a box every point that was
    tried and a sample of the rest, so that `share` estimates how much of the box is certified.
    `undecided` counts points that are neither certified nor ruled out.
    """

    certainty: float
    points: tuple[SafePoint, ...]
    considered: int
    undecided: int
    share: float
    note: str = ""
    certified: int = 0

    def card(self) -> Card:
        rows = [
            [values(each.values), f"{each.chance:.1%}", each.trials or ""]
            for each in self.points[:_SHOWN]
        ]
        more = [Table(["best first", "keeps all", "trials"], rows)] if rows else []
        of = f"{self.certified} of {self.considered} points"
        return Card(
            f"Safe set: {of} certified at {self.certainty:.0%}",
            [("undecided", self.undecided), ("note", self.note)],
            more,
        )
