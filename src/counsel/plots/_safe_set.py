"""Figure of what is known to be safe and what may be, trial by trial."""

import plotly.graph_objects as go

from counsel.plots._style import FAINT, TEMPLATE
from counsel.study import Study

_SAFE, _OPEN = "#009e73", "#e69f00"


def safe_set(study: Study) -> go.Figure:
    """The shares of points known to be safe, still open, and neither, by trial."""
    shares = 100.0 * study.safe_sets()
    trials = list(range(1, len(shares) + 1))
    figure = go.Figure(
        layout={
            "template": TEMPLATE,
            "title": {"text": "What is known to be safe, trial by trial"},
            "height": 360,
        }
    )
    rest = 100.0 - shares.sum(axis=1)
    for name, share, colour, pattern in (
        ("known to be safe", shares[:, 0], _SAFE, ""),
        ("open, and perhaps better", shares[:, 1], _OPEN, "/"),
        ("ruled out, or not worth knowing", rest, FAINT, "."),
    ):
        figure.add_bar(
            x=trials,
            y=share,
            name=name,
            marker={"color": colour, "pattern": {"shape": pattern}},
            hovertemplate="after trial %{x}: %{y:.0f} %<extra>" + name + "</extra>",
        )
    figure.update_layout(barmode="stack", bargap=0.12, margin={"b": 100})
    figure.update_xaxes(
        title={"text": "trial", "standoff": 6}, dtick=1 if len(trials) < 16 else None
    )
    figure.update_yaxes(title={"text": "% of all points"}, range=[0, 100])
    return figure
