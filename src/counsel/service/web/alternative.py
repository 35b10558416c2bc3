"""The person's alternative: sliders or a list of arms, with the beliefs about it while dragging.

One question is pending at a time, and only the last one counts: dragging asks for many points, and
those passed in the meantime are not computed.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from nicegui import background_tasks, ui

from counsel.errors import CounselError, NothingToExplain
from counsel.explain.attribution import Attribution
from counsel.facts.records import Prediction, Proposal, Value
from counsel.service.web import charts, words
from counsel.service.web.chances import Chances
from counsel.service.web.frame import Visit
from counsel.space import Arms, Categorical, Int
from counsel.study import Study

__all__ = ["Mine"]

_STEPS = 200  # of a slider
_MOST_ARMS = 2000  # a longer list needs typing, not choosing


class _Belief(NamedTuple):
    """The belief about the person's values, about the proposal's today, and about constraints.

    `why` says how the values differ from the proposal, by what the proposal maximised.
    """

    found: Prediction | None
    rival: Prediction | None
    chances: dict[str, float]
    why: Attribution | None = None


class Mine:
    """The card on the right. `values` is the person's alternative."""

    def __init__(self, here: Visit, study: Study, may: bool) -> None:
        self._here, self._study = here, study
        self._proposal: Proposal | None = None
        self._why: Attribution | None = None
        self.values: dict[str, Value] = {}
        self._wanted: dict[str, Value] | None = None
        self._busy = False
        self._setting = False
        self._chart: ui.plotly | None = None
        self._fields: dict[str, Callable[[Value], None]] = {}
        with ui.card().classes("w-full").props("id=mine"):
            ui.label("What I would try").classes("text-h6")
            with ui.column().classes("w-full gap-1") as self._inputs:
                self._make_inputs()
            self._text = ui.label().classes("big").props("id=mine-prediction aria-live=polite")
            self._difference = ui.label().props("id=mine-difference")
            self._chances = Chances([c.name for c in study.problem.constraints])
            self._sentence = ui.label().props("id=mine-why aria-live=polite")
            self._place = ui.column().classes("w-full")
            ui.button("Back to the proposal", on_click=self.reset).props("flat dense icon=undo")

    # ---- inputs --------------------------------------------------------------------------------

    def _make_inputs(self) -> None:
        space = self._study.problem.space
        if isinstance(space, Arms):
            self._make_arms(space)
        else:
            for name, parameter in space.parameters.items():
                self._make_parameter(name, parameter)

    def _make_arms(self, arms: Arms) -> None:
        if len(arms) > _MOST_ARMS:
            ui.label(f"{len(arms)} candidates: only proposals can be tried here.").classes("faint")
            return
        options = {i: words.point(arms[i]) for i in range(len(arms))}
        select = ui.select(options, label="Candidate", with_input=True).classes("w-full")

        def changed() -> None:
            if not self._setting and select.value is not None:
                self.values = dict(arms[int(select.value)])
                self._ask()

        select.on_value_change(changed)

        def show(values: Any) -> None:
            select.value = arms.index(values)

        self._fields[""] = show

    def _make_parameter(self, name: str, parameter: Any) -> None:
        if isinstance(parameter, Categorical):
            toggle = ui.select(list(parameter.choices), label=name).classes("w-full")
            toggle.on_value_change(lambda event: self._changed(name, event.value))

            def choose(value: Value) -> None:
                toggle.set_value(value)

            self._fields[name] = choose
            return
        whole = isinstance(parameter, Int)
        with ui.row().classes("w-full items-center no-wrap"):
            # The slider moves in encoded units, so that a log scale slides evenly.
            step = 1.0 / max(parameter.high - parameter.low, 1) if whole else 1.0 / _STEPS
            if whole and parameter.log:
                step = 1.0 / _STEPS
            slider = ui.slider(min=0, max=1, step=step).classes("col")
            slider.props(f'aria-label="{_plain(name)}"')
            box = ui.number(
                name, min=parameter.low, max=parameter.high, format="%d" if whole else "%.4g"
            ).props("dense").style("width:110px")  # fmt: skip

        def slid(event: Any) -> None:
            if self._setting:
                return
            value = parameter.decode([float(event.args)])
            self._set_quietly(lambda: box.set_value(value))
            self._changed(name, value)

        def typed() -> None:
            if self._setting or box.value is None:
                return
            value = int(box.value) if whole else float(box.value)
            value = min(max(value, parameter.low), parameter.high)
            self._set_quietly(lambda: slider.set_value(float(parameter.encode(value)[0])))
            self._changed(name, value)

        slider.on("update:model-value", slid, throttle=0.04, leading_events=True)
        box.on_value_change(typed)

        def show(value: Any) -> None:
            slider.set_value(float(parameter.encode(value)[0]))
            box.set_value(value)

        self._fields[name] = show

    def _set_quietly(self, change: Callable[[], object]) -> None:
        self._setting = True
        try:
            change()
        finally:
            self._setting = False

    def _changed(self, name: str, value: Value) -> None:
        if not self._setting:
            self.values[name] = value
            self._ask()

    # ---- what is believed ----------------------------------------------------------------------

    def follow(self, proposal: Proposal | None, why: Attribution | None) -> None:
        """Start from this proposal; the same one again leaves the person's values alone."""
        self._why = why
        new = proposal is not None and (self._proposal is None or proposal.id != self._proposal.id)
        self._proposal = proposal
        if new:
            self.reset()
        elif self.values:
            self._ask()

    def reset(self) -> None:
        if self._proposal is None:
            return
        self.values = dict(self._proposal.values)

        def show_all() -> None:
            for name, show in self._fields.items():
                show(self.values if name == "" else self.values[name])  # type: ignore[arg-type]

        self._set_quietly(show_all)
        self._ask()

    def _ask(self) -> None:
        self._wanted = dict(self.values)
        if not self._busy:
            self._busy = True
            background_tasks.create(self._answer())

    async def _answer(self) -> None:
        try:
            while self._wanted is not None:
                values, self._wanted = self._wanted, None
                try:
                    self._show(await self._here.believed(self._believe, values), values)
                except CounselError as error:
                    self._text.text, self._difference.text = str(error), ""
        finally:
            self._busy = False

    def _believe(self, values: Mapping[str, Value]) -> _Belief:
        study, proposal = self._study, self._proposal
        if proposal is None:
            return _Belief(None, None, {})
        context = dict(proposal.context) or None
        rival = study.predict(proposal.values, context=context)
        chances = study.chances(values, context=context) if study.problem.constraints else {}
        found = study.predict(values, context=context)
        why = None
        if dict(values) != dict(proposal.values):
            with suppress(NothingToExplain):  # a random proposal has no reasons
                why = study.explain(values, instead_of=proposal)
        return _Belief(found, rival, chances, why)

    def _show(self, belief: _Belief, values: Mapping[str, Value]) -> None:
        if self._text.is_deleted:
            return
        found, rival, chances, why = belief
        objective = self._study.problem.objective.name
        self._text.text = f"{objective}: {words.believed(found)}"
        self._difference.text = self._compared(found, rival, values)
        self._sentence.text = why.sentence() if why is not None else ""
        self._chances.show(chances)
        self._draw(why)

    def _draw(self, why: Attribution | None) -> None:
        self._place.set_visibility(why is not None)
        figure = charts.contributions(why, charts.largest(self._why, why), self._here.dark)
        if why is None:
            self._place.clear()
            self._chart = None
        elif self._chart is None:
            with self._place:
                self._chart = ui.plotly(figure).classes("w-full")
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


def _plain(name: str) -> str:
    return name.replace('"', "'")
