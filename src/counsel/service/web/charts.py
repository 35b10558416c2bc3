"""The small figures of the Decide page, for a light or a dark background."""

from typing import Any

from nicegui import ui

from counsel.explain.attribution import Attribution
from counsel.explain.sentence import words_of
from counsel.facts.terms import looks
from counsel.plots._style import INK, text
from counsel.service.web.style import FONT
from counsel.teams.alignment import Alignment

__all__ = [
    "STYLE",
    "alignment",
    "contributions",
    "drawn",
    "grounded",
    "height",
    "key",
    "largest",
    "preload",
]

STYLE = """
.key { display: flex; flex-wrap: wrap; gap: 2px 16px; font-size: 13px; color: var(--faint);
  width: 100%; position: relative; }
.key span { border-bottom: 1px dotted currentColor; cursor: help; }
.key i { display: none; position: absolute; left: 0; top: calc(100% + 4px); z-index: 10;
  max-width: 100%; padding: 4px 10px; border-radius: 6px; font-style: normal;
  background: #24303a; color: white; }
.key span:hover i, .key span:focus i { display: block; }
.key span::before { content: ''; display: inline-block; width: 12px; height: 12px;
  margin-right: 6px; vertical-align: -1px; background: var(--colour); }
body.body--dark .key span::before { outline: 1px solid rgba(255, 255, 255, .45); }
"""

_GREY, _LIGHT = "#7f8a93", "#e8edf1"
_LINE = "rgba(128,138,148,.2)"
_CONFIG = {"displayModeBar": False, "staticPlot": False, "responsive": True}


# The library that draws is large. The browser fetches and compiles it beside all else, so that the
# first figure does not wait for it.
_PRELOAD = """<script type="module">
document.head.append(Object.assign(document.createElement('link'),
  {rel: 'modulepreload', href: import.meta.resolve('nicegui-plotly')}));
</script>"""


def preload() -> None:
    """For a page that will draw figures."""
    ui.add_head_html(_PRELOAD)


def contributions(why: Attribution | None, span: float, dark: bool) -> dict[str, Any]:
    """What each parameter's terms are worth, stacked; `span` fixes the scale of two charts.

    To the right is what speaks for the point, whatever the units; hovering shows these.
    """
    data = []
    rows = [text(name) for name in why.parameters] if why is not None else []
    edge = {"color": "rgba(255,255,255,.45)", "width": 1 if dark else 0}  # dark on dark
    for i, look in enumerate(looks(why.terms) if why is not None else ()):
        assert why is not None
        meaning = text(words_of(why, i).meaning)
        data.append(
            {
                "type": "bar",
                "orientation": "h",
                "name": look.label,
                "y": rows,
                "x": why.worth[i].tolist(),
                "customdata": why.values[i].tolist(),
                "marker": {"color": look.colour, "line": edge},
                "hovertemplate": f"%{{y}}: %{{customdata:+.3g}}<br>{meaning}"
                "<extra>%{fullData.name}</extra>",
            }
        )
    figure = _bars(data, len(rows), dark)
    figure["layout"] |= {"barmode": "relative", "showlegend": False, "height": height(len(rows))}
    figure["layout"]["xaxis"]["range"] = [-span, span]
    figure["layout"]["xaxis"]["title"] = {
        "text": "speaks against it ← 0 → speaks for it",
        "font": {"size": 13},
    }
    return figure


def key(why: Attribution) -> None:
    """The colours of the contributions; hovering over a word says what it is."""
    with ui.element("div").classes("key"):
        for i, look in enumerate(looks(why.terms)):
            means = f"{text(look.label)}<i>{text(words_of(why, i).meaning)}</i>"
            word = ui.html(means, sanitize=False, tag="span").props("tabindex=0")
            word.style(f"--colour:{look.colour}")


def alignment(found: Alignment, dark: bool) -> dict[str, Any]:
    """The share of each parameter in the machine's reasons, and in the person's own."""
    data = [
        {
            "type": "bar",
            "orientation": "h",
            "name": name,
            "y": [text(name) for name in found.parameters],
            "x": [100.0 * share for share in shares],
            "marker": {"color": colour, "pattern": {"shape": pattern}},
            "hovertemplate": "%{y}: %{x:+.0f} %<extra>%{fullData.name}</extra>",
        }
        for name, shares, colour, pattern in (
            ("this proposal", found.machine, "#0072b2", ""),
            ("your past choices", found.person, "#e69f00", "/"),
        )
    ]
    figure = _bars(data, 2 * len(found.parameters), dark)
    figure["layout"]["barmode"] = "group"
    figure["layout"]["xaxis"] |= {"ticksuffix": " %", "range": [-105, 105]}
    return figure


def drawn(figure: Any, name: str) -> ui.plotly:
    """A figure on the page, with a name that is read out."""
    made = ui.plotly(figure).classes("w-full")
    made.props["role"], made.props["aria-label"] = "figure", name
    return made


def height(rows: int) -> int:
    """Pixels of a figure with so many rows, without a legend."""
    return 78 + 32 * max(rows, 1)


def _bars(data: list[dict[str, Any]], rows: int, dark: bool) -> dict[str, Any]:
    return {
        "data": data,
        "layout": {
            "height": 48 + height(rows),
            "margin": {"l": 8, "r": 8, "t": 8, "b": 46},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"color": "#a6b3bd" if dark else "#55626e", "size": 13, "family": FONT},
            "xaxis": {"zeroline": True, "zerolinecolor": _GREY, "gridcolor": _LINE},
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
            positive = why.worth.clip(min=0.0).sum(axis=0).max()
            negative = -why.worth.clip(max=0.0).sum(axis=0).min()
            found.append(float(max(positive, negative)))
    return 1.08 * max(found) or 1.0


def grounded(figure: Any, dark: bool) -> Any:
    """A figure of `counsel.plots` for a light or dark background."""
    figure.update_layout(font_family=FONT)
    if dark:
        clear = "rgba(0,0,0,0)"
        figure.update_layout(paper_bgcolor=clear, plot_bgcolor=clear, font_color="#cfd6dc")
        figure.update_xaxes(gridcolor=_LINE)
        figure.update_yaxes(gridcolor=_LINE)
        figure.for_each_trace(_lighter)
        if figure.layout.title.subtitle.font.color == INK:
            figure.layout.title.subtitle.font.color = _LIGHT
        # Traces without a legend, such as parallel coordinates, have no such field.
        rings = [each for each in figure.data if getattr(each, "legendgroup", None) == "best"]
        for number, trace in enumerate(rings):  # of a dark and a white ring, the legend has one
            trace.showlegend = number == 0
        for menu in figure.layout.updatemenus:
            menu.font.color = INK
    return figure


def _lighter(trace: Any) -> None:
    """Dark ink is invisible on a dark background."""
    if getattr(trace, "line", None) is not None and trace.line.color == INK:
        trace.line.color = _LIGHT
