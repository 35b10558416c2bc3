"""All studies: where each stands, and the way in."""

from typing import Any

from fastapi import Request
from nicegui import ui

from counsel.errors import CounselError
from counsel.server.pages import words
from counsel.server.pages.frame import Visit, address, frame, news, visit

__all__ = ["page"]


async def page(request: Request) -> None:
    here = visit(request)
    if here is None:
        return
    with frame(here, request, "Studies"):
        with ui.row().classes("items-center w-full"):
            ui.label("Studies").classes("text-h5").props('role=heading aria-level="1"')
            ui.space()
            if here.person.may("owner"):
                ui.button("New study", icon="add", on_click=lambda: ui.navigate.to("/new"))
        shown = ui.element("div").classes("columns")

        async def refresh() -> None:
            found = await here.desk.store(here.desk.summaries)
            # One by one: they are computed so anyway, and a task of its own has no page.
            rows = [await _state(here, each.name) for each in found]
            shown.clear()
            with shown:
                if not found:
                    _empty()
                for summary, row in zip(found, rows, strict=True):
                    _card(summary.name, summary.policy, summary.objective, row)

        await ui.context.client.connected(timeout=60)
        await refresh()
        news(here, "", refresh)


async def _state(here: Visit, name: str) -> dict[str, Any]:
    def look() -> dict[str, Any]:
        study = here.desk.study(name)
        return {
            "trials": len(study.observations),
            "waiting": len(study.pending),
            "best": study.best,
            "simulated": name in here.desk.worlds,
        }

    try:
        return await here.believed(look)
    except CounselError as error:
        return {"error": str(error)}


def _empty() -> None:
    with ui.card().classes("w-full"):
        ui.label("No studies yet").classes("text-h6")
        ui.label(
            "A study is about what to try: parameters with their ranges, or a table of candidates. "
            "Make one, and the machine proposes the first trial."
        ).classes("faint")


def _card(name: str, policy: str, objective: str, state: dict[str, Any]) -> None:
    with ui.card().classes("w-full"):
        with ui.row().classes("items-center w-full"):
            ui.link(name, address(name)).classes("text-h6")
            ui.space()
            if state.get("simulated"):
                ui.badge("simulated world", color="grey-7")
        if "error" in state:
            ui.label(state["error"]).classes("text-negative")
            return
        waiting = f", {state['waiting']} waiting" if state["waiting"] else ""
        ui.label(f"{state['trials']} trials{waiting}; policy {policy}").classes("faint")
        best = state["best"]
        if best is None:
            ui.label("Nothing measured yet.")
        else:
            ui.label(f"Best {objective} so far: {words.number(best.value)}")
            ui.label(f"at {words.point(best.values)}").classes("faint")
        with ui.row():
            ui.button("Decide", on_click=lambda: ui.navigate.to(address(name)))
            ui.button(
                "Insights", on_click=lambda: ui.navigate.to(address(name, "/insights"))
            ).props("flat")
            ui.button("History", on_click=lambda: ui.navigate.to(address(name, "/history"))).props(
                "flat"
            )
