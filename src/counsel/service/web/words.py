"""Numbers, points and beliefs in words."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime

from counsel.errors import Conflict
from counsel.facts.lines import line
from counsel.facts.problem import Problem
from counsel.facts.records import (
    Archival,
    Decision,
    Failure,
    Lease,
    Observation,
    Prediction,
    Proposal,
    Value,
)
from counsel.facts.summaries import NOTHING_CERTIFIED, Best, vouched
from counsel.policies.registry import policies
from counsel.space.spelling import names_itself

__all__ = [
    "ago",
    "asked",
    "believed",
    "best",
    "conflict",
    "count",
    "likely_broken",
    "nothing_good",
    "number",
    "percent",
    "point",
    "purpose",
    "rank",
    "spoken",
    "titled",
    "together",
    "tried_before",
]


_FEW = 3  # outcomes of an earlier trial that are shown
_NONE_MEETS = "No trial is known to meet all constraints yet."


def count(many: int, what: str) -> str:
    """`1 trial`, `2 trials`."""
    return f"{many} {what}" if many == 1 else f"{many} {what}s"


def nothing_good(problem: Problem, trials: int) -> str:
    """Why there is no best trial."""
    if trials and problem.constraints:
        return _NONE_MEETS
    if trials:
        return f"{problem.objective.name} has not been measured yet."
    return "Nothing has been measured yet."


def number(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}".replace("-", "−")
    return str(value)


def point(values: Mapping[str, Value]) -> str:
    return ", ".join(f"{title} {text}".strip() for title, text in titled(values))


def spoken(problem: Problem) -> Callable[[Mapping[str, Value]], str]:
    """`point` for outcomes, with yes and no where people say so."""
    asked = {each.name for each in problem.constraints if each.answer == "yes/no"}

    def said(values: Mapping[str, Value]) -> str:
        answers = {name: "yes" if values[name] else "no" for name in asked & values.keys()}
        return point({**values, **answers})

    return said


def titled(values: Mapping[str, Value]) -> list[tuple[str, str]]:
    """Names and values in words; a name, and a value that begins with its own, need none."""
    found = [(name, number(value)) for name, value in values.items()]
    return [
        ("" if names_itself(name, text) or name.lower() == "name" else name, text)
        for name, text in found
    ]


def believed(prediction: Prediction | None, share: str = "95%") -> str:
    """Mean and 95% interval; `share` says of what."""
    if prediction is None:
        return "nothing is known yet"
    # The numbers are only accurate to two digits of the uncertainty.
    digits = 1 - math.floor(math.log10(prediction.sd)) if prediction.sd > 0 else 3
    places = min(max(digits, 0), 8)
    low, mean, high = (
        f"{value:.{places}f}".replace("-", "−")
        for value in (prediction.interval()[0], prediction.mean, prediction.interval()[1])
    )
    return f"{mean} ({share}: {low} to {high})"


def percent(chance: float) -> str:
    if 0.995 <= chance < 1.0 or 0.0 < chance < 0.005:  # nothing is certain
        return "> 99%" if chance > 0.5 else "< 1%"
    return f"{chance:.0%}"


def together(chances: Iterable[float]) -> str:
    """The chance that all constraints hold, as far as the single ones tell.

    They may fail together or one by one: it is at most the smallest, and at least one less all the
    chances of failure.
    """
    given = list(chances)
    least = max(0.0, 1.0 - sum(1.0 - chance for chance in given))
    low, high = percent(least), percent(min(given, default=1.0))
    return f"All hold: {low}" if low == high else f"All hold: {low} to {high}"


def asked(chance: float) -> str:
    """Why a constraint that holds with this probability is asked about."""
    if chance < 0.5:
        why = "it may well fail here, and then this is out"
    elif chance < 0.9:
        why = "the answer decides whether this stays in"
    elif chance < 0.98:
        why = "one more answer may certify this"
    else:
        why = "it most likely holds, and the answer confirms it"
    return f"{percent(chance)}: {why}"


def best(found: Best, objective: str) -> str:
    """The best trial in a sentence, and whether it is certified."""
    of = f" (mean of {found.measurements})" if found.measurements > 1 else ""
    at = f"{number(found.value)}{of} at {point(found.values)}"
    text = f"Best {objective} so far: {at}."
    if found.certified is None or found.chance is None:
        return text
    holds = f"all constraints hold with a chance of {percent(found.chance)}"
    where = f"{point(found.values)} ({objective} {number(found.value)})"
    if likely_broken(found):
        return f"{_NONE_MEETS} At {where} {holds}, which is the likeliest."
    better = _better(found)
    if rank(found) == "Likeliest":
        return f"Nothing is certified safe yet. The likeliest is {where}: {holds}. {better}"
    if better:
        text = f"Best {objective} that is known to be safe: {at}."
    kind = "Certified safe" if found.certified else "Not certified"
    if found.declared:
        kind, holds = "Declared safe", f"by the answers alone, {holds}"
    return f"{text} {kind}: {holds}. {better}".strip()


def rank(found: Best) -> str:
    """What the best trial is, in a word or two, if another one paid more and kept everything."""
    if not _better(found):
        return "Best"
    return "Best safe" if found.certified or found.declared else "Likeliest"


def _better(found: Best) -> str:
    """What the note says of a better trial that is not certified."""
    if found.certified is None or found.chance is None:
        return ""
    return found.note.removeprefix(NOTHING_CERTIFIED).removeprefix(vouched(found.chance)).strip()


def likely_broken(found: Best) -> bool:
    """Whether even the best trial probably breaks a constraint."""
    chance = found.chance
    return not found.certified and not found.declared and chance is not None and chance < 0.5


def tried_before(observations: Sequence[Observation], values: Mapping[str, Value]) -> str:
    """What was measured at exactly this point; "" if it was never tried."""
    there = [each for each in observations if dict(each.values) == dict(values)]
    if not there:
        return ""
    found = list(there[-1].outcomes.items())
    last = ", ".join(f"{name} {number(value)}" for name, value in found[:_FEW])
    last += f" and {len(found) - _FEW} more" if len(found) > _FEW else ""
    times = "once" if len(there) == 1 else f"{len(there)} times, last"
    return f"Tried before, {times}: {last}."


def purpose(proposal: Proposal) -> str:
    """The purpose of a proposal without contributions; "" if it is not known."""
    if not proposal.terms:
        if proposal.policy == "random":
            return "Chosen at random."
        return "One of the first trials, which are spread over the space: little is known yet."
    entry = policies.known(proposal.policy)
    seeking = entry is not None and entry.certifies and "improvement" in proposal.terms
    if seeking or any(tag.startswith("ambiguity") for tag in proposal.terms):
        return (
            "It may be better than everything known to be safe, but it is not certain yet "
            "that the constraints hold here. A trial and answers to the questions tell."
        )
    if proposal.terms and proposal.chances:
        return "Of everything known to be safe, this may be the best."
    return ""


def conflict(error: Conflict) -> str:
    """Who was first, and what to do about it with this page's own buttons."""
    first = error.fact
    match first:
        case Decision() | Observation() | Failure():
            said = f"{first.actor} {line(first, point)} ({ago(first.time)})."
            if isinstance(first, Decision) and first.kind != "reject":
                return f"{said} Take that decision back to decide anew."
            return f"{said} If that is wrong, correct or withdraw it in History."
        case Lease():
            until = f"{first.until:%H:%M} UTC"
            return (
                f"{first.actor} holds {first.proposal} until {until}. Wait, or ask them to press "
                "“Let others have it”."
            )
        case Archival():
            return (
                f"{first.actor} archived this study ({ago(first.time)}). Bring it back with ⋮ in "
                "the list of studies."
            )
    return str(error)


def ago(time: datetime) -> str:
    seconds = (datetime.now(UTC) - time).total_seconds()
    for size, name in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{int(seconds // size)} {name} ago"
    return "just now"
