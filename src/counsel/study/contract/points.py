"""How the verbs of a study name trials."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias

from counsel.facts.records import PastTrial, Proposal, Value
from counsel.facts.summaries import FrontTrial

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["NOBODY", "Compared", "Point", "Trials", "Until", "compared"]

NOBODY = "anonymous"
Until = Literal["tolerance", "ranking"]  # when sampling may stop
# Past trials: records, dicts of parameters and outcomes by name, or a DataFrame of such rows.
if TYPE_CHECKING:
    Trials: TypeAlias = Iterable[PastTrial] | Iterable[Mapping[str, object]] | pd.DataFrame
else:
    Trials = Iterable[PastTrial] | Iterable[Mapping[str, object]]
Point = Proposal | str | Mapping[str, Value]  # a trial: a proposal, its id, or values
Compared = Point | FrontTrial  # and those that `front().compare` names


def compared(
    winner: Compared, loser: Compared, context: Mapping[str, Value] | None
) -> tuple[Point, Point, Mapping[str, Value] | None]:
    """Two trials as points, and their context where nothing else says it."""
    if isinstance(winner, FrontTrial) and context is None and winner.proposal is None:
        context = winner.context or None
    one, two = (
        (each.proposal or each.values) if isinstance(each, FrontTrial) else each
        for each in (winner, loser)
    )
    return one, two, context
