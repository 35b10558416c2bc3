"""The list of studies and their status."""

from collections.abc import Awaitable, Callable
from functools import partial

from fastapi import Request
from nicegui import ui

from counsel.errors import CounselError
from counsel.facts.records import PREFERENCE, Best, Summary
from counsel.service.web import words
from counsel.service.web.frame import Visit, address, frame, kept_fresh, tabs, visit

__all__ = ["page"]


async def page(request: Request) -> None:
    here = await visit(request)
    if here is None:
        return
    with frame(here, request, "Studies"):
        with ui.row().classes("items-center w-full"):
            ui.label("Studies").classes("text-h5").props('role=heading aria-level="1"')
            ui.space()
            for more in here.pool.extension.pages if here.pool.extension.worlds else ():
                ui.button(more.title, on_click=partial(ui.navigate.to, more.path)).props("flat")
            if here.person.may("owner"):
                ui.button("New study", icon="add", on_click=lambda: ui.navigate.to("/new"))
        ui.label(
            "In a study the machine proposes what to try next and says why; you accept, try your "
            "own idea instead, or reject; it learns from what you then measure."
        ).classes("faint")
        shown = ui.element("div").classes("columns")

        async def refresh() -> None:
            found = await here.read(_listed, here)
            shown.clear()
            with shown:
                if not found:
                    _empty()
                filled = [_card(here, each, ways) for each, ways in found]
            # The list appears at once; the best trial of each study needs its beliefs.
            for fill in filled:
                await fill()

        await ui.context.client.connected(timeout=60)
        await kept_fresh(here, "", refresh)


def _listed(here: Visit) -> list[tuple[Summary, dict[str, str]]]:
    """Every study that the person may see, with its tabs."""
    return [
        (each, tabs(each.objective == PREFERENCE, each.policy))
        for each in here.pool.summaries()
        if here.person.may("viewer", each.name)
    ]


def _look(here: Visit, name: str) -> tuple[str, Best | None] | str:
    """The status of a study; a string alone says what is wrong with it."""
    try:
        study = here.pool.study(name)
        waiting = f", {len(study.pending)} waiting" if study.pending else ""
        done = words.count(len(study.observations), "trial")
        if study.problem.objective.preferred:
            done = words.count(len(study.comparisons), "answer")
        return done + waiting, study.best
    except CounselError as error:
        return str(error)


def _empty() -> None:
    with ui.card().classes("w-full"):
        ui.label("No studies yet").classes("text-h6")
        ui.label(
            "A study searches parameters with ranges, or a table of candidates. Create one, and "
            "the machine proposes the first trial."
        ).classes("faint")


def _card(here: Visit, study: Summary, ways: dict[str, str]) -> Callable[[], Awaitable[None]]:
    """A study's card, and the function that fills in its status."""
    name, policy, objective = study.name, study.policy, study.objective
    with ui.card().classes("w-full"):
        with ui.row().classes("items-center w-full"):
            ui.link(name, address(name)).classes("text-h6")
            ui.space()
            if name in here.pool.worlds:
                ui.badge("simulated world", color="grey-7")
        about = getattr(here.pool.worlds.get(name), "about", "")
        if about:
            ui.label(about)
        state = ui.label(f"policy {policy}").classes("faint")
        best = ui.label("Loading.")
        place = ui.label(" ").classes("faint")
        with ui.row():
            for number, (title, page) in enumerate(ways.items()):
                way = address(name, page)
                button = ui.button(title, on_click=lambda way=way: ui.navigate.to(way))
                if number > 0:
                    button.props("flat")

    async def fill() -> None:
        found = await here.believed(_look, here, name)
        if isinstance(found, str):
            best.text = found
            best.classes("text-negative")
            return
        state.text = f"{found[0]}; policy {policy}"
        if found[1] is None:
            best.text = "Nothing is known to be good yet."
            return
        best.text = f"Best {objective} so far: {words.number(found[1].value)}"
        if objective == PREFERENCE:
            best.text = "Liked best so far"
        place.text = f"at {words.point(found[1].values)}"

    return fill
