"""Curves over rounds: the median of all seeds, with a band of one MAD to either side."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go
from jaxtyping import Float

from counsel.experiments.statistics import Band, bands
from counsel.plots._style import INK, TEMPLATE, text

__all__ = ["cumulative_figure", "incumbent_figure", "rate_figure", "sweep_figure"]

# Okabe and Ito's colours, and a dash for each: nothing rests on colour alone.
_LOOKS = (
    ("#d55e00", "solid"),
    ("#0072b2", "dash"),
    ("#009e73", "dot"),
    ("#cc79a7", "dashdot"),
    ("#e69f00", "longdash"),
    ("#56b4e9", "longdashdot"),
    (INK, "solid"),
)
_HEIGHT = 400


def cumulative_figure(title: str, curves: Mapping[str, Float[np.ndarray, "B T"]]) -> go.Figure:
    """R_t: regret added up over the rounds."""
    figure = _empty(title, "cumulative regret R<sub>t</sub>")
    for look, (name, values) in enumerate(curves.items()):
        band = bands(values)
        _draw(figure, name, look, band.median, band.median - band.mad, band.median + band.mad)
    return figure


def incumbent_figure(title: str, curves: Mapping[str, Float[np.ndarray, "B T"]]) -> go.Figure:
    """The path of the incumbent: regret of the best trial so far, from regrets by round."""
    figure = _empty(title, "regret of the best trial so far")
    for look, (name, values) in enumerate(curves.items()):
        band = bands(np.minimum.accumulate(values, axis=1))
        low = np.maximum(band.median - band.mad, 0.0)
        _draw(figure, name, look, band.median, low, band.median + band.mad)
    return figure


def rate_figure(title: str, curves: Mapping[str, Float[np.ndarray, "B T"]]) -> go.Figure:
    """log10(R_t / t), as the LW-UCB paper plots it: falling means regret grows less than t."""
    figure = _empty(title, "log<sub>10</sub>(R<sub>t</sub> / t)")
    for look, (name, values) in enumerate(curves.items()):
        _draw(figure, name, look, *_rates(bands(values)))
    return figure


def sweep_figure(
    title: str, x: list[float], x_title: str, values: Mapping[str, list[tuple[float, float]]]
) -> go.Figure:
    """One line per name: (median, MAD) at every x."""
    figure = _empty(title, "cumulative regret R<sub>T</sub>")
    figure.update_xaxes(title={"text": x_title}, tickvals=x)
    for look, (name, pairs) in enumerate(values.items()):
        colour, dash = _LOOKS[look % len(_LOOKS)]
        figure.add_scatter(
            x=x,
            y=[median for median, _ in pairs],
            error_y={"array": [spread for _, spread in pairs], "thickness": 1.2},
            mode="lines+markers",
            name=text(name),
            line={"color": colour, "dash": dash, "width": 2.2},
        )
    return figure


def _rates(band: Band) -> tuple[Any, Any, Any]:
    t = np.arange(1, len(band.median) + 1)
    # If the band would reach below zero, it ends a decade under the median.
    low = np.maximum(band.median - band.mad, band.median / 10.0)
    # Zero regret has no logarithm: a gap in the line.
    with np.errstate(divide="ignore", invalid="ignore"):
        rates = [np.log10(line / t) for line in (band.median, low, band.median + band.mad)]
    middle, lower, upper = (np.where(np.isfinite(rate), rate, np.nan) for rate in rates)
    return middle, lower, upper


def _empty(title: str, y_title: str) -> go.Figure:
    layout = {"template": TEMPLATE, "title": {"text": text(title)}, "height": _HEIGHT}
    figure = go.Figure(layout=layout)
    figure.update_layout(hovermode="x unified", margin={"t": 48, "b": 96, "l": 56, "r": 12})
    figure.update_layout(title={"font": {"size": 15}})
    figure.update_xaxes(title={"text": "round t"})
    figure.update_yaxes(title={"text": y_title})
    return figure


def _draw(figure: go.Figure, name: str, look: int, middle: Any, low: Any, high: Any) -> None:
    colour, dash = _LOOKS[look % len(_LOOKS)]
    rounds = np.arange(1, len(middle) + 1)
    figure.add_scatter(
        x=np.concatenate([rounds, rounds[::-1]]),
        y=np.round(np.concatenate([high, low[::-1]]), 4),
        fill="toself",
        fillcolor=_faint(colour),
        line={"width": 0},
        hoverinfo="skip",
        showlegend=False,
        legendgroup=name,
        mode="lines",
    )
    figure.add_scatter(
        x=rounds,
        y=np.round(middle, 4),
        mode="lines",
        name=text(name),
        legendgroup=name,
        line={"color": colour, "dash": dash, "width": 2.2},
    )


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, 0.10)"
