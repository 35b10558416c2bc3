"""Contributions over rounds, ours beside the recorded ones."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from counsel.plots._style import LINES, TEMPLATE, text

__all__ = ["paths_figure"]


def paths_figure(
    title: str,
    ours: Mapping[str, tuple[Any, Any]],
    recorded: Mapping[str, Any] | None = None,
) -> go.Figure:
    """One line per parameter: mean over runs with its 95% band; the authors' runs as thin lines."""
    figure = go.Figure(layout={"template": TEMPLATE, "title": {"text": text(title)}})
    figure.update_layout(height=380, margin={"t": 48, "b": 96, "l": 56, "r": 12})
    figure.update_layout(title={"font": {"size": 15}})
    figure.update_xaxes(title={"text": "round"})
    figure.update_yaxes(title={"text": "contribution (negative: speaks for it)"}, zeroline=True)
    for i, (name, (mean, error)) in enumerate(ours.items()):
        colour, dash = LINES[i % len(LINES)]
        rounds = np.arange(1, len(mean) + 1)
        red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
        figure.add_scatter(
            x=np.concatenate([rounds, rounds[::-1]]),
            y=np.round(np.concatenate([mean + 1.96 * error, (mean - 1.96 * error)[::-1]]), 4),
            fill="toself",
            fillcolor=f"rgba({red}, {green}, {blue}, 0.12)",
            line={"width": 0},
            mode="lines",
            hoverinfo="skip",
            showlegend=False,
        )
        figure.add_scatter(
            x=rounds,
            y=np.round(mean, 4),
            mode="lines",
            name=text(name),
            line={"color": colour, "dash": dash, "width": 2.2},
        )
        if recorded is not None and name in recorded:
            figure.add_scatter(
                x=np.arange(1, len(recorded[name]) + 1),
                y=np.round(recorded[name], 4),
                mode="lines",
                name=f"{text(name)}, recorded",
                line={"color": colour, "width": 0.8},
                opacity=0.6,
            )
    return figure
