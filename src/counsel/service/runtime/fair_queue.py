"""A queue for a few threads that serves people in turn, and for each person their studies in turn.

Someone who sends a lot waits for their own work, not others for theirs. The queue is bounded, per
person (where a token names them) and in all. Work that nobody waits for any more is not started,
and long work that is under way notices between two of its steps (facts/wanted.py). Between steps, a
thread that others wait for does one thing of theirs first.
"""

import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import Any

from counsel.errors import CounselError
from counsel.facts.wanted import OTHERS_FIRST, STILL_WANTED
from counsel.storage.retries import ARRIVED

__all__ = ["Abandoned", "Busy", "FairQueue", "Share"]


_TURN = 0.2  # seconds that work has before it gives way to others
_DEEPEST = 8  # how many may have given way at a time


class Busy(CounselError):
    """Too much waits already."""


class Abandoned(CounselError):
    """Nobody is waiting for the answer any more."""


@dataclass(frozen=True, slots=True)
class Share:
    """How many threads there are, how many of them one study and one person may use at a time, and
    how much work may wait, per person and in all.

    With `patience`, waiting here counts towards the patience with a storage that is busy.
    """

    threads: int
    per_study: int
    per_person: int
    waiting_per_person: int = 64
    waiting: int = 2000
    patience: bool = False


class _Work(Future[Any]):
    def __init__(self, work: Callable[[], Any], person: str | None, study: str | None) -> None:
        super().__init__()
        self.work, self.person, self.study = work, person, study
        self.asked = time.monotonic()
        self.turn_ends = 0.0
        self.abandoned = threading.Event()

    def check_wanted(self) -> None:
        if self.abandoned.is_set():
            raise Abandoned("Nobody is waiting for this any more.")


class _Depth(threading.local):
    now = 0  # how many have given way in this thread


class FairQueue:
    def __init__(
        self, name: str, share: Share, on_wait: Callable[[float], None] = lambda seconds: None
    ) -> None:
        self._share, self._on_wait = share, on_wait
        self._lock = threading.Condition()
        # In turn: whoever was served last comes last.
        self._people: OrderedDict[str | None, OrderedDict[str | None, deque[_Work]]] = OrderedDict()
        self._waiting: Counter[str | None] = Counter()
        self._of_person: Counter[str] = Counter()  # under way
        self._of_study: Counter[str] = Counter()
        self._closed = False
        self._idle = 0
        self._threads: list[threading.Thread] = []
        self._name = name
        self._depth = _Depth()

    def submit(
        self, work: Callable[[], Any], *, person: str | None = None, study: str | None = None
    ) -> "Future[Any]":
        """The work's result, later. Work that is cancelled before it starts never starts."""
        made = _Work(work, person, study)
        with self._lock:
            if self._closed:
                raise RuntimeError("The queue is closed.")
            self._refuse_if_full(person)
            studies = self._people.setdefault(person, OrderedDict())
            studies.setdefault(study, deque()).append(made)
            self._waiting[person] += 1
            if not self._idle and len(self._threads) < self._share.threads:
                number = len(self._threads)
                thread = threading.Thread(
                    target=self._serve, name=f"{self._name}-{number}", daemon=True
                )
                self._threads.append(thread)
                thread.start()
            self._lock.notify()
        made.add_done_callback(self._forget)
        return made

    @staticmethod
    def abandon(work: "Future[Any]") -> None:
        """Nobody waits for it any more: do not start it, or let it notice."""
        if isinstance(work, _Work):
            work.abandoned.set()
        work.cancel()

    def close(self) -> None:
        """Finish what is under way; what waits is cancelled."""
        with self._lock:
            self._closed = True
            left = [w for each in self._people.values() for line in each.values() for w in line]
            self._lock.notify_all()
        for work in left:
            work.cancel()
        for thread in self._threads:
            thread.join()

    # ---- inside --------------------------------------------------------------------------------

    def _refuse_if_full(self, person: str | None) -> None:
        most = self._share.waiting_per_person
        if person is not None and self._waiting[person] >= most:
            raise Busy(f"{most} of your requests are already waiting. Let some of them finish.")
        if self._waiting.total() >= self._share.waiting:
            raise Busy("The service has too much to do. Try again in a moment.")

    def _serve(self) -> None:
        while True:
            with self._lock:
                work = self._next()
                while work is None:
                    if self._closed:
                        return
                    self._idle += 1
                    self._lock.wait()
                    self._idle -= 1
                    work = self._next()
            self._do(work)

    def _do(self, work: _Work) -> None:
        try:
            self._run(work)
        finally:
            with self._lock:
                _less(self._of_person, work.person)
                _less(self._of_study, work.study)
                self._lock.notify_all()  # somebody's share is free

    def _give_way(self, work: _Work) -> None:
        """Do one thing that waits for this thread, of another person and another study."""
        if time.monotonic() < work.turn_ends or self._depth.now >= _DEEPEST:
            return
        with self._lock:
            other = None if self._idle else self._next()
        if other is not None:
            self._depth.now += 1
            try:
                self._do(other)
            finally:
                self._depth.now -= 1
                work.turn_ends = time.monotonic() + _TURN

    def _run(self, work: _Work) -> None:
        now = time.monotonic()
        work.turn_ends = now + _TURN
        self._on_wait(now - work.asked)
        wanted = STILL_WANTED.set(work.check_wanted)
        others = OTHERS_FIRST.set(partial(self._give_way, work))
        arrived = ARRIVED.set(work.asked if self._share.patience else None)
        try:
            found = work.work()
        except BaseException as error:
            work.set_exception(error)
        else:
            work.set_result(found)
        finally:
            STILL_WANTED.reset(wanted)
            OTHERS_FIRST.reset(others)
            ARRIVED.reset(arrived)

    def _next(self) -> _Work | None:
        """The next work that may begin, taken out of the queue."""
        for person in list(self._people):
            if person is not None and self._of_person[person] >= self._share.per_person:
                continue
            for study in list(self._people[person]):
                if study is not None and self._of_study[study] >= self._share.per_study:
                    continue
                work = self._taken(person, study)
                if work is not None:
                    return work
        return None

    def _taken(self, person: str | None, study: str | None) -> _Work | None:
        studies = self._people[person]
        line = studies[study]
        while line:
            work = line.popleft()
            self._waiting[person] -= 1
            if not work.set_running_or_notify_cancel():
                continue
            if person is not None:
                self._of_person[person] += 1
            if study is not None:
                self._of_study[study] += 1
            self._tidy(person, study)
            return work
        self._tidy(person, study)
        return None

    def _tidy(self, person: str | None, study: str | None) -> None:
        """Move whoever was served to the end of the line, or out of it."""
        studies = self._people[person]
        if studies[study]:
            studies.move_to_end(study)
        else:
            del studies[study]
        if studies:
            self._people.move_to_end(person)
        else:
            del self._people[person]
        if not self._waiting[person]:
            del self._waiting[person]

    def _forget(self, work: "Future[Any]") -> None:
        """Make room when waiting work is cancelled."""
        if not work.cancelled() or not isinstance(work, _Work):
            return
        with self._lock:
            studies = self._people.get(work.person)
            line = None if studies is None else studies.get(work.study)
            if line is not None and work in line:
                line.remove(work)
                self._waiting[work.person] -= 1
                self._tidy(work.person, work.study)


def _less(counts: Counter[str], key: str | None) -> None:
    if key is not None:
        counts[key] -= 1
        if counts[key] <= 0:
            del counts[key]
