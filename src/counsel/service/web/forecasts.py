"""Forecasts on the Decide page: which of the first trials will be best, before results are seen."""

from collections.abc import Awaitable, Callable, Sequence
from itertools import combinations

from nicegui import ui

from counsel.facts.records import Claim, Proposal
from counsel.service.web import words
from counsel.service.web.frame import Visit, quietly
from counsel.study import Study

__all__ = ["FORECAST", "ForecastCard", "to_forecast"]

FORECAST = 3  # first trials that people are asked about


def to_forecast(study: Study, actor: str) -> tuple[Proposal, ...]:
    """Waiting trials that this person has said nothing about; none if there is no use in asking.

    Forecasts tell how far to follow a person, so they are for studies with a team. Trials that
    follow from results are no test of what somebody knew beforehand.
    """
    if study.setup.team is None or study.problem.objective.preferred:
        return ()
    said = {
        proposal
        for claim in study.claims
        if claim.actor == actor and claim.better_proposal is not None
        for proposal in (claim.better_proposal, claim.worse_proposal)
    }
    waiting = tuple(p for p in study.pending if p.id not in said and not p.terms)
    return waiting if len(waiting) > 1 else ()


class ForecastCard:
    """Asks for an order, best first, and records every pair of it as a claim."""

    def __init__(self, here: Visit, study: Study, changed: Callable[[], Awaitable[None]]) -> None:
        self._here, self._study, self._changed = here, study, changed
        self._asked: tuple[Proposal, ...] = ()
        self._order: list[Proposal] = []
        self._skipped: set[str] = set()
        self._place = ui.column().classes("w-full").props("id=forecast")
        self._place.set_visibility(False)

    def show(self, asked: Sequence[Proposal]) -> None:
        asked = tuple(each for each in asked if each.id not in self._skipped)
        asked = asked if len(asked) > 1 else ()
        if [each.id for each in asked] != [each.id for each in self._asked]:
            self._asked, self._order = asked, []
            self._draw()

    def _draw(self) -> None:
        self._place.clear()
        self._place.set_visibility(bool(self._asked))
        if not self._asked:
            return
        left = [each for each in self._asked if each not in self._order]
        with self._place, ui.card().classes("w-full notice"):
            title = "Before you see results: which of these will be best?"
            if self._order:
                title = "And which of the others?"
            ui.label(title).classes("text-weight-medium").props("id=forecast-question")
            ui.label(
                f"How right you are tells the rule {self._study.setup.team} how far to follow you."
            ).classes("faint")
            for each in left:
                ui.button(
                    f"{each.id}: {words.point(each.values)}",
                    on_click=lambda _, each=each: self._take(each),
                ).props("outline").classes("w-full")
            ui.button("I cannot tell", on_click=self._skip).props("flat dense")

    async def _take(self, best: Proposal) -> None:
        self._order.append(best)
        left = [each for each in self._asked if each not in self._order]
        if len(left) > 1:
            self._draw()
            return
        order = [*self._order, *left]
        with self._here.client, quietly():
            await self._here.act("participant", self._record, order)
            self._here.pool.changed(self._study.name)
        self._asked = ()
        self._draw()
        await self._changed()

    def _record(self, order: Sequence[Proposal]) -> list[Claim]:
        return [
            self._study.claim(better=better.id, worse=worse.id, actor=self._here.actor)
            for better, worse in combinations(order, 2)
        ]

    def _skip(self) -> None:
        self._skipped.update(each.id for each in self._asked)
        self.show(())
