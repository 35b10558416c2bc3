"""COCO's suites: `bbob`, `bbob-noisy`, `bbob-mixint`, `bbob-constrained`.

Tuning uses instances from 71 on, the report COCO's instances 1, 2, ...
The worth of a noisy point is the median of many readings there, which no contestant sees.
"""

import contextlib
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.suites.setting import Parameter, Point, Points, Setting
from benchmarks.suites.world import Reading, World, above

REPORTED, TUNING = 1, 71
GROUPS = ((5, "separable"), (9, "moderate"), (14, "ill-conditioned"), (19, "multi-modal"))
BEST_FILE = "._bbob_problem_best_parameter.txt"
READINGS = 101


def functions(
    name: str,
    dimension: int,
    numbers: Iterable[int],
    instances: Iterable[int],
    *,
    first: int,
    trials: int,
) -> Iterator[World]:
    """The functions of a suite in one dimension, as worlds; one instance after the other."""
    for instance in instances:
        for number in numbers:
            yield World(
                name=f"{name}-f{number:03d}-i{instance:03d}-d{dimension:02d}",
                group=group_of(name, number),
                setting=_setting(name, number, dimension, instance),
                open=_opener(name, number, dimension, instance),
                gap=above(_best(name, number, dimension, instance)),
                first=first,
                trials=trials,
            )


def group_of(name: str, function: int) -> str:
    """COCO's groups of functions."""
    if name == "bbob-noisy":
        return "moderate noise" if function <= 106 else "severe noise"
    if name == "bbob-constrained":
        return "all"
    return next((group for last, group in GROUPS if function <= last), "weak structure")


@lru_cache(maxsize=64)
def _suite(name: str, dimension: int, instance: int) -> tuple[Any, dict[int, int]]:
    import cocoex

    suite = cocoex.Suite(name, f"instances: {instance}", f"dimensions: {dimension}")
    places = {suite.get_problem(i).id_function: i for i in range(len(suite))}
    return suite, places


def _problem(name: str, number: int, dimension: int, instance: int) -> Any:
    suite, places = _suite(name, dimension, instance)
    return suite.get_problem(places[number])


def _setting(name: str, number: int, dimension: int, instance: int) -> Setting:
    problem = _problem(name, number, dimension, instance)
    low, high = problem.lower_bounds, problem.upper_bounds
    whole = problem.number_of_integer_variables
    parameters = tuple(
        Parameter(f"x{j}", "whole" if j < whole else "real", float(low[j]), float(high[j]))
        for j in range(dimension)
    )
    noisy = name == "bbob-noisy"
    return Setting(parameters, constraints=problem.number_of_constraints, noisy=noisy)


def _best(name: str, number: int, dimension: int, instance: int) -> float:
    """The best value; COCO tells the best point only by a file in the working directory."""
    problem = _problem(name, number, dimension, instance)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        problem._best_parameter("print")
        x = np.loadtxt(Path(folder) / BEST_FILE)
    return _truth(problem, np.atleast_1d(x), name == "bbob-noisy")


def _truth(problem: Any, x: Points, noisy: bool) -> float:
    return float(np.median([problem(x) for _ in range(READINGS if noisy else 1)]))


def _opener(
    name: str, number: int, dimension: int, instance: int
) -> Callable[[int], Callable[[Point], Reading]]:
    noisy = name == "bbob-noisy"

    def start(seed: int) -> Callable[[Point], Reading]:
        problem = _problem(name, number, dimension, instance)
        apart = _problem(name, number, dimension, instance) if noisy else None

        def evaluate(point: Point) -> Reading:
            x = np.asarray(point, dtype=float)
            margins = ()
            if problem.number_of_constraints:  # COCO's hold where they are 0 or less
                margins = tuple(float(-c) for c in np.atleast_1d(problem.constraint(x)))
            truth = None if apart is None else _truth(apart, x, noisy)
            return Reading(float(problem(x)), margins, truth)

        return evaluate

    return start
