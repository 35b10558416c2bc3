"""Is a team ever worse than the better of its members? Every kind of person, every subject.

The better of machine alone and person alone may have no regret at all, so a share of its regret
would be no yardstick. The goal is: not worse than the better one by more than 5% of the *machine's*
regret, subject by subject and person by person.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from counsel.experiments.experiment import Experiment
from counsel.experiments.registry import registered
from counsel.experiments.regrets import interval, short
from counsel.experiments.report import Chapter, Report, Table
from counsel.experiments.statistics import Interval, paired
from counsel.experiments.teams.exosuit import notes
from counsel.experiments.teams.harm import harm, harms
from counsel.experiments.teams.runs import RULE_NAMES, WORLDS, member, team_rows
from counsel.experiments.teams.tables import (
    Regrets,
    curves,
    means,
    regrets,
    share,
)
from counsel.teams.people import PEOPLE

__all__ = ["GOALS", "excess"]

_RULES = ("A0", "A1", "A6", "A7", "hedge", "budget", "oracle")
_TOLERATED = 0.05
_OURS = "A7"
_COMPARED = _RULES[2:]


def excess(
    found: Regrets, first: str, others: tuple[str, str], subject: str, machine: str
) -> np.ndarray:
    """first less the better of two, less 5% of the machine's regret, seed by seed.

    The better one by its mean.
    """
    better = min(others, key=lambda name: float(found[name][subject].mean()))
    allowed = _TOLERATED * float(found[machine][subject].mean())
    return found[first][subject] - found[better][subject] - allowed


class _Cell(NamedTuple):
    """What one rule made of one kind of person, over all subjects.

    kept       by interval, and by point estimate: subjects where the goal is met
    both       subjects where it is significantly better than machine and person alone
    mean       regret over subjects; `alone` those of machine and person
    harm       regret beyond the machine's by thirds of the rounds, in shares of the machine's
    """

    kept: tuple[int, int]
    both: int
    mean: float
    alone: tuple[float, float]
    harm: tuple[Interval, ...]


def _cell(experiment: Experiment, rows: pd.DataFrame, group: str, rule: str) -> _Cell:
    found = regrets(experiment, rows, experiment.members(group))
    alone, name = (RULE_NAMES["A0"], RULE_NAMES["A1"]), RULE_NAMES[rule]
    subjects = list(experiment.worlds)
    over = [excess(found, name, alone, s, alone[0]) for s in subjects]
    both = sum(
        all(paired(found[name][s], found[other][s]).mean.sign < 0 for other in alone)
        for s in subjects
    )
    means = [float(np.mean([found[m][s].mean() for s in subjects])) for m in (name, *alone)]
    return _Cell(
        (
            sum(paired(e, np.zeros(len(e))).mean.sign <= 0 for e in over),
            sum(float(e.mean()) <= 0.0 for e in over),
        ),
        both,
        means[0],
        (means[1], means[2]),
        harm(experiment, rows, group, rule),
    )


def _tell(experiment: Experiment, rows: pd.DataFrame) -> Report:
    people = [person.name for person in PEOPLE]
    cells = {(p, rule): _cell(experiment, rows, p, rule) for p in people for rule in _COMPARED}
    lines, chapters = [], []
    for person in people:
        members = experiment.members(person)
        found = regrets(experiment, rows, members)
        averages = [np.mean([each.mean() for each in found[m.name].values()]) for m in members]
        met = [
            f"{cell.kept[0]}, {cell.kept[1]}, {cell.both}"
            for cell in (cells[person, rule] for rule in _COMPARED)
        ]
        often = share(rows, members[_RULES.index(_OURS)])
        lines.append((person, *(short(float(each)) for each in averages), *met, f"{often:.0%}"))
        figure = curves(f"All subjects: {person}", experiment, rows, members)
        table = means(f"Mean cumulative regret: {person}", found)
        chapters.append(
            Chapter(person, (table, harms(experiment, rows, person, _RULES[1:])), (figure,))
        )
    columns = (
        "person",
        *(RULE_NAMES[rule] for rule in _RULES),
        *(f"{rule}: goal by interval, by point, beats both" for rule in _COMPARED),
        f"{_OURS} listened",
    )
    note = (
        "Mean cumulative regret over all subjects. Then, out of all subjects: where the rule is "
        "not significantly worse than the better of machine alone and person alone by more than 5% "
        "of the machine's regret; where it is not so on average; and where it is significantly "
        "better than both."
    )
    reached = _reached(cells, people, len(experiment.worlds))
    tables = (reached, Table("The goal, by person", columns, tuple(lines), note))
    ours = 2 + _COMPARED.index(_OURS)
    remarks = tuple(f"{row[0]}: {row[1]} asked; {_OURS} {row[ours]}." for row in reached.rows)
    return Report((*remarks, *notes(experiment)), (Chapter("All people", tables), *chapters))


def _reached(cells: Mapping[tuple[str, str], _Cell], people: list[str], subjects: int) -> Table:
    """What was asked for, and what came of it, goal by goal."""
    _, few, half, poor, biased, _, false = people
    many = len(people) * subjects

    def every(rule: str) -> list[_Cell]:
        return [cells[person, rule] for person in people]

    def told(goal: str, asked: str, tell: Callable[[str], str]) -> tuple[str, ...]:
        return goal, asked, *(tell(rule) for rule in _COMPARED)

    def kept(rule: str, way: int) -> str:
        return f"{sum(cell.kept[way] for cell in every(rule))} of {many}"

    def mean(rule: str) -> float:
        return float(np.mean([cell.mean for cell in every(rule)]))

    def few_trials(rule: str) -> str:
        cell = cells[few, rule]
        machine, person = cell.alone
        return f"{short(cell.mean)} against {short(machine)} and {short(person)}"

    def better(person: str) -> Callable[[str], str]:
        return lambda rule: f"{cells[person, rule].both}"

    def by_thirds(person: str) -> Callable[[str], str]:
        return lambda rule: ", ".join(interval(each) for each in cells[person, rule].harm)

    shares = "at most 0.10 in the first third, none after"
    rows = (
        told("Cells that meet the goal by interval", "100 of 105", lambda r: kept(r, 0)),
        told("Cells that meet the goal by point estimate", "90 of 105", lambda r: kept(r, 1)),
        *(told(f"Better than both, {p}", "10 of 15", better(p)) for p in (half, poor)),
        told(f"Mean of {few}", "below machine and person", few_trials),
        *(
            told(f"Harm by thirds, {person}", shares, by_thirds(person))
            for person in (false, biased)
        ),
        told(
            "Mean over all cells, and below A6",
            "30%",
            lambda r: f"{short(mean(r))}, {1.0 - mean(r) / mean('A6'):.0%}",
        ),
    )
    note = (
        "Harm is regret beyond the machine's, in shares of the machine's whole regret. The last "
        "three are for comparison: they choose between the two proposals by what all that was "
        "proposed is worth as believed today, by what may be lost, and by the truth."
    )
    return Table("What was to be reached", ("goal", "asked", *_COMPARED), rows, note)


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
        block=20,
    )
)
