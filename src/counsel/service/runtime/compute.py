"""Computes proposals in a separate process.

In one interpreter, compiled work and requests would wait for each other under load. A policy
remembers nothing and needs only problem and history, so it can run anywhere. Not `multiprocessing`:
that would run the caller's script a second time. Not loky: a round trip takes twice as long, and a
worker that is stopped is waited for without end (`python -m benchmarks.processes`).
"""

import contextlib
import itertools
import os
import pickle
import signal
import subprocess
import sys
import threading
import traceback
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import IO, Any

from counsel.errors import CounselError
from counsel.facts.history import History
from counsel.facts.kept import Kept, trim
from counsel.facts.problem import Problem
from counsel.facts.summaries import Setup
from counsel.facts.wanted import check_wanted
from counsel.policies.ahead import Ahead
from counsel.policies.description import make
from counsel.policies.protocol import Choice, Policy
from counsel.service.runtime import frames
from counsel.service.runtime.log_lines import log_lines
from counsel.service.runtime.starting import start

__all__ = ["ComputeProcess"]

_KEPT = 64  # setups that the process remembers; others are sent again
_MOST_BYTES = 128 * 2**20  # of beliefs that it keeps, of all studies together
_ATTEMPTS = 2  # the process may have been killed for lack of memory
_GRACE = 5.0  # seconds it has to end by itself
_SILENCE = 15.0  # seconds without a heartbeat: it is stopped or hangs, and is replaced


class ComputeProcess:
    """Asks a process what to propose, and restarts it if it has ended or is silent.

    While one question is being answered, the next one is sent.
    """

    def __init__(self, process: "subprocess.Popen[bytes] | None" = None) -> None:
        self._numbers = itertools.count()
        self._sending, self._receiving = threading.Lock(), threading.Lock()
        self._process = process or start()

    def for_study(self, setup: Setup) -> Callable[[History], Choice]:
        """What the study's policy chooses, given a history."""
        return partial(self._choose, next(self._numbers), setup)

    def _choose(self, study: int, setup: Setup, history: History) -> Choice:
        check_wanted()  # of a batch or a replay whose caller has gone, the rest is not computed
        for _ in range(_ATTEMPTS):
            idle = self._process
            if idle.poll() is not None:  # it ended while nobody asked: that was no attempt
                self._replace(idle)
            try:
                answer = self._ask((study, None, history))
                if answer is None:  # it does not know this study
                    answer = self._ask((study, setup, history))
            except _Gone as gone:
                self._replace(gone.process)
                continue
            if isinstance(answer, Exception):
                raise answer
            assert isinstance(answer, Choice)
            return answer
        raise CounselError(
            "The process that computes proposals ended unexpectedly or stopped answering, twice. "
            "Nothing is lost. Check the service's log, and whether the machine is out of memory."
        )

    def _ask(self, question: object) -> object:
        asked = pickle.dumps(question, pickle.HIGHEST_PROTOCOL)
        with self._sending:
            process = self._process
            sent, received = _pipes(process)
            with _whole(process):
                frames.send(sent.fileno(), asked, _SILENCE)
            self._receiving.acquire()  # before the next one sends, because answers come in order
        try:
            with _whole(process):
                return pickle.loads(frames.receive(received.fileno(), _SILENCE))
        finally:
            self._receiving.release()

    def _replace(self, process: "subprocess.Popen[bytes]") -> None:
        with self._sending, self._receiving:
            if self._process is not process:  # somebody else has done it
                return
            _end(process)
            try:
                self._process = start()
            except OSError as error:
                raise CounselError(
                    f"The process that computes proposals cannot be started: {error}."
                ) from error

    def close(self) -> None:
        with self._sending, self._receiving:
            _end(self._process)

    def kill(self) -> None:
        """Kill it at once, whatever it is doing."""
        self._process.kill()


class _Gone(Exception):
    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        super().__init__()
        self.process = process


@contextlib.contextmanager
def _whole(process: "subprocess.Popen[bytes]") -> Iterator[None]:
    """Replace the process after a partial message: the next one would be mixed up with it."""
    try:
        yield
    except BaseException as error:
        process.kill()
        if isinstance(error, Exception):
            raise _Gone(process) from error
        raise


def _end(process: "subprocess.Popen[bytes]") -> None:
    sent, received = _pipes(process)
    with contextlib.suppress(OSError):
        sent.close()  # it ends when the pipe closes
    try:
        process.wait(_GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    received.close()


def _pipes(process: "subprocess.Popen[bytes]") -> tuple[IO[bytes], IO[bytes]]:
    assert process.stdin is not None
    assert process.stdout is not None
    return process.stdin, process.stdout


def work() -> None:
    """The process's main loop: answer until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = frames.Answers(os.dup(sys.stdout.fileno()))
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # printed output is not an answer
    log_lines("info")
    with answers.working():
        import counsel.models  # noqa: F401  the slow import, before anybody waits for it
    _answer_all(sys.stdin.fileno(), answers)


def _answer_all(questions: int, answers: frames.Answers) -> None:
    known: OrderedDict[int, tuple[Problem, Policy, Kept]] = OrderedDict()
    ahead = Ahead()
    os.set_blocking(questions, True)  # the other end of the pipe has its own mode
    while True:
        try:
            study, setup, history = pickle.loads(frames.receive(questions, None))
        except EOFError:
            return
        ahead.asked()
        with answers.working():
            answers.send(_answer(known, study, setup, history, ahead))
        if study in known:
            problem, policy, _ = known[study]
            ahead.proposed(policy, problem, history)


def _answer(
    known: OrderedDict[int, tuple[Problem, Policy, Kept]],
    study: int,
    setup: Setup | None,
    history: History,
    ahead: Ahead,
) -> bytes:
    answer: Any = None
    try:
        if setup is not None:
            known[study] = setup.problem, make(setup.policy), Kept()
            while len(known) > _KEPT:
                known.popitem(last=False)
        if study in known:
            known.move_to_end(study)
            problem, policy, kept = known[study]
            now, history = history.problem(problem), replace(history, kept=kept)
            with ahead.helping(policy, now, history):
                answer = policy.propose(now, history)
            trim((kept for _, _, kept in known.values()), _MOST_BYTES)
    except Exception as error:
        if not isinstance(error, CounselError):
            error.add_note(traceback.format_exc())
        answer = error
    try:
        packed = pickle.dumps(answer, pickle.HIGHEST_PROTOCOL)
        pickle.loads(packed)
    except Exception:  # an error that cannot be pickled
        return pickle.dumps(CounselError(repr(answer)), pickle.HIGHEST_PROTOCOL)
    return packed
