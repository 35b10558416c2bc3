"""The Insights page: the figures of `counsel.plots`."""

from collections.abc import Callable
from typing import Any

from fastapi import Request
from nicegui import ui

from counsel import plots
from counsel.errors import CounselError
from counsel.policies.protocol import Scoring
from counsel.service.web import charts, words
from counsel.service.web.frame import Visit, kept_fresh, study_page
from counsel.study import Study

__all__ = ["page"]


async def page(request: Request, name: str) -> None:
    async with study_page(request, "Insights", name) as opened:
        if opened is None:
            return
        here, study = opened
        best = ui.label("Drawing the figures.").classes("big")
        shown = ui.column().classes("w-full")

        async def refresh() -> None:
            found, figures = await here.believed(_draw, here, study)
            best.text = found
            shown.clear()
            with shown:
                for figure in figures:
                    with ui.card().classes("w-full"):
                        ui.plotly(figure).classes("w-full")

        await kept_fresh(here, name, refresh)


def _draw(here: Visit, study: Study) -> tuple[str, list[Any]]:
    found = study.best
    objective = study.problem.objective.name
    text = "Nothing has been measured yet."
    if found is not None:
        text = f"Best {objective}: {words.number(found.value)} at {words.point(found.values)}"
        if study.problem.objective.preferred:
            text = f"Liked best: {words.point(found.values)}"
    optimum = getattr(here.pool.worlds.get(study.name), "optimum", None)
    pending = study.pending
    drawn: list[Callable[[], Any]] = (
        []
        if study.problem.objective.preferred
        else [lambda: plots.progress(study, optimum=optimum)]
    )
    drawn += [
        lambda: plots.landscape(study),
        lambda: plots.paths(study),
        lambda: plots.safe_set(study),
        lambda: plots.overriding(study),
    ]
    if pending and isinstance(study.policy, Scoring):
        drawn.append(lambda: plots.slices(study, pending[0]))
    figures = []
    for draw in drawn:
        try:
            figure = draw()
        except CounselError:  # this study has no such figure
            continue
        figures.append(charts.grounded(figure, here.dark))
    return text, figures
