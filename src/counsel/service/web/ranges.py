"""What is expected, as a bar: the interval and its middle, among everything measured so far."""

from nicegui import ui

from counsel.facts.records import Prediction
from counsel.service.web import words
from counsel.study import Study

__all__ = ["STYLE", "RangeBar", "Scale", "scale_of"]

STYLE = """
.range { position: relative; width: 100%; height: 30px; color: var(--accent); }
.range.own { color: var(--mine); }
.range .track, .range .band { position: absolute; top: 3px; height: 8px; border-radius: 4px; }
.range .track { left: 0; right: 0; background: var(--track); }
.range .band { background: currentColor; opacity: .4; }
.range .middle { position: absolute; top: 0; width: 14px; height: 14px; margin-left: -7px;
  border-radius: 50%; background: currentColor; border: 2.5px solid var(--surface); }
.range svg { position: absolute; top: 3px; width: 100%; height: 8px; overflow: visible; }
.range path { stroke: var(--ink); stroke-width: 4px; stroke-linecap: round; opacity: .55;
  vector-effect: non-scaling-stroke; }
.range .ends { position: absolute; top: 13px; width: 100%; display: flex; font-size: 12px;
  justify-content: space-between; color: var(--faint); }
"""

_ROOM = 0.08  # beside what is known, as a share of it: others may lie there
_PLACES = 300  # along a bar
Scale = tuple[float, float, tuple[float, ...]]


def scale_of(study: Study, found: Prediction | None) -> Scale | None:
    """The ends of a scale for what is expected, and what was measured on it; None without beliefs.

    It holds all measurements and what is expected of the proposal, which is `found`, so that it
    stays as it is while a person looks at other points.
    """
    if found is None or found.sd <= 0.0:
        return None
    name = study.problem.objective.name
    measured = tuple(o.outcomes[name] for o in study.observations if name in o.outcomes)
    low, high = min((*measured, found.interval()[0])), max((*measured, found.interval()[1]))
    room = _ROOM * (high - low)
    return low - room, high + room, measured


class RangeBar:
    """A bar on a scale that others share; the words beside it say the same."""

    def __init__(self, *, own: bool = False) -> None:
        self._scale: Scale | None = None
        with ui.element("div").classes("range own" if own else "range") as self._all:
            ui.element("div").classes("track")
            self._band = ui.element("div").classes("band")
            self._dots = ui.html("", sanitize=False)
            self._middle = ui.element("div").classes("middle")
            with ui.element("div").classes("ends"):
                low = ui.label()
                ui.label("dots: measured so far")
                self._ends = low, ui.label()
        self._all.props("aria-hidden=true").set_visibility(False)

    def show(self, scale: Scale | None, found: Prediction | None) -> None:
        self._all.set_visibility(scale is not None and found is not None)
        if scale is None or found is None:
            return
        low, high, measured = scale

        def at(value: float) -> float:
            return min(max((value - low) / (high - low), 0.0), 1.0)

        if scale != self._scale:
            self._scale = scale
            for label, end in zip(self._ends, (low, high), strict=True):
                label.text = words.number(float(f"{end:.3g}"))
            # Thousands of them would not be told apart.
            places = dict.fromkeys(round(_PLACES * at(value)) for value in measured)
            dots = "".join(f"M{place} 1h0" for place in places)
            self._dots.content = (
                f'<svg viewBox="0 0 {_PLACES} 2" preserveAspectRatio="none">'
                f'<path d="{dots}"/></svg>'
            )
        first, last = (100 * at(end) for end in found.interval())
        self._band.style(f"left:{first:.1f}%; width:{last - first:.1f}%")
        self._middle.style(f"left:{100 * at(found.mean):.1f}%")
