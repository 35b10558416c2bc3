"""Table 1 and Figure 6: how much is asked. Algorithm 1 as printed, and the repaired one."""

import numpy as np
import pandas as pd

from counsel.constraints.learned import Confidence
from counsel.experiments.dmcl.answers import Outcome, chapter, difference, mean, outcomes, verdict
from counsel.experiments.dmcl.driving import WORLD, instance
from counsel.experiments.dmcl.methods import ACL_CLEAR, dmcl, method
from counsel.experiments.dmcl.protocol import ask_and_pull
from counsel.experiments.experiment import Experiment
from counsel.experiments.registry import registered
from counsel.experiments.regrets import interval, short
from counsel.experiments.report import Chapter, Report, Table
from counsel.policies.acl import ACL

__all__ = ["THRESHOLDS"]

# With beta = 3 one answer certifies no margin of 0.1, and Algorithm 1 tries each arm about once.
_NARROW = Confidence(constant=2.0)
LEVELS = (0.0, 0.2, 0.4, 0.6, 0.8)


def _printed(level: float) -> str:
    return f"as printed, ask_threshold {level:g}"


def _repaired(level: float) -> str:
    return f"repaired, ask_threshold {level:g}"


def _tell(experiment: Experiment, rows: pd.DataFrame) -> Report:
    found = outcomes(experiment, rows, WORLD)
    lines = tuple(
        (
            name,
            interval(mean(each.settled)),
            short(float(np.quantile(each.settled, 0.95))),
            interval(mean(each.converged)),
            interval(mean(each.unsafe_optimising)),
            f"{each.found.mean():.0%}",
            short(float(each.answers.mean())),
        )
        for name, each in found.items()
    )
    columns = (
        "method",
        "rounds until the advice stays",
        "in 95%",
        "until it is the best arm",
        "unsafe pulls optimising",
        "best arm found",
        "answers in all",
    )
    note = "Advice: the arm that would be returned. One round too many where it is never the best."
    table = Table("Table 1", columns, lines, note)
    return Report(
        tuple(_verdicts(found)),
        (Chapter("Convergence", (table,)), chapter(WORLD, found, _printed(0.0))),
    )


def _verdicts(found: dict[str, Outcome]) -> list[str]:
    everything, least = found[_printed(0.0)], found[_printed(0.8)]
    slow = float(np.quantile(everything.settled, 0.95))
    later = difference(least.converged, everything.converged)
    worse = difference(least.unsafe_optimising, everything.unsafe_optimising)
    at = {level: float(found[_printed(level)].regret.mean()) for level in LEVELS}
    best = min(at, key=lambda level: at[level])
    return [
        verdict(
            "as printed, ask_threshold 0 settles in at most 15 rounds with no unsafe pull after "
            "exploring",
            slow <= 15.0 and float(everything.unsafe_optimising.sum()) == 0.0,
            f"95% of the instances by round {slow:.0f}, "
            f"{everything.unsafe_optimising.sum():.0f} unsafe pulls in all",
        ),
        verdict(
            "as printed, ask_threshold 0.8 comes to the best arm later and pulls more unsafe arms",
            later.low > 0.0 and worse.low > 0.0,
            f"{interval(later)} rounds later, {interval(worse)} more unsafe pulls",
        ),
        verdict(
            "as printed, ask_threshold 0.4 has the least regret",
            best == 0.4,
            ", ".join(f"{level:g}: {short(value)}" for level, value in at.items()),
        ),
        verdict(
            "as printed, ask_threshold 0.2 is safe",
            float(found[_printed(0.2)].unsafe_optimising.mean()) <= 0.1,
            f"{interval(mean(found[_printed(0.2)].unsafe_optimising))} unsafe pulls a run after "
            "exploring",
        ),
    ]


THRESHOLDS = registered(
    Experiment(
        name="dmcl/thresholds",
        title="How much is asked",
        mirrors="Table 1 and Figure 6 of the DMCL paper",
        worlds={WORLD: instance},
        methods=(
            *(
                method(
                    _printed(level),
                    dmcl(paper=True, ask_threshold=level, confidence=_NARROW),
                    fitted=True,  # B is learned
                )
                for level in LEVELS
            ),
            *(
                method(_repaired(level), dmcl(ask_threshold=level), sequential=True)
                for level in LEVELS
            ),
            method("ACL, threshold 0", ACL(standardise=False)),
            ACL_CLEAR,
        ),
        rounds=60,
        measure=ask_and_pull,
        tell=_tell,
        seeds=40,
        block=20,
    )
)
