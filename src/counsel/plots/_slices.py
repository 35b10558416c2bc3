"""Figures of what the optimizer saw when it proposed: mean, uncertainty, acquisition.

Along two numeric parameters there are three maps, along one there are three curves; all other
parameters are held at the proposal's values. `landscape` shows today's beliefs; this shows the
proposal's own round.
"""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from counsel.acquisition.maximise import predict_arms
from counsel.errors import NothingToExplain
from counsel.explain.game import value_at
from counsel.facts.records import Proposal, Value
from counsel.plots._landscape import (
    _is_numeric,
    _listed,
    _name_panel,
    _names,
    _points,
    _set_axis,
    _set_title,
)
from counsel.plots._style import BAND, BELIEF, INK, MEAN_SCALE, SD_SCALE, TEMPLATE, empty, text
from counsel.plots._within import allowed, blanks, made_up
from counsel.space import Arms
from counsel.study import Study

_ACQUISITION_SCALE = "Magma"
_GAP = 0.10


class _Panel(NamedTuple):
    title: str
    values: np.ndarray
    scale: str


def slices(
    study: Study, proposal: Proposal | str, parameters: Sequence[str] | None = None
) -> go.Figure:
    """Mean, sd and acquisition along one or two parameters, through a proposal."""
    space = study.problem.space
    found = study.proposal(proposal)
    title = f"What proposal {found.id} saw"
    names = _names(space, parameters, found.values)
    points = _points(space, names, {} if isinstance(space, Arms) else dict(found.values))
    real = allowed(space, names, points)
    can = [point for point in real if point is not None]
    if not can:
        return empty(title, "What is required leaves nothing to vary.")
    try:
        panels = _panels(study, found, can)
    except NothingToExplain as nothing:
        return empty(title, "<br>".join(textwrap.wrap(text(nothing), 48)))
    if len(names) == 2:
        panels = [each._replace(values=blanks(each.values, real)) for each in panels]
    else:
        points = [point for point, each in zip(points, real, strict=True) if each is not None]
    choices = [name for name in names if not _is_numeric(space, name)]
    points = [_with_labels(point, choices) for point in points]
    here = _with_labels(found.values, choices)
    arms = isinstance(space, Arms)
    if len(names) == 2:
        figure = _maps(points, names, panels, here, arms, bool(choices))
    else:
        figure = _curves(points, names[0], panels, here, arms or bool(choices))
    for axis, name in enumerate(names):
        _set_axis(figure, space, name, "xy"[axis])
    tied = made_up(space, names)
    held = {n: v for n, v in found.values.items() if n not in {*names, *tied}}
    notes = []
    if held and not isinstance(space, Arms):
        notes.append("Held at the proposal: " + _listed(held))
    if tied:
        notes.append(f"Making up for it: {', '.join(text(name) for name in tied)}")
    if found.context:
        notes.append("Given: " + _listed(found.context))
    _set_title(figure, title, [line for note in notes for line in textwrap.wrap(note, 52)][:3])
    return figure


def _with_labels(values: Mapping[str, Value], choices: list[str]) -> dict[str, Value]:
    """Values with levels as their names."""
    return {name: str(each) if name in choices else each for name, each in values.items()}


def _panels(
    study: Study, proposal: Proposal, points: Sequence[Mapping[str, Value]]
) -> list[_Panel]:
    space, sign = study.problem.space, study.problem.objective.sign
    score = study.explaining.score_of(proposal)
    given = space.encode_context(proposal.context)
    x = np.concatenate([space.encode_many(points), np.tile(given, (len(points), 1))], axis=1)
    value = np.asarray(value_at(score, x))
    panels = []
    belief = getattr(score, "posterior", None)
    if belief is not None:
        mean, sd = belief.in_units(
            *(np.asarray(each) for each in predict_arms(belief, x, np.zeros(0)))
        )
        panels = [
            _Panel(f"expected {text(study.problem.objective.name)}", sign * mean, MEAN_SCALE),
            _Panel("uncertainty (1 sd)", sd, SD_SCALE),
        ]
    return [*panels, _Panel("acquisition (larger is better)", value, _ACQUISITION_SCALE)]


# ---- two parameters -----------------------------------------------------------------------------


def _maps(
    points: Sequence[Mapping[str, Value]],
    names: tuple[str, ...],
    panels: list[_Panel],
    here: Mapping[str, Value],
    arms: bool,
    levels: bool,
) -> go.Figure:
    figure = go.Figure(layout={"template": TEMPLATE})
    x, y = ([point[name] for point in points] for name in names)
    for i, panel in enumerate(panels, 1):
        suffix = "" if i == 1 else str(i)
        place: dict[str, Any] = {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}", "showlegend": False}
        hover = f"{text(names[0])} = %{{x:.4g}}<br>{text(names[1])} = %{{y:.4g}}<br>"
        colours = f"coloraxis{suffix}"
        if arms:
            figure.add_scatter(
                x=x,
                y=y,
                mode="markers",
                marker={"color": panel.values, "coloraxis": colours, "size": 7},
                hovertemplate=hover + "%{marker.color:.4g}<extra></extra>",
                **place,
            )
        elif levels:
            figure.add_heatmap(
                x=x,
                y=y,
                z=panel.values,
                coloraxis=colours,
                hovertemplate=hover.replace(":.4g", "") + "%{z:.4g}<extra></extra>",
                **place,
            )
        else:
            figure.add_contour(
                x=x,
                y=y,
                z=panel.values,
                coloraxis=colours,
                ncontours=14,
                line={"width": 0.4, "color": "white"},
                hovertemplate=hover + "%{z:.4g}<extra></extra>",
                **place,
            )
        _mark(figure, [here[names[0]]], [here[names[1]]], place, i == 1)
        _name_panel(figure, panel.title)
        bar = {"thickness": 10, "outlinewidth": 0, "xpad": 3, "ypad": 0, "tickfont": {"size": 11}}
        figure.layout[colours] = {"colorscale": panel.scale, "colorbar": bar}
        first = i == 1
        figure.layout[f"xaxis{suffix}"] = {"anchor": f"y{suffix}"} | (
            {} if first else {"matches": "x"}
        )
        figure.layout[f"yaxis{suffix}"] = {"anchor": f"x{suffix}"} | (
            {} if first else {"matches": "y"}
        )
    wide, narrow = _arrangement(len(panels), wide=True), _arrangement(len(panels), wide=False)
    for path, value in wide.items():
        figure.layout[path] = value
    figure.update_layout(meta={"wide": wide, "narrow": narrow})
    return figure


def _arrangement(count: int, *, wide: bool) -> dict[str, Any]:
    """Panels side by side, or one above the other where a page is narrow."""
    found: dict[str, Any] = {"height": 420 if wide else 380 * count, "margin.b": 90}
    for i in range(count):
        suffix = "" if i == 0 else str(i + 1)
        if wide:
            step = 1.0 / count
            across, up = [i * step, i * step + step - _GAP], [0.0, 1.0]
        else:
            step = (1.0 + _GAP) / count
            top = 1.0 - i * step
            across, up = [0.0, 0.84], [top - step + _GAP, top]
        found |= {
            f"xaxis{suffix}.domain": across,
            f"yaxis{suffix}.domain": up,
            f"coloraxis{suffix}.colorbar.x": across[1] + 0.005,
            f"coloraxis{suffix}.colorbar.y": (up[0] + up[1]) / 2.0,
            f"coloraxis{suffix}.colorbar.len": up[1] - up[0],
            f"annotations[{i}].x": across[0],
            f"annotations[{i}].y": up[1],
        }
    return found


def _mark(
    figure: go.Figure, x: list[Any], y: list[Any], place: dict[str, Any], legend: bool
) -> None:
    figure.add_scatter(
        x=x,
        y=y,
        mode="markers",
        name="the proposal",
        legendgroup="proposal",
        marker={
            "symbol": "star",
            "size": 15,
            "color": "white",
            "line": {"width": 1.4, "color": INK},
        },
        hoverinfo="skip",
        cliponaxis=False,
        **(place | {"showlegend": legend}),
    )


# ---- one parameter ------------------------------------------------------------------------------


def _curves(
    points: Sequence[Mapping[str, Value]],
    name: str,
    panels: list[_Panel],
    here: Mapping[str, Value],
    apart: bool,
) -> go.Figure:
    """The mean with its band above, the acquisition below."""
    figure = go.Figure(layout={"template": TEMPLATE, "height": 560})
    x = [point[name] for point in points]
    mode = "markers" if apart else "lines"
    acquisition = panels[-1]
    rows = [acquisition] if len(panels) == 1 else [panels[0], acquisition]
    for i, panel in enumerate(rows, 1):
        suffix = "" if i == 1 else str(i)
        place = {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}"}
        if panel is not acquisition:
            sd = panels[1].values
            if not apart:
                band = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip", **place}
                figure.add_scatter(x=x, y=panel.values - 1.96 * sd, showlegend=False, **band)
                figure.add_scatter(
                    x=x,
                    y=panel.values + 1.96 * sd,
                    fill="tonexty",
                    fillcolor=BAND,
                    name="95 %",
                    **band,
                )
        figure.add_scatter(
            x=x,
            y=panel.values,
            mode=mode,
            line={"color": BELIEF if panel is not acquisition else "#d55e00", "width": 2.5},
            name=panel.title,
            **place,
        )
        at = here[name]
        if isinstance(at, str):
            nearest = x.index(at)
        else:
            nearest = int(np.argmin([abs(float(each) - at) for each in x]))
        _mark(figure, [at], [float(panel.values[nearest])], place, i == 1)
        up = [0.0, 1.0] if len(rows) == 1 else ([0.56, 1.0] if i == 1 else [0.0, 0.44])
        figure.layout[f"yaxis{suffix}"] = {"anchor": f"x{suffix}", "domain": up}
        figure.layout[f"xaxis{suffix}"] = {"anchor": f"y{suffix}"}
        if i > 1:
            figure.layout[f"xaxis{suffix}"]["matches"] = "x"
    figure.update_layout(margin={"b": 100})
    return figure
