"""The page for a new study: parameters with their ranges, or a table of candidates."""

import csv
import io
from collections.abc import Sequence
from typing import Any

from fastapi import Request
from nicegui import events, ui
from pydantic import ValidationError

from counsel import policies
from counsel.errors import InvalidInput
from counsel.facts.records import PREFERENCE
from counsel.service.api.models import StudyGiven
from counsel.service.api.routes import make_study
from counsel.service.web.frame import Visit, address, frame, quietly, visit

__all__ = ["page", "read_arms"]

_MOST = 4 * 1024 * 1024  # bytes of an uploaded table


async def page(request: Request) -> None:
    here = await visit(request)
    if here is None:
        return
    with frame(here, request, "New study"):
        ui.label("New study").classes("text-h5").props('role=heading aria-level="1"')
        if not here.person.may("owner"):
            ui.label("Only an owner's token may create studies.").classes("text-negative")
            return
        # The first call imports everything that is registered: not on the event loop.
        _Form(here, await here.read(policies.entries))


class _Form:
    def __init__(self, here: Visit, offered: Sequence[policies.PolicyEntry]) -> None:
        self._here = here
        self._parameters: list[dict[str, Any]] = []
        self._constraints: list[dict[str, Any]] = []
        self._arms: list[dict[str, Any]] | None = None
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
            self._policy = ui.select(
                {"": "Chosen for the problem"}
                | {each.tag: f"{each.title}: {each.sentence}" for each in offered},
                value="",
                label="How the machine chooses",
            ).classes("w-full")
        with ui.card().classes("w-full"):
            ui.label("What can be chosen?").classes("text-h6")
            with ui.tabs().props("align=left no-caps") as tabs:
                box = ui.tab("Parameters")
                arms = ui.tab("Table of candidates")
            self._tabs = tabs
            with ui.tab_panels(tabs, value=box).classes("w-full"):
                with ui.tab_panel(box):
                    self._rows = ui.column().classes("w-full")
                    self._add()
                    ui.button("Add a parameter", on_click=self._add, icon="add").props("flat")
                with ui.tab_panel(arms):
                    ui.label(
                        "A CSV file: a line of names, then one line per candidate. Numbers stay "
                        "numbers, anything else is a label."
                    ).classes("faint")
                    ui.upload(
                        label="Choose a CSV file",
                        auto_upload=True,
                        max_files=1,
                        max_file_size=_MOST,
                        on_upload=self._upload,
                        on_rejected=lambda: ui.notify("At most 4 MB, please.", type="negative"),
                    ).props('accept=".csv,text/csv"').classes("w-full")
                    self._preview = ui.column().classes("w-full")
        must = "Constraints (optional)"
        with ui.card().classes("w-full"), ui.expansion(must).classes("w-full"):
            ui.label(
                "Something else that you measure, or ask people about, and that must meet a "
                "threshold: comfort of at least 0, a temperature of at most 60."
            ).classes("faint")
            self._bounds = ui.column().classes("w-full")
            ui.button("Add a constraint", on_click=self._add_bound, icon="add").props("flat")
        ui.button("Create the study", on_click=self._create, icon="check").props("size=lg")

    def _judge(self) -> None:
        """If people compare, there is no number, and the policy follows from that."""
        compared = self._judged.value == "compared"
        self._measured.set_visibility(not compared)
        self._policy.value = ""
        self._policy.set_visibility(not compared)

    def _add(self) -> None:
        row: dict[str, Any] = {}
        with self._rows, ui.row().classes("items-center w-full") as line:
            row["name"] = ui.input("Name").style("width:150px")
            row["type"] = ui.select(
                {"float": "number", "int": "whole number", "categorical": "choice"},
                value="float",
                label="Kind",
            ).style("width:140px")
            row["low"] = ui.number("From", value=0).style("width:100px")
            row["high"] = ui.number("To", value=1).style("width:100px")
            row["choices"] = ui.input("Choices, separated by commas").style("width:220px")
            for bound in ("low", "high"):
                row[bound].bind_visibility_from(row["type"], "value", lambda v: v != "categorical")
            row["choices"].bind_visibility_from(row["type"], "value", lambda v: v == "categorical")

            def remove() -> None:
                self._parameters.remove(row)
                line.delete()

            ui.button(icon="close", on_click=remove).props('flat dense aria-label="Remove"')
        self._parameters.append(row)

    def _add_bound(self) -> None:
        row: dict[str, Any] = {}
        with self._bounds, ui.row().classes("items-center w-full"):
            row["name"] = ui.input("Name").style("width:150px")
            row["side"] = ui.select(
                {"at_least": "at least", "at_most": "at most"}, value="at_least"
            )
            row["threshold"] = ui.number("Threshold", value=0).style("width:110px")
        self._constraints.append(row)

    async def _upload(self, event: events.UploadEventArguments) -> None:
        with quietly():
            await self._here.allowed("owner")  # a file arrives in its own request
            try:
                text = (await event.file.read()).decode("utf-8-sig")
            except UnicodeDecodeError:
                raise InvalidInput("file", event.file.name, "Save it as UTF-8 text.") from None
            self._arms = read_arms(text)
            self._preview.clear()
            with self._preview:
                ui.label(f"{len(self._arms)} candidates; the first are:")
                ui.table(rows=self._arms[:5]).props("flat bordered dense").classes("w-full")

    async def _create(self) -> None:
        with quietly():
            try:
                given = StudyGiven(**self._described())
            except ValidationError as error:
                first = error.errors()[0]
                field = ".".join(str(part) for part in first["loc"])
                raise InvalidInput(field, first.get("input"), f"{first['msg']}.") from None
            made = await self._here.act("owner", make_study, self._here.pool, given)
            self._here.pool.changed(made.name)
            ui.navigate.to(address(made.name))

    def _described(self) -> dict[str, Any]:
        about: dict[str, Any] = {
            "name": (self._name.value or "").strip(),
            "objective": (self._objective.value or "").strip(),
            "direction": self._direction.value,
            "policy": self._policy.value or None,
            "constraints": [
                {"name": row["name"].value or "", row["side"].value: row["threshold"].value}
                for row in self._constraints
            ],
        }
        if self._judged.value == "compared":
            about |= {"objective": PREFERENCE, "direction": "maximize"}
        if self._tabs.value == "Table of candidates":
            if self._arms is None:
                raise InvalidInput("candidates", None, "Choose a CSV file first.")
            return about | {"arms": self._arms}
        return about | {"parameters": [_parameter(row) for row in self._parameters]}


def _parameter(row: dict[str, Any]) -> dict[str, Any]:
    made = {"name": (row["name"].value or "").strip(), "type": row["type"].value}
    if row["type"].value == "categorical":
        texts = (row["choices"].value or "").split(",")
        return made | {"choices": [text.strip() for text in texts if text.strip()]}
    low, high = row["low"].value, row["high"].value
    if row["type"].value == "int" and None not in (low, high):
        low, high = int(low), int(high)
    return made | {"low": low, "high": high}


def read_arms(text: str) -> list[dict[str, Any]]:
    """The candidates in a CSV text: a column with only numbers is numeric."""
    lines = [line for line in csv.reader(io.StringIO(text)) if any(cell.strip() for cell in line)]
    if len(lines) < 2:
        raise InvalidInput("file", text[:50], "Give a line of names and one line per candidate.")
    names, rows = [name.strip() for name in lines[0]], lines[1:]
    for number, line in enumerate(rows, 2):
        if len(line) != len(names):
            raise InvalidInput(f"line {number}", line, f"Give {len(names)} cells, as in line 1.")
    columns = [_column([line[j].strip() for line in rows]) for j in range(len(names))]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def _column(cells: list[str]) -> list[Any]:
    for read in (int, float):
        try:
            return [read(cell) for cell in cells]
        except ValueError:
            continue
    return list(cells)
