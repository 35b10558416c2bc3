"""Figure of predictions, measurements and the best so far, trial by trial."""

from collections.abc import Sequence
from itertools import accumulate

import plotly.graph_objects as go

from counsel.facts.checks import finite_number
from counsel.plots._style import FAINT, INK, LOOKS, OPTIMUM, TEMPLATE, empty, heights, marker, text
from counsel.plots._trials import Trial, few, left_out, trials_of
from counsel.study import Study

_BROKE, _UNMEASURED = ", broke a constraint", ", not measured"  # in the strip


def progress(study: Study, optimum: float | None = None) -> go.Figure:
    """Measured values by trial, the best so far, and predictions with their 95 % intervals.

    Trials without a value (rejected, waiting or withdrawn) and those that broke a constraint are in
    a strip below the axis. `optimum` draws the best possible value, where it is known.
    """
    objective = text(study.problem.objective.name)
    title = f"{objective[:1].upper()}{objective[1:]}, trial by trial"
    limit = None if optimum is None else finite_number("optimum", optimum)
    trials = trials_of(study)
    if not trials:
        return empty(title, "No trials yet.<br>Ask for a proposal to begin.")
    scale = heights(_values(trials, limit))
    marked = few(trials)
    note = {"text": left_out(len(marked), len(trials))}
    figure = go.Figure(
        layout={"template": TEMPLATE, "title": {"text": title, "subtitle": note}, "height": 420}
    )
    if limit is not None:
        _draw_optimum(figure, limit, len(trials))
    _draw_predictions(figure, marked)
    _draw_best(figure, trials, study.problem.objective.direction == "maximize")
    for status, look in LOOKS.items():
        here = [t for t in marked if t.status == status]
        for kind in ("", _BROKE, _UNMEASURED):
            shown = [t for t in here if _kind(t) == kind]
            if shown:
                said = kind if kind == _BROKE or len(shown) < len(here) else ""
                figure.add_scatter(
                    x=[t.number for t in shown],
                    y=[0.0 if kind or t.value is None else t.value for t in shown],
                    yaxis="y2" if kind else "y",
                    mode="markers",
                    name=look.name + said,
                    marker=marker(status),
                    text=[t.story + _measured(t) for t in shown],
                    hovertemplate="%{text}<extra></extra>",
                    cliponaxis=False,
                )
    figure.update_xaxes(
        title={"text": "trial", "standoff": 6},
        range=[0.4, len(trials) + 0.6],
        tickformat="d",
        dtick=1 if len(trials) <= 10 else None,
    )
    figure.update_layout(
        margin={"b": 110},
        yaxis={"title": {"text": objective}, **scale.axis()},
    )
    if any(map(_kind, trials)):
        figure.update_layout(
            xaxis={"anchor": "y2"},
            yaxis={"domain": [0.14, 1.0]},
            yaxis2={
                "domain": [0.0, 0.08],
                "range": [-1.0, 1.0],
                "showticklabels": False,
                "showgrid": False,
                "fixedrange": True,
            },
        )
    return figure


def best_so_far(values: Sequence[float], maximise: bool) -> list[float]:
    return list(accumulate(values, max if maximise else min))


def _draw_optimum(figure: go.Figure, optimum: float, count: int) -> None:
    figure.add_scatter(
        x=[0.4, count + 0.6],
        y=[optimum, optimum],
        mode="lines",
        name=f"optimum {optimum:.4g}",
        line={"color": OPTIMUM, "dash": "dash", "width": 2},
        hoverinfo="skip",
    )


def _draw_predictions(figure: go.Figure, trials: Sequence[Trial]) -> None:
    believed = [(t.number, t.prediction) for t in trials if t.prediction is not None]
    if believed:
        figure.add_scatter(
            x=[number for number, _ in believed],
            y=[p.mean for _, p in believed],
            error_y={
                "array": [p.interval()[1] - p.mean for _, p in believed],
                "arrayminus": [p.mean - p.interval()[0] for _, p in believed],
                "color": FAINT,
                "thickness": 1.2,
                "width": 3,
            },
            customdata=[p.sd for _, p in believed],
            mode="markers",
            name="predicted, 95 %",
            marker={"color": FAINT, "symbol": "line-ew-open", "size": 9, "line": {"width": 2}},
            hovertemplate="Predicted for the proposal<br>%{y:.4g} ± %{customdata:.2g} (1 sd)"
            "<extra></extra>",
        )


def _draw_best(figure: go.Figure, trials: Sequence[Trial], maximise: bool) -> None:
    measured = [(t.number, t.value) for t in trials if t.value is not None and not _kind(t)]
    if measured:
        best = best_so_far([value for _, value in measured], maximise)
        figure.add_scatter(
            x=[*(number for number, _ in measured), len(trials) + 0.6],
            y=[*best, best[-1]],
            mode="lines",
            name="best so far",
            line={"color": INK, "width": 2, "shape": "hv"},
            hovertemplate="Best so far: %{y:.4g}<extra></extra>",
        )


def _values(trials: Sequence[Trial], optimum: float | None) -> list[float]:
    """Everything that has a vertical position."""
    values = [t.value for t in trials if t.value is not None and not _kind(t)]
    values += [bound for t in trials if t.prediction for bound in t.prediction.interval()]
    return values if optimum is None else [*values, optimum]


def _kind(trial: Trial) -> str:
    """Why a trial is in the strip; "" if it is not."""
    if trial.value is None:
        return _UNMEASURED
    return _BROKE if trial.broken else ""


def _measured(trial: Trial) -> str:
    broken = "<br>broke a constraint" if trial.broken else ""
    if trial.value is None:
        return f"<br>not measured{broken}"
    return f"<br>measured: {trial.value:.4g}{broken}"
