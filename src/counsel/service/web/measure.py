"""The form for a measurement: what the machine asks; everything else is folded away."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from nicegui import ui

from counsel.facts.records import Decision, Proposal, Value
from counsel.service.web import charts, words
from counsel.service.web.frame import Visit, quietly
from counsel.study import Study

__all__ = ["measurement", "picture_of"]


def measurement(
    here: Visit,
    study: Study,
    proposal: Proposal,
    decision: Decision,
    done: Callable[[], Awaitable[None]],
) -> None:
    """The form for a decided trial."""
    problem = study.problem
    own = decision.values or proposal.values
    asked = [*problem.measured, *proposal.asks]
    others = [c.name for c in problem.constraints if c.name not in proposal.asks]
    bounds = {c.name: c for c in problem.constraints}
    fields: dict[str, Any] = {}

    def field(name: str) -> None:
        hint = ""
        if name in bounds:
            hint = f"should be {bounds[name].words().removeprefix(name).strip()}"
        made = ui.number(name).classes("w-full").props("step=any")
        if hint:
            made.props(f'hint="{hint}"')
        fields[name] = made

    async def tell() -> None:
        given = {name: each.value for name, each in fields.items() if each.value is not None}
        if not given:
            ui.notify("Enter what was measured first.", type="warning")
            return
        with here.client, quietly():
            await here.act("participant", lambda: study.tell(proposal, given, actor=here.actor))
            here.pool.changed(study.name)
            ui.notify("Thank you: the measurement is recorded.", type="positive")
        await done()

    async def simulate() -> None:
        world = here.pool.worlds[study.name]
        found = await here.believed(world, own, proposal.round)
        for name in asked:
            if name in found:
                fields[name].value = found[name]
        await tell()

    with ui.card().classes("w-full").props("id=measure"):
        who = f"{decision.actor} decided to try"
        ui.label(f"{who} {words.point(own)}").classes("big")
        ui.label("Try it, then say what you measured.").classes("faint")
        picture_of(here, study, own)
        for name in asked:
            field(name)
        if others:
            with ui.expansion("Also measured? The machine does not need it now.").classes("w-full"):
                for name in others:
                    field(name)
        with ui.row():
            ui.button("Tell the machine", on_click=tell, icon="check")
            if study.name in here.pool.worlds:
                ui.button("Simulate", on_click=simulate, icon="play_arrow").props("outline")


def picture_of(here: Visit, study: Study, values: Mapping[str, Value]) -> None:
    """A figure of what a simulated world does with these values, drawn when opened."""
    picture = getattr(here.pool.worlds.get(study.name), "figure", None)
    if picture is None:
        return
    with ui.expansion("See what it does").classes("w-full") as fold:
        place = ui.column().classes("w-full")

    async def draw(event: Any) -> None:
        if event.value and not place.default_slot.children:
            figure = await here.believed(picture, values)
            with place:
                ui.plotly(charts.grounded(figure, here.dark)).classes("w-full")

    fold.on_value_change(draw)
