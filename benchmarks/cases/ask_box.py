"""One ask with hyper-parameters refitted, over a box: 100 observations, 6 inputs."""

from benchmarks.cases.case import OURS, Case, Check, Results, speedup
from benchmarks.contestants import Asker, tell_all, time_asks
from benchmarks.functions import Points, hartmann6, sample_hartmann6
from benchmarks.measure import Measurement

OBSERVATIONS = 100
DIMENSIONS = 6


def _payoff(point: Points) -> float:
    return float(hartmann6(point)[0])


def _run(asker: Asker, repeats: int) -> Measurement:
    tell_all(asker, *sample_hartmann6(OBSERVATIONS))
    return time_asks(asker, _payoff, repeats)


def _counsel() -> Measurement:
    from benchmarks.contestants.with_counsel import CounselAsker

    return _run(CounselAsker(dimensions=DIMENSIONS), repeats=9)


def _botorch() -> Measurement:
    from benchmarks.contestants.with_botorch import BotorchAsker

    return _run(BotorchAsker(), repeats=5)


def _optuna() -> Measurement:
    from benchmarks.contestants.with_optuna import OptunaAsker

    return _run(OptunaAsker(DIMENSIONS), repeats=5)


def _checks(results: Results) -> list[Check]:
    return speedup(results, "botorch", 5.0) + speedup(results, "optuna", 5.0)


CASE = Case(
    name="ask-box",
    title="One ask with refit over a box: 100 observations, 6 inputs",
    contestants={OURS: _counsel, "botorch": _botorch, "optuna": _optuna},
    checks=_checks,
    turns=3,
)
