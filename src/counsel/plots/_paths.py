"""Informativeness paths: contributions over the rounds of a study, one panel for each term."""

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from counsel.explain.path import paths as paths_of
from counsel.explain.path import turn
from counsel.facts.terms import term
from counsel.plots._style import INK, LINES, TEMPLATE, empty, text
from counsel.study import Study

_PANEL = 210


def paths(study: Study) -> go.Figure:
    """How much each parameter contributed to each term, proposal by proposal.

    A line marks where the study turns from exploring to exploiting. Every proposal is explained
    under the facts it was derived from, which takes a moment each.
    """
    title = "What drove the proposals"
    found = paths_of(study)
    if found.empty:
        return empty(title, "No proposal came from an acquisition yet.")
    terms = list(dict.fromkeys(found["term"]))
    names = [text(f"{term(tag).label}: {term(tag).meaning}") for tag in terms]
    figure = make_subplots(
        rows=len(terms),
        cols=1,
        shared_xaxes=True,
        vertical_spacing=0.22 / len(terms),
        subplot_titles=names,
    )
    for row, tag in enumerate(terms, 1):
        for look, parameter in enumerate(study.problem.space.names):
            mine = found[(found["term"] == tag) & (found["parameter"] == parameter)]
            colour, dash = LINES[look % len(LINES)]
            sampled = bool((mine["error"] > 0.0).any())
            figure.add_scatter(
                x=mine["round"],
                y=mine["value"],
                error_y={"array": 1.96 * mine["error"], "visible": sampled, "thickness": 1},
                mode="lines+markers" if len(mine) <= 40 else "lines",
                marker={"size": 5},
                name=text(parameter),
                legendgroup=parameter,
                showlegend=row == 1,
                line={"color": colour, "dash": dash, "width": 2},
                row=row,
                col=1,
                hovertemplate=f"round %{{x}}<br>{text(parameter)}: %{{y:.4g}}<extra></extra>",
            )
    turned = turn(found)
    if turned is not None:
        figure.add_vline(x=turned - 0.5, line={"color": INK, "dash": "dash", "width": 1.5})
        figure.add_annotation(
            text=f"exploits from round {turned}",
            x=turned - 0.5,
            y=1.0,
            xref="x",
            yref="paper",
            xanchor="left",
            yanchor="top",
            showarrow=False,
            name="turn",
        )
    figure.update_layout(
        template=TEMPLATE,
        title={"text": title},
        height=_PANEL * len(terms) + 170,
        margin={"t": 84, "b": 100},
    )
    figure.update_annotations(font={"size": 13})
    for label in figure.layout.annotations[: len(terms)]:
        label.update(x=0.0, xanchor="left")
    figure.update_yaxes(title={"text": "contribution", "standoff": 4}, zeroline=True)
    figure.update_xaxes(title={"text": "round", "standoff": 6}, row=len(terms), col=1)
    figure.update_xaxes(tickformat="d", dtick=1 if found["round"].nunique() <= 10 else None)
    return figure
