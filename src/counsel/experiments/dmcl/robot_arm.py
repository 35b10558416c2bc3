"""Figures 1-3: thirty movements of a robot arm, and a wall."""

from functools import cache

import pandas as pd

from counsel.experiments.dmcl.answers import chapter, difference, outcomes, ratio, verdict
from counsel.experiments.dmcl.methods import (
    ACL_CLEAR,
    ACOL_CLEAR,
    MCL_ALL,
    ONE_BY_ONE,
    SHIPPED,
    SHIPPED_MCL,
    dmcl,
    method,
)
from counsel.experiments.dmcl.protocol import ask_and_pull
from counsel.experiments.experiment import Experiment
from counsel.experiments.registry import registered
from counsel.experiments.regrets import interval
from counsel.experiments.report import Chapter, Report
from counsel.policies.acol import ACOL
from counsel.policies.mcl import MCL
from counsel.worlds.constrained import ConstrainedWorld
from counsel.worlds.figures import robot_arm_figure
from counsel.worlds.robot_arm import robot_arm

__all__ = ["ROBOT_ARM"]

WORLD = "Robot arm"
# Thirty arms are enough to learn hyper-parameters from, and the prior's do not fit this world.
REFITTED = method("DMCL, refitted", dmcl(), sequential=True, fitted=True)
MCL_REFITTED = method("MCL, refitted", MCL(standardise=False), fitted=True)
_FIRST = 9000


@cache
def instance(seed: int) -> ConstrainedWorld:
    return robot_arm(_FIRST + seed)


def _tell(experiment: Experiment, rows: pd.DataFrame) -> Report:
    found = outcomes(experiment, rows, WORLD)
    ours, every, acol = (found[m.name] for m in (SHIPPED, MCL_REFITTED, ACOL_CLEAR))
    less, regret = difference(ours.regret, acol.regret), ratio(ours.regret, every.regret)
    remarks = (
        verdict("DMCL finds the best safe arm in 95% or more", ours.found.mean() >= 0.95,
                f"{ours.found.mean():.1%}"),
        verdict("at most 0.1 unsafe pulls a run while optimising",
                ours.unsafe_optimising.mean() <= 0.1, f"{ours.unsafe_optimising.mean():.3f}"),
        verdict("DMCL has less regret than ACOL", less.high < 0.0,
                f"difference {interval(less)}"),
        verdict("DMCL's regret is within 10% of MCL's", regret.high <= 1.1,
                f"ratio {interval(regret)}"),
        "With one constraint an overall answer is the constraint itself: ACL with a threshold of 0 "
        "is MCL.",
    )  # fmt: skip
    seen = Chapter("What an arm does", figures=(robot_arm_figure(_FIRST),))
    return Report(remarks, (chapter(WORLD, found, MCL_REFITTED.name), seen))


ROBOT_ARM = registered(
    Experiment(
        name="dmcl/robot-arm",
        title="A robot arm and a wall",
        mirrors="Figures 1-3 of the DMCL paper",
        worlds={WORLD: instance},
        methods=(
            SHIPPED,
            SHIPPED_MCL,
            REFITTED,
            MCL_REFITTED,
            ONE_BY_ONE,
            MCL_ALL,
            ACL_CLEAR,
            ACOL_CLEAR,
            method("ACOL, threshold 0", ACOL()),
        ),
        rounds=100,
        measure=ask_and_pull,
        tell=_tell,
        seeds=40,
        block=20,
    )
)
