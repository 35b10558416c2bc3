"""What listening costs: regret beyond the machine's own, by thirds of the rounds."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from counsel.experiments.experiment import Experiment
from counsel.experiments.regrets import interval
from counsel.experiments.report import Table
from counsel.experiments.statistics import Interval, paired
from counsel.experiments.teams.runs import RULE_NAMES

__all__ = ["harm", "harms"]

_BY = ["world", "seed"]


def harm(
    experiment: Experiment, rows: pd.DataFrame, group: str, rule: str, *, shares: bool = True
) -> tuple[Interval, ...]:
    """Regret beyond the machine's own by thirds; in shares of its whole regret if `shares`."""
    labels = {method.name: method.label for method in experiment.members(group)}
    machine = rows[rows["method"] == labels[RULE_NAMES["A0"]]]
    whole = float(machine.groupby(_BY)["regret"].sum().mean()) if shares else 1.0
    mine = rows[rows["method"] == labels[RULE_NAMES[rule]]]
    found = []
    for low, high in _thirds(experiment):
        sums = [
            part[part["round"].between(low, high)].groupby(_BY)["regret"].sum()
            for part in (mine, machine)
        ]
        apart = ((sums[0] - sums[1]) / whole).groupby("world").mean().to_numpy()
        found.append(paired(apart, np.zeros(len(apart))).mean)
    return tuple(found)


def harms(
    experiment: Experiment,
    rows: pd.DataFrame,
    group: str,
    rules: Sequence[str],
    *,
    shares: bool = True,
) -> Table:
    """A line for each rule."""
    lines = tuple(
        (RULE_NAMES[rule], *map(interval, harm(experiment, rows, group, rule, shares=shares)))
        for rule in rules
    )
    columns = ("rule", *(f"rounds {low}-{high}" for low, high in _thirds(experiment)))
    what = "Shares of the machine's whole regret" if shares else "Regret beyond the machine's alone"
    note = f"{what}, means over subjects with 95% intervals."
    return Table(f"Harm: {group}", columns, lines, note)


def _thirds(experiment: Experiment) -> tuple[tuple[int, int], ...]:
    third = experiment.rounds // 3
    return (1, third), (third + 1, 2 * third), (2 * third + 1, experiment.rounds)
