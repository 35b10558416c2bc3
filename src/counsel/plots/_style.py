"""The style of all figures: colours, symbols, the template, the empty state.

The colours are those of Okabe and Ito, which are distinct for any kind of colour vision; every
status also has its own symbol, so nothing rests on colour alone.
"""

import html
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import plotly.graph_objects as go

INK = "#24303a"
FAINT = "#8a949c"
GRID = "#e6e9ec"
MEAN_SCALE = "Viridis"
SD_SCALE = "Cividis"
OPTIMUM = "#cc79a7"
BELIEF = "#0072b2"
BAND = "rgba(0, 114, 178, 0.18)"


class Look(NamedTuple):
    """How the trials of one status are drawn."""

    name: str
    colour: str
    symbol: str


LOOKS: Mapping[str, Look] = {
    "accepted": Look("accepted", "#56b4e9", "circle"),
    "overridden": Look("overridden", "#e69f00", "diamond"),
    "rejected": Look("rejected", "#d55e00", "x"),
    "told": Look("told by a person", "#009e73", "square"),
    "compared": Look("compared", "#cc79a7", "triangle-up"),
    "failed": Look("failed", "#882255", "x-thin-open"),
    "abandoned": Look("abandoned", "#8a949c", "circle-open"),
    "proposed": Look("waiting", "#ffffff", "star"),
}


# Lines differ in colour and dash.
LINES = (
    ("#0072b2", "solid"),
    ("#d55e00", "dash"),
    ("#009e73", "dot"),
    ("#cc79a7", "dashdot"),
    ("#e69f00", "longdash"),
    ("#56b4e9", "longdashdot"),
    (INK, "solid"),
)


TEMPLATE = go.layout.Template(
    layout={
        "font": {
            "family": "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif",
            "size": 13,
            "color": INK,
        },
        "title": {"x": 0, "xref": "paper", "xanchor": "left", "font": {"size": 17}},
        "paper_bgcolor": "white",
        "plot_bgcolor": "white",
        "margin": {"l": 60, "r": 20, "t": 56, "b": 50},
        "xaxis": {"gridcolor": GRID, "linecolor": FAINT, "zeroline": False, "automargin": True},
        "yaxis": {"gridcolor": GRID, "linecolor": FAINT, "zeroline": False, "automargin": True},
        "hoverlabel": {"align": "left"},
        "showlegend": True,
        "legend": {
            "orientation": "h",
            "x": 0,
            "xanchor": "left",
            "yref": "container",
            "y": 0,
            "yanchor": "bottom",
            "itemsizing": "constant",
            "traceorder": "normal",
        },
    }
)


def marker(status: str, size: int = 10) -> dict[str, Any]:
    look = LOOKS[status]
    edge = {"width": 1.2, "color": INK}
    return {"color": look.colour, "symbol": look.symbol, "size": size, "line": edge}


def text(given: object) -> str:
    """Escape a name or a reason: Plotly interprets tags."""
    return html.escape(str(given), quote=False)


def number(value: object) -> str:
    """A value of a parameter, short."""
    return f"{value:.4g}" if isinstance(value, float) else text(value)


def empty(title: str, message: str) -> go.Figure:
    """A figure that says why there is nothing to see yet."""
    figure = go.Figure(layout={"template": TEMPLATE, "title": {"text": title}, "height": 240})
    figure.update_layout(showlegend=False)
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False)
    figure.add_annotation(
        text=message,
        x=0.5,
        y=0.5,
        xref="paper",
        yref="paper",
        showarrow=False,
        font={"size": 14, "color": FAINT},
    )
    return figure


class Heights(NamedTuple):
    """A vertical axis, and the height for unmeasured trials."""

    low: float
    high: float
    edge: float
    known: bool

    def axis(self) -> dict[str, Any]:
        # Without a single value the scale means nothing, so it has no numbers.
        return {"range": [self.low, self.high], "showticklabels": self.known}


def heights(values: Sequence[float]) -> Heights:
    low, high = (min(values), max(values)) if len(values) else (0.0, 1.0)
    span = high - low or abs(high) or 1.0
    edge = low - 0.07 * span
    return Heights(edge - 0.05 * span, high + 0.05 * span, edge, len(values) > 0)
