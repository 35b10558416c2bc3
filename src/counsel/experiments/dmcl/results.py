"""What is promised of constraint learning, line by line, measured on what ships.

Every run of DMCL is a real study with default settings and an arm to start from (`studies`). MCL
and DMCL with the union bound, which studies from before go on with, are the yardsticks: same
instances, same noise.
"""

from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from counsel.experiments.dmcl import driving, invented, robot_arm
from counsel.experiments.dmcl.answers import Outcome, chapter, mean, outcomes, ratio
from counsel.experiments.dmcl.methods import GROUP, MCL_ALL, SHIPPED, dmcl
from counsel.experiments.dmcl.protocol import Asking, ask_and_pull
from counsel.experiments.dmcl.studies import Played
from counsel.experiments.experiment import Experiment, Method
from counsel.experiments.registry import registered
from counsel.experiments.regrets import interval
from counsel.experiments.report import Chapter, Report, Table
from counsel.experiments.statistics import Interval
from counsel.policies.dmcl import DMCL
from counsel.worlds.invented import INVENTED

__all__ = ["RESULTS"]

WORLD, YES_NO = driving.WORLD, "Driving, yes or no"
# The union bound on the prior's hyper-parameters, where margins have a known scale; refitted where
# they do not.
_UNION = Method(
    "DMCL, union bound",
    Asking(dmcl(), sequential=True, fitted=True),
    group=GROUP,
    elsewhere={WORLD: Asking(dmcl(), sequential=True, fitted=False)},
)
_OURS = replace(SHIPPED, elsewhere={YES_NO: Played(DMCL(), answer="yes/no")})
_NORMAL = 1.959963984540054  # the standard normal's 97.5% point
# How many instances a world has, where they are fewer than 100: they take longer.
_MOST = dict.fromkeys(INVENTED, 20)


def _has(world: str, method: Method, seed: int) -> bool:
    """The yardsticks are run where a line compares with them."""
    if seed >= _MOST.get(world, seed + 1):
        return False
    if method is _OURS:
        return True
    return world == WORLD or (method is _UNION and world in INVENTED)


class _Line(NamedTuple):
    """One promise: `most` says that a smaller number is better."""

    what: str
    found: Interval
    bound: float
    instances: int
    most: bool = True
    percent: bool = False

    @property
    def verdict(self) -> str:
        sign = 1.0 if self.most else -1.0
        if sign * self.found.value > sign * self.bound:
            return "no"
        far = self.found.high if self.most else self.found.low
        return "yes" if sign * far <= sign * self.bound else "yes, but not its whole interval"

    def cells(self) -> tuple[str, ...]:
        def text(number: float) -> str:
            return f"{number:.1%}" if self.percent else f"{number:.3g}"

        value, low, high = (text(each) for each in self.found)
        side = "at most" if self.most else "at least"
        return (
            self.what,
            f"{side} {self.bound:.0%}" if self.percent else f"{side} {self.bound:.3g}",
            f"{value} [{low}, {high}]",
            str(self.instances),
            self.verdict,
        )


def share(values: np.ndarray) -> Interval:
    """How often something is so, with Wilson's 95% interval."""
    n, p, z = len(values), float(np.mean(values)), _NORMAL
    middle = (p + z**2 / (2 * n)) / (1 + z**2 / n)
    reach = z / (1 + z**2 / n) * float(np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2)))
    return Interval(p, max(middle - reach, 0.0), min(middle + reach, 1.0))


def lines(found: dict[str, dict[str, Outcome]]) -> list[_Line]:
    """The promises, from outcomes by world and method; worlds not played have none."""
    cars, ours = found[WORLD], found[WORLD][_OURS.name]
    n = len(ours.regret)
    part = partial(_Line, instances=n)
    answers = ratio(ours.answers_exploring, cars[MCL_ALL.name].answers_exploring)
    made = [
        part("driving: regret", mean(ours.regret), 5.0),
        part("driving: answers while exploring", mean(ours.answers_exploring), 35.0),
        part("driving: of the answers of MCL", answers, 0.25),
        part("driving: unsafe trials while exploring", mean(ours.unsafe_exploring), 6.0),
        part("driving: best safe arm", share(ours.found), 0.99, most=False, percent=True),
        part(
            "driving: runs with an unsafe trial while optimising",
            share(ours.unsafe_optimising > 0.0), 0.01, percent=True,
        ),
        part(
            "driving: all bounds of all rounds hold, nominally 90%",
            share(ours.covered), 0.88, most=False, percent=True,
        ),
    ]  # fmt: skip
    if YES_NO in found:
        said = found[YES_NO][_OURS.name].wrong
        what = "driving, yes or no: runs with an unsafe arm certified"
        made.append(_Line(what, share(said), 0.05, len(said), percent=True))
    if robot_arm.WORLD in found:
        arm = found[robot_arm.WORLD][_OURS.name]
        part = partial(_Line, instances=len(arm.regret), most=False, percent=True)
        made += [
            part("robot arm: best safe arm", share(arm.found), 0.95),
            part(
                "robot arm: all bounds of all rounds hold, nominally 90%", share(arm.covered), 0.88
            ),
        ]
    for world in filter(found.__contains__, INVENTED):
        here, union = found[world][_OURS.name], found[world][_UNION.name]
        made += [
            _Line(
                f"{world.lower()}: of the unsafe trials of the union bound",
                ratio(here.unsafe_exploring, union.unsafe_exploring), 1 / 3, len(here.regret),
            ),
            _Line(
                f"{world.lower()}: all bounds of all rounds hold, nominally 90%",
                share(here.covered), 0.88, len(here.regret), most=False, percent=True,
            ),
        ]  # fmt: skip
    return made


def _tell(experiment: Experiment, rows: pd.DataFrame) -> Report:
    found = {}
    for world in rows["world"].unique():
        mine = tuple(each for each in experiment.methods if _has(world, each, 0))
        found[world] = outcomes(replace(experiment, methods=mine), rows, world)
    made = lines(found)
    columns = ("what", "wanted", "measured", "instances", "reached")
    note = (
        "Means and shares with 95% intervals (bootstrap; of shares Wilson's). DMCL as it ships, in "
        "a study, one question after the other; the first trial's questions are not counted. The "
        "union bound stands for what was before."
    )
    table = Table("What was wanted", columns, tuple(line.cells() for line in made), note)
    remarks = tuple(
        f"{'Holds' if line.verdict.startswith('yes') else 'Does not hold'}: {line.what} "
        f"{line.cells()[1]} ({line.cells()[2]})."
        for line in made
    )
    chapters = [chapter(world, found[world], _OURS.name) for world in found]
    unsafe = "; ".join(
        f"{world} {interval(mean(found[world][_OURS.name].unsafe_exploring))}"
        for world in filter(found.__contains__, INVENTED)
    )
    remarks = (*remarks, f"Unsafe trials of 45: {unsafe}.") if unsafe else remarks
    missing = ", ".join(world for world in experiment.worlds if world not in found)
    remarks = (*remarks, f"Not played: {missing}.") if missing else remarks
    return Report(remarks, (Chapter("Results", (table,)), *chapters))


RESULTS = registered(
    Experiment(
        name="dmcl/results",
        title="What was wanted of constraint learning",
        mirrors="no figure of the DMCL paper: what this package promises",
        worlds={
            WORLD: driving.instance,
            YES_NO: driving.instance,
            robot_arm.WORLD: robot_arm.instance,
            **{world: partial(invented.instance, world) for world in INVENTED},
        },
        methods=(_OURS, _UNION, MCL_ALL),
        rounds=100,
        lengths={YES_NO: 60, **dict.fromkeys(INVENTED, 45)},
        measure=ask_and_pull,
        tell=_tell,
        seeds=100,
        block=20,
        has=_has,
    )
)
