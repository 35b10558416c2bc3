"""Extensions of the service: simulated worlds that answer for a study, and more pages."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from counsel.facts.problem import Problem
from counsel.facts.records import Value

__all__ = ["Extension", "Page", "Simulator"]

# A simulated world: what a trial at these values would measure, given the trial's number. It may
# also have a text `about` it, its best value `optimum`, and a `figure` of what values do, by name.
Simulator = Callable[[Mapping[str, Value], int], dict[str, float]]


def _nothing(problem: Problem) -> Simulator | None:
    return None


@dataclass(frozen=True)
class Page:
    """A page at `path`; the list of studies links to it under `title`."""

    path: str
    title: str
    draw: Callable[..., Awaitable[Any]]


@dataclass(frozen=True)
class Extension:
    """`worlds` answers for studies by name, `recognise` for those of a known kind of problem.

    Studies named in `begin` get their first proposal when the service starts.
    """

    worlds: Mapping[str, Simulator] = field(default_factory=dict)
    recognise: Callable[[Problem], Simulator | None] = _nothing
    pages: tuple[Page, ...] = ()
    begin: tuple[str, ...] = ()
