"""Figure 4: the warmest of 46 sensors, one snapshot of the lab per seed."""

import os
from functools import cache

import pandas as pd

from counsel.acquisition.thompson import TS
from counsel.experiments.experiment import Experiment
from counsel.experiments.lw_ucb.maps import with_maps
from counsel.experiments.lw_ucb.protocol import (
    CONTROLS,
    COUNSEL,
    LIKELIHOOD,
    NOTES,
    controls,
    five,
    pruned,
)
from counsel.experiments.pulls import pull
from counsel.experiments.registry import registered
from counsel.experiments.regrets import Comparison
from counsel.experiments.report import Report
from counsel.worlds import World
from counsel.worlds.sensors import sensors

__all__ = ["LABEL", "SENSORS", "SNAPSHOTS", "snapshot", "source"]

SNAPSHOTS = 500
# Coprime to 500: the first few seeds are spread over the days, and 500 of them are every snapshot.
_STRIDE = 309
LABEL = "46 sensors"


def snapshot(seed: int) -> World:
    return _snapshot(seed * _STRIDE % SNAPSHOTS, os.environ.get("COUNSEL_DATA") or None)


@cache
def _snapshot(index: int, folder: str | None) -> World:
    return sensors(index, folder)


def source() -> tuple[bool, str]:
    """Whether the readings are the lab's own, and a sentence about them."""
    if not snapshot(0).name.startswith("synthetic"):
        return True, "The readings are the Intel lab's ($COUNSEL_DATA), standardised over them all."
    return False, (
        "The Intel lab's readings are not here ($COUNSEL_DATA is not set): these are a synthetic "
        "stand-in's, and the authors' records do not apply to them."
    )


def _tell(experiment: Experiment, rows: pd.DataFrame) -> Report:
    comparison = Comparison(
        champions={LABEL: ("LW-UCB",)},
        rival="V-UCB",
        notes=(source()[1], *NOTES),
        controls=CONTROLS,
    )
    return with_maps(experiment, rows, comparison)


SENSORS = registered(
    Experiment(
        name="lw-ucb/sensors",
        title="LW-UCB and the warmest sensor",
        mirrors="Figure 4 of the LW-UCB paper",
        worlds={LABEL: snapshot},
        methods=(
            *five(LIKELIHOOD, 1.0, 2, thompson=TS()),
            *controls(LIKELIHOOD, 1.0),
            *five(COUNSEL, 1.0, 2, thompson=TS()),
            *pruned(1.0, 2),
            *controls(COUNSEL, 1.0),
        ),
        rounds=50,
        measure=pull,
        tell=_tell,
        most_seeds=SNAPSHOTS,
    )
)
