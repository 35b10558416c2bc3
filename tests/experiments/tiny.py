"""An experiment small enough for tests: two functions on a 9 x 9 grid, a few rounds."""

import time
from functools import partial

import pandas as pd

from counsel.acquisition import VUCB, PrunedUCB
from counsel.experiments.experiment import Experiment, Method
from counsel.experiments.lw_ucb.functions import function
from counsel.experiments.pulls import pull
from counsel.experiments.regrets import Comparison, Recorded, tell_regrets

WORLDS = {
    "Cosine": partial(function, "cosine", 9),
    "Michalewicz": partial(function, "michalewicz", 9),
}

TINY = Experiment(
    name="tests/tiny",
    title="Tiny <experiment>",
    mirrors="nothing",
    worlds=WORLDS,
    methods=(Method("LW-UCB", PrunedUCB(components=2)), Method("V-UCB", VUCB())),
    rounds=6,
    measure=pull,
    tell=partial(
        tell_regrets,
        comparison=Comparison(
            champions=dict.fromkeys(WORLDS, ("LW-UCB",)),
            rival="V-UCB",
            group="Counsel's fit",
            rounds=6,
            recorded={"Cosine": {"LW-UCB": Recorded(500.0, 1.0), "V-UCB": Recorded(0.001, 0.0)}},
            reasons={"V-UCB": "it was another one"},
        ),
    ),
    seeds=4,
    block=2,
)


def slow_pull(experiment: Experiment, world: str, method: Method, seeds: range) -> pd.DataFrame:
    time.sleep(0.3)
    return pull(experiment, world, method, seeds)


def hill(values: dict[str, float]) -> float:
    """A function for `study.optimize` that workers of any cluster can import."""
    if values["x"] > 0.8:
        raise RuntimeError("too hot")
    return -((values["x"] - 0.3) ** 2)
