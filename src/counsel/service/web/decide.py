"""The Decide page: what is proposed and why, the person's alternative, and the decision."""

from typing import Any, NamedTuple

from fastapi import Request
from nicegui import ui

from counsel.errors import CounselError
from counsel.explain.attribution import Attribution
from counsel.facts.records import Decision, Proposal, Withdrawal
from counsel.service.web import charts, words
from counsel.service.web.alternative import Mine
from counsel.service.web.chances import Chances
from counsel.service.web.frame import Visit, address, kept_fresh, quietly, study_page
from counsel.service.web.measure import measurement, picture_of
from counsel.study import Study
from counsel.teams.alignment import Alignment

__all__ = ["page"]


class _State(NamedTuple):
    pending: tuple[Proposal, ...]
    decisions: dict[str, Decision]
    trials: int
    best: str


async def page(request: Request, name: str) -> None:
    async with study_page(request, "Decide", name) as opened:
        if opened is None:
            return
        if opened.study.problem.objective.preferred:
            ui.navigate.to(address(name, "/compare"))
            return
        await _Table(opened.here, opened.study).open()


class _Table:
    """One person's view of one study, redrawn from the facts whenever they change."""

    def __init__(self, here: Visit, study: Study) -> None:
        self._here, self._study = here, study
        self._may = here.may("participant")
        self._chosen: str | None = None
        self._proposal: Proposal | None = None
        self._offered: tuple[object, ...] | None = None
        self._drawn: tuple[str | None, Decision | None] | None = None
        self._seen: set[str] = set()

    async def open(self) -> None:
        self._status = ui.label().classes("faint").props("aria-live=polite id=status")
        self._which = ui.row().classes("w-full")
        self._top = ui.column().classes("w-full")
        self._columns = ui.element("div").classes("columns")
        with self._columns:
            self._left = ui.column().classes("w-full")
            with ui.column().classes("w-full"):
                self._mine = Mine(self._here, self._study, self._may)
        ui.keyboard(on_key=self._key, ignore=["input", "textarea", "select"])
        await kept_fresh(self._here, self._study.name, self.refresh)

    # ---- drawing -------------------------------------------------------------------------------

    async def refresh(self) -> None:
        with self._here.client:
            await self._refresh()

    async def _refresh(self) -> None:
        try:
            state = await self._here.believed(self._look)
        except CounselError as error:  # deleted by somebody
            self._status.text = str(error)
            return
        waiting = {p.id: p for p in state.pending}
        if self._chosen not in waiting:
            self._chosen = next(iter(waiting), None)
        self._proposal = waiting.get(self._chosen or "")
        self._status.text = f"{state.trials} trials. {state.best}"
        decision = state.decisions.get(self._chosen or "")
        choices = (tuple(waiting), self._chosen)
        if choices != self._offered:
            self._offered = choices
            self._draw_choice(waiting)
        # A card is not drawn again while it is about the same: somebody may be pressing a button.
        picture = (self._chosen, decision)
        if picture == self._drawn:
            self._mine.follow(self._proposal, self._why)
            return
        self._drawn = picture
        self._columns.set_visibility(self._proposal is not None and decision is None)
        self._top.clear()
        with self._top:
            if self._proposal is None:
                self._draw_empty(state.trials)
                return
            if decision is not None:
                await self._draw_measurement(self._proposal, decision)
                return
        await self._draw_proposal(self._proposal)

    def _look(self) -> _State:
        study = self._study
        facts = study.facts
        gone = {fact.fact for fact in facts if isinstance(fact, Withdrawal)}
        decisions = {f.proposal: f for f in facts if isinstance(f, Decision) and f.id not in gone}
        best = study.best
        objective = study.problem.objective.name
        text = "Nothing has been measured yet."
        if best is not None:
            text = words.best(best, objective)
        return _State(study.pending, decisions, len(study.observations), text)

    def _draw_choice(self, waiting: dict[str, Proposal]) -> None:
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

    async def _choose(self, proposal: str) -> None:
        self._chosen = proposal
        await self.refresh()

    def _draw_empty(self, trials: int) -> None:
        with ui.card().classes("w-full items-start"):
            ui.label("No proposal is waiting").classes("text-h6")
            ui.label(
                "The machine chooses what to try next from what has been measured so far. "
                "Continue as long as it pays: Insights shows whether it still improves, and "
                "History has everything to download."
                if trials
                else "The first trials are spread over the space; then the machine learns."
            ).classes("faint")
            if self._may:
                ui.button("Ask for a proposal", on_click=self.ask, icon="lightbulb").props(
                    "size=lg"
                )
            else:
                ui.label("Your role may view, not ask.").classes("faint")

    async def _draw_measurement(self, proposal: Proposal, decision: Decision) -> None:
        if self._may:
            measurement(self._here, self._study, proposal, decision, self.refresh)
            with ui.row():
                ui.button(
                    "Take the decision back", on_click=lambda: self._take_back(decision)
                ).props("flat dense icon=undo")
        else:
            own = decision.values or proposal.values
            ui.label(f"{decision.actor} is trying {words.point(own)}.").classes("big")

    async def _draw_proposal(self, proposal: Proposal) -> None:
        self._why = None
        objective = self._study.problem.objective.name
        self._left.clear()
        with self._left, ui.card().classes("w-full").props("id=proposal"):
            with ui.row().classes("items-center w-full"):
                ui.label("The machine proposes").classes("text-h6")
                ui.space()
                ui.badge(proposal.id, color="grey-7")
            ui.label(words.point(proposal.values)).classes("big").props("id=proposal-values")
            if proposal.context:
                ui.label(f"given {words.point(proposal.context)}").classes("faint")
            ui.label(f"Expected {objective}: {words.believed(proposal.prediction)}")
            names = [constraint.name for constraint in self._study.problem.constraints]
            Chances(names, proposal.asks).show(proposal.chances)
            reason = ui.label("Working out the reasons.").props("id=why aria-live=polite")
            # Its height is kept free: what stands below does not move when the reasons come.
            height = charts.height(len(self._study.problem.space.names))
            chart = ui.column().classes("w-full").style(f"min-height:{height}px")
            if proposal.note:
                ui.label(proposal.note).classes("text-weight-medium")
            if self._may:
                self._draw_buttons()
            picture_of(self._here, self._study, proposal.values)
            aligned = ui.column().classes("w-full gap-1").props("id=alignment")
        self._mine.follow(proposal, None)  # shown at once: reasons may take a moment
        why, text = await self._here.believed(self._explain, proposal)
        if reason.is_deleted:  # the study has moved on
            return
        self._why, reason.text = why, text
        chart.set_visibility(why is not None)
        aligned.set_visibility(why is not None)
        if why is not None:
            with chart:
                figure = charts.contributions(why, charts.largest(why), self._here.dark)
                ui.plotly(figure).classes("w-full")
        self._mine.follow(proposal, why)
        if why is not None:
            await self._draw_alignment(proposal, aligned)

    async def _draw_alignment(self, proposal: Proposal, place: ui.column) -> None:
        """The distance between the machine's reasons and this person's, once they have any."""
        found = await self._here.believed(self._align, proposal)
        if found is None or place.is_deleted:
            return
        with place:
            times = "1 time" if found.choices == 1 else f"{found.choices} times"
            ui.label(found.sentence()).classes("text-bold")
            ui.label(f"You have overridden proposals {times}.").classes("faint")
            ui.plotly(charts.alignment(found, self._here.dark)).classes("w-full")

    def _align(self, proposal: Proposal) -> Alignment | None:
        try:
            return self._study.alignment(proposal, actor=self._here.actor)
        except CounselError:  # beliefs without reasons
            return None

    def _draw_buttons(self) -> None:
        self._reason = ui.input("Reason (optional)").classes("w-full").props("maxlength=500")
        with ui.row():
            for text, key, action, props in (
                ("Accept", "A", self.accept, "color=primary"),
                ("Use mine", "M", self.use_mine, "color=teal-9"),
                ("Reject", "R", self.reject, "color=negative outline"),
            ):
                button = ui.button(on_click=action).props(f'{props} aria-label="{text}"')
                with button:
                    ui.html(f"{text}<kbd>{key}</kbd>", sanitize=False)

    def _explain(self, proposal: Proposal) -> tuple[Attribution | None, str]:
        try:
            # It is recorded once that somebody saw it, not whenever the page is drawn.
            new = proposal.id not in self._seen
            why = self._study.explain(proposal, actor=self._here.actor if new else None)
            self._seen.add(proposal.id)
            return why, why.sentence()
        except CounselError as error:
            return None, words.purpose(proposal) or str(error)

    _why: Attribution | None = None

    # ---- acting --------------------------------------------------------------------------------

    async def ask(self) -> None:
        with self._here.client, quietly():
            waiting = ui.notification("The machine is thinking.", spinner=True, timeout=None)
            try:
                found = await self._here.ask(self._study.ask)
            finally:
                waiting.dismiss()
            self._chosen = found.id
            self._here.pool.changed(self._study.name)
        await self.refresh()

    async def accept(self) -> None:
        await self._decide("accept")

    async def reject(self) -> None:
        await self._decide("reject")

    async def use_mine(self) -> None:
        await self._decide("override")

    async def _decide(self, kind: str) -> None:
        proposal = self._proposal
        if proposal is None or not self._may:
            return
        common: dict[str, Any] = {"actor": self._here.actor, "reason": self._reason.value or ""}

        def work() -> Decision:
            if kind == "override":
                return self._study.override(proposal, dict(self._mine.values), **common)
            verb = self._study.accept if kind == "accept" else self._study.reject
            return verb(proposal, **common)

        with self._here.client, quietly():
            await self._here.act("participant", work)
            self._here.pool.changed(self._study.name)
        await self.refresh()

    async def _take_back(self, decision: Decision) -> None:
        with self._here.client, quietly():
            await self._here.act(
                "participant",
                lambda: self._study.withdraw(decision.id, actor=self._here.actor),
            )
            self._here.pool.changed(self._study.name)
        await self.refresh()

    async def _key(self, event: Any) -> None:
        modified = event.modifiers.ctrl or event.modifiers.alt or event.modifiers.meta
        if not event.action.keydown or event.action.repeat or modified:
            return
        key = str(event.key).lower()
        decided = self._drawn is not None and self._drawn[1] is not None
        if self._proposal is None and key == "n" and self._may:
            await self.ask()
        elif self._proposal is not None and not decided:
            actions = {"a": self.accept, "m": self.use_mine, "r": self.reject}
            if key in actions:
                await actions[key]()
