"""Dialogs that correct what was measured, or take a fact back."""

from nicegui import ui

from counsel.errors import InvalidInput
from counsel.service.web.fields import NumberField
from counsel.service.web.frame import Visit, named_dialog, quietly
from counsel.study import Study

__all__ = ["ask_to_revise", "ask_to_withdraw"]


async def ask_to_revise(here: Visit, study: Study, about: str, title: str = "") -> None:
    """Ask what was measured instead; `about` is the observation, or the proposal that it is of."""
    found = await here.read(lambda: study.observations)
    observation = next((o for o in found if about in (o.id, o.proposal)), None)
    if observation is None:
        ui.notify(f"{title or about} is no longer in force.", type="warning")
        return
    title = f"Correct {title or about}"
    with here.client, named_dialog(title) as dialog, ui.card().classes("w-96"):
        ui.label(title).classes("text-h6")
        ui.label("The history keeps what was told before.").classes("faint")
        fields = {name: NumberField(name, value) for name, value in observation.outcomes.items()}
        for field in fields.values():
            field.input.classes("w-full")
        reason = ui.input("Why").classes("w-full")

        async def keep() -> None:
            with here.client, quietly():
                given = {name: _given(field) for name, field in fields.items()}
                why = reason.value or ""
                await here.act(
                    "participant",
                    lambda: study.revise(observation.id, given, actor=here.actor, reason=why),
                )
                here.pool.changed(study.name)
                dialog.close()

        with ui.row():
            ui.button("Save correction", on_click=keep)
            ui.button("Cancel", on_click=dialog.close).props("flat")
    dialog.open()


def _given(field: NumberField) -> float:
    found = field.value
    if found is None:
        raise InvalidInput(field.label, "", "Give a number, or withdraw the trial.")
    return found


async def ask_to_withdraw(here: Visit, study: Study, fact: str) -> None:
    """Ask why a fact no longer counts."""
    with named_dialog(f"Withdraw {fact}") as dialog, ui.card().classes("w-96"):
        ui.label(f"Withdraw {fact}?").classes("text-h6")
        ui.label("It no longer counts; the history keeps it.").classes("faint")
        reason = ui.input("Why").classes("w-full")

        async def take_back() -> None:
            with here.client, quietly():
                why = reason.value or ""
                await here.act(
                    "participant",
                    lambda: study.withdraw(fact, actor=here.actor, reason=why),
                )
                here.pool.changed(study.name)
                dialog.close()

        with ui.row():
            ui.button("Withdraw it", on_click=take_back)
            ui.button("Cancel", on_click=dialog.close).props("flat")
    dialog.open()
