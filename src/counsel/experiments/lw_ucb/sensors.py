"""Figure 4: the warmest of 46 sensors, one snapshot of the lab per seed."""

import os
from functools import cache

import pandas as pd

from counsel.acquisition.output_weighted import LWUCB, PrunedUCB
from counsel.acquisition.thompson import TS
from counsel.experiments.experiment import Experiment
from counsel.experiments.lw_ucb import recorded
from counsel.experiments.lw_ucb.protocol import AUTHORS, COUNSEL, NOTES, OUR_WEIGHT, REASONS, five
from counsel.experiments.pulls import pull
from counsel.experiments.registry import registered
from counsel.experiments.regrets import Comparison, tell_regrets
from counsel.experiments.report import Report
from counsel.worlds import World
from counsel.worlds.sensors import sensors

__all__ = ["SENSORS"]

SNAPSHOTS = 500
# Coprime to 500: the first few seeds are spread over the days, and 500 of them are every snapshot.
_STRIDE = 309
_LABEL = "46 sensors"


def snapshot(seed: int) -> World:
    return _snapshot(seed * _STRIDE % SNAPSHOTS, os.environ.get("COUNSEL_DATA") or None)


@cache
def _snapshot(index: int, folder: str | None) -> World:
    return sensors(index, folder)


def _tell(experiment: Experiment, rows: pd.DataFrame) -> Report:
    real = not snapshot(0).name.startswith("synthetic")
    source = (
        "The readings are the Intel lab's ($COUNSEL_DATA), standardised over all of them."
        if real
        else "The Intel lab's readings are not here ($COUNSEL_DATA is not set): these are a "
        "synthetic stand-in's, and the authors' records do not apply to them."
    )
    comparison = Comparison(
        champions={_LABEL: ("LW-UCB",)},
        rival="V-UCB",
        group=AUTHORS,
        rounds=50,
        recorded=recorded.SENSORS if real else {},
        reasons=REASONS,
        notes=(source, OUR_WEIGHT, *NOTES),
    )
    return tell_regrets(experiment, rows, comparison)


SENSORS = registered(
    Experiment(
        name="lw-ucb/sensors",
        title="LW-UCB and the warmest sensor",
        mirrors="Figure 4 of the LW-UCB paper",
        worlds={_LABEL: snapshot},
        methods=(
            *five(AUTHORS, 1.0, LWUCB(kappa=1.0, components=2), thompson=TS()),
            *five(COUNSEL, 1.0, PrunedUCB(kappa=1.0, components=2), thompson=TS()),
        ),
        rounds=50,
        measure=pull,
        tell=_tell,
        most_seeds=SNAPSHOTS,
    )
)
