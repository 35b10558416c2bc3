"""Figures of the beliefs over the space: posterior mean and uncertainty.

Along two parameters of a box there are two maps on a grid; along one, a curve with its band. Arms
are drawn where they are: as a map if they fill a grid, else as dots.
"""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from counsel.errors import InvalidInput
from counsel.facts.records import Observation, Prediction, Proposal, Value
from counsel.plots._style import (
    BAND,
    BELIEF,
    FAINT,
    INK,
    LOOKS,
    MEAN_SCALE,
    SD_SCALE,
    TEMPLATE,
    empty,
    heights,
    marker,
    number,
    text,
)
from counsel.plots._trials import Trial, few, left_out, trials_of
from counsel.plots._within import allowed, made_up
from counsel.space import AnySpace, Arms, Categorical
from counsel.study import Study

_SIDE = 51  # grid points along one axis of a map
_ALONG = 201  # along a curve
_ARMS = 1_000  # at most this many arms are drawn; of more arms, every k-th

# Two maps side by side; one above the other where a page is narrow (see the report).
_WIDE = {
    "height": 470,
    "margin.b": 100,
    "xaxis.domain": [0.0, 0.41],
    "yaxis.domain": [0.0, 1.0],
    "xaxis2.domain": [0.53, 0.94],
    "yaxis2.domain": [0.0, 1.0],
    "coloraxis.colorbar.x": 0.415,
    "coloraxis.colorbar.y": 0.5,
    "coloraxis.colorbar.len": 1.0,
    "coloraxis2.colorbar.x": 0.945,
    "coloraxis2.colorbar.y": 0.5,
    "coloraxis2.colorbar.len": 1.0,
    "annotations[0].x": 0.0,
    "annotations[0].y": 1.0,
    "annotations[1].x": 0.53,
    "annotations[1].y": 1.0,
}
_NARROW = {
    "height": 820,
    "margin.b": 120,
    "xaxis.domain": [0.0, 0.86],
    "yaxis.domain": [0.57, 1.0],
    "xaxis2.domain": [0.0, 0.86],
    "yaxis2.domain": [0.0, 0.43],
    "coloraxis.colorbar.x": 0.875,
    "coloraxis.colorbar.y": 0.785,
    "coloraxis.colorbar.len": 0.43,
    "coloraxis2.colorbar.x": 0.875,
    "coloraxis2.colorbar.y": 0.215,
    "coloraxis2.colorbar.len": 0.43,
    "annotations[0].x": 0.0,
    "annotations[0].y": 1.0,
    "annotations[1].x": 0.0,
    "annotations[1].y": 0.43,
}


class _Sight(NamedTuple):
    """What to draw: the points, the beliefs there, and the trials."""

    names: tuple[str, ...]
    points: list[dict[str, Value]]
    beliefs: list[Prediction]
    trials: list[Trial]
    best: Mapping[str, Value] | None
    objective: str
    choices: frozenset[str] = frozenset()  # the names whose values are levels, not numbers

    def along(self, axis: int) -> list[Value]:
        return [self.at(point, axis) for point in self.points]

    def at(self, values: Mapping[str, Value], axis: int) -> Value:
        """Where values lie along an axis; levels lie at their names."""
        name = self.names[axis]
        return str(values[name]) if name in self.choices else values[name]

    @property
    def discrete(self) -> bool:
        return not self.choices.isdisjoint(self.names)


def landscape(
    study: Study,
    parameters: Sequence[str] | None = None,
    *,
    context: Mapping[str, Value] | None = None,
) -> go.Figure:
    """The posterior mean and sd along one or two parameters, with the trials.

    `parameters` defaults to the first two, numbers before choices. Other parameters of a box are
    held at the best trial, but for those that make up for the change in a mixture; arms are all
    drawn, whatever their other coordinates. `context` defaults to the last one given.
    """
    space, objective = study.problem.space, text(study.problem.objective.name)
    title = f"What is believed of {objective}"
    trials, best = trials_of(study), study.best
    names = _names(space, parameters, {} if best is None else best.values)
    if not trials:
        return empty(title, "No trials yet.<br>Ask for a proposal to begin.")
    # What exists only sometimes has no place elsewhere.
    placed = [trial for trial in trials if set(names) <= set(trial.values)]
    trials = few(placed)
    given = _last_context(study) if context is None else context
    held = {} if best is None or isinstance(space, Arms) else dict(best.values)
    points = _points(space, names, held) if best is not None else []
    real = allowed(space, names, points)
    can = [point for point in real if point is not None]
    believed = study.predict_many(can, context=given) if can else None
    beliefs = None if believed is None else _with_blanks(believed, real)
    if len(names) == 1:  # a curve has no use for them
        points = [point for point, each in zip(points, real, strict=True) if each is not None]
        beliefs = believed
    where = None if best is None else best.values
    choices = frozenset(name for name in names if not _is_numeric(space, name))
    sight = _Sight(names, points, beliefs or [], trials, where, objective, choices)
    apart = isinstance(space, Arms) or sight.discrete
    if len(names) == 1:
        figure = _curve(sight, apart)
    elif beliefs is None:
        figure = _plain(sight)
    else:
        figure = _maps(sight, apart)
    for axis, name in enumerate(names):
        _set_axis(figure, space, name, "xy"[axis])
    notes = _notes(space, names, held, given)
    notes += [note for note in [left_out(len(trials), len(placed))] if note]
    if beliefs is None:
        nothing = "Nothing has been measured yet, so there are no beliefs."
        none = "This policy has no beliefs." if can else "What is required leaves nothing to vary."
        notes.append(nothing if best is None else none)
    lines = [line for note in notes for line in textwrap.wrap(note, 52)][:3]
    _set_title(figure, title, lines)
    return figure


# ---- what to draw -------------------------------------------------------------------------------


def _names(
    space: AnySpace, parameters: Sequence[str] | None, held: Mapping[str, Value]
) -> tuple[str, ...]:
    """The parameters to draw along, of those that exist where the others are held."""
    there = [name for name in space.names if not held or name in held]
    known = sorted(there, key=lambda name: not _is_numeric(space, name))
    if parameters is None:
        return tuple(known[:2])
    if isinstance(parameters, str) or not 1 <= len(parameters) <= 2:
        raise InvalidInput("parameters", parameters, "Give a list of one or two names.")
    for name in parameters:
        if name not in known:
            where = f" where {_listed(held)}" if name in space.names else ""
            raise InvalidInput("parameters", name, f"Choose among {', '.join(known)}{where}.")
    if len(set(parameters)) < len(parameters):
        raise InvalidInput("parameters", list(parameters), "Give two different names.")
    return tuple(parameters)


def _is_numeric(space: AnySpace, name: str) -> bool:
    if not isinstance(space, Arms):
        return not isinstance(space.parameters[name], Categorical)
    # Labels that happen to be numbers are one-hot: such a column is wider, or holds strings.
    columns = space.columns(name)
    sample = (space[row][name] for row in range(min(len(space), 100)))
    return columns.stop - columns.start == 1 and not any(isinstance(v, str | bool) for v in sample)


def _labels(space: AnySpace, name: str) -> list[str]:
    """The levels of a choice, in their own order."""
    if isinstance(space, Arms):
        return list(dict.fromkeys(str(space[row][name]) for row in range(min(len(space), _ARMS))))
    return [str(each) for each in space.parameters[name].choices]  # type: ignore[union-attr]


def _points(
    space: AnySpace, names: tuple[str, ...], held: Mapping[str, Value]
) -> list[dict[str, Value]]:
    """Where to look: the arms, or a grid (the last name varies slowest)."""
    if isinstance(space, Arms):
        return [space[row] for row in range(0, len(space), -(-len(space) // _ARMS))]
    ticks = []
    for name in names:
        parameter = space.parameters[name]
        if isinstance(parameter, Categorical):
            ticks.append(list(parameter.choices))
            continue
        steps = np.linspace(0.0, 1.0, _SIDE if len(names) == 2 else _ALONG)
        ticks.append(list(dict.fromkeys(parameter.decode(u) for u in steps)))
    if len(names) == 1:
        return [{**held, names[0]: x} for x in ticks[0]]
    return [{**held, names[0]: x, names[1]: y} for y in ticks[1] for x in ticks[0]]


def _with_blanks(
    beliefs: Sequence[Prediction], real: Sequence[Mapping[str, Value] | None]
) -> list[Prediction]:
    """Beliefs at all points of a picture: NaN where nothing can be tried."""
    left, blank = iter(beliefs), Prediction(np.nan, np.nan)
    return [blank if each is None else next(left) for each in real]


def _last_context(study: Study) -> Mapping[str, Value] | None:
    facts = [f for f in study.facts if isinstance(f, Proposal | Observation)]
    return facts[-1].context if facts else None


def _notes(
    space: AnySpace,
    names: tuple[str, ...],
    held: Mapping[str, Value],
    context: Mapping[str, Value] | None,
) -> list[str]:
    notes = []
    tied = made_up(space, names)
    others = {name: value for name, value in held.items() if name not in {*names, *tied}}
    if others:
        notes.append("Held at the best trial: " + _listed(others))
    if tied:
        notes.append(f"Making up for it: {', '.join(text(name) for name in tied)}")
    if context:
        notes.append("Given: " + _listed(context))
    if isinstance(space, Arms) and len(space) > _ARMS:
        notes.append(f"Every {-(-len(space) // _ARMS)}th of {len(space):,} arms is drawn.")
    return notes


def _listed(values: Mapping[str, Value]) -> str:
    return ", ".join(f"{text(name)} = {number(value)}" for name, value in values.items())


# ---- two parameters -----------------------------------------------------------------------------


def _maps(sight: _Sight, arms: bool) -> go.Figure:
    figure = go.Figure()
    mean = np.array([belief.mean for belief in sight.beliefs])
    sd = np.array([belief.sd for belief in sight.beliefs])
    for panel, (values, label) in enumerate([(mean, "mean"), (sd, "sd")], 1):
        _draw_map(figure, sight, values, label, panel, arms)
        _draw_trials(figure, sight, panel)
    bar = {"thickness": 12, "outlinewidth": 0, "xpad": 4, "ypad": 0}
    figure.update_layout(
        template=TEMPLATE,
        coloraxis={"colorscale": MEAN_SCALE, "colorbar": bar},
        coloraxis2={"colorscale": SD_SCALE, "colorbar": bar},
        xaxis={"anchor": "y"},
        yaxis={"anchor": "x"},
        xaxis2={"anchor": "y2", "matches": "x"},
        yaxis2={"anchor": "x2", "matches": "y"},
        meta={"wide": _WIDE, "narrow": _NARROW},
    )
    for title in (f"expected {sight.objective}", "uncertainty (1 sd)"):
        _name_panel(figure, title)
    for path, value in _WIDE.items():
        figure.layout[path] = value
    return figure


def _draw_map(
    figure: go.Figure,
    sight: _Sight,
    values: NDArray[np.float64],
    label: str,
    panel: int,
    arms: bool,
) -> None:
    x, y = sight.along(0), sight.along(1)
    across, up = (_ticks(sight, axis, along) for axis, along in enumerate((x, y)))
    is_grid = len(across) * len(up) == len(x) == len(set(zip(x, y, strict=True)))
    first, second = (text(name) for name in sight.names)
    place: dict[str, Any] = {
        "xaxis": "x" if panel == 1 else "x2",
        "yaxis": "y" if panel == 1 else "y2",
        "name": label,
        "showlegend": False,
        "hovertemplate": f"{first} = %{{x{_form(sight, 0)}}}<br>"
        f"{second} = %{{y{_form(sight, 1)}}}<br>"
        f"{label}: %{{{'z' if is_grid else 'marker.color'}:.4g}}<extra></extra>",
    }
    colours = "coloraxis" if panel == 1 else "coloraxis2"
    if is_grid:
        rows = {value: row for row, value in enumerate(up)}
        columns = {value: column for column, value in enumerate(across)}
        grid = np.empty((len(up), len(across)))
        grid[[rows[v] for v in y], [columns[v] for v in x]] = values
        place |= {"x": across, "y": up, "z": grid, "coloraxis": colours}
        if arms:
            figure.add_heatmap(**place)
        else:
            figure.add_contour(**place, ncontours=14, line={"width": 0.4, "color": "white"})
        return
    order = np.argsort(values)  # where arms overlap, the largest is on top
    figure.add_scatter(
        x=[x[i] for i in order],
        y=[y[i] for i in order],
        mode="markers",
        marker={"color": values[order], "coloraxis": colours, "size": 7},
        **place,
    )


def _ticks(sight: _Sight, axis: int, along: list[Value]) -> list[Value]:
    """What is on an axis: numbers in order, levels as they come."""
    found = list(dict.fromkeys(along))
    return found if sight.names[axis] in sight.choices else sorted(found)


def _form(sight: _Sight, axis: int) -> str:
    return "" if sight.names[axis] in sight.choices else ":.4g"


def _draw_trials(figure: go.Figure, sight: _Sight, panel: int) -> None:
    place = {"xaxis": "x", "yaxis": "y"} if panel == 1 else {"xaxis": "x2", "yaxis": "y2"}
    for status, look in LOOKS.items():
        shown = [t for t in sight.trials if t.status == status]
        if shown:
            figure.add_scatter(
                x=[sight.at(t.values, 0) for t in shown],
                y=[sight.at(t.values, 1) for t in shown],
                mode="markers",
                name=look.name,
                legendgroup=status,
                showlegend=panel == 1,
                marker=marker(status, 13 if status == "proposed" else 8),
                text=[t.story for t in shown],
                hovertemplate="%{text}<extra></extra>",
                cliponaxis=False,
                **place,
            )
    if sight.best is not None:
        for width, colour in ((5, "white"), (2, INK)):  # visible on light and on dark backgrounds
            line = {"width": width, "color": colour}
            figure.add_scatter(
                x=[sight.at(sight.best, 0)],
                y=[sight.at(sight.best, 1)],
                mode="markers",
                name="best trial",
                legendgroup="best",
                showlegend=panel == 1 and colour == INK,
                marker={"symbol": "circle-open", "size": 20, "color": colour, "line": line},
                hoverinfo="skip",
                cliponaxis=False,
                **place,
            )


def _plain(sight: _Sight) -> go.Figure:
    """The trials alone."""
    figure = go.Figure(layout={"template": TEMPLATE, "height": 470, "margin": {"b": 100}})
    _draw_trials(figure, sight._replace(best=None), 1)
    return figure


# ---- one parameter ------------------------------------------------------------------------------


def _curve(sight: _Sight, arms: bool) -> go.Figure:
    figure = go.Figure(layout={"template": TEMPLATE, "height": 420, "margin": {"b": 100}})
    mean = np.array([belief.mean for belief in sight.beliefs])
    low, high = np.array([belief.interval() for belief in sight.beliefs]).reshape(-1, 2).T
    x = sight.along(0)
    if sight.beliefs and arms:
        figure.add_scatter(
            x=x,
            y=mean,
            error_y={
                "array": high - mean,
                "arrayminus": mean - low,
                "color": FAINT,
                "thickness": 1,
                "width": 2,
            },
            mode="markers",
            name="mean, 95 %",
            marker={"color": BELIEF, "size": 6},
        )
    elif sight.beliefs:
        line = {"color": BELIEF, "width": 0}
        figure.add_scatter(x=x, y=low, mode="lines", line=line, showlegend=False, hoverinfo="skip")
        figure.add_scatter(
            x=x,
            y=high,
            mode="lines",
            line=line,
            fill="tonexty",
            fillcolor=BAND,
            name="95 %",
            hoverinfo="skip",
        )
        figure.add_scatter(
            x=x, y=mean, mode="lines", line={"color": BELIEF, "width": 2.5}, name="mean"
        )
    _draw_values(figure, sight, [*low, *high])
    figure.update_yaxes(title={"text": sight.objective})
    return figure


def _draw_values(figure: go.Figure, sight: _Sight, bounds: list[float]) -> None:
    """Trials at their measured values; unmeasured ones are on the lower edge."""
    scale = heights([t.value for t in sight.trials if t.value is not None] + bounds)
    for status, look in LOOKS.items():
        shown = [t for t in sight.trials if t.status == status]
        if shown:
            figure.add_scatter(
                x=[sight.at(t.values, 0) for t in shown],
                y=[scale.edge if t.value is None else t.value for t in shown],
                mode="markers",
                name=look.name,
                marker=marker(status, 15 if status == "proposed" else 10),
                text=[t.story for t in shown],
                hovertemplate="%{text}<extra></extra>",
                cliponaxis=False,
            )
    figure.update_yaxes(**scale.axis())


# ---- around the picture -------------------------------------------------------------------------


def _set_axis(figure: go.Figure, space: AnySpace, name: str, letter: str) -> None:
    axis: dict[str, Any] = {"title": {"text": text(space.title(name)), "standoff": 6}}
    if not _is_numeric(space, name):
        labels = _labels(space, name)
        axis |= {"type": "category", "categoryorder": "array", "categoryarray": labels}
    elif not isinstance(space, Arms):
        parameter = space.parameters[name]
        low, high = parameter.low, parameter.high  # type: ignore[union-attr]
        if parameter.log:  # type: ignore[union-attr]
            limits = [float(np.log10(low)), float(np.log10(high))]
            axis |= {"type": "log", "range": limits, "exponentformat": "power"}
            axis |= {"dtick": 1} if high / low >= 100 else {}
        else:
            axis |= {"range": [low, high]}
    update = figure.update_xaxes if letter == "x" else figure.update_yaxes
    update(**axis)


def _name_panel(figure: go.Figure, title: str) -> None:
    """The title of one panel of several; the layout says where it stands."""
    figure.add_annotation(
        text=title,
        xref="paper",
        yref="paper",
        xanchor="left",
        yanchor="bottom",
        showarrow=False,
        font={"size": 13},
    )


def _set_title(figure: go.Figure, title: str, lines: list[str]) -> None:
    small = {"font": {"size": 12, "color": INK}, "text": "<br>".join(lines)}
    figure.update_layout(
        title={"text": title, "subtitle": small, "yref": "container", "y": 1.0, "yanchor": "top"},
        margin={"t": 76 + 17 * len(lines)},
    )
    figure.update_layout(title={"pad": {"t": 14}})
