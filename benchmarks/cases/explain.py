"""One explanation of a kappa bound, beside shap and shapiq: 60 observations, 1000 p points."""

from collections.abc import Callable
from functools import partial
from typing import Any

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


def _told(constraints: int) -> tuple[Any, Any]:
    """A study of 100 trials and 4 parameters, and its next proposal."""
    import counsel as cs

    space = cs.Space(**{f"x{i}": cs.Float(0, 1) for i in range(4)})
    limits = [cs.Constraint(f"c{i}", at_least=0.0) for i in range(constraints)]
    study = cs.create_study(space, policy="v-ucb", constraints=limits, seed=0)
    for row in np.random.default_rng(0).uniform(size=(100, 4)):
        values = {f"x{i}": float(value) for i, value in enumerate(row)}
        margins = {f"c{i}": float(row[i] - 0.3) for i in range(constraints)}
        study.tell(values, float(np.sin(3.0 * row).sum()), constraints=margins or None)
    return study, study.ask()


def _timed_study(constraints: int, *, contrast: bool = False, repeats: int = 15) -> Measurement:
    study, proposal = _told(constraints)
    rng = np.random.default_rng(1)

    def one() -> object:
        if not contrast:
            return study.explain(proposal)
        # As while dragging: another point every time.
        mine = {f"x{i}": float(value) for i, value in enumerate(rng.uniform(size=4))}
        return study.explain(mine, instead_of=proposal)

    _, first, _ = timed(one)
    one()
    pairs = [timed(one)[1:] for _ in range(repeats)]
    return Measurement(
        wall=[each[0] for each in pairs], cpu=[each[1] for each in pairs], first=first
    )


def _constrained_checks(results: Results) -> list[Check]:
    if OURS not in results:
        return []
    plain = results[OURS].cpu_seconds
    found = []
    for count in (1, 2):
        ratio = results[f"counsel, {count} constrained"].cpu_seconds / plain
        text = f"with {count} constraints: {ratio:.2f} x the CPU time (goal {1 + count})"
        found.append(Check(text, ratio <= 1 + count))
    drag = results["counsel, contrast"].seconds
    found.append(Check(f"a contrast takes {1e3 * drag:.0f} ms (goal 50 ms)", drag <= 0.05))
    return found


STUDIES = Case(
    name="explain-study",
    title="Explanations of a study: 4 parameters, 100 trials; a contrast while dragging",
    contestants={
        OURS: partial(_timed_study, 0),
        "counsel, 1 constrained": partial(_timed_study, 1),
        "counsel, 2 constrained": partial(_timed_study, 2),
        "counsel, contrast": partial(_timed_study, 0, contrast=True),
    },
    checks=_constrained_checks,
    turns=3,
)
CASES = (*(_case(p) for p in GOALS), STUDIES)
