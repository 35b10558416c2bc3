"""The uncertainty-aware bound on the cost of walking: one parameter, four reasons.

With one parameter a contribution is the term at the proposal less its average over the range; what
is left to explain is which term speaks for it.
"""

import os
from functools import cache, partial

import numpy as np
import pandas as pd

from counsel.acquisition.upper_confidence import UncertaintyAware
from counsel.experiments.experiment import Experiment, Method
from counsel.experiments.registry import registered
from counsel.experiments.regrets import interval
from counsel.experiments.report import Chapter, Report, Table
from counsel.experiments.shapley.figures import paths_figure
from counsel.experiments.shapley.rounds import Noise, explained, last
from counsel.experiments.statistics import paired
from counsel.worlds import World
from counsel.worlds.prosthesis import SUBJECTS, prosthesis

__all__ = ["PROSTHESIS"]

_WORLD = "step frequency"
_FIRST, _REPEATS = 6, 3
_TERMS = ("exploitation", "approximation", "model", "aleatoric")


@cache
def _subject(number: int, folder: str | None) -> World:
    return prosthesis(number, folder)


def _world(seed: int) -> World:
    """Seed s is person s + 1, then the first again with another noise."""
    return _subject(seed % SUBJECTS + 1, os.environ.get("COUNSEL_DATA") or None)


def _variance(world: World) -> Noise:
    """The authors' noise, which grows with the distance from the preferred frequency."""
    return lambda x: world.noise**2 * (0.25 + 1.5 * np.abs(x[:, 0]) / 25.0)


def _tell(experiment: Experiment, rows: pd.DataFrame) -> Report:
    method, end = experiment.methods[0], experiment.rounds
    moments = sorted({1, end // 2, end})
    curves, lines, shares = {}, [], []
    for term in _TERMS:
        mine = rows[rows["term"] == term].pivot(index="seed", columns="round", values="value")
        values = mine.to_numpy()
        curves[term] = (values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(len(values)))
        cells = []
        for t in moments:
            found = last(rows, _WORLD, method.label, term, t)["frequency"].to_numpy()
            cells.append(interval(paired(found, np.zeros(len(found))).mean))
        lines.append((term, *cells))
        shares.append(np.abs(values))
    part = np.stack(shares) / np.maximum(np.sum(shares, axis=0), 1e-300)
    zero = np.zeros(part.shape[1])
    said = [
        f"{term} {interval(paired(part[i, :, 0], zero).mean)} in round 1, "
        f"{interval(paired(part[i, :, -1], zero).mean)} in round {end}"
        for i, term in enumerate(_TERMS)
    ]
    real = not _world(0).name.startswith("synthetic")
    source = (
        "The cost of walking is a cubic fitted to each person's nine measurements (Kim et al. "
        "2017, $COUNSEL_DATA)."
        if real
        else "The measurements are not here ($COUNSEL_DATA is not set): this is a stand-in."
    )
    remarks = (
        "Shares of the absolute contributions: " + "; ".join(said) + ".",
        f"{source} The noise is theirs, made to grow with the distance from the preferred "
        f"frequency. {_FIRST} first points, every point measured {_REPEATS} times.",
        "With one parameter nothing is divided among parameters: the contribution of a term is "
        "its value at the proposal less its average over the range.",
    )
    columns = ("term", *(f"round {t} [95%]" for t in moments))
    seeds = rows["seed"].nunique()
    note = f"Means over {seeds} runs, in the data's units; negative speaks for the proposal."
    table = Table("Contributions of the step frequency", columns, tuple(lines), note)
    figure = paths_figure("Contributions of the step frequency, by term", curves)
    return Report(remarks, (Chapter("Nine people", (table,), (figure,)),))


PROSTHESIS = registered(
    Experiment(
        name="shapley/prosthesis",
        title="Four reasons to try a step frequency",
        mirrors="The uncertainty-aware bound of the ShapleyBO paper, on metabolic cost",
        worlds={_WORLD: _world},
        methods=(Method("uncertainty-aware", UncertaintyAware(2.0, 1.0, 1.0, 1.0)),),
        rounds=10,
        measure=partial(explained, first=_FIRST, repeats=_REPEATS, variance=_variance),
        tell=_tell,
        seeds=18,
        block=9,
    )
)
