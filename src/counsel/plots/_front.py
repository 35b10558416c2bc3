"""Figure of several objectives against each other, with the trials that no other one beats."""

from collections.abc import Sequence

import plotly.graph_objects as go

from counsel.errors import InvalidInput
from counsel.facts.summaries import FrontTrial
from counsel.plots._style import BELIEF, FAINT, INK, TEMPLATE, empty, number, text
from counsel.study import StudyLike

__all__ = ["front"]


def front(study: StudyLike, objectives: Sequence[str] | None = None) -> go.Figure:
    """Two objectives of every trial, by default the first two; those on the front are joined."""
    problem, found = study.problem, study.front()
    title = "What no other trial beats"
    if len(found.objectives) < 2:
        return empty(title, "The study has one objective.")
    chosen = tuple(objectives or found.objectives[:2])
    if len(set(chosen)) != 2 or not set(chosen) <= set(found.objectives):
        known = ", ".join(found.objectives)
        raise InvalidInput("objectives", list(chosen), f"Give two of {known}.")
    if not found.trials:
        return empty(title, "Nothing was measured in every objective yet.")
    first, second = chosen
    figure = go.Figure(layout={"template": TEMPLATE, "title": {"text": title}, "height": 420})
    measured = [each for each in study.observations if {first, second} <= set(each.outcomes)]
    figure.add_scatter(
        x=[each.outcomes[first] for each in measured],
        y=[each.outcomes[second] for each in measured],
        mode="markers",
        name="trials",
        marker={"color": FAINT, "size": 8},
        hovertemplate="%{x:.4g}, %{y:.4g}<extra></extra>",
    )
    shown = sorted(found.trials, key=lambda each: each.outcomes[first])
    figure.add_scatter(
        x=[each.outcomes[first] for each in shown],
        y=[each.outcomes[second] for each in shown],
        # With a third objective the front is a surface, and a line would say nothing.
        mode="lines+markers" if len(found.objectives) == 2 else "markers",
        name="the front",
        line={"color": BELIEF, "width": 1.2, "dash": "dot"},
        marker={"color": BELIEF, "size": 11, "line": {"width": 1.2, "color": INK}},
        text=[_story(each) for each in shown],
        hovertemplate="%{text}<extra></extra>",
    )
    for name, axis in ((first, figure.update_xaxes), (second, figure.update_yaxes)):
        objective = next(each for each in problem.objectives if each.name == name)
        axis(title={"text": f"{text(name)} ({objective.direction})"})
        if objective.bound is not None:
            line = figure.add_vline if name == first else figure.add_hline
            line(objective.bound, line={"color": INK, "width": 1, "dash": "dash"})
    return figure


def _story(trial: FrontTrial) -> str:
    told = {**trial.outcomes, **trial.values}
    lines = [f"{text(name)} = {number(each)}" for name, each in told.items()]
    return "<br>".join([f"<b>{trial.proposal or trial.observation}</b>", *lines])
