"""The trials of a study, in order, as figures need them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from counsel.facts.problem import Problem
from counsel.facts.records import Comment, Observation, Prediction, Proposal, Value
from counsel.facts.state import StudyState
from counsel.plots._style import number, text
from counsel.study import Study

_MOST = 400  # marks on a figure: a browser takes a second for a few thousand
_LAST = 100


@dataclass(frozen=True, slots=True)
class Trial:
    """One proposal, or one observation that nobody proposed.

    `values` are those that were (or will be) tried; `prediction` is the proposal's, even if a
    person tried something else. `status` is one of `style.LOOKS`. `broken` says that a constraint
    was measured there and does not hold.
    """

    number: int
    status: str
    values: Mapping[str, Value]
    value: float | None
    prediction: Prediction | None
    story: str
    broken: bool = False
    actor: str = ""  # who decided, or who told
    fact: str = ""  # the proposal, or the observation
    comments: tuple[Comment, ...] = ()
    left_open: tuple[str, ...] = ()  # outcomes that were asked for, where others were told


def trials_of(study: Study) -> list[Trial]:
    """Every trial in order of appearance, without withdrawn ones."""
    facts = study.facts
    state = StudyState(study.problem, facts)
    in_force = state.observations
    found: list[Trial] = []
    for fact in facts:
        count = len(found) + 1
        if isinstance(fact, Proposal):
            found.append(_of_proposal(count, fact, state))
        elif isinstance(fact, Observation) and fact.proposal is None and fact.id in in_force:
            fact = in_force[fact.id]  # as last corrected
            value = state.problem.payoff(fact.outcomes)
            story = f"Trial {count}, told by {text(fact.actor)}<br>{_point(fact.values)}"
            broken = _broken(fact.outcomes, study.problem)
            said = _comments(state, {fact.id})
            found.append(
                Trial(
                    count,
                    "told",
                    fact.values,
                    value,
                    None,
                    story,
                    broken,
                    fact.actor,
                    fact.id,
                    said,
                )
            )
    return found


def drawn(values: Sequence[float | None]) -> list[int]:
    """Which of many trials to draw, by their values: all, if they are few.

    Of many: those that were the best or the worst so far, the last ones, and others evenly.
    """
    count = len(values)
    if count <= _MOST:
        return list(range(count))
    known = np.array([np.nan if value is None else value for value in values])
    chosen = set(range(count - _LAST, count))
    for extreme, none in ((np.maximum, -np.inf), (np.minimum, np.inf)):
        so_far = extreme.accumulate(np.where(np.isnan(known), none, known))
        before = np.concatenate([[none], so_far[:-1]])
        chosen |= {int(i) for i in np.flatnonzero(so_far != before)}
    even = np.linspace(0, count - 1, max(_MOST - len(chosen), 0), dtype=int)
    return sorted(chosen | {int(i) for i in even})


def few(trials: Sequence[Trial]) -> list[Trial]:
    """The trials to draw."""
    return [trials[i] for i in drawn([trial.value for trial in trials])]


def left_out(shown: int, count: int) -> str:
    """A note where not every trial is drawn."""
    return f"{shown:,} of {count:,} trials are drawn." if shown < count else ""


def _of_proposal(count: int, proposal: Proposal, state: StudyState) -> Trial:
    decision = state.decisions.get(proposal.id)
    status, values, outcomes = (
        state.status(proposal),
        state.tried(proposal),
        state.answers(proposal.id),
    )
    asked = [*state.problem.measured, *proposal.asks] if outcomes else []
    told = {each.id for each in state.reported(proposal.id)} if state.comments else set()
    story = f"Trial {count}, {status}"
    if decision is not None:
        story += f" by {text(decision.actor)}"
        story += f": {text(decision.reason)}" if decision.reason else ""
    story += f"<br>{_point(values)}"
    return Trial(
        number=count,
        status=status,
        values=values,
        value=state.problem.payoff(outcomes),
        prediction=proposal.prediction,
        story=story,
        broken=_broken(outcomes, state.problem),
        actor="" if decision is None else decision.actor,
        fact=proposal.id,
        comments=_comments(state, {proposal.id, *told, *([decision.id] if decision else [])}),
        left_open=tuple(name for name in asked if name not in outcomes),
    )


def _comments(state: StudyState, about: set[str]) -> tuple[Comment, ...]:
    """What was said of a trial, of any of its facts."""
    return tuple(each for each in state.comments.values() if each.fact in about)


def _broken(outcomes: Mapping[str, float], problem: Problem) -> bool:
    known = [c.margin(outcomes[c.name]) for c in problem.constraints if c.name in outcomes]
    return min(known, default=0.0) < 0.0


def _point(values: Mapping[str, Value]) -> str:
    return "<br>".join(f"{text(name)} = {number(value)}" for name, value in values.items())
