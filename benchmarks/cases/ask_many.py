"""One ask with refit at 2,000 observations and 10,000 arms, and how the cost grows."""

from functools import partial

from benchmarks.cases.case import OURS, Case, Check, Results, speedup
from benchmarks.contestants import Asker, tell_all, time_asks
from benchmarks.functions import Grid, sample_grid
from benchmarks.measure import Measurement, growth_exponent

SIZES = (250, 500, 1000, 2000)
GRID = Grid("cosine", side=100)


def _run(asker: Asker, observations: int, repeats: int) -> Measurement:
    tell_all(asker, *sample_grid(GRID, observations))
    return time_asks(asker, GRID.payoff, repeats)


def _counsel(observations: int) -> Measurement:
    from benchmarks.contestants.with_counsel import CounselAsker

    return _run(CounselAsker(GRID.arms), observations, repeats=3)


def _botorch() -> Measurement:
    from benchmarks.contestants.with_botorch import BotorchAsker

    return _run(BotorchAsker(GRID.arms), max(SIZES), repeats=2)


def _ours(observations: int) -> str:
    return f"{OURS}, n = {observations}"


def _checks(results: Results) -> list[Check]:
    checks = speedup(results, "botorch", 3.0, ours=_ours(max(SIZES)))
    sizes = [size for size in SIZES if _ours(size) in results]
    if len(sizes) > 1:
        seconds = [results[_ours(size)].seconds for size in sizes]
        overall = growth_exponent(sizes, seconds)
        last = growth_exponent(sizes[-2:], seconds[-2:])
        text = f"time grows as n^{overall:.2f}, in the last doubling n^{last:.2f} (goal: at most 3)"
        checks.append(Check(text, max(overall, last) <= 3.0))
    return checks


CASE = Case(
    name="ask-2000",
    title="One ask with refit: 2,000 observations, 10,000 arms, 2 inputs",
    contestants={_ours(size): partial(_counsel, size) for size in SIZES} | {"botorch": _botorch},
    checks=_checks,
    baseline=_ours(max(SIZES)),
)
