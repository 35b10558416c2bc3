"""A whole study from the terminal: new, ask, decide, tell, look, take along.

Every command names its storage (`--storage` or $COUNSEL_STORAGE) and, where there are several, its
study (`--study` or $COUNSEL_STUDY).
"""

import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from counsel.cli.output import say, sentences, shown, table

if TYPE_CHECKING:
    from counsel.study import Study

__all__ = ["register"]

_DEFAULT = "sqlite:///counsel.db"

Address = Annotated[
    str,
    typer.Option(
        "--storage",
        envvar="COUNSEL_STORAGE",
        help="Where studies are kept: sqlite:///file.db or postgresql://...",
    ),
]
Name = Annotated[
    str | None,
    typer.Option(
        "--study", "-s", envvar="COUNSEL_STUDY", help="Which study; the only one if there is one."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
Actor = Annotated[
    str | None,
    typer.Option("--actor", envvar="COUNSEL_ACTOR", help="Who says so; you, by default."),
]
Reason = Annotated[str, typer.Option("--reason", help="Why.")]
Key = Annotated[
    str | None, typer.Option("--key", help="Idempotency key: said twice, it counts once.")
]
Trial = Annotated[str, typer.Argument(metavar="PROPOSAL", help="Its id, as in p3.")]
Pairs = Annotated[
    list[str] | None, typer.Argument(metavar="[NAME=VALUE]...", help="Parameter values.")
]
Context = Annotated[
    list[str] | None, typer.Option("--context", "-c", help="Given and not chosen: NAME=VALUE.")
]


def register(app: typer.Typer) -> None:
    """Put the commands on the command line, in the order in which a study needs them."""
    for function, name, example in _COMMANDS:
        app.command(name, epilog=f"Example:  {example}")(function)


def new(
    file: Annotated[Path, typer.Argument(help="A YAML file that describes the study.")],
    storage: Address = _DEFAULT,
    as_json: Json = False,
) -> None:
    """Create a study that a YAML file describes.

    The file has a name, parameters (or arms: candidates.csv), and if you like an objective,
    direction, policy, seed and context; docs/storage.md shows one.
    """
    with sentences():
        from counsel.exchange import study_from_yaml
        from counsel.exchange.document import setup_to_dict

        made = study_from_yaml(file, storage)
        say(as_json, setup_to_dict(made.setup), f"Created study {made.name!r} in {storage}.")


def ask(
    n: Annotated[int | None, typer.Option("-n", help="How many trials.")] = None,
    context: Context = None,
    study: Name = None,
    storage: Address = _DEFAULT,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Propose what to try next."""
    with sentences():
        opened = _open(study, storage)
        given = _context(opened, context)
        if n is None:
            found = [opened.ask(context=given, idempotency_key=key)]
        else:
            found = opened.ask(n, context=given, idempotency_key=key)
        data = [_plain(proposal) for proposal in found]
        lines = []
        for proposal in found:
            believed = proposal.prediction
            expected = (
                f"; predicted {believed.mean:.4g} ± {believed.sd:.2g}"
                if believed is not None
                else ""
            )
            lines.append(f"{proposal.id}  {shown(proposal.values)}{expected}")
        say(as_json, data if n is not None else data[0], "\n".join(lines))


def explain(
    proposal: Annotated[
        str, typer.Argument(metavar="PROPOSAL|NAME=VALUE,...", help="Why this trial.")
    ],
    context: Context = None,
    study: Name = None,
    storage: Address = _DEFAULT,
    actor: Actor = None,
    as_json: Json = False,
) -> None:
    """Say why a trial was, or would be, proposed. It is written down who has seen it."""
    with sentences():
        opened = _open(study, storage)
        why = opened.explain(
            _trial(opened, proposal), context=_context(opened, context), actor=_who(actor)
        )
        data = {
            "proposal": why.proposal,
            "values": dict(why.point),
            "context": dict(why.context),
            "terms": list(why.terms),
            "parameters": list(why.parameters),
            "contributions": why.values.tolist(),
            "error": why.error.tolist(),
            "base": why.base.tolist(),
            "total": why.total.tolist(),
            "method": why.method,
            "note": why.note,
            "sentence": why.sentence(),
        }
        frame = why.table()
        rows = [
            [name, *map(float, row)] for name, row in zip(frame.index, frame.values, strict=True)
        ]
        shares = table(["term", *map(str, frame.columns)], rows)
        say(as_json, data, f"{why.sentence()}\n\n{shares}")


def accept(
    proposal: Trial,
    study: Name = None,
    storage: Address = _DEFAULT,
    actor: Actor = None,
    reason: Reason = "",
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Try what was proposed."""
    with sentences():
        fact = _open(study, storage).accept(
            proposal, actor=_who(actor), reason=reason, idempotency_key=key
        )
        say(as_json, _plain(fact), f"{fact.id}  {fact.actor} accepts {proposal}.")


def override(
    proposal: Trial,
    values: Pairs = None,
    study: Name = None,
    storage: Address = _DEFAULT,
    actor: Actor = None,
    reason: Reason = "",
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Try other values instead of what was proposed."""
    with sentences():
        from counsel.exchange.cells import parse_pairs

        opened = _open(study, storage)
        own = parse_pairs(opened.problem.space, values or [])
        fact = opened.override(proposal, own, actor=_who(actor), reason=reason, idempotency_key=key)
        say(as_json, _plain(fact), f"{fact.id}  {fact.actor} overrides {proposal}: {shown(own)}.")


def reject(
    proposal: Trial,
    study: Name = None,
    storage: Address = _DEFAULT,
    actor: Actor = None,
    reason: Reason = "",
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Do not try this, and do not propose it again."""
    with sentences():
        fact = _open(study, storage).reject(
            proposal, actor=_who(actor), reason=reason, idempotency_key=key
        )
        say(as_json, _plain(fact), f"{fact.id}  {fact.actor} rejects {proposal}.")


def tell(
    proposal: Annotated[
        str, typer.Argument(metavar="PROPOSAL|NAME=VALUE,...", help="Of which trial.")
    ],
    value: Annotated[float, typer.Argument(help="What was measured.")],
    context: Context = None,
    study: Name = None,
    storage: Address = _DEFAULT,
    actor: Actor = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Record what was measured, of a proposal or of a point that nobody proposed.

    A negative number follows two dashes: counsel tell p1 -- -0.5
    """
    with sentences():
        opened = _open(study, storage)
        fact = opened.tell(
            _trial(opened, proposal),
            value,
            context=_context(opened, context),
            actor=_who(actor),
            idempotency_key=key,
        )
        say(as_json, _plain(fact), f"{fact.id}  {shown(fact.values)}: {shown(fact.outcomes)}.")


def compare(
    winner: Annotated[str, typer.Argument(metavar="WINNER", help="p3, or name=value,...")],
    loser: Annotated[str, typer.Argument(metavar="LOSER", help="p1, or name=value,...")],
    tie: Annotated[bool, typer.Option("--tie", help="Neither is better.")] = False,
    context: Context = None,
    study: Name = None,
    storage: Address = _DEFAULT,
    actor: Actor = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Record that one trial is preferred to another."""
    with sentences():
        opened = _open(study, storage)
        fact = opened.compare(
            winner=_trial(opened, winner),
            loser=_trial(opened, loser),
            tie=tie,
            context=_context(opened, context),
            actor=_who(actor),
            idempotency_key=key,
        )
        verb = "is as good as" if tie else "is better than"
        say(as_json, _plain(fact), f"{fact.id}  {winner} {verb} {loser}, says {fact.actor}.")


def revise(
    observation: Annotated[str, typer.Argument(help="Its id, as in o3.")],
    value: Annotated[float, typer.Argument(help="What it should have been.")],
    study: Name = None,
    storage: Address = _DEFAULT,
    actor: Actor = None,
    reason: Reason = "",
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Correct what was measured; the history keeps both."""
    with sentences():
        fact = _open(study, storage).revise(
            observation, value, actor=_who(actor), reason=reason, idempotency_key=key
        )
        say(as_json, _plain(fact), f"{fact.id}  {observation} is {shown(fact.outcomes)}.")


def withdraw(
    fact: Annotated[str, typer.Argument(help="A decision, observation, comparison or revision.")],
    study: Name = None,
    storage: Address = _DEFAULT,
    actor: Actor = None,
    reason: Reason = "",
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Take something back; the history keeps both."""
    with sentences():
        made = _open(study, storage).withdraw(
            fact, actor=_who(actor), reason=reason, idempotency_key=key
        )
        say(as_json, _plain(made), f"{made.id}  {made.actor} takes {fact} back.")


def best(study: Name = None, storage: Address = _DEFAULT, as_json: Json = False) -> None:
    """Show the best trial so far."""
    with sentences():
        found = _open(study, storage).best
        if found is None:
            say(as_json, None, "Nothing has been measured yet.")
            return
        source = found.proposal.id if found.proposal is not None else None
        measured = found.observation.id if found.observation is not None else None
        data = {
            "values": dict(found.values),
            "value": found.value,
            "observation": measured,
            "proposal": source,
        }
        where = measured or "compared, not measured"
        say(as_json, data, f"{shown(found.value)} at {shown(found.values)} ({where})")


def history(study: Name = None, storage: Address = _DEFAULT, as_json: Json = False) -> None:
    """Show every fact, in order; what was withdrawn or corrected too."""
    with sentences():
        facts = [_plain(fact) for fact in _open(study, storage).facts]
        rows = [[f["time"][:19], f["id"], f.get("actor"), _told(f)] for f in facts]
        say(as_json, facts, table(["time (UTC)", "fact", "actor", "what"], rows))


def list_(storage: Address = _DEFAULT, as_json: Json = False) -> None:
    """Show the studies there are."""
    with sentences():
        import dataclasses

        from counsel.study import list_studies

        found = list_studies(storage)
        data = [{**dataclasses.asdict(s), "created": s.created.isoformat()} for s in found]
        rows = [
            [s.name, s.objective, s.policy, s.facts, f"{s.created:%Y-%m-%d %H:%M}"] for s in found
        ]
        columns = ["study", "objective", "policy", "facts", "created (UTC)"]
        say(as_json, data, table(columns, rows) if rows else "There are no studies yet.")


def delete(
    study: Annotated[str, typer.Argument(help="Which study.")],
    storage: Address = _DEFAULT,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Remove a study with all its facts, for good. Asks first."""
    with sentences():
        from counsel.study import delete_study, load_study

        count = len(load_study(study, storage).facts)
        if not yes:
            question = f"Remove study {study!r} with its {count} facts for good?"
            try:
                sure = typer.confirm(question, err=True)
            except typer.Abort:  # nobody there to answer
                sure = False
            if not sure:
                say(as_json, {"deleted": False}, "Nothing was removed.")
                raise typer.Exit(1)
        delete_study(study, storage)
        say(as_json, {"deleted": True, "facts": count}, f"Removed {study!r}.")


def replay(study: Name = None, storage: Address = _DEFAULT, as_json: Json = False) -> None:
    """Derive every proposal anew from the facts, and say where they differ, if anywhere."""
    with sentences():
        import dataclasses

        found = _open(study, storage).replay()
        data = {
            "proposals": found.proposals,
            "identical": found.identical,
            "differences": [dataclasses.asdict(d) for d in found.differences],
        }
        lines = [f"{found.proposals} proposals replayed: "]
        if found.identical:
            lines[0] += "identical."
        else:
            lines[0] += f"{len(found.differences)} differences."
            lines += [
                f"{d.proposal} {d.field}: recorded {shown(d.recorded)}; now {shown(d.replayed)}"
                for d in found.differences
            ]
        say(as_json, data, "\n".join(lines))
        if not found.identical:
            raise typer.Exit(1)


def export(
    file: Annotated[Path, typer.Argument(help="A .json, .csv or .parquet file to write.")],
    study: Name = None,
    storage: Address = _DEFAULT,
    as_json: Json = False,
) -> None:
    """Write everything there is of a study to a file."""
    with sentences():
        from counsel.exchange import export_study

        opened = _open(study, storage)
        written = export_study(opened, file)
        data = {"study": opened.name, "file": str(written), "facts": len(opened.facts)}
        say(as_json, data, f"Wrote {opened.name!r} with {data['facts']} facts to {written}.")


def import_(
    source: Annotated[
        str, typer.Argument(help="An exported file, a spreadsheet, or an Optuna study's name.")
    ],
    trials: Annotated[
        bool, typer.Option("--trials", help="A table of past trials, for an existing study.")
    ] = False,
    optuna: Annotated[
        str | None, typer.Option(help="SOURCE is an Optuna study in this Optuna storage.")
    ] = None,
    rename: Annotated[
        list[str] | None, typer.Option(help="A column's name here: 'Lift [N]=lifting'.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Another name for the new study.")] = None,
    policy: Annotated[str, typer.Option(help="Who proposes, after an Optuna study.")] = "v-ucb",
    study: Name = None,
    storage: Address = _DEFAULT,
    actor: Actor = None,
    as_json: Json = False,
) -> None:
    """Take in a whole study, a spreadsheet of past trials, or an Optuna study."""
    with sentences():
        from counsel import exchange

        if trials:
            pairs = dict(pair.rpartition("=")[::2] for pair in rename or [])
            opened = _open(study, storage)
            found = exchange.import_trials(opened, source, rename=pairs, actor=_who(actor))
            count, left = len(found.observations), ", ".join(found.ignored)
            data: dict[str, Any] = {
                "study": opened.name,
                "observations": [o.id for o in found.observations],
                "ignored columns": list(found.ignored),
                "rows without outcomes": list(found.empty),
            }
            text = f"{opened.name!r} has {count} trials of {source}."
            text += f" Columns ignored: {left}." if left else ""
            text += f" Rows without an outcome: {shown(list(found.empty))}." if found.empty else ""
        elif optuna is not None:
            made = exchange.import_optuna(
                source, optuna_storage=optuna, storage=storage, name=name, policy=policy
            )
            count = len(made.study.observations)
            data = {"study": made.study.name, "observations": count, "notes": list(made.notes)}
            text = "\n".join([f"Made {made.study.name!r} with {count} trials.", *made.notes])
        else:
            whole = exchange.import_study(source, storage, name=name)
            data = {"study": whole.name, "facts": len(whole.facts)}
            text = f"Made {whole.name!r} with {data['facts']} facts."
        say(as_json, data, text)


_COMMANDS: list[tuple[Any, str, str]] = [
    (new, "new", "counsel new study.yaml --storage sqlite:///lab.db"),
    (ask, "ask", "counsel ask -n 3 --json"),
    (explain, "explain", "counsel explain p3   or   counsel explain lifting=20,lowering=5"),
    (accept, "accept", "counsel accept p3 --actor ann"),
    (override, "override", "counsel override p3 lifting=20 lowering=5 --reason 'too stiff'"),
    (reject, "reject", "counsel reject p3 --reason unsafe"),
    (tell, "tell", "counsel tell p3 1.8   or   counsel tell lifting=20,lowering=5 1.8"),
    (compare, "compare", "counsel compare p3 p1"),
    (revise, "revise", "counsel revise o3 1.9 --reason 'read the wrong line'"),
    (withdraw, "withdraw", "counsel withdraw d2 --reason 'a mistake'"),
    (best, "best", "counsel best --json"),
    (history, "history", "counsel history --study exosuit-07"),
    (list_, "list", "counsel list --storage sqlite:///lab.db"),
    (delete, "delete", "counsel delete exosuit-07"),
    (replay, "replay", "counsel replay --study exosuit-07"),
    (export, "export", "counsel export exosuit.json"),
    (
        import_,
        "import",
        "counsel import exosuit.json --name copy   or   counsel import past.csv --trials",
    ),
]


# ---- inside -------------------------------------------------------------------------------------


def _open(name: str | None, storage: str) -> "Study":
    from counsel.errors import NotFound
    from counsel.storage import open_storage
    from counsel.study import load_study

    opened = open_storage(storage, create=False)
    if name is None:
        names = [summary.name for summary in opened.summaries()]
        if len(names) != 1:
            raise NotFound(
                f"There are several studies here: {', '.join(names)}. Choose one with --study."
                if names
                else f"There is no study in {storage} yet. Make one: counsel new study.yaml"
            )
        name = names[0]
    return load_study(name, opened)


def _who(actor: str | None) -> str:
    if actor is not None:
        return actor
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container's user may have no name
        return "anonymous"


def _context(study: "Study", pairs: list[str] | None) -> Any:
    from counsel.exchange.cells import parse_pairs

    return parse_pairs(study.problem.space, pairs) if pairs else None


def _trial(study: "Study", text: str) -> Any:
    """A proposal's id, or values as in x=1,y=2."""
    from counsel.exchange.cells import parse_pairs

    return parse_pairs(study.problem.space, text.split(",")) if "=" in text else text


def _plain(fact: Any) -> dict[str, Any]:
    from counsel.exchange.document import fact_to_dict

    return fact_to_dict(fact)


def _told(fact: dict[str, Any]) -> str:
    """A fact in a line."""
    match fact["kind"]:
        case "proposal":
            return f"propose {shown(fact['values'])}"
        case "decision":
            own = f": {shown(fact['values'])}" if fact["values"] else ""
            line = f"{fact['decision']} {fact['proposal']}{own}"
        case "observation":
            where = fact["proposal"] or shown(fact["values"])
            line = f"tell {where}: {shown(fact['outcomes'])}"
        case "comparison":
            sides = [fact[f"{side}_proposal"] or shown(fact[side]) for side in ("winner", "loser")]
            line = f"compare: {sides[0]} {'as good as' if fact['tie'] else 'over'} {sides[1]}"
        case "revision":
            line = f"revise {fact['fact']}: {shown(fact['outcomes'])}"
        case _:
            line = f"withdraw {fact['fact']}"
    return f'{line} "{fact["reason"]}"' if fact.get("reason") else line
