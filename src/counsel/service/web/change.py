"""What a trial changed: the picture of before turns into that of after."""

from typing import Any

from nicegui import ui

from counsel.service.web.picture import BeliefPicture, Sight

__all__ = ["draw_change"]

_MOMENT = 1.2  # seconds to see what was believed before


def draw_change(before: Sight, after: Sight) -> None:
    """Draw the picture, which changes by itself; a person can turn it back."""
    with ui.column().classes("w-full gap-1").props("id=change"):
        ways = {"before": before, "after": after}
        titles = {"before": "Before the trial", "after": "After it"}
        picture = BeliefPicture(lambda moved: None, still=True)
        picture.show(before)

        def turn(event: Any) -> None:
            picture.turn(ways[event.value])

        which = ui.toggle(titles, value="before", on_change=turn).props("dense no-caps unelevated")
        ui.timer(_MOMENT, lambda: which.set_value("after"), once=True)
