"""What the study has come to know: the figures of `counsel.plots`."""

from typing import Any

from fastapi import Request
from nicegui import ui

from counsel import plots
from counsel.errors import CounselError
from counsel.server.pages import words
from counsel.server.pages.frame import Visit, frame, news, visit
from counsel.study import Study

__all__ = ["page"]

# By name: figures come and go with what a study has (paths need explanations, slices a model).
_FIGURES = ("progress", "landscape", "paths", "slices", "safe_set")


async def page(request: Request, name: str) -> None:
    here = visit(request)
    if here is None:
        return
    dark = request.cookies.get("counsel_dark") == "1"
    with frame(here, request, "Insights", name):
        try:
            study = await here.desk.store(here.desk.study, name)
        except CounselError as error:
            ui.label(str(error)).classes("text-negative")
            return
        best = ui.label().classes("big")
        shown = ui.element("div").classes("columns")

        async def refresh() -> None:
            found, figures = await here.desk.compute(_draw, here, study, dark)
            best.text = found
            shown.clear()
            with shown:
                for figure in figures:
                    with ui.card().classes("w-full"):
                        ui.plotly(figure).classes("w-full")

        await refresh()
        news(here, name, refresh)


def _draw(here: Visit, study: Study, dark: bool) -> tuple[str, list[Any]]:
    found = study.best
    objective = study.problem.objective.name
    text = "Nothing is measured yet."
    if found is not None:
        text = f"Best {objective}: {words.number(found.value)} at {words.point(found.values)}"
    optimum = getattr(here.desk.worlds.get(study.name), "optimum", None)
    figures = []
    for name in _FIGURES:
        make = getattr(plots, name, None)
        if make is None:
            continue
        try:
            figure = make(study, optimum=optimum) if name == "progress" else make(study)
        except CounselError:  # this study has nothing of the kind to show
            continue
        if dark:
            figure.update_layout(
                paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)", font_color="#cfd6dc"
            )
        figures.append(figure)
    return text, figures
