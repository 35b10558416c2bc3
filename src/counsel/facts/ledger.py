"""A study's facts as this process knows them, kept in step with the storage.

`with ledger:` locks out this process's other threads and first reads what others have written.
`write` appends one fact: under the storage's lock it reads what is new, lets the caller judge by
*those* facts, and writes behind them. No fact is ever judged by an outdated list.

Whatever is read or written is first compared with the last fact known here. A storage that no
longer holds it was restored, rolled back or replaced: that is said (HistoryChanged), nothing is
written, and the facts are read anew.
"""

import hashlib
import json
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from counsel.errors import Conflict, HistoryChanged
from counsel.facts.chain import NOTHING, Seen
from counsel.facts.records import Fact, Problem
from counsel.facts.state import StudyState
from counsel.storage.contract import Answer, News, Request, Storage, Writer

__all__ = ["Ledger", "digest"]

T = TypeVar("T")
F = TypeVar("F", bound=Fact)


class Ledger:
    """The facts so far and where they stand."""

    def __init__(self, storage: Storage, study: int, problem: Problem) -> None:
        self.facts: list[Fact] = []
        self.state = StudyState(problem)
        self._problem = problem
        self._seen = NOTHING
        self.storage = storage
        self.study = study
        self._lock = threading.RLock()
        self._depth = 0

    def __enter__(self) -> None:
        asked = time.monotonic()
        self._lock.acquire()
        try:
            if self._depth == 0:
                self._look(asked)
        except BaseException:
            self._lock.release()
            raise
        self._depth += 1

    def __exit__(self, *error: object) -> None:
        self._depth -= 1
        self._lock.release()

    @contextmanager
    def as_known(self) -> Iterator[None]:
        """Lock out this process's other threads, and read nothing."""
        with self._lock:
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1

    def write(self, make: Callable[[Writer], F], key: str | None, asked: str) -> F:
        """Append the fact that `make` returns, judged by every fact before it.

        With a key that has been used, nothing is written and the first fact is returned. Every fact
        gets a key: should the connection break while the fact is written, the next attempt looks
        whether it was.
        """
        return self.write_all(lambda writer: [make(writer)], [key], asked)[0]

    def write_all(
        self, make: Callable[[Writer], list[F]], keys: Sequence[str | None], asked: str
    ) -> list[F]:
        """Append several facts, one for each key: all of them, or none."""
        requests = [Request(key or uuid.uuid4().hex, asked) for key in keys]
        looked_for = any(key is not None for key in keys)

        def work(writer: Writer) -> tuple[list[Any], Seen | None]:
            nonlocal looked_for
            self._take_in(writer.news(self._seen))
            if looked_for:
                answers = [writer.answer(request.key) for request in requests]
                if answers[0] is not None:  # then all are there
                    pairs = zip(answers, requests, strict=True)
                    return [self._answered(a, r) for a, r in pairs if a is not None], None
            looked_for = True  # on a second attempt
            facts = make(writer)
            for place, (fact, request) in enumerate(zip(facts, requests, strict=True)):
                seen = writer.append(fact, len(self.facts) + 1 + place, request)
            return facts, seen

        if not keys:
            return []
        began = time.monotonic()
        with self.as_known():  # the writer reads
            with self._noticing():
                facts, seen = self.storage.write(self.study, work, began)
            if seen is not None:
                self._take_in(News(facts, seen))
            return facts

    def change(self, work: Callable[[Writer], T]) -> T:
        """Change what is no fact (a lease), judged by every fact there is."""

        def judged(writer: Writer) -> T:
            self._take_in(writer.news(self._seen))
            return work(writer)

        began = time.monotonic()
        with self.as_known(), self._noticing():  # the writer reads
            return self.storage.write(self.study, judged, began)

    def answered(self, key: str | None, asked: str) -> Fact | None:
        """The fact that a key was answered with before, if it was; reads what is new."""
        began = time.monotonic()
        with self._lock:
            if key is None:
                self._look(began)
                return None
            answer = self._look(began, key)
            return None if answer is None else self._answered(answer, Request(key, asked))

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
        """Forget everything when the storage holds something else: it is read anew then."""
        try:
            yield
        except HistoryChanged:
            self.facts, self.state = [], StudyState(self._problem)
            self._seen = NOTHING
            raise

    def _take_in(self, news: News) -> None:
        for fact in news.facts:
            self.state.add(fact)
            self.facts.append(fact)
        self._seen = news.seen


def digest(verb: str, *asked: object) -> str:
    """What a request asked for, in short: the same key with another digest is a mistake."""
    text = json.dumps([verb, *asked], sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
