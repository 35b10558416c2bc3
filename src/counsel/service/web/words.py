"""Numbers, points and beliefs in words."""

import math
from collections.abc import Mapping
from datetime import UTC, datetime

from counsel.facts.records import Prediction, Proposal, Value

__all__ = ["ago", "believed", "number", "point", "purpose"]


def number(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}".replace("-", "−")
    return str(value)


def point(values: Mapping[str, Value]) -> str:
    return ", ".join(f"{name} {number(value)}" for name, value in values.items())


def believed(prediction: Prediction | None) -> str:
    if prediction is None:
        return "nothing is known yet"
    # The numbers are only accurate to two digits of the uncertainty.
    digits = 1 - math.floor(math.log10(prediction.sd)) if prediction.sd > 0 else 3
    places = min(max(digits, 0), 8)
    low, mean, high = (
        f"{value:.{places}f}".replace("-", "−")
        for value in (prediction.interval()[0], prediction.mean, prediction.interval()[1])
    )
    return f"{mean} (95%: {low} to {high})"


def purpose(proposal: Proposal) -> str:
    """The purpose of a proposal without contributions; "" if it is not known."""
    if not proposal.terms:
        if proposal.policy == "random":
            return "Chosen at random."
        return "One of the first trials, spread over the space: little is known yet."
    if "ambiguity" in proposal.terms:
        return (
            "It may be better than everything known to be safe, and it is least clear here "
            "whether the constraints hold. Trying it and answering the questions settles that."
        )
    if proposal.terms and proposal.chances:
        return "Of everything known to be safe, this may be the best."
    return ""


def ago(time: datetime) -> str:
    seconds = (datetime.now(UTC) - time).total_seconds()
    for size, name in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{int(seconds // size)} {name} ago"
    return "just now"
