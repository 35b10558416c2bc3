"""Trade-off questions: which of two outcomes would you rather have?

Where what each objective is worth is learned from people, the page asks about the two trials whose
comparison teaches most.
"""

from nicegui import ui

from counsel.errors import CounselError
from counsel.facts.summaries import FrontTrial
from counsel.service.web import words
from counsel.service.web.frame import Visit, quietly
from counsel.study import Study

__all__ = ["TradeoffCard"]


class TradeoffCard:
    """Asks about two outcomes, one pair after the other, and records the answer."""

    def __init__(self, here: Visit, study: Study) -> None:
        self._here, self._study = here, study
        self._pair: tuple[FrontTrial, ...] = ()
        self._skipped: set[frozenset[str]] = set()
        self._place = ui.column().classes("w-full").props("id=tradeoff")
        self._place.set_visibility(False)

    async def show(self) -> None:
        """Ask what is worth asking after the facts of now."""
        if self._study.problem.tradeoff != "comparisons":
            return
        pair, weights = await self._here.believed(self._look)
        with self._here.client:
            if not self._place.is_deleted and pair != self._pair:
                self._pair = pair
                self._draw(weights)

    def _look(self) -> tuple[tuple[FrontTrial, ...], str]:
        try:
            found = self._study.front()
        except CounselError:  # nothing is measured yet
            return (), ""
        worth = ", ".join(f"{name} {words.number(each)}" for name, each in found.weights.items())
        asked = frozenset(each.observation for each in found.compare)
        return (() if asked in self._skipped else found.compare), worth

    def _draw(self, weights: str) -> None:
        self._place.clear()
        self._place.set_visibility(bool(self._pair))
        if not self._pair:
            return
        first, second = self._pair
        with self._place, ui.card().classes("w-full notice"):
            title = ui.label("Which of these two outcomes would you rather have?")
            title.classes("text-weight-medium").props('role=heading aria-level="2"')
            ui.label(
                f"Your answers teach what one unit of each is worth; so far: {weights}."
            ).classes("faint")
            with ui.element("div").classes("columns"):
                for each, other in ((first, second), (second, first)):
                    button = ui.button(
                        words.point(each.outcomes),
                        on_click=lambda _, a=each, b=other: self._prefer(a, b),
                    )
                    button.props("outline no-caps").classes("w-full")
                    button.props["aria-label"] = f"Rather {words.point(each.outcomes)}"
            with ui.row():
                ui.button(
                    "Both are as good", on_click=lambda: self._prefer(first, second, tie=True)
                ).props("flat dense")
                ui.button("Not now", on_click=self._skip).props("flat dense")

    async def _prefer(self, winner: FrontTrial, loser: FrontTrial, *, tie: bool = False) -> None:
        with self._here.client, quietly():
            await self._here.act(
                "participant",
                lambda: self._study.compare(
                    winner=dict(winner.values),
                    loser=dict(loser.values),
                    tie=tie,
                    context=dict(winner.context) or None,
                    actor=self._here.actor,
                ),
            )
            self._here.pool.changed(self._study.name)
        await self.show()

    def _skip(self) -> None:
        self._skipped.add(frozenset(each.observation for each in self._pair))
        self._pair = ()
        self._draw("")
