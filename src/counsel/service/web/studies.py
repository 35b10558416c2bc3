"""The list of studies and their status."""

import html
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from fastapi import Request
from nicegui import ui

from counsel.errors import CounselError
from counsel.facts.problem import PREFERENCE
from counsel.facts.summaries import Best, Summary
from counsel.plots._progress import best_so_far
from counsel.plots._trials import trials_of
from counsel.service.web import words
from counsel.service.web.frame import (
    Visit,
    address,
    frame,
    kept_fresh,
    named_dialog,
    quietly,
    tabs,
    visit,
)
from counsel.study import Study

__all__ = ["page"]


_STYLE = """
.curve { width: 100%; height: 56px; }
.curve polyline { fill: none; vector-effect: non-scaling-stroke; }
.curve .best { stroke: #0072b2; stroke-width: 2.5; }
body.body--dark .curve .best { stroke: #6cc0f0; }
.curve .trials { stroke: var(--faint); stroke-width: 1; stroke-dasharray: 2 3; }
"""


class _Look(NamedTuple):
    """The status of a study; `wrong` says what is wrong with it."""

    status: str = ""
    best: Best | None = None
    nothing: str = ""
    curve: str = ""
    wrong: str = ""


async def page(request: Request) -> None:
    here = await visit(request)
    if here is None:
        return
    with frame(here, request, "Studies"):
        ui.add_css(_STYLE)
        with ui.row().classes("items-center w-full"):
            ui.label("Studies").classes("text-h5").props('role=heading aria-level="1"')
            ui.space()
            away = ui.switch("Archived").props("dense")
            away.set_visibility(False)
            wanted = ui.input("Search").props("dense clearable outlined")
            wanted.style("max-width:180px").props["type"] = "search"
            for more in here.pool.extension.pages if here.pool.extension.worlds else ():
                ui.button(more.title, on_click=partial(ui.navigate.to, more.path)).props("flat")
            if here.person.may("owner"):
                ui.button("New study", icon="add", on_click=lambda: ui.navigate.to("/new"))
        ui.label(
            "In a study the machine proposes what to try next and says why; you accept, try your "
            "own idea instead, or reject; it learns from what you then measure."
        ).classes("faint")
        shown = ui.element("div").classes("columns")
        cards: dict[str, _Card] = {}

        def search() -> None:
            text = (wanted.value or "").strip().lower()
            for name, card in cards.items():
                there = away.value or not card.archived
                card.whole.set_visibility(there and text in name.lower())

        wanted.on_value_change(search)
        away.on_value_change(search)

        async def refresh() -> None:
            found = await here.read(_listed, here)
            marks = [(each.name, each.archived) for each, _ in found]
            count = sum(archived for _, archived in marks)
            away.set_visibility(count > 0)
            away.text = f"Show {count} archived"
            if not cards or marks != [(name, card.archived) for name, card in cards.items()]:
                _arrange(here, shown, cards, found)
                search()
            # The list appears at once; the best trial of each study needs its beliefs.
            for card in list(cards.values()):
                if card.whole.visible:
                    await card.fill()

        await ui.context.client.connected(timeout=60)
        await kept_fresh(here, "", refresh)


def _arrange(
    here: Visit,
    shown: ui.element,
    cards: "dict[str, _Card]",
    found: list[tuple[Summary, dict[str, str]]],
) -> None:
    """The cards in this order; one that is there already stays, as somebody may be pressing it."""
    if not cards:
        shown.clear()  # what stands there when there are none
    there = {each.name: each.archived for each, _ in found}
    for name in [name for name, card in cards.items() if there.get(name) != card.archived]:
        cards.pop(name).whole.delete()
    old = dict(cards)
    cards.clear()
    with shown:
        if not found:
            _empty()
        for place, (each, ways) in enumerate(found):
            card = cards[each.name] = old.get(each.name) or _Card(here, each, ways)
            card.whole.move(shown, place)


def _listed(here: Visit) -> list[tuple[Summary, dict[str, str]]]:
    """Every study that the person may see, with its tabs."""
    return [
        (each, tabs(each.objective == PREFERENCE, each.policy))
        for each in here.pool.summaries()
        if here.person.may("viewer", each.name)
    ]


def _look(here: Visit, name: str) -> _Look:
    try:
        study = here.pool.study(name)
        if here.pool.begins(study):
            return _Look("its first proposal is being worked out", curve=_curve(study))
        best, trials = study.best, len(study.observations)
        preferred = study.problem.objective.preferred
        done = words.count(trials, "trial")
        if preferred:
            done = words.count(len(study.comparisons), "answer")
        waiting = f", {len(study.pending)} waiting" if study.pending else ""
        nothing = words.nothing_good(study.problem, trials)
        if best is not None and words.likely_broken(best):
            best = None
        return _Look(done + waiting, best, nothing, "" if preferred else _curve(study))
    except CounselError as error:
        return _Look(wrong=str(error))


def _curve(study: Study) -> str:
    """Measured values and the best so far, trial by trial, as a small picture."""
    trials = [t for t in trials_of(study) if t.value is not None]
    if len(trials) < 2:
        return ""
    maximise = study.problem.objective.direction == "maximize"
    values = [t.value for t in trials if t.value is not None]
    kept: list[tuple[int, float]] = [
        (i, t.value) for i, t in enumerate(trials) if t.value is not None and not t.broken
    ]
    low, span = min(values), (max(values) - min(values)) or 1.0
    last = len(values) - 1

    def at(place: float, value: float) -> str:
        return f"{100 * place / last:.1f},{4 + 48 * (1 - (value - low) / span):.1f}"

    through = " ".join(at(i, value) for i, value in enumerate(values))
    found = best_so_far([value for _, value in kept], maximise)
    steps = [at(kept[0][0], found[0])] if kept else []
    for (i, _), (before, after) in zip(kept[1:], pairwise(found), strict=True):
        steps += [at(i, before), at(i, after)]
    steps += [at(last, found[-1])] if kept else []
    name = study.problem.objective.name
    label = f"{name} over {len(values)} trials" + (f", best {found[-1]:.4g}" if kept else "")
    return (
        f'<svg class="curve" viewBox="0 0 100 56" preserveAspectRatio="none" role="img" '
        f'aria-label="{html.escape(label)}"><polyline class="trials" points="{through}"/>'
        f'<polyline class="best" points="{" ".join(steps)}"/></svg>'
    )


def _empty() -> None:
    with ui.card().classes("w-full"):
        ui.label("No studies yet").classes("text-h6")
        ui.label(
            "A study searches parameters with ranges, or a table of candidates. Create one, and "
            "the machine proposes the first trial."
        ).classes("faint")


class _Card:
    """A study's card; `fill` adds its status."""

    def __init__(self, here: Visit, study: Summary, ways: dict[str, str]) -> None:
        self._here, self._study = here, study
        name, self.archived = study.name, study.archived
        with ui.card().classes("w-full") as self.whole:
            with ui.row().classes("items-center w-full no-wrap"):
                ui.link(name, address(name)).classes("text-h6").style("overflow-wrap:anywhere")
                ui.space()
                if name in here.pool.worlds:
                    ui.badge("simulated world", color="grey-8")
                if study.archived:
                    ui.badge("archived", color="grey-8")
                if here.person.may("owner", name):
                    with ui.button(icon="more_vert").props("flat round dense") as button:
                        button.props["aria-label"] = f"More for {name}"
                        with ui.menu():
                            title = "Bring it back" if study.archived else "Archive the study"
                            ui.menu_item(title, on_click=self._archive)
                            ui.menu_item("Delete the study", on_click=self._ask_to_delete)
            about = getattr(here.pool.worlds.get(name), "about", "")
            if about:
                ui.label(about)
            self._state = ui.label(f"policy {study.policy}").classes("faint")
            self._curve = ui.html("", sanitize=False).classes("w-full").style("min-height:60px")
            self._curve.set_visibility(study.objective != PREFERENCE)
            self._best = ui.label("Loading.")
            self._place = ui.label(" ").classes("faint")
            with ui.row():
                for number, (title, page) in enumerate(ways.items()):
                    way = address(name, page)
                    opened = ui.button(title, on_click=partial(ui.navigate.to, way))
                    if number > 0:
                        opened.props("flat")

    async def fill(self) -> None:
        found = await self._here.believed(_look, self._here, self._study.name)
        if self._best.is_deleted:
            return
        if found.wrong:
            self._best.text = found.wrong
            self._best.classes("text-negative")
            return
        me, there = self._here.actor, self._here.pool.present(self._study.name)
        people = [who for who in there if who != me]
        here = f"; here now: {', '.join(people)}" if people else ""
        self._state.text = f"{found.status}; policy {self._study.policy}{here}"
        self._curve.content = found.curve
        if found.best is None:
            self._best.text = found.nothing
            return
        objective = self._study.objective
        self._best.text = f"Best {objective} so far: {words.number(found.best.value)}"
        if objective == PREFERENCE:
            self._best.text = "Liked best so far"
        self._place.text = f"at {words.point(found.best.values)}"

    async def _archive(self) -> None:
        """Put the study away, or bring it back."""
        name, pool, to = self._study.name, self._here.pool, not self.archived
        with self._here.client, quietly():
            await self._here.introduce()
            await self._here.act_on(
                name, "owner", lambda: pool.study(name).archive(to, actor=self._here.actor)
            )
            pool.changed(name)
            ui.notify(f"{name} is {'archived' if to else 'back'}.", type="positive")

    def _ask_to_delete(self) -> None:
        name, pool = self._study.name, self._here.pool
        with named_dialog("Delete the study") as dialog, ui.card():
            ui.label(f"Delete {name} with everything in it?").classes("text-h6")
            ui.label(
                "This cannot be undone. History has an export, from which it can be made again."
            )

            async def delete() -> None:
                with self._here.client, quietly():
                    await self._here.act_on(name, "owner", pool.delete, name)
                    pool.changed(name)
                    dialog.close()

            with ui.row():
                ui.button("Keep it", on_click=dialog.close)
                ui.button("Delete it for good", on_click=delete).props("flat color=negative")
        dialog.open()
