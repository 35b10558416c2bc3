"""Regret experiments: what one block of seeds pulls, and the curves made of it.

Pairing: a seed's first pulls and noise come from (seed, stream) alone and are the same for every
method. Two regrets are kept of each pull: `regret` = f* - f(x), which is ours, and `noisy_regret`
= |f* - y|, which the LW-UCB authors recorded.
"""

import numpy as np
import pandas as pd
from jaxtyping import Float, Int

from counsel.experiments.experiment import Experiment, Method
from counsel.experiments.loop import run_block
from counsel.models.fit import shaped
from counsel.models.kernels import SquaredExponential
from counsel.space import Arms

__all__ = ["FIRST", "cumulative", "final", "pull", "surrogate"]

FIRST = 3
_FIRST_STREAM, _NOISE_STREAM = 0, 1


def pull(experiment: Experiment, world: str, method: Method, seeds: range) -> pd.DataFrame:
    """Run a block: one row per seed and pull, `FIRST` random ones and then one per round.

    The first ones come from all arms, or from those that the experiment's `begin` lists.
    """
    pulls = FIRST + experiment.rounds - 1
    worlds = [experiment.worlds[world](seed) for seed in seeds]
    arms = worlds[0].arms
    truth = np.stack([each.sign * each.payoffs for each in worlds])
    best = np.array([each.sign * each.optimum for each in worlds])
    pool = np.arange(len(arms)) if experiment.begin is None else experiment.begin(worlds[0])
    runs = run_block(
        method.acquisition_in(world),
        surrogate(arms),
        method.prior,
        arms.points,
        truth,
        np.stack([_noise(seed, w.noise, pulls) for seed, w in zip(seeds, worlds, strict=True)]),
        np.stack([_first(seed, pool) for seed in seeds]),
        np.asarray(seeds),
    )
    reached = np.take_along_axis(truth, runs.arms, axis=1)
    return pd.DataFrame(
        {
            "seed": np.repeat(np.asarray(seeds, dtype=np.int32), pulls),
            "pull": np.tile(np.arange(pulls, dtype=np.int32), len(seeds)),
            "arm": runs.arms.astype(np.int32).ravel(),
            "payoff": runs.payoffs.ravel(),
            "regret": (best[:, None] - reached).ravel(),
            "noisy_regret": np.abs(best[:, None] - runs.payoffs).ravel(),
        }
    )


def surrogate(arms: Arms) -> SquaredExponential:
    """The kernel of all regret experiments, with one length-scale per parameter."""
    kernel = shaped(SquaredExponential(np.ones(1)), arms.groups)
    assert isinstance(kernel, SquaredExponential)
    return kernel


def cumulative(
    rows: pd.DataFrame, world: str, method: str, column: str = "regret"
) -> Float[np.ndarray, "B T"]:
    """R_t of every seed. Round 1 is the best of the first pulls, as the authors count."""
    chosen = rows[(rows["world"] == world) & (rows["method"] == method)]
    values = chosen.pivot(index="seed", columns="pull", values=column).to_numpy()
    opening = values[:, :FIRST].min(axis=1, keepdims=True)
    return np.cumsum(np.concatenate([opening, values[:, FIRST:]], axis=1), axis=1)


def final(
    rows: pd.DataFrame, world: str, method: str, column: str = "regret"
) -> Float[np.ndarray, " B"]:
    """Each seed's cumulative regret after the last round."""
    return cumulative(rows, world, method, column)[:, -1]


def _first(seed: int, pool: Int[np.ndarray, " m"]) -> Int[np.ndarray, " f"]:
    rng = np.random.default_rng([seed, _FIRST_STREAM])
    return pool[rng.choice(len(pool), FIRST, replace=False)]


def _noise(seed: int, sd: float, pulls: int) -> np.ndarray:
    return np.random.default_rng([seed, _NOISE_STREAM]).normal(0.0, sd, pulls)
