"""Facts and values as a line of text, for the pages and the command line."""

from collections.abc import Callable, Mapping
from typing import Any

from counsel.facts.records import (
    Comparison,
    Decision,
    Fact,
    Observation,
    Proposal,
    Revision,
    Withdrawal,
)

__all__ = ["line"]

_VERBS = {"accept": "accepted", "override": "overrode", "reject": "rejected"}


def line(fact: Fact, point: Callable[[Mapping[str, Any]], str]) -> str:
    """What happened, without actor and time; `point` formats the values."""
    match fact:
        case Proposal():
            return f"proposed {point(fact.values)}"
        case Decision():
            own = f" with {point(fact.values)}" if fact.values else ""
            return f"{_VERBS[fact.kind]} {fact.proposal}{own}"
        case Observation():
            return f"measured {point(fact.outcomes)} at {fact.proposal or point(fact.values)}"
        case Comparison():
            first = fact.winner_proposal or point(fact.winner)
            second = fact.loser_proposal or point(fact.loser)
            return f"{first} {'as good as' if fact.tie else 'over'} {second}"
        case Revision():
            return f"corrected {fact.fact} to {point(fact.outcomes)}"
        case Withdrawal():
            return f"withdrew {fact.fact}"
