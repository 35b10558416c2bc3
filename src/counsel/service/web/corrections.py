"""Dialogs that correct what was measured, answer what was left open, or take a fact back."""

from collections.abc import Sequence

from nicegui import ui

from counsel.errors import InvalidInput
from counsel.service.web.answers import Field, outcome_field
from counsel.service.web.frame import Visit, named_dialog, quietly
from counsel.study import Study

__all__ = ["ask_for_answers", "ask_to_revise", "ask_to_withdraw"]


async def ask_to_revise(here: Visit, study: Study, about: str, title: str = "") -> None:
    """Ask what was measured instead; `about` is the observation, or the proposal that it is of."""
    found = await here.read(lambda: study.observations)
    parts = [each for each in found if about in (each.id, each.proposal)]
    if not parts:
        ui.notify(f"{title or about} is no longer in force.", type="warning")
        return
    title = f"Correct {title or about}"
    bounds = {each.name: each for each in study.problem.constraints}
    with here.client, named_dialog(title) as dialog, ui.card().classes("w-96"):
        ui.label(title).classes("text-h6")
        ui.label("The history keeps what was told before.").classes("faint")
        fields = [
            (each, name, outcome_field(name, bounds.get(name), value))
            for each in parts
            for name, value in each.outcomes.items()
        ]
        reason = ui.input("Why").classes("w-full")

        async def keep() -> None:
            with here.client, quietly():
                given: dict[str, dict[str, float]] = {}
                for part, name, field in fields:
                    given.setdefault(part.id, {})[name] = _given(name, field)
                changed = [p for p in parts if given[p.id] != dict(p.outcomes)]

                def revise() -> None:
                    for each in changed:
                        why = reason.value or ""
                        study.revise(each.id, given[each.id], actor=here.actor, reason=why)

                await here.act("participant", revise)
                here.pool.changed(study.name)
                dialog.close()

        with ui.row():
            ui.button("Save correction", on_click=keep)
            ui.button("Cancel", on_click=dialog.close).props("flat")
    dialog.open()


def _given(name: str, field: Field) -> float:
    found = field.value
    if found is None:
        raise InvalidInput(name, "", "Give a number, or withdraw the trial.")
    return found


def ask_for_answers(here: Visit, study: Study, proposal: str, names: Sequence[str]) -> None:
    """Ask what a trial left open."""
    bounds = {each.name: each for each in study.problem.constraints}
    title = f"Answer what {proposal} left open"
    with here.client, named_dialog(title) as dialog, ui.card().classes("w-96"):
        ui.label(title).classes("text-h6")
        ui.label("The machine still asks. What you leave empty stays open.").classes("faint")
        fields = {name: outcome_field(name, bounds.get(name)) for name in names}

        async def keep() -> None:
            with here.client, quietly():
                given = {name: field.value for name, field in fields.items()}
                found = {name: value for name, value in given.items() if value is not None}
                if not found:
                    ui.notify("Enter an answer first.", type="warning")
                    return
                await here.act("participant", lambda: study.tell(proposal, found, actor=here.actor))
                here.pool.changed(study.name)
                dialog.close()

        with ui.row():
            ui.button("Tell the machine", on_click=keep)
            ui.button("Cancel", on_click=dialog.close).props("flat")
    dialog.open()


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
