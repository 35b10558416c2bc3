"""Informativeness paths: how the contributions change over the rounds of a study."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import pandas as pd

from counsel.explain.attribution import Attribution
from counsel.facts.records import Fact, Proposal
from counsel.facts.terms import term as term_of

COLUMNS = ("round", "proposal", "term", "parameter", "value", "error", "worth")
# Of all rounds, as many may be on the wrong side of a turn.
_EXCEPTIONS = 0.25


@runtime_checkable
class Explained(Protocol):
    """What paths need from a study."""

    @property
    def facts(self) -> tuple[Fact, ...]: ...

    def proposal(self, proposal: Proposal | str) -> Proposal: ...

    def explain(self, proposal: Proposal | str) -> Attribution: ...


def paths(study: Explained, proposals: Sequence[Proposal | str] | None = None) -> pd.DataFrame:
    """One row per round, term and parameter, for the proposals that a model led to.

    Every proposal is explained under the facts it was derived from. `worth` is what a contribution
    is worth in what was maximised, above 0 where it speaks for the proposal.
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
                cell = (float(each[i, j]) for each in (why.values, why.error, why.worth))
                rows.append((proposal.round, proposal.id, term, parameter, *cell))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def turn(found: pd.DataFrame) -> int | None:
    """The round in which a study turns from exploring to exploiting, from its `paths`.

    A round explores if the terms that do (`Term.explores`) speak more for its proposal than the
    others. The turn is where the fewest rounds before it exploit and from it on explore, and the
    later one of two. There is
    none if that leaves more than a quarter of the rounds on the wrong side, if all rounds are
    alike, or if the policy has one kind of terms only.
    """
    kinds = {tag: term_of(tag).explores for tag in found["term"].unique()}
    if len(set(kinds.values())) < 2:
        return None
    signed = found["worth"].where(~found["term"].map(kinds), -found["worth"])
    exploits = (signed.groupby(found["round"]).sum() > 0.0).sort_index()
    rounds, sides = list(exploits.index), exploits.to_numpy()
    wrong = [int(sides[:k].sum() + (~sides[k:]).sum()) for k in range(1, len(sides))]
    if not wrong or sides.all() or not sides.any():
        return None
    best = min(range(len(wrong)), key=lambda k: (wrong[k], -k))
    # Fewer than if there were no turn at all.
    few = wrong[best] <= _EXCEPTIONS * len(sides) and wrong[best] < min(sides.sum(), (~sides).sum())
    return int(rounds[best + 1]) if few and sides[best + 1] else None
