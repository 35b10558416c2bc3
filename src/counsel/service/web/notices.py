"""Notices on top of the Decide page, with what a person may do about them; the keys."""

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from nicegui import ui

__all__ = ["Notice", "NoticeBoard", "show_keys"]

_KEYS = (
    ("A", "accept the proposal"),
    ("M", "use mine"),
    ("T", "let the team decide, where a rule does"),
    ("R", "reject the proposal"),
    ("N", "ask for a proposal, when none waits"),
    ("?", "show these keys"),
)


class Notice(NamedTuple):
    """A sentence on top of the page, and what a person may do about it."""

    text: str
    more: str = ""
    action: str = ""
    act: Callable[[], Awaitable[None]] | None = None


class NoticeBoard:
    """One notice at a time; `shown` is that."""

    def __init__(self) -> None:
        self.shown: Notice | None = None
        self._place = ui.column().classes("w-full").props("id=notice aria-live=polite")
        self._place.set_visibility(False)

    def show(self, notice: Notice | None) -> None:
        self.shown = notice
        self._place.clear()
        self._place.set_visibility(notice is not None)
        if notice is None:
            return

        async def act() -> None:
            self.show(None)
            assert notice.act is not None
            await notice.act()

        with self._place, ui.card().classes("w-full notice"):
            ui.label(notice.text).classes("text-weight-medium")
            if notice.more:
                ui.label(notice.more)
            if notice.action:
                ui.button(notice.action, on_click=act).props("flat dense")


def show_keys() -> None:
    with ui.dialog() as dialog, ui.card().props('role=dialog aria-label="Keys"'):
        ui.label("Keys").classes("text-h6")
        for key, text in _KEYS:
            ui.html(f"<kbd>{key}</kbd> {text}", sanitize=False)
        ui.button("Close", on_click=dialog.close).props("flat")
    dialog.open()
