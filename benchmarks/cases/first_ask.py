"""The first ask in a new process, after 3 observations: imports and compilation included."""

import os
import resource
import subprocess
import sys
import tempfile
import time

from benchmarks.cases.case import OURS, Case, Check, Results, speedup
from benchmarks.measure import Measurement

WARM = f"{OURS}, warm cache"
COLD = f"{OURS}, cold cache"
WARM_ARMS = f"{OURS}, warm cache, 2,500 arms"
CACHE_VARIABLE = "COUNSEL_CACHE"

_TOLD = "((0.2, 0.7), 1.0), ((0.5, 0.1), 0.3), ((0.9, 0.6), 0.7)"

_COUNSEL_BOX = f"""
import counsel as cs
study = cs.create_study(cs.Space(a=cs.Float(0, 1), b=cs.Float(0, 1)), policy="v-ucb", seed=0)
for (a, b), y in ({_TOLD}):
    study.tell(dict(a=a, b=b), y)
study.ask()
"""

_COUNSEL_ARMS = """
import counsel as cs
from benchmarks.functions import GRIDS, sample_grid
grid = GRIDS["cosine"]
study = cs.create_study(cs.Arms(grid.arms, names=["a", "b"]), policy="v-ucb", seed=0)
for (a, b), y in zip(*sample_grid(grid, 3)):
    study.tell(dict(a=float(a), b=float(b)), float(y))
study.ask()
"""

_OPTUNA_BOX = f"""
import numpy as np
from benchmarks.contestants.with_optuna import OptunaAsker
asker = OptunaAsker(2, startup_trials=0)
for x, y in ({_TOLD}):
    asker.tell(np.array(x), y)
asker.ask()
"""


def _run(script: str, repeats: int, cache: str | None = None) -> Measurement:
    environment = os.environ | ({CACHE_VARIABLE: cache} if cache else {})
    wall: list[float] = []
    cpu: list[float] = []
    for _ in range(repeats):
        start, cpu_start = time.perf_counter(), _children_cpu()
        subprocess.run([sys.executable, "-c", script], env=environment, check=True)
        wall.append(time.perf_counter() - start)
        cpu.append(_children_cpu() - cpu_start)
    return Measurement(wall=wall, cpu=cpu)


def _children_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _counsel_cold() -> Measurement:
    runs: list[Measurement] = []
    for _ in range(3):
        with tempfile.TemporaryDirectory() as cache:
            runs.append(_run(_COUNSEL_BOX, repeats=1, cache=cache))
    return Measurement(
        wall=[seconds for run in runs for seconds in run.wall],
        cpu=[seconds for run in runs for seconds in run.cpu],
    )


def _counsel_warm(script: str) -> Measurement:
    with tempfile.TemporaryDirectory() as cache:
        _run(script, repeats=1, cache=cache)
        return _run(script, repeats=5, cache=cache)


def _checks(results: Results) -> list[Check]:
    checks = speedup(results, "optuna", 1.0, ours=COLD)
    if "import jax" in results:
        allowed = 1.5 * results["import jax"].seconds + 0.5
        for ours in (WARM, WARM_ARMS):
            if ours in results:
                seconds = results[ours].seconds
                text = f"{ours}: {seconds:.2f} s (goal 1.5 x import jax + 0.5 s = {allowed:.2f} s)"
                checks.append(Check(text, seconds <= allowed))
    return checks


CASE = Case(
    name="first-ask",
    title="First ask in a new process after 3 observations, 2 inputs",
    contestants={
        WARM: lambda: _counsel_warm(_COUNSEL_BOX),
        WARM_ARMS: lambda: _counsel_warm(_COUNSEL_ARMS),
        COLD: _counsel_cold,
        "import jax": lambda: _run("import jax", repeats=5),
        "optuna": lambda: _run(_OPTUNA_BOX, repeats=5),
    },
    checks=_checks,
    baseline=WARM,
    turns=3,
)
