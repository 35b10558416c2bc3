"""One explanation of a kappa bound, beside shap and shapiq: 60 observations, 1000 p points."""

from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks.cases.case import OURS, Case, Check, Results
from benchmarks.contestants.with_explainers import (
    Candidates,
    exactly,
    with_counsel,
    with_shap,
    with_shapiq,
)
from benchmarks.functions import Points
from benchmarks.measure import Measurement, timed

# By p: Counsel's tolerance, the goals in seconds and in relative error, shapiq's budget.
GOALS: dict[int, tuple[float, float, float, int]] = {
    4: (0.01, 0.015, 1e-6, 16),
    8: (0.01, 0.150, 5e-3, 128),
    12: (0.02, 0.600, 1e-2, 256),
}


def _run(make: Callable[[], Callable[[], Points]], p: int, repeats: int) -> Measurement:
    explain = make()
    found, first, _ = timed(explain)
    wall: list[float] = []
    cpu: list[float] = []
    for _ in range(repeats):
        found, seconds, cpu_seconds = timed(explain)
        wall.append(seconds)
        cpu.append(cpu_seconds)
    truth = exactly(Candidates(p))
    error = float(np.linalg.norm(found - truth) / np.linalg.norm(truth))
    return Measurement(wall=wall, cpu=cpu, first=first, answers={"relative error": error})


def _checks(p: int, results: Results) -> list[Check]:
    _, seconds, error, _ = GOALS[p]
    checks = [
        Check(f"{name}: relative error {result.answers['relative error']:.1e}")
        for name, result in results.items()
    ]
    if OURS in results:
        ours = results[OURS]
        off = ours.answers["relative error"]
        checks += [
            Check(
                f"counsel takes {1e3 * ours.seconds:.0f} ms (goal {1e3 * seconds:.0f} ms)",
                ours.seconds <= seconds,
            ),
            Check(f"counsel is off by {off:.1e} (goal {error:.0e})", off <= error),
        ]
    return checks


def _case(p: int) -> Case:
    candidates = Candidates(p)
    tolerance, _, _, budget = GOALS[p]
    contestants: dict[str, Callable[[], Measurement]] = {
        OURS: partial(_run, partial(with_counsel, candidates, tolerance), p, 9)
    }
    if p <= 8:
        contestants["shap, kernel"] = partial(_run, partial(with_shap, candidates, "kernel"), p, 1)
    if p <= 4:
        contestants["shap, exact"] = partial(_run, partial(with_shap, candidates, "exact"), p, 2)
    contestants["shap, permutation"] = partial(
        _run, partial(with_shap, candidates, "permutation"), p, 1
    )
    contestants["shapiq, KernelSHAP"] = partial(
        _run, partial(with_shapiq, candidates, budget), p, 1
    )
    return Case(
        name=f"explain-{p}",
        title=f"One explanation: {p} parameters, 60 observations, {1000 * p:,} background points",
        contestants=contestants,
        checks=partial(_checks, p),
        turns=3 if p <= 8 else 1,
    )


CASES = tuple(_case(p) for p in GOALS)
