"""A slider for one number: its range, past trials as dots, and the proposal as a ghost."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from nicegui import ui

from counsel.errors import InvalidInput
from counsel.service.web import words
from counsel.service.web.fields import NumberField
from counsel.space import Float, Int

__all__ = ["STYLE", "NumberSlider"]

STYLE = """
.along { position: relative; flex: 1; min-width: 0; }
.along .rug { position: relative; height: 9px; margin: 0 10px; }
.along .rug svg { position: absolute; bottom: 0; width: 100%; height: 5px; overflow: visible; }
.along .rug path { stroke: var(--faint); stroke-width: 5px; stroke-linecap: round; opacity: .8;
  vector-effect: non-scaling-stroke; }
.along .rug b { position: absolute; bottom: -2px; margin-left: -6px; border: 6px solid transparent;
  border-bottom: 0; border-top: 9px solid #0072b2; }
body.body--dark .along .rug b { border-top-color: #6cc0f0; }
.along .ends { display: flex; justify-content: space-between; font-size: 12px;
  color: var(--faint); margin-top: -6px; }
.mine-slider .q-slider__thumb { color: #b84a00; }
.mine-slider .q-slider__selection { opacity: .35; }
body.body--dark .mine-slider .q-slider__thumb { color: #ff9a5c; }
"""
_STEPS = 200


class NumberSlider:
    """A slider and a field for one parameter; `changed` is called with what a person chose.

    `value` is what was typed or slid; it raises InvalidInput while the field is empty.
    """

    def __init__(
        self, name: str, parameter: Float | Int, changed: Callable[[float | None], None]
    ) -> None:
        self.name, self._parameter, self._changed = name, parameter, changed
        self._whole = isinstance(parameter, Int)
        self._setting = False
        with ui.row().classes("w-full items-center no-wrap mine-slider") as self.row:
            with ui.element("div").classes("along"):
                self._rug = ui.html("", sanitize=False).classes("rug").props("aria-hidden=true")
                self._slider = self._make_slider()
                with ui.element("div").classes("ends").props("aria-hidden=true"):
                    unit = f" {parameter.unit}" if parameter.unit else ""
                    ui.label(words.number(parameter.low) + unit)
                    ui.label(words.number(parameter.high) + unit)
            self._box = NumberField(name, whole=self._whole)
            self._box.input.props("dense").style("width:112px")
            if parameter.unit:
                self._box.input.props["suffix"] = parameter.unit
        if parameter.description:
            ui.label(parameter.description).classes("faint text-sm").style("margin-top:-8px")
        self._slider.on("update:model-value", self._slid, throttle=0.04, leading_events=True)
        self._box.on_change(self._typed)

    def _make_slider(self) -> ui.slider:
        parameter = self._parameter
        if parameter.log:  # it moves evenly in the logarithm
            slider = ui.slider(min=0.0, max=1.0, step=1.0 / _STEPS)
        else:
            span = parameter.high - parameter.low
            step = parameter.step or (1 if self._whole else span / _STEPS)
            slider = ui.slider(min=parameter.low, max=parameter.high, step=step)
        slider.props["aria-label"] = self.name
        return slider

    @property
    def value(self) -> float:
        found = self._box.value
        if found is None:
            raise InvalidInput(self.name, "", "Give a number: an empty field is not 0.")
        return found

    def show(self, value: Any) -> None:
        with self._quietly():
            self._slide_to(value)
            self._box.show(value)

    def mark(self, tried: Sequence[float], proposed: float | None) -> None:
        """Dots where trials were, and a ghost of the proposal; places in [0, 1].

        The dots are one path of lines without length: hundreds of elements take long to lay out.
        """
        dots = "".join(f"M{1000 * each:.0f} 1h0" for each in dict.fromkeys(tried))
        marks = (
            '<svg viewBox="0 0 1000 2" preserveAspectRatio="none">' + f'<path d="{dots}"/></svg>'
        )
        if proposed is not None:
            marks += f'<b style="left:{100 * proposed:.1f}%"></b>'
        self._rug.content = marks

    def _slide_to(self, value: float) -> None:
        parameter = self._parameter
        inside = min(max(value, parameter.low), parameter.high)
        self._slider.set_value(float(parameter.encode(inside)[0]) if parameter.log else inside)
        self._slider.props["aria-valuetext"] = words.number(value)

    def _slid(self, event: Any) -> None:
        if self._setting:
            return
        moved = float(event.args)
        parameter = self._parameter
        value = (
            parameter.decode([moved])
            if parameter.log
            else parameter.decode([(moved - parameter.low) / (parameter.high - parameter.low)])
        )
        with self._quietly():
            self._box.show(value)
        self._slider.props["aria-valuetext"] = words.number(value)
        self._changed(value)

    def _typed(self) -> None:
        if self._setting:
            return
        try:
            value = self.value
        except InvalidInput:
            self._changed(None)
            return
        with self._quietly():
            self._slide_to(value)
        self._changed(value)

    @contextmanager
    def _quietly(self) -> Iterator[None]:
        self._setting = True
        try:
            yield
        finally:
            self._setting = False
