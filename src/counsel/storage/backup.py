"""Copies of a whole storage, made and brought back while it is in use.

A backup is an SQLite file with everything there is: studies, facts, leases, explanations, tokens.
It is read in one snapshot, checked fact by fact, and then takes its name: there is never half of
one. It comes back into a file or a PostgreSQL server, whichever it came from, in one transaction.
Programs that have the storage open notice what has changed under them (HistoryChanged) and go on.
"""

import os
import sqlite3
import stat
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from counsel.errors import InvalidInput, StorageError
from counsel.storage import schema
from counsel.storage.sql import SqlStorage, delete_study
from counsel.storage.verify import verify

__all__ = ["Copied", "backup", "restore"]

_ROWS = 2000  # at a time


@dataclass(frozen=True, slots=True)
class Copied:
    studies: int
    facts: int


def backup(storage: SqlStorage, path: str | Path) -> Copied:
    """Write everything that a storage holds to a new file, which nobody may read who may not read
    the storage's own; of a server's data, only its owner.

    StorageError if what it holds is damaged: a copy of that would take the place of a good one.
    """
    target = Path(path)
    if target.exists():
        raise InvalidInput("file", str(target), "It exists. Give the name of a new file.")
    part = target.with_name(f".{target.name}.part")
    try:
        if storage.database.file is not None:
            with storage.database.reading():  # refuses a file that is gone
                pass
            _make(part, stat.S_IMODE(os.stat(storage.database.file).st_mode))
            _copy_file(storage.database.file, part)
        else:
            storage.database.patiently(lambda: _copy_server(storage, part))
        copied = _checked(part)
        part.replace(target)
    except OSError as error:
        raise StorageError(f"Cannot write {target}: {error.strerror}.") from None
    finally:
        for end in ("", "-wal", "-shm"):
            part.with_name(part.name + end).unlink(missing_ok=True)
    return copied


def restore(path: str | Path, storage: SqlStorage, *, replace: bool = False) -> Copied:
    """Bring a backup back, all of it or nothing; `replace` what the storage holds."""
    source = Path(path)
    if not source.is_file():
        raise InvalidInput("file", str(source), "There is no such file.")
    copied = _checked(source)
    count = sa.select(sa.func.count()).select_from(schema.studies)

    def work() -> None:
        with copy.database.reading() as found, storage.database.writing() as into:
            held = into.execute(count).scalar_one()
            if held and not replace:
                raise InvalidInput(
                    "storage",
                    storage.where,
                    f"It holds {held} studies: replace them with `replace`.",
                )
            for study in into.execute(sa.select(schema.studies.c.id)).scalars().all():
                delete_study(into, study)
            for table in reversed(schema.metadata.sorted_tables):
                into.execute(sa.delete(table))
            _copy_rows(found, into)
            _never_give_a_number_twice(into)

    with closing(SqlStorage(f"sqlite:///{source}", create=False)) as copy:
        storage.database.patiently(work)
    return copied


def _make(file: Path, rights: int) -> None:
    """An empty file with these rights, never one (nor a link) that somebody else has put there."""
    file.unlink(missing_ok=True)
    os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, rights))


def _checked(file: Path) -> Copied:
    """What a backup holds; StorageError where anything in it is damaged."""
    with closing(SqlStorage(f"sqlite:///{file}", create=False)) as copy:
        found = verify(copy)
    damaged = next((verdict for verdict in found if not verdict.intact), None)
    if damaged is not None:
        raise StorageError(f"Study {damaged.study!r} is damaged: {damaged.damage}")
    return Copied(len(found), sum(verdict.facts for verdict in found))


def _copy_server(storage: SqlStorage, target: Path) -> None:
    """In one snapshot, row by row; from the beginning where the connection broke."""
    _make(target, stat.S_IRUSR | stat.S_IWUSR)
    with (
        closing(SqlStorage(f"sqlite:///{target}")) as copy,
        copy.database.writing() as into,
        storage.database.reading() as source,
    ):
        _copy_rows(source, into)


def _copy_file(source: str, target: Path) -> None:
    """SQLite's own way: page by page, beside whoever writes."""
    try:
        with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
            old.backup(new)
    except sqlite3.Error as error:
        raise StorageError(f"The database {source} cannot be copied: {error}.") from None


def _copy_rows(source: sa.Connection, into: sa.Connection) -> None:
    for table in schema.metadata.sorted_tables:
        rows = source.execution_options(yield_per=_ROWS).execute(sa.select(table)).mappings()
        for part in rows.partitions(_ROWS):
            into.execute(sa.insert(table), [dict(row) for row in part])


def _never_give_a_number_twice(into: sa.Connection) -> None:
    """A program may still have a study open that is gone: the next study gets another number."""
    if into.dialect.name == "postgresql":
        into.execute(
            sa.text(
                "SELECT setval(s, greatest((SELECT coalesce(max(id), 1) FROM studies), "
                "nextval(s))) FROM pg_get_serial_sequence('studies', 'id') AS s"
            )
        )
