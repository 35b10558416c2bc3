"""Beside the decision: how far the study is, whether to go on, and the last trials."""

import contextlib
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from nicegui import ui

from counsel.errors import CounselError
from counsel.facts.summaries import Outlook
from counsel.plots._trials import Trial, trials_of
from counsel.service.web import words
from counsel.study import Study

__all__ = ["STYLE", "Activity", "Progress", "progress_of"]

STYLE = """
.activity { display: flex; flex-wrap: wrap; gap: 8px; width: 100%; }
.activity > div { border: 1px solid var(--line); border-radius: 10px; padding: 6px 12px;
  flex: 1 1 250px; max-width: 330px; }
@media (max-width: 600px) { .activity > div { max-width: none; } }
.activity .comment { max-width: 260px; overflow-wrap: anywhere; }
.activity .best { border-color: #009e73; border-width: 2px; }
.outlook { display: grid; grid-template-columns: 1fr auto; gap: 2px 14px; width: 100%;
  max-width: 460px; align-items: center; }
.outlook .chance { font-size: 1.35rem; font-weight: 700; font-variant-numeric: tabular-nums; }
.outlook .ends { display: flex; justify-content: space-between; font-size: 12px;
  color: var(--faint); }
.gauge { position: relative; height: 10px; border-radius: 5px; width: 100%;
  background: linear-gradient(90deg, #7fbfa8, #f0d58c, #e8a27c); }
.gauge i { position: absolute; top: -4px; width: 6px; height: 18px; margin-left: -3px;
  background: var(--ink); border: 1px solid var(--surface); border-radius: 3px; }
"""
_LAST = 5
_LITTLE, _MUCH = 0.05, 0.5
_STATUS = {
    "accepted": "as proposed",
    "overridden": "own idea",
    "rejected": "rejected",
    "told": "told",
    "failed": "failed",
    "abandoned": "abandoned",
    "compared": "compared",
}


# What a button beside a trial does.
Act = Callable[[Trial], Awaitable[None] | None]


class Progress(NamedTuple):
    first: tuple[int, int] | None  # trials made of those that are spread over the space
    outlook: Outlook | None
    last: list[Trial]
    best: int | None  # the number of the best trial
    title: str  # what it is called
    gained: list[str]


def progress_of(study: Study) -> Progress:
    trials = [t for t in trials_of(study) if t.status != "proposed"]
    first = None
    count = getattr(study.policy, "first_trials", None)
    made = len([t for t in trials if t.value is not None])
    if count is not None and made < count(study.problem.space):
        first = (made, count(study.problem.space))
    outlook = None
    with contextlib.suppress(CounselError):  # too early, a context, or a policy without beliefs
        if not study.problem.space.context_names and first is None:
            outlook = study.outlook()
    best = study.best
    place, title = None, "best"
    if best is not None and not words.likely_broken(best):
        title = words.rank(best).lower()
        same = [t.number for t in trials if dict(t.values) == dict(best.values)]
        place = same[-1] if same else None
    gained = []
    with contextlib.suppress(CounselError):  # nothing was overridden, or nothing is believed
        for each in study.overriding():
            low, high = (words.number(float(f"{end:.2g}")) for end in each.interval)
            verb = "gained" if each.gain >= 0.0 else "cost"
            gained.append(
                f"Overriding {words.count(len(each.each), 'proposal')} {verb} {each.actor} about "
                f"{words.number(float(f'{abs(each.gain):.2g}'))} (95%: {low} to {high})."
            )
    return Progress(first, outlook, trials[-_LAST:], place, title, gained)


class Activity:
    """The strip below the decision; a person can `comment` on a trial, `correct` it, and `answer`
    what it left open."""

    def __init__(
        self, comment: Act | None = None, correct: Act | None = None, answer: Act | None = None
    ) -> None:
        self._comment, self._correct, self._answer = comment, correct, answer
        self._shown: Progress | None = None
        with ui.card().classes("w-full").props("id=activity") as self.card:
            self._all = ui.column().classes("w-full gap-2")
            with self._all:
                ui.label("Working out whether to go on.").classes("faint")

    def show(self, found: Progress) -> None:
        if self._all.is_deleted or found == self._shown:
            return  # somebody may be pressing a button
        self._shown = found
        self._all.clear()
        with self._all:
            self._draw_stop(found)
            if found.last:
                ui.label("Last trials").classes("text-weight-medium")
                with ui.element("div").classes("activity"):
                    for trial in reversed(found.last):
                        self._draw_trial(trial, found.title if trial.number == found.best else "")
            for text in found.gained:
                ui.label(text).classes("faint")

    def _draw_stop(self, found: Progress) -> None:
        ui.label("Go on or stop?").classes("text-h6").props('role=heading aria-level="2"')
        if found.first is not None:
            made, count = found.first
            ui.label(
                f"First trials: {made} of {count}. They are spread over the space; then the "
                "machine learns from them."
            ).props("id=first-trials")
        elif found.outlook is not None:
            self._draw_outlook(found.outlook)
        else:
            ui.label("Nothing can be said yet about what is still to be gained.").classes("faint")

    def _draw_outlook(self, outlook: Outlook) -> None:
        """The advice, the gauge, and what it rests on."""
        # From draws: none or all of them are no certainty.
        chance = words.percent(min(max(outlook.chance, 1e-3), 1.0 - 1e-3))
        with ui.column().classes("w-full gap-2").props("id=stop"):
            ui.label(_advice(outlook)).classes("big")
            with ui.element("div").classes("outlook"):
                with ui.element("div").classes("gauge") as gauge:
                    ui.element("i").style(f"left:{100 * outlook.chance:.0f}%")
                ui.label(chance).classes("chance").props("aria-hidden=true")
                with ui.element("div").classes("ends").props("aria-hidden=true"):
                    ui.label("stop")
                    ui.label("chance that it pays to go on")
            ui.label(outlook.sentence()).classes("faint")
        gauge.props["role"] = "meter"
        gauge.props["aria-label"] = "Chance that more than a little is still to be gained"
        gauge.props["aria-valuenow"] = f"{100 * outlook.chance:.0f}"
        gauge.props["aria-valuemin"] = "0"
        gauge.props["aria-valuemax"] = "100"
        gauge.props["aria-valuetext"] = chance

    def _draw_trial(self, trial: Trial, best: str) -> None:
        with ui.element("div").classes("best" if best else "") as chip:
            chip.props["title"] = words.point(trial.values)
            value = _measured(trial)
            if trial.broken:
                value += ", broke a constraint"
            star = f"★ {best}: " if best else ""
            ui.label(f"{star}{value}").classes("text-weight-medium")
            who = f" by {trial.actor}" if trial.actor else ""
            with ui.row().classes("items-center gap-1 no-wrap"):
                ui.label(
                    f"trial {trial.number}, {_STATUS.get(trial.status, trial.status)}{who}"
                ).classes("faint text-sm")
                self._offer(trial, self._comment, "add_comment", "Comment on")
                if trial.value is not None:
                    self._offer(trial, self._correct, "edit", "Correct")
            if trial.left_open:
                with ui.row().classes("items-center gap-1"):
                    ui.label(f"Still open: {', '.join(trial.left_open)}").classes("text-sm")
                    self._offer(trial, self._answer, "help", "Answer for")
            for said in trial.comments:
                ui.label(f"{said.actor}: “{said.text}”").classes("text-sm comment")

    def _offer(self, trial: Trial, act: Act | None, icon: str, title: str) -> None:
        if act is not None:
            button = ui.button(icon=icon, on_click=lambda: act(trial))
            button.props("flat round dense size=sm")
            button.props["aria-label"] = f"{title} trial {trial.number}"


def _measured(trial: Trial) -> str:
    if trial.value is not None:
        return words.number(trial.value)
    waits = trial.status in ("accepted", "overridden") and not trial.left_open
    return "being tried" if waits else "not measured"


def _advice(outlook: Outlook) -> str:
    if outlook.warning:
        return "Go on: the model is not to be trusted yet."
    if outlook.chance < _LITTLE:
        return "It may be time to stop."
    return "Go on: much may still be gained." if outlook.chance > _MUCH else "Go on if it is cheap."
