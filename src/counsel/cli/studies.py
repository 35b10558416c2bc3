"""Commands for whole studies: new, list, delete, import, export, schema."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from counsel.cli.options import DEFAULT, Actor, Address, Json, Key, Name, masked, open_study, who
from counsel.cli.output import say, table

__all__ = ["COMMANDS"]

Given = Annotated[
    str | None,
    typer.Option(
        "--storage",
        envvar="COUNSEL_STORAGE",
        help=f"Where it is kept; the file's `storage`, or {DEFAULT}, by default.",
    ),
]


def new(
    file: Annotated[Path, typer.Argument(help="A YAML file that describes the study.")],
    storage: Given = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Open it if it exists with the same description.")
    ] = False,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Create a study that a YAML file describes.

    The file has a name and parameters (or arms: candidates.csv) and, optionally, an objective,
    direction, constraints, context, policy, seed and storage; docs/storage.md shows one.
    """
    from counsel.errors import Conflict
    from counsel.exchange.yaml_file import arguments_from_yaml
    from counsel.storage.contract import KeyReused
    from counsel.study import create_study

    began = datetime.now(UTC)
    arguments = arguments_from_yaml(file)
    arguments["storage"] = address = storage or arguments.get("storage") or DEFAULT
    arguments["load_if_exists"] = resume or arguments.get("load_if_exists", False)
    try:
        made = create_study(**arguments | ({"idempotency_key": key} if key else {}))
    except Conflict as conflict:
        if arguments["load_if_exists"] or isinstance(conflict, KeyReused):
            raise
        raise Conflict(
            f"A study {arguments['name']!r} already exists in {masked(address)}. Add --resume to "
            "go on with it, or give the study in the file another name."
        ) from None
    elsewhere = "" if address == DEFAULT else f" --storage {masked(address)}"
    done = "Opened" if made.setup.created < began else "Created"
    said = f"{done} study {made.name!r} in {masked(address)}. Next: counsel ask{elsewhere}"
    say(as_json, made.setup, said)


def list_(
    storage: Address = DEFAULT,
    archived: Annotated[bool, typer.Option("--archived", help="Include archived studies.")] = False,
    as_json: Json = False,
) -> None:
    """List the studies."""
    from counsel.study import list_studies

    known = list_studies(storage, archived=True)
    found = [each for each in known if archived or not each.archived]
    rows = [
        [
            s.name,
            s.objective,
            s.policy,
            s.facts,
            f"{s.created:%Y-%m-%d %H:%M}",
            *(["archived" if s.archived else ""] if archived else []),
        ]
        for s in found
    ]
    columns = ["study", "objective", "policy", "facts", "created (UTC)"]
    columns += ["state"] if archived else []
    none = "There are no studies yet."
    if known:
        none = f"All studies here are archived ({len(known)}): counsel list --archived shows them."
    say(as_json, found, table(columns, rows) if rows else none)


def delete(
    study: Annotated[str, typer.Argument(help="Which study.")],
    storage: Address = DEFAULT,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Delete a study with all its facts, permanently. Asks first."""
    from counsel.study import delete_study, load_study

    count = len(load_study(study, storage).facts)
    if not yes:
        question = f"Remove study {study!r} with its {count} facts permanently?"
        try:
            sure = typer.confirm(question, err=True)
        except typer.Abort:  # nobody is there to answer
            sure = False
        if not sure:
            say(as_json, {"deleted": False}, "Nothing was removed.")
            raise typer.Exit(1)
    delete_study(study, storage)
    say(as_json, {"deleted": True, "facts": count}, f"Removed {study!r}.")


def export(
    file: Annotated[Path, typer.Argument(help="A .json, .csv or .parquet file to write.")],
    study: Name = None,
    storage: Address = DEFAULT,
    as_json: Json = False,
) -> None:
    """Write a whole study to a file."""
    from counsel.exchange import export_study

    opened = open_study(study, storage)
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
    label: Annotated[
        str | None, typer.Option(help="The column that identifies each trial; else its content.")
    ] = None,
    decimal: Annotated[
        str | None, typer.Option(help="What separates decimals in the table: ',' or '.'.")
    ] = None,
    sheet: Annotated[
        str | None, typer.Option(help="Which sheet of an Excel file; the first by default.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Another name for the new study.")] = None,
    policy: Annotated[str, typer.Option(help="The policy, after an Optuna study.")] = "v-ucb",
    study: Name = None,
    storage: Address = DEFAULT,
    actor: Actor = None,
    as_json: Json = False,
) -> None:
    """Import a whole study, a spreadsheet of past trials, or an Optuna study."""
    from counsel import exchange

    if trials:
        pairs = dict(pair.rpartition("=")[::2] for pair in rename or [])
        opened = open_study(study, storage)
        found = exchange.import_trials(
            opened,
            source,
            rename=pairs,
            label=label,
            decimal=decimal,
            sheet=sheet,
            actor=who(actor),
        )
        data: dict[str, Any] = {
            "study": opened.name,
            "observations": [o.id for o in found.observations],
            "already there": found.known,
            "revisions": [r.id for r in found.revised],
            "told anew": [o.id for o in found.retold],
            "read as": dict(found.read_as),
            "ignored columns": list(found.ignored),
            "rows without outcomes": list(found.empty),
        }
        text = f"{source} in {opened.name!r}: {found.sentence()}"
        read = ", ".join(f"{column!r} as {name}" for column, name in found.read_as.items())
        text += f" Read {read}." if read else ""
        if found.empty:
            text += " If a trial failed because of its settings, record it with counsel fail."
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


def schema(
    record: Annotated[
        str | None, typer.Argument(help="Which record, as in Proposal; all of them by default.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="A schema is JSON anyway.")] = True,
) -> None:
    """Show the JSON Schema of a study file and of every record, or of one of them."""
    from counsel.exchange.schema import schema, schemas

    say(True, schemas() if record is None else schema(record), "")


COMMANDS = [
    (new, "new", "counsel new study.yaml --storage sqlite:///lab.db"),
    (list_, "list", "counsel list --storage sqlite:///lab.db"),
    (delete, "delete", "counsel delete exosuit-07"),
    (export, "export", "counsel export exosuit.json"),
    (
        import_,
        "import",
        "counsel import exosuit.json --name copy   or   counsel import past.csv --trials",
    ),
    (schema, "schema", "counsel schema Proposal"),
]
