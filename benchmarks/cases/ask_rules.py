"""What a rule or a scale costs beside plain V-UCB: one ask with refit, over a box of 6 inputs."""

from functools import partial

from benchmarks.cases.case import OURS, Case, Check, Results
from benchmarks.contestants import tell_all, time_asks
from benchmarks.functions import Points, hartmann6, sample_hartmann6
from benchmarks.measure import Measurement

DIMENSIONS = 6
SIZES = (20, 150)
# Who is timed: policy and settings. The goals are ratios to another one.
RULES: dict[str, tuple[str | None, dict[str, str]]] = {
    "v-ucb": ("v-ucb", {}),
    "lw-ucb": ("lw-ucb", {}),
    "default": (None, {}),
    "default by evidence": (None, {"output": "evidence"}),
}
GOALS = (("lw-ucb", "v-ucb", 2.0), ("default by evidence", "default", 1.5))


def _payoff(point: Points) -> float:
    return float(hartmann6(point)[0])


def _run(rule: str, observations: int) -> Measurement:
    from benchmarks.contestants.with_counsel import CounselAsker

    policy, settings = RULES[rule]
    asker = CounselAsker(dimensions=DIMENSIONS, policy=policy, **settings)
    tell_all(asker, *sample_hartmann6(observations))
    return time_asks(asker, _payoff, repeats=9)


def _named(rule: str, observations: int) -> str:
    return f"{OURS}, {rule}, n = {observations}"


def _checks(results: Results) -> list[Check]:
    checks = []
    for rule, other, goal in GOALS:
        for n in SIZES:
            if {_named(rule, n), _named(other, n)} <= set(results):
                one, two = results[_named(rule, n)], results[_named(other, n)]
                wall, cpu = one.seconds / two.seconds, one.cpu_seconds / two.cpu_seconds
                text = f"n = {n}: {rule} takes {wall:.2f} x the time and {cpu:.2f} x the CPU time"
                checks.append(Check(f"{text} of {other} (goal {goal:g} x)", wall <= goal))
    return checks


CASE = Case(
    name="ask-rules",
    title="One ask with refit by rule, over a box of 6 inputs",
    contestants={_named(rule, n): partial(_run, rule, n) for n in SIZES for rule in RULES},
    checks=_checks,
    baseline=_named("v-ucb", SIZES[-1]),
)
