"""Ten of the policies that Lindner et al. recorded, six preferences."""

from functools import cache

import pandas as pd

from counsel.experiments.dmcl.answers import chapter, mean, outcomes, ratio, verdict
from counsel.experiments.dmcl.methods import MCL_ALL, ONE_BY_ONE, SHIPPED, SHIPPED_MCL
from counsel.experiments.dmcl.protocol import ask_and_pull
from counsel.experiments.experiment import Experiment
from counsel.experiments.registry import registered
from counsel.experiments.regrets import interval
from counsel.experiments.report import Report
from counsel.worlds.constrained import ConstrainedWorld
from counsel.worlds.recorded_driving import recorded_driving

__all__ = ["RECORDED"]

WORLD = "Driving, recorded"


@cache
def instance(seed: int) -> ConstrainedWorld:
    return recorded_driving(seed)


def _tell(experiment: Experiment, rows: pd.DataFrame) -> Report:
    found = outcomes(experiment, rows, WORLD)
    ours, every = found[SHIPPED.name], found[SHIPPED_MCL.name]
    fewer = ratio(ours.answers_exploring, every.answers_exploring)
    failed = ours.unsafe_optimising > 0.0
    real = not instance(0).name.startswith("synthetic")
    source = (
        "The policies are those that Lindner et al. recorded ($COUNSEL_DATA), 20 different ones, "
        "of which every instance has ten; no setting was chosen on them."
        if real
        else "The recorded policies are not here ($COUNSEL_DATA is not set): these are random ones."
    )
    remarks = (
        source,
        verdict(
            "the best safe arm is found in 95% or more",
            ours.found.mean() >= 0.95,
            f"{ours.found.mean():.1%}; unsafe while optimising in {failed.mean():.1%} of runs",
        ),
        verdict(
            "half the answers of asking everything, or fewer",
            fewer.high <= 0.5,
            f"{interval(mean(ours.answers_exploring))}, ratio {interval(fewer)}",
        ),
    )
    return Report(remarks, (chapter(WORLD, found, SHIPPED.name),))


RECORDED = registered(
    Experiment(
        name="dmcl/recorded",
        title="Recorded ways to drive",
        mirrors="no figure of the DMCL paper: the policies of its ACOL baseline's authors",
        worlds={WORLD: instance},
        methods=(SHIPPED, SHIPPED_MCL, ONE_BY_ONE, MCL_ALL),
        rounds=60,
        measure=ask_and_pull,
        tell=_tell,
        seeds=40,
        block=20,
    )
)
