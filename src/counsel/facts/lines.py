"""Facts and values as a line of text, for the pages and the command line."""

from collections.abc import Callable, Mapping
from typing import Any

from counsel.facts.records import (
    Amendment,
    Archival,
    Claim,
    Comment,
    Comparison,
    Decision,
    Fact,
    Failure,
    Observation,
    Proposal,
    Revision,
    Withdrawal,
)

__all__ = ["line"]

_VERBS = {
    "accept": "accepted",
    "override": "overrode",
    "reject": "rejected",
    "abandon": "abandoned",
}


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
        case Failure():
            return f"failed at {fact.proposal or point(fact.values)}"
        case Comparison():
            first = fact.winner_proposal or point(fact.winner)
            second = fact.loser_proposal or point(fact.loser)
            return f"{first} {'as good as' if fact.tie else 'over'} {second}"
        case Claim():
            first = fact.better_proposal or point(fact.better)
            return f"expects {first} to be better than {fact.worse_proposal or point(fact.worse)}"
        case Comment():
            return f"said of {fact.fact}: {fact.text}"
        case Archival():
            return "archived the study" if fact.archived else "brought the study back"
        case Revision():
            return f"corrected {fact.fact} to {point(fact.outcomes)}"
        case Amendment():
            return f"changed the space to {fact.space}"
        case Withdrawal():
            return f"withdrew {fact.fact}"
