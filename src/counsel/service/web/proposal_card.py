"""The card of a proposal: what it is, what is expected there, why, and the buttons to decide."""

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from functools import partial
from html import escape
from uuid import uuid4

from nicegui import ui

from counsel.errors import CounselError
from counsel.explain.attribution import Attribution
from counsel.explain.grounds import Grounds
from counsel.facts.records import Prediction, Proposal, Value
from counsel.service.web import charts, words
from counsel.service.web.alternative import Mine
from counsel.service.web.chances import Chances
from counsel.service.web.drafts import Drafts
from counsel.service.web.frame import Visit, quietly
from counsel.service.web.measure import Animation
from counsel.service.web.notices import show_keys
from counsel.service.web.ranges import RangeBar, scale_of
from counsel.service.web.waiting import known
from counsel.study import Study
from counsel.study.commands import REGION
from counsel.teams.alignment import Alignment

__all__ = ["ProposalCard"]

_MOST_TRIALS = 3  # whose influence is listed


def _signed(change: float) -> str:
    return f"{'+' if change >= 0.0 else '−'}{abs(change):.2g}"


def _pairs(values: Mapping[str, Value]) -> str:
    """As `words.point` has it, with the numbers larger than their names."""
    return ", ".join(
        f"<span>{escape(title)} <b>{escape(text)}</b></span>"
        for title, text in words.titled(values)
    )


class ProposalCard:
    """Words in one place, the chart of contributions in another.

    `why` are the reasons, once they are known, and `reason` is the person's field. `key` is of this
    card alone: buttons pressed twice decide once. Without `actions`, by the names of their buttons,
    it only shows.
    """

    def __init__(
        self,
        here: Visit,
        study: Study,
        mine: Mine,
        drafts: Drafts,
        actions: Mapping[str, Callable[[], Awaitable[None]]],
    ) -> None:
        self._here, self._study, self._mine, self._drafts = here, study, mine, drafts
        self._actions = actions
        self._seen: set[str] = set()
        self.key = ""
        self.why: Attribution | None = None
        self.reason: ui.input | None = None

    @property
    def given_reason(self) -> str:
        """What the person gave as their reason; "" without one."""
        return "" if self.reason is None else self.reason.value or ""

    def make_places(self, *, words_here: bool) -> None:
        """Make the place of the words, or that of the chart, where the page has it."""
        if words_here:
            self._left = ui.element("div")
        else:
            self._reasons = ui.card().classes("w-full").props("id=reasons")
            self._world = ui.card().classes("w-full").props("id=world")

    async def draw(self, proposal: Proposal, kept: MutableMapping[str, str]) -> None:
        self.why, self.key = None, uuid4().hex
        self._left.clear()
        with self._left, ui.card().classes("w-full").props("id=proposal"):
            with ui.row().classes("items-center w-full"):
                ui.label("The machine proposes").classes("text-h6").props(
                    'role=heading aria-level="2"'
                )
                ui.space()
                ui.label(proposal.id).classes("pill")
            ui.html(_pairs(proposal.values), sanitize=False).classes("pairs").props(
                "id=proposal-values"
            )
            if proposal.context:
                ui.label(f"given {words.point(proposal.context)}").classes("faint")
            again = words.tried_before(self._study.observations, proposal.values)
            if again:
                ui.label(again).props("id=tried-before")
            now = known(self._study, proposal)
            text = "Working out what is expected." if now is None else self._expected(now)
            expected = ui.label(text).props("id=expected")
            bar = RangeBar()
            bar.show(scale_of(self._study, now), now)
            names = [constraint.name for constraint in self._study.problem.constraints]
            chances = Chances(names, proposal.asks)
            # The lines are kept free: what stands below does not move when the reasons come.
            reason = ui.label("Working out the reasons.").props("id=why aria-live=polite")
            reason.style("min-height:4.5em")
            if self._actions:
                self._draw_buttons(proposal, kept)
            aligned = ui.column().classes("w-full gap-1").props("id=alignment")
        self._world.clear()
        with self._world:
            animation = Animation(self._here, self._study)
        self._world.set_visibility(animation.there)
        self._overlay(animation, proposal, dict(proposal.values))
        self._mine.on_settled = partial(self._overlay, animation, proposal)
        self._reasons.clear()
        height = charts.height(len(self._study.problem.space.names))
        with self._reasons:
            ui.label("Why this one").classes("text-h6").props('role=heading aria-level="2"')
            place = ui.column().classes("w-full").style(f"min-height:{height}px")
            with place:
                thinking = ui.label("Working out the contributions.").classes("faint")
            if proposal.note:
                ui.label(proposal.note).classes("faint text-sm")
        drafted = kept.pop(f"{proposal.id}/mine", "")
        self._mine.follow(proposal, None, drafted, now)  # shown at once: reasons may take a moment
        found, holds = await self._here.believed(self._believe, proposal)
        if expected.is_deleted:
            return
        expected.text = self._expected(found)
        bar.show(scale_of(self._study, found), found)
        chances.show(holds)
        why, text = await self._here.believed(self._explain, proposal)
        if reason.is_deleted:  # the study has moved on
            return
        self.why, reason.text = why, text
        self._reasons.set_visibility(why is not None or bool(proposal.note))
        thinking.delete()
        aligned.set_visibility(why is not None)
        if why is None:
            place.set_visibility(False)
        else:
            with place:
                charts.key(why)
                figure = charts.contributions(why, charts.largest(why), self._here.dark)
                charts.drawn(figure, f"Contributions: {text}")
                if why.together:
                    ui.label(why.together)
                self._offer_grounds(proposal)
        self._mine.follow(proposal, why)
        if why is not None:
            await self._draw_alignment(proposal, aligned)

    def _expected(self, found: Prediction | None) -> str:
        return f"Expected {self._study.problem.objective.name}: {words.believed(found)}"

    def _offer_grounds(self, proposal: Proposal) -> None:
        """What the reasons rest on, worked out when somebody asks: it takes a moment."""
        place = ui.column().classes("w-full gap-1").props("id=grounds aria-live=polite")

        async def show() -> None:
            place.clear()
            with place:
                ui.label("Working out what they rest on.").classes("faint")
            with self._here.client, quietly():
                found = await self._here.believed(self._study.grounds, proposal)
                if not place.is_deleted:
                    self._draw_grounds(place, found)

        with place:
            ui.button("What do these reasons rest on?", on_click=show).props("flat dense")

    def _draw_grounds(self, place: ui.column, found: Grounds) -> None:
        place.clear()
        with place:
            ui.label(found.sentence()).classes("text-weight-medium")
            lines = [
                f"{each.observation} by {each.actor}: {_signed(each.change)}"
                for each in found.trials[:_MOST_TRIALS]
            ]
            lines += [
                f"all {words.count(each.trials, 'trial')} of {each.actor}: {_signed(each.change)}"
                for each in found.people
            ]
            for text in lines:
                ui.label(text).classes("faint text-sm")
            if lines:
                ui.label(
                    "How much further above an average point it is rated because of each, of "
                    f"{words.number(float(f'{found.gain:.3g}'))} in all."
                ).classes("faint text-sm")
            if found.note:
                ui.label(found.note).classes("faint text-sm")

    def _overlay(self, animation: Animation, proposal: Proposal, mine: Mapping[str, Value]) -> None:
        """What the proposal does, and what mine does where it differs."""
        ways: dict[str, Mapping[str, Value]] = {"the proposal": proposal.values}
        if dict(mine) != dict(proposal.values):
            ways["mine"] = mine
        animation.show(ways)

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

    def _draw_buttons(self, proposal: Proposal, kept: Mapping[str, str]) -> None:
        self.reason = ui.input("Reason (optional)", value=kept.get(f"{proposal.id}/reason"))
        self.reason.classes("w-full").props("maxlength=500")
        self._drafts.watch(self.reason, f"{proposal.id}/reason")
        with ui.row():
            for text, props in (("Accept", "color=primary"), ("Reject", "color=negative outline")):
                button = ui.button(on_click=self._actions[text]).props(
                    f'{props} aria-label="{text}"'
                )
                with button:
                    ui.html(f"{text}<kbd>{text[0]}</kbd>", sanitize=False)
            ui.button(icon="keyboard", on_click=show_keys).props(
                'flat round dense aria-label="Keys"'
            )
        around = f", nor what lies within {REGION:g} of every range"
        around = "" if self._study.problem.space.finite else around
        forbids = ui.label(f"What you reject is not proposed again{around}.")
        forbids.classes("faint text-sm").props("id=reach")

    def _explain(self, proposal: Proposal) -> tuple[Attribution | None, str]:
        try:
            # It is recorded once that somebody saw it, not whenever the page is drawn.
            new = proposal.id not in self._seen
            why = self._study.explain(proposal, actor=self._here.actor if new else None)
            self._seen.add(proposal.id)
            return why, why.sentence()
        except CounselError as error:
            return None, words.purpose(proposal) or str(error)
