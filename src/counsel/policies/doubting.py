"""Alternative fits of a bandit's surrogate, drawn in proportion to their plausibility."""

from typing import TYPE_CHECKING

import numpy as np

from counsel.facts.history import History
from counsel.facts.problem import Problem
from counsel.models.fit import shaped
from counsel.models.plausible import plausible_fits
from counsel.policies.scaling import Observed, Scaling

if TYPE_CHECKING:
    from counsel.policies.bandit import Bandit

__all__ = ["other_fits"]

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
    like = shaped(policy.kernel, problem.space.groups)
    warp = policy.scale(problem.space, history)
    observed = Observed(history.x, history.y if warp is None else warp(history.y))
    data = (policy.scaling or Scaling()).fitted(observed).padded()
    rng = np.random.default_rng([history.seed, history.t, _STREAM])
    size = (len(theta) + 1) // 2 if varying else len(theta)
    drawn = plausible_fits(like, data, np.array(theta[:size]), policy.prior, count, rng)
    return [(*row.tolist(), *theta[size:]) for row in drawn]
