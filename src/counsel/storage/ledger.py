"""A study's facts as this process knows them, kept in sync with the storage.

`current` reads what others have written, `locked` does not; both lock out this process's other
threads. `write` appends one fact: under the storage's lock it reads what is new, lets the caller
check against *those* facts, and writes after them. No fact is checked against an outdated list.
`provided` adds a check of a caller who knows what the study does not: who may write what.

Every read and write first compares the last fact known here. A storage that no longer holds it was
restored, rolled back or replaced: HistoryChanged is raised, nothing is written, and the facts are
reloaded.
"""

import hashlib
import json
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from counsel.errors import Conflict, HistoryChanged
from counsel.facts.chain import NOTHING, Seen
from counsel.facts.problem import Problem
from counsel.facts.records import Fact
from counsel.facts.state import StudyState
from counsel.storage.contract import Answer, News, Request, Storage, Writer

__all__ = ["Ledger", "Rule", "digest", "provided"]

T = TypeVar("T")
F = TypeVar("F", bound=Fact)
Rule = Callable[[StudyState, Fact], None]  # raises if the fact may not follow this state
_KEPT_STATES = 8
_rule: ContextVar[Rule | None] = ContextVar("_rule", default=None)


@contextmanager
def provided(rule: Rule | None) -> Iterator[None]:
    """Within, a fact is written only if the rule lets it follow the facts that are there then."""
    token = _rule.set(rule)
    try:
        yield
    finally:
        _rule.reset(token)


class Ledger:
    """The facts so far and what they add up to."""

    def __init__(self, storage: Storage, study: int, problem: Problem) -> None:
        self.facts: list[Fact] = []
        self.state = StudyState(problem)
        self._problem = problem
        self._seen = NOTHING
        self.storage = storage
        self.study = study
        self._lock = threading.RLock()
        self._depth = 0
        self._earlier: dict[int, StudyState] = {}
        # Grows with every reload: caches keyed by the number of facts are stale then.
        self.generation = 0

    @contextmanager
    def current(self) -> Iterator[StudyState]:
        """The state with everything that others have written, locked for this thread.

        Storage is read when the outermost of nested blocks is entered.
        """
        began = time.monotonic()
        with self._lock:
            if self._depth == 0:
                self.refresh(began)
            with self.locked() as state:
                yield state

    @contextmanager
    def locked(self) -> Iterator[StudyState]:
        """The state as this process knows it, locked for this thread; reads nothing."""
        with self._lock:
            self._depth += 1
            try:
                yield self.state
            finally:
                self._depth -= 1

    def refresh(self, since: float | None = None) -> None:
        """Read the facts that others have written; `since` is when the caller began to wait."""
        with self._lock:
            self._look(time.monotonic() if since is None else since)

    def state_after(self, count: int) -> StudyState:
        """The state after the first `count` facts; the last few asked for are kept."""
        with self.locked() as state:
            if count == state.count:
                return state
            found = self._earlier.pop(count, None) or StudyState(self._problem, self.facts[:count])
            self._earlier[count] = found  # the most recently used is last
            while len(self._earlier) > _KEPT_STATES:
                del self._earlier[next(iter(self._earlier))]
            return found

    def write(self, make: Callable[[Writer], F], key: str | None, asked: tuple[object, ...]) -> F:
        """Append the fact that `make` returns, checked against every fact before it.

        With a key that has been used, nothing is written and the first fact is returned, if the
        same was `asked`, which begins with the verb; else Conflict is raised. Every fact
        gets a key: if the connection breaks during the write, the next attempt checks whether it
        succeeded.
        """
        return self.write_all(lambda writer: [make(writer)], [key], asked)[0]

    def write_all(
        self,
        make: Callable[[Writer], list[F]],
        keys: Sequence[str | None],
        asked: tuple[object, ...],
    ) -> list[F]:
        """Append several facts, one for each key: all of them, or none."""
        looked_for = any(key is not None for key in keys)
        # Nobody can repeat a request whose key is made here: there is nothing to compare later.
        described = digest(*asked) if looked_for else ""
        requests = [Request(key or uuid.uuid4().hex, described) for key in keys]
        rule = _rule.get()  # another thread may do the work

        def work(writer: Writer) -> tuple[list[Any], Seen | None]:
            nonlocal looked_for
            self._take_in(writer.news(self._seen))
            if looked_for:
                answers = [writer.answer(request.key) for request in requests]
                if answers[0] is not None:  # then all of them exist
                    pairs = zip(answers, requests, strict=True)
                    return [self._answered(a, r) for a, r in pairs if a is not None], None
            looked_for = True  # on a second attempt
            facts = make(writer)
            for place, (fact, request) in enumerate(zip(facts, requests, strict=True)):
                if rule is not None:
                    rule(self.state, fact)
                seen = writer.append(fact, len(self.facts) + 1 + place, request)
            return facts, seen

        if not keys:
            return []
        began = time.monotonic()
        with self.locked():  # the writer reads
            with self._noticing():
                facts, seen = self.storage.write(self.study, work, began)
            if seen is not None:
                self._take_in(News(facts, seen))
            return facts

    def change(self, work: Callable[[Writer], T]) -> T:
        """Change something other than facts (a lease), checked against every fact so far."""

        def judged(writer: Writer) -> T:
            self._take_in(writer.news(self._seen))
            return work(writer)

        began = time.monotonic()
        with self.locked(), self._noticing():  # the writer reads
            return self.storage.write(self.study, judged, began)

    def answered(self, key: str | None, asked: tuple[object, ...]) -> Fact | None:
        """The fact that a key was answered with, if any; reads what is new."""
        began = time.monotonic()
        with self._lock:
            if key is None:
                self.refresh(began)
                return None
            answer = self._look(began, key)
            return None if answer is None else self._answered(answer, Request(key, digest(*asked)))

    def _answered(self, answer: Answer, request: Request) -> Fact:
        fact = self.facts[answer.place - 1]
        if answer.digest != request.digest:
            raise Conflict(
                f"The idempotency key {request.key!r} was used for another request, which made "
                f"{fact.id!r}. Use a new key for a new request.",
                fact,
            )
        return fact

    def _look(self, since: float, key: str | None = None) -> Answer | None:
        with self._noticing():
            news = self.storage.news(self.study, self._seen, key, since)
        self._take_in(news)
        return news.answer

    @contextmanager
    def _noticing(self) -> Iterator[None]:
        """Forget everything if the storage holds something else, so that it is reloaded."""
        try:
            yield
        except HistoryChanged:
            self.facts, self.state = [], StudyState(self._problem)
            self._seen, self._earlier = NOTHING, {}
            self.generation += 1
            raise

    def _take_in(self, news: News) -> None:
        for fact in news.facts:
            self.state.add(fact)
            self.facts.append(fact)
        self._seen = news.seen


_text = json.JSONEncoder(sort_keys=True, default=str).encode


def digest(*asked: object) -> str:
    """A digest of a request: the same key with another digest is a mistake."""
    text = _text(asked)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
