"""Posterior mean and sd at 1,000,000 arms from 500 observations, hyper-parameters fixed."""

from functools import partial
from typing import Protocol

import numpy as np

from benchmarks.cases.case import OURS, Case, Check, Results, agreement, speedup
from benchmarks.functions import Grid, Points, sample_grid
from benchmarks.measure import Measurement, peak_memory_mb, resident_memory_mb, timed

OBSERVATIONS = 500
SIDE = 1000
PRIOR = {"lengthscale": 0.2, "noise": 1e-3}

BATCHED = "botorch, batched"
JOINT = "botorch, joint chunks"

# Each peer gets the chunk that was fastest for it.
BOTORCH_CHUNK = 512
NUMPY_CHUNK = 2048


class Predict(Protocol):
    """Mean and sd of the noise-free function at all arms: unit amplitude, zero prior mean."""

    def __call__(self, x: Points, y: Points, arms: Points, /) -> tuple[Points, Points]: ...


def _run(predict: Predict, repeats: int) -> Measurement:
    grid = Grid("cosine", SIDE)
    arms = grid.arms
    x, y = sample_grid(grid, OBSERVATIONS)
    before = resident_memory_mb()
    _, first, _ = timed(lambda: predict(x, y, arms))
    wall: list[float] = []
    cpu: list[float] = []
    for _ in range(repeats):
        (mean, deviation), seconds, cpu_seconds = timed(lambda: predict(x, y, arms))
        wall.append(seconds)
        cpu.append(cpu_seconds)
    return Measurement(
        wall=wall,
        cpu=cpu,
        first=first,
        peak_mb=peak_memory_mb() - before,
        answers={
            "mean of means": float(np.mean(mean)),
            "sd of means": float(np.std(mean)),
            "mean of sds": float(np.mean(deviation)),
            "largest sd": float(np.max(deviation)),
        },
    )


def _counsel() -> Measurement:
    from benchmarks.contestants.with_counsel_gp import predict

    return _run(partial(predict, **PRIOR), repeats=3)


def _botorch(joint: bool) -> Measurement:
    from benchmarks.contestants.with_botorch import predict

    return _run(partial(predict, **PRIOR, chunk=BOTORCH_CHUNK, joint=joint), repeats=1)


def _numpy() -> Measurement:
    from benchmarks.contestants.with_numpy import predict

    return _run(partial(predict, **PRIOR, chunk=NUMPY_CHUNK), repeats=3)


def _checks(results: Results) -> list[Check]:
    checks = speedup(results, BATCHED, 2.0) + speedup(results, JOINT, 2.0)
    checks += speedup(results, "numpy", 1 / 1.3)
    if OURS in results and (peak := results[OURS].peak_mb) is not None:
        checks.append(Check(f"peak memory above the arms {peak:.0f} MB (goal 1024)", peak <= 1024))
    return checks + agreement(results, tolerance=1e-6)


CASE = Case(
    name="predict-million",
    title="Mean and sd at 1,000,000 arms from 500 observations, 64-bit",
    contestants={
        OURS: _counsel,
        BATCHED: partial(_botorch, joint=False),
        JOINT: partial(_botorch, joint=True),
        "numpy": _numpy,
    },
    checks=_checks,
)
