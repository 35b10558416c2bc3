"""The probability of each constraint as small bars; those the machine asks about are marked."""

from collections.abc import Collection, Mapping

from nicegui import ui

from counsel.service.web import words

__all__ = ["Chances"]

_LOW, _HIGH = 0.5, 0.95


class Chances:
    """One row per constraint; nothing is shown while nothing is known."""

    def __init__(self, names: Collection[str], asks: Collection[str] = ()) -> None:
        self._asks = frozenset(asks)
        self._rows: dict[str, tuple[ui.element, ui.label]] = {}
        with ui.element("div").classes("chances") as self._all:
            for name in names:
                with ui.element("div").classes("chance"):
                    with ui.row().classes("items-center no-wrap gap-1"):
                        ui.label(name)
                        if name in asks:
                            ui.badge("asked", color="deep-orange-10")
                    with ui.element("div").classes("span").props("aria-hidden=true"):
                        bar = ui.element("div")
                    self._rows[name] = (bar, ui.label().classes("faint text-sm"))
        self._all.props('role=group aria-label="Chance that each constraint holds"')
        self._all.set_visibility(False)
        self._together = ui.label().classes("text-weight-medium")
        self._together.set_visibility(False)

    def show(self, chances: Mapping[str, float]) -> None:
        self._all.set_visibility(bool(chances))
        self._together.set_visibility(len(chances) > 1)
        self._together.text = words.together(chances.values())
        for name, chance in chances.items():
            bar, text = self._rows[name]
            likely = chance >= _LOW
            colour = "#d55e00" if not likely else "#009e73" if chance >= _HIGH else "#e69f00"
            bar.style(f"width:{100 * chance:.0f}%; background:{colour}")
            text.text = (
                words.asked(chance) if name in self._asks else f"holds: {words.percent(chance)}"
            )
