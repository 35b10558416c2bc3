"""The teams of ShapleyBO by the protocol that the paper prints, and by the authors' script.

10 rounds after 3 first pulls, k = 2, 40 repetitions, and the weights 20 of the machine's sd and 200
of the person's; with 1 as well, which the authors' script uses in most runs. (11) and (12) average
ratios, with their signs, over the person's proposals so far. In the script the person had 100
rounds alone before, the averages begin with those, and the person learns nothing from what the team
measures; a third group plays that. `teams/exosuit` has our protocol: 30 rounds after 5 first pulls.
"""

import pandas as pd

from counsel.experiments.experiment import Experiment, Method
from counsel.experiments.registry import registered
from counsel.experiments.report import Chapter, Report
from counsel.experiments.teams.exosuit import notes
from counsel.experiments.teams.runs import RULE_NAMES, WORLDS, member, team_rows
from counsel.experiments.teams.tables import (
    HYPOTHESES,
    against,
    by_subject,
    curves,
    hypotheses,
    means,
    regrets,
    standing,
)
from counsel.teams.people import Person

__all__ = ["PAPER"]

_FIRST = 3
_RULES = ("A0", "A1", "A2", "A3", "A4", "A5", "A7")
_PRINTED = Person("weights 20 and 200", kappa=200.0)
_RUN = Person("weights 20 and 1", kappa=1.0)
_SCRIPT = Person("as the script runs", kappa=1.0, learns=False)
_DEPARTURES = (
    "A5 is that of the authors' first script: a tree of what was measured on the contributions of "
    "both gains to the mean, learned from 100 rounds that the person had alone; its first split is "
    "the rule. Without a split the person is always listened to.",
    "In the group 'as the script runs' the person had 100 rounds alone, with which the averages of "
    "(11) and (12) begin, and sees nothing of what the team measures.",
    "That group differs from the script in this: (11) averages ratios, as "
    "printed, where the script divides averages; every repetition has another person; a proposal "
    "is the best of a grid instead of 1,000 random points; utilities are the subjects' own, where "
    "the script fits them at 70 points of a grid of indices to which the index column belongs; "
    "noise has an sd of 0.05 instead of 0.03.",
)


def _members(person: Person) -> tuple[Method, ...]:
    alone = person is _SCRIPT
    return tuple(member(rule, person, 20.0, first=_FIRST, alone=alone) for rule in _RULES)


def _tell(experiment: Experiment, rows: pd.DataFrame) -> Report:
    remarks, chapters = [], []
    reasons = RULE_NAMES["A4"]
    for group in experiment.groups:
        members = experiment.members(group)
        found = regrets(experiment, rows, members)
        rivals = [RULE_NAMES[rule] for rule in HYPOTHESES.values()]
        table, verdicts = against(f"A4 against the others: {group}", found, reasons, rivals)
        remarks += hypotheses(group, found, verdicts)
        others = [RULE_NAMES[rule] for rule in ("A0", "A1", "A4")]
        ours, remark = standing(group, "A7", found, others)
        remarks.append(remark)
        figures = (
            curves(f"All subjects: {group}", experiment, rows, members),
            *by_subject(group, experiment, rows, members),
        )
        tables = (means(f"Mean cumulative regret: {group}", found), table, ours)
        chapters.append(Chapter(group, tables, figures))
    return Report((*remarks, *notes(experiment, _FIRST), *_DEPARTURES), tuple(chapters))


PAPER = registered(
    Experiment(
        name="teams/paper",
        title="The teams of the paper, as printed",
        mirrors="Figures 5, 7, 8 and 11-24 of the ShapleyBO paper",
        worlds=WORLDS,
        methods=(*_members(_PRINTED), *_members(_RUN), *_members(_SCRIPT)),
        rounds=10,
        measure=team_rows,
        tell=_tell,
        seeds=40,
        block=40,
    )
)
