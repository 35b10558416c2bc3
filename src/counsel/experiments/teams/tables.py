"""Regrets of teams, subject by subject: tables with paired intervals, and counts over subjects."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from jaxtyping import Float

from counsel.experiments.experiment import Experiment, Method
from counsel.experiments.figures import cumulative_figure, incumbent_figure
from counsel.experiments.regrets import interval, short
from counsel.experiments.report import Table
from counsel.experiments.statistics import Interval, paired
from counsel.experiments.teams.runs import RULE_NAMES

__all__ = [
    "HYPOTHESES",
    "Regrets",
    "against",
    "by_subject",
    "count",
    "curves",
    "hypotheses",
    "means",
    "over_subjects",
    "regrets",
    "share",
    "standing",
]

# (11) against what, as the paper's hypotheses have it: H3 is every k-th round, H4 the values.
HYPOTHESES = {"1": "A0", "2": "A1", "3": "A3", "4": "A2"}

# method -> subject -> one cumulative regret per seed
Regrets = Mapping[str, Mapping[str, Float[np.ndarray, " B"]]]


def regrets(
    experiment: Experiment, rows: pd.DataFrame, methods: Sequence[Method], column: str = "regret"
) -> Regrets:
    """Sums over the rounds, of every method in every subject."""
    totals = rows.groupby(["method", "world", "seed"])[column].sum()
    return {
        method.name: {world: totals[method.label, world].to_numpy() for world in experiment.worlds}
        for method in methods
    }


def curves(
    title: str, experiment: Experiment, rows: pd.DataFrame, methods: Sequence[Method]
) -> go.Figure:
    """Cumulative regret over the rounds, of all subjects' runs together."""
    found = _by_round(experiment, rows, methods)
    return cumulative_figure(title, {name: each.cumsum(axis=1) for name, each in found.items()})


def by_subject(
    group: str, experiment: Experiment, rows: pd.DataFrame, methods: Sequence[Method]
) -> list[go.Figure]:
    """Cumulative regret and the path of the incumbent, a pair of figures per subject."""
    figures = []
    for world in experiment.worlds:
        found = _by_round(experiment, rows[rows["world"] == world], methods)
        sums = {name: each.cumsum(axis=1) for name, each in found.items()}
        figures.append(cumulative_figure(f"{world}: {group}", sums))
        figures.append(incumbent_figure(f"{world}, the incumbent: {group}", found))
    return figures


def _by_round(
    experiment: Experiment, rows: pd.DataFrame, methods: Sequence[Method]
) -> dict[str, Float[np.ndarray, "B T"]]:
    found = {}
    for method in methods:
        own = rows[rows["method"] == method.label].sort_values(["world", "seed", "round"])
        found[method.name] = own["regret"].to_numpy().reshape(-1, experiment.rounds)
    return found


def means(title: str, found: Regrets, note: str = "") -> Table:
    """Mean cumulative regret of every method, a row per subject."""
    names = list(found)
    subjects = list(found[names[0]])
    rows = [(s, *(short(float(found[name][s].mean())) for name in names)) for s in subjects]
    every = [short(float(np.mean([found[name][s].mean() for s in subjects]))) for name in names]
    return Table(title, ("subject", *names), (*rows, ("all", *every)), note)


class Verdict(NamedTuple):
    """In how many subjects the first has significantly less regret, more, or neither."""

    less: int
    more: int
    neither: int

    def __str__(self) -> str:
        return f"less in {self.less}, more in {self.more}, neither in {self.neither}"


def count(intervals: Sequence[Interval]) -> Verdict:
    signs = [found.sign for found in intervals]
    return Verdict(signs.count(-1), signs.count(1), signs.count(0))


def against(
    title: str, found: Regrets, first: str, others: Sequence[str]
) -> tuple[Table, dict[str, Verdict]]:
    """Paired differences first - other in every subject, and how they count up."""
    subjects = list(found[first])
    differences = {
        other: [paired(found[first][s], found[other][s]).mean for s in subjects] for other in others
    }
    rows = [
        (s, *(interval(differences[other][i]) for other in others)) for i, s in enumerate(subjects)
    ]
    verdicts = {other: count(differences[other]) for other in others}
    counts = ("significantly less / more", *(f"{v.less} / {v.more}" for v in verdicts.values()))
    columns = ("subject", *(f"less {other}" for other in others))
    note = f"Mean of {first} less the other, seed by seed, with 95% intervals; below 0 is better."
    return Table(title, columns, (*rows, counts), note), verdicts


def standing(group: str, rule: str, found: Regrets, others: Sequence[str]) -> tuple[Table, str]:
    """Our rule `rule` against the others: a table, and a remark that counts the subjects."""
    table, verdicts = against(
        f"{rule} against the others: {group}", found, RULE_NAMES[rule], others
    )
    counted = "; ".join(f"regret {verdicts[other]} against {other}" for other in others)
    return table, f"{group}: {rule} has {counted}."


def hypotheses(group: str, found: Regrets, verdicts: Mapping[str, Verdict]) -> list[str]:
    """What came of the paper's hypotheses about (11), the rule A4: a remark each."""
    reasons = RULE_NAMES["A4"]
    subjects = len(found[reasons])
    return [
        f"{group}, hypothesis {number} (A4 has less regret than {name}): {verdicts[name]} of "
        f"{subjects} subjects; over subjects {interval(over_subjects(found, reasons, name))}."
        for number, name in ((number, RULE_NAMES[rule]) for number, rule in HYPOTHESES.items())
    ]


def over_subjects(found: Regrets, first: str, second: str) -> Interval:
    """The mean difference over subjects, every subject's own mean being one value."""
    subjects = list(found[first])
    return paired(
        np.array([found[first][s].mean() for s in subjects]),
        np.array([found[second][s].mean() for s in subjects]),
    ).mean


def share(rows: pd.DataFrame, method: Method) -> float:
    """How often a method listened."""
    return float(rows.loc[rows["method"] == method.label, "listened"].mean())
