"""The pool of open studies: opened once, computed by one thread, watched for changes.

Compiled work must not run in two threads at once (batched LAPACK calls can deadlock), and must not
hold up the event loop: `compute` passes it to the single compute thread. A proposal is computed in
turn there, or by a separate process (`proposer`), but its facts are read and written concurrently
(`ask`): a commit takes as long as a proposal. Work that only reads or writes facts goes to `store`.
Each of these serves people and studies in turn (fair_queue.py), and writes have threads of their
own, more than there can be studies held up by a computation: a decision does not wait for the work
of another study. What nobody waits for any more is given up, except writes.
"""

import asyncio
import contextlib
import logging
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from counsel.errors import CounselError, HistoryChanged, NotFound, StorageError
from counsel.facts.chain import NOTHING, Seen
from counsel.facts.kept import Kept, trim
from counsel.facts.records import Proposal
from counsel.facts.summaries import Summary
from counsel.facts.wanted import check_wanted
from counsel.service.extension import Extension, Simulator
from counsel.service.runtime.callers import CALLER, Caller
from counsel.service.runtime.compute import ComputeProcess
from counsel.service.runtime.fair_queue import Abandoned, FairQueue, Share
from counsel.storage import Storage
from counsel.storage.ledger import provided
from counsel.study import Study, delete_study, load_study

__all__ = ["StudyPool", "first_proposal"]

T = TypeVar("T")
log = logging.getLogger("counsel.service")
_KEPT = 256  # open studies; the least recently used is closed, its facts stay in the storage
_BYTES = 256 * 2**20  # of beliefs that are kept, of all open studies together
_TRUSTED = 5.0  # seconds before a study is looked up again: another program may have deleted it
_LOOK = 0.5  # seconds between checks for what other programs have written
_PULSE = 0.5  # seconds that a storage has to answer a health check, which has one itself
_STORE_THREADS = 8  # for what is not about one study
_COMPUTING = Share(threads=1, per_study=1, per_person=1)
_ASKING = Share(threads=16, per_study=1, per_person=8)  # most wait, for the disk or a proposal
_READING = Share(threads=8, per_study=4, per_person=4)
# One writer per study at a time; more studies than can be asked or computed at once. Writers of one
# study that wait for a locked database wait for it together, not one after the other.
_WRITING = Share(threads=24, per_study=1, per_person=24, patience=True)


@dataclass(eq=False)
class StudyPool:
    storage: Storage
    extension: Extension = field(default_factory=Extension)
    on_wait: Callable[[float], None] = lambda seconds: None
    proposer: ComputeProcess | None = None

    def __post_init__(self) -> None:
        self._computing = FairQueue("compute", _COMPUTING)
        self._asking = FairQueue("ask", _ASKING, self.on_wait)
        self._reading = FairQueue("read", _READING)
        self._writing = FairQueue("write", _WRITING)
        self._one_computes = threading.RLock()
        self._storing = ThreadPoolExecutor(_STORE_THREADS, thread_name_prefix="store")
        self._feeling = ThreadPoolExecutor(1, thread_name_prefix="pulse")
        self._looking: Future[int | None] | None = None
        self._open: OrderedDict[str, tuple[float, Study]] = OrderedDict()
        self._kept: dict[str, Kept] = {}
        self._listing = threading.Lock()  # to change the two above
        self._versions: Counter[str] = Counter()
        self._counts: dict[str, Seen] = {}
        self._watched: Counter[str] = Counter()
        self._present: dict[str, Counter[str]] = {}
        self._closed = False
        self.worlds: dict[str, Simulator] = dict(self.extension.worlds)

    # ---- studies -------------------------------------------------------------------------------

    def study(self, name: str) -> Study:
        """The study of this name, opened if need be; NotFound once it is deleted elsewhere."""
        checked, found = self._open.get(name, (0.0, None))
        again = found is None or time.monotonic() - checked > _TRUSTED
        if again:
            with _naming_no_others(name):
                if found is None or found.setup != self.storage.find(name)[1]:
                    found = self._load(name)
                    self._recognise(found)
        assert found is not None
        with self._listing:
            if again:
                self._open[name] = (time.monotonic(), found)
            if name in self._open:  # another thread may just have closed it
                self._open.move_to_end(name)
            while len(self._open) > _KEPT:
                self._kept.pop(self._open.popitem(last=False)[0], None)
            kept = [self._kept[each] for each in self._open if each in self._kept]
        trim(kept, _BYTES)
        return found

    def _load(self, name: str) -> Study:
        kept = Kept()
        if self.proposer is None:
            computing = _Wanted(self._one_computes)
            study = load_study(name, self.storage, computing=computing, kept=kept)
        else:
            study = load_study(name, self.storage, chooser=self.proposer.for_study, kept=kept)
        with self._listing:
            self._kept[name] = kept
        return study

    def _recognise(self, study: Study) -> None:
        """Give a study its simulated world, if its problem has one."""
        world = self.extension.recognise(study.problem)
        if world is not None:
            self.worlds.setdefault(study.name, world)

    def delete(self, name: str) -> None:
        """Remove a study with all its facts, for good."""
        with _naming_no_others(name):
            delete_study(name, self.storage)
        self._put_away(name)

    def _put_away(self, name: str) -> None:
        with self._listing:
            self._open.pop(name, None)
            self._kept.pop(name, None)
        self._counts.pop(name, None)
        if name not in self.extension.worlds:
            self.worlds.pop(name, None)
        self.changed(name)

    def summaries(self) -> list[Summary]:
        return self.storage.summaries()

    # ---- threads -------------------------------------------------------------------------------

    async def compute(self, work: Callable[..., T], *args: Any, caller: Caller | None = None) -> T:
        """Run what may compute beliefs, one at a time."""
        asked = time.perf_counter()

        def run() -> T:
            with self._one_computes:
                self.on_wait(time.perf_counter() - asked)
                return work(*args)

        return await self._answer(self._computing, run, caller or CALLER.get())

    async def ask(self, work: Callable[..., T], *args: Any, caller: Caller | None = None) -> T:
        """Run what asks a study for proposals."""
        return await self._answer(self._asking, lambda: work(*args), caller or CALLER.get())

    async def store(self, work: Callable[..., T], *args: Any, caller: Caller | None = None) -> T:
        """Run what only reads or writes facts."""
        by = caller or CALLER.get()
        if by.study is not None:
            queue = self._writing if by.writes else self._reading
            return await self._answer(queue, lambda: work(*args), by)
        self._refuse_if_closed()
        return await asyncio.get_running_loop().run_in_executor(self._storing, lambda: work(*args))

    async def _answer(self, queue: FairQueue, work: Callable[[], T], caller: Caller) -> T:
        self._refuse_if_closed()

        def allowed() -> T:
            with provided(caller.rule):
                return work()

        future = queue.submit(allowed, person=caller.person, study=caller.study)
        answer = asyncio.wrap_future(future)
        if caller.left is None or queue is self._writing:
            return await answer
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())
        left = asyncio.ensure_future(caller.left())
        try:
            await asyncio.wait({answer, left}, return_when=asyncio.FIRST_COMPLETED)
            if answer.done():
                return answer.result()
            raise Abandoned("Nobody is waiting for the answer any more.")
        finally:
            left.cancel()
            if not answer.done():
                queue.abandon(future)

    async def pulse(self) -> int | None:
        """The number of studies; None if the storage does not answer in time.

        It uses its own thread: all others may be waiting for an unreachable storage.
        """
        if self._looking is None or self._looking.done():
            self._looking = self._feeling.submit(self._feel)
        done, _ = await asyncio.wait([asyncio.wrap_future(self._looking)], timeout=_PULSE)
        return next(iter(done)).result() if done else None

    def _feel(self) -> int | None:
        try:
            return len(self.storage.summaries())
        except Exception as error:
            log.error("the storage does not answer", extra={"data": {"error": str(error)}})
            return None

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StorageError("The service is stopping.")

    def close(self) -> None:
        """Finish pending work, then close the storage."""
        self._closed = True
        for queue in (self._computing, self._asking, self._reading, self._writing):
            queue.close()
        for pool in (self._storing, self._feeling):
            pool.shutdown(wait=True, cancel_futures=True)
        if self.proposer is not None:
            self.proposer.close()
        self.storage.close()

    # ---- changes -------------------------------------------------------------------------------

    def version(self, name: str) -> int:
        """A number that grows whenever the study changes."""
        return self._versions[name]

    def changed(self, name: str) -> None:
        self._versions[name] += 1
        self._versions[""] += 1  # the list of studies

    def watch(self, name: str) -> None:
        """A page of the study was opened."""
        self._watched[name] += 1

    def unwatch(self, name: str) -> None:
        self._watched[name] -= 1
        if self._watched[name] <= 0:
            del self._watched[name]

    def arrive(self, name: str, who: str) -> None:
        """This person has a page of the study before them."""
        self._present.setdefault(name, Counter())[who] += 1

    def leave(self, name: str, who: str) -> None:
        people = self._present[name]
        people[who] -= 1
        if not +people:
            del self._present[name]

    def present(self, name: str) -> list[str]:
        """Who has a page of the study before them."""
        return sorted(
            who for who, pages in self._present.get(name, {}).items() if pages > 0 and who
        )

    def begins(self, study: Study) -> bool:
        """Whether a first proposal is being worked out, which needs the same fit as beliefs do."""
        return study.name in self.extension.begin and not _begun(study)

    async def begin(self) -> None:
        """Give the studies that an extension names their first proposals, one after the other.

        What a first visitor would wait for is compiled then too, while nobody has a page open.
        """
        for name in self.extension.begin:
            caller = Caller(None, name, True)
            with contextlib.suppress(CounselError):  # deleted by somebody
                study = await self.store(self.study, name, caller=caller)
                await self.ask(first_proposal, study, caller=caller)
                self.changed(name)
                if not self._watched:
                    await self.compute(_first_look, study, caller=caller)

    async def look(self) -> None:
        """While the service runs, notice what other programs write to watched studies."""
        while True:
            await asyncio.sleep(_LOOK)
            for name in list(self._watched):
                with contextlib.suppress(CounselError):
                    # Not under the study's lock: a proposal being computed holds that for long.
                    count = await self.store(self._count, name, caller=Caller(None, name, False))
                    # The first check counts as a change: a fact may have arrived since the page was
                    # drawn.
                    if self._counts.get(name) != count:
                        self.changed(name)
                    self._counts[name] = count

    def _count(self, name: str) -> Seen:
        number, _ = self.storage.find(name)
        try:
            return self.storage.news(number, self._counts.get(name, NOTHING)).seen
        except HistoryChanged as error:
            log.error("history changed", extra={"data": {"study": name, "error": str(error)}})
            return self.storage.news(number, NOTHING).seen


def first_proposal(study: Study) -> None:
    """Begin a study, unless it has begun; whoever comes first, it begins once."""
    if not _begun(study):
        pair = study.problem.objective.preferred
        study.ask(2 if pair else 1, idempotency_key="the first proposal")


def _begun(study: Study) -> bool:
    return any(isinstance(fact, Proposal) for fact in study.facts)


def _first_look(study: Study) -> None:
    """What the first page of a study shows."""
    if study.best is None or study.problem.objective.preferred:
        return
    for proposal in study.pending[:1]:
        study.predict(proposal.values, context=dict(proposal.context) or None)
        study.explain(proposal)


class _Wanted:
    """Held while a proposal is computed, which is not done for somebody who has gone."""

    def __init__(self, lock: contextlib.AbstractContextManager[object]) -> None:
        self._lock = lock

    def __enter__(self) -> None:
        check_wanted()
        self._lock.__enter__()

    def __exit__(self, *error: Any) -> None:
        self._lock.__exit__(*error)


@contextlib.contextmanager
def _naming_no_others(name: str) -> Iterator[None]:
    """A storage that does not find a study says which there are: not everybody's to know."""
    try:
        yield
    except NotFound:
        raise NotFound(f"There is no study {name!r}. See the list of studies.") from None
