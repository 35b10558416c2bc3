"""People who change: answers that become more lenient, or stricter, while a study goes on.

Every margin moves by so much a round, from the first one on. A safe set is wrong in a round where
an arm is certified that is not safe by then.
"""

from functools import cache, partial

import numpy as np
import pandas as pd

from counsel.experiments.dmcl.answers import chapter, mean, outcomes, verdict
from counsel.experiments.dmcl.methods import SHIPPED, SHIPPED_GROUP, SHIPPED_MCL
from counsel.experiments.dmcl.protocol import ask_and_pull
from counsel.experiments.dmcl.studies import Changing, Played
from counsel.experiments.experiment import Experiment, Method
from counsel.experiments.registry import registered
from counsel.experiments.regrets import interval
from counsel.experiments.report import Chapter, Report, Table
from counsel.policies.dmcl import DMCL
from counsel.worlds.driving import driving

__all__ = ["CHANGING"]

_STILL = "Still"
_RATES = {_STILL: 0.0, "More lenient": 0.01, "Stricter": -0.01}
_FIRST = 11000
_EXPECTING = Method("DMCL, drifting=True", Played(DMCL(drifting=True)), group=SHIPPED_GROUP)


@cache
def _changing(rate: float, seed: int) -> Changing:
    world = driving(_FIRST + seed)
    return Changing(world, np.array([0.0, *(rate for _ in world.constraints)]))


def _tell(experiment: Experiment, rows: pd.DataFrame) -> Report:
    remarks, lines, chapters = [], [], []
    for world in experiment.worlds:
        here = rows[rows["world"] == world]
        for method in experiment.methods:
            runs = here[here["method"] == method.label].groupby("seed")
            noted, wrong, asked = (runs[name] for name in ("noted", "wrong", "asked"))
            answers = asked.sum().to_numpy(dtype=float)
            said = noted.any().to_numpy()
            first = (noted.cumsum() == 0).groupby(here["seed"]).sum().to_numpy() + 1
            lines.append(
                (
                    world,
                    method.name,
                    interval(mean(answers)),
                    interval(mean(wrong.sum().to_numpy(dtype=float))),
                    f"{said.sum()} of {len(said)}",
                    f"{np.median(first[said]):.0f}" if said.any() else "–",
                )
            )
            if world == _STILL and method is not _EXPECTING:
                remarks.append(
                    verdict(
                        f"{method.name}: where nothing changes, no more than one run in ten says "
                        "that something does",
                        said.mean() <= 0.1,
                        f"{said.sum()} of {len(said)}",
                    )
                )
        found = outcomes(experiment, rows, world)
        chapters.append(chapter(world, found, SHIPPED.name))
    columns = (
        "people",
        "method",
        "answers",
        "rounds with a wrong safe set",
        "runs that say so",
        "first in round",
    )
    note = (
        f"{experiment.rounds} rounds; every margin moves by 0.01 a round. “Say so”: a proposal "
        "says that answers seem to change; the median round of those runs that do."
    )
    table = Table("Answers that change", columns, tuple(lines), note)
    return Report(tuple(remarks), (Chapter("Change", (table,)), *chapters))


CHANGING = registered(
    Experiment(
        name="dmcl/changing",
        title="People who change",
        mirrors="no figure of the DMCL paper: people of our own",
        worlds={name: partial(_changing, rate) for name, rate in _RATES.items()},
        methods=(SHIPPED, _EXPECTING, SHIPPED_MCL),
        rounds=40,
        measure=ask_and_pull,
        tell=_tell,
        seeds=20,
        block=10,
    )
)
