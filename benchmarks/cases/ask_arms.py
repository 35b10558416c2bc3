"""One ask with hyper-parameters refitted: 150 observations, 2,500 arms, 2 inputs."""

from benchmarks.cases.case import OURS, Case, Check, Results, speedup
from benchmarks.contestants import Asker, tell_all, time_asks
from benchmarks.functions import GRIDS, sample_grid
from benchmarks.measure import Measurement

OBSERVATIONS = 150
GRID = GRIDS["cosine"]


def _run(asker: Asker, repeats: int) -> Measurement:
    tell_all(asker, *sample_grid(GRID, OBSERVATIONS))
    return time_asks(asker, GRID.payoff, repeats)


def _counsel() -> Measurement:
    from benchmarks.contestants.with_counsel import CounselAsker

    return _run(CounselAsker(GRID.arms), repeats=9)


def _botorch() -> Measurement:
    from benchmarks.contestants.with_botorch import BotorchAsker

    return _run(BotorchAsker(GRID.arms), repeats=7)


def _sklearn() -> Measurement:
    from benchmarks.contestants.with_sklearn import SklearnAsker

    return _run(SklearnAsker(GRID.arms), repeats=3)


def _checks(results: Results) -> list[Check]:
    checks = speedup(results, "botorch", 10.0) + speedup(results, "scikit-learn", 20.0)
    if OURS in results:
        cpu = results[OURS].cpu_seconds
        checks.append(Check(f"CPU per ask {1e3 * cpu:.0f} ms (goal: in the order of 20 ms)"))
    return checks


CASE = Case(
    name="ask-arms",
    title="One ask with refit: 150 observations, 2,500 arms, 2 inputs",
    contestants={OURS: _counsel, "botorch": _botorch, "scikit-learn": _sklearn},
    checks=_checks,
    turns=3,
)
