"""Checks a whole storage: every study can be read, and every fact is what was written."""

from collections.abc import Callable
from dataclasses import dataclass

from counsel.errors import CounselError
from counsel.facts.chain import NOTHING
from counsel.storage.sql import SqlStorage

__all__ = ["Verdict", "verify"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on one study. The first `whole` facts are as they were written."""

    study: str
    facts: int
    whole: int
    damage: str | None

    @property
    def intact(self) -> bool:
        return self.damage is None


def verify(storage: SqlStorage, also: Callable[[str], None] = lambda name: None) -> list[Verdict]:
    """One verdict for each study; StorageError if the database itself is damaged.

    `also` may check more of a study, by its name, and raises what it finds.
    """
    storage.check_file()
    return [_verdict(storage, each.name, each.facts, also) for each in storage.summaries()]


def _verdict(storage: SqlStorage, name: str, count: int, also: Callable[[str], None]) -> Verdict:
    try:
        number, _ = storage.find(name)
    except CounselError as error:
        return Verdict(name, count, 0, str(error))
    try:
        storage.news(number, NOTHING)
    except CounselError as error:
        return Verdict(name, count, _whole(storage, number, count), str(error))
    try:
        also(name)
    except CounselError as error:
        return Verdict(name, count, count, str(error))
    return Verdict(name, count, count, None)


def _whole(storage: SqlStorage, study: int, count: int) -> int:
    """How many facts, from the first, are intact: found by bisection."""
    low, high = 0, count  # `low` facts are intact, `high + 1` are not
    while low < high:
        middle = (low + high + 1) // 2
        try:
            storage.first(study, middle)
            low = middle
        except CounselError:
            high = middle - 1
    return low
