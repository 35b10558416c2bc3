"""Three invented worlds of thirty arms and four constraints: what exploring costs people."""

from functools import cache, partial

import pandas as pd

from counsel.experiments.dmcl.answers import chapter, mean, outcomes, ratio, verdict
from counsel.experiments.dmcl.methods import SHIPPED, SHIPPED_MCL, dmcl, method
from counsel.experiments.dmcl.protocol import ask_and_pull
from counsel.experiments.experiment import Experiment
from counsel.experiments.registry import registered
from counsel.experiments.regrets import interval
from counsel.experiments.report import Report
from counsel.worlds.constrained import ConstrainedWorld
from counsel.worlds.invented import INVENTED

__all__ = ["INVENTED_WORLDS"]

_UNION = method("DMCL, union bound, refitted", dmcl(), sequential=True, fitted=True)
# The prior of beliefs was chosen on driving and on instances 1000 to 1005 of these worlds, none of
# them reported.
_FIRST = 9000


@cache
def instance(world: str, seed: int) -> ConstrainedWorld:
    return INVENTED[world](_FIRST + seed)


def _tell(experiment: Experiment, rows: pd.DataFrame) -> Report:
    remarks, chapters = [], []
    for world in INVENTED:
        found = outcomes(experiment, rows, world)
        ours, union = found[SHIPPED.name], found[_UNION.name]
        unsafe = ratio(ours.unsafe_exploring, union.unsafe_exploring)
        failed = ours.unsafe_optimising > 0.0
        remarks += [
            verdict(
                f"{world}: a third of the unsafe trials of the union bound",
                unsafe.high <= 1.0 / 3.0,
                f"{interval(mean(ours.unsafe_exploring))} of {experiment.rounds}, ratio "
                f"{interval(unsafe)}",
            ),
            verdict(
                f"{world}: the best safe arm is found in 95% or more",
                ours.found.mean() >= 0.95,
                f"{ours.found.mean():.1%}; unsafe while optimising in {failed.mean():.1%} of runs",
            ),
        ]
        chapters.append(chapter(world, found, SHIPPED.name))
    return Report(tuple(remarks), tuple(chapters))


INVENTED_WORLDS = registered(
    Experiment(
        name="dmcl/invented",
        title="Three invented worlds",
        mirrors="no figure of the DMCL paper: worlds of our own",
        worlds={world: partial(instance, world) for world in INVENTED},
        methods=(SHIPPED, SHIPPED_MCL, _UNION),
        rounds=45,
        measure=ask_and_pull,
        tell=_tell,
        seeds=40,
        block=20,
    )
)
