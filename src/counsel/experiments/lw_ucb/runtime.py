"""Table S1: seconds per round of each acquisition, through the front door."""

import numpy as np
import pandas as pd

from counsel.acquisition import EI, GPUCB, LWUCB, TS, VUCB
from counsel.experiments.experiment import Experiment, Method
from counsel.experiments.lw_ucb.functions import FUNCTIONS
from counsel.experiments.seconds import OBSERVED, time_asks
from counsel.experiments.statistics import mad
from counsel.experiments.story import Chapter, Story, Table

__all__ = ["RUNTIME"]

_WORLD = "Michalewicz"
_ARMS = 2500
# Seconds of a round of LW-UCB in the paper's Table S1.
_RECORDED = 4.2


def _tell(experiment: Experiment, rows: pd.DataFrame) -> Story:
    lines, medians = [], {}
    for method in experiment.methods:
        mine = rows[rows["method"] == method.label]
        seconds = {n: mine.loc[mine["observed"] == n, "seconds"].to_numpy() for n in OBSERVED}
        medians[method.name] = {n: float(np.median(values)) for n, values in seconds.items()}
        before = mine.drop_duplicates("observed").set_index("observed")["compiled_before"]
        cells = [
            f"{1e3 * np.median(seconds[n]):.1f} ({1e3 * mad(seconds[n]):.1f})" for n in OBSERVED
        ]
        counts = ", ".join(str(int(before[n])) for n in OBSERVED)
        lines.append((method.name, *cells, counts, str(int(mine["compiled_timed"].sum()))))
    asks = len(rows) // (len(experiment.methods) * len(OBSERVED))
    table = Table(
        "Milliseconds per round: median (MAD)",
        (
            "method",
            *(f"n = {n}" for n in OBSERVED),
            "programs made beforehand",
            "programs made while timed",
        ),
        tuple(lines),
        f"`study.ask()` on {_ARMS:,} arms with n observations, {asks} times each: fit, weight, "
        "score, maximise. Programs are made once per acquisition and padding bucket (a number per "
        "n).",
    )
    return Story(tuple(_remarks(medians, rows)), (Chapter("A round", (table,)),))


def _remarks(medians: dict[str, dict[int, float]], rows: pd.DataFrame) -> list[str]:
    most = OBSERVED[-1]
    weighted, plain = medians["LW-UCB"][most], medians["V-UCB"][most]
    late = int(rows["compiled_timed"].sum())
    return [
        f"With {most} observations a round of LW-UCB takes {weighted / plain:.1f} times a round of "
        f"V-UCB ({1e3 * weighted:.0f} and {1e3 * plain:.0f} ms).",
        f"The paper's Table S1 has {_RECORDED} s for a round of LW-UCB, on another machine: ours "
        f"takes {_RECORDED / weighted:,.0f} times less.",
        "Nothing was compiled while the clock ran."
        if late == 0
        else f"{late} programs were compiled while the clock ran, so some rounds look slow.",
        f"TS draws its functions from {TS().features} random features."
        if TS().exact < _ARMS
        else "TS draws jointly from the exact posterior of all arms.",
    ]


RUNTIME = Experiment(
    name="lw-ucb/runtime",
    title="Seconds per round",
    mirrors="Table S1 of the LW-UCB paper",
    worlds={_WORLD: FUNCTIONS[_WORLD]},
    methods=(
        Method("LW-UCB", LWUCB()),
        Method("V-UCB", VUCB()),
        Method("GP-UCB", GPUCB()),
        Method("EI", EI()),
        Method("TS", TS()),
    ),
    rounds=len(OBSERVED),
    measure=time_asks,
    tell=_tell,
    seeds=20,
    block=20,
    serial=True,
)
