"""A map of the output weight: where `lw-ucb` looks harder because the predicted payoff is rare."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from counsel.facts.records import Value
from counsel.plots._landscape import (
    _draw_map,
    _draw_trials,
    _last_context,
    _listed,
    _names,
    _points,
    _set_axis,
    _set_title,
    _Sight,
)
from counsel.plots._style import BELIEF, FAINT, TEMPLATE, empty
from counsel.plots._trials import trials_of
from counsel.plots._within import allowed, blanks, made_up
from counsel.space import Arms
from counsel.study import Study

_SCALE = "Reds"


def output_weight(
    study: Study,
    parameters: Sequence[str] | None = None,
    *,
    context: Mapping[str, Value] | None = None,
) -> go.Figure:
    """The output weight w along one or two numeric parameters, with the trials.

    w averages 1 over the space: `lw-ucb` explores as `v-ucb` does where it is 1, more where it is
    above. `parameters` and `context` are those of `landscape`.
    """
    space, title = study.problem.space, "How rare the predicted payoff is"
    best = study.best
    names = _names(space, parameters, {} if best is None else best.values)
    if not names:
        return empty(title, "No numeric parameter to draw along.")
    if best is None:
        return empty(title, "Nothing has been measured yet.")
    given = _last_context(study) if context is None else context
    held = {} if isinstance(space, Arms) else dict(best.values)
    points = _points(space, names, held)
    real = allowed(space, names, points)
    can = [point for point in real if point is not None]
    if not can:
        return empty(title, "What is required leaves nothing to vary.")
    weights = blanks(study.weights(can, context=given) or [], real)
    trials = [trial for trial in trials_of(study) if set(names) <= set(trial.values)]
    sight = _Sight(names, points, [], trials, best.values, "w")
    figure = go.Figure(layout={"template": TEMPLATE, "height": 470, "margin": {"b": 100}})
    if len(names) == 2:
        _draw_map(figure, sight, weights, "w", 1, isinstance(space, Arms))
        _draw_trials(figure, sight, 1)
        bar = {"thickness": 12, "outlinewidth": 0}
        figure.update_layout(coloraxis={"colorscale": _SCALE, "colorbar": bar})
    else:
        mode = "markers" if isinstance(space, Arms) else "lines"
        figure.add_scatter(x=sight.along(0), y=weights, mode=mode, name="w", line_color=BELIEF)
        figure.add_hline(1.0, line={"color": FAINT, "dash": "dot"})
        figure.update_yaxes(title={"text": "w"}, rangemode="tozero")
    for axis, name in zip("xy", names, strict=False):
        _set_axis(figure, space, name, axis)
    tied = made_up(space, names)
    others = {name: value for name, value in held.items() if name not in {*names, *tied}}
    notes = ["Above 1, lw-ucb explores more than v-ucb."]
    notes += [f"Held at the best trial: {_listed(others)}"] if others else []
    notes += [f"Given: {_listed(given)}"] if given else []
    _set_title(figure, title, notes)
    return figure
