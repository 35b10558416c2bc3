"""A whole study as a document: what it was created with, and all its facts in order.

Leases and idempotency keys are not part of it: they belong to the storage, not to the study.
"""

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from counsel.errors import InvalidInput
from counsel.exchange import format_1
from counsel.facts import codec
from counsel.facts.checks import LONGEST_NAME, check_name, check_text
from counsel.facts.codec import AnyFact
from counsel.facts.form import Record
from counsel.facts.problem import check_lengths
from counsel.facts.records import Archival, Claim, Comment, Fact, Proposal
from counsel.facts.state import StudyState
from counsel.facts.summaries import Setup

__all__ = ["FORMAT", "StudyFile", "check", "from_json", "refuse_format", "to_json"]

FORMAT: Literal["counsel-study/2"] = "counsel-study/2"
# Ids begin with the first letter of the kind, where that is free: "e" is for what is expected.
_LETTERS: dict[type, str] = {Claim: "e", Comment: "n", Archival: "h"}


@dataclass(frozen=True, slots=True)
class StudyFile(Record):
    """A whole study. Its JSON is what `counsel export` writes and `counsel import` reads."""

    format: Literal["counsel-study/2"]
    setup: Setup
    facts: tuple[AnyFact, ...]


def to_json(setup: Setup, facts: Iterable[Fact]) -> str:
    """A JSON object with one fact per line: quick to write, and easy to read and compare."""
    lines = ",\n".join(map(codec.to_text, facts))
    head = f'{{"format": {codec.to_text(FORMAT)},\n"setup": {codec.to_text(setup)},\n'
    return f'{head}"facts": [\n{lines}\n]}}\n'


def from_json(text: str) -> tuple[Setup, list[Fact]]:
    data = codec.from_text("file", text)
    if isinstance(data, Mapping) and data.get("counsel") == format_1.FORMAT:
        with _reading("file", data):
            setup, facts = data["study"], data["facts"]
            data = {
                "format": FORMAT,
                "setup": format_1.upgrade_setup(setup),
                "facts": [format_1.upgrade_fact(each) for each in facts],
            }
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        refuse_format(data)
    found = codec.read(StudyFile, data)
    return found.setup, list(found.facts)


def refuse_format(data: Any) -> None:
    found = data.get("format", data.get("counsel")) if isinstance(data, Mapping) else data
    raise InvalidInput(
        "file", found, f"Give a file that Counsel has exported (format {FORMAT!r} or earlier)."
    )


def check(setup: Setup, facts: Iterable[Fact]) -> None:
    """Refuse facts that no study could have: they would break it later."""
    check_name("study", setup.name)
    check_lengths(setup.problem)
    _check_texts("setup", codec.write(setup))
    state = StudyState(setup.problem)
    seen: set[str] = set()
    for fact in facts:
        first = _LETTERS.get(type(fact), type(fact).__name__[0].lower())
        expected = f"{first}{state.made[type(fact)] + 1}"
        if fact.id != expected or fact.id in seen:
            raise InvalidInput("fact", fact.id, f"Expected {expected!r} here.")
        if isinstance(fact, Proposal) and fact.seen > state.count:
            raise InvalidInput("fact", fact.id, f"It cannot have seen {fact.seen} facts.")
        if not isinstance(fact, Proposal):
            check_text("actor", fact.actor, most=LONGEST_NAME)
        for field in dataclasses.fields(fact):
            if isinstance(text := getattr(fact, field.name), str):
                check_text(f"{field.name} of {fact.id}", text)
        with _reading(f"fact {fact.id!r}", fact):
            state.add(fact)
        seen.add(fact.id)


def _check_texts(what: str, data: Any) -> None:
    """Refuse texts that no database keeps, wherever they are."""
    if isinstance(data, str):
        check_text(what, data)
    elif isinstance(data, Mapping):
        for name, each in data.items():
            check_text(what, name)
            _check_texts(f"{what}.{name}", each)
    elif isinstance(data, list | tuple):
        for each in data:
            _check_texts(what, each)


class _reading:
    """Turns errors from missing or malformed parts of a file into a message."""

    def __init__(self, what: str, data: Any) -> None:
        self._what, self._data = what, data

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, KeyError | TypeError | AttributeError | ValueError) and not isinstance(
            error, InvalidInput
        ):
            raise InvalidInput(
                self._what,
                self._data,
                f"The file is incomplete or was edited by hand ({error!r}). Export it again.",
            ) from error
