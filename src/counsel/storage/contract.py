"""What a storage does: keep studies and their facts, in order, for any number of writers.

Reading is free. Writing goes through `write`: one writer of a study at a time, everything that the
writer appends is kept or nothing is, and it is on disk when `write` returns. A storage may run the
writer's work again (after a lock or connection error); the work must therefore look at `read` and
`answer` first and change nothing but through its writer.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeVar, runtime_checkable

from counsel.errors import Conflict
from counsel.explain.attribution import Shown
from counsel.facts.chain import Seen
from counsel.facts.records import Fact, Lease, Setup, Summary

__all__ = ["Answer", "KeyReused", "News", "Request", "Storage", "Writer"]

T = TypeVar("T")


class KeyReused(Conflict):
    """A key that created a study came with the description of another."""


class Request(NamedTuple):
    """The idempotency key a fact is written under, and a digest of what was asked for."""

    key: str
    digest: str


class Answer(NamedTuple):
    """What a key was answered with: the place of the fact, counted from 1."""

    place: int
    digest: str


class News(NamedTuple):
    """Facts that somebody has not seen yet, how far they have seen then, and what a key was
    answered with, if it was used before."""

    facts: list[Fact]
    seen: Seen
    answer: Answer | None = None


class Writer(Protocol):
    """The only writer of one study, for as long as its work lasts."""

    def read(self, after: int) -> list[Fact]:
        """The facts after offset `after`."""
        ...

    def news(self, seen: Seen) -> News:
        """As the storage's: in the transaction that writes."""
        ...

    def answer(self, key: str) -> Answer | None: ...

    def append(self, fact: Fact, place: int, request: Request) -> Seen:
        """Write a fact at a place, counted from 1: the one behind all that `news` has given."""
        ...

    def lease(self, proposal: str) -> Lease | None:
        """The lease on a proposal, unless it has lapsed by the storage's clock."""
        ...

    def hold(self, proposal: str, actor: str, seconds: float) -> Lease: ...

    def release(self, proposal: str) -> None: ...

    def show(self, shown: Shown) -> None:
        """Write down that a person has seen an explanation."""
        ...


@runtime_checkable
class Storage(Protocol):
    def create(
        self, setup: Setup, facts: Sequence[Fact] = (), request: Request | None = None
    ) -> int:
        """Keep a new study, whole; the number that it is known by here. Conflict if the name is
        taken. A request whose key created a study before gives that study's number."""
        ...

    def find(self, name: str) -> tuple[int, Setup]:
        """The study of this name, or NotFound."""
        ...

    def summaries(self) -> list[Summary]: ...

    def delete(self, name: str) -> None:
        """Remove a study with all its facts, or NotFound."""
        ...

    def read(self, study: int, after: int) -> list[Fact]:
        """The facts after offset `after`, in order. NotFound once the study is deleted."""
        ...

    def write(self, study: int, work: Callable[[Writer], T], since: float | None = None) -> T:
        """Run the work as the study's only writer.

        A storage that has patience with locks and connections counts it from `since`, of
        `time.monotonic`, where that is given.
        """
        ...

    def news(
        self, study: int, seen: Seen, key: str | None = None, since: float | None = None
    ) -> News:
        """The facts behind those that the caller has seen.

        HistoryChanged if the storage does not hold those any more; StorageError if a fact is not
        what was written. NotFound once the study is deleted.
        """
        ...

    def leases(self, study: int) -> list[Lease]:
        """The leases that have not lapsed."""
        ...

    def lapsed(self, study: int) -> list[Lease]:
        """The leases that were neither released nor renewed in time."""
        ...

    def shown(self, study: int) -> list[Shown]:
        """The explanations that people have seen, in order."""
        ...

    def close(self) -> None: ...
