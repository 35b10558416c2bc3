"""Opens a database: an engine set up for storing facts, and tables of the current version.

A database is created or upgraded in one transaction, under a lock: if several programs open it at
once, one does the work and the others find it done.
"""

import re
import sqlite3
from contextlib import AbstractContextManager
from importlib import resources
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event, exc

from counsel.errors import InvalidInput, StorageError, install
from counsel.storage import schema

__all__ = ["FORMS", "begin_writing", "engine_for", "file_of", "parse", "prepare", "shown"]

FORMS = "Give sqlite:///file.db or postgresql://user:password@host/database."
LOCK_SECONDS = 0.5  # how long a statement waits for another writer before it is retried
_UPGRADE_SECONDS = 3600.0
_ADVISORY = 0x636F756E73656C  # "counsel", as the number of PostgreSQL's lock
_WRITING = "counsel_writing"
_DURABLE = """SELECT set_config('synchronous_commit', 'on', false)
WHERE current_setting('synchronous_commit') <> 'remote_apply'"""


def parse(url: object) -> sa.URL:
    """The address with Counsel's drivers; InvalidInput for other databases."""
    if not isinstance(url, str):
        raise InvalidInput("storage", url, FORMS)
    if "://" not in url:
        hint = f" Did you mean 'sqlite:///{_masked(url)}'?" if url and "@" not in url else ""
        raise InvalidInput("storage", _masked(url), FORMS + hint)
    try:
        found = sa.make_url(url)
    except (exc.ArgumentError, ValueError):
        raise InvalidInput("storage", _masked(url), FORMS) from None
    kind = found.get_backend_name()
    if kind in ("postgresql", "postgres"):
        return found.set(drivername="postgresql+psycopg")
    if kind != "sqlite":
        raise InvalidInput("storage", shown(found), FORMS)
    if found.database in (None, "", ":memory:"):
        raise InvalidInput("storage", shown(found), "Name a file: sqlite:///file.db.")
    return found.set(drivername="sqlite+pysqlite")


def _masked(text: str) -> str:
    """An invalid address without what may be a password (after the user's colon, in the query)."""
    text = re.sub(r"(?i)(password[^=&]*=)[^&]*", r"\1***", text)
    scheme, slashes, rest = text.rpartition("//")
    user, colon, _ = rest.partition(":")
    _, at, host = rest.rpartition("@")
    return f"{scheme}{slashes}{user}:***@{host}" if colon and at else text


def shown(address: sa.URL) -> str:
    """The address as people write it, without passwords, wherever they appear."""
    query = {
        name: "***" if "password" in name.lower() else value
        for name, value in address.query.items()
    }
    plain = address.set(drivername=address.get_backend_name(), query=query)
    return plain.render_as_string(hide_password=True)


def file_of(address: sa.URL) -> str | None:
    """The file of a database; None for a server or for SQLite's URI names."""
    if address.get_backend_name() != "sqlite" or address.database is None:
        return None
    return None if address.database.startswith("file:") else address.database


def engine_for(url: sa.URL) -> sa.Engine:
    if url.get_backend_name() == "sqlite":
        return _sqlite_engine(url)
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise StorageError(f"PostgreSQL needs the driver psycopg: {install('postgres')}.") from None
    arguments: dict[str, Any] = {"connect_timeout": 10, "application_name": "counsel"}
    arguments["options"] = f"-c lock_timeout={LOCK_SECONDS * 1000:.0f}"
    given = {name: value for name, value in arguments.items() if name not in url.query}
    engine = sa.create_engine(url, connect_args=given)

    @event.listens_for(engine, "do_connect")
    def connect(dialect: object, record: object, args: Any, options: Any) -> Any:
        from counsel.storage.deadlines import LimitedConnection

        return LimitedConnection.connect(*args, **options)

    @event.listens_for(engine, "connect")
    def connected(connection: Any, record: object) -> None:
        # Whatever the settings of server, database, user or address: acknowledged facts are on
        # disk. "remote_apply" promises even more and is kept.
        connection.execute(_DURABLE)
        connection.commit()

    return engine


def _sqlite_engine(url: sa.URL) -> sa.Engine:
    given: dict[str, Any] = {} if "timeout" in url.query else {"timeout": LOCK_SECONDS}
    given["check_same_thread"] = False  # the pool lends a connection to one thread at a time
    engine = sa.create_engine(url, connect_args=given, poolclass=sa.QueuePool)

    @event.listens_for(engine, "connect")
    def connected(connection: Any, record: object) -> None:
        connection.isolation_level = None  # transactions begin explicitly, below
        cursor = connection.cursor()
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute("PRAGMA synchronous = FULL")  # in WAL mode: fsync at every commit
        cursor.execute("PRAGMA fullfsync = ON")  # macOS has two kinds of fsync
        cursor.close()

    @event.listens_for(engine, "begin")
    def begun(connection: sa.Connection) -> None:
        # A transaction that reads first and writes later may find the lock taken and its data
        # stale; a writing one takes the lock at once.
        writing = connection.get_execution_options().get(_WRITING)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

    return engine


def begin_writing(engine: sa.Engine) -> AbstractContextManager[sa.Connection]:
    """A transaction that will write."""
    return engine.execution_options(**{_WRITING: True}).begin()


def prepare(engine: sa.Engine, where: str) -> None:
    """Create or upgrade the tables; refuse those of another program or a newer version."""
    with engine.connect() as connection:
        if _version(connection) == schema.VERSION:
            return
    if engine.dialect.name == "sqlite":
        _log_ahead(engine)
    with begin_writing(engine) as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_ADVISORY)))
        found = _version(connection)
        if found == schema.VERSION:
            return
        _refuse_strangers(connection, found, where)
        if engine.dialect.name == "postgresql":  # a large database takes long, once
            connection.connection.dbapi_connection.limit = _UPGRADE_SECONDS  # type: ignore[union-attr]
        _upgrade(connection)
    if engine.dialect.name == "postgresql":
        engine.dispose()  # its limit goes with that connection


def _log_ahead(engine: sa.Engine) -> None:
    """Write-ahead logging, which must be turned on outside any transaction."""
    pragma = "PRAGMA journal_mode = WAL"
    raw = engine.raw_connection()
    try:
        raw.cursor().execute(pragma)
    except sqlite3.OperationalError as error:  # wrapped as elsewhere, so that it is retried
        raise exc.OperationalError(pragma, None, error) from error
    finally:
        raw.close()


def _version(connection: sa.Connection) -> str | None:
    inspector = sa.inspect(connection)
    if not inspector.has_table(schema.VERSION_TABLE):
        return None
    query = sa.text(f"SELECT version_num FROM {schema.VERSION_TABLE}")
    return connection.execute(query).scalar_one_or_none()


def _refuse_strangers(connection: sa.Connection, version: str | None, where: str) -> None:
    if version is None:
        # Tokens may be older than studies: they once had their table made apart.
        ours = set(schema.metadata.tables) - {schema.tokens.name}
        clash = set(sa.inspect(connection).get_table_names()) & ours
        if clash:
            raise StorageError(
                f"The database {where} holds tables of another program ({', '.join(sorted(clash))})"
                ". Give Counsel a database or file of its own."
            )
    elif version not in _known_versions():
        raise StorageError(
            f"The database {where} has schema version {version!r}, which this Counsel (schema "
            f"{schema.VERSION!r}) does not know. Install the newer Counsel that made it."
        )


def _known_versions() -> set[str]:
    folder = resources.files("counsel.storage.migrations") / "versions"
    return {entry.name[:4] for entry in folder.iterdir() if entry.name[:4].isdigit()}


def _upgrade(connection: sa.Connection) -> None:
    from alembic import command
    from alembic.config import Config

    folder = str(resources.files("counsel.storage.migrations"))
    config = Config()
    config.set_main_option("script_location", folder.replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
