"""Notices on top of the Decide page, with what a person may do about them; the keys."""

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from nicegui import ui

from counsel.service.web.frame import named_dialog

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
    """A sentence on top of the page, and what a person may do about it; `draw` draws more."""

    text: str
    more: str = ""
    action: str = ""
    act: Callable[[], Awaitable[None]] | None = None
    draw: Callable[[], None] | None = None


class NoticeBoard:
    """One notice at a time; `shown` is that."""

    def __init__(self) -> None:
        self.shown: Notice | None = None
        self._labels: tuple[ui.label, ui.label] | None = None
        self._place = ui.column().classes("w-full").props("id=notice aria-live=polite")
        self._place.set_visibility(False)

    def show(self, notice: Notice | None) -> None:
        before, self.shown = self.shown, notice
        self._place.set_visibility(notice is not None)
        if notice is None:
            self._place.clear()  # pressed twice, it acts once
            return
        if before is None or (before.action, before.act) != (notice.action, notice.act):
            self._draw(notice)
        assert self._labels is not None
        for label, text in zip(self._labels, (notice.text, notice.more), strict=True):
            label.text = text
            label.set_visibility(bool(text))

    def _draw(self, notice: Notice) -> None:
        """A button that does the same stays: somebody may be pressing it, and what the browser
        says of a button that is gone is not heard."""

        async def act() -> None:
            self.show(None)
            assert notice.act is not None
            await notice.act()

        self._place.clear()
        with self._place, ui.card().classes("w-full notice"):
            self._labels = ui.label().classes("text-weight-medium"), ui.label()
            if notice.draw is not None:
                notice.draw()
            if notice.action:
                ui.button(notice.action, on_click=act).props("flat dense")


def show_keys() -> None:
    with named_dialog("Keys") as dialog, ui.card():
        ui.label("Keys").classes("text-h6")
        for key, text in _KEYS:
            ui.html(f"<kbd style='margin:0 8px 0 0'>{key}</kbd> {text}", sanitize=False)
        ui.button("Close", on_click=dialog.close).props("flat")
    dialog.open()
