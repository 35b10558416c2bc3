"""Comments on a trial: the dialog in which a person writes one."""

from nicegui import ui

from counsel.service.web.frame import Visit, named_dialog, quietly
from counsel.study import Study

__all__ = ["ask_for_comment"]

_LONGEST = 2000  # characters


def ask_for_comment(here: Visit, study: Study, fact: str, about: str = "") -> None:
    """Ask what a person has to say about a fact, and record it."""
    with (
        here.client,
        named_dialog("Comment") as dialog,
        ui.card().classes("w-96"),
    ):
        ui.label(f"Comment on {about or fact}").classes("text-h6")
        ui.label("Everybody sees it. What is believed does not change.").classes("faint")
        text = ui.textarea("What you have to say").classes("w-full")
        text.props(f"autogrow autofocus maxlength={_LONGEST}")

        async def keep() -> None:
            with here.client, quietly():
                await here.act(
                    "participant", lambda: study.comment(fact, text.value or "", actor=here.actor)
                )
                here.pool.changed(study.name)
                dialog.close()

        with ui.row():
            ui.button("Save the comment", on_click=keep)
            ui.button("Cancel", on_click=dialog.close).props("flat")
    dialog.open()
