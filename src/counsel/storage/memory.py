"""Studies in this process's memory: shared by its threads and gone when it ends.

Nobody can change a fact here behind a reader's back, so a fact's id is link enough.
"""

import itertools
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from counsel.errors import Conflict, NotFound
from counsel.explain.attribution import Shown
from counsel.facts.chain import NOTHING, Seen, vanished
from counsel.facts.records import Archival, Fact, Lease
from counsel.facts.summaries import Setup, Summary
from counsel.storage.contract import Answer, KeyReused, News, Request, Writer

__all__ = ["MemoryStorage"]

T = TypeVar("T")


@dataclass
class _Kept:
    setup: Setup
    facts: list[Fact] = field(default_factory=list)
    answers: dict[str, Answer] = field(default_factory=dict)
    leases: dict[str, Lease] = field(default_factory=dict)
    shown: list[Shown] = field(default_factory=list)
    creation: Request | None = None

    @property
    def seen(self) -> Seen:
        return Seen(len(self.facts), self.facts[-1].id) if self.facts else NOTHING

    def news(self, seen: Seen, answer: Answer | None = None) -> News:
        if seen.place and [f.id for f in self.facts[seen.place - 1 : seen.place]] != [seen.link]:
            raise vanished(seen, len(self.facts))
        return News(self.facts[seen.place :], self.seen, answer)


class MemoryStorage:
    """The simplest implementation of the contract."""

    def __init__(self) -> None:
        self._studies: dict[int, _Kept] = {}
        self._numbers = itertools.count(1)
        self._lock = threading.RLock()

    def create(
        self, setup: Setup, facts: Sequence[Fact] = (), request: Request | None = None
    ) -> int:
        with self._lock:
            for number, kept in self._studies.items():
                if request is not None and kept.creation and kept.creation.key == request.key:
                    return repeated(number, kept.creation.digest, kept.setup.name, request)
            if any(kept.setup.name == setup.name for kept in self._studies.values()):
                raise taken(setup.name)
            number = next(self._numbers)
            self._studies[number] = _Kept(setup, list(facts), creation=request)
            return number

    def find(self, name: str) -> tuple[int, Setup]:
        with self._lock:
            for number, kept in self._studies.items():
                if kept.setup.name == name:
                    return number, kept.setup
            raise missing(name, [kept.setup.name for kept in self._studies.values()])

    def summaries(self) -> list[Summary]:
        with self._lock:
            return [
                Summary(
                    s.name,
                    s.problem.objective.name,
                    s.policy_name,
                    len(kept.facts),
                    s.created,
                    _archived(kept.facts),
                )
                for kept in self._studies.values()
                for s in (kept.setup,)
            ]

    def delete(self, name: str) -> None:
        with self._lock:
            del self._studies[self.find(name)[0]]

    def read(self, study: int, after: int) -> list[Fact]:
        with self._lock:
            return self._kept(study).facts[after:]

    def write(self, study: int, work: Callable[[Writer], T], since: float | None = None) -> T:
        with self._lock:
            writer = _MemoryWriter(self._kept(study))
            result = work(writer)
            writer.commit()  # only now, so that work that raises writes nothing
            return result

    def news(
        self, study: int, seen: Seen, key: str | None = None, since: float | None = None
    ) -> News:
        with self._lock:
            kept = self._kept(study)
            return kept.news(seen, None if key is None else kept.answers.get(key))

    def leases(self, study: int) -> list[Lease]:
        with self._lock:
            live = self._kept(study).leases.values()
            return [lease for lease in live if lease.until > datetime.now(UTC)]

    def lapsed(self, study: int) -> list[Lease]:
        with self._lock:
            held = self._kept(study).leases.values()
            return [lease for lease in held if lease.until <= datetime.now(UTC)]

    def shown(self, study: int) -> list[Shown]:
        with self._lock:
            return list(self._kept(study).shown)

    def close(self) -> None:
        pass

    def _kept(self, study: int) -> _Kept:
        if study not in self._studies:
            raise deleted()
        return self._studies[study]


class _MemoryWriter:
    def __init__(self, kept: _Kept) -> None:
        self._kept = kept
        self._facts = list[tuple[Fact, Request]]()
        self._seen = kept.seen
        self._leases = dict(kept.leases)
        self._shown = list[Shown]()

    def read(self, after: int) -> list[Fact]:
        return self._kept.facts[after:]

    def answer(self, key: str) -> Answer | None:
        return self._kept.answers.get(key)

    def news(self, seen: Seen) -> News:
        return self._kept.news(seen)

    def append(self, fact: Fact, place: int, request: Request) -> Seen:
        assert place == self._seen.place + 1
        self._seen = Seen(place, fact.id)
        self._facts.append((fact, request))
        return self._seen

    def lease(self, proposal: str) -> Lease | None:
        found = self._leases.get(proposal)
        return found if found is not None and found.until > datetime.now(UTC) else None

    def hold(self, proposal: str, actor: str, seconds: float) -> Lease:
        lease = Lease(proposal, actor, datetime.now(UTC) + timedelta(seconds=seconds))
        self._leases[proposal] = lease
        return lease

    def release(self, proposal: str) -> None:
        self._leases.pop(proposal, None)

    def show(self, shown: Shown) -> None:
        self._shown.append(shown)

    def commit(self) -> None:
        for fact, request in self._facts:
            self._kept.facts.append(fact)
            self._kept.answers[request.key] = Answer(len(self._kept.facts), request.digest)
        self._kept.leases = self._leases
        self._kept.shown += self._shown


# ---- messages that all storages share ----------------------------------------------------------


def _archived(facts: Sequence[Fact]) -> bool:
    marks = [fact.archived for fact in facts if isinstance(fact, Archival)]
    return bool(marks) and marks[-1]


def taken(name: str) -> Conflict:
    return Conflict(
        f"A study {name!r} already exists here. Open it with `load_if_exists`, or choose another "
        "name."
    )


def repeated(number: int, digest: str, name: str, request: Request) -> int:
    """The study that a key created; Conflict if it was created from another description."""
    if digest != request.digest:
        raise KeyReused(
            f"The idempotency key {request.key!r} was used to create study {name!r} from another "
            "description. Use a new key for a new request."
        )
    return number


def missing(name: str, known: list[str]) -> NotFound:
    shown = ", ".join(repr(each) for each in known[:10]) + (", ..." if len(known) > 10 else "")
    others = f"There are {shown}." if known else "There are none at all."
    return NotFound(f"There is no study {name!r} here. {others}")


def deleted() -> NotFound:
    return NotFound("This study has been deleted. Its facts are no longer in the storage.")
