"""Figure 3: the wheel bandit, honestly.

The weight sees the whole disk and the first points come from anywhere in it. The authors' runs let
LW-UCB know the answer: see `lw_ucb.authors` and `lw-ucb/authors-wheel`.
"""

from functools import cache, partial

from counsel.experiments.experiment import Experiment
from counsel.experiments.lw_ucb.maps import with_maps
from counsel.experiments.lw_ucb.protocol import (
    CONTROLS,
    COUNSEL,
    NOTES,
    PRUNED,
    RANDOM_FEATURES,
    controls,
    five,
    pruned,
)
from counsel.experiments.pulls import pull
from counsel.experiments.registry import registered
from counsel.experiments.regrets import Comparison
from counsel.worlds import World
from counsel.worlds.wheel import wheel

__all__ = ["WHEEL", "wheels"]

RHOS = (0.5, 0.7, 0.9)


@cache
def _disk(rho: float, grid: int) -> World:
    return wheel(rho, grid)


def _same(rho: float, grid: int, seed: int) -> World:
    return _disk(rho, grid)


def wheels(grid: int) -> dict[str, partial[World]]:
    """The three wheels by label, the same for every seed."""
    return {f"ρ = {rho}": partial(_same, rho, grid) for rho in RHOS}


_WORLDS = wheels(70)

WHEEL = registered(
    Experiment(
        name="lw-ucb/wheel",
        title="LW-UCB on the wheel",
        mirrors="Figure 3 of the LW-UCB paper",
        worlds=_WORLDS,
        methods=(*five(COUNSEL, 2.0, 4), *pruned(2.0, 4), *controls(COUNSEL, 2.0)),
        rounds=100,
        measure=pull,
        tell=partial(
            with_maps,
            comparison=Comparison(
                champions=dict.fromkeys(_WORLDS, ("LW-UCB", PRUNED)),
                rival="V-UCB",
                controls=CONTROLS,
                notes=(
                    "The first pulls come from the whole disk, on the paper's 70 x 70 grid, and "
                    "the surrogate is fitted with Counsel's priors.",
                    RANDOM_FEATURES,
                    *NOTES,
                ),
            ),
        ),
    )
)
