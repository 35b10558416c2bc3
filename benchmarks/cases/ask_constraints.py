"""One round with constraints: 9 outcomes, 10 or 30 arms, 50 trials with some of them measured.

Counsel's rounds are averaged over those from 48 trials to 63. A study refits its hyper-parameters
twice per doubling of the trials, so one refit falls into that stretch: that is a refit, amortised.
The peers refit every round, which is how their libraries are used.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks.cases.case import OURS, Case, Check, Results, speedup
from benchmarks.measure import Measurement, timed

OUTCOMES, TRIALS, BEFORE, ROUNDS = 9, 50, 48, 16


def trials(arms: int, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Arms, where each trial was, what came out, and what of it was measured."""
    rng = np.random.default_rng(arms)
    points = rng.uniform(size=(arms, 4))
    where = rng.integers(arms, size=count)
    truth = np.sin(3.0 * points @ rng.standard_normal((4, OUTCOMES)))
    seen = truth[where] + 0.05 * rng.standard_normal((count, OUTCOMES))
    measured = rng.uniform(size=(count, OUTCOMES)) < 0.5
    measured[:, 0] = True
    return points, where, seen, measured


def _counsel(arms: int) -> Measurement:
    import counsel as cs

    # The safe trial that such a study begins with is the 48th.
    points, where, seen, measured = trials(arms, BEFORE - 1)
    names = [f"c{i}" for i in range(1, OUTCOMES)]
    space = cs.Arms(points)

    def begun() -> cs.Study:
        study = cs.create_study(
            space, constraints=[cs.Constraint(n, at_least=0.0) for n in names], policy="dmcl"
        )
        proposal = study.ask()
        study.tell(proposal, 0.0, constraints=dict.fromkeys(names, 0.1))
        for arm, row, known in zip(where, seen, measured, strict=True):
            told = {n: v for n, v, k in zip(names, row[1:], known[1:], strict=True) if k}
            study.tell(space[int(arm)], float(row[0]), constraints=told)
        return study

    def stretch(study: cs.Study) -> None:
        for _ in range(ROUNDS):
            proposal = study.ask()
            arm = space.index(proposal.values)
            row = seen[np.flatnonzero(where == arm)[0]] if (where == arm).any() else seen[0]
            told = {n: float(row[1 + names.index(n)]) for n in proposal.asks}
            study.tell(proposal, float(row[0]), constraints=told)

    _, first, _ = timed(partial(stretch, begun()))
    wall, cpu = [], []
    for _ in range(3):
        _, seconds, cpu_seconds = timed(partial(stretch, begun()))
        wall.append(seconds / ROUNDS)
        cpu.append(cpu_seconds / ROUNDS)
    return Measurement(wall=wall, cpu=cpu, first=first / ROUNDS)


def _timed(work: Callable[[], object], repeats: int) -> Measurement:
    _, first, _ = timed(work)
    both = [timed(work)[1:] for _ in range(repeats)]
    return Measurement(wall=[w for w, _ in both], cpu=[c for _, c in both], first=first)


def _botorch_independent(arms: int) -> Measurement:
    import torch
    from botorch.fit import fit_gpytorch_mll
    from botorch.models import SingleTaskGP
    from gpytorch.mlls import ExactMarginalLogLikelihood

    torch.set_default_dtype(torch.double)
    points, where, seen, _ = trials(arms, TRIALS)

    def work() -> object:
        model = SingleTaskGP(torch.from_numpy(points[where]), torch.from_numpy(seen))
        fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
        with torch.no_grad():
            return model.posterior(torch.from_numpy(points)).variance

    return _timed(work, 3)


def _botorch_icm(arms: int) -> Measurement:
    import torch
    from botorch.fit import fit_gpytorch_mll
    from botorch.models import MultiTaskGP
    from gpytorch.mlls import ExactMarginalLogLikelihood

    torch.set_default_dtype(torch.double)
    points, where, seen, measured = trials(arms, TRIALS)
    rounds, outcome = np.nonzero(measured)
    x = np.concatenate([points[where[rounds]], outcome[:, None].astype(float)], axis=1)
    y = seen[rounds, outcome][:, None]
    everywhere = np.concatenate(
        [np.tile(points, (OUTCOMES, 1)), np.repeat(np.arange(OUTCOMES), arms)[:, None]], axis=1
    )

    def work() -> object:
        model = MultiTaskGP(torch.from_numpy(x), torch.from_numpy(y), task_feature=-1, rank=2)
        fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
        with torch.no_grad():
            return model.posterior(torch.from_numpy(everywhere)).variance

    return _timed(work, 1)


def _gpy_icm(arms: int) -> Measurement:
    import GPy

    points, where, seen, measured = trials(arms, TRIALS)
    rounds, outcome = np.nonzero(measured)
    x = np.concatenate([points[where[rounds]], outcome[:, None].astype(float)], axis=1)

    def work() -> object:
        kernel = GPy.util.multioutput.ICM(
            input_dim=4, num_outputs=OUTCOMES, kernel=GPy.kern.Matern52(4, ARD=True), W_rank=2
        )
        model = GPy.models.GPRegression(x, seen[rounds, outcome][:, None], kernel)
        model.optimize(max_iters=200)
        return model.predict(x)

    return _timed(work, 1)


def _checks(results: Results) -> list[Check]:
    checks = speedup(results, "gpy-icm", 50.0) + speedup(results, "botorch-independent", 10.0)
    if OURS in results:
        cpu = results[OURS].cpu_seconds
        checks.append(Check(f"CPU per round {1e3 * cpu:.0f} ms (goal 30 ms)", cpu <= 0.030))
    return checks


def _case(arms: int) -> Case:
    return Case(
        name=f"ask-constraints-{arms}",
        title=f"One round with constraints: 9 outcomes, {arms} arms, 50 trials, half measured",
        contestants={
            OURS: partial(_counsel, arms),
            "botorch-independent": partial(_botorch_independent, arms),
            "botorch-icm": partial(_botorch_icm, arms),
            "gpy-icm": partial(_gpy_icm, arms),
        },
        checks=_checks,
    )


FEW, MANY = _case(10), _case(30)
