"""The Compare page: which of two a person prefers. Beliefs about them are hidden."""

from itertools import combinations
from typing import Any, NamedTuple

from fastapi import Request
from nicegui import ui

from counsel.errors import CounselError
from counsel.facts.records import Comparison, Proposal, Value
from counsel.service.web import words
from counsel.service.web.frame import Visit, address, kept_fresh, quietly, study_page
from counsel.space import Arms, Categorical
from counsel.study import Study

__all__ = ["page"]

_STYLE = """
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; width: 100%; }
.pair > * { min-width: 0; }
.pair .big { font-size: 1.6rem; }
.same { opacity: .6; }
@media (max-width: 600px) { .pair { gap: 8px; } .pair .q-card { padding: 10px; } }
"""
# An arrow answers; it must not scroll the page as well.
_STILL = """
document.addEventListener('keydown', event => {
  const typing = ['INPUT', 'TEXTAREA'].includes(document.activeElement?.tagName);
  if (event.key.startsWith('Arrow') && !typing && document.querySelector('.pair'))
    event.preventDefault();
});
"""
_KEYS = {"arrowleft": "left", "arrowright": "right", "arrowup": "tie", "t": "tie"}


class _State(NamedTuple):
    pair: tuple[Proposal, Proposal] | None
    shown: tuple[dict[str, Value], dict[str, Value]] | None  # where each was or would be tried
    waiting: int
    answers: int
    last: Comparison | None  # this person's own answer
    best: str


async def page(request: Request, name: str) -> None:
    async with study_page(request, "Compare", name) as opened:
        if opened is not None:
            ui.add_css(_STYLE)
            ui.run_javascript(_STILL)
            await _Choice(opened.here, opened.study).open()


class _Choice:
    """One person's view of the waiting pair, redrawn whenever the facts change."""

    def __init__(self, here: Visit, study: Study) -> None:
        self._here, self._study = here, study
        self._may = here.may("participant")
        self._preferred = study.problem.objective.preferred
        self._state: _State | None = None
        self._drawn: object = None
        self._offered: object = None
        self._busy = False  # one press, one answer: a second press must not answer the next pair

    async def open(self) -> None:
        self._status = ui.label().classes("faint").props("aria-live=polite id=status")
        self._shown = ui.column().classes("w-full")
        self._below = ui.row()
        ui.keyboard(on_key=self._key, repeating=False, ignore=["input", "textarea", "select"])
        await kept_fresh(self._here, self._study.name, self._news)
        begun = any(isinstance(fact, Proposal) for fact in self._study.facts)
        if self._study.name in self._here.pool.worlds and not begun:
            await self.ask()  # a demonstration begins with something to compare

    # ---- drawing -------------------------------------------------------------------------------

    async def _news(self) -> None:
        """Somebody has changed the study; whoever answers here draws what comes of it."""
        if not self._busy:
            await self.refresh()

    async def refresh(self) -> None:
        with self._here.client:
            try:
                state = self._state = await self._here.believed(self._look)
            except CounselError as error:  # deleted by somebody
                self._status.text = str(error)
                return
            self._status.text = f"{words.count(state.answers, 'answer')}. {state.best}"
            ids = None if state.pair is None else tuple(each.id for each in state.pair)
            # What stays the same is not drawn again: somebody may be pressing a button.
            picture = (ids, state.shown)
            if self._drawn != picture:
                self._drawn = picture
                self._draw(state)
            offered = (state.last, state.waiting > 0)
            if self._offered != offered:
                self._offered = offered
                self._draw_below(state)

    def _look(self) -> _State:
        study = self._study
        comparisons, best = study.comparisons, study.best
        own = [c for c in comparisons if c.actor == self._here.actor]
        text = "Nothing is known yet."
        if best is not None:
            text = f"Liked best so far: {words.point(best.values)}."
            if not self._preferred:
                text = f"Best so far: {words.number(best.value)} at {words.point(best.values)}."
        pair = _pair(study.pending, comparisons)
        decided = {d.proposal: d.values for d in study.decisions if d.values is not None}
        shown = None
        if pair is not None:
            first, second = (dict(decided.get(p.id) or p.values) for p in pair)
            shown = (first, second)
        waiting = len(study.pending)
        return _State(pair, shown, waiting, len(comparisons), own[-1] if own else None, text)

    def _draw(self, state: _State) -> None:
        self._shown.clear()
        with self._shown:
            if state.pair is None or state.shown is None:
                self._draw_empty(state)
            else:
                self._draw_pair(state.pair, state.shown)

    def _draw_below(self, state: _State) -> None:
        self._below.clear()
        with self._below:
            if state.last is not None and self._may:
                ui.button(
                    "Take my last answer back", on_click=lambda: self._take_back(state.last)
                ).props("flat dense icon=undo")
            if not self._preferred and state.waiting:
                way = address(self._study.name)
                ui.link("Measure waiting trials on Decide", way).classes("self-center")

    def _draw_empty(self, state: _State) -> None:
        with ui.card().classes("w-full items-start"):
            ui.label("No pair is waiting").classes("text-h6")
            ui.label(
                "The machine shows two things to try. Try both, then say which you prefer; it "
                "learns from such answers what you like."
            ).classes("faint")
            if self._may:
                ui.button("Ask for a pair", on_click=self.ask, icon="lightbulb").props("size=lg")
            else:
                ui.label("Your role may view, not ask.").classes("faint")

    def _draw_pair(
        self,
        pair: tuple[Proposal, Proposal],
        shown: tuple[dict[str, Value], dict[str, Value]],
    ) -> None:
        ui.label("Which do you prefer?").classes("text-h6").props('role=heading aria-level="2"')
        if pair[0].context:
            ui.label(f"given {words.point(pair[0].context)}").classes("faint")
        same = {name for name in shown[0] if shown[0][name] == shown[1][name]}
        with ui.element("div").classes("pair"):
            for side, values, key in (("left", shown[0], "←"), ("right", shown[1], "→")):
                with ui.card().classes("w-full").props(f"id={side}"):
                    for name, value in values.items():
                        self._draw_value(name, value, name in same)
                    if self._may:
                        self._draw_button(side, "Prefer this", key, "size=lg", values)
        if self._may:
            with ui.row().classes("items-center w-full justify-center"):
                self._draw_button("tie", "No difference", "↑", "outline")
                if self._study.name in self._here.pool.worlds:
                    ui.button("Simulate", on_click=self._simulate, icon="play_arrow").props(
                        "outline"
                    )
            ui.label("Keys: ← left, → right, ↑ or T no difference.").classes("faint gt-xs")

    def _draw_value(self, name: str, value: Value, same: bool) -> None:
        with ui.column().classes("w-full gap-0" + (" same" if same else "")):
            ui.label(name).classes("faint")
            ui.label(words.number(value)).classes("big")
            share = _share(self._study.problem.space, name, value)
            if share is not None:
                with ui.element("div").classes("span").props("aria-hidden=true"):
                    ui.element("div").style(f"width:{100 * share:.1f}%")

    def _draw_button(
        self, answer: str, text: str, key: str, props: str, values: Any = None
    ) -> None:
        said = text if values is None else f"{text} ({answer}): {words.point(values)}"
        button = ui.button(on_click=lambda: self.answer(answer)).props(props)
        button.props["aria-label"] = said
        if values is not None:
            button.classes("w-full")
        with button:
            ui.html(f"{text}<kbd>{key}</kbd>", sanitize=False)

    # ---- acting --------------------------------------------------------------------------------

    async def ask(self) -> None:
        """Ask for a pair; a single waiting proposal gets a rival."""
        if self._busy or not self._may:
            return
        self._busy = True
        try:
            await self._ask()
        finally:
            self._busy = False
        await self.refresh()

    async def _ask(self) -> None:
        with self._here.client, quietly():
            waiting = ui.notification("The machine is thinking.", spinner=True, timeout=None)
            try:
                await self._here.ask(self._fill)
            finally:
                waiting.dismiss()
            self._here.pool.changed(self._study.name)

    def _fill(self) -> None:
        if _pair(self._study.pending, self._study.comparisons) is None:
            self._study.ask(2 - len(self._study.pending) % 2)

    async def answer(self, which: str) -> None:
        state = self._state
        if self._busy or not self._may or state is None or state.pair is None:
            return
        self._busy = True
        left, right = state.pair
        winner, loser = (right, left) if which == "right" else (left, right)
        try:
            with self._here.client, quietly():
                await self._here.act(
                    "participant",
                    lambda: self._study.compare(
                        winner=winner, loser=loser, tie=which == "tie", actor=self._here.actor
                    ),
                )
                self._here.pool.changed(self._study.name)
                if self._preferred:  # the next question follows immediately
                    await self._ask()
            await self.refresh()
        finally:
            self._busy = False

    async def _simulate(self) -> None:
        """Let the simulated world choose the one it values more."""
        state = self._state
        if state is None or state.pair is None or state.shown is None:
            return
        world, name = self._here.pool.worlds[self._study.name], self._study.problem.objective.name
        worth = [
            (await self._here.believed(world, values, proposal.round))[name]
            for values, proposal in zip(state.shown, state.pair, strict=True)
        ]
        await self.answer("left" if worth[0] >= worth[1] else "right")

    async def _take_back(self, comparison: Comparison | None) -> None:
        if comparison is None:
            return
        with self._here.client, quietly():
            await self._here.act(
                "participant",
                lambda: self._study.withdraw(comparison.id, actor=self._here.actor),
            )
            self._here.pool.changed(self._study.name)
        await self.refresh()

    async def _key(self, event: Any) -> None:
        modified = event.modifiers.ctrl or event.modifiers.alt or event.modifiers.meta
        if not event.action.keydown or modified:
            return
        key = str(event.key).lower()
        if key in _KEYS:
            await self.answer(_KEYS[key])
        elif key == "n" and self._state is not None and self._state.pair is None:
            await self.ask()


def _pair(
    waiting: tuple[Proposal, ...], comparisons: tuple[Comparison, ...]
) -> tuple[Proposal, Proposal] | None:
    """The first two waiting proposals in one context that were not compared; sides alternate.

    The first of the two is the best so far; always on the same side, it would be recognised.
    """
    done = {frozenset((c.winner_proposal, c.loser_proposal)) for c in comparisons}
    for first, second in combinations(waiting, 2):
        new = frozenset((first.id, second.id)) not in done
        if new and first.context == second.context and first.values != second.values:
            return (second, first) if first.round // 2 % 2 else (first, second)
    return None


def _share(space: Any, name: str, value: Value) -> float | None:
    """Where a number lies in its range; None if it is not a number."""
    if isinstance(space, Arms):
        column = [arm[name] for arm in space] if len(space) <= 1000 else []
        if not column or not all(isinstance(v, int | float) for v in column):
            return None
        low, high = min(column), max(column)
        return (value - low) / (high - low) if high > low else None
    parameter = space.parameters[name]
    return None if isinstance(parameter, Categorical) else float(parameter.encode(value)[0])
