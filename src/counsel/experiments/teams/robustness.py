"""People from well-informed to adversarial, and what each rule lets through."""

from dataclasses import replace

import numpy as np
import pandas as pd

from counsel.experiments.experiment import Experiment, Method
from counsel.experiments.registry import registered
from counsel.experiments.regrets import short
from counsel.experiments.report import Chapter, Report, Table
from counsel.experiments.statistics import paired
from counsel.experiments.teams.exosuit import notes
from counsel.experiments.teams.goals import excess
from counsel.experiments.teams.harm import harms
from counsel.experiments.teams.runs import RULE_NAMES, WORLDS, member, team_rows
from counsel.experiments.teams.tables import against, curves, means, regrets, share
from counsel.teams.people import PEOPLE, Person

__all__ = ["ROBUSTNESS"]

_RULES = ("A0", "A1", "A3", "A4", "A6", "oracle")
_WELL = PEOPLE[0]
_ADVERSARIES = tuple(person for person in PEOPLE if person.adversary)

# What A4 depends on, one thing at a time, with A1 and A6 beside it.
_VARIED: tuple[tuple[Person, float], ...] = (
    (replace(_WELL, name="kappa_h 20", kappa=20.0), 2.0),
    (replace(_WELL, name="kappa_h 200", kappa=200.0), 2.0),
    (replace(_WELL, name="30 trials", knowledge=30), 2.0),
    (replace(_WELL, name="does not learn", learns=False), 2.0),
    (replace(_WELL, name="alignment 1.2"), 1.2),
    (replace(_WELL, name="alignment 5"), 5.0),
)
_VARIED_RULES = ("A1", "A4", "A6")


def _methods() -> tuple[Method, ...]:
    people = tuple(member(rule, person) for person in PEOPLE for rule in _RULES)
    varied = tuple(
        member(rule, person, alignment=alignment)
        for person, alignment in _VARIED
        for rule in _VARIED_RULES
    )
    return (*people, *varied)


def _tell(experiment: Experiment, rows: pd.DataFrame) -> Report:
    remarks, chapters, lines = [], [], []
    ours, alone = RULE_NAMES["A6"], (RULE_NAMES["A0"], RULE_NAMES["A1"])
    subjects = list(experiment.worlds)
    for group in (person.name for person in PEOPLE):
        members = experiment.members(group)
        found = regrets(experiment, rows, members)
        table, verdicts = against(f"A6 against the others: {group}", found, ours, alone)
        worse = 0
        for subject in subjects:
            over = excess(found, ours, alone, subject, alone[0])
            worse += paired(over, np.zeros(len(over))).mean.sign > 0
        both = sum(
            all(paired(found[ours][s], found[name][s]).mean.sign < 0 for name in alone)
            for s in subjects
        )
        cells = [
            short(float(np.mean([found[method.name][s].mean() for s in subjects])))
            for method in members
        ]
        lines.append((group, *cells, f"{worse}", f"{both}"))
        remarks.append(
            f"{group}: A6 against the machine alone {verdicts[alone[0]]}, against the person alone "
            f"{verdicts[alone[1]]}; worse than the better of the two by more than 5% of the "
            f"machine's regret in {worse} of "
            f"{len(subjects)} subjects, better than both in {both}; it listened in "
            f"{share(rows, members[_RULES.index('A6')]):.0%} of the rounds."
        )
        tables = (means(f"Mean cumulative regret: {group}", found), table)
        figure = curves(f"All subjects: {group}", experiment, rows, members)
        chapters.append(Chapter(group, tables, (figure,)))
    columns = (
        "person",
        *(RULE_NAMES[rule] for rule in _RULES),
        "A6 worse by > 5%",
        "A6 beats both",
    )
    note = (
        "Mean cumulative regret over all subjects. The last two columns count subjects: where A6 "
        "is significantly worse than the better of machine alone and person alone by more than 5% "
        "of the machine's regret, and where it is significantly better than both."
    )
    first = Chapter("All people", (Table("Whom to listen to", columns, tuple(lines), note),))
    harm = (
        harms(experiment, rows, person.name, ("A1", "A3", "A4", "A6"), shares=False)
        for person in _ADVERSARIES
    )
    rest = Chapter("Harm, and what A4 depends on", (*harm, _sweep(experiment, rows)))
    return Report((*remarks, *notes(experiment)), (first, rest, *chapters))


def _sweep(experiment: Experiment, rows: pd.DataFrame) -> Table:
    """Mean regrets where one thing is not as with the well-informed person."""
    lines = []
    for person in (_WELL, *(person for person, _ in _VARIED)):
        members = {method.also["rule"]: method for method in experiment.members(person.name)}
        found = regrets(experiment, rows, [members[rule] for rule in _VARIED_RULES])
        cells = [short(float(np.mean(list(each.values())))) for each in found.values()]
        lines.append((person.name, *cells, f"{share(rows, members['A4']):.0%}"))
    columns = ("what differs", *(RULE_NAMES[rule] for rule in _VARIED_RULES), "A4 listened")
    return Table("What A4 depends on", columns, tuple(lines), "Means over subjects and seeds.")


ROBUSTNESS = registered(
    Experiment(
        name="teams/robustness",
        title="Whom it is safe to listen to",
        mirrors="Section 5 of the ShapleyBO paper, with people who know less or mean harm",
        worlds=WORLDS,
        methods=_methods(),
        rounds=30,
        measure=team_rows,
        tell=_tell,
        seeds=10,
    )
)
