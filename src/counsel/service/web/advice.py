"""Should I step in? The recommendation and its sentence, before and while a person drags."""

from collections.abc import Mapping

from nicegui import ui

from counsel.errors import CounselError
from counsel.facts.records import Proposal, Value
from counsel.study import Study
from counsel.teams.advice import Advice

__all__ = ["AdviceLine", "advice_for"]

# Colours that readers of all kinds tell apart; the words say the same.
_COLOURS = {"go ahead": "blue-10", "your call": "blue-grey-8", "step in": "deep-orange-10"}
_MEANS = {
    "go ahead": "Leave it to the machine",
    "your call": "Your call",
    "step in": "Step in",
}


def advice_for(
    study: Study, proposal: Proposal, values: Mapping[str, Value], actor: str
) -> Advice | None:
    """Advice about these values; before they differ from the proposal, about stepping in at all.

    None where the policy has no joint beliefs to compare two points by.
    """
    same = dict(values) == dict(proposal.values)
    try:
        return study.advise(proposal, None if same else values, actor=actor)
    except CounselError:
        return None


class AdviceLine:
    """A badge, a sentence and its numbers inside `place`; nothing where there is no advice."""

    def __init__(self, place: ui.element) -> None:
        with place, ui.row().classes("items-center gap-2").props("aria-live=polite"):
            self._badge = ui.badge().props("id=advice-badge")
            self._why = ui.label().props("id=advice-why")
        with place:
            self._numbers = ui.label().classes("text-caption").props("id=advice-numbers")
        self._place = place
        place.set_visibility(False)

    def show(self, found: Advice | None) -> None:
        if self._why.is_deleted:
            return
        self._place.set_visibility(found is not None)
        if found is not None:
            self._badge.text = _MEANS[found.recommendation]
            self._badge.props(f"color={_COLOURS[found.recommendation]}")
            self._why.text = found.why
            self._numbers.text = " ".join(found.numbers())
