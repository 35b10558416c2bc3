"""The page for a new study: parameters with their ranges, or a table of candidates."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fastapi import Request
from nicegui import events, ui
from pydantic import ValidationError

from counsel import policies
from counsel.errors import CounselError, InvalidInput
from counsel.exchange import cells
from counsel.exchange.spreadsheet import decoded
from counsel.exchange.trials import import_trials
from counsel.facts.problem import PREFERENCE
from counsel.facts.records import PastTrial
from counsel.registry import Entry
from counsel.service.api.models import StudyGiven
from counsel.service.api.problem_details import refusals
from counsel.service.api.routes import make_study
from counsel.service.web import columns, words
from counsel.service.web.columns import KINDS, Candidates, Column, Kind
from counsel.service.web.forecasts import FORECAST
from counsel.service.web.form_rows import constraint_rows, parameter_rows
from counsel.service.web.frame import (
    Visit,
    address,
    frame,
    name_taken,
    named_dialog,
    quietly,
    visit,
)
from counsel.space.spelling import EITHER, UNCLEAR
from counsel.study import Study
from counsel.teams.deciding import teams

__all__ = ["page", "settings_of"]

_MOST = 4 * 1024 * 1024  # bytes of an uploaded table


# The buttons of an upload have icons only: they get names that are read out.
_NAMED = """<script>
addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
  const names = {add_box: 'Choose a file', cloud_upload: 'Send', clear_all: 'Remove all'};
  document.querySelectorAll('.q-uploader .q-btn:not([aria-label])').forEach(button => {
    const icon = button.querySelector('.q-icon')?.textContent.trim();
    button.setAttribute('aria-label', names[icon] ?? 'Remove');
  });
}).observe(document.body, {childList: true, subtree: true}));
</script>"""


async def page(request: Request) -> None:
    here = await visit(request)
    if here is None:
        return
    with frame(here, request, "New study"):
        ui.label("New study").classes("text-h5").props('role=heading aria-level="1"')
        if not here.person.may("owner"):
            ui.label("Only an owner's token may create studies.").classes("text-negative")
            return
        ui.add_head_html(_NAMED)
        # The first call imports everything that is registered: not on the event loop.
        offered, rules = await here.read(policies.entries), await here.read(teams.entries)
        # What is typed and pressed before there is a connection may arrive in another order.
        await here.client.connected(timeout=60)
        _Form(here, offered, rules)


class _Form:
    def __init__(
        self, here: Visit, offered: Sequence[policies.PolicyEntry], rules: Sequence[Entry]
    ) -> None:
        self._here = here
        self._columns: list[Column] = []
        self._kinds: list[ui.select] = []
        self._earlier: str | None = None  # the text of a table of earlier results
        with ui.card().classes("w-full"):
            ui.label("What is it about?").classes("text-h6")
            self._name = ui.input("Name of the study").classes("w-full")
            self._judged = ui.radio(
                {"measured": "I measure a number", "compared": "I say which of two is better"},
                value="measured",
                on_change=self._judge,
            ).props("inline")
            with ui.element("div").classes("columns") as self._measured:
                self._objective = ui.input("What you measure", value="objective")
                self._direction = ui.select(
                    {"maximize": "maximise", "minimize": "minimise"},
                    value="maximize",
                    label="Direction",
                )
            with ui.expansion("How the machine chooses (optional)").classes("w-full"):
                self._policy = ui.select(
                    {"": "Chosen for the problem"}
                    | {each.tag: f"{each.title}: {each.sentence}" for each in offered},
                    value="",
                    label="Policy",
                ).classes("w-full")
                self._settings = ui.input(
                    "Settings, if you like", placeholder="kappa=3, initial=8"
                ).classes("w-full")
            with ui.expansion("Who decides (optional)").classes("w-full") as self._together:
                self._team = ui.select(
                    {"": "People decide"}
                    | {each.tag: f"{each.tag}: {each.sentence}" for each in rules},
                    value="",
                    label="When a person would try something else",
                ).classes("w-full")
                self._forecast = ui.switch(
                    f"Ask people which of the first {FORECAST} trials will be best"
                ).props("id=ask-forecasts")
                self._forecast.bind_visibility_from(self._team, "value", bool)
        with ui.card().classes("w-full"):
            ui.label("What can be chosen?").classes("text-h6")
            with ui.tabs().props("align=left no-caps") as tabs:
                box = ui.tab("Parameters")
                arms = ui.tab("Table of candidates")
            self._tabs = tabs
            with ui.tab_panels(tabs, value=box).classes("w-full"):
                with ui.tab_panel(box):
                    self._draw_box()
                with ui.tab_panel(arms):
                    self._draw_arms()
        must = "Constraints (optional)"
        with ui.card().classes("w-full"), ui.expansion(must).classes("w-full"):
            ui.label(
                "Something else that you measure, or ask people about, and that must meet a "
                "threshold: comfort of at least 0, a temperature of at most 60."
            ).classes("faint")
            self._constraints = constraint_rows()
            ui.button("Add a constraint", on_click=self._constraints.add, icon="add").props("flat")
        with ui.row():
            ui.button("Create the study", on_click=self._create, icon="check").props("size=lg")
            ui.button("What will this be?", on_click=self._summarise).props("flat size=lg")

    def _judge(self) -> None:
        """If people compare, there is no number, and the policy follows from that."""
        compared = self._judged.value == "compared"
        self._measured.set_visibility(not compared)
        self._policy.value = ""
        self._policy.set_visibility(not compared)
        self._together.set_visibility(not compared)

    # ---- parameters ----------------------------------------------------------------------------

    def _draw_box(self) -> None:
        self._parameters = parameter_rows()
        self._parameters.add()
        ui.button("Add a parameter", on_click=self._parameters.add, icon="add").props("flat")
        with ui.expansion("Limits on several parameters together (optional)").classes("w-full"):
            self._require = (
                ui.textarea("One a line", placeholder="water + oil == 1\nheat <= 2 * time")
                .classes("w-full")
                .props("autogrow")
            )
        with ui.expansion("Earlier results (optional)").classes("w-full"):
            ui.label(
                "A CSV file with a column for every parameter and one for what you measured, by "
                "their names. Nothing is created if a row does not fit."
            ).classes("faint")
            self._upload_field(
                "Choose a CSV file of earlier results", "earlier", self._upload_earlier
            )
            self._earlier_text = ui.label().classes("faint")

    # ---- tables --------------------------------------------------------------------------------

    def _draw_arms(self) -> None:
        ui.label(
            "A CSV file: a line of names, then one line per candidate. You say what each column is."
        ).classes("faint")
        self._upload_field("Choose a CSV file", "candidates", self._upload_arms)
        self._preview = ui.column().classes("w-full").props("id=columns")
        self._leave_out = ui.checkbox(columns.LEAVE_OUT)
        self._once = ui.checkbox("Try every candidate at most once")
        for box in (self._leave_out, self._once):
            box.set_visibility(False)

    def _upload_field(self, label: str, name: str, handler: Any) -> None:
        ui.upload(
            label=label,
            auto_upload=True,
            max_files=1,
            max_file_size=_MOST,
            on_upload=handler,
            on_rejected=lambda: ui.notify("At most 4 MB, please.", type="negative"),
        ).props(f'accept=".csv,text/csv" id={name}-file').classes("w-full")

    async def _text(self, event: events.UploadEventArguments) -> str:
        await self._here.allowed("owner")  # a file arrives in its own request
        try:
            return decoded(await event.file.read())
        except UnicodeDecodeError:
            raise InvalidInput("file", event.file.name, "Save it as UTF-8 text.") from None

    async def _upload_earlier(self, event: events.UploadEventArguments) -> None:
        with quietly():
            self._earlier = await self._text(event)
            lines = [line for line in self._earlier.splitlines() if line.strip()]
            many = words.count(len(lines) - 1, "row")
            self._earlier_text.text = f"{event.file.name}: {many}, read when the study is created."

    async def _upload_arms(self, event: events.UploadEventArguments) -> None:
        with quietly():
            self._columns = columns.read_columns(await self._text(event))
            kinds = columns.guess(self._columns, (self._objective.value or "").strip())
            self._draw_columns(kinds)

    def _draw_columns(self, kinds: Sequence[Kind]) -> None:
        self._preview.clear()
        self._kinds = []
        count = len(self._columns[0].cells)
        with self._preview:
            ui.label(f"{words.count(count, 'candidate')}. What is each column?").classes(
                "text-weight-medium"
            )
            for column, kind in zip(self._columns, kinds, strict=True):
                with ui.row().classes("items-center w-full"):
                    choice = ui.select(dict(KINDS), value=kind, label=column.name)
                    choice.style("width:220px")
                    shown = ", ".join(cell or "(blank)" for cell in column.cells[:3])
                    ui.label(f"{shown}, …").classes("faint")
                    note = ui.label(columns.remark(column, kind)).classes("text-negative")
                    choice.on_value_change(
                        lambda event, column=column, note=note: note.set_text(
                            columns.remark(column, event.value)
                        )
                    )
                self._kinds.append(choice)
        for box in (self._leave_out, self._once):
            box.set_visibility(True)

    def _candidates(self) -> Candidates:
        if not self._columns:
            raise InvalidInput("candidates", None, "Choose a CSV file first.")
        kinds: list[Kind] = [choice.value for choice in self._kinds]
        return columns.arms_of(self._columns, kinds, leave_out=bool(self._leave_out.value))

    # ---- the study -----------------------------------------------------------------------------

    async def _create(self) -> None:
        with self._here.client, quietly(), name_taken(self._name.value):
            given, candidates = self._given()
            made = await self._here.act("owner", self._make, given, candidates)
            if given.team is not None and self._forecast.value:
                await self._here.ask(made.ask, FORECAST)
            self._here.pool.changed(made.name)
            ui.navigate.to(address(made.name))

    def _make(self, given: StudyGiven, candidates: Candidates | None) -> Study:
        """The study with its earlier results; if these are refused, nothing is created."""
        pool = self._here.pool
        made = make_study(pool, given)
        try:
            if candidates is not None and candidates.results:
                arms, objective = made.problem.space, made.problem.objective.name
                made.tell_many(
                    PastTrial(arms[row], {objective: value}, actor=self._here.actor)  # type: ignore[index]
                    for row, value in candidates.results.items()
                )
            elif candidates is None and self._earlier is not None:
                with tempfile.TemporaryDirectory() as folder:
                    table = Path(folder) / "earlier.csv"
                    table.write_text(self._earlier, encoding="utf-8")
                    _import(made, table, self._here.actor)
        except CounselError:
            pool.delete(made.name)
            raise
        return made

    def _given(self) -> tuple[StudyGiven, Candidates | None]:
        described, candidates = self._described()
        try:
            return StudyGiven(**described), candidates
        except ValidationError as error:
            raise refusals(error.errors(), described)[0] from None

    def _described(self) -> tuple[dict[str, Any], Candidates | None]:
        about: dict[str, Any] = {
            "name": (self._name.value or "").strip(),
            "objective": (self._objective.value or "").strip(),
            "direction": self._direction.value,
            "policy": self._policy.value or None,
            "settings": settings_of(self._settings.value or ""),
            "constraints": self._constraints.given(),
            "team": self._team.value or None,
        }
        if self._judged.value == "compared":
            about |= {"objective": PREFERENCE, "direction": "maximize", "team": None}
        if self._tabs.value == "Table of candidates":
            found = self._candidates()
            about |= {"arms": found.arms, "label": found.label, "log": found.log}
            return about | {"once": bool(self._once.value)}, found
        limits = [line.strip() for line in (self._require.value or "").splitlines()]
        about |= {"require": [line for line in limits if line]}
        return about | {"parameters": self._parameters.given()}, None

    def _summarise(self) -> None:
        """The study in words, and as the YAML file that `counsel new` takes."""
        import yaml

        with quietly():
            given, candidates = self._given()
            plain = given.model_dump(mode="json", exclude_defaults=True)
            with named_dialog("Summary") as dialog, ui.card():
                ui.label(_in_words(given, candidates)).props("id=summary")
                for line in candidates.left_out[:10] if candidates is not None else ():
                    ui.label(f"Left out: {line}.").classes("text-negative")
                if candidates is not None:
                    plain["arms"] = "candidates.csv"
                ui.label("As a file for `counsel new`:").classes("faint")
                ui.code(
                    yaml.safe_dump(plain, sort_keys=False, allow_unicode=True), language="yaml"
                ).classes("w-full")
                ui.button("Close", on_click=dialog.close).props("flat")
            dialog.open()


def _import(made: Study, table: Path, actor: str) -> None:
    try:
        import_trials(made, table, actor=actor)
    except InvalidInput as error:
        if error.remedy != UNCLEAR:
            raise
        raise InvalidInput(error.field, error.value, EITHER) from None  # nothing else is offered


def _in_words(given: StudyGiven, candidates: Candidates | None) -> str:
    aim = {"maximize": "as high as possible", "minimize": "as low as possible"}[given.direction]
    what = f"{given.objective} {aim}"
    if given.objective == PREFERENCE:
        what = "what people prefer"
    if candidates is not None:
        among = words.count(len(candidates.arms), "candidate")
        if candidates.results:
            among += f", {len(candidates.results)} of them measured already"
    else:
        among = ", ".join(_range(each) for each in given.parameters or ())
    limits = "".join(f"; {each.words()}" for each in given.constraints)
    rule = (
        ""
        if given.team is None
        else f" The rule {given.team} decides when people disagree with it."
    )
    return f"{given.name}: find {what}, among {among}{limits}.{rule}"


def _range(parameter: Any) -> str:
    if parameter.type == "categorical":
        return f"{parameter.name} (one of {len(parameter.choices or ())})"
    scale = ", by its logarithm" if parameter.log else ""
    unit = f" {parameter.unit}" if parameter.unit else ""
    return f"{parameter.name} from {parameter.low:g} to {parameter.high:g}{unit}{scale}"


def settings_of(text: str) -> dict[str, Any]:
    """`kappa=3, initial=8` as settings; numbers are numbers."""
    found: dict[str, Any] = {}
    for pair in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = (part.strip() for part in pair.partition("="))
        if not equals or not name or not value:
            raise InvalidInput("settings", pair, "Write name=value, as in kappa=3, initial=8.")
        found[name] = cells.read(value)
    return found
