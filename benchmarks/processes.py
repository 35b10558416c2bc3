"""Time a question to a process that computes: `python -m benchmarks.processes`.

The service has a process of its own for proposals (`counsel.service.runtime.compute`). Beside it
stand loky, as joblib ships it, and the standard library's executor, with one worker each. All are
sent the history of a study of 100 trials and asked for a proposal of the policy `random`, which
costs next to nothing, so that it is the way there and back that is timed. They take turns. Then the
worker is stopped (SIGSTOP), as on a machine that swaps: the last column says whether and when the
next question was answered.
"""

import os
import signal
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures import TimeoutError as Late
from contextlib import AbstractContextManager, contextmanager, suppress
from multiprocessing import get_context
from typing import NamedTuple

import numpy as np
from joblib.externals.loky import ProcessPoolExecutor as LokyExecutor

import counsel as cs
from counsel.facts.history import History
from counsel.facts.state import StudyState
from counsel.facts.summaries import Setup
from counsel.policies.description import make
from counsel.policies.protocol import Choice
from counsel.service.runtime.compute import ComputeProcess

TRIALS, ROUNDS, TURNS = 100, 200, 3
_PATIENCE = 60.0


class Asked(NamedTuple):
    """Somebody who proposes in another process."""

    propose: Callable[[], Choice]
    worker: Callable[[], int]


Contestant = Callable[[Setup, History], AbstractContextManager[Asked]]


def a_history(study: cs.Study) -> History:
    for number in range(TRIALS):
        study.tell(study.ask(), float(number % 7))
    state = StudyState(study.problem, study.facts)
    return state.history(t=TRIALS + 1, seed=0, context=np.zeros(0))


def proposed(setup: Setup, history: History) -> Choice:
    """What an executor's worker computes."""
    return make(setup.policy).propose(setup.problem, history)


@contextmanager
def ours(setup: Setup, history: History) -> Iterator[Asked]:
    process = ComputeProcess()
    choose = process.for_study(setup)
    try:
        yield Asked(lambda: choose(history), lambda: process._process.pid)
    finally:
        process.close()


def executed(executor: Callable[[], Executor]) -> Contestant:
    @contextmanager
    def asked(setup: Setup, history: History) -> Iterator[Asked]:
        pool = executor()
        yield Asked(
            lambda: pool.submit(proposed, setup, history).result(_PATIENCE),
            lambda: pool.submit(os.getpid).result(_PATIENCE),
        )
        pool.shutdown(wait=False)

    return asked


CONTESTANTS: dict[str, Contestant] = {
    "counsel": ours,
    "loky": executed(lambda: LokyExecutor(1)),
    "concurrent.futures": executed(lambda: ProcessPoolExecutor(1, mp_context=get_context("spawn"))),
}


def round_trips(asked: Asked) -> list[float]:
    """Seconds of each question, in a process that has answered before."""
    for _ in range(5):
        asked.propose()
    found = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        asked.propose()
        found.append(time.perf_counter() - began)
    return found


def after_a_stop(asked: Asked) -> str:
    """When a question is answered whose worker was stopped before it."""
    worker = asked.worker()
    os.kill(worker, signal.SIGSTOP)
    began = time.perf_counter()
    try:
        asked.propose()
    except Late:
        return f"not within {_PATIENCE:.0f} s"
    else:
        return f"after {time.perf_counter() - began:.0f} s"
    finally:
        with suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL)


def main() -> None:
    """Print a table."""
    space = cs.Space(**{name: cs.Float(0.0, 1.0) for name in "abcd"})
    study = cs.create_study(space, policy="random", seed=0)
    history, setup = a_history(study), study.setup
    found: dict[str, list[float]] = {name: [] for name in CONTESTANTS}
    stopped: dict[str, str] = {}
    for turn in range(TURNS):
        for name, contestant in CONTESTANTS.items():
            with contestant(setup, history) as asked:
                found[name] += round_trips(asked)
                if turn == TURNS - 1:
                    stopped[name] = after_a_stop(asked)
    print("| process | round trip, median | 95% | worker stopped: the next answer |")
    print("|---|---|---|---|")
    for name, seconds in found.items():
        usual = 1e3 * statistics.median(seconds)
        slow = 1e3 * float(np.quantile(seconds, 0.95))
        print(f"| {name} | {usual:.2f} ms | {slow:.2f} ms | {stopped[name]} |")
    sys.stdout.flush()
    os._exit(0)  # an executor with a stopped worker cannot be shut down


if __name__ == "__main__":
    main()
