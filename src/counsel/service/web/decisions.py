"""What a person does on the Decide page: each action writes facts, then the page is drawn again."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Literal

from nicegui import ui

from counsel.facts.lines import line, reach
from counsel.facts.records import Decision, Proposal, Value
from counsel.service.runtime.study_pool import first_proposal
from counsel.service.web import words
from counsel.service.web.alternative import Mine
from counsel.service.web.change import draw_change
from counsel.service.web.drafts import Drafts
from counsel.service.web.frame import Visit, quietly
from counsel.service.web.measure import Verb
from counsel.service.web.notices import Notice
from counsel.service.web.outcome import Expectations, come_of
from counsel.service.web.tour import Tour
from counsel.study import Study

__all__ = ["Decisions"]

Kind = Literal["accept", "reject", "override"]
Work = Callable[[], Awaitable[Notice | None]]
_SAME = "Yours is the proposal itself, so it counts as accepted."


class Decisions:
    """One person's actions, one at a time.

    `proposal` is the one in view, and `open` whether it can still be decided on. `show` draws what
    came of an action, with a notice if it succeeded; `choose` brings a proposal into view.
    """

    def __init__(
        self,
        here: Visit,
        study: Study,
        mine: Mine,
        drafts: Drafts,
        tour: Tour,
        show: Callable[..., Awaitable[None]],
        choose: Callable[[str], None],
    ) -> None:
        self._here, self._study, self._mine, self._drafts = here, study, mine, drafts
        self._tour, self._show, self._choose = tour, show, choose
        self._may = here.may("participant")
        self._acting = asyncio.Lock()  # held while something is written; then the page is drawn
        self.proposal: Proposal | None = None
        self.open = False
        self.fresh = False  # what was just written has not been drawn yet

    @property
    def busy(self) -> bool:
        return self._acting.locked()

    async def _act(self, work: Work, *, waits: bool = False, signed: bool = True) -> None:
        """Do something to the study, after what is being done if it `waits`; then show it.

        What is `signed` is recorded under the person's name.
        """
        if not self._may or (self.busy and not waits):
            return  # pressed twice
        said: tuple[Notice | None, ...] = ()
        with self._here.client:
            with quietly():
                if signed:
                    await self._here.introduce()
                async with self._acting:
                    said = (await work(),)
                    self.fresh = True
                    self._here.pool.changed(self._study.name)
            await self._show(*said)

    async def ask(self, *, first: bool = False, keep: Notice | None = None) -> None:
        """Ask for a proposal; a notice to `keep` stays in sight."""

        async def work() -> Notice | None:
            waiting = ui.notification("The machine is thinking.", spinner=True, timeout=None)
            try:
                if first:
                    await self._here.ask(first_proposal, self._study)
                else:
                    self._choose((await self._here.ask(self._study.ask)).id)
            finally:
                waiting.dismiss()
            return keep

        await self._act(work, signed=False)

    async def decide(self, kind: Kind, reason: str, key: str) -> None:
        """Accept, override with mine, or reject; with the same `key` it is decided once."""
        proposal = self.proposal
        if proposal is None or not self.open:
            return

        async def work() -> Notice | None:
            own = self._mine.complete() if kind == "override" else {}
            same = kind == "override" and not self._mine.changed

            def decide() -> Decision:
                common: dict[str, Any] = {
                    "actor": self._here.actor,
                    "reason": reason,
                    "idempotency_key": f"{key} {kind}",
                }
                if kind == "override" and not same:
                    return self._study.override(proposal, own, **common)
                verb = self._study.reject if kind == "reject" else self._study.accept
                return verb(proposal, **common)

            made = await self._here.act("participant", decide)
            self._tour.reached("decided")
            self._drafts.forget(f"{proposal.id}/mine")
            self._drafts.forget(f"{proposal.id}/reason")
            if same:
                return Notice(_SAME)
            if kind == "reject":
                text = f"Rejected {proposal.id}: {words.point(proposal.values)}{reach(made)}."
                return Notice(text, action="Undo", act=lambda: self.take_back(made.id))
            return None

        await self._act(work)

    async def as_a_team(self) -> None:
        """Let the team's rule choose between the proposal and mine; it can be overruled."""
        proposal = self.proposal
        if proposal is None or not self.open:
            return

        async def work() -> Notice | None:
            own = self._mine.complete()
            made = await self._here.ask(
                lambda: self._study.decide(proposal, own, actor=self._here.actor)
            )
            self._drafts.forget(f"{proposal.id}/")
            if not self._mine.changed:
                return Notice(_SAME)
            follows = dict(made.values or {}) == dict(own)
            tried = "yours" if follows else "the machine’s"
            if made.values is not None and not follows:
                tried = "a third point"
            other = "the machine's" if follows else "mine"
            return Notice(
                f"The team tries {tried}.",
                made.reason,
                f"Overrule: try {other}",
                lambda: self._overrule(proposal, None if follows else own),
            )

        await self._act(work)

    async def _overrule(self, proposal: Proposal, own: Mapping[str, Value] | None) -> None:
        def decide() -> Decision:
            common: dict[str, Any] = {"actor": self._here.actor, "replace": True}
            if own is None:
                return self._study.accept(proposal, **common)
            return self._study.override(proposal, own, **common)

        async def work() -> Notice | None:
            await self._here.act("participant", decide)
            return None

        await self._act(work, waits=True)

    async def fail(self, proposal: Proposal, verb: Verb, reason: str) -> None:
        """Nothing could be measured of this proposal, whatever is in view by now."""

        async def work() -> Notice | None:
            made = await self._here.act(
                "participant", lambda: verb(proposal, actor=self._here.actor, reason=reason)
            )
            self._drafts.forget(f"{proposal.id}/")
            text = f"{line(made, words.point).capitalize()}."
            return Notice(text, action="Undo", act=lambda: self.take_back(made.id))

        await self._act(work)

    async def take_back(self, fact: str, *, waits: bool = True) -> None:
        async def work() -> Notice | None:
            await self._here.act(
                "participant", lambda: self._study.withdraw(fact, actor=self._here.actor)
            )
            return None

        await self._act(work, waits=waits)

    async def tell(self, given: Mapping[str, float], earlier: Expectations) -> None:
        """Record what was measured, and say what came of it."""
        proposal = self.proposal
        if proposal is None:
            return

        async def work() -> Notice | None:
            made = await self._here.act(
                "participant",
                lambda: self._study.tell(proposal, given, actor=self._here.actor),
            )
            self._drafts.forget(f"{proposal.id}/")
            self._tour.reached("told")
            found = await self._here.believed(come_of, self._study, proposal, made, earlier)
            asked = [*self._study.problem.measured, *proposal.asks]
            left = [name for name in asked if name not in given]
            more = (
                f"Still open: {', '.join(left)}. Answer below, under Last trials." if left else ""
            )
            return Notice(
                found.sentence,
                " ".join(filter(None, (more, found.learned))),
                "Undo: that was a mistake",
                lambda: self.take_back(made.id),
                None if found.pictures is None else partial(draw_change, *found.pictures),
            )

        await self._act(work)
