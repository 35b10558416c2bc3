"""Figures 1 and 2: what drives proposals on the 4-d ellipsoid, for a small and a large kappa."""

import os
from functools import cache, partial
from pathlib import Path

import numpy as np
import pandas as pd

from counsel.acquisition.upper_confidence import VUCB
from counsel.experiments.experiment import Experiment, Method
from counsel.experiments.registry import registered
from counsel.experiments.regrets import interval, short
from counsel.experiments.report import Chapter, Report, Table
from counsel.experiments.shapley.figures import paths_figure
from counsel.experiments.shapley.rounds import explained, last, mean_of
from counsel.experiments.statistics import Interval, paired
from counsel.worlds import World
from counsel.worlds.ellipsoid import ellipsoid

__all__ = ["ELLIPSOID"]

_WORLD = "4-d ellipsoid"
_FIRST = 16
_PARAMETERS = ("x1", "x2", "x3", "x4")
_TERMS = {"exploitation": "mean", "approximation": "kappa sd"}
_FILE = Path("hyper_ellipsoid_shapley") / "shapley_K1000.csv.gz"
_COLUMNS = {"exploitation": "phi_mean_scaled", "approximation": "phi_se_scaled"}


@cache
def _world() -> World:
    return ellipsoid(4)


def _same(seed: int) -> World:
    return _world()


def _recorded() -> pd.DataFrame | None:
    """The authors' runs, where $COUNSEL_DATA has them."""
    folder = os.environ.get("COUNSEL_DATA")
    path = Path(folder) / _FILE if folder else None
    return pd.read_csv(path) if path is not None and path.exists() else None


def _curves(recorded: pd.DataFrame | None, kappa: float, term: str) -> dict[str, np.ndarray]:
    if recorded is None:
        return {}
    mine = recorded[recorded["lambda"] == kappa]
    table = mine.pivot_table(index="iter", columns="feature", values=_COLUMNS[term])
    return {name: table[name].to_numpy() for name in _PARAMETERS}


def _mean(values: np.ndarray) -> Interval:
    return paired(values, np.zeros(len(values))).mean


def _tell(experiment: Experiment, rows: pd.DataFrame) -> Report:
    recorded = _recorded()
    end = experiment.rounds
    remarks, chapters = [], []
    for method in experiment.methods:
        kappa = float(method.acquisition.kappa)
        tables, figures = [], []
        for term, name in _TERMS.items():
            theirs = _curves(recorded, kappa, term)
            ours = {p: mean_of(rows, _WORLD, method.label, term, p) for p in _PARAMETERS}
            title = f"{method.name}: contributions to the {name}"
            figures.append(paths_figure(title, ours, theirs))
            tables.append(_table(title, rows, method, term, theirs, end))
        remarks += _remarks(method, rows, end)
        chapters.append(Chapter(method.name, tuple(tables), tuple(figures)))
    remarks.append(
        "Explanations are exact on a background of 1,024 points spread over the box; the recorded "
        "ones are Monte Carlo estimates (K = 1000) on 4,000 Latin-hypercube points."
    )
    if recorded is None:
        remarks.append("The recorded runs are not here ($COUNSEL_DATA is not set).")
    return Report(tuple(remarks), tuple(chapters))


def _table(
    title: str,
    rows: pd.DataFrame,
    method: Method,
    term: str,
    theirs: dict[str, np.ndarray],
    end: int,
) -> Table:
    lines = []
    moments = sorted({1, end // 4, end // 2, end - 1, end} - {0})
    for t in moments:
        mine = last(rows, _WORLD, method.label, term, t)
        lines.append((f"round {t}", *(interval(_mean(mine[p].to_numpy())) for p in _PARAMETERS)))
        if theirs:
            cells = (short(float(theirs[p][t - 1])) for p in _PARAMETERS)
            lines.append((f"round {t}, recorded", *(c.replace("-", "−") for c in cells)))
    seeds = rows["seed"].nunique()
    note = f"Means over {seeds} runs with 95% bootstrap intervals; negative speaks for the point."
    return Table(title, ("", *_PARAMETERS), tuple(lines), note)


def _remarks(method: Method, rows: pd.DataFrame, end: int) -> list[str]:
    """What the paper's figures show, tested on ours."""

    def at(term: str, t: int) -> np.ndarray:
        return last(rows, _WORLD, method.label, term, t)[list(_PARAMETERS)].to_numpy()

    mean_end, sd_end = at("exploitation", end), at("approximation", end)
    mean_one, sd_one = at("exploitation", 1), at("approximation", 1)
    steps = [paired(mean_end[:, j + 1], mean_end[:, j]).mean for j in range(3)]
    grows = all(step.sign == -1 for step in steps)
    text = [
        f"{method.name}, round {end}: contributions to the mean "
        + ("grow with j" if grows else "do not all grow with j")
        + ": from one parameter to the next they change by "
        + ", ".join(interval(step) for step in steps)
        + "."
    ]
    share = [
        np.abs(s).sum(axis=1) / np.abs(m).sum(axis=1)
        for s, m in ((sd_one, mean_one), (sd_end, mean_end))
    ]
    first, final = (_mean(each) for each in share)
    text.append(
        f"{method.name}: the sd part is {interval(first)} times the mean part (sums of absolute "
        f"contributions) in round 1 and {interval(final)} times in round {end}."
    )
    whole = _mean(sd_end.sum(axis=1)), _mean(mean_end.sum(axis=1))
    if whole[0].sign and whole[1].sign:
        same = "same sign as" if whole[0].sign == whole[1].sign else "opposite sign to"
        text.append(
            f"{method.name}, round {end}: the sd's contributions add up to {interval(whole[0])}, "
            f"of the {same} the mean's {interval(whole[1])}."
        )
    even = np.abs(sd_one).max(axis=1) / np.abs(sd_one).sum(axis=1)
    text.append(
        f"{method.name}, round 1: the largest of the four sd contributions is "
        f"{interval(_mean(even))} of their sum (0.25 would be perfectly even)."
    )
    return text


ELLIPSOID = registered(
    Experiment(
        name="shapley/ellipsoid",
        title="What drives the proposals on an ellipsoid",
        mirrors="Figures 1 and 2 of the ShapleyBO paper",
        worlds={_WORLD: _same},
        methods=(Method("kappa = 1", VUCB(1.0)), Method("kappa = 10", VUCB(10.0))),
        rounds=60,
        measure=partial(explained, first=_FIRST),
        tell=_tell,
        seeds=30,
        block=5,
    )
)
