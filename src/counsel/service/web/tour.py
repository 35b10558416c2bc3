"""A first round, step by step: what to do next, above the page, until a person has enough."""

from collections.abc import Callable
from typing import Literal, NamedTuple

from nicegui import ui

__all__ = ["STYLE", "Tour"]

Reached = Literal["read", "moved", "decided", "told"]

STYLE = """
.tour { position: sticky; top: 58px; z-index: 1000; width: 100%; border: 2px solid var(--accent);
  flex-direction: row; flex-wrap: wrap; align-items: center; gap: 4px 16px; padding: 8px 16px;
  background: var(--tint); }
.tour .text { flex: 1 1 300px; }
.tour-here { outline: 3px solid #e69f00; outline-offset: 3px; scroll-margin-top: 190px; }
"""


class _Step(NamedTuple):
    """What to do, where it is done, and what ends the step."""

    text: str
    place: str
    until: Reached


_STEPS = (
    _Step("Read what the machine proposes, what it expects there, and why.", "#proposal", "read"),
    _Step(
        "Would you try another place? Drag the ring there, or use the sliders, and see what is "
        "expected of yours.",
        "#picture",
        "moved",
    ),
    _Step("Now decide: Accept the proposal, or Use mine.", "#mine", "decided"),
    _Step("Here you would go and measure. Press Simulate instead.", "#measure", "told"),
)
_END = "That was a round: above is what came of it. Ask for the next one when you like."


class Tour:
    """The card of the tour; `over` is called when it was finished or skipped."""

    def __init__(self, over: Callable[[], None]) -> None:
        self._over, self._at = over, 0
        self._card = ui.card().classes("tour")
        self._card.props('id=tour role=region aria-label="A first round" aria-live=polite')
        self._card.set_visibility(False)

    @property
    def shown(self) -> bool:
        return self._card.visible

    def begin(self) -> None:
        self._card.set_visibility(True)
        self._draw()

    def reached(self, what: Reached) -> None:
        """A person has done this; the tour goes on behind it."""
        if not self.shown:
            return
        done = [number for number, step in enumerate(_STEPS) if step.until == what]
        if done and done[0] >= self._at:
            self._at = done[0] + 1
            self._draw()

    def end(self) -> None:
        self._card.set_visibility(False)
        _point_at("")
        self._over()

    def _draw(self) -> None:
        self._card.clear()
        with self._card:
            if self._at == len(_STEPS):
                ui.label(_END).classes("text")
                ui.button("Good", on_click=self.end)
                _point_at("")
                return
            step = _STEPS[self._at]
            ui.label(f"A first round, {self._at + 1} of {len(_STEPS)}").classes("faint text-sm")
            ui.label(step.text).classes("text")
            with ui.row():
                if step.until in ("read", "moved"):
                    ui.button("Next", on_click=lambda: self.reached(step.until)).props(
                        "dense padding='4px 14px'"
                    )
                ui.button("Skip the tour", on_click=self.end).props("flat dense")
            _point_at(step.place)


def _point_at(place: str) -> None:
    ui.run_javascript(
        "document.querySelectorAll('.tour-here').forEach(e => e.classList.remove('tour-here'));"
        f"const place = '{place}' && document.querySelector('{place or 'x'}');"
        "if (place) { place.classList.add('tour-here');"
        " place.scrollIntoView({block: 'nearest', behavior: 'smooth'}); }"
    )
