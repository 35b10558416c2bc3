"""Storages for studies: memory, an SQLite file, a PostgreSQL database."""

from typing import TYPE_CHECKING

from counsel.errors import InvalidInput
from counsel.facts.summaries import Setup, Summary
from counsel.storage.contract import Answer, Request, Storage, Writer
from counsel.storage.memory import MemoryStorage

if TYPE_CHECKING:
    from counsel.storage.sql import SqlStorage

__all__ = [
    "Answer",
    "MemoryStorage",
    "Request",
    "Setup",
    "SqlStorage",
    "Storage",
    "Summary",
    "Writer",
    "open_storage",
]


def open_storage(storage: "str | Storage | None", *, create: bool = True) -> Storage:
    """A storage given as such, the database at an address, or new memory."""
    if storage is None:
        return MemoryStorage()
    if isinstance(storage, str):
        from counsel.storage.sql import SqlStorage

        return SqlStorage(storage, create=create)
    if isinstance(storage, type) or not isinstance(storage, Storage):
        raise InvalidInput(
            "storage",
            storage,
            "Give sqlite:///file.db, postgresql://user:password@host/database, or None for memory.",
        )
    return storage


def __getattr__(name: str) -> object:
    if name == "SqlStorage":  # loaded on use: the database library is slow to import
        from counsel.storage.sql import SqlStorage

        return SqlStorage
    raise AttributeError(f"module 'counsel.storage' has no attribute {name!r}")
