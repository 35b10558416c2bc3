"""Commands that maintain a storage."""

from pathlib import Path
from typing import Annotated

import typer

from counsel.cli.options import DEFAULT, Address, Json
from counsel.cli.output import say, sentences, table

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    app.command("backup", epilog="Example:  counsel backup monday.db --storage sqlite:///lab.db")(
        backup
    )
    app.command("restore", epilog="Example:  counsel restore monday.db --storage sqlite:///new.db")(
        restore
    )
    app.command("verify", epilog="Example:  counsel verify --storage sqlite:///lab.db")(verify)


def backup(
    file: Annotated[Path, typer.Argument(help="The new file; an SQLite database.")],
    storage: Address = DEFAULT,
    as_json: Json = False,
) -> None:
    """Copy a whole storage to a file while it is in use: studies, facts, tokens."""
    with sentences():
        from counsel.storage.backup import backup as copy
        from counsel.storage.sql import SqlStorage

        done = copy(SqlStorage(storage, create=False), file)
        text = f"{done.studies} studies with {done.facts} facts are in {file}, and intact."
        say(as_json, {"file": str(file), "studies": done.studies, "facts": done.facts}, text)


def restore(
    file: Annotated[Path, typer.Argument(help="A file that `counsel backup` has written.")],
    storage: Address = DEFAULT,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace what the storage holds, tokens included.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Bring a backup back, into a file or a PostgreSQL server, all of it or nothing."""
    with sentences():
        from counsel.storage.backup import restore as bring_back
        from counsel.storage.sql import SqlStorage

        done = bring_back(file, SqlStorage(storage), replace=replace)
        text = f"{done.studies} studies with {done.facts} facts are back."
        say(as_json, {"studies": done.studies, "facts": done.facts}, text)


def verify(
    storage: Address = DEFAULT,
    replay: Annotated[
        bool, typer.Option("--replay", help="Also derive every proposal again; this takes a while.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Check every fact of every study. The exit code is 1 if something is damaged."""
    with sentences():
        from counsel.storage.sql import SqlStorage
        from counsel.storage.verify import verify as check

        opened = SqlStorage(storage, create=False)
        found = check(opened, lambda name: _fold(opened, name, replay))
        rows = [
            {"study": v.study, "facts": v.facts, "whole": v.whole, "damage": v.damage}
            for v in found
        ]
        columns = ("study", "facts", "whole", "state")
        shown = table(columns, [[v.study, v.facts, v.whole, v.damage or "intact"] for v in found])
        say(as_json, rows, shown if found else "There are no studies here.")
        if not all(verdict.intact for verdict in found):
            raise typer.Exit(1)


def _fold(storage: object, name: str, replay: bool) -> None:
    """What the facts add up to, and whether proposals follow from them."""
    from counsel.errors import StorageError
    from counsel.exchange.document import check
    from counsel.study import load_study

    study = load_study(name, storage)  # type: ignore[arg-type]
    check(study.setup, study.facts)
    if replay:
        found = study.replay()
        if not found.identical:
            first = found.differences[0]
            raise StorageError(
                f"Replaying gives a different {first.proposal!r}: {first.field} was recorded as "
                f"{first.recorded!r} and is {first.replayed!r}."
            )
