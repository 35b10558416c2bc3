"""Commands that show what happened: facts, what is in force, who holds what."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from counsel.cli.options import DEFAULT, Address, Json, Name, Proposed, open_study
from counsel.cli.output import measures, outcomes, say, shown, table

if TYPE_CHECKING:
    from counsel.facts.records import Fact
    from counsel.study import Study

__all__ = ["COMMANDS"]


def setup(study: Name = None, storage: Address = DEFAULT, as_json: Json = False) -> None:
    """Show what a study was created with."""
    from counsel.facts.lines import space_words

    found = open_study(study, storage).setup
    problem = found.problem
    rows: list[list[object]] = [
        ["space", space_words(problem.space)],
        ["objective", problem.aim],
        ["policy", found.policy_name],
        ["seed", found.seed],
        ["created (UTC)", f"{found.created:%Y-%m-%d %H:%M}"],
    ]
    if found.team is not None:
        rows.insert(3, ["team", found.team])
    rows[2:2] = [["constraint", each.words()] for each in problem.constraints]
    say(as_json, found, table(["study", found.name], rows))


def facts(study: Name = None, storage: Address = DEFAULT, as_json: Json = False) -> None:
    """Show every fact in order, including withdrawn and corrected ones."""
    opened = open_study(study, storage)
    _show(opened, opened.facts, as_json)


def observations(study: Name = None, storage: Address = DEFAULT, as_json: Json = False) -> None:
    """Show the observations in force, with the outcomes in force."""
    opened = open_study(study, storage)
    _show(opened, opened.observations, as_json)


def decisions(study: Name = None, storage: Address = DEFAULT, as_json: Json = False) -> None:
    """Show the decisions in force."""
    opened = open_study(study, storage)
    _show(opened, opened.decisions, as_json)


def failures(study: Name = None, storage: Address = DEFAULT, as_json: Json = False) -> None:
    """Show the failed trials in force."""
    opened = open_study(study, storage)
    _show(opened, opened.failures, as_json)


def comments(study: Name = None, storage: Address = DEFAULT, as_json: Json = False) -> None:
    """Show what people said about facts, in force."""
    opened = open_study(study, storage)
    _show(opened, opened.comments, as_json)


def problem(study: Name = None, storage: Address = DEFAULT, as_json: Json = False) -> None:
    """Show the problem as it is today; `setup` shows it as it was created."""
    from counsel.facts.lines import space_words

    found = open_study(study, storage).problem
    rows: list[list[object]] = [["objective", found.aim]]
    rows += [["constraint", each.words()] for each in found.constraints]
    say(as_json, found, table(["space", space_words(found.space)], rows))


def comparisons(study: Name = None, storage: Address = DEFAULT, as_json: Json = False) -> None:
    """Show the comparisons in force."""
    opened = open_study(study, storage)
    _show(opened, opened.comparisons, as_json)


def claims(study: Name = None, storage: Address = DEFAULT, as_json: Json = False) -> None:
    """Show the claims in force: which of two points people expect to be better."""
    opened = open_study(study, storage)
    _show(opened, opened.claims, as_json)


def pending(study: Name = None, storage: Address = DEFAULT, as_json: Json = False) -> None:
    """Show the proposals that wait for a decision or an observation."""
    opened = open_study(study, storage)
    _show(opened, opened.pending, as_json)


def proposal(
    proposal: Proposed, study: Name = None, storage: Address = DEFAULT, as_json: Json = False
) -> None:
    """Show one proposal."""
    opened = open_study(study, storage)
    found, space = opened.proposal(proposal), opened.problem.space
    fields: dict[str, object] = {
        "round": found.round,
        "values": measures(space, found.values),
        "context": measures(space, found.context),
        "asks": ", ".join(found.asks),
        "terms": found.terms,
        "chances": found.chances,
        "note": found.note,
    }
    rows = [[name, each] for name, each in fields.items() if each not in ("", {})]
    say(as_json, found, table(["proposal", found.id], rows))


def leases(study: Name = None, storage: Address = DEFAULT, as_json: Json = False) -> None:
    """Show who holds which proposal, and until when."""
    found = open_study(study, storage).leases
    rows = [[each.proposal, each.actor, f"{each.until:%Y-%m-%d %H:%M:%S}"] for each in found]
    say(as_json, found, table(["proposal", "held by", "until (UTC)"], rows))


def table_(
    csv: Annotated[bool, typer.Option("--csv", help="Answer in CSV.")] = False,
    study: Name = None,
    storage: Address = DEFAULT,
    as_json: Json = False,
) -> None:
    """Show the study as a table: a row per proposal, and per trial that nobody proposed."""
    import pandas as pd

    opened = open_study(study, storage)
    frame = opened.dataframe()
    rows: list[dict[str, Any]] = [
        {str(name): None if pd.isna(cell) else cell for name, cell in row.items()}
        for row in frame.to_dict("records")
    ]
    text = frame.to_csv(index=False).rstrip("\n") if csv else ""
    headings = [opened.problem.space.title(str(name)) for name in frame.columns]
    say(as_json, rows, text or table(headings, [row.values() for row in rows]))


def replay(study: Name = None, storage: Address = DEFAULT, as_json: Json = False) -> None:
    """Derive every proposal again from the facts, and show any differences."""
    found = open_study(study, storage).replay()
    lines = [f"{found.proposals} proposals replayed: "]
    if found.identical:
        lines[0] += "identical."
    else:
        lines[0] += f"{len(found.differences)} differences."
        lines += [
            f"{d.proposal} {d.field}: recorded {shown(d.recorded)}; now {shown(d.replayed)}"
            for d in found.differences
        ]
    say(as_json, found, "\n".join(lines))
    if not found.identical:
        raise typer.Exit(1)


COMMANDS = [
    (setup, "setup", "counsel setup --study exosuit-07"),
    (facts, "facts", "counsel facts --json"),
    (facts, "history", "counsel history --study exosuit-07"),
    (observations, "observations", "counsel observations --json"),
    (decisions, "decisions", "counsel decisions"),
    (failures, "failures", "counsel failures"),
    (claims, "claims", "counsel claims"),
    (comments, "comments", "counsel comments"),
    (problem, "problem", "counsel problem --json"),
    (comparisons, "comparisons", "counsel comparisons"),
    (pending, "pending", "counsel pending"),
    (proposal, "proposal", "counsel proposal p3 --json"),
    (leases, "leases", "counsel leases"),
    (table_, "table", "counsel table --csv > exosuit.csv"),
    (replay, "replay", "counsel replay --study exosuit-07"),
]


# ---- inside -------------------------------------------------------------------------------------


def _show(study: "Study", facts: Sequence["Fact"], as_json: bool) -> None:
    from counsel.facts.lines import line

    said, at = partial(outcomes, study.problem), partial(measures, study.problem.space)
    rows = []
    for fact in facts:
        actor, reason = getattr(fact, "actor", None), getattr(fact, "reason", "")
        quoted = f' "{reason}"' if reason else ""
        rows.append(
            [f"{fact.time:%Y-%m-%dT%H:%M:%S}", fact.id, actor, line(fact, at, said) + quoted]
        )
    found = table(["time (UTC)", "fact", "actor", "what"], rows) if rows else "There are none."
    say(as_json, facts, found)
