"""Table S1: seconds per round of each acquisition, through the front door."""

import numpy as np
import pandas as pd

from counsel.acquisition.improvement import EI
from counsel.acquisition.output_weighted import LWUCB
from counsel.acquisition.thompson import TS
from counsel.acquisition.upper_confidence import GPUCB, VUCB
from counsel.experiments.experiment import Experiment, Method
from counsel.experiments.lw_ucb.functions import FUNCTIONS
from counsel.experiments.registry import registered
from counsel.experiments.report import Chapter, Report, Table
from counsel.experiments.seconds import OBSERVED, time_asks
from counsel.experiments.statistics import mad

__all__ = ["RUNTIME"]

_ARMS = 2500
# Seconds of a round of LW-UCB in the paper's Table S1.
_RECORDED = 4.2


def _tell(experiment: Experiment, rows: pd.DataFrame) -> Report:
    chapters = []
    for world in experiment.worlds:
        here = rows[rows["world"] == world]
        tables = (
            _table(experiment, here, "seconds", "Milliseconds per round: median (MAD)"),
            _table(experiment, here, "cpu_seconds", "Milliseconds of CPU per round: median (MAD)"),
            _compilations(experiment, here),
        )
        chapters.append(Chapter(world, tables))
    return Report(_remarks(rows), tuple(chapters))


def _table(experiment: Experiment, rows: pd.DataFrame, column: str, title: str) -> Table:
    lines = []
    for method in experiment.methods:
        mine = rows[rows["method"] == method.label]
        each = [1e3 * mine.loc[mine["observed"] == n, column].to_numpy() for n in OBSERVED]
        cells = [f"{np.median(values):.1f} ({mad(values):.1f})" for values in each]
        lines.append((method.name, *cells))
    asks = len(rows) // (len(experiment.methods) * len(OBSERVED))
    return Table(
        title,
        ("method", *(f"n = {n}" for n in OBSERVED)),
        tuple(lines),
        f"`study.ask()` on {_ARMS:,} arms after the n-th measurement, in {asks} studies: fit, "
        "weight, score, maximise.",
    )


def _compilations(experiment: Experiment, rows: pd.DataFrame) -> Table:
    lines = []
    for method in experiment.methods:
        mine = rows[rows["method"] == method.label]
        before = mine.groupby("observed")["compiled_before"].max()
        counts = [str(int(before[n])) for n in OBSERVED]
        lines.append((method.name, *counts, str(int(mine["compiled_timed"].sum()))))
    return Table(
        "Programs compiled",
        ("method", *(f"before n = {n}" for n in OBSERVED), "while timed"),
        tuple(lines),
        "Once per acquisition and padding bucket (16, 64 and 160 observations), in an ask before "
        "those that are timed. What methods share is compiled for the first of them.",
    )


def _remarks(rows: pd.DataFrame) -> tuple[str, ...]:
    last = rows[rows["observed"] == OBSERVED[-1]]
    wall = last.groupby("method")["seconds"].median()
    weighted, plain = _WEIGHTED.label, _PLAIN.label
    late = int(rows["compiled_timed"].sum())
    costs = []
    for world, here in rows.groupby("world", sort=False):
        cpu = 1e3 * here.groupby(["observed", "method"])["cpu_seconds"].median()
        times = [f"{cpu[n, weighted] / cpu[n, plain]:.1f}" for n in OBSERVED]
        costs.append(
            f"{world}: a round of LW-UCB costs {', '.join(times)} times the CPU of a round of "
            f"V-UCB, with {', '.join(map(str, OBSERVED))} observations ("
            + ", ".join(f"{cpu[n, weighted]:.1f} and {cpu[n, plain]:.1f}" for n in OBSERVED)
            + " ms)."
        )
    return (
        *costs,
        f"The paper's Table S1 has {_RECORDED} s for a round of LW-UCB, on another machine: ours "
        f"takes {_RECORDED / wall[weighted]:,.0f} times less.",
        "Nothing was compiled while the clock ran."
        if late == 0
        else f"{late} programs were compiled while the clock ran, so some rounds look slow.",
        f"TS draws its functions from {TS().features} random features."
        if TS().exact < _ARMS
        else "TS draws jointly from the exact posterior of all arms.",
    )


_WEIGHTED, _PLAIN = Method("LW-UCB", LWUCB()), Method("V-UCB", VUCB())

RUNTIME = registered(
    Experiment(
        name="lw-ucb/runtime",
        title="Seconds per round",
        mirrors="Table S1 of the LW-UCB paper",
        worlds=FUNCTIONS,
        methods=(
            _WEIGHTED,
            _PLAIN,
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
)
