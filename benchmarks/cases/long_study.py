"""A study that has run for long, or has many arms: asking, predicting and what-ifs.

The default policy in a box of four parameters. Goals are in CPU seconds, which a busy machine
distorts less; with two cores the wall time is about half of it.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from benchmarks.cases.case import OURS, Case, Check, Results
from benchmarks.measure import Measurement, timed

INPUTS = 4


def _study(trials: int) -> Any:
    import counsel as cs

    space = cs.Space(**{f"x{i}": cs.Float(0, 1) for i in range(INPUTS)})
    rng = np.random.default_rng(0)
    x = rng.uniform(size=(trials, INPUTS))
    y = np.sin(5 * x[:, 0]) + x[:, 1] ** 2 - (x[:, 2] - 0.4) ** 2 + 0.05 * rng.normal(size=trials)
    study = cs.create_study(space)
    study.tell_many([{**_point(row), "objective": float(v)} for row, v in zip(x, y, strict=True)])
    return study


def _point(row: Any) -> dict[str, float]:
    return {f"x{i}": float(value) for i, value in enumerate(row)}


def _payoff(values: Any) -> float:
    return float(np.sin(5 * values["x0"]) + values["x1"] ** 2 - (values["x2"] - 0.4) ** 2)


def _repeated(work: Callable[[], object], repeats: int) -> Measurement:
    _, first, _ = timed(work)
    both = [timed(work)[1:] for _ in range(repeats)]
    return Measurement(wall=[w for w, _ in both], cpu=[c for _, c in both], first=first)


def _asks(trials: int, batch: int | None) -> Measurement:
    study = _study(trials)

    def ask() -> None:
        proposals = [study.ask()] if batch is None else study.ask(batch)
        for proposal in proposals:
            study.tell(proposal, _payoff(proposal.values))

    return _repeated(ask, 3)


def _asks_over(arms: int, trials: int) -> Measurement:
    import counsel as cs

    rng = np.random.default_rng(0)
    points = rng.uniform(size=(arms, INPUTS))
    study = cs.create_study(cs.Arms(points, names=[f"x{i}" for i in range(INPUTS)]))
    tried = [_point(row) for row in points[:trials]]
    study.tell_many([{**each, "objective": _payoff(each) + 0.01 * rng.normal()} for each in tried])

    def ask() -> None:
        proposal = study.ask()
        study.tell(proposal, _payoff(proposal.values))

    return _repeated(ask, 2)


def _looks(trials: int, verb: str) -> Measurement:
    study = _study(trials)
    study.predict(_point(np.full(INPUTS, 0.5)))
    rows = iter(np.random.default_rng(1).uniform(size=(100, INPUTS)))
    return _repeated(lambda: getattr(study, verb)(_point(next(rows))), 5)


def _checks(goal: float, results: Results) -> list[Check]:
    if OURS not in results:
        return []
    cpu = results[OURS].cpu_seconds
    return [Check(f"{cpu:.3g} s of CPU (goal {goal:g} s)", cpu <= goal)]


def _case(name: str, title: str, work: Callable[[], Measurement], goal: float) -> Case:
    return Case(
        name=name, title=title, contestants={OURS: work}, checks=partial(_checks, goal), turns=1
    )


CASES = (
    _case(
        "predict-1000",
        "One prediction, nothing new, 1,000 trials",
        partial(_looks, 1000, "predict"),
        0.02,
    ),
    _case(
        "what-if-1000",
        "One what-if, nothing new, 1,000 trials",
        partial(_looks, 1000, "what_if"),
        0.3,
    ),
    _case("ask-16-1000", "A batch of 16 after 1,000 trials", partial(_asks, 1000, 16), 2.0),
    _case(
        "ask-3000", "One ask after 3,000 trials, told in between", partial(_asks, 3000, None), 3.0
    ),
    _case("ask-5000", "One ask after 5,000 trials", partial(_asks, 5000, None), 3.0),
    _case("ask-20000", "One ask after 20,000 trials", partial(_asks, 20_000, None), 8.0),
    _case(
        "ask-million-arms",
        "One ask over 1,000,000 arms, after 500 trials",
        partial(_asks_over, 1_000_000, 500),
        20.0,
    ),
)
