"""Informativeness paths: how the contributions change over the rounds of a study."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from counsel.facts.records import Proposal

if TYPE_CHECKING:
    from counsel.study import Study

COLUMNS = ("round", "proposal", "term", "parameter", "value", "error")


def paths(study: "Study", proposals: Sequence[Proposal | str] | None = None) -> pd.DataFrame:
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
