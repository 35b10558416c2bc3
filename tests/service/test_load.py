"""Many clients, each on a study of its own, in a process of their own beside the service."""

import math
import multiprocessing
import os
import re
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import counsel as cs
from service.browser import service

SECONDS = float(os.environ.get("COUNSEL_LOAD_SECONDS", "120"))
LONG_SECONDS = float(os.environ.get("COUNSEL_LOAD_SECONDS", "600"))
SPACE = {"x": cs.Float(0, 1), "y": cs.Float(0, 1)}


def go(study: Any, rng: np.random.Generator) -> tuple[int, float]:
    """One trial: its number, and how long the proposal took."""
    began = time.perf_counter()
    proposal = study.ask()
    took = time.perf_counter() - began
    study.accept(proposal, actor="ann")
    study.tell(proposal, float(rng.normal()))
    return proposal.round, took


def clients(url: str, count: int, until: float, answers: Any, trials: float) -> None:
    """Each begins another study after so many trials."""
    asks: list[float] = []
    wrong: list[str] = []

    def work(number: int) -> None:
        rng = np.random.default_rng(number)
        done = trials
        try:
            with cs.Client(url) as client:
                while time.time() < until:
                    if done >= trials:
                        name = f"s{number}-{len(asks)}-{rng.integers(10**9)}"
                        study = client.create_study(cs.Space(**SPACE), name=name, seed=number)
                    done, took = go(study, rng)
                    if done > 4:
                        asks.append(took)
        except BaseException as error:
            wrong.append(repr(error))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    answers.put((asks, wrong))


def resident(database: Path) -> float:
    """MB of the process that serves this database, and of the one that proposes for it."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(FileNotFoundError, ProcessLookupError):  # others come and go
            if str(database).encode() not in (process / "cmdline").read_bytes():
                continue
            threads = (process / "task").glob("*/children")
            pids = {process.name, *(pid for each in threads for pid in each.read_text().split())}
            texts = "".join(Path(f"/proc/{pid}/status").read_text() for pid in pids)
            return sum(int(kb) / 1024 for kb in re.findall(r"VmRSS:\s+(\d+)", texts))
    pytest.fail("The service is gone.")


@contextmanager
def under_load(
    folder: Path, count: int, seconds: float, trials: float = math.inf
) -> Iterator[tuple[Path, Any]]:
    """The database of a warm service that so many clients use, and what they hear at the end.

    Warm: one study has been through all sizes before, so that nothing is left to compile.
    """
    database = folder / "load.db"
    with service("serve", "--storage", f"sqlite:///{database}", folder=folder) as url:
        with cs.Client(url) as client:
            first = client.create_study(cs.Space(**SPACE), name="first")
            rng = np.random.default_rng(0)
            for _ in range(200):
                go(first, rng)
        context = multiprocessing.get_context("spawn")
        answers = context.Queue()
        until = time.time() + seconds
        load = context.Process(target=clients, args=(url, count, until, answers, trials))
        load.start()
        yield database, answers
        load.join()


@pytest.mark.slow
@pytest.mark.alone
@pytest.mark.parametrize("count", [20, 50])
def test_many_clients_ask_decide_and_tell(tmp_path: Path, count: int) -> None:
    """No request fails, and with 20 a warm ask takes less than a second (95th percentile)."""
    with under_load(tmp_path, count, SECONDS) as (_, answers):
        asks, wrong = answers.get(timeout=SECONDS + 60)
    assert wrong == []
    p95 = statistics.quantiles(asks, n=20)[-1]
    print(f"asks {len(asks)}, median {statistics.median(asks):.3f} s, p95 {p95:.3f} s")
    assert p95 < 1.0 or count > 20


@pytest.mark.slow
@pytest.mark.alone
def test_memory_levels_off_under_load(tmp_path: Path) -> None:
    """Ten minutes of twenty clients, who begin another study after twenty trials: once as many
    studies are open as may be, which is so in the second half, the two processes grow by less than
    what would be 500 MB in two hours. The slope is that of a line through a look every second. (A
    study that grows takes more: its beliefs are larger, and so are the programs that compute
    them.)"""
    half, looks = LONG_SECONDS / 2, []
    with under_load(tmp_path, 20, LONG_SECONDS, trials=20) as (database, answers):
        time.sleep(half)
        while len(looks) < half - 5:
            looks.append(resident(database))
            time.sleep(1.0)
        _, wrong = answers.get(timeout=LONG_SECONDS + 60)
    assert wrong == []
    slope = 60 * float(np.polyfit(np.arange(len(looks)), looks, 1)[0])  # MB a minute
    print(f"memory {looks[0]:.0f} to {looks[-1]:.0f} MB, {slope:.2f} MB a minute")
    assert slope < 500 / 120
