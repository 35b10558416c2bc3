"""Optimize a function: ask, run it here or on an executor, and tell what came of it."""

import queue
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, CancelledError
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from counsel.errors import Conflict, CounselError, InvalidInput, NothingToPropose
from counsel.facts.checks import check_name, check_whole, finite_number
from counsel.facts.records import Fact, Observation, Proposal, Value

if TYPE_CHECKING:
    from counsel.study.protocol import StudyLike

__all__ = ["RUNNER", "Callback", "Function", "optimize"]

RUNNER = "optimize"
Function = Callable[[dict[str, Value]], float | Mapping[str, float]]
Callback = Callable[["StudyLike", Fact], object]
# Runs a function on values and calls back with what it returned and what it raised.
_Start = Callable[[Function, dict[str, Value], Callable[[Any, BaseException | None], None]], None]
_Report = Callable[[int, Fact | None], None]

_LEASE = 120.0  # seconds for which a trial stays taken after its process has died
_LONGEST_REASON = 500


def optimize(
    study: "StudyLike",
    function: Function,
    trials: int,
    *,
    executor: Any = None,
    workers: int | None = None,
    context: Mapping[str, Value] | None = None,
    actor: str = RUNNER,
    most_failures: int = 10,
    callbacks: Sequence[Callback] = (),
    progress: bool | None = None,
) -> None:
    """`StudyLike.optimize`, for any study."""
    check_whole("trials", trials, least=1)
    check_whole("most_failures", most_failures, least=1)
    check_name("actor", actor)
    if not callable(function):
        raise InvalidInput("function", function, "Give a function of one dict of values.")
    if study.problem.objective.preferred:
        raise InvalidInput(
            "function", function, "The objective is what people prefer: let them compare."
        )
    start, at_once = _starter(executor, workers)
    with _Leases(study, actor) as leases, _bar(trials, progress) as report:
        run = _Run(study, actor, leases, callbacks, report, most_failures)
        report(run.finished(), None)
        waiting = _left_over(study, actor)
        try:
            while True:
                while len(run.running) < at_once and run.finished() + len(run.running) < trials:
                    try:
                        proposal = waiting.pop(0) if waiting else study.ask(context=context)
                    except NothingToPropose:  # every arm is tried, rejected or under way
                        break
                    if leases.take(proposal):  # else somebody was quicker
                        run.running[proposal.id] = proposal
                        point = {**proposal.values, **proposal.context}
                        start(function, point, partial(run.put, proposal))
                if not run.running:
                    return
                run.next()
        finally:  # after an error or an interrupt, what has ended by then is kept
            run.drain()


class _Run:
    """The trials under way, and what becomes of those that end."""

    def __init__(
        self,
        study: "StudyLike",
        actor: str,
        leases: "_Leases",
        callbacks: Sequence[Callback],
        report: _Report,
        most_failures: int,
    ) -> None:
        self.running: dict[str, Proposal] = {}
        self._study = study
        self._actor = actor
        self._leases = leases
        self._callbacks = callbacks
        self._report = report
        self._most_failures = most_failures
        self._in_a_row = 0
        self._ended: queue.SimpleQueue[tuple[Proposal, Any, BaseException | None]] = (
            queue.SimpleQueue()
        )

    def finished(self) -> int:
        """How many proposals have been tried, by anybody and with any result."""
        told = {each.proposal for each in self._study.observations if each.proposal is not None}
        failed = {each.proposal for each in self._study.failures if each.proposal is not None}
        return len(told | failed)

    def put(self, proposal: Proposal, result: Any, error: BaseException | None) -> None:
        """Called where a trial ends: in this thread or in one of the executor's."""
        self._ended.put((proposal, result, error))

    def next(self) -> None:
        """Wait for a trial to end and record it."""
        while True:  # Windows notices Ctrl-C only between waits
            try:
                proposal, result, error = self._ended.get(timeout=1.0)
                break
            except queue.Empty:
                continue
        fact, failed = self._record(proposal, result, error)
        self._report(self.finished(), fact)
        if fact is not None:
            for callback in self._callbacks:
                callback(self._study, fact)
        self._in_a_row = self._in_a_row + 1 if failed is not None else 0
        if failed is not None and self._in_a_row >= self._most_failures:
            raise CounselError(
                f"{self._in_a_row} trials in a row failed, the last with {_words(failed)}. Fix "
                "the function and optimize again, or allow more failures in a row."
            ) from failed

    def drain(self) -> None:
        while not self._ended.empty():
            proposal, result, error = self._ended.get()
            if error is None or _is_failure(error):
                self._record(proposal, result, error)

    def _record(
        self, proposal: Proposal, result: Any, error: BaseException | None
    ) -> tuple[Fact | None, Exception | None]:
        """The fact that a trial leaves, and why it failed if it did.

        No fact if somebody has decided or told the proposal meanwhile: theirs counts.
        """
        del self.running[proposal.id]
        if error is not None and not _is_failure(error):
            raise error
        failed = error
        try:
            if failed is None:
                found = _outcomes(self._study, result)
                fact: Fact = self._study.tell(proposal, found, actor=self._actor)
                return fact, None
        except _NotFinite as unusable:
            failed = unusable
        except Conflict:
            return None, None
        finally:
            self._leases.drop(proposal)
        assert isinstance(failed, Exception)
        try:
            return self._study.fail(proposal, actor=self._actor, reason=_words(failed)), failed
        except Conflict:
            return None, failed


def _left_over(study: "StudyLike", actor: str) -> list[Proposal]:
    """Proposals that an earlier call was interrupted in, or that nobody has taken yet."""
    held = {lease.proposal for lease in study.leases}
    decided = {each.proposal: each for each in study.decisions}

    def free(proposal: Proposal) -> bool:
        decision = decided.get(proposal.id)
        mine = decision is None or (decision.kind == "accept" and decision.actor == actor)
        return mine and proposal.id not in held

    return [proposal for proposal in study.pending if free(proposal)]


# ---- what a function returns ---------------------------------------------------------------------


class _NotFinite(Exception):
    """The function returned NaN or infinity: nothing was measured."""


def _outcomes(study: "StudyLike", result: Any) -> dict[str, float]:
    """The outcomes by name, of a number or of a dict by name."""
    problem = study.problem
    given = dict(result) if isinstance(result, Mapping) else {problem.objective.name: result}
    numbers: dict[str, float] = {}
    for name, each in given.items():
        try:
            numbers[name] = finite_number(name, each)
        except InvalidInput as error:
            if _is_number(each):
                raise _NotFinite(f"{name} is {each}") from None
            raise InvalidInput(
                f"what the function returned for {name}",
                each,
                f"Return one number, or a dict of numbers by name: {', '.join(problem.outcomes)}.",
            ) from error
    return numbers


def _is_number(value: object) -> bool:
    try:
        float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
    return not isinstance(value, bool | str)


def _is_failure(error: BaseException) -> bool:
    """Whether the trial failed, and not the executor that it was to run on."""
    return isinstance(error, Exception) and not isinstance(error, BrokenExecutor | CancelledError)


def _words(error: Exception) -> str:
    kind = "" if isinstance(error, _NotFinite) else f"{type(error).__name__}: "
    said = f"{kind}{error}".replace("\0", " ").encode(errors="replace").decode()
    return said if len(said) <= _LONGEST_REASON else said[: _LONGEST_REASON - 1] + "…"


# ---- where it runs -------------------------------------------------------------------------------


def _starter(executor: Any, workers: int | None) -> tuple[_Start, int]:
    """How a trial is started, and how many at once."""
    if workers is not None:
        check_whole("workers", workers, least=1)
    if executor is None:
        if workers not in (None, 1):
            raise InvalidInput("workers", workers, "Without an executor trials run one by one.")
        return _here, 1
    if hasattr(executor, "get_executor"):  # a Dask client: two trials at one point are two trials
        executor = executor.get_executor(pure=False)
    if not callable(getattr(executor, "submit", None)):
        raise InvalidInput(
            "executor", executor, "Give a concurrent.futures executor, or a Dask client."
        )
    at_once = workers or _size(executor)
    if at_once is None:
        raise InvalidInput(
            "workers", None, "This executor does not say how many workers it has: give a number."
        )

    def submit(
        function: Function,
        point: dict[str, Value],
        put: Callable[[Any, BaseException | None], None],
    ) -> None:
        executor.submit(function, point).add_done_callback(partial(_deliver, put))

    return submit, at_once


def _here(
    function: Function, point: dict[str, Value], put: Callable[[Any, BaseException | None], None]
) -> None:
    try:
        result = function(point)
    except Exception as error:
        put(None, error)
    else:
        put(result, None)


def _deliver(put: Callable[[Any, BaseException | None], None], future: Any) -> None:
    if future.cancelled():
        put(None, CancelledError())
    elif (error := future.exception()) is not None:
        put(None, error)
    else:
        put(future.result(), None)


def _size(executor: Any) -> int | None:
    """How many trials an executor runs at once, if it says so."""
    client = getattr(executor, "_client", None)  # Dask's
    if client is not None:
        return sum(client.nthreads().values()) or None
    size = getattr(executor, "max_workers", None) or getattr(executor, "_max_workers", None)
    return size if isinstance(size, int) else None


class _Leases:
    """Leases on the trials under way, renewed while this process lives."""

    def __init__(self, study: "StudyLike", actor: str) -> None:
        self._study = study
        self._actor = actor
        self._taken: dict[str, Proposal] = {}
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._renew, name="counsel-leases", daemon=True)

    def __enter__(self) -> "_Leases":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        for proposal in list(self._taken.values()):
            self.drop(proposal)

    def take(self, proposal: Proposal) -> bool:
        """Whether the proposal is ours now."""
        with self._lock:  # before the lease: an interrupt in between must not leave one behind
            self._taken[proposal.id] = proposal
        try:
            self._study.hold(proposal, actor=self._actor, seconds=_LEASE)
        except Conflict:
            with self._lock:
                del self._taken[proposal.id]
            return False
        return True

    def drop(self, proposal: Proposal) -> None:
        with self._lock:
            taken = self._taken.pop(proposal.id, None)
        if taken is not None and any(each.proposal == taken.id for each in self._study.leases):
            self._study.release(taken, actor=self._actor)

    def _renew(self) -> None:
        while not self._over.wait(_LEASE / 3.0):
            with self._lock:
                taken = list(self._taken.values())
            for proposal in taken:
                try:
                    self._study.hold(proposal, actor=self._actor, seconds=_LEASE)
                except CounselError:
                    # Ended or taken by somebody else meanwhile: telling it will show which. A
                    # storage that is away for a moment is asked again at the next turn.
                    continue


@contextmanager
def _bar(trials: int, wanted: bool | None) -> Iterator[_Report]:
    """A progress bar: in a terminal, unless it is switched off or on."""
    if not (sys.stderr.isatty() if wanted is None else wanted):
        yield lambda finished, fact: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeLeft())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("trials", total=trials)

        def report(finished: int, fact: Fact | None) -> None:
            latest = ""
            if isinstance(fact, Observation):
                latest = ", ".join(f"{name} {each:.4g}" for name, each in fact.outcomes.items())
            elif fact is not None:
                latest = "failed"
            progress.update(task, completed=finished, description=f"trials  {latest}")

        yield report
