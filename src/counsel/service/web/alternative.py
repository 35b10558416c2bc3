"""The person's alternative: sliders or a list of arms, with the beliefs about it while dragging.

One question is pending at a time, and only the last one counts: dragging asks for many points, and
those passed in the meantime are not computed.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from nicegui import background_tasks, ui

from counsel.errors import CounselError, InvalidInput, NothingToExplain
from counsel.explain.attribution import Attribution
from counsel.facts.records import Prediction, Proposal, Value
from counsel.service.web import charts, picture, words
from counsel.service.web.advice import AdviceLine, advice_for
from counsel.service.web.chances import Chances
from counsel.service.web.drafts import Drafts
from counsel.service.web.frame import Visit
from counsel.service.web.ranges import RangeBar, Scale, scale_of
from counsel.service.web.sliders import NumberSlider
from counsel.space import Arms, Categorical, Int
from counsel.study import Study
from counsel.teams.advice import Advice

__all__ = ["Mine"]

_MOST_ARMS = 2000  # a longer list is searched by its picture
# Seconds without a move before the reasons are computed: while a person drags, they would only hold
# up the next prediction.
_MOMENT = 0.15


class _Belief(NamedTuple):
    """The belief about the person's values, and about the proposal's today.

    `seen` is the picture, where it depends on the values; `scale` is that of what is expected.
    """

    found: Prediction | None
    rival: Prediction | None
    seen: picture.Sight | None = None
    scale: Scale | None = None


class _Judgement(NamedTuple):
    """What follows from it, once a person stays there for a moment.

    `why` says how the values differ from the proposal, by what the proposal maximised.
    """

    chances: dict[str, float]
    why: Attribution | None
    advice: Advice | None


class Mine:
    """The card of the alternative, and the picture. `values` is the person's alternative."""

    def __init__(
        self,
        here: Visit,
        study: Study,
        drafts: Drafts,
        use: Callable[[], Awaitable[None]] | None,
        team: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self._here, self._study, self._drafts, self._use = here, study, drafts, use
        self._team = team
        self._proposal: Proposal | None = None
        self._why: Attribution | None = None
        self.values: dict[str, Value] = {}
        self._wanted: dict[str, Value] | None = None
        self._busy = False
        self._asked = asyncio.Event()
        self._chart: ui.plotly | None = None
        self._sliders: dict[str, NumberSlider] = {}
        self._choices: dict[str, ui.select] = {}
        self._row: ui.select | None = None
        self._blank: set[str] = set()  # fields without a number
        self._setting = False
        self._stale = True  # the picture is of other facts or another proposal
        self._judged: dict[str, Value] | None = None  # what the shown reasons are of
        self._scale: Scale | None = None
        self.on_change: Callable[[], None] = lambda: None  # a person has changed the values
        # They have stayed with these values for a moment.
        self.on_settled: Callable[[Mapping[str, Value]], None] = lambda values: None
        space = study.problem.space
        self._columns = [*space.names, *space.names][:2] if isinstance(space, Arms) else []

    @property
    def changed(self) -> bool:
        """Whether it differs from the proposal."""
        proposal = self._proposal
        return proposal is not None and (bool(self._blank) or self.values != dict(proposal.values))

    def complete(self) -> dict[str, Value]:
        """The values, or InvalidInput if a field is empty or is not a number."""
        for name in self._blank:
            self._sliders[name].value  # noqa: B018  raises with the field's name
            raise InvalidInput(name, "", "Give a number.")
        return dict(self.values)

    # ---- drawing -------------------------------------------------------------------------------

    def draw_picture(self) -> None:
        with ui.card().classes("w-full").props("id=picture"):
            self._picture = picture.BeliefPicture(self._moved, still=self._use is None)
            if self._columns and len(self._study.problem.space.names) > 1:
                with ui.row().classes("w-full items-center"):
                    for place, title in enumerate(("Across", "Up")):
                        ui.select(
                            list(self._study.problem.space.names),
                            value=self._columns[place],
                            label=title,
                            on_change=lambda event, place=place: self._turn(place, event.value),
                        ).props("dense").style("min-width:130px")
            drag = "" if self._use is None else ": drag it"
            ui.html(
                '<div class="signs"><span>☆ the proposal</span>'
                f'<span><b style="color:#d55e00">◎</b> mine{drag}</span>'
                "<span>● ◆ ■ tried (accepted, mine, told)</span><span>✖ rejected</span></div>",
                sanitize=False,
            )

    def draw(self) -> None:
        with ui.card().classes("w-full").props("id=mine"):
            title = "What I would try" if self._use is not None else "What if"
            ui.label(title).classes("text-h6").props('role=heading aria-level="2"')
            with ui.column().classes("w-full gap-1"):
                self._make_inputs()
            self._text = ui.label().classes("big").props("id=mine-prediction aria-live=polite")
            self._range = RangeBar(own=True)
            self._difference = ui.label().props("id=mine-difference")
            self._paused = ui.label().classes("faint").props("id=mine-paused")
            self._chances = Chances([c.name for c in self._study.problem.constraints])
            self._sentence = ui.label().props("id=mine-why aria-live=polite")
            self._advice = AdviceLine(ui.column().classes("w-full gap-1").props("id=advice"))
            self._place = ui.column().classes("w-full")
            with ui.row():
                if self._use is not None:
                    button = ui.button(on_click=self._use).props(
                        'color=deep-orange-10 aria-label="Use mine"'
                    )
                    with button:
                        ui.html("Use mine<kbd>M</kbd>", sanitize=False)
                if self._team is not None:
                    button = ui.button(on_click=self._team).props(
                        'color=primary aria-label="Let the team decide"'
                    )
                    with button:
                        ui.html("Let the team decide<kbd>T</kbd>", sanitize=False)
                        ui.tooltip(
                            f"The rule {self._study.setup.team} says what is tried, the proposal, "
                            "mine or a third point, and why; it can be overruled."
                        )
                ui.button("Back to the proposal", on_click=self.reset).props("flat icon=undo")

    def _make_inputs(self) -> None:
        space = self._study.problem.space
        if isinstance(space, Arms):
            self._make_arms(space)
            return
        for name, parameter in space.parameters.items():
            if isinstance(parameter, Categorical):
                choice = ui.select(list(parameter.choices), label=name).classes("w-full")
                if parameter.description:
                    choice.props["hint"] = parameter.description
                choice.on_value_change(lambda event, name=name: self._set(name, event.value))
                self._choices[name] = choice
            else:
                self._sliders[name] = NumberSlider(name, parameter, partial(self._set, name))

    def _make_arms(self, arms: Arms) -> None:
        if len(arms) > _MOST_ARMS:
            ui.label(f"{len(arms)} candidates: choose one on the picture.").classes("faint")
            self._named = ui.label().classes("text-weight-medium")
            return
        options = {i: words.point(arms[i]) for i in range(len(arms))}
        self._row = ui.select(options, label="Candidate", with_input=True).classes("w-full")
        self._row.on_value_change(lambda event: self._take_row(event.value))

    # ---- what a person does --------------------------------------------------------------------

    def _set(self, name: str, value: Value | None) -> None:
        if self._setting:
            return
        if value is None:
            self._blank.add(name)
            self._text.text, self._difference.text = f"Give a number for {name}.", ""
            self._say_of_what()
            return
        self._blank.discard(name)
        self.values[name] = value
        if name in self._choices:
            self._apply_conditions()
        else:
            self._show_place()
        self._keep()
        self._ask()

    def _apply_conditions(self) -> None:
        """Parameters that a choice brings or takes away."""
        space = self._study.problem.space
        assert not isinstance(space, Arms)
        for name, parameter in space.parameters.items():
            if not space.exists(name, self.values):
                self.values.pop(name, None)
            elif name not in self.values:
                middle = [0.5] * parameter.width
                self.values[name] = parameter.decode(middle)
        self._show_values()

    def _take_row(self, row: Any) -> None:
        if not self._setting and row is not None:
            self.values = dict(self._study.problem.space[int(row)])  # type: ignore[index]
            self._keep()
            self._show_values()
            self._ask()

    def _moved(self, moved: Mapping[str, Any]) -> None:
        """Dragged on the picture."""
        space = self._study.problem.space
        if self._proposal is None:
            return
        if isinstance(space, Arms):
            row = moved.get("row")
            if isinstance(row, int) and 0 <= row < len(space):
                self._take_row(row)
            return
        for name, place in moved.items():
            if name in self.values and isinstance(place, int | float):
                self.values[name] = _value_at(space.parameters[name], float(place))
                self._blank.discard(name)
        self._show_values()
        self._keep()
        self._ask()

    def _turn(self, place: int, name: str) -> None:
        self._columns[place] = name
        self._stale = True
        self._ask()

    def _keep(self) -> None:
        self.on_change()
        if self._proposal is not None:
            self._drafts.keep(f"{self._proposal.id}/mine", json.dumps(self.values))

    # ---- following the proposal ----------------------------------------------------------------

    def follow(
        self,
        proposal: Proposal | None,
        why: Attribution | None,
        kept: str = "",
        now: Prediction | None = None,
    ) -> None:
        """Start from this proposal, or from what was drafted; the same one again leaves the
        person's values alone. `now` is what is expected of the proposal, if that is known."""
        self._why = why
        new = proposal is not None and (self._proposal is None or proposal.id != self._proposal.id)
        self._proposal = proposal
        self._stale = True
        if new:
            self.values = self._drafted(kept) or dict(proposal.values)  # type: ignore[union-attr]
            self._blank.clear()
            self._show_values()
            self._show_judgement(_Judgement({}, None, None), None)  # what was there is of another
            if now is not None and not self.changed:
                self._show(_Belief(now, now, None, scale_of(self._study, now)), self.values)
        if self.values:
            self._ask()

    def _drafted(self, kept: str) -> dict[str, Value] | None:
        if not kept:
            return None
        with suppress(ValueError, CounselError, TypeError):  # of an earlier space, or damaged
            found: dict[str, Value] = self._study.problem.space.validate(json.loads(kept))
            return found
        return None

    def reset(self) -> None:
        if self._proposal is None:
            return
        self.values = dict(self._proposal.values)
        self._blank.clear()
        self._show_values()
        self._drafts.forget(f"{self._proposal.id}/mine")
        self._ask()

    def _show_values(self) -> None:
        space = self._study.problem.space
        self._setting = True
        try:
            for name, slider in self._sliders.items():
                slider.row.set_visibility(name in self.values)
                if name in self.values:
                    slider.show(self.values[name])
            for name, choice in self._choices.items():
                choice.set_visibility(name in self.values)
                choice.set_value(self.values.get(name))
            if isinstance(space, Arms):
                if self._row is not None:
                    self._row.set_value(space.index(self.values))
                else:
                    self._named.text = words.point(self.values)
        finally:
            self._setting = False
        self._show_place()

    def _show_place(self) -> None:
        with suppress(CounselError):  # outside of the range: the text says so
            self._picture.place(picture.placed(self._study.problem.space, self.values))

    def _mark(self, seen: picture.Sight) -> None:
        """Trials and proposal along the sliders."""
        for name, slider in self._sliders.items():
            tried = [mark["at"][name] for mark in seen["trials"] if name in mark["at"]]
            slider.mark(tried, seen["proposal"].get(name))

    # ---- what is believed ----------------------------------------------------------------------

    def _ask(self) -> None:
        self._wanted = dict(self.values)
        self._say_of_what()
        self._asked.set()
        if not self._busy:
            self._busy = True
            background_tasks.create(self._answer())

    async def _answer(self) -> None:
        """What is expected, at once; the reasons once a person stays there for a moment."""
        try:
            while self._wanted is not None:
                values, self._wanted = self._wanted, None
                try:
                    self._show(await self._here.believed(self._believe, values), values)
                    if await self._stays():
                        found = await self._here.believed(self._judge, values)
                        self._show_judgement(found, values)
                        self.on_settled(values)
                except CounselError as error:
                    if not self._text.is_deleted:
                        self._text.text, self._difference.text = str(error), ""
        finally:
            self._busy = False

    async def _stays(self) -> bool:
        """Whether nothing newer is asked for during the next moment."""
        if self._wanted is None:
            self._asked.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._asked.wait(), _MOMENT)
        return self._wanted is None

    def _believe(self, values: Mapping[str, Value]) -> _Belief:
        study, proposal = self._study, self._proposal
        if proposal is None:
            return _Belief(None, None)
        context = dict(proposal.context) or None
        rival = study.predict(proposal.values, context=context)
        found = study.predict(values, context=context)
        seen = None
        space = study.problem.space
        whole, self._stale = self._stale, False
        if whole or not (isinstance(space, Arms) or picture.maps_of(space)):
            seen = picture.sight(study, proposal, values, self._columns, whole=whole)
        if whole:
            self._scale = scale_of(study, rival)
        return _Belief(found, rival, seen, self._scale)

    def _judge(self, values: Mapping[str, Value]) -> _Judgement:
        study, proposal = self._study, self._proposal
        if proposal is None:
            return _Judgement({}, None, None)
        context = dict(proposal.context) or None
        chances = study.chances(values, context=context) if study.problem.constraints else {}
        why = None
        if dict(values) != dict(proposal.values):
            with suppress(NothingToExplain):  # a random proposal has no reasons
                why = study.explain(values, instead_of=proposal)
        return _Judgement(chances, why, advice_for(study, proposal, values, self._here.actor))

    def _show(self, belief: _Belief, values: Mapping[str, Value]) -> None:
        if self._text.is_deleted:
            return
        found, rival, seen, scale = belief
        objective = self._study.problem.objective.name
        if not self._blank:
            self._text.text = f"{objective}: {words.believed(found)}"
            self._difference.text = self._compared(found, rival, values)
            self._range.show(scale, found)
        if seen is not None:
            self._picture.show(seen)
            if "trials" in seen:
                self._mark(seen)

    def _show_judgement(self, found: _Judgement, values: Mapping[str, Value] | None) -> None:
        if self._text.is_deleted:
            return
        self._judged = dict(values) if values is not None and any(found) else None
        self._say_of_what()
        self._advice.show(found.advice)
        self._sentence.text = found.why.sentence() if found.why is not None else ""
        self._chances.show(found.chances)
        self._draw_reasons(found.why)

    def _say_of_what(self) -> None:
        """Over reasons that are of other values than those set now, which ones."""
        there = self._judged
        if there is None or (there == self.values and not self._blank):
            self._paused.text = ""
        else:
            self._paused.text = f"Where you last paused, {words.point(there)}:"

    def _draw_reasons(self, why: Attribution | None) -> None:
        self._place.set_visibility(why is not None)
        figure = charts.contributions(why, charts.largest(self._why, why), self._here.dark)
        if why is None:
            self._place.clear()
            self._chart = None
        elif self._chart is None:
            with self._place:
                charts.key(why)
                self._chart = charts.drawn(figure, "Contributions, against the proposal")
        else:
            self._chart.update_figure(figure)

    def _compared(
        self, prediction: Prediction | None, rival: Prediction | None, values: Mapping[str, Value]
    ) -> str:
        proposal = self._proposal
        if proposal is None or prediction is None or rival is None:
            return ""
        if dict(values) == dict(proposal.values):
            return "This is the proposal."
        gap = prediction.mean - rival.mean
        spread = prediction.sd - rival.sd
        surer = "less" if spread < 0 else "more"
        sign = "+" if gap >= 0 else "−"
        return (
            f"{sign}{abs(gap):.3g} against the proposal; {surer} uncertain, "
            f"sd {rival.sd:.2g} → {prediction.sd:.2g}."
        )


def _value_at(parameter: Any, place: float) -> Value:
    """The value at a place in [0, 1] of the picture."""
    place = min(max(place, 0.0), 1.0)
    if isinstance(parameter, Categorical):
        choices: Sequence[Value] = parameter.choices
        return choices[min(int(place * len(choices)), len(choices) - 1)]
    value = parameter.decode([place])
    if isinstance(parameter, Int) or parameter.step is not None:
        return value
    # As many digits as a person would type: a finger does not place the sixth.
    return min(max(float(f"{value:.4g}"), parameter.low), parameter.high)
