"""Fifty clients on fifty studies at once."""

import os
import statistics
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import counsel as cs
from counsel.server.guards import Limits
from server.conftest import running

CLIENTS = 50
SECONDS = float(os.environ.get("COUNSEL_LOAD_SECONDS", "120"))


@pytest.mark.slow
def test_fifty_clients_ask_decide_and_tell(tmp_path: Path) -> None:
    """No request fails; the 95th percentile of a warm ask is printed, to be below 1 s when idle."""
    asks: list[float] = []
    wrong: list[BaseException] = []
    space = cs.Space(x=cs.Float(0, 1), y=cs.Float(0, 1))
    storage = f"sqlite:///{tmp_path / 'load.db'}"

    def work(url: str, number: int, until: float) -> None:
        rng = np.random.default_rng(number)
        try:
            with cs.Client(url) as client:
                study = client.create_study(space, name=f"s{number}", seed=number)
                while time.monotonic() < until:
                    began = time.perf_counter()
                    proposal = study.ask()
                    if proposal.round > 4:
                        asks.append(time.perf_counter() - began)
                    study.accept(proposal, actor="ann")
                    study.tell(proposal, float(rng.normal()))
        except BaseException as error:
            wrong.append(error)

    with running(storage=storage, limits=Limits(rate=1e6, burst=1e6)) as url:
        until = time.monotonic() + SECONDS
        threads = [threading.Thread(target=work, args=(url, i, until)) for i in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []
    p95 = statistics.quantiles(asks, n=20)[-1]
    print(f"asks {len(asks)}, median {statistics.median(asks):.3f} s, p95 {p95:.3f} s")
