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
from counsel.study import Study, create_study
from counsel.worlds import World

__all__ = ["OBSERVED", "time_asks"]

OBSERVED = (10, 50, 150)
_COMPILED = "/jax/core/compile/backend_compile_duration"


def time_asks(experiment: Experiment, world: str, method: Method, seeds: range) -> pd.DataFrame:
    """One row per n and timed ask; each n has one ask before that, in which everything compiles.

    `compiled` counts the programs that were compiled (or read from the cache on disk): in the first
    ask and, if something is wrong, in a timed one.
    """
    rows = []
    candidates = experiment.worlds[world](seeds.start)
    with _compilations() as compiled:
        for n in OBSERVED:
            rng = np.random.default_rng([seeds.start, n])
            study = _begun(candidates, method, world, n, rng)
            before = compiled()
            _ask(study)
            warm = compiled()
            for seed in seeds:
                wall, cpu = _ask(study)
                rows.append((seed, n, wall, cpu, warm - before, compiled() - warm))
                warm = compiled()
    columns = ["seed", "observed", "seconds", "cpu_seconds", "compiled_before", "compiled_timed"]
    return pd.DataFrame(rows, columns=columns).astype({"seed": np.int32, "observed": np.int32})


def _begun(
    candidates: World, method: Method, world: str, n: int, rng: np.random.Generator
) -> Study:
    """A study with n observations of random arms."""
    policy = Bandit(method.acquisition_in(world), prior=method.prior)
    study = create_study(candidates.space, direction=candidates.direction, policy=policy)
    for arm in rng.choice(len(candidates.arms), n, replace=False):
        values = candidates.arms[int(arm)]
        study.tell(values, candidates.observe(values, rng))
    return study


def _ask(study: Study) -> tuple[float, float]:
    """Seconds of one proposal, by the clock and of CPU; it is rejected, so that n stays."""
    began = time.perf_counter(), time.process_time()
    proposal = study.ask()
    seconds = time.perf_counter() - began[0], time.process_time() - began[1]
    study.reject(proposal)
    return seconds


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
