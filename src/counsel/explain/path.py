"""Informativeness paths: how the contributions change over the rounds of a study."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import pandas as pd

from counsel.explain.attribution import Attribution
from counsel.facts.records import Fact, Proposal

COLUMNS = ("round", "proposal", "term", "parameter", "value", "error")


@runtime_checkable
class Explained(Protocol):
    """What paths need from a study."""

    @property
    def facts(self) -> tuple[Fact, ...]: ...

    def proposal(self, proposal: Proposal | str) -> Proposal: ...

    def explain(self, proposal: Proposal | str) -> Attribution: ...


def paths(study: Explained, proposals: Sequence[Proposal | str] | None = None) -> pd.DataFrame:
    """One row per round, term and parameter, for the proposals that a model led to.

    Every proposal is explained under the facts it was derived from.
    """
    if proposals is None:
        chosen = [f for f in study.facts if isinstance(f, Proposal) and f.terms]
    else:
        chosen = [study.proposal(each) for each in proposals]
    rows = []
    for proposal in chosen:
        why = study.explain(proposal)
        for i, term in enumerate(why.terms):
            for j, parameter in enumerate(why.parameters):
                cell = float(why.values[i, j]), float(why.error[i, j])
                rows.append((proposal.round, proposal.id, term, parameter, *cell))
    return pd.DataFrame(rows, columns=list(COLUMNS))
