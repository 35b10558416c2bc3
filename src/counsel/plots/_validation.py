"""Figure of each measurement against its prediction from the others."""

import plotly.graph_objects as go

from counsel.errors import NothingToExplain
from counsel.plots._style import BELIEF, FAINT, INK, TEMPLATE, empty, text
from counsel.plots._trials import drawn, left_out
from counsel.study import StudyLike

__all__ = ["validation"]


def validation(study: StudyLike) -> go.Figure:
    """Measured against predicted from all other trials, with 95 % intervals.

    A model that can be trusted has its points near the diagonal, and nearly all intervals across
    it.
    """
    title = "Left out, what would the model have said?"
    try:
        found = study.outlook()
    except NothingToExplain as nothing:
        return empty(title, text(nothing))
    checks = [found.left_out[i] for i in drawn([each.value for each in found.left_out])]
    note = {"text": left_out(len(checks), len(found.left_out))}
    figure = go.Figure(
        layout={"template": TEMPLATE, "title": {"text": title, "subtitle": note}, "height": 460}
    )
    ends = [min(each.value for each in checks), max(each.value for each in checks)]
    figure.add_scatter(
        x=ends, y=ends, mode="lines", name="as measured", line={"color": FAINT, "dash": "dash"},
        hoverinfo="skip",
    )  # fmt: skip
    for inside, name, colour, symbol in (
        (True, "within its 95 % interval", BELIEF, "circle"),
        (False, "outside of it", "#d55e00", "x"),
    ):
        shown = [c for c in checks if (abs(c.value - c.mean) <= 1.96 * c.sd) == inside]
        if shown:
            figure.add_scatter(
                x=[each.value for each in shown],
                y=[each.mean for each in shown],
                error_y={"array": [1.96 * each.sd for each in shown], "color": FAINT, "width": 2},
                mode="markers",
                name=name,
                marker={
                    "color": colour,
                    "symbol": symbol,
                    "size": 9,
                    "line": {"width": 1, "color": INK},
                },
                text=[each.observation for each in shown],
                hovertemplate="%{text}: measured %{x:.4g}, expected %{y:.4g}<extra></extra>",
            )
    objective = text(study.problem.objective.name)
    figure.update_xaxes(title={"text": f"measured {objective}", "standoff": 6})
    figure.update_yaxes(title={"text": "expected from the others"})
    figure.update_layout(margin={"b": 110})
    return figure
