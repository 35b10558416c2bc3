"""Programs for the rounds to come, compiled in the background while people think.

A study grows by one trial a round, and the shapes of compiled programs change at a few sizes
(`models.gp.bucket`). After a proposal, the next rounds are played with made-up trials in a thread:
their programs are made, or read from disk, and nothing is computed (`models.compiling.preparing`).

Nobody thinks in a loop that asks again at once, and there the thread would only be in the way: it
starts where some time has passed between a proposal and the next question. After a batch it
does not wait for a second question, which would be the first that learns: it starts when a moment
has passed without one.

A proposal that has to compile needs several programs. While the first of them is compiled, the same
round is played in a thread, and the others are compiled next to it.
"""

import logging
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from counsel.facts.history import Array, History
from counsel.facts.kept import Kept
from counsel.facts.problem import Problem
from counsel.policies.protocol import Feasibility, Policy

__all__ = ["Ahead", "grown"]

_LOG = logging.getLogger(__name__)
# A caller that asks again within this many seconds is not a person.
_THOUGHT = 2.0
# After a batch nobody asks again within so many seconds who is not a loop.
_QUIET, _LOOKS = 0.5, 10
# No policy spreads its first trials over more than ten rounds by default.
_FIRST = 11
# Where trials are measured and compared: how many pairs of sizes to prepare, within so many trials.
_SIZES, _FAR = 3, 100


class Ahead:
    """Prepares the next rounds of studies, one at a time, in a thread that ends when it is done."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last: float | None = None
        self._hurried = True
        self._widest = 0  # how many trials were under way at once
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._asked = 0
        self._latest: Any = ()  # what the last proposal was made from

    def asked(self) -> None:
        """Take note of a question."""
        with self._lock:
            self._asked += 1
            self._hurried = self._last is None or self._clock() - self._last < _THOUGHT

    def proposed(self, policy: Policy, problem: Problem, history: History) -> None:
        """Take note of the proposal that was made from `history`."""
        with self._lock:
            self._last = self._clock()
            self._widest = max(self._widest, len(history.pending))
            self._latest = policy, problem, history, self._widest
            busy = self._thread is not None and self._thread.is_alive()
            if busy or (self._hurried and not len(history.pending)):
                return
            # Not a daemon: ended in the middle of a compilation, the process could crash.
            self._thread = threading.Thread(
                target=self._after_batch if self._hurried else _prepare,
                args=() if self._hurried else self._latest,
                name="counsel-ahead",
            )
            self._thread.start()

    def _after_batch(self) -> None:
        """Prepare what follows the last proposal, once nobody has asked for a moment."""
        asked, quiet = -1, 0
        while quiet < _LOOKS:
            if not threading.main_thread().is_alive():  # the process is about to end
                return
            quiet = quiet + 1 if asked == self._asked else 0
            asked = self._asked
            time.sleep(_QUIET / _LOOKS)
        with self._lock:
            given = self._latest
        _prepare(*given)

    @contextmanager
    def helping(self, policy: Policy, problem: Problem, history: History) -> Iterator[None]:
        """Within, a proposal from `history` is made; what it has to compile is compiled at once."""
        # Imports JAX: a policy that needs no programs has not done so, or another thread just does.
        compiling = sys.modules.get("counsel.models.compiling")
        starting = getattr(compiling, "at_first_compilation", None)
        if starting is None:
            yield
            return
        alike = replace(history, kept=Kept())
        helper = threading.Thread(
            target=_play, args=(policy, problem, alike), name="counsel-helping"
        )
        with starting(helper.start):
            yield

    def wait(self) -> None:
        """Return when nothing is being prepared."""
        thread = self._thread
        if thread is not None:
            thread.join()


def _prepare(policy: Policy, problem: Problem, history: History, widest: int = 0) -> None:
    history = _begun(problem, history)
    for measured, compared in _upcoming(history):
        later = grown(history, measured, problem.space.finite, compared)
        for round in _batch(later, widest):
            for step in _steps(policy, problem, round):
                if not threading.main_thread().is_alive():  # the process is about to end
                    return
                _pretend(step)


def _begun(problem: Problem, history: History) -> History:
    """Before anything is known, as if what is under way had been measured."""
    rows = history.pending
    if len(history.points) or len(history.comparisons) or problem.objective.preferred:
        return history
    count, wide = len(rows), 1 + len(problem.constraints)
    values = np.linspace(0.0, 1.0, count)
    return replace(
        history,
        x=rows,
        y=values,
        pending=rows[:0],
        points=rows,
        outcomes=np.repeat(values[:, None], wide, axis=1),
        measured=np.ones((count, wide), dtype=bool),
        trials=np.arange(count),
        people=np.zeros(count, dtype=np.int64),
        sem=np.full(count, np.nan),
        foretold=np.full((count, 5), np.nan),
        kept=Kept(),
    )


def _batch(history: History, widest: int) -> Iterator[History]:
    """A round, and those of a batch that need other programs (`models.pending.room`)."""
    yield history
    for count in (1, 5):
        if count <= widest and len(history.x):
            rows = history.x[np.arange(count) % len(history.x)]
            yield replace(history, pending=rows, t=history.t + count, kept=Kept())


def _play(policy: Policy, problem: Problem, history: History) -> None:
    for step in _proposals(policy, problem, history):
        _pretend(step, apart=True)


def _pretend(step: Callable[[], object], *, apart: bool = False) -> None:
    """Make the programs of a step, and run none of them."""
    from counsel.models.compiling import preparing

    with preparing(apart=apart), np.errstate(all="ignore"):
        try:
            step()
        except Exception as error:  # made-up answers may lead anywhere; nothing depends on it
            _LOG.debug("Could not prepare a round: %r", error)


def _steps(policy: Policy, problem: Problem, history: History) -> list[Callable[[], object]]:
    point = np.concatenate([np.full(problem.space.dim, 0.5), history.context])[None, :]
    steps = _proposals(policy, problem, history)
    steps.append(lambda: policy.predict(problem, history, point))
    if len(history.comparisons) and not history.ties.any():
        # The first tie brings a rule of its own.
        tied = replace(history, ties=np.ones(len(history.ties), dtype=bool), kept=Kept())
        steps += _proposals(policy, problem, tied)
    if problem.constraints and isinstance(policy, Feasibility):
        steps.append(lambda: policy.chances(problem, history, point))
    return steps


def _proposals(policy: Policy, problem: Problem, history: History) -> list[Callable[[], object]]:
    steps: list[Callable[[], object]] = [lambda: policy.propose(problem, history)]
    if len(history.comparisons):
        # The second of a pair is chosen by another rule, while the first one is pending.
        second = replace(history, pending=history.comparisons[-1, :1], t=history.t + 1)
        steps.append(lambda: policy.propose(problem, second))
    return steps


def _upcoming(history: History) -> tuple[tuple[int, int], ...]:
    """By how many measurements and comparisons to grow: to the next round and the next sizes."""
    from counsel.models.gp import bucket

    if len(history.y) and len(history.comparisons):
        return _mixed(len(history.y), len(history.comparisons))
    now = max(len(history.y), len(history.points), len(history.comparisons))
    soon = max(now + 1, _FIRST)
    # Past a size by 1, and where there is room for pending trials, too.
    sizes = (soon, bucket(soon) - 3, bucket(soon) + 1)
    return tuple((size - now, size - now) for size in sizes if size > now)


def _mixed(measured: int, compared: int) -> tuple[tuple[int, int], ...]:
    """The same where some trials are measured and some compared, if they go on in these shares.

    A comparison is one judgement about two points, and both numbers have sizes of their own. Each
    pair of sizes is met with as many trials as it holds: first trials are not learned from.
    """
    from counsel.models.gp import bucket

    found: dict[tuple[int, int], tuple[int, int]] = {}
    for more in range(1, _FAR):
        of_them = round(more * compared / (measured + compared))
        judgements = measured + compared + more
        sizes = bucket(judgements), bucket(judgements + compared + of_them)
        if sizes not in found and len(found) == _SIZES:
            break
        found[sizes] = more - of_them, of_them
    return tuple(found.values())


def grown(history: History, count: int, finite: bool, compared: int | None = None) -> History:
    """The history with `count` trials more, near earlier ones (over arms: at earlier ones).

    `compared` is how many of its comparisons there are more, if not as many.
    """
    rng = np.random.default_rng(0)

    pairs = count if compared is None else compared

    def more(rows: Array, count: int = count) -> Array:
        if len(rows) == 0:
            return rows
        again = rows[np.arange(count) % len(rows)]
        if not finite and rows.dtype == np.float64:
            again = np.clip(again + 0.05 * rng.standard_normal(again.shape), 0.0, 1.0)
        return np.concatenate([rows, again])

    def repeated(rows: np.ndarray, count: int = count) -> np.ndarray:
        return np.concatenate([rows, rows[np.arange(count) % len(rows)]]) if len(rows) else rows

    next_trial = int(history.trials.max(initial=-1)) + 1
    return replace(
        history,
        x=more(history.x),
        y=repeated(history.y),
        points=more(history.points),
        outcomes=repeated(history.outcomes),
        measured=repeated(history.measured),
        comparisons=more(history.comparisons, pairs),
        ties=repeated(history.ties, pairs),
        trials=np.concatenate([history.trials, next_trial + np.arange(count)])
        if len(history.trials)
        else history.trials,
        people=repeated(history.people),
        foretold=repeated(history.foretold),
        sem=repeated(history.sem),
        fresh=False,
        t=history.t + max(count, pairs),
        kept=Kept(),  # what is made up stays here
    )
