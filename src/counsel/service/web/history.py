"""The History page: every fact with actor and time; revise, withdraw, download."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from fastapi import Request
from nicegui import ui

from counsel.exchange import cells, document, table
from counsel.facts.lines import line
from counsel.facts.records import Decision, Fact, Observation, Withdrawal
from counsel.service.web import words
from counsel.service.web.comments import ask_for_comment
from counsel.service.web.corrections import ask_to_revise, ask_to_withdraw
from counsel.service.web.frame import Visit, kept_fresh, study_page
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
            wanted = ui.input("Filter", placeholder="name, fact or word").props("clearable")
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
            found = _rows(facts, here.may("participant"), words.spoken(study.problem))
            if found != rows.rows:  # drawn again, it would lose what somebody is pressing
                rows.rows = found
                rows.update()

        rows.on("revise", lambda event: ask_to_revise(here, study, event.args))
        rows.on("withdraw", lambda event: ask_to_withdraw(here, study, event.args))
        rows.on("comment", lambda event: ask_for_comment(here, study, str(event.args)))
        await kept_fresh(here, name, refresh)


def _rows(
    facts: tuple[Fact, ...], may: bool, point: Callable[[Mapping[str, Any]], str]
) -> list[dict[str, Any]]:
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
                "what": line(fact, point) + (" (withdrawn)" if fact.id in gone else ""),
                "reason": getattr(fact, "reason", ""),
                "revise": standing and fact.id[0] == "o",
                "withdraw": standing and fact.id[0] in "docrn" and not over,
                "comment": may and fact.id[0] in "pdofc",
            }
        )
    return rows[::-1]


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
