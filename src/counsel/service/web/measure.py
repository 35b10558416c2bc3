"""The form for a measurement: what the machine asks; everything else is folded away."""

import contextlib
from collections.abc import Awaitable, Callable, Mapping, Sequence

from nicegui import background_tasks, ui

from counsel.errors import CounselError
from counsel.facts.records import Decision, Failure, Proposal, Value
from counsel.service.web import charts, words
from counsel.service.web.answers import Field, outcome_field
from counsel.service.web.drafts import Drafts
from counsel.service.web.fields import NumberField, far_outside
from counsel.service.web.frame import Visit, named_dialog, quietly
from counsel.service.web.outcome import Expectations, expectations
from counsel.study import Study

__all__ = ["Animation", "Measurement", "Verb", "ask_why_failed"]

# A verb of the study that ends a trial without a measurement.
Verb = Callable[..., Failure | Decision]
# Records what was measured, and compares it with what was believed before.
Record = Callable[[Mapping[str, float], Expectations], Awaitable[None]]


class Measurement:
    """The form for a decided trial; `record` is called with what a person measured."""

    def __init__(
        self,
        here: Visit,
        study: Study,
        proposal: Proposal,
        decision: Decision,
        drafts: Drafts,
        record: Record,
    ) -> None:
        self._here, self._study, self._proposal = here, study, proposal
        self._drafts, self._recorded = drafts, record
        self._own = dict(decision.values or proposal.values)
        self._bounds = {c.name: c for c in study.problem.constraints}
        # What was believed of the proposal says nothing of another point.
        self._chances = proposal.chances if self._own == dict(proposal.values) else {}
        self._fields: dict[str, Field] = {}
        self._sending = False
        self._asked = [*study.problem.measured, *proposal.asks]
        others = [name for name in self._bounds if name not in proposal.asks]
        with ui.card().classes("w-full").props("id=measure"):
            ui.label(f"{decision.actor} decided to try {words.point(self._own)}").classes("big")
            ui.label("Try it, then say what you measured.").classes("faint")
            Animation(here, study).show({"what is tried": self._own})
            for name in self._asked:
                self._draw(name)
            if others:
                also = "Also measured? The machine does not need it now."
                with ui.expansion(also).classes("w-full"):
                    for name in others:
                        self._draw(name)
            with ui.row():
                self._send = ui.button("Tell the machine", on_click=self.tell, icon="check")
                self._simulated = None
                if study.name in here.pool.worlds:
                    self._simulated = ui.button(
                        "Simulate", on_click=self.simulate, icon="play_arrow"
                    ).props("outline")

    @property
    def typed(self) -> bool:
        """Whether a person has begun to fill it in."""
        return any(field.typed for field in self._fields.values())

    def restore(self, kept: Mapping[str, str]) -> None:
        """Fill in what was typed here before."""
        for name, field in self._fields.items():
            text = kept.get(self._draft(name))
            if text and isinstance(field, NumberField):
                field.input.set_value(text)

    def _draft(self, name: str) -> str:
        return f"{self._proposal.id}/measured/{name}"

    def _draw(self, name: str) -> None:
        field = self._fields[name] = outcome_field(name, self._bounds.get(name))
        if name in self._proposal.asks and name in self._chances:
            ui.label(f"Asked: {words.asked(self._chances[name])}").classes("faint text-sm")
        if isinstance(field, NumberField):
            field.input.on("keydown.enter", self.tell)
            self._drafts.watch(field.input, self._draft(name))

    # ---- sending -------------------------------------------------------------------------------

    async def tell(self) -> None:
        if self._sending:
            return  # pressed twice
        with self._here.client, quietly():
            given = {name: field.value for name, field in self._fields.items()}
            found = {name: value for name, value in given.items() if value is not None}
            if not found:
                ui.notify("Enter what was measured first.", type="warning")
                return
            self._set_sending(True)
            try:
                doubts, before = await self._here.believed(self._doubt, found)
                left = [name for name in self._asked if name not in found]
                open_ = await self._here.believed(self._why_open, left) if left else []
            finally:
                self._set_sending(False)
            if doubts or open_:
                _confirm(doubts, open_, lambda: self._record(found, before))
            else:
                await self._record(found, before)

    async def simulate(self) -> None:
        """Let the simulated world answer what is asked."""
        world = self._here.pool.worlds[self._study.name]
        with self._here.client, quietly():
            found = await self._here.believed(world, self._own, self._proposal.round)
            _, before = await self._here.believed(self._doubt, {})
            answers = {name: found[name] for name in self._asked if name in found}
            await self._record(answers, before)

    def _doubt(self, given: Mapping[str, float]) -> tuple[list[str], Expectations]:
        """What looks like a slip, and what is believed until now."""
        study = self._study
        before = expectations(study, self._proposal, self._own)
        doubts = []
        for name, value in given.items():
            if isinstance(self._fields[name], NumberField):
                past = [o.outcomes[name] for o in study.observations if name in o.outcomes]
                known = before.here if name == study.problem.objective.name else None
                doubt = far_outside(value, past, known)
                doubts += [f"{name}: {doubt}"] if doubt else []
        return doubts, before

    def _why_open(self, left: Sequence[str]) -> list[str]:
        """What was asked and is not answered, each with why it is asked."""
        chances: Mapping[str, float] = {}
        if any(name in self._bounds for name in left):
            with contextlib.suppress(CounselError):  # a policy without beliefs
                context = dict(self._proposal.context) or None
                chances = self._study.chances(self._own, context=context)
        why = {name: f" It holds with {words.asked(chance)}." for name, chance in chances.items()}
        return [f"{name} is still open.{why.get(name, '')}" for name in left]

    async def _record(self, given: Mapping[str, float], before: Expectations) -> None:
        if self._sending or self._send.is_deleted:  # the trial has its result
            return
        self._set_sending(True)
        try:
            await self._recorded(given, before)
        finally:
            self._set_sending(False)

    def _set_sending(self, now: bool) -> None:
        self._sending = now
        for button in (self._send, self._simulated):
            if button is not None and not button.is_deleted:
                button.set_enabled(not now)


def _confirm(
    doubts: list[str], left_open: list[str], record: Callable[[], Awaitable[None]]
) -> None:
    """Ask before something is recorded that looks like a slip, or that lacks what was asked."""
    title = "Sure?" if doubts else "Not everything is answered"
    back, on = "Correct it", "It is right: record it"
    if not doubts:
        back, on = "Answer it now", "Record the rest, answer later"
    with named_dialog(title, alert=True) as dialog, ui.card():
        ui.label(title).classes("text-h6")
        for line in (*doubts, *left_open):
            ui.label(line)

        async def yes() -> None:
            dialog.close()
            await record()

        with ui.row():
            ui.button(back, on_click=dialog.close)
            ui.button(on, on_click=yes).props("flat")
    dialog.open()


class Animation:
    """What a simulated world does with values, one way over the other; else nothing."""

    def __init__(self, here: Visit, study: Study) -> None:
        self._here = here
        self._figure = getattr(here.pool.worlds.get(study.name), "figure", None)
        self._chart: ui.plotly | None = None
        self._ways: Mapping[str, Mapping[str, Value]] = {}
        if self._figure is not None:
            with ui.expansion("See what it does", value=True).classes("w-full"):
                self._place = ui.column().classes("w-full").props("id=animation")
                self._place.style("min-height:460px")  # what stands below stays where it is

    @property
    def there(self) -> bool:
        """Whether there is something to see."""
        return self._figure is not None

    def show(self, ways: Mapping[str, Mapping[str, Value]]) -> None:
        """Draw ways by name; the first is the machine's, a second one a person's."""
        if self._figure is not None and dict(ways) != self._ways:
            self._ways = dict(ways)
            background_tasks.create(self._draw())

    async def _draw(self) -> None:
        ways = self._ways
        assert self._figure is not None
        figure = charts.grounded(await self._here.believed(self._figure, ways), self._here.dark)
        if self._place.is_deleted or ways != self._ways:
            return
        with self._place:
            if self._chart is None:
                self._chart = charts.drawn(figure, "What it does")
            else:
                self._chart.update_figure(figure)


def ask_why_failed(study: Study, record: Callable[[Verb, str], Awaitable[None]]) -> None:
    """Ask what happened, and whether it says something about where it was tried."""
    with named_dialog("It failed") as dialog, ui.card():
        ui.label("Nothing could be measured?").classes("text-h6")
        ui.label(
            "If it was because of where it was tried, the machine learns from that. If it "
            "was an accident, the trial is given up, and may be proposed again."
        )
        reason = ui.input("What happened").classes("w-full").props("maxlength=500")

        async def answer(verb: Verb) -> None:
            dialog.close()
            await record(verb, reason.value or "")

        with ui.row():
            ui.button("It fails there", on_click=lambda: answer(study.fail))
            ui.button("An accident", on_click=lambda: answer(study.abandon)).props("flat")
            ui.button("Cancel", on_click=dialog.close).props("flat")
    dialog.open()
