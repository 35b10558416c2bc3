"""The page where a person corrects the moving two-link arm with keys, and it plans again.

The browser draws and keeps time (arm_page.js); the server plans. The movements a person made become
the arms of a study.
"""

import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from fastapi import Request
from nicegui import ui

from counsel.demo.arm import FEWEST, study_of
from counsel.service.api.routes import checked_name
from counsel.service.web import words
from counsel.service.web.frame import Visit, address, frame, name_taken, quietly, visit
from counsel.worlds import correcting
from counsel.worlds.robot_arm import STEPS

__all__ = ["page"]

_SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
_STYLE = """
.stage { width: 100%; max-height: 50vh; aspect-ratio: 1; touch-action: manipulation; }
.stage .wall { fill: var(--line); } .stage .edge { stroke: var(--faint); stroke-width: .03; }
.stage .limb { stroke: #0072b2; stroke-width: .12; stroke-linecap: round; }
.stage .way { fill: none; stroke: #e69f00; stroke-width: .025; stroke-dasharray: .06 .05; }
.stage .was { fill: none; stroke: var(--faint); stroke-width: .015; opacity: .7; }
.stage .hand { fill: #e69f00; } .stage .hand.hit { fill: #d55e00; r: .13; }
.stage text { fill: var(--faint); font-size: .16px; }
.keys { display: grid; grid-template-columns: repeat(3, 1fr); gap: 8px; max-width: 420px;
        width: 100%; touch-action: manipulation; }
.keys .q-btn { min-height: 58px; } .keys .up { grid-column: 2; } .keys .left { grid-column: 1; }
"""
_STAGE = """
<svg class="stage" viewBox="-2.3 -2.3 4.6 4.6" role="img"
     aria-label="A two-link arm that swings up from below, beside a wall on its right">
  <rect class="wall" x="1" y="-2.3" width="1.3" height="4.6"></rect>
  <line class="edge" x1="1" y1="-2.3" x2="1" y2="2.3"></line>
  <text x="1.1" y="-2.05">wall</text>
  <polyline class="was"></polyline><polyline class="way"></polyline>
  <line class="limb"></line><line class="limb"></line>
  <circle class="hand" r=".1"></circle>
</svg>
"""
_BUTTONS = (
    ("up", "Up", "↑"),
    ("left", "Left", "←"),
    ("down", "Down", "↓"),
    ("right", "Right", "→"),
)


async def page(request: Request) -> None:
    here = await visit(request)
    if here is None:
        return
    with frame(here, request, "Correct the arm"):
        ui.add_css(_STYLE)
        ui.label("Correct the arm").classes("text-h5").props('role=heading aria-level="1"')
        ui.label(
            "The arm swings from below to the top and must not touch the wall. Start it, and push "
            "its hand while it moves, left and right from the shoulder, up and down from the "
            "elbow: it takes a push as a sign of what you would like better, and plans the rest "
            "again. Every correction gives another way to move; a study of them finds the easiest "
            "one that keeps clear."
        ).classes("faint")
        await _Table(here).open()


class _Table:
    """One person with one arm. `made` are all the ways to move that they have made."""

    def __init__(self, here: Visit) -> None:
        self._here = here
        self._game: correcting.Game | None = None
        self._made: list[tuple[correcting.Weights, correcting.Movement]] = []
        self._seed = 0
        self._fresh = True  # the arm stands at the start of a movement not yet seen

    async def open(self) -> None:
        self._said = ui.label("Planning the first movement.").classes("big")
        self._said.props("aria-live=polite id=said")
        with ui.element("div").classes("columns"):
            with ui.card().classes("w-full items-center"):
                ui.html(_STAGE, sanitize=False).classes("w-full")
                with ui.row().classes("justify-center items-center"):
                    self._start = ui.button("Start", on_click=self.start, icon="play_arrow")
                    self._start.props("size=lg disable")
                    ui.switch("Slow motion", on_change=_slow).classes("self-center")
                    ui.button("Another first plan", on_click=self.begin).props("flat")
                with ui.element("div").classes("keys"):
                    for key, text, arrow in _BUTTONS:
                        push = ui.button().classes(key).props("outline")
                        push.props["aria-label"] = f"Push: {text} {arrow}"
                        push.on("click", js_handler=f"() => arm.press('{key}')")
                        with push:
                            ui.html(f"{text}<kbd>{arrow}</kbd>", sanitize=False)
            with ui.card().classes("w-full"):
                ui.label("Ways to move so far").classes("text-h6")
                self._list = ui.column().classes("w-full gap-1").props("id=made")
                ui.separator()
                self._name = ui.input("Name of the study", value="my arm").classes("w-full")
                self._make = ui.button("No way yet", on_click=self.make_study, icon="check")
                self._make.props("id=make-study")
                if not self._here.person.may("owner"):
                    ui.label("Only an owner's token may create studies.").classes("faint")
        await ui.context.client.connected(timeout=60)
        ui.run_javascript(_SCRIPT)
        ui.on("arm_key", self._pressed)
        ui.on("arm_done", self._done)
        await self.begin()

    # ---- drawing -------------------------------------------------------------------------------

    def _draw(self, begin: bool) -> None:
        assert self._game is not None
        path = np.round(self._game.under_way.states[:, :2], 4).tolist()
        ui.run_javascript(f"arm.follow({json.dumps(path)}, {json.dumps(begin)})")

    def _draw_list(self) -> None:
        self._list.clear()
        with self._list:
            for number, way in enumerate(self._made, 1):
                with ui.row().classes("items-center no-wrap w-full"):
                    ease = words.number(round(way[1].ease, 2))
                    ui.label(f"Way {number}: {_reached(way[1])}, ease {ease}").classes("faint")
                    ui.space()
                    remove = ui.button(icon="close", on_click=partial(self._remove, way))
                    remove.props(f'flat dense round aria-label="Remove way {number}"')
        count = len(self._made)
        left = FEWEST - count
        self._make.text = f"Make a study of these {count} ways to move"
        if left > 0:
            self._make.text = f"A study needs {words.count(left, 'more way')} to move"
        self._make.set_enabled(left <= 0 and self._here.person.may("owner"))

    # ---- acting --------------------------------------------------------------------------------

    async def begin(self) -> None:
        """Another first plan; the movements made so far stay."""
        seed, self._seed = self._seed, self._seed + 1
        with self._here.client:
            self._game = await self._here.believed(_begin, seed)
            self._keep()
            self._fresh = True
            self._draw(True)
            self._said.text = "Press Start, and push before the hand reaches the wall."
            self._start.props(remove="disable")

    async def start(self) -> None:
        with self._here.client:
            if self._game is None:
                return
            if not self._fresh:
                self._game = await self._here.believed(correcting.watched, self._game)
            self._fresh = False
            self._draw(True)
            ui.run_javascript("arm.start()")
            self._said.text = "It moves: push it with the arrow keys or the buttons."

    async def _pressed(self, event: Any) -> None:
        game, key, step = self._game, str(event.args["key"]), int(event.args["step"])
        if game is None or key not in correcting.KEYS or not 0 <= step < STEPS:
            return
        with self._here.client:
            after = await self._here.believed(correcting.pushed, game, step, key)
            if after is None:
                self._said.text = "It knows no way to go there from here; it keeps its plan."
                return
            self._game = after
            self._draw(False)
            await self._here.believed(self._keep_planned)
            self._draw_list()
            now = _reached(after.under_way)
            self._said.text = f"Correction {len(after.weights) - 1}: as planned now, {now}."

    def _keep_planned(self) -> None:
        assert self._game is not None
        weights = self._game.weights[-1]
        self._add(weights, correcting.movement(weights))

    def _keep(self) -> None:
        assert self._game is not None
        self._add(self._game.weights[-1], self._game.under_way)
        self._draw_list()

    def _add(self, weights: correcting.Weights, made: correcting.Movement) -> None:
        """Add a movement, unless it is there already."""
        if not any(np.array_equal(weights, known) for known, _ in self._made):
            self._made.append((weights, made))

    def _remove(self, way: tuple[correcting.Weights, correcting.Movement]) -> None:
        self._made = [each for each in self._made if each is not way]
        self._draw_list()

    def _done(self) -> None:
        if self._game is not None:
            said = _reached(self._game.under_way)
            self._said.text = f"Done: {said}. Start again to see it from the beginning."

    async def make_study(self) -> None:
        with self._here.client, quietly(), name_taken(self._name.value):
            name = checked_name((self._name.value or "").strip())
            made = list(self._made)
            pool = self._here.pool
            study = await self._here.act("owner", lambda: study_of(name, made, pool.storage))
            pool.changed(study.name)
            ui.navigate.to(address(study.name))


def _slow(event: Any) -> None:
    ui.run_javascript(f"arm.slow({json.dumps(bool(event.value))})")


def _begin(seed: int) -> correcting.Game:
    game = correcting.begin(seed)
    correcting.pushed(game, 0, "up")  # compiled now, so that the first push need not wait
    return game


def _reached(made: correcting.Movement) -> str:
    if made.clearance >= 0.0:
        return f"clear of the wall by {made.clearance:.2f}"
    return f"into the wall by {-made.clearance:.2f}"
