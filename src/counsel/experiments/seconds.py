"""Speed experiments: how long `study.ask` takes with n observations, compiling left out."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import jax
import numpy as np
import pandas as pd

from counsel.experiments.experiment import Experiment, Method
from counsel.models.compiling import LOADED
from counsel.policies.bandit import Bandit
from counsel.study import create_study
from counsel.worlds import World

__all__ = ["OBSERVED", "time_asks"]

OBSERVED = (10, 50, 150)
_COMPILED = "/jax/core/compile/backend_compile_duration"


def time_asks(experiment: Experiment, world: str, method: Method, seeds: range) -> pd.DataFrame:
    """One row per n and seed: the ask after the n-th measurement, which fits to it.

    Before the first of each n, one in which everything compiles. `compiled` counts the programs
    that were compiled (or read from the cache on disk): in that one and, if something is wrong, in
    a timed one.
    """
    rows = []
    candidates = experiment.worlds[world](seeds.start)
    with _compilations() as compiled:
        for n in OBSERVED:
            before = compiled()
            _round(candidates, method, world, n, seeds.start)
            warm = compiled()
            for seed in seeds:
                wall, cpu = _round(candidates, method, world, n, seed)
                rows.append((seed, n, wall, cpu, warm - before, compiled() - warm))
                warm = compiled()
    columns = ["seed", "observed", "seconds", "cpu_seconds", "compiled_before", "compiled_timed"]
    return pd.DataFrame(rows, columns=columns).astype({"seed": np.int32, "observed": np.int32})


def _round(candidates: World, method: Method, world: str, n: int, seed: int) -> tuple[float, float]:
    """Seconds of one proposal, by the clock and of CPU, after n - 1 random arms and one asked."""
    rng = np.random.default_rng([seed, n])
    policy = Bandit(method.acquisition_in(world), prior=method.prior)
    study = create_study(candidates.space, direction=candidates.direction, policy=policy)
    for arm in rng.choice(len(candidates.arms), n - 1, replace=False):
        values = candidates.arms[int(arm)]
        study.tell(values, candidates.observe(values, rng))
    proposal = study.ask()
    study.tell(proposal, candidates.observe(proposal.values, rng))
    began = time.perf_counter(), time.process_time()
    study.ask()
    return time.perf_counter() - began[0], time.process_time() - began[1]


@contextmanager
def _compilations() -> Iterator[Callable[[], int]]:
    count = 0

    def listen(event: str, duration_secs: float, **kwargs: str | int) -> None:
        nonlocal count
        count += event in (_COMPILED, LOADED)

    jax.monitoring.register_event_duration_secs_listener(listen)
    try:
        yield lambda: count
    finally:
        jax.monitoring.unregister_event_duration_listener(listen)
