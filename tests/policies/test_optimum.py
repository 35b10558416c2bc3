"""Do policies find the optimum? Statistics over many seeds: `pytest -m slow`."""

from collections.abc import Callable

import numpy as np
import pytest

import counsel as cs

SEEDS = 20
TRIALS = 40


def branin(x1: float, x2: float) -> float:
    """Branin's function, to be minimised over [-5, 10] x [0, 15]."""
    bowl = x2 - 5.1 / (4 * np.pi**2) * x1**2 + 5 / np.pi * x1 - 6
    return float(bowl**2 + 10 * (1 - 1 / (8 * np.pi)) * np.cos(x1) + 10)


def cosine(x1: float, x2: float) -> float:
    """The cosine mixture of the LW-UCB paper (18), to be maximised over the unit square."""
    u = 1.6 * np.array([x1, x2]) - 0.5
    return float(1 - np.sum(u**2 - 0.3 * np.cos(3 * np.pi * u)))


BOX = cs.Space(x1=cs.Float(-5, 10), x2=cs.Float(0, 15))
GRID = cs.Arms(
    [(x, y) for x in np.linspace(0, 1, 50) for y in np.linspace(0, 1, 50)], names=["x1", "x2"]
)
# Branin's three minima are equal; its largest value is at the corner (-5, 0).
BRANIN = (0.39788735772973816, branin(-5.0, 0.0))
PAYOFFS = [cosine(**arm) for arm in GRID]
PROBLEMS = {
    "branin": (BOX, "minimize", branin, BRANIN),
    "cosine": (GRID, "maximize", cosine, (max(PAYOFFS), min(PAYOFFS))),
}


def gap(problem: str, policy: str, seed: int) -> float:
    """How far the study's best is from the optimum, as a share of the function's range."""
    space, direction, function, (optimum, worst) = PROBLEMS[problem]
    study = cs.create_study(space, direction=direction, policy=policy, seed=seed)  # type: ignore[arg-type]
    for _ in range(TRIALS):
        proposal = study.ask()
        study.tell(proposal, function(**proposal.values))  # type: ignore[arg-type]
    assert study.best is not None
    return abs(function(**study.best.values) - optimum) / abs(worst - optimum)  # type: ignore[arg-type]


def test_the_functions_have_the_optima_we_think() -> None:
    axis = np.linspace(0, 1, 301)
    values = [branin(-5 + 15 * u, 15 * v) for u in axis for v in axis]
    assert BRANIN[0] <= min(values) < BRANIN[0] + 0.01
    assert max(values) == pytest.approx(BRANIN[1])
    assert branin(np.pi, 2.275) == pytest.approx(BRANIN[0], abs=1e-6)
    assert max(PAYOFFS) == pytest.approx(1.6, abs=0.01)
    assert min(PAYOFFS) == pytest.approx(cosine(1.0, 1.0), abs=0.2)


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["v-ucb", "ei", "ts"])
@pytest.mark.parametrize("problem", PROBLEMS)
def test_finds_the_optimum(
    problem: str, policy: str, record_property: Callable[[str, object], None]
) -> None:
    gaps = [gap(problem, policy, seed) for seed in range(SEEDS)]
    found = sum(g <= 0.01 for g in gaps)
    record_property("found", found)
    print(f"\n{problem}, {policy}: {found} of {SEEDS}, worst gap {max(gaps):.2%}")
    assert found >= 19, [f"{g:.2%}" for g in gaps]
