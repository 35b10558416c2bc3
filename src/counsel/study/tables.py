"""Tables: a study as one, with a row per proposal and per trial that nobody proposed; and past
trials from dicts and data frames."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from counsel.errors import InvalidInput
from counsel.facts.problem import TABLE_COLUMNS, Problem
from counsel.facts.records import Failure, Observation, PastTrial, Proposal
from counsel.facts.state import StudyState
from counsel.space import AnySpace, Arms

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["dataframe", "past_trials"]


def dataframe(state: StudyState) -> "pd.DataFrame":
    import pandas as pd

    rows = [_proposal_row(state, p) for p in state.proposals.values()]
    rows += [
        _point_row(o, state.problem) for o in state.observations.values() if o.proposal is None
    ]
    rows += [_failed_row(f) for f in state.failures.values() if f.proposal is None]
    problem, before = state.problem, TABLE_COLUMNS.index("predicted")
    named = [*_names(problem.space), *problem.space.context_names, *problem.outcomes]
    if problem.objective.name not in named:  # it is a preference, or a sum of what was measured
        named.insert(len(named) - len(problem.outcomes), problem.objective.name)
    errors = [f"{name} sem" for name in problem.outcomes]
    named += [each for each in errors if each not in named and any(each in row for row in rows)]
    return pd.DataFrame(rows, columns=[*TABLE_COLUMNS[:before], *named, *TABLE_COLUMNS[before:]])


def past_trials(problem: Problem, given: object) -> list[PastTrial]:
    """Past trials from records, dicts or a DataFrame.

    A dict or row has parameters, context and outcomes by their names, and if it likes `actor`,
    `time` and `label`, and "yield sem" for the standard error of the outcome "yield". An outcome
    that is None or NaN was not measured.
    """
    if hasattr(given, "columns") and hasattr(given, "to_dict"):
        given = given.to_dict("records")
    if isinstance(given, str | bytes | Mapping | PastTrial) or not isinstance(given, Iterable):
        raise InvalidInput(
            "trials", given, "Give a list of dicts or of PastTrial records, or a DataFrame."
        )
    return [_past_trial(problem, place, each) for place, each in enumerate(given)]


def _past_trial(problem: Problem, place: int, given: Any) -> PastTrial:
    if isinstance(given, PastTrial):
        return given
    if not isinstance(given, Mapping):
        raise InvalidInput(
            f"trial {place}", given, "Give a dict of parameters and outcomes, or a PastTrial."
        )
    space = problem.space
    outcomes = problem.outcomes
    errors = {f"{name} sem": name for name in outcomes}
    names = _names(space)
    own = {*names, *space.context_names, *outcomes, *errors}
    about = [each for each in ("actor", "time", "label") if each not in own]
    known = {*own, *about}
    for name in given:
        if name not in known:
            raise InvalidInput(
                f"trial {place}", name, f"Unknown: use {', '.join(sorted(map(str, known)))}."
            )
    measured = {name: given[name] for name in outcomes if _measured(given.get(name))}
    if not measured:  # NaN alone is refused by its name
        measured = {name: given[name] for name in outcomes if given.get(name) is not None}
    context = {name: given[name] for name in space.context_names if name in given}
    said = {name: given[name] for name in about if _measured(given.get(name))}
    values = {name: given[name] for name in names if name in given}
    sem = {errors[name]: given[name] for name in errors if _measured(given.get(name))}
    return PastTrial(values, measured, context or None, **said, sem=sem)


def _names(space: AnySpace) -> list[str]:
    """What a point is given by: the label of an arm, and the parameters."""
    label = [space.label] if isinstance(space, Arms) and space.label else []
    return [*label, *space.names]


def _measured(cell: object) -> bool:
    """Whether a cell is filled: NaN is the one value that does not equal itself."""
    return cell is not None and bool(cell == cell)


def _proposal_row(state: StudyState, proposal: Proposal) -> dict[str, object]:
    decision = state.decisions.get(proposal.id)
    observed = state.observed.get(proposal.id)
    decided = state.failed.get(proposal.id) or decision
    prediction = proposal.prediction
    return {
        "proposal": proposal.id,
        "observation": observed.id if observed else None,
        "status": state.status(proposal),
        **state.tried(proposal),
        **proposal.context,
        **state.answers(proposal.id),
        **_errors(state.reported(proposal.id)),
        state.problem.objective.name: state.payoff(proposal.id),
        "predicted": prediction.mean if prediction else None,
        "sd": prediction.sd if prediction else None,
        "actor": decided.actor if decided else observed.actor if observed else None,
        "reason": decided.reason if decided else None,
    }


def _point_row(observation: Observation, problem: Problem) -> dict[str, object]:
    return {
        "observation": observation.id,
        "status": "told",
        **observation.values,
        **observation.context,
        **observation.outcomes,
        **_errors([observation]),
        problem.objective.name: problem.payoff(observation.outcomes),
        "actor": observation.actor,
    }


def _errors(made: Sequence[Observation]) -> dict[str, float]:
    """Standard errors by outcome: of the mean, where something was measured several times."""
    found = {}
    for name in dict.fromkeys(name for each in made for name in each.sem):
        told = [each for each in made if name in each.outcomes]
        if all(name in each.sem for each in told):
            found[f"{name} sem"] = math.hypot(*(each.sem[name] for each in told)) / len(told)
    return found


def _failed_row(failure: Failure) -> dict[str, object]:
    return {
        "status": "failed",
        **failure.values,
        **failure.context,
        "actor": failure.actor,
        "reason": failure.reason,
    }
