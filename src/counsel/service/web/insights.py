"""The Insights page: the figures of `counsel.plots`."""

import contextlib
from collections.abc import Callable, Collection
from typing import Any, NamedTuple

from fastapi import Request
from nicegui import ui

from counsel import plots
from counsel.errors import CounselError
from counsel.facts.records import Fact, Proposal
from counsel.facts.safety import SafePoint, SafeSet
from counsel.plots._report import report_text
from counsel.plots._style import LOOKS
from counsel.plots._trials import trials_of
from counsel.policies.protocol import Scoring
from counsel.service.web import charts, words
from counsel.service.web.frame import Visit, kept_fresh, quietly, study_page
from counsel.space import Arms
from counsel.study import Study

__all__ = ["page"]

_LISTED = 20
_PRINTED = 500  # trials: the last ones
_EXPLAINED = 40  # proposals: explaining each of more takes a while
_LINES = 400  # trials: a browser without a graphics card takes seconds for more lines
_BEFORE_OUTLOOK = 2  # figures that are drawn before the outlook, which takes longer


class _Figure(NamedTuple):
    """A figure that may be drawn; a slow one waits until somebody asks for it."""

    title: str
    draw: Callable[[], Any]
    slow: bool = False


async def page(request: Request, name: str) -> None:
    async with study_page(request, "Insights", name) as opened:
        if opened is None:
            return
        here, study = opened
        charts.preload()
        ui.run_javascript(_ARRANGE)
        best = ui.label("Drawing the figures.").classes("big")
        outlook = ui.label().classes("faint").props("id=outlook")
        with ui.row():
            ui.button("Report to print", icon="print", on_click=lambda: _report(here, study)).props(
                "outline"
            )
        shown = ui.column().classes("w-full")
        drawing = 0
        drawn: Fact | None = None  # the last fact in the figures

        async def refresh() -> None:
            nonlocal drawing, drawn
            facts = await here.read(lambda: study.facts)
            if drawing and facts and facts[-1] == drawn:
                return
            drawn = facts[-1] if facts else None
            drawing += 1
            mine = drawing
            best.text, safe = await here.believed(_summary, study)
            figures = await here.believed(_figures, here, study)
            shown.clear()
            shown.props(remove="id")
            with shown:
                if safe is not None:
                    _list(study, safe)
                places = [ui.card().classes("w-full") for _ in figures]
            for place, figure in zip(places, figures, strict=True):
                place.set_visibility(figure.slow)
            # One after the other: what is there can be read while the rest is drawn.
            for number, (place, figure) in enumerate(zip(places, figures, strict=True)):
                if number == _BEFORE_OUTLOOK:
                    outlook.text = await here.believed(_outlook, study)
                if drawing != mine:
                    return
                if figure.slow:
                    _offer(here, place, figure)
                else:
                    await _fill(here, place, figure)
            shown.props("id=drawn")  # every figure is there

        await kept_fresh(here, name, refresh)


def _offer(here: Visit, place: ui.card, figure: _Figure) -> None:
    async def draw() -> None:
        place.clear()
        await _fill(here, place, figure)

    with place:
        ui.button(f"Draw: {figure.title} (this takes a while)", on_click=draw).props("flat")


async def _fill(here: Visit, place: ui.card, figure: _Figure) -> None:
    made = await here.believed(_drawn, here, figure)
    if place.is_deleted:
        return
    place.set_visibility(made is not None)
    if made is None:
        return
    with place:
        charts.drawn(made, figure.title)

        async def save_page() -> None:
            # Drawn anew: on paper it is not dark.
            text = await here.believed(lambda: report_text([figure.draw()], figure.title))
            ui.download.content(text, f"{figure.title}.html")

        with ui.row():
            for form in ("png", "svg"):
                save = ui.button(form.upper()).props("flat dense size=sm icon=download")
                save.props["aria-label"] = f"Save as {form.upper()}: {figure.title}"
                save.on("click", js_handler=_SAVE % form)
            page = ui.button("HTML", on_click=save_page).props("flat dense size=sm icon=download")
            page.props["aria-label"] = f"Save as HTML: {figure.title}"


# The figure's own tool bar can save it; this presses its button, in the wanted form. One that is
# not drawn yet, or is being saved in another form, would not listen: wait for it.
_SAVE = """event => {
  const card = event.target.closest('.q-card');
  const save = () => {
    const plot = card.querySelector('.js-plotly-plot');
    const button = plot?.querySelector('.modebar-btn[data-title*="ownload"]');
    if (!button || plot._snapshotInProgress) return card.isConnected && setTimeout(save, 100);
    plot._context.toImageButtonOptions = {format: '%s', filename: document.title, scale: 2};
    button.click();
  };
  save();
}"""


# A figure may bring a second arrangement for narrow screens, in its layout's meta.
_ARRANGE = """
// Titles of narrow figures begin at the edge, in smaller letters, on several lines if need be.
const wrapped = (text, room) => text.split(' ').reduce((lines, word) => {
  const last = lines.at(-1);
  if (last && last.length + word.length >= room) return [...lines, word];
  return [...lines.slice(0, -1), last ? `${last} ${word}` : word];
}, []);
// A figure is narrow for a moment while the page is laid out: what is done to it can be undone.
const entitle = plot => {
  const {title, margin, annotations = []} = plot.layout ?? {}, wide = plot.clientWidth;
  const room = wide > 480 ? 0 : Math.round(wide / 20);
  if (!title?.text || !wide || room === (plot.entitled ?? 0)) return;
  plot.entitled = room;
  plot.asMade ??= {text: title.text, xref: title.xref ?? null, x: title.x ?? null,
    size: title.font?.size ?? null, top: margin?.t ?? 56, notes: annotations.map(n => n.text)};
  const made = plot.asMade, lines = room ? wrapped(made.text, wide / 7.8) : [made.text];
  const notes = made.notes.map((note, n) =>
    annotations[n].showarrow || !room ? [note] : wrapped(note, (wide - 80) / 6.5));
  const tallest = Math.max(1, ...notes.map(parts => parts.length));
  const changes = {'title.text': lines.join('<br>'), 'title.xref': room ? 'container' : made.xref,
    'title.x': room ? 0.02 : made.x, 'title.font.size': room ? 14 : made.size,
    'margin.t': made.top + 17 * (lines.length - 1) + 15 * (tallest - 1)};
  notes.forEach((parts, n) => { changes[`annotations[${n}].text`] = parts.join('<br>'); });
  Plotly.relayout(plot, changes);
};
const arrange = plot => {
  entitle(plot);
  const ways = plot.layout?.meta, way = plot.clientWidth < 640 ? 'narrow' : 'wide';
  if (!ways?.[way] || plot.arranged === way) return;
  plot.arranged = way;
  const {height, ...rest} = ways[way];
  plot.style.height = height + 'px';
  // A figure that is told its height keeps its width as well, however narrow the page becomes.
  Plotly.relayout(plot, {...rest, height: null, width: null, autosize: true});
};
const watch = new ResizeObserver(seen => seen.forEach(each => arrange(each.target)));
new MutationObserver(() => document.querySelectorAll('.js-plotly-plot').forEach(plot => {
  if (!plot.watched && plot.layout) { plot.watched = true; watch.observe(plot); }
})).observe(document.body, {childList: true, subtree: true});
"""


def _drawn(here: Visit, figure: _Figure) -> Any:
    try:
        return charts.grounded(figure.draw(), here.dark)
    except CounselError:  # this study has no such figure
        return None


async def _report(here: Visit, study: Study) -> None:
    """All figures and the best trial on one page that any browser prints."""
    with here.client, quietly():
        waiting = ui.notification("Drawing the report.", spinner=True, timeout=None)
        try:
            text = await here.believed(_printable, here, study)
        finally:
            waiting.dismiss()
        ui.download.content(text, f"{study.name}.html")


def _printable(here: Visit, study: Study) -> str:
    drawn = []
    for figure in _figures(here, study):
        with contextlib.suppress(CounselError):  # this study has no such figure
            if not figure.slow:
                drawn.append(figure.draw())
    summary = f"{_summary(study)[0]} {_outlook(study)}"
    return report_text(drawn, study.name, summary, _trial_rows(study))


def _trial_rows(study: Study) -> list[list[str]]:
    """The trials as a table, with the names of its columns."""
    trials = trials_of(study)[-_PRINTED:]
    if not trials:
        return []
    space, names = study.problem.space, list(trials[-1].values)
    titles = names if isinstance(space, Arms) else [space.title(name) for name in names]
    rows = [["trial", *titles, study.problem.objective.name, "what it was", "by"]]
    for trial in trials:
        value = "" if trial.value is None else words.number(trial.value)
        value += " (broke a constraint)" if trial.broken else ""
        values = [words.number(trial.values.get(name, "")) for name in names]
        what = LOOKS[trial.status].name if trial.status in LOOKS else trial.status
        rows.append([str(trial.number), *values, value, what, trial.actor])
    return rows


def _list(study: Study, safe: SafeSet) -> None:
    """The certified points in a table, with what is certain of each."""
    problem = study.problem
    outcomes = [problem.objective.name, *(each.name for each in problem.constraints)]
    said = {each.name for each in problem.constraints if each.answer == "yes/no"}
    with ui.card().classes("w-full").props("id=safe-set"):
        declared = sum(each.declared for each in safe.points)
        ui.label(
            f"Certified safe: {safe.certified - declared} of {safe.considered} points looked at"
        ).classes("text-h6")
        also = " One more was declared safe by a person." if declared else ""
        each = "At each of them" if safe.certified - declared else "Certified is where"
        ui.label(
            f"{each} all constraints hold with a probability of at least {safe.certainty:.0%}."
            f"{also} {safe.undecided} are undecided. {safe.note}"
        ).classes("faint")
        rows = [
            {
                "point": words.point(each.values),
                "chance": f"{words.percent(each.chance)}{' (declared)' if each.declared else ''}",
                **{f"of {name}": _between(each, name, said) for name in outcomes},
                "trials": each.trials,
            }
            for each in safe.points[:_LISTED]
        ]
        titles = {name: name for name in ("point", "chance")}
        titles |= {f"of {name}": name for name in outcomes} | {"trials": "trials"}
        columns = [
            {"name": key, "label": title, "field": key, "align": "left"}
            for key, title in titles.items()
        ]
        if rows:
            ui.table(columns=columns, rows=rows, row_key="point").classes("w-full")


def _between(point: SafePoint, name: str, said: Collection[str]) -> str:
    """What an outcome is between; `said` are those answered by yes or no."""
    ends = [point.lower[name], point.upper[name]]
    shown = [("yes" if end else "no") if name in said else words.number(end) for end in ends]
    return " to ".join(dict.fromkeys(shown))


def _outlook(study: Study) -> str:
    """Whether to go on, in words."""
    with contextlib.suppress(CounselError):  # too early, or a policy without beliefs
        if not study.problem.space.context_names:
            return study.outlook().sentence()
    return ""


def _summary(study: Study) -> tuple[str, SafeSet | None]:
    """The best trial in words; what is certified."""
    found, problem = study.best, study.problem
    best = words.nothing_good(problem, len(study.observations))
    if found is not None:
        best = words.best(found, problem.objective.name)
        if problem.objective.preferred:
            best = f"Liked best: {words.point(found.values)}."
    try:
        return best, study.safe_set() if problem.constraints else None
    except CounselError:  # nobody has answered anything yet, or the context is not given
        return best, None


def _figures(here: Visit, study: Study) -> list[_Figure]:
    objective = study.problem.objective
    optimum = getattr(here.pool.worlds.get(study.name), "optimum", None)
    pending = study.pending
    many = sum(isinstance(fact, Proposal) for fact in study.facts) > _EXPLAINED
    found = []
    if not objective.preferred:
        title = f"{objective.name}, trial by trial"
        found.append(_Figure(title, lambda: plots.progress(study, optimum=optimum)))
    if study.problem.objectives:
        found.append(_Figure("What no trial beats", lambda: plots.front(study)))
    found += [
        _Figure(f"What is believed of {objective.name}", lambda: plots.landscape(study)),
        _Figure(f"What {objective.name} depends on", lambda: plots.importances(study)),
        _Figure("Left out, what would the model have said?", lambda: plots.validation(study)),
        _Figure("What is known to be safe", lambda: plots.safe_set(study)),
        _Figure("What overriding gained or cost", lambda: plots.overriding(study)),
    ]
    if pending and isinstance(study.policy, Scoring):
        found.append(
            _Figure(f"What proposal {pending[0].id} saw", lambda: plots.slices(study, pending[0]))
        )
        title = f"What parameters do together in {pending[0].id}"
        if len(study.problem.space.names) > 1:
            found.append(_Figure(title, lambda: plots.interactions(study.explain(pending[0]))))
    if len(study.problem.space.names) > 2:
        long = len(study.observations) > _LINES
        title = "Every trial across parameters"
        found.append(_Figure(title, lambda: plots.parallel(study), slow=long))
    found.append(_Figure("What drove the proposals", lambda: plots.paths(study), slow=many))
    return found
