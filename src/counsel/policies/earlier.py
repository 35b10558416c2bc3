"""What the descriptions of earlier versions mean today, so that stored studies replay as they were.

A class that changes its meaning gets a field that it did not have, and a description without it is
read as the class was when it was written:

    | described earlier              | today                                               |
    |--------------------------------|-----------------------------------------------------|
    | LWUCB, paper False or missing  | PrunedUCB(kappa, components, density="search")      |
    | LWUCB, paper True              | LWUCB(kappa, components, density="search")          |
    | EI, augmented True or missing  | AugmentedEI()                                       |
    | EI, augmented False            | EI(xi=0, incumbent="mean")                          |
    | GPUCB                          | GPUCB(delta, domain="chosen")                       |
"""

from collections.abc import Mapping
from typing import Any

__all__ = ["as_now"]

_WEIGHTED = "counsel.acquisition.output_weighted"
_IMPROVEMENT = "counsel.acquisition.improvement"
_BOUNDS = "counsel.acquisition.upper_confidence"

Fields = dict[str, Any]


def as_now(name: str, fields: Mapping[str, Any]) -> tuple[str, Fields]:
    """The class and the fields that a described class and its fields stand for today."""
    given = dict(fields)
    if name == f"{_WEIGHTED}:LWUCB" and "density" not in given:
        paper = given.pop("paper", False)
        return f"{_WEIGHTED}:{'LWUCB' if paper else 'PrunedUCB'}", {**given, "density": "search"}
    if name == f"{_IMPROVEMENT}:EI" and "xi" not in given:
        if given.pop("augmented", True):
            return f"{_IMPROVEMENT}:AugmentedEI", given
        return name, {**given, "xi": 0.0, "incumbent": "mean"}
    if name == f"{_BOUNDS}:GPUCB" and "domain" not in given:
        return name, {**given, "domain": "chosen"}
    return name, given
