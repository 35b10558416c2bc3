"""The small figures of the decide page. They stand on a light or a dark ground alike."""

from typing import Any

from counsel.records import Attribution

__all__ = ["contributions", "largest"]

_GREY = "#7f8a93"
_LINE = "rgba(128,138,148,.2)"
_COLOURS = {
    "exploitation": "#0072b2",
    "approximation": "#e69f00",
    "model": "#009e73",
    "aleatoric": "#cc79a7",
}
_OTHERS = ("#56b4e9", "#d55e00")
_WORDS = {
    "exploitation": "promise",
    "approximation": "exploration",
    "model": "prior",
    "aleatoric": "noise",
}
_CONFIG = {"displayModeBar": False, "staticPlot": False, "responsive": True}


def contributions(why: Attribution | None, span: float | None = None) -> dict[str, Any]:
    """What each parameter adds to each term, stacked; `span` fixes the scale of two charts."""
    data = []
    rows = list(why.parameters) if why is not None else []
    for i, term in enumerate(why.terms if why is not None else ()):
        assert why is not None
        colour = _COLOURS.get(term, _OTHERS[i % len(_OTHERS)])
        data.append(
            {
                "type": "bar",
                "orientation": "h",
                "name": _WORDS.get(term, term),
                "y": rows,
                "x": why.values[i].tolist(),
                "marker": {"color": colour},
                "hovertemplate": "%{y}: %{x:+.3g}<extra>%{fullData.name}</extra>",
            }
        )
    axis: dict[str, Any] = {
        "zeroline": True,
        "zerolinecolor": _GREY,
        "gridcolor": "rgba(128,138,148,.2)",
    }
    if span:
        axis["range"] = [-span, span]
    return {
        "data": data,
        "layout": {
            "barmode": "relative",
            "height": 110 + 32 * max(len(rows), 1),
            "margin": {"l": 8, "r": 8, "t": 8, "b": 30},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"color": _GREY, "size": 13},
            "xaxis": axis,
            "yaxis": {"automargin": True, "autorange": "reversed"},
            "legend": {"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0},
            "showlegend": True,
        },
        "config": _CONFIG,
    }


def largest(*whys: Attribution | None) -> float:
    """A scale that holds several attributions."""
    found = [0.0]
    for why in whys:
        if why is not None:
            positive = why.values.clip(min=0.0).sum(axis=0).max()
            negative = -why.values.clip(max=0.0).sum(axis=0).min()
            found.append(float(max(positive, negative)))
    return 1.08 * max(found) or 1.0
