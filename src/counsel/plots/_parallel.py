"""Figure of every trial as a line across its parameters and outcomes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from counsel.facts.payoffs import means, trials
from counsel.plots._style import MEAN_SCALE, TEMPLATE, empty, text
from counsel.plots._trials import drawn, left_out
from counsel.study import StudyLike

__all__ = ["parallel"]


def parallel(study: StudyLike) -> go.Figure:
    """Parallel coordinates of the measured trials: parameters, outcomes, and the objective last.

    Drag along an axis to select; colours are the objective's.
    """
    problem = study.problem
    title = "Every trial across parameters and outcomes"
    rows: list[dict[str, Any]] = []
    for parts in trials(study.observations).values():
        outcomes = means(parts)
        worth = problem.payoff(outcomes)
        if worth is not None:
            about = {**parts[0].values, **parts[0].context, **outcomes}
            rows.append({**about, problem.objective.name: worth})
    if not rows:
        return empty(title, "Nothing was measured yet.")
    space, last, count = problem.space, problem.objective.name, len(rows)
    rows = [rows[i] for i in drawn([row[last] for row in rows])]
    names = [*space.names, *space.context_names]
    names += [name for name in problem.outcomes if name != last] + [last]
    shown = [name for name in names if any(name in row for row in rows)]
    note = {"text": left_out(len(rows), count)}
    figure = go.Figure(
        layout={"template": TEMPLATE, "title": {"text": title, "subtitle": note}, "height": 420}
    )
    figure.add_parcoords(
        dimensions=[
            _axis(problem.space.title(name), [row.get(name) for row in rows]) for name in shown
        ],
        line={
            "color": [row[last] for row in rows],
            "colorscale": MEAN_SCALE,
            "reversescale": problem.objective.direction == "minimize",
            "showscale": True,
            "colorbar": {"title": {"text": text(last)}, "thickness": 12},
        },
    )
    figure.update_layout(margin={"l": 80, "r": 60, "t": 90, "b": 40})
    return figure


def _axis(title: str, cells: Sequence[Any]) -> dict[str, Any]:
    """A coordinate; levels have places in order of appearance, what is missing lies below."""
    known = [cell for cell in cells if cell is not None]
    if any(isinstance(cell, str | bool) for cell in known):
        labels = list(dict.fromkeys(str(cell) for cell in known))
        places = [-1 if cell is None else labels.index(str(cell)) for cell in cells]
        return {
            "label": text(title),
            "values": places,
            "tickvals": list(range(len(labels))),
            "ticktext": labels,
        }
    low = float(np.min(known)) - 0.1 * float(np.ptp(known) or 1.0)
    return {"label": text(title), "values": [low if cell is None else cell for cell in cells]}
