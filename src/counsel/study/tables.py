"""A study as a table: one row per proposal, and per observation that nobody proposed."""

from typing import TYPE_CHECKING

from counsel.facts.records import TABLE_COLUMNS, Observation, Proposal
from counsel.facts.state import StudyState

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["dataframe"]


def dataframe(state: StudyState) -> "pd.DataFrame":
    import pandas as pd

    rows = [_proposal_row(state, p) for p in state.proposals.values()]
    rows += [_point_row(o) for o in state.observations.values() if o.proposal is None]
    problem, before = state.problem, TABLE_COLUMNS.index("predicted")
    named = [*problem.space.names, *problem.space.context_names, problem.objective.name]
    named += [constraint.name for constraint in problem.constraints]
    return pd.DataFrame(rows, columns=[*TABLE_COLUMNS[:before], *named, *TABLE_COLUMNS[before:]])


def _proposal_row(state: StudyState, proposal: Proposal) -> dict[str, object]:
    decision = state.decisions.get(proposal.id)
    observed = state.observed.get(proposal.id)
    prediction = proposal.prediction
    return {
        "proposal": proposal.id,
        "observation": observed.id if observed else None,
        "status": state.status(proposal),
        **state.tried(proposal),
        **proposal.context,
        **state.answers(proposal.id),
        "predicted": prediction.mean if prediction else None,
        "sd": prediction.sd if prediction else None,
        "actor": decision.actor if decision else observed.actor if observed else None,
        "reason": decision.reason if decision else None,
    }


def _point_row(observation: Observation) -> dict[str, object]:
    return {
        "observation": observation.id,
        "status": "told",
        **observation.values,
        **observation.context,
        **observation.outcomes,
        "actor": observation.actor,
    }
