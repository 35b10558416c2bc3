"""The Decide page: what is proposed and why, the person's alternative, and the decision."""

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

from fastapi import Request
from nicegui import background_tasks, ui

from counsel.errors import CounselError
from counsel.facts.lines import line
from counsel.facts.records import Decision, Fact, Proposal
from counsel.plots._trials import Trial
from counsel.service.web import activity, charts, picture, ranges, sliders, tour, words
from counsel.service.web.activity import Activity, progress_of
from counsel.service.web.alternative import Mine
from counsel.service.web.comments import ask_for_comment
from counsel.service.web.corrections import ask_for_answers, ask_to_revise
from counsel.service.web.decisions import Decisions
from counsel.service.web.drafts import Drafts
from counsel.service.web.forecasts import ForecastCard
from counsel.service.web.frame import Visit, address, kept_fresh, quietly, study_page
from counsel.service.web.measure import Measurement, ask_why_failed
from counsel.service.web.notices import Notice, NoticeBoard, show_keys
from counsel.service.web.outcome import Expectations
from counsel.service.web.presence import Presence
from counsel.service.web.proposal_card import ProposalCard
from counsel.service.web.tour import Tour
from counsel.service.web.tradeoffs import TradeoffCard
from counsel.service.web.waiting import Waiting, look
from counsel.study import Study

__all__ = ["page"]

_STYLE = """
.decide { display: grid; gap: 16px; width: 100%; align-items: start;
  grid-template-columns: minmax(0, 11fr) minmax(0, 9fr); }
.decide > div { display: flex; flex-direction: column; gap: 16px; min-width: 0; }
@media (max-width: 900px) {
  .decide { display: flex; flex-direction: column; align-items: stretch; }
  .decide > div { display: contents; }
  #proposal { order: 1; } #picture, #world { order: 2; } #mine { order: 3; } #reasons { order: 4; }
  #activity { order: 5; }
}
.above #status { flex: 1 1 300px; } #alignment:empty { display: none; }
.above { gap: 4px 16px; margin-top: -10px; min-height: 36px; }
.pairs { font-size: 1.15rem; line-height: 1.35; color: var(--faint); overflow-wrap: anywhere; }
.pairs span { display: inline-block; max-width: 100%; }
.pairs b { font-size: 1.55rem; font-weight: 700; letter-spacing: -.02em; color: var(--ink);
  font-variant-numeric: tabular-nums; }
#measure .q-field { max-width: 460px; } #mine-paused { min-height: 1.5em; }
#proposal { border-top: 4px solid var(--accent); } #mine { border-top: 4px solid var(--mine); }
.notice { border-left: 5px solid var(--accent); }
"""


_STYLED = (picture, sliders, ranges, activity, tour, charts)


async def page(request: Request, name: str) -> None:
    async with study_page(request, "Decide", name) as opened:
        if opened is None:
            return
        if opened.study.problem.objective.preferred:
            ui.navigate.to(address(name, "/compare"))
            return
        charts.preload()
        ui.add_css(_STYLE + "".join(each.STYLE for each in _STYLED))
        wanted = request.query_params.get("proposal")
        await _Table(opened.here, opened.study, wanted).open()


class _Table:
    """One person's view of one study, redrawn from the facts whenever they change."""

    _do: Decisions

    def __init__(self, here: Visit, study: Study, wanted: str | None) -> None:
        self._here, self._study = here, study
        self._may = here.may("participant")
        self._drafts = Drafts(study.name)
        self._kept: dict[str, str] = {}
        self._chosen = wanted
        self._proposal: Proposal | None = None
        self._form: Measurement | None = None
        self._offered: tuple[object, ...] | None = None
        self._drawn: tuple[str | None, Decision | None] | None = None
        self._told: object = None  # what the activity was drawn from
        self._asked, self._shown = 0, 0  # how often the activity was worked out, and which is shown
        self._counted = -1  # facts that the first line is about

    async def open(self) -> None:
        with ui.row().classes("w-full items-center above"):
            self._status = ui.label().classes("faint").props("aria-live=polite id=status")
            self._presence = Presence(self._here, self._study, self.refresh)
            self._more = ui.button("One more proposal", on_click=lambda: self._do.ask())
            self._more.props("flat dense icon=add")
            self._more.set_visibility(False)
        self._tour = Tour(self._guided)
        self._notices = NoticeBoard()
        self._which = ui.row()
        self._top = ui.column().classes("w-full")
        self._forecasts = ForecastCard(self._here, self._study, self.refresh)
        self._tradeoffs = TradeoffCard(self._here, self._study) if self._may else None
        team = self.as_a_team if self._may and self._study.setup.team is not None else None
        self._mine = Mine(
            self._here, self._study, self._drafts, self.use_mine if self._may else None, team
        )
        self._do = Decisions(
            self._here,
            self._study,
            self._mine,
            self._drafts,
            self._tour,
            self.refresh,
            self._look_at,
        )
        actions = {"Accept": self.accept, "Reject": self.reject} if self._may else {}
        self._card = ProposalCard(self._here, self._study, self._mine, self._drafts, actions)
        with ui.element("div").classes("decide") as self._columns:
            with ui.element("div") as self._left:
                self._mine.draw_picture()
                self._card.make_places(words_here=False)
            with ui.element("div"):
                self._card.make_places(words_here=True)
                self._mine.draw()
        self._columns.set_visibility(False)
        self._below = ui.column().classes("w-full")
        with self._below:
            acts = (self._comment, self._correct, self._answer) if self._may else ()
            self._activity = Activity(*acts)
        ui.keyboard(on_key=self._key, ignore=["input", "textarea", "select"])
        self._mine.on_change = lambda: self._tour.reached("moved")
        self._kept = await self._drafts.kept()
        await kept_fresh(self._here, self._study.name, self._news)
        begun = any(isinstance(fact, Proposal) for fact in self._study.facts)
        self._presence.watch()
        if self._study.name in self._here.pool.worlds:
            if not begun:
                await self._do.ask(first=True)  # a demonstration begins with something to decide
            ready = self._study.name in self._here.pool.extension.worlds
            if ready and "guide" not in self._kept and self._may and not self._study.decisions:
                self._tour.begin()

    def _guided(self) -> None:
        self._drafts.keep("guide", "seen")

    # ---- drawing -------------------------------------------------------------------------------

    async def _news(self) -> None:
        """Somebody has changed the study, perhaps this person."""
        if not self._do.busy:
            await self.refresh(own=False)

    async def refresh(self, *said: Notice | None, own: bool = True) -> None:
        """Draw the study as it is, together with what is `said` of it.

        What this person typed stays, unless the change is their `own`.
        """
        with self._here.client:
            await self._refresh(own, *said)

    async def _refresh(self, own: bool, *said: Notice | None) -> None:
        try:
            actor = self._here.actor if self._may else None
            state = await self._here.read(look, self._study, actor)
        except CounselError as error:  # deleted by somebody
            self._status.text = str(error)
            return
        if self._here.gone.is_set():  # left meanwhile
            return
        own, self._do.fresh = own or self._do.fresh, False
        if said:
            self._notices.show(*said)
        waiting = {p.id: p for p in state.pending}
        if self._counted != state.facts:
            self._counted = state.facts
            background_tasks.create(self._say_best(state))
        self._forecasts.show(state.to_forecast)
        decision = state.decisions.get(self._chosen or "")
        picture_now = (self._chosen if self._chosen in waiting else None, decision)
        if not own and self._typing() and picture_now != self._drawn:
            self._announce(state.last)
            return
        if self._chosen not in waiting:
            self._chosen = next(iter(waiting), None)
            decision = state.decisions.get(self._chosen or "")
        self._proposal = self._do.proposal = waiting.get(self._chosen or "")
        self._do.open = self._proposal is not None and decision is None
        self._draw_choice(waiting)
        trying = {each: d.actor for each, d in state.decisions.items() if each in waiting}
        undecided = None if decision is not None else self._proposal
        self._presence.show(undecided, state.leases.get(self._chosen or ""), trying)
        # A card is not drawn again while it is about the same: somebody may be pressing a button.
        drawn = (self._chosen, decision)
        if drawn == self._drawn:
            self._mine.follow(self._proposal, self._card.why)
        else:
            self._drawn = drawn
            await self._draw(state, decision)
        told = (state.facts, self._chosen)
        if self._told != told and not self._here.pool.begins(self._study):
            self._told = told
            if self._tradeoffs is not None:
                background_tasks.create(self._tradeoffs.show())
            background_tasks.create(self._draw_activity())

    async def _say_best(self, state: Waiting) -> None:
        """The first line of the page: which trial is the best needs what is believed."""
        done = words.count(state.trials, "trial")
        if not self._status.text:
            self._status.text = f"{done}."
        if self._here.pool.begins(self._study):
            return  # fitted twice at once, both would take longer
        with self._here.client, quietly():
            found = await self._here.believed(lambda: self._study.best)
            text = words.nothing_good(self._study.problem, state.trials)
            if found is not None:
                text = words.best(found, self._study.problem.objective.name)
            if self._counted == state.facts and not self._status.is_deleted:
                self._status.text = f"{done}. {text}"

    async def _draw(self, state: Waiting, decision: Decision | None) -> None:
        self._put_in_address(self._chosen)
        open_ = self._do.open
        self._columns.set_visibility(open_)
        # Beside a long card of mine there is room below the reasons.
        self._activity.card.move(self._left if open_ else self._below)
        self._top.clear()
        self._form = self._card.reason = None
        with self._top:
            if self._proposal is None:
                self._draw_empty(state.trials)
                return
            if decision is not None:
                self._draw_measurement(self._proposal, decision)
                return
        await self._card.draw(self._proposal, self._kept)

    def _typing(self) -> bool:
        """Whether a redraw would take something away that the person has entered."""
        if self._drawn is None or self._proposal is None:
            return False
        if self._form is not None:
            return self._form.typed
        reason = self._card.reason is not None and bool(self._card.reason.value)
        return self._drawn[1] is None and (reason or self._mine.changed)

    def _announce(self, last: Fact | None) -> None:
        """Say what somebody else did, beside what this person types."""
        if last is None:
            return
        who = getattr(last, "actor", "the machine")
        text = f"{who}: {line(last, words.spoken(self._study.problem))}."
        more = "What you entered is still here."
        self._notices.show(Notice(text, more, "Show the study as it is now", self.refresh))

    def _draw_choice(self, waiting: dict[str, Proposal]) -> None:
        self._more.set_visibility(bool(waiting) and self._may)
        choices = (tuple(waiting), self._chosen)
        if choices == self._offered:
            return
        self._offered = choices
        self._which.clear()
        self._which.set_visibility(len(waiting) > 1)
        if len(waiting) > 1:
            with self._which:
                ui.toggle(
                    {each: f"Proposal {each}" for each in waiting},
                    value=self._chosen,
                    on_change=lambda event: self._choose(event.value),
                ).props("no-caps")

    def _look_at(self, proposal: str) -> None:
        self._chosen = proposal

    async def _choose(self, proposal: str) -> None:
        self._look_at(proposal)
        await self.refresh()

    def _put_in_address(self, proposal: str | None) -> None:
        """A reload, or a colleague who is sent the address, sees the same proposal."""
        query = f"?proposal={proposal}" if proposal else ""
        way = json.dumps(address(self._study.name) + query)
        ui.run_javascript(f"history.replaceState(null, '', {way})")

    def _draw_empty(self, trials: int) -> None:
        with ui.card().classes("w-full items-start"):
            ui.label("No proposal is waiting").classes("text-h6")
            ui.label(
                "The machine chooses what to try next from what has been measured so far. "
                "Continue as long as it pays: below is whether it still does, and History has "
                "everything to download."
                if trials
                else "The first trials are spread over the space; then the machine learns."
            ).classes("faint")
            if self._may:
                button = ui.button("Ask for a proposal", on_click=lambda: self._do.ask())
                button.props("size=lg icon=lightbulb")
            else:
                ui.label("Your role may view, not ask.").classes("faint")

    def _draw_measurement(self, proposal: Proposal, decision: Decision) -> None:
        if self._may:
            self._form = Measurement(
                self._here, self._study, proposal, decision, self._drafts, self._tell
            )
            self._form.restore(self._kept)
            with ui.row().classes("items-center"):
                ui.button(
                    "Take the decision back",
                    on_click=lambda: self._do.take_back(decision.id, waits=False),
                ).props("flat dense icon=undo")
                ui.button(
                    "It failed",
                    on_click=lambda: ask_why_failed(self._study, partial(self._do.fail, proposal)),
                ).props("flat dense icon=report_problem")
                ui.switch("Then ask for the next one", value=self._goes_on, on_change=self._go_on)
        else:
            own = decision.values or proposal.values
            ui.label(f"{decision.actor} is trying {words.point(own)}.").classes("big")

    def _comment(self, trial: Trial) -> None:
        ask_for_comment(self._here, self._study, trial.fact, f"trial {trial.number}")

    async def _correct(self, trial: Trial) -> None:
        await ask_to_revise(self._here, self._study, trial.fact, f"trial {trial.number}")

    def _answer(self, trial: Trial) -> None:
        ask_for_answers(self._here, self._study, trial.fact, trial.left_open)

    async def _draw_activity(self) -> None:
        self._asked += 1
        mine = self._asked
        found = await self._here.believed(progress_of, self._study)
        if mine < self._shown:
            return  # a later one was faster
        self._shown = mine
        with self._here.client:
            self._activity.show(found)

    # ---- acting --------------------------------------------------------------------------------

    async def accept(self) -> None:
        await self._do.decide("accept", self._card.given_reason, self._card.key)

    async def reject(self) -> None:
        await self._do.decide("reject", self._card.given_reason, self._card.key)

    async def use_mine(self) -> None:
        await self._do.decide("override", self._card.given_reason, self._card.key)

    async def as_a_team(self) -> None:
        await self._do.as_a_team()

    async def _tell(self, given: Mapping[str, float], earlier: Expectations) -> None:
        await self._do.tell(given, earlier)
        if self._goes_on and not self._study.pending:
            # What came of the trial stays in sight.
            await self._do.ask(keep=self._notices.shown)

    @property
    def _goes_on(self) -> bool:
        return self._kept.get("next") == "yes"

    def _go_on(self, event: Any) -> None:
        self._kept["next"] = "yes" if event.value else "no"
        self._drafts.keep("next", self._kept["next"])

    async def _key(self, event: Any) -> None:
        modified = event.modifiers.ctrl or event.modifiers.alt or event.modifiers.meta
        if not event.action.keydown or event.action.repeat or modified:
            return
        key = str(event.key).lower()
        if key == "?":
            show_keys()
        elif self._proposal is None and key == "n":
            await self._do.ask()
        elif self._proposal is not None:
            actions = {"a": self.accept, "m": self.use_mine, "r": self.reject}
            if self._study.setup.team is not None:
                actions["t"] = self.as_a_team
            if key in actions:
                await actions[key]()
