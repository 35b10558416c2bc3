"""Figures of one attribution: contributions by parameter and term, and steps from base to value."""

import textwrap

import numpy as np
import plotly.graph_objects as go

from counsel.errors import InvalidInput
from counsel.explain.attribution import Attribution
from counsel.explain.sentence import objective, words_of
from counsel.facts.terms import looks
from counsel.plots._style import FAINT, INK, TEMPLATE, empty, number, text

_ROW = 46  # pixels for one parameter
_UP, _DOWN = "#0072b2", "#d55e00"


def contributions(why: Attribution) -> go.Figure:
    """Stacked bars of each parameter's contributions by term; a diamond marks their sum.

    Terms with units of their own (chances, improvements) are drawn by what they are worth in what
    was maximised, so that they can be stacked. Sampled values carry their 95 % interval.
    """
    figure = _empty(why, "Contributions of the parameters", len(why.parameters))
    names = _labels(why)
    lengths, errors = why.values if why.additive else why.worth, why.error * why.rates
    for i, look in enumerate(looks(why.terms)):
        figure.add_bar(
            y=names,
            x=lengths[i],
            orientation="h",
            name=text(look.label),
            marker={
                "color": look.colour,
                "pattern": {
                    "shape": look.pattern,
                    "fgcolor": "white",
                    "size": 6,
                    "solidity": 0.25,
                    "fillmode": "overlay",
                },
                "line": {"color": "white", "width": 1},
            },
            customdata=np.column_stack([why.values[i], why.error[i]]),
            hovertemplate="%{y}<br>"
            + text(look.meaning)
            + ": %{customdata[0]:.4g} ± %{customdata[1]:.2g}<extra></extra>",
        )
    spread = 1.96 * np.sqrt((errors**2).sum(axis=0))
    if len(why.terms) > 1 or spread.any():
        figure.add_scatter(
            y=names,
            x=lengths.sum(axis=0),
            error_x={
                "array": spread,
                "color": INK,
                "thickness": 1.5,
                "visible": bool(spread.any()),
            },
            mode="markers",
            name="sum" if not spread.any() else "sum, 95 %",
            marker={"symbol": "diamond", "size": 10, "color": "white", "line": _edge()},
            hovertemplate="%{y}<br>sum: %{x:.4g}<extra></extra>",
        )
    figure.update_layout(barmode="relative", bargap=0.35)
    figure.update_xaxes(title={"text": _axis(why), "standoff": 6})
    figure.add_vline(x=0.0, line={"color": INK, "width": 1})
    return figure


def waterfall(why: Attribution, term: str | None = None) -> go.Figure:
    """From the average point to this one: a step for each parameter, the largest first.

    `term` shows one term; without it, all of them together.
    """
    if term is not None and term not in why.terms:
        raise InvalidInput("term", term, f"This attribution has {', '.join(why.terms)}.")
    row = None if term is None else why.terms.index(term)
    if row is not None:
        values, base, total = why.values[row], float(why.base[row]), float(why.total[row])
    elif why.additive:
        values, base, total = why.values.sum(axis=0), float(why.base.sum()), float(why.total.sum())
    else:
        values, base, total = why.worth.sum(axis=0), 0.0, float(why.worth.sum())
    turned = why.signs[row or 0] < 0.0 and (row is not None or why.additive)
    what = "all terms" if term is None else text(term)
    order = np.argsort(-np.abs(values), kind="stable")
    names = [_labels(why)[j] for j in order]
    steps = [float(values[j]) for j in order]
    figure = _empty(why, f"From an average point: {what}", len(names) + 2)
    figure.add_waterfall(
        orientation="h",
        y=["average point", *names, "this point"],
        x=[base, *steps, total],
        measure=["absolute", *["relative"] * len(steps), "total"],
        text=[f"{base:.3g}", *(f"{step:+.3g}" for step in steps), f"{total:.3g}"],
        textposition="outside",
        cliponaxis=False,
        connector={"line": {"color": FAINT, "width": 1, "dash": "dot"}},
        increasing={"marker": {"color": _DOWN if turned else _UP}},
        decreasing={"marker": {"color": _UP if turned else _DOWN}},
        totals={"marker": {"color": FAINT}},
        hovertemplate="%{y}: %{text}<extra></extra>",
        showlegend=False,
    )
    reach = np.cumsum([base, *steps])
    low, high = float(min(reach.min(), total)), float(max(reach.max(), total))
    room = 0.16 * ((high - low) or abs(high) or 1.0)  # for the numbers beside the bars
    figure.update_xaxes(
        range=[low - room, high + room], title={"text": _axis(why, row), "standoff": 6}
    )
    figure.update_layout(margin={"b": 56})
    return figure


def interactions(why: Attribution, term: str | None = None) -> go.Figure:
    """What each pair of parameters adds to each other; on the diagonal, what each does by itself.

    In what they are worth in what was maximised; `term` shows one term, else all together. Rows add
    up to the parameters' contributions.
    """
    title = "What parameters do together"
    if why.interactions is None:
        return empty(title, "With this many parameters, interactions are not computed.")
    if term is not None and term not in why.terms:
        raise InvalidInput("term", term, f"This attribution has {', '.join(why.terms)}.")
    worth = why.interactions * why.rates[:, :, None]
    found = worth.sum(axis=0) if term is None else worth[why.terms.index(term)]
    most = float(np.abs(found).max()) or 1.0
    names = _labels(why)
    figure = _empty(why, title, len(names) + 1)
    figure.add_heatmap(
        x=names,
        y=names,
        z=found,
        zmin=-most,
        zmax=most,
        colorscale=[[0.0, _DOWN], [0.5, "#f7f7f7"], [1.0, _UP]],
        texttemplate="%{z:+.2g}",
        hovertemplate="%{x}<br>%{y}<br>%{z:+.4g}<extra></extra>",
        colorbar={"title": {"text": "worth"}, "thickness": 12},
        xgap=2,
        ygap=2,
    )
    return figure


def _empty(why: Attribution, title: str, rows: int) -> go.Figure:
    of = f"Proposal {why.proposal}. " if why.proposal else ""
    notes = [*textwrap.wrap(f"{of}{why.sentence()}", 52)]
    notes += textwrap.wrap(f"Against {why.background}; {why.method}.", 52)
    lines = [text(line) for line in notes][:7]
    figure = go.Figure(layout={"template": TEMPLATE})
    top = 62 + 16 * len(lines)
    figure.update_layout(
        title={
            "text": title,
            "xref": "container",
            "x": 0.02,
            "subtitle": {"text": "<br>".join(lines), "font": {"size": 12, "color": INK}},
            "yref": "container",
            "y": 1.0,
            "yanchor": "top",
            "pad": {"t": 14},
        },
        height=top + max(3, rows) * _ROW + 110,
        margin={"t": top, "b": 96, "r": 24},
    )
    figure.update_yaxes(autorange="reversed", ticklabelstandoff=6)
    return figure


def _axis(why: Attribution, row: int | None = None) -> str:
    """What the numbers are and what is good."""
    if row is None and not why.additive:
        return "what speaks for it, in what was maximised (larger is better)"
    meaning = words_of(why, row or 0).meaning if row is not None else text(objective(why))
    better = "smaller" if why.signs[row or 0] < 0.0 else "larger"
    return f"{meaning} ({better} is better)"


def _labels(why: Attribution) -> list[str]:
    return [
        f"{text(name)} = {number(why.point[name])}" if name in why.point else f"no {text(name)}"
        for name in why.parameters
    ]


def _edge() -> dict[str, object]:
    return {"width": 1.5, "color": INK}
