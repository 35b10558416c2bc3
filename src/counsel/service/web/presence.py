"""Several people on the Decide page: who is here, who is trying what, and who holds a proposal."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime

from nicegui import ui

from counsel.facts.records import Lease, Proposal
from counsel.service.web.frame import Visit, quietly
from counsel.study import Study

__all__ = ["Presence"]

_LOOK = 2.0  # seconds between two looks at who else is here
_HELD = 900.0  # seconds that a proposal is held for somebody


class Presence:
    """Lines about other people, and the button that holds a proposal for this person."""

    def __init__(self, here: Visit, study: Study, changed: Callable[[], Awaitable[None]]) -> None:
        self._here, self._study, self._changed = here, study, changed
        self._may = here.may("participant")
        self._proposal: Proposal | None = None
        self._lease: Lease | None = None
        self._trying: Mapping[str, str] = {}
        self._others = ui.label().classes("faint").props("id=present aria-live=polite")
        self._held = ui.label().props("id=lease")
        self._claim = ui.button("Hold it for me", on_click=self._hold).props("flat dense")
        with self._claim.props("icon=lock_clock"):
            ui.tooltip("For a quarter of an hour nobody else can decide on it.")
        self._free = ui.button("Let others have it", on_click=self._release).props("flat dense")
        for each in (self._others, self._held, self._claim, self._free):
            each.set_visibility(False)

    def show(
        self, proposal: Proposal | None, lease: Lease | None, trying: Mapping[str, str]
    ) -> None:
        """The proposal in view, who holds it, and who is `trying` which; None once decided."""
        self._proposal, self._lease, self._trying = proposal, lease, trying
        mine = lease is not None and lease.actor == self._here.actor
        self._held.set_visibility(lease is not None)
        if lease is not None:
            who = "You hold" if mine else f"{lease.actor} holds"
            self._held.text = f"{who} {lease.proposal} until {lease.until:%H:%M} UTC."
        self._free.set_visibility(self._may and mine)
        self._see()

    def watch(self) -> None:
        """Look again now and then."""
        ui.timer(_LOOK, self._look)

    async def _look(self) -> None:
        self._see()
        if self._lease is not None and self._lease.until <= datetime.now(UTC):
            self._lease = None
            await self._changed()

    def _see(self) -> None:
        me = self._here.actor
        here = [who for who in self._here.pool.present(self._study.name) if who != me]
        open_ = self._proposal is not None and self._lease is None
        self._claim.set_visibility(self._may and open_ and bool(here))  # alone, there is no need
        said = [f"Also here: {', '.join(here)}."] if here else []
        said += [f"{who} is trying {what}." for what, who in self._trying.items() if who != me]
        self._others.set_visibility(bool(said))
        self._others.text = " ".join(said)

    async def _hold(self) -> None:
        proposal = self._proposal
        if proposal is not None:
            await self._do(
                lambda: self._study.hold(proposal, actor=self._here.actor, seconds=_HELD)
            )

    async def _release(self) -> None:
        lease = self._lease
        if lease is not None:
            await self._do(lambda: self._study.release(lease.proposal, actor=self._here.actor))

    async def _do(self, work: Callable[[], object]) -> None:
        with self._here.client, quietly():
            await self._here.act("participant", work)
            self._here.pool.changed(self._study.name)
        await self._changed()
