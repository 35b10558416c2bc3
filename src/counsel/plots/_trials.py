"""The trials of a study, in order, as figures need them."""

from collections.abc import Mapping
from dataclasses import dataclass

from counsel.facts.records import Observation, Prediction, Problem, Proposal, Value
from counsel.facts.state import StudyState
from counsel.plots._style import number, text
from counsel.study import Study

_STATUS = {"accept": "accepted", "override": "overridden", "reject": "rejected"}


@dataclass(frozen=True, slots=True)
class Trial:
    """One proposal, or one observation that nobody proposed.

    `values` are those that were (or will be) tried; `prediction` is that of the proposal, also
    where a person tried something else. `status` is one of `style.LOOKS`. `broken` says that a
    constraint was measured there and does not hold.
    """

    number: int
    status: str
    values: Mapping[str, Value]
    value: float | None
    prediction: Prediction | None
    story: str
    broken: bool = False


def trials_of(study: Study) -> list[Trial]:
    """Every trial in the order in which it came up; what was withdrawn is left out."""
    facts = study.facts
    state = StudyState(study.problem, facts)
    name = study.problem.objective.name
    in_force = state.observations
    found: list[Trial] = []
    for fact in facts:
        count = len(found) + 1
        if isinstance(fact, Proposal):
            found.append(_of_proposal(count, fact, state, name))
        elif isinstance(fact, Observation) and fact.proposal is None and fact.id in in_force:
            fact = in_force[fact.id]  # as it was last corrected
            value = fact.outcomes.get(name)
            story = f"Trial {count}, told by {text(fact.actor)}<br>{_point(fact.values)}"
            broken = _broken(fact.outcomes, study.problem)
            found.append(Trial(count, "told", fact.values, value, None, story, broken))
    return found


def _of_proposal(count: int, proposal: Proposal, state: StudyState, name: str) -> Trial:
    decision = state.decisions.get(proposal.id)
    observed = state.observed.get(proposal.id)
    if decision is not None:
        status = _STATUS[decision.kind]
        story = f"Trial {count}, {status} by {text(decision.actor)}"
        story += f": {text(decision.reason)}" if decision.reason else ""
    else:
        status = "proposed" if observed is None else "accepted"
        story = f"Trial {count}, {status}"
    own = decision.values if decision is not None else None
    story += f"<br>{_point(own or proposal.values)}"
    parts = [each.outcomes for each in state.reported(proposal.id)]
    outcomes = {each: value for part in parts for each, value in part.items()}
    return Trial(
        number=count,
        status=status,
        values=own or proposal.values,
        value=outcomes.get(name),
        prediction=proposal.prediction,
        story=story,
        broken=_broken(outcomes, state.problem),
    )


def _broken(outcomes: Mapping[str, float], problem: Problem) -> bool:
    known = [c.margin(outcomes[c.name]) for c in problem.constraints if c.name in outcomes]
    return min(known, default=0.0) < 0.0


def _point(values: Mapping[str, Value]) -> str:
    return "<br>".join(f"{text(name)} = {number(value)}" for name, value in values.items())
