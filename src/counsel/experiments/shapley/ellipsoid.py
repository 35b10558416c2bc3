"""Figures 1 and 2: what drives proposals on the 4-d ellipsoid, for a small and a large kappa."""

import os
from functools import cache, partial
from pathlib import Path

import numpy as np
import pandas as pd

from counsel.acquisition.upper_confidence import VUCB
from counsel.experiments.experiment import Experiment, Method
from counsel.experiments.registry import registered
from counsel.experiments.regrets import interval
from counsel.experiments.report import Chapter, Report, Table
from counsel.experiments.shapley.figures import paths_figure
from counsel.experiments.shapley.rounds import explained, last, mean_of
from counsel.experiments.statistics import apart, average, paired
from counsel.worlds import World
from counsel.worlds.ellipsoid import ellipsoid

__all__ = ["ELLIPSOID"]

_WORLD = "4-d ellipsoid"
_FIRST = 16
_PARAMETERS = ("x1", "x2", "x3", "x4")
_BOUND = "bound"
_TERMS = {_BOUND: "bound", "exploitation": "mean", "approximation": "kappa sd"}
_FILE = Path("hyper_ellipsoid_shapley") / "shapley_K1000.csv.gz"
_COLUMNS = {
    _BOUND: "phi_cb",
    "exploitation": "phi_mean_scaled",
    "approximation": "phi_se_scaled",
}


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
    """The recorded contributions of each parameter, (runs, rounds)."""
    if recorded is None:
        return {}
    mine = recorded[recorded["lambda"] == kappa]
    return {
        name: mine[mine["feature"] == name]
        .pivot_table(index="run", columns="iter", values=_COLUMNS[term])
        .to_numpy()
        for name in _PARAMETERS
    }


def _with_bound(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows, and those of the bound: by linearity, the sum of its terms."""
    keys = [name for name in rows.columns if name not in ("term", "value")]
    bound = rows.groupby(keys, sort=False, as_index=False)["value"].sum()
    return pd.concat([rows, bound.assign(term=_BOUND)], ignore_index=True)


def crossings(mean: np.ndarray, sd: np.ndarray) -> np.ndarray:
    """By run, the round from which the mean's contributions outweigh the sd's for good.

    Both are sums of absolute contributions, (runs, rounds); one more than the last round where the
    sd still leads then.
    """
    behind = mean <= sd
    rounds = np.arange(1, mean.shape[1] + 1)
    return np.where(behind, rounds, 0).max(axis=1) + 1.0


def _sizes(rows: pd.DataFrame, method: str, term: str) -> np.ndarray:
    mine = rows[(rows["method"] == method) & (rows["term"] == term)]
    sums = mine.assign(size=mine["value"].abs()).groupby(["seed", "round"])["size"].sum()
    return np.asarray(sums.unstack("round").to_numpy())


def _recorded_sizes(recorded: pd.DataFrame, kappa: float, term: str, end: int) -> np.ndarray:
    mine = recorded[(recorded["lambda"] == kappa) & (recorded["iter"] <= end)]
    sums = mine.assign(size=mine[_COLUMNS[term]].abs()).groupby(["run", "iter"])["size"].sum()
    return np.asarray(sums.unstack("iter").to_numpy())


def _crossing(method: Method, rows: pd.DataFrame, recorded: pd.DataFrame | None, end: int) -> str:
    """Where exploring turns into exploiting, beside the recorded runs, and what follows from it."""
    parts = ("exploitation", "approximation")
    ours = crossings(*(_sizes(rows, method.label, term) for term in parts))
    text = (
        f"{method.name}: the mean's contributions outweigh the sd's for good from round "
        f"{interval(average(ours))} on (means over runs)"
    )
    if recorded is None:
        return f"{text}."
    kappa = float(method.acquisition.kappa)
    theirs = crossings(*(_recorded_sizes(recorded, kappa, term, end) for term in parts))
    gap = apart(ours, theirs)
    text += f"; in the recorded runs from round {interval(average(theirs))} on"
    if not gap.sign:
        return f"{text}: no difference that chance would not explain ({interval(gap)})."
    which, how = ("later", "explore longer") if gap.sign > 0 else ("sooner", "turn sooner")
    return (
        f"{text}. Ours cross {interval(gap)} rounds {which}: they {how}, and around these rounds "
        "the means of both differ because they average runs on either side of the crossing. "
        "`shapley/recorded` shows why."
    )


def _tell(experiment: Experiment, rows: pd.DataFrame) -> Report:
    recorded = _recorded()
    rows, end = _with_bound(rows), experiment.rounds
    remarks, chapters = [], []
    for method in experiment.methods:
        kappa = float(method.acquisition.kappa)
        tables, figures = [], []
        for term, name in _TERMS.items():
            theirs = _curves(recorded, kappa, term)
            ours = {p: mean_of(rows, _WORLD, method.label, term, p) for p in _PARAMETERS}
            title = f"{method.name}: contributions to the {name}"
            means = {name: runs.mean(axis=0) for name, runs in theirs.items()}
            figures.append(paths_figure(title, ours, means))
            tables.append(_table(title, rows, method, term, theirs, end))
        remarks += [*_remarks(method, rows, end), _crossing(method, rows, recorded, end)]
        chapters.append(Chapter(method.name, tuple(tables), tuple(figures)))
    remarks.append(
        "The mean is explained in closed form, the sd on 1,024 points spread over the box, "
        "corrected by the closed form of the variance; the recorded values are Monte Carlo "
        "estimates (K = 1000) on 4,000 Latin-hypercube points."
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
        lines.append((f"round {t}", *(interval(average(mine[p].to_numpy())) for p in _PARAMETERS)))
        if theirs:
            cells = tuple(interval(average(theirs[p][:, t - 1])) for p in _PARAMETERS)
            lines.append((f"round {t}, recorded", *cells))
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
    first, final = (average(each) for each in share)
    text.append(
        f"{method.name}: the sd part is {interval(first)} times the mean part (sums of absolute "
        f"contributions) in round 1 and {interval(final)} times in round {end}."
    )
    whole = average(sd_end.sum(axis=1)), average(mean_end.sum(axis=1))
    if whole[0].sign and whole[1].sign:
        same = "same sign as" if whole[0].sign == whole[1].sign else "opposite sign to"
        text.append(
            f"{method.name}, round {end}: the sd's contributions add up to {interval(whole[0])}, "
            f"of the {same} the mean's {interval(whole[1])}."
        )
    even = np.abs(sd_one).max(axis=1) / np.abs(sd_one).sum(axis=1)
    text.append(
        f"{method.name}, round 1: the largest of the four sd contributions is "
        f"{interval(average(even))} of their sum (0.25 would be perfectly even)."
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
