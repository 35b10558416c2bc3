"""Exports, imports and copies whole studies."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

from counsel.errors import Conflict, CounselError, InvalidInput
from counsel.exchange import document, table
from counsel.facts.checks import check_name
from counsel.facts.records import Fact
from counsel.facts.summaries import Setup
from counsel.policies.description import check
from counsel.storage import Storage, open_storage
from counsel.study import Study, StudyLike

__all__ = ["copy_study", "export_study", "import_study"]

_SUFFIXES = (".json", ".csv", ".parquet")


def export_study(study: StudyLike, path: str | Path) -> Path:
    """Write a whole study to a .json, .csv or .parquet file."""
    target = Path(path)
    suffix = _suffix(target)
    facts = study.facts
    temporary = target.with_name(f".{target.name}.part")  # the file appears complete or not at all
    try:
        if suffix == ".parquet":
            table.to_parquet(study.setup, facts, temporary)
        else:
            write = document.to_json if suffix == ".json" else table.to_csv
            temporary.write_text(write(study.setup, facts), encoding="utf-8", newline="")
        temporary.replace(target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise CounselError(f"Cannot write {target}: {error.strerror}.") from None
    return target


def import_study(
    path: str | Path, storage: str | Storage | None = None, *, name: str | None = None
) -> Study:
    """Create a study from an exported file, under its own or another name; all of it or nothing."""
    source = Path(path)
    read: dict[str, Callable[[Path], tuple[Setup, list[Fact]]]] = {
        ".json": lambda file: document.from_json(_text(file)),
        ".csv": lambda file: table.from_csv(_text(file)),
        ".parquet": table.from_parquet,
    }
    suffix = _suffix(source)
    if not source.is_file():
        raise InvalidInput("file", str(source), "There is no such file.")
    setup, facts = read[suffix](source)
    check(setup.policy)
    return _keep(setup, facts, storage, name)


def copy_study(
    study: StudyLike, storage: str | Storage | None, *, name: str | None = None
) -> Study:
    """Copy a study to another storage or under another name."""
    return _keep(study.setup, list(study.facts), storage, name)


def _keep(
    setup: Setup, facts: list[Fact], storage: str | Storage | None, name: str | None
) -> Study:
    if name is not None:
        check_name("study", name)
        setup = dataclasses.replace(setup, name=name)
    document.check(setup, facts)
    store = open_storage(storage)
    try:
        number = store.create(setup, facts)
    except Conflict:
        raise Conflict(
            f"A study {setup.name!r} already exists here. Give the new one another `name`."
        ) from None
    return Study(setup, store, number)


def _suffix(path: Path) -> str:
    suffix = path.suffix.lower()
    if suffix not in _SUFFIXES:
        raise InvalidInput("file", str(path), f"Use a name that ends in {', '.join(_SUFFIXES)}.")
    return suffix


def _text(path: Path) -> str:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return file.read()
    except UnicodeDecodeError:
        raise InvalidInput("file", str(path), "This is not UTF-8 text.") from None
