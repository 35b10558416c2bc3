"""The contract of a storage: it keeps studies and their facts, in order, for any number of writers.

Reading needs no lock. Writing goes through `write`: a study has one writer at a time, either
everything that the writer appends is kept or nothing is, and it is on disk when `write` returns. A
storage may run the writer's work again (after a lock or connection error); the work must therefore
look at `read` and `answer` first and change things only through its writer.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeVar, runtime_checkable

from counsel.errors import Conflict
from counsel.explain.attribution import Shown
from counsel.facts.chain import Seen
from counsel.facts.records import Fact, Lease
from counsel.facts.summaries import Setup, Summary

__all__ = ["Answer", "KeyReused", "News", "Request", "Storage", "Writer"]

T = TypeVar("T")


class KeyReused(Conflict):
    """A key that created a study came with the description of another."""


class Request(NamedTuple):
    """The idempotency key a fact is written under, and a digest of what was asked for."""

    key: str
    digest: str


class Answer(NamedTuple):
    """The answer to a key: the place of its fact, counted from 1."""

    place: int
    digest: str


class News(NamedTuple):
    """Facts that a reader has not seen, how far they reach, and the answer to a used key."""

    facts: list[Fact]
    seen: Seen
    answer: Answer | None = None


class Writer(Protocol):
    """The only writer of one study, for as long as its work lasts."""

    def read(self, after: int) -> list[Fact]:
        """The facts after offset `after`."""
        ...

    def news(self, seen: Seen) -> News:
        """Like the storage's `news`, in the writing transaction."""
        ...

    def answer(self, key: str) -> Answer | None: ...

    def append(self, fact: Fact, place: int, request: Request) -> Seen:
        """Write a fact at a place, counted from 1: after everything that `news` returned."""
        ...

    def lease(self, proposal: str) -> Lease | None:
        """The lease on a proposal, unless it has expired by the storage's clock."""
        ...

    def hold(self, proposal: str, actor: str, seconds: float) -> Lease: ...

    def release(self, proposal: str) -> None: ...

    def show(self, shown: Shown) -> None:
        """Record that a person has seen an explanation."""
        ...


@runtime_checkable
class Storage(Protocol):
    def create(
        self, setup: Setup, facts: Sequence[Fact] = (), request: Request | None = None
    ) -> int:
        """Store a new study and return its number.

        A key that has already created a study returns that study's number. Conflict if the name is
        taken.
        """
        ...

    def find(self, name: str) -> tuple[int, Setup]:
        """The study of this name, or NotFound."""
        ...

    def summaries(self) -> list[Summary]: ...

    def delete(self, name: str) -> None:
        """Delete a study with all its facts, or raise NotFound."""
        ...

    def read(self, study: int, after: int) -> list[Fact]:
        """The facts after offset `after`, in order. NotFound once the study is deleted."""
        ...

    def write(self, study: int, work: Callable[[Writer], T], since: float | None = None) -> T:
        """Do the work as the study's only writer.

        A storage that retries after lock and connection errors counts its patience from `since`
        (`time.monotonic`), if given.
        """
        ...

    def news(
        self, study: int, seen: Seen, key: str | None = None, since: float | None = None
    ) -> News:
        """The facts after those that the caller has seen.

        HistoryChanged if the storage no longer holds those; StorageError if a fact differs from
        what was written. NotFound once the study is deleted.
        """
        ...

    def leases(self, study: int) -> list[Lease]:
        """The leases that have not expired."""
        ...

    def lapsed(self, study: int) -> list[Lease]:
        """The leases that were neither released nor renewed in time."""
        ...

    def shown(self, study: int) -> list[Shown]:
        """The explanations that people have seen, in order."""
        ...

    def close(self) -> None: ...
