"""Figure of what overriding cost or gained each person."""

import plotly.graph_objects as go

from counsel.errors import NothingToExplain
from counsel.plots._style import BELIEF, FAINT, TEMPLATE, text
from counsel.study import Study


def overriding(study: Study) -> go.Figure:
    """Each person's gain over the machine's own proposals, with its 95 % interval."""
    found = study.overriding()
    if not found:
        raise NothingToExplain(
            "Nobody has overridden a proposal yet, or nothing has been measured."
        )
    people = [f"{text(each.actor)} ({len(each.each)})" for each in found]
    figure = go.Figure(
        layout={
            "template": TEMPLATE,
            "title": {"text": "What overriding gained or cost"},
            "height": 190 + 44 * len(people),
            "showlegend": False,
        }
    )
    figure.add_vline(x=0.0, line={"color": FAINT, "width": 2})
    figure.add_scatter(
        x=[each.gain for each in found],
        y=people,
        error_x={"array": [1.96 * each.sd for each in found], "thickness": 2, "width": 7},
        mode="markers",
        marker={"size": 12, "color": BELIEF},
        customdata=[[*each.interval, len(each.each)] for each in found],
        hovertemplate="%{y}<br>%{x:+.3g} (95 %: %{customdata[0]:.3g} to %{customdata[1]:.3g})"
        "<br>%{customdata[2]} overrides<extra></extra>",
    )
    objective = text(study.problem.objective.name)
    figure.update_xaxes(
        title={"text": f"{objective} gained over the machine's own proposals, 95 %"}
    )
    figure.update_yaxes(range=[-0.6, len(people) - 0.4])
    return figure
