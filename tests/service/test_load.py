"""Fifty clients on fifty studies at once, in a process of their own beside the service."""

import multiprocessing
import os
import re
import statistics
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import counsel as cs
from service.browser import service

CLIENTS = 50
SECONDS = float(os.environ.get("COUNSEL_LOAD_SECONDS", "120"))
SPACE = {"x": cs.Float(0, 1), "y": cs.Float(0, 1)}


def go(study: Any, rng: np.random.Generator) -> tuple[int, float]:
    """One trial: its number, and how long the proposal took."""
    began = time.perf_counter()
    proposal = study.ask()
    took = time.perf_counter() - began
    study.accept(proposal, actor="ann")
    study.tell(proposal, float(rng.normal()))
    return proposal.round, took


def clients(url: str, until: float, answers: Any) -> None:
    asks: list[float] = []
    wrong: list[str] = []

    def work(number: int) -> None:
        rng = np.random.default_rng(number)
        try:
            with cs.Client(url) as client:
                study = client.create_study(cs.Space(**SPACE), name=f"s{number}", seed=number)
                while time.time() < until:
                    number, took = go(study, rng)
                    if number > 4:
                        asks.append(took)
        except BaseException as error:
            wrong.append(repr(error))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    answers.put((asks, wrong))


def resident(database: Path) -> float:
    """MB of the process that serves this database, and of the one that proposes for it."""
    for process in Path("/proc").glob("[0-9]*"):
        if str(database).encode() in (process / "cmdline").read_bytes():
            threads = (process / "task").glob("*/children")
            pids = {process.name, *(pid for each in threads for pid in each.read_text().split())}
            texts = "".join(Path(f"/proc/{pid}/status").read_text() for pid in pids)
            return sum(int(kb) / 1024 for kb in re.findall(r"VmRSS:\s+(\d+)", texts))
    pytest.fail("The service is gone.")


@pytest.mark.slow
def test_fifty_clients_ask_decide_and_tell(tmp_path: Path) -> None:
    """No request fails, a warm ask takes less than a second (95th percentile), memory levels off.

    Warm: one study has been through all sizes before, so that nothing is left to compile.
    """
    database = tmp_path / "load.db"
    with service("serve", "--storage", f"sqlite:///{database}", folder=tmp_path) as url:
        with cs.Client(url) as client:
            first = client.create_study(cs.Space(**SPACE), name="first")
            rng = np.random.default_rng(0)
            for _ in range(200):
                go(first, rng)
        context = multiprocessing.get_context("spawn")
        answers = context.Queue()
        load = context.Process(target=clients, args=(url, time.time() + SECONDS, answers))
        load.start()
        time.sleep(SECONDS / 2)
        half = resident(database)
        time.sleep(SECONDS / 2 - 1)
        full = resident(database)
        asks, wrong = answers.get(timeout=60)
        load.join()
    assert wrong == []
    p95 = statistics.quantiles(asks, n=20)[-1]
    print(
        f"asks {len(asks)}, median {statistics.median(asks):.3f} s, p95 {p95:.3f} s; "
        f"memory {half:.0f} MB after half of the time, {full:.0f} MB at the end"
    )
    assert full < 1.2 * half + 50.0
    assert p95 < 1.0
