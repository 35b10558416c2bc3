"""Does listening by reasons help? The five agents of ShapleyBO, ours, and two baselines.

The person is the paper's: 90 trials all over the space. Two pairs of weights: ours (the machine's
kappa 2, the person's 1) and the authors' (20 and 200).
"""

import pandas as pd

from counsel.experiments.experiment import Experiment, Method
from counsel.experiments.registry import registered
from counsel.experiments.regrets import interval
from counsel.experiments.report import Chapter, Report
from counsel.experiments.teams.runs import FIRST, RULE_NAMES, WORLDS, member, team_rows
from counsel.experiments.teams.tables import (
    HYPOTHESES,
    against,
    by_subject,
    curves,
    hypotheses,
    means,
    over_subjects,
    regrets,
    share,
    standing,
)
from counsel.teams.people import Person

__all__ = ["EXOSUIT", "notes"]

_OURS = Person("weights 2 and 1")
_AUTHORS = Person("the authors' weights, 20 and 200", kappa=200.0)


_RULES = ("A0", "A1", "A2", "A3", "A4", "A5", "A6", "A7", "random", "oracle")


def _members(person: Person, kappa: float) -> tuple[Method, ...]:
    return tuple(member(rule, person, kappa) for rule in _RULES)


def _tell(experiment: Experiment, rows: pd.DataFrame) -> Report:
    remarks, chapters = [], []
    reasons = RULE_NAMES["A4"]
    for group in experiment.groups:
        members = experiment.members(group)
        found = regrets(experiment, rows, members)
        rivals = [RULE_NAMES[rule] for rule in (*HYPOTHESES.values(), "random", "oracle")]
        table, verdicts = against(f"A4 against the others: {group}", found, reasons, rivals)
        remarks += hypotheses(group, found, verdicts)
        name = RULE_NAMES["random"]
        remarks.append(
            f"{group}: A4 against listening at random as often "
            f"({share(rows, members[_RULES.index('A4')]):.0%} of rounds): "
            f"{verdicts[name]}; over subjects {interval(over_subjects(found, reasons, name))}."
        )
        mine = [RULE_NAMES[rule] for rule in ("A0", "A1", "A4", "oracle")]
        credit, remark = standing(group, "A6", found, mine)
        remarks.append(remark)
        tables = (means(f"Mean cumulative regret: {group}", found), table, credit)
        figures = (
            curves(f"All subjects: {group}", experiment, rows, members),
            *by_subject(group, experiment, rows, members),
        )
        chapters.append(Chapter(group, tables, figures))
    return Report((*remarks, *notes(experiment)), tuple(chapters))


def notes(experiment: Experiment, first: int = FIRST) -> tuple[str, ...]:
    """Where the utilities come from, and the protocol."""
    real = not next(iter(experiment.worlds.values()))(0).name.startswith("synthetic")
    source = (
        "The utilities are the fifteen subjects' ($COUNSEL_DATA), means of three blocks, without "
        "the index column that the paper's authors kept as data."
        if real
        else "The utilities are not here ($COUNSEL_DATA is not set): these are synthetic subjects'."
    )
    return (
        f"{source} Every second gain of [0, 50]^2; {first} first pulls in [20, 40]^2; "
        f"{experiment.rounds} rounds; noise of sd 0.05. The person sees what the team measures.",
    )


EXOSUIT = registered(
    Experiment(
        name="teams/exosuit",
        title="Who decides: five agents, ours, and two baselines",
        mirrors="Figures 5, 7, 8 and 11-24 of the ShapleyBO paper, by our protocol",
        worlds=WORLDS,
        methods=(*_members(_OURS, 2.0), *_members(_AUTHORS, 20.0)),
        rounds=30,
        measure=team_rows,
        tell=_tell,
        seeds=20,
        block=20,
    )
)
