"""Answers as people give them: yes or no, a level of five, several people who differ."""

import pandas as pd

from counsel.experiments.dmcl.answers import chapter, outcomes, verdict
from counsel.experiments.dmcl.driving import instance
from counsel.experiments.dmcl.methods import SHIPPED, SHIPPED_GROUP
from counsel.experiments.dmcl.protocol import ask_and_pull
from counsel.experiments.dmcl.studies import Played
from counsel.experiments.experiment import Experiment, Method
from counsel.experiments.registry import registered
from counsel.experiments.report import Report
from counsel.policies.dmcl import DMCL

__all__ = ["PEOPLE"]

WORLD = "Driving"
_YES_NO = Method("yes or no", Played(DMCL(), answer="yes/no"), group=SHIPPED_GROUP)
_SCALE = Method("a level of five", Played(DMCL(), answer="scale"), group=SHIPPED_GROUP)
_SEVERAL = Method(
    "numbers, three people", Played(DMCL(), people=3, strictness=0.1), group=SHIPPED_GROUP
)


def _tell(experiment: Experiment, rows: pd.DataFrame) -> Report:
    found = outcomes(experiment, rows, WORLD)
    remarks = [
        verdict(
            f"{method.name}: an unsafe arm is certified in at most 5% of the runs",
            found[method.name].wrong.mean() <= 0.05,
            f"{found[method.name].wrong.mean():.1%}; best arm in "
            f"{found[method.name].found.mean():.0%}",
        )
        for method in (_YES_NO, _SCALE, _SEVERAL)
    ]
    return Report(tuple(remarks), (chapter(WORLD, found, SHIPPED.name),))


PEOPLE = registered(
    Experiment(
        name="dmcl/people",
        title="Answers as people give them",
        mirrors="no figure of the DMCL paper: people of our own",
        worlds={WORLD: instance},
        methods=(SHIPPED, _YES_NO, _SCALE, _SEVERAL),
        rounds=60,
        measure=ask_and_pull,
        tell=_tell,
        seeds=100,
        block=20,
    )
)
