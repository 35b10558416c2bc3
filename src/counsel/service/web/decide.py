"""The Decide page: what is proposed and why, the person's alternative, and the decision."""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

from fastapi import Request
from nicegui import background_tasks, ui

from counsel.errors import CounselError
from counsel.explain.attribution import Attribution
from counsel.facts.lines import line
from counsel.facts.records import (
    Decision,
    Fact,
    Lease,
    Prediction,
    Proposal,
    Withdrawal,
)
from counsel.service.web import activity, charts, picture, sliders, words
from counsel.service.web.activity import Activity, progress_of
from counsel.service.web.alternative import Mine
from counsel.service.web.chances import Chances
from counsel.service.web.drafts import Drafts
from counsel.service.web.frame import Visit, address, kept_fresh, quietly, study_page
from counsel.service.web.measure import Measurement, picture_of
from counsel.service.web.outcome import Expectations, come_of
from counsel.study import Study
from counsel.teams.alignment import Alignment

__all__ = ["page"]

_STYLE = """
.decide { display: grid; gap: 16px; width: 100%; align-items: start;
  grid-template-columns: minmax(0, 11fr) minmax(0, 9fr); }
.decide > div { display: flex; flex-direction: column; gap: 16px; min-width: 0; }
@media (max-width: 900px) {
  .decide { display: flex; flex-direction: column; align-items: stretch; }
  .decide > div { display: contents; }
  #proposal { order: 1; } #picture { order: 2; } #mine { order: 3; } #reasons { order: 4; }
}
.notice { border-left: 5px solid #0072b2; }
"""
_OTHERS = 2.0  # seconds between two looks at who else is here
_GUIDE = (
    "One round, in a minute: read what is proposed and why; drag the ring on the picture to try "
    "your own idea; press Accept or Use mine, then Simulate, and see what came of it."
)
_KEYS = (
    ("A", "accept the proposal"),
    ("M", "use mine"),
    ("R", "reject the proposal"),
    ("N", "ask for a proposal, when none waits"),
    ("?", "show these keys"),
)


class _State(NamedTuple):
    pending: tuple[Proposal, ...]
    decisions: dict[str, Decision]
    leases: dict[str, Lease]
    trials: int
    best: str
    last: Fact | None


class _Notice(NamedTuple):
    """A sentence on top of the page, and what a person may do about it."""

    text: str
    more: str = ""
    action: str = ""
    act: Callable[[], Awaitable[None]] | None = None


async def page(request: Request, name: str) -> None:
    async with study_page(request, "Decide", name) as opened:
        if opened is None:
            return
        if opened.study.problem.objective.preferred:
            ui.navigate.to(address(name, "/compare"))
            return
        ui.add_css(_STYLE + picture.STYLE + sliders.STYLE + activity.STYLE)
        wanted = request.query_params.get("proposal")
        await _Table(opened.here, opened.study, wanted).open()


class _Table:
    """One person's view of one study, redrawn from the facts whenever they change."""

    def __init__(self, here: Visit, study: Study, wanted: str | None) -> None:
        self._here, self._study = here, study
        self._may = here.may("participant")
        self._drafts = Drafts(study.name)
        self._kept: dict[str, str] = {}
        self._chosen = wanted
        self._proposal: Proposal | None = None
        self._form: Measurement | None = None
        self._reason: ui.input | None = None
        self._offered: tuple[object, ...] | None = None
        self._drawn: tuple[str | None, Decision | None] | None = None
        self._acting = False  # something is being written; the page is drawn again after that
        self._own = False  # the last change was this person's: nothing that they typed is lost
        self._noticed: _Notice | None = None
        self._told: object = None  # what the activity was drawn from
        self._seen: set[str] = set()
        self._why: Attribution | None = None

    async def open(self) -> None:
        self._status = ui.label().classes("faint").props("aria-live=polite id=status")
        self._notice = ui.column().classes("w-full").props("id=notice aria-live=polite")
        self._notice.set_visibility(False)
        self._others = ui.label().classes("faint").props("id=present aria-live=polite")
        self._others.set_visibility(False)
        self._which = ui.row().classes("w-full items-center")
        self._top = ui.column().classes("w-full")
        self._mine = Mine(
            self._here, self._study, self._drafts, self.use_mine if self._may else None
        )
        with ui.element("div").classes("decide") as self._columns:
            with ui.element("div"):
                self._mine.draw_picture()
                self._reasons = ui.card().classes("w-full").props("id=reasons")
            with ui.element("div"):
                self._left = ui.element("div")
                self._mine.draw()
        self._columns.set_visibility(False)
        self._activity = Activity()
        ui.keyboard(on_key=self._key, ignore=["input", "textarea", "select"])
        self._kept = await self._drafts.kept()
        await kept_fresh(self._here, self._study.name, self._news)
        begun = any(isinstance(fact, Proposal) for fact in self._study.facts)
        ui.timer(_OTHERS, self._see_others)
        if self._study.name in self._here.pool.worlds and not begun:
            await self.ask()  # a demonstration begins with something to decide
            if "guide" not in self._kept:
                self._show_notice(_Notice(_GUIDE, "", "I see", self._guided))

    async def _guided(self) -> None:
        self._drafts.keep("guide", "seen")

    def _see_others(self) -> None:
        """Who else has a page of this study open."""
        others = [
            who for who in self._here.pool.present(self._study.name) if who != self._here.actor
        ]
        self._others.set_visibility(bool(others))
        if others:
            self._others.text = f"Also here: {', '.join(others)}."

    # ---- drawing -------------------------------------------------------------------------------

    async def _news(self) -> None:
        """Somebody has changed the study, perhaps this person."""
        if not self._acting:
            await self.refresh(own=False)

    async def refresh(self, *, own: bool = True) -> None:
        with self._here.client:
            await self._refresh(own)

    async def _refresh(self, own: bool) -> None:
        try:
            state = await self._here.believed(self._look)
        except CounselError as error:  # deleted by somebody
            self._status.text = str(error)
            return
        own, self._own = own or self._own, False
        waiting = {p.id: p for p in state.pending}
        self._status.text = f"{words.count(state.trials, 'trial')}. {state.best}"
        decision = state.decisions.get(self._chosen or "")
        picture_now = (self._chosen if self._chosen in waiting else None, decision)
        if not own and self._typing() and picture_now != self._drawn:
            self._announce(state.last)
            return
        if self._chosen not in waiting:
            self._chosen = next(iter(waiting), None)
            decision = state.decisions.get(self._chosen or "")
        self._proposal = waiting.get(self._chosen or "")
        self._draw_choice(waiting, state.leases.get(self._chosen or ""))
        # A card is not drawn again while it is about the same: somebody may be pressing a button.
        drawn = (self._chosen, decision)
        if drawn == self._drawn:
            self._mine.follow(self._proposal, self._why)
        else:
            self._drawn = drawn
            await self._draw(state, decision)
        if self._told != (state.trials, state.best, self._chosen):
            self._told = (state.trials, state.best, self._chosen)
            background_tasks.create(self._draw_activity())

    async def _draw(self, state: _State, decision: Decision | None) -> None:
        self._put_in_address(self._chosen)
        self._columns.set_visibility(self._proposal is not None and decision is None)
        self._top.clear()
        self._form = self._reason = None
        with self._top:
            if self._proposal is None:
                self._draw_empty(state.trials)
                return
            if decision is not None:
                self._draw_measurement(self._proposal, decision)
                return
        await self._draw_proposal(self._proposal)

    def _look(self) -> _State:
        study = self._study
        facts = study.facts
        gone = {fact.fact for fact in facts if isinstance(fact, Withdrawal)}
        decisions = {f.proposal: f for f in facts if isinstance(f, Decision) and f.id not in gone}
        best, trials = study.best, len(study.observations)
        text = words.nothing_good(study.problem, trials)
        if best is not None:
            text = words.best(best, study.problem.objective.name)
        leases = {lease.proposal: lease for lease in study.leases}
        last = facts[-1] if facts else None
        return _State(study.pending, decisions, leases, trials, text, last)

    def _typing(self) -> bool:
        """Whether a redraw would take something away that the person has entered."""
        if self._drawn is None or self._proposal is None:
            return False
        if self._form is not None:
            return self._form.typed
        reason = self._reason is not None and bool(self._reason.value)
        return self._drawn[1] is None and (reason or self._mine.changed)

    def _announce(self, last: Fact | None) -> None:
        """Say what somebody else did, beside what this person types."""
        if last is None:
            return
        who = getattr(last, "actor", "the machine")
        text = f"{who}: {line(last, words.point)}."
        more = "What you entered is still here."
        self._show_notice(_Notice(text, more, "Show the study as it is now", self.refresh))

    def _show_notice(self, notice: _Notice | None) -> None:
        self._noticed = notice
        self._notice.clear()
        self._notice.set_visibility(notice is not None)
        if notice is None:
            return

        async def act() -> None:
            self._show_notice(None)
            assert notice.act is not None
            await notice.act()

        with self._notice, ui.card().classes("w-full notice"):
            ui.label(notice.text).classes("text-weight-medium")
            if notice.more:
                ui.label(notice.more)
            if notice.action:
                ui.button(notice.action, on_click=act).props("flat dense")

    def _draw_choice(self, waiting: dict[str, Proposal], lease: Lease | None) -> None:
        choices = (tuple(waiting), self._chosen, lease)
        if choices == self._offered:
            return
        self._offered = choices
        self._which.clear()
        with self._which:
            if len(waiting) > 1:
                ui.toggle(
                    {each: f"Proposal {each}" for each in waiting},
                    value=self._chosen,
                    on_change=lambda event: self._choose(event.value),
                )
            if waiting and self._may:
                ui.button("One more proposal", on_click=self.ask).props("flat dense icon=add")
            if lease is not None:
                until = f"{lease.until:%H:%M} UTC"
                mine = lease.actor == self._here.actor
                who = "You hold" if mine else f"{lease.actor} holds"
                ui.label(f"{who} {lease.proposal} until {until}.").props("id=lease")

    async def _choose(self, proposal: str) -> None:
        self._chosen = proposal
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
                ui.button("Ask for a proposal", on_click=self.ask, icon="lightbulb").props(
                    "size=lg"
                )
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
                    "Take the decision back", on_click=lambda: self._take_back(decision.id)
                ).props("flat dense icon=undo")
                ui.switch("Then ask for the next one", value=self._goes_on, on_change=self._go_on)
        else:
            own = decision.values or proposal.values
            ui.label(f"{decision.actor} is trying {words.point(own)}.").classes("big")

    async def _draw_proposal(self, proposal: Proposal) -> None:
        self._why = None
        self._left.clear()
        with self._left, ui.card().classes("w-full").props("id=proposal"):
            with ui.row().classes("items-center w-full"):
                ui.label("The machine proposes").classes("text-h6").props(
                    'role=heading aria-level="2"'
                )
                ui.space()
                ui.badge(proposal.id, color="grey-8")
            ui.label(words.point(proposal.values)).classes("big").props("id=proposal-values")
            if proposal.context:
                ui.label(f"given {words.point(proposal.context)}").classes("faint")
            expected = ui.label("Working out what is expected.").props("id=expected")
            names = [constraint.name for constraint in self._study.problem.constraints]
            chances = Chances(names, proposal.asks)
            # The lines are kept free: what stands below does not move when the reasons come.
            reason = ui.label("Working out the reasons.").props("id=why aria-live=polite")
            reason.style("min-height:4.3em")
            if self._may:
                self._draw_buttons(proposal)
            picture_of(self._here, self._study, proposal.values)
            if proposal.note:
                ui.label(proposal.note).classes("faint text-sm")
            aligned = ui.column().classes("w-full gap-1").props("id=alignment")
        self._reasons.clear()
        height = charts.height(len(self._study.problem.space.names))
        with self._reasons:
            ui.label("Why this one").classes("text-h6").props('role=heading aria-level="2"')
            place = ui.column().classes("w-full").style(f"min-height:{height}px")
            with place:
                thinking = ui.label("Working out the contributions.").classes("faint")
        kept = self._kept.pop(f"{proposal.id}/mine", "")
        self._mine.follow(proposal, None, kept)  # shown at once: reasons may take a moment
        found, holds = await self._here.believed(self._believe, proposal)
        if expected.is_deleted:
            return
        expected.text = f"Expected {self._study.problem.objective.name}: {words.believed(found)}"
        chances.show(holds)
        why, text = await self._here.believed(self._explain, proposal)
        if reason.is_deleted:  # the study has moved on
            return
        self._why, reason.text = why, text
        self._reasons.set_visibility(why is not None)
        aligned.set_visibility(why is not None)
        if why is not None:
            thinking.delete()
            with place:
                figure = charts.contributions(why, charts.largest(why), self._here.dark)
                charts.drawn(figure, f"Contributions: {text}")
        self._mine.follow(proposal, why)
        if why is not None:
            await self._draw_alignment(proposal, aligned)

    def _believe(self, proposal: Proposal) -> tuple[Prediction | None, dict[str, float]]:
        """What is believed of the proposal today: the same as wherever else on the page."""
        study, context = self._study, dict(proposal.context) or None
        try:
            found = study.predict(proposal.values, context=context)
            chances = (
                study.chances(proposal.values, context=context) if study.problem.constraints else {}
            )
        except CounselError:  # a policy without beliefs
            return proposal.prediction, dict(proposal.chances)
        return found, chances

    async def _draw_alignment(self, proposal: Proposal, place: ui.column) -> None:
        """The distance between the machine's reasons and this person's, once they have any."""
        found = await self._here.believed(self._align, proposal)
        if found is None or place.is_deleted:
            return
        with place:
            ui.label(found.sentence()).classes("text-bold")
            times = words.count(found.choices, "time")
            ui.label(f"You have overridden proposals {times}.").classes("faint")
            charts.drawn(charts.alignment(found, self._here.dark), found.sentence())

    def _align(self, proposal: Proposal) -> Alignment | None:
        try:
            return self._study.alignment(proposal, actor=self._here.actor)
        except CounselError:  # beliefs without reasons
            return None

    def _draw_buttons(self, proposal: Proposal) -> None:
        self._reason = ui.input("Reason (optional)", value=self._kept.get(f"{proposal.id}/reason"))
        self._reason.classes("w-full").props("maxlength=500")
        self._drafts.watch(self._reason, f"{proposal.id}/reason")
        with ui.row():
            for text, key, action, props in (
                ("Accept", "A", self.accept, "color=primary"),
                ("Reject", "R", self.reject, "color=negative outline"),
            ):
                button = ui.button(on_click=action).props(f'{props} aria-label="{text}"')
                with button:
                    ui.html(f"{text}<kbd>{key}</kbd>", sanitize=False)
            ui.button(icon="keyboard", on_click=_show_keys).props(
                'flat round dense aria-label="Keys"'
            )

    def _explain(self, proposal: Proposal) -> tuple[Attribution | None, str]:
        try:
            # It is recorded once that somebody saw it, not whenever the page is drawn.
            new = proposal.id not in self._seen
            why = self._study.explain(proposal, actor=self._here.actor if new else None)
            self._seen.add(proposal.id)
            return why, f"{why.sentence()} {why.together}".strip()
        except CounselError as error:
            return None, words.purpose(proposal) or str(error)

    async def _draw_activity(self) -> None:
        found = await self._here.believed(progress_of, self._study)
        with self._here.client:
            self._activity.show(found)

    # ---- acting --------------------------------------------------------------------------------

    async def _act(self, work: Callable[[], Awaitable[_Notice | None]]) -> None:
        """Do something to the study; then show what came of it."""
        if self._acting or not self._may:
            return  # pressed twice
        self._acting = True
        try:
            with self._here.client, quietly():
                notice = await work()
                self._own = True
                self._here.pool.changed(self._study.name)
                self._show_notice(notice)
        finally:
            self._acting = False
        await self.refresh()

    async def ask(self) -> None:
        async def work() -> _Notice | None:
            waiting = ui.notification("The machine is thinking.", spinner=True, timeout=None)
            try:
                found = await self._here.ask(self._study.ask)
            finally:
                waiting.dismiss()
            self._chosen = found.id
            return None

        await self._act(work)

    async def accept(self) -> None:
        await self._decide("accept")

    async def reject(self) -> None:
        await self._decide("reject")

    async def use_mine(self) -> None:
        await self._decide("override")

    async def _decide(self, kind: str) -> None:
        proposal = self._proposal
        if proposal is None or self._drawn is None or self._drawn[1] is not None:
            return
        reason = "" if self._reason is None else self._reason.value or ""
        common: dict[str, Any] = {"actor": self._here.actor, "reason": reason}

        async def work() -> _Notice | None:
            own = self._mine.complete() if kind == "override" else {}
            same = kind == "override" and not self._mine.changed

            def decide() -> Decision:
                if kind == "override" and not same:
                    return self._study.override(proposal, own, **common)
                verb = self._study.reject if kind == "reject" else self._study.accept
                return verb(proposal, **common)

            made = await self._here.act("participant", decide)
            self._drafts.forget(f"{proposal.id}/mine")
            self._drafts.forget(f"{proposal.id}/reason")
            if same:
                return _Notice("Yours is the proposal itself, so it counts as accepted.")
            if kind == "reject":
                text = f"Rejected {proposal.id}: {words.point(proposal.values)}."
                return _Notice(text, action="Undo", act=lambda: self._take_back(made.id))
            return None

        await self._act(work)

    async def _take_back(self, fact: str) -> None:
        async def work() -> _Notice | None:
            await self._here.act(
                "participant", lambda: self._study.withdraw(fact, actor=self._here.actor)
            )
            return None

        await self._act(work)

    async def _tell(self, given: Mapping[str, float], earlier: Expectations) -> None:
        proposal = self._proposal
        if proposal is None:
            return

        async def work() -> _Notice | None:
            made = await self._here.act(
                "participant",
                lambda: self._study.tell(proposal, given, actor=self._here.actor),
            )
            self._drafts.forget(f"{proposal.id}/")
            found = await self._here.believed(come_of, self._study, made, earlier)
            undo = "Undo: that was a mistake"
            return _Notice(found.sentence, found.learned, undo, lambda: self._take_back(made.id))

        await self._act(work)

        if self._goes_on and not self._study.pending:
            notice = self._noticed  # what came of the trial stays in sight
            await self.ask()
            self._show_notice(notice)

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
            _show_keys()
        elif self._proposal is None and key == "n":
            await self.ask()
        elif self._proposal is not None:
            actions = {"a": self.accept, "m": self.use_mine, "r": self.reject}
            if key in actions:
                await actions[key]()


def _show_keys() -> None:
    with ui.dialog() as dialog, ui.card().props('role=dialog aria-label="Keys"'):
        ui.label("Keys").classes("text-h6")
        for key, text in _KEYS:
            ui.html(f"<kbd>{key}</kbd> {text}", sanitize=False)
        ui.button("Close", on_click=dialog.close).props("flat")
    dialog.open()
