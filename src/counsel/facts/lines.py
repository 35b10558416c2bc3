"""Facts and values as a line of text, for the pages and the command line."""

from collections.abc import Callable, Mapping
from typing import Any

from counsel.facts.problem import Problem
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
from counsel.space import AnySpace, Arms, Categorical
from counsel.space.parameters import Parameter

__all__ = ["change_words", "line", "problem_words", "reach", "space_words"]

_VERBS = {
    "accept": "accepted",
    "override": "overrode",
    "reject": "rejected",
    "abandon": "abandoned",
}


def line(
    fact: Fact,
    point: Callable[[Mapping[str, Any]], str],
    outcomes: Callable[[Mapping[str, float]], str] | None = None,
) -> str:
    """What happened, without actor and time; `point` formats values, `outcomes` what was measured
    or answered."""
    measured = point if outcomes is None else outcomes
    match fact:
        case Proposal():
            given = f" given {point(fact.context)}" if fact.context else ""
            return f"proposed {point(fact.values)}{given}"
        case Decision():
            own = f" with {point(fact.values)}" if fact.values else ""
            return f"{_VERBS[fact.kind]} {fact.proposal}{own}{reach(fact)}"
        case Observation():
            given = f" given {point(fact.context)}" if fact.context and not fact.proposal else ""
            place = fact.proposal or f"{point(fact.values)}{given}"
            return f"measured {measured(fact.outcomes)} at {place}"
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
            return f"corrected {fact.fact} to {measured(fact.outcomes)}"
        case Amendment():
            return f"changed the space to {space_words(fact.space)}"
        case Withdrawal():
            return f"withdrew {fact.fact}"


def reach(decision: Decision) -> str:
    """What a rejection forbids beside the proposal, in words; empty if nothing."""
    if decision.kind != "reject" or not decision.radius:
        return ""
    return f" and what lies within {decision.radius:g} of every range"


def problem_words(problem: Problem) -> str:
    """What is wanted, what must hold, and what can be chosen."""
    parts = [problem.aim, *(each.words() for each in problem.constraints)]
    return f"{', '.join(parts)}; {space_words(problem.space)}"


def space_words(space: AnySpace) -> str:
    """What can be chosen, and what is given, as people would say it."""
    if isinstance(space, Arms):
        chosen = f"{len(space)} arms ({', '.join(space.names)})"
    else:
        chosen = ", ".join(_range(name, each) for name, each in space.parameters.items())
        chosen += "".join(f"; {each.expression}" for each in space.require)
    given = ", ".join(_range(name, each) for name, each in space.context.items())
    return f"{chosen}; given: {given}" if given else chosen


def change_words(before: AnySpace, after: AnySpace) -> str:
    """What is no longer as it was, as it is now; the whole space if words tell no difference."""
    then, now = _parts(before), _parts(after)
    changed = [words for name, words in now.items() if then.get(name) != words]
    return f"the space: {', '.join(changed) or space_words(after)}"


def _parts(space: AnySpace) -> dict[str, str]:
    """What `space_words` says, piece by piece."""
    if isinstance(space, Arms):
        own = {"": f"{len(space)} arms ({', '.join(space.names)})"}
    else:
        own = {name: _range(name, each) for name, each in space.parameters.items()}
        own |= {each.expression: each.expression for each in space.require}
    return own | {name: _range(name, each) for name, each in space.context.items()}


def _range(name: str, parameter: Parameter) -> str:
    if isinstance(parameter, Categorical):
        words = f"{name} one of {', '.join(map(str, parameter.choices))}"
    else:
        words = f"{name} from {parameter.low:g} to {parameter.high:g}"
        words += f" in steps of {parameter.step:g}" if parameter.step else ""
        words += f" {parameter.unit}" if parameter.unit else ""
        words += " (log scale)" if parameter.log else ""
    conditions = (
        f"{other} is {' or '.join(map(str, values if isinstance(values, tuple) else [values]))}"
        for other, values in (parameter.when or {}).items()
    )
    return f"{words} if {' and '.join(conditions)}" if parameter.when else words
