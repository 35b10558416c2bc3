"""The History page: every fact with actor and time; revise, withdraw, download."""

from collections.abc import Callable
from functools import partial
from typing import Any

from fastapi import Request
from nicegui import ui

from counsel.errors import InvalidInput
from counsel.exchange import cells, document, table
from counsel.facts.lines import line
from counsel.facts.records import Decision, Fact, Observation, Withdrawal
from counsel.service.security.access import NotAllowed, vetoed
from counsel.service.web import words
from counsel.service.web.comments import ask_for_comment
from counsel.service.web.fields import NumberField
from counsel.service.web.frame import Visit, kept_fresh, named_dialog, quietly, study_page
from counsel.study import Study

__all__ = ["page"]

_COLUMNS: list[dict[str, Any]] = [
    {"name": "place", "label": "#", "field": "place", "align": "right", "sortable": True},
    {"name": "time", "label": "Time (UTC)", "field": "time", "align": "left", "sortable": True},
    {"name": "actor", "label": "Who", "field": "actor", "align": "left", "sortable": True},
    {"name": "id", "label": "Fact", "field": "id", "align": "left"},
    {"name": "what", "label": "What", "field": "what", "align": "left"},
    {"name": "reason", "label": "Why", "field": "reason", "align": "left"},
    {"name": "actions", "label": "Do", "field": "id", "align": "right"},
]
_ACTIONS = """
<q-td :props="props">
  <q-btn v-if="props.row.revise" flat dense no-caps color="primary" label="Revise"
    @click="$parent.$emit('revise', props.row.id)" :aria-label="'Revise ' + props.row.id"
    :data-press="'revise ' + props.row.id"></q-btn>
  <q-btn v-if="props.row.withdraw" flat dense no-caps color="primary" label="Withdraw"
    @click="$parent.$emit('withdraw', props.row.id)"
    :aria-label="'Withdraw ' + props.row.id"
    :data-press="'withdraw ' + props.row.id"></q-btn>
  <q-btn v-if="props.row.comment" flat dense no-caps color="primary" label="Comment"
    @click="$parent.$emit('comment', props.row.id)"
    :aria-label="'Comment on ' + props.row.id"
    :data-press="'comment ' + props.row.id"></q-btn>
</q-td>
"""
# On a phone a fact is a card: a row would not fit.
_CARD = """
<div class="col-12 q-pa-xs"><q-card flat bordered class="q-pa-sm">
  <div>{{ props.row.what }}</div>
  <div class="faint">{{ props.row.id }} · {{ props.row.actor }} · {{ props.row.time }}</div>
  <div v-if="props.row.reason" class="faint">“{{ props.row.reason }}”</div>
  <q-btn v-if="props.row.revise" flat no-caps color="primary" label="Revise"
    @click="$parent.$emit('revise', props.row.id)" :aria-label="'Revise ' + props.row.id"
    :data-press="'revise ' + props.row.id"></q-btn>
  <q-btn v-if="props.row.withdraw" flat no-caps color="primary" label="Withdraw"
    @click="$parent.$emit('withdraw', props.row.id)"
    :aria-label="'Withdraw ' + props.row.id"
    :data-press="'withdraw ' + props.row.id"></q-btn>
  <q-btn v-if="props.row.comment" flat no-caps color="primary" label="Comment"
    @click="$parent.$emit('comment', props.row.id)"
    :aria-label="'Comment on ' + props.row.id"
    :data-press="'comment ' + props.row.id"></q-btn>
</q-card></div>
"""


async def page(request: Request, name: str) -> None:
    async with study_page(request, "History", name) as opened:
        if opened is None:
            return
        here, study = opened
        with ui.row().classes("items-center w-full"):
            wanted = ui.input("Filter", placeholder="name, fact or word").props("clearable dense")
            ui.space()
            for title, end, write in _EXPORTS:
                ui.button(title, on_click=partial(_export, here, study, end, write)).props(
                    "flat icon=download"
                )
        rows = ui.table(columns=_COLUMNS, rows=[], row_key="id", pagination=25).classes("w-full")
        rows.props('flat bordered dense no-data-label="No facts yet: ask for a proposal."')
        rows.add_slot("body-cell-actions", _ACTIONS)
        rows.add_slot("item", _CARD)
        rows.props(":grid=Quasar.Screen.lt.sm")
        wanted.bind_value_to(rows, "filter")

        async def refresh() -> None:
            facts = await here.read(lambda: study.facts)
            found = _rows(facts, here.may("participant"))
            if found != rows.rows:  # drawn again, it would lose what somebody is pressing
                rows.rows = found
                rows.update()

        dialogs = _Dialogs(here, study)
        rows.on("revise", lambda event: dialogs.revise(event.args))
        rows.on("withdraw", lambda event: dialogs.withdraw(event.args))
        rows.on("comment", lambda event: ask_for_comment(here, study, str(event.args)))
        await kept_fresh(here, name, refresh)


def _rows(facts: tuple[Fact, ...], may: bool) -> list[dict[str, Any]]:
    gone = {fact.fact for fact in facts if isinstance(fact, Withdrawal)}
    done = {f.proposal for f in facts if isinstance(f, Observation) and f.id not in gone}
    rows = []
    for place, fact in enumerate(facts, 1):
        standing = may and fact.id not in gone
        over = isinstance(fact, Decision) and fact.proposal in done
        rows.append(
            {
                "place": place,
                "time": f"{fact.time:%Y-%m-%d %H:%M:%S}",
                "actor": getattr(fact, "actor", "the machine"),
                "id": fact.id,
                "what": line(fact, words.point) + (" (withdrawn)" if fact.id in gone else ""),
                "reason": getattr(fact, "reason", ""),
                "revise": standing and fact.id[0] == "o",
                "withdraw": standing and fact.id[0] in "docrn" and not over,
                "comment": may and fact.id[0] in "pdofc",
            }
        )
    return rows[::-1]


def _given(field: NumberField) -> float:
    found = field.value
    if found is None:
        raise InvalidInput(field.label, "", "Give a number, or withdraw the trial.")
    return found


def _trials(study: Study) -> str:
    """One row per trial, as a person would keep them in a spreadsheet."""
    frame = study.dataframe().dropna(axis="columns", how="all")
    # What looks like a formula would be evaluated by a spreadsheet.
    safe = frame.map(lambda cell: cells.write(cell) if isinstance(cell, str) else cell)
    return str(safe.to_csv(index=False))


# title, end of the file's name, writer
_EXPORTS: tuple[tuple[str, str, Callable[[Study], str]], ...] = (
    ("Trials as CSV", "trials.csv", _trials),
    ("Export JSON", "json", lambda study: document.to_json(study.setup, study.facts)),
    ("All facts as CSV", "facts.csv", lambda study: table.to_csv(study.setup, study.facts)),
)


async def _export(here: Visit, study: Study, end: str, write: Callable[[Study], str]) -> None:
    text = await here.read(write, study)
    ui.download.content(text, f"{study.name}.{end}")


class _Dialogs:
    def __init__(self, here: Visit, study: Study) -> None:
        self._here, self._study = here, study

    async def revise(self, fact_id: str) -> None:
        found = await self._here.read(lambda: self._study.observations)
        observation = next((o for o in found if o.id == fact_id), None)
        if observation is None:
            ui.notify(f"{fact_id} is no longer in force.", type="warning")
            return
        with named_dialog(f"Correct {fact_id}") as dialog, ui.card().classes("w-96"):
            ui.label(f"Correct {fact_id}").classes("text-h6")
            fields = {
                name: NumberField(name, value) for name, value in observation.outcomes.items()
            }
            for field in fields.values():
                field.input.classes("w-full")
            reason = ui.input("Why").classes("w-full")

            async def keep() -> None:
                with self._here.client, quietly():
                    given = {name: _given(field) for name, field in fields.items()}
                    await self._here.act(
                        "participant",
                        lambda: self._study.revise(
                            fact_id,
                            given,
                            actor=self._here.actor,
                            reason=reason.value or "",
                        ),
                    )
                    self._here.pool.changed(self._study.name)
                    dialog.close()

            with ui.row():
                ui.button("Save correction", on_click=keep)
                ui.button("Cancel", on_click=dialog.close).props("flat")
        dialog.open()

    async def withdraw(self, fact_id: str) -> None:
        with named_dialog(f"Withdraw {fact_id}") as dialog, ui.card().classes("w-96"):
            ui.label(f"Withdraw {fact_id}?").classes("text-h6")
            ui.label("It no longer counts; the history keeps it.").classes("faint")
            reason = ui.input("Why").classes("w-full")

            async def take_back() -> None:
                with self._here.client, quietly():
                    person = await self._here.allowed("participant")

                    def work() -> None:
                        sentence = vetoed(person, self._here.actor, self._study, fact_id)
                        if sentence:
                            raise NotAllowed(sentence)
                        why = reason.value or ""
                        self._study.withdraw(fact_id, actor=self._here.actor, reason=why)

                    await self._here.act("participant", work)
                    self._here.pool.changed(self._study.name)
                    dialog.close()

            with ui.row():
                ui.button("Withdraw it", on_click=take_back)
                ui.button("Cancel", on_click=dialog.close).props("flat")
        dialog.open()
