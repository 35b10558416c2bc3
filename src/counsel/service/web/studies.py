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
from counsel.service.web.waiting import trials_told
from counsel.study import Study

__all__ = ["page"]


_STYLE = """
.lead { font-size: 1.05rem; max-width: 46em; margin-top: -8px; }
@media (max-width: 600px) { .lead { margin-top: 0; } }
.welcome { flex-direction: row; flex-wrap: wrap; align-items: center; gap: 10px 24px;
  padding: 18px 20px; background: var(--tint); border-color: transparent; box-shadow: none; }
.welcome > :first-child { flex: 1 1 320px; }
.guided .welcome { display: none; }
.study { gap: 10px; padding: 20px; }
.study .title { font-size: 1.25rem; font-weight: 700; letter-spacing: -.01em; line-height: 1.3;
  overflow-wrap: anywhere; text-decoration: none; }
.study .title:hover { text-decoration: underline; }
.study .found { display: flex; gap: 20px; align-items: center; width: 100%; min-height: 84px; }
.study .found > :first-child { flex: 0 0 auto; min-width: 110px; max-width: 55%; }
.study .worth { font-size: 2rem; font-weight: 700; letter-spacing: -.03em; line-height: 1.15;
  font-variant-numeric: tabular-nums; }
.study .drawn { flex: 1; min-width: 0; }
.study .ways { margin-top: auto; padding-top: 4px; gap: 4px; }
.curve { width: 100%; height: 72px; overflow: visible; }
.curve path, .curve polyline { fill: none; vector-effect: non-scaling-stroke; }
.curve .area { fill: var(--accent); opacity: .1; }
.curve .best { stroke: var(--accent); stroke-width: 2.5; stroke-linejoin: round; }
.curve .trials { stroke: var(--faint); stroke-width: 6; stroke-linecap: round; opacity: .75; }
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
            wanted = ui.input("Search").props("clearable").style("width:170px")
            wanted.props["type"] = "search"
            for more in here.pool.extension.pages if here.pool.extension.worlds else ():
                ui.button(more.title, on_click=partial(ui.navigate.to, more.path)).props("flat")
            if here.person.may("owner"):
                ui.button("New study", icon="add", on_click=lambda: ui.navigate.to("/new"))
        ui.label(
            "In a study the machine proposes what to try next and says why; you accept, try your "
            "own idea instead, or reject; it learns from what you then measure."
        ).classes("faint lead")
        begin = here.pool.extension.begin
        welcome = _welcome(begin[0]) if begin and here.may("participant") else None
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
            if welcome is not None:
                welcome.set_visibility((begin[0], False) in marks)
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
        best, trials = study.best, trials_told(study)
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
        return f"{100 * place / last:.1f},{6 + 60 * (1 - (value - low) / span):.1f}"

    # A line of no length with round ends is a dot, however the picture is stretched.
    dots = "".join(f"M{at(i, value)}h0" for i, value in enumerate(values))
    found = best_so_far([value for _, value in kept], maximise)
    steps = [at(kept[0][0], found[0])] if kept else []
    for (i, _), (before, after) in zip(kept[1:], pairwise(found), strict=True):
        steps += [at(i, before), at(i, after)]
    steps += [at(last, found[-1])] if kept else []
    below = [f"{steps[0].split(',')[0]},72", *steps, "100,72"] if steps else []
    name = study.problem.objective.name
    label = f"{name} over {len(values)} trials" + (f", best {found[-1]:.4g}" if kept else "")
    return (
        f'<svg class="curve" viewBox="0 0 100 72" preserveAspectRatio="none" role="img" '
        f'aria-label="{html.escape(label)}"><polygon class="area" points="{" ".join(below)}"/>'
        f'<polyline class="best" points="{" ".join(steps)}"/>'
        f'<path class="trials" d="{dots}"/></svg>'
    )


# Whether this browser has had a first round in any study; decide.py keeps that.
_GUIDED = """<script>
if (Object.keys(localStorage).some(key => /^counsel[/].+[/]guide$/.test(key)))
  document.documentElement.classList.add('guided');
</script>"""


def _welcome(name: str) -> ui.card:
    """An invitation to a first round, until this browser has had one."""
    ui.add_head_html(_GUIDED)
    with ui.card().classes("w-full welcome").props("id=welcome") as card:
        with ui.column().classes("gap-0"):
            ui.label("New here? Play one round.").classes("text-h6")
            ui.label(
                "It takes a minute. The machine proposes, you drag your own idea across the map, "
                "and a simulated world answers."
            )
        ui.button("Start the first round", on_click=lambda: ui.navigate.to(address(name))).props(
            "icon-right=arrow_forward"
        )
    card.set_visibility(False)
    return card


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
        preferred = study.objective == PREFERENCE
        with ui.card().classes("w-full study") as self.whole:
            with ui.row().classes("items-center w-full no-wrap gap-2"):
                ui.link(name, address(name)).classes("title")
                ui.space()
                if name in here.pool.worlds:
                    ui.label("simulated").classes("pill")
                if study.archived:
                    ui.label("archived").classes("pill")
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
            with ui.element("div").classes("found"):
                with ui.column().classes("gap-0"):
                    self._worth = ui.label().classes("worth")
                    self._best = ui.label("Loading.")
                    self._place = ui.label(" ").classes("faint text-sm")
                self._curve = ui.html("", sanitize=False).classes("drawn")
                self._curve.set_visibility(not preferred)
            self._state = ui.label(f"policy {study.policy}").classes("faint text-sm")
            with ui.row().classes("ways"):
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
        self._best.text = f"{words.rank(found.best)} {self._study.objective} so far"
        if self._study.objective == PREFERENCE:
            self._best.text = "Liked best so far"
        else:
            self._worth.text = words.number(found.best.value)
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
