"""The Insights page: the figures of `counsel.plots`."""

import contextlib
from collections.abc import Callable
from typing import Any

from fastapi import Request
from nicegui import ui

from counsel import plots
from counsel.errors import CounselError
from counsel.facts.safety import SafeSet
from counsel.policies.protocol import Scoring
from counsel.service.web import charts, words
from counsel.service.web.frame import Visit, kept_fresh, study_page
from counsel.study import Study

__all__ = ["page"]

_LISTED = 20


async def page(request: Request, name: str) -> None:
    async with study_page(request, "Insights", name) as opened:
        if opened is None:
            return
        here, study = opened
        best = ui.label("Drawing the figures.").classes("big")
        shown = ui.column().classes("w-full")

        async def refresh() -> None:
            found, safe, figures = await here.believed(_draw, here, study)
            best.text = found
            shown.clear()
            with shown:
                if safe is not None:
                    _list(study, safe)
                for figure in figures:
                    with ui.card().classes("w-full"):
                        ui.plotly(figure).classes("w-full")

        await kept_fresh(here, name, refresh)


def _list(study: Study, safe: SafeSet) -> None:
    """The certified points in a table, with what is certain of each."""
    objective = study.problem.objective.name
    with ui.card().classes("w-full").props("id=safe-set"):
        declared = sum(each.declared for each in safe.points)
        ui.label(
            f"Certified safe: {len(safe.points) - declared} of {safe.considered} points looked at"
        ).classes("text-h6")
        also = " One more was declared safe by a person." if declared else ""
        ui.label(
            f"At each of them all constraints hold with a probability of at least "
            f"{safe.certainty:.0%}.{also} {safe.undecided} more are undecided. {safe.note}"
        ).classes("faint")
        rows = [
            {
                "point": words.point(each.values),
                "chance": f"{words.percent(each.chance)}{' (declared)' if each.declared else ''}",
                "payoff": f"{words.number(each.lower[objective])} to "
                f"{words.number(each.upper[objective])}",
                "trials": each.trials,
            }
            for each in safe.points[:_LISTED]
        ]
        titles = {"point": "point", "chance": "chance", "payoff": objective, "trials": "trials"}
        columns = [
            {"name": key, "label": title, "field": key, "align": "left"}
            for key, title in titles.items()
        ]
        if rows:
            ui.table(columns=columns, rows=rows, row_key="point").classes("w-full")


def _draw(here: Visit, study: Study) -> tuple[str, SafeSet | None, list[Any]]:
    found = study.best
    objective = study.problem.objective.name
    text = "Nothing has been measured yet."
    if found is not None:
        text = words.best(found, objective)
        if study.problem.objective.preferred:
            text = f"Liked best: {words.point(found.values)}"
    with contextlib.suppress(CounselError):  # too early, or a policy without beliefs
        if not study.problem.space.context_names:
            text = f"{text}. {study.outlook().sentence()}"
    optimum = getattr(here.pool.worlds.get(study.name), "optimum", None)
    pending = study.pending
    drawn: list[Callable[[], Any]] = (
        []
        if study.problem.objective.preferred
        else [lambda: plots.progress(study, optimum=optimum)]
    )
    if study.problem.objectives:
        drawn.append(lambda: plots.front(study))
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
    try:
        safe = study.safe_set() if study.problem.constraints else None
    except CounselError:  # nobody has answered anything yet, or the context is not given
        safe = None
    return text, safe, figures
