"""Is a team ever worse than the better of its members? Every kind of person, every subject.

The better of machine alone and person alone may have no regret at all, so a share of its regret
would be no yardstick. The goal is: not worse than the better one by more than 5% of the *machine's*
regret, subject by subject and person by person.
"""

import numpy as np
import pandas as pd

from counsel.experiments.experiment import Experiment
from counsel.experiments.registry import registered
from counsel.experiments.regrets import interval, short
from counsel.experiments.report import Chapter, Report, Table
from counsel.experiments.statistics import paired
from counsel.experiments.teams.exosuit import notes
from counsel.experiments.teams.runs import RULE_NAMES, WORLDS, member, team_rows
from counsel.experiments.teams.tables import Regrets, curves, means, regrets, share
from counsel.teams.people import PEOPLE

__all__ = ["GOALS", "excess"]

_RULES = ("A0", "A1", "A6", "A7")
_TOLERATED = 0.05
_OURS = "A7"


def excess(
    found: Regrets, first: str, others: tuple[str, str], subject: str, machine: str
) -> np.ndarray:
    """first less the better of two, less 5% of the machine's regret, seed by seed.

    The better one by its mean.
    """
    better = min(others, key=lambda name: float(found[name][subject].mean()))
    allowed = _TOLERATED * float(found[machine][subject].mean())
    return found[first][subject] - found[better][subject] - allowed


def _tell(experiment: Experiment, rows: pd.DataFrame) -> Report:
    alone = (RULE_NAMES["A0"], RULE_NAMES["A1"])
    subjects = list(experiment.worlds)
    lines, chapters = [], []
    kept = {rule: [0, 0] for rule in ("A6", "A7")}
    totals: dict[str, list[float]] = {}
    for person in PEOPLE:
        members = experiment.members(person.name)
        found = regrets(experiment, rows, members)
        met = {}
        for rule in kept:
            name = RULE_NAMES[rule]
            over = [excess(found, name, alone, s, alone[0]) for s in subjects]
            by_interval = sum(paired(e, np.zeros(len(e))).mean.sign <= 0 for e in over)
            by_point = sum(float(e.mean()) <= 0.0 for e in over)
            both = sum(
                all(paired(found[name][s], found[other][s]).mean.sign < 0 for other in alone)
                for s in subjects
            )
            met[rule] = f"{by_interval}, {by_point}, {both}"
            kept[rule][0] += by_interval
            kept[rule][1] += by_point
        averages = [float(np.mean([found[m.name][s].mean() for s in subjects])) for m in members]
        for method, average in zip(members, averages, strict=True):
            totals.setdefault(method.name, []).append(average)
        often = share(rows, members[_RULES.index(_OURS)])
        lines.append((person.name, *map(short, averages), *met.values(), f"{often:.0%}"))
        figure = curves(f"All subjects: {person.name}", experiment, rows, members)
        table = means(f"Mean cumulative regret: {person.name}", found)
        chapters.append(
            Chapter(person.name, (table, _harm(experiment, rows, person.name)), (figure,))
        )
    cells = len(PEOPLE) * len(subjects)
    every = {name: float(np.mean(values)) for name, values in totals.items()}
    ours, before = every[RULE_NAMES["A7"]], every[RULE_NAMES["A6"]]
    remarks = [
        f"{RULE_NAMES[rule]}: not worse than the better of both alone by more than 5% of the "
        f"machine's regret in {first} of {cells} cells by interval, in {second} by point estimate."
        for rule, (first, second) in kept.items()
    ]
    remarks.append(
        "Mean regret over all cells: "
        + ", ".join(f"{name} {short(value)}" for name, value in every.items())
        + f". A7 is {1.0 - ours / before:.0%} below A6."
    )
    columns = (
        "person",
        *(RULE_NAMES[rule] for rule in _RULES),
        *(f"{rule}: goal by interval, by point, beats both" for rule in kept),
        "A7 listened",
    )
    note = (
        "Mean cumulative regret over all subjects. Then, out of all subjects: where the rule is "
        "not significantly worse than the better of machine alone and person alone by more than 5% "
        "of the machine's regret; where it is not so on average; and where it is significantly "
        "better than both."
    )
    first = Chapter("All people", (Table("The goal", columns, tuple(lines), note),))
    return Report((*remarks, *notes(experiment)), (first, *chapters))


def _harm(experiment: Experiment, rows: pd.DataFrame, group: str) -> Table:
    """Regret beyond the machine's own by thirds of the rounds, as shares of the machine's."""
    labels = {method.name: method.label for method in experiment.members(group)}
    machine = rows[rows["method"] == labels[RULE_NAMES["A0"]]]
    whole = float(machine.groupby(["world", "seed"])["regret"].sum().mean())
    third = experiment.rounds // 3
    spans = ((1, third), (third + 1, 2 * third), (2 * third + 1, experiment.rounds))
    lines = []
    for rule in _RULES[1:]:
        mine = rows[rows["method"] == labels[RULE_NAMES[rule]]]
        cells = []
        for low, high in spans:
            sums = [
                part[part["round"].between(low, high)].groupby(["world", "seed"])["regret"].sum()
                for part in (mine, machine)
            ]
            apart = ((sums[0] - sums[1]) / whole).groupby("world").mean().to_numpy()
            cells.append(interval(paired(apart, np.zeros(len(apart))).mean))
        lines.append((RULE_NAMES[rule], *cells))
    columns = ("rule", *(f"rounds {low}-{high}" for low, high in spans))
    note = "Shares of the machine's whole regret, means over subjects with 95% intervals."
    return Table(f"Harm: {group}", columns, tuple(lines), note)


GOALS = registered(
    Experiment(
        name="teams/goals",
        title="No worse than the better of the two",
        mirrors="A goal of ours, on the subjects of the ShapleyBO paper",
        worlds=WORLDS,
        methods=tuple(member(rule, person) for person in PEOPLE for rule in _RULES),
        rounds=30,
        measure=team_rows,
        tell=_tell,
        seeds=20,
    )
)
