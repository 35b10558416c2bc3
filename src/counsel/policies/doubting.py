"""Alternative fits of a bandit's surrogate: drawn by how plausible they are, or stretched."""

from typing import TYPE_CHECKING

import numpy as np

from counsel.facts.history import Array, History
from counsel.facts.problem import Problem
from counsel.models.fit import shaped
from counsel.models.gp import Data
from counsel.models.kernels import Kernel
from counsel.models.plausible import plausible_fits, stretched_fits
from counsel.policies.scaling import Observed, Scaling

if TYPE_CHECKING:
    from counsel.policies.bandit import Bandit

__all__ = ["other_fits", "with_other_lengths"]

_STREAM = 8


def other_fits(
    policy: "Bandit",
    problem: Problem,
    history: History,
    theta: tuple[float, ...],
    count: int,
    *,
    varying: bool,
) -> list[tuple[float, ...]]:
    """Draws around `theta`, the best fit. Noise that varies and constraints keep their own fits."""
    like, data = _fitted(policy, problem, history)
    rng = np.random.default_rng([history.seed, history.t, _STREAM])
    size = _size(theta, varying)
    drawn = plausible_fits(like, data, np.array(theta[:size]), policy.prior, count, rng)
    return [(*row.tolist(), *theta[size:]) for row in drawn]


def with_other_lengths(
    policy: "Bandit",
    problem: Problem,
    history: History,
    theta: tuple[float, ...],
    stretches: Array,
    *,
    varying: bool,
) -> tuple[list[tuple[float, ...]], Array]:
    """`theta` with its length-scales multiplied, and the logarithm of how plausible each fit is."""
    like, data = _fitted(policy, problem, history)
    size = _size(theta, varying)
    made, logs = stretched_fits(like, data, np.array(theta[:size]), policy.prior, stretches)
    return [(*row.tolist(), *theta[size:]) for row in made], logs


def _fitted(policy: "Bandit", problem: Problem, history: History) -> tuple[Kernel, Data]:
    """What hyper-parameters are fitted to."""
    warp = policy.scale(problem.space, history)
    observed = Observed(history.x, history.y if warp is None else warp(history.y))
    data = (policy.scaling or Scaling()).fitted(observed).padded()
    return shaped(policy.kernel, problem.space.groups), data


def _size(theta: tuple[float, ...], varying: bool) -> int:
    return (len(theta) + 1) // 2 if varying else len(theta)
