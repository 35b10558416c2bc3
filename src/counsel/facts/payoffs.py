"""What trials are worth: the objective of each, where it is a weighted sum of several."""

import dataclasses
import math
from collections.abc import Hashable, Iterable, Mapping, Sequence

import numpy as np

from counsel.facts.problem import Problem
from counsel.facts.records import Comparison, Observation, Value
from counsel.facts.tradeoff import Array, Learned, learn

__all__ = ["comparable", "means", "payoffs", "shares", "signed", "taught", "trials", "weighed"]


def means(parts: Iterable[Observation]) -> dict[str, float]:
    """All outcomes of a trial; the mean of those that were measured several times."""
    found: dict[str, list[float]] = {}
    for observation in parts:
        for name, outcome in observation.outcomes.items():
            found.setdefault(name, []).append(outcome)
    return {
        name: many[0] if len(many) == 1 else sum(many) / len(many) for name, many in found.items()
    }


def trials(observations: Iterable[Observation]) -> dict[Hashable, list[Observation]]:
    """Observations by the point and context that they were made at."""
    found: dict[Hashable, list[Observation]] = {}
    for each in observations:
        found.setdefault(_key(each.values, each.context), []).append(each)
    return found


def _key(values: Mapping[str, Value], context: Mapping[str, Value]) -> Hashable:
    return tuple(sorted(values.items())), tuple(sorted(context.items()))


def payoffs(
    problem: Problem, observations: Sequence[Observation]
) -> tuple[list[float], list[float]]:
    """The objective of each observation and its standard error; NaN without.

    Of a trial whose parts were told one after the other, the last one has it.
    """
    worth = [problem.payoff(each) for each in _complete(problem, observations)]
    errors = [problem.payoff_error(each.sem) for each in observations]
    return _filled(worth), _filled(errors)


def shares(problem: Problem, observations: Sequence[Observation]) -> Array:
    """The weighed objectives (n, k) of the n observations that have a payoff, as measured."""
    complete = _complete(problem, observations)
    rows = [
        [outcomes[each.name] for each in problem.parts]
        for outcomes in complete
        if problem.payoff(outcomes) is not None
    ]
    return np.array(rows, dtype=np.float64).reshape(-1, len(problem.parts))


def _complete(problem: Problem, observations: Sequence[Observation]) -> list[Mapping[str, float]]:
    """What each observation says; the last part of a trial told in parts says all of it."""
    found: dict[str, Mapping[str, float]] = {each.id: each.outcomes for each in observations}
    for parts in trials(observations).values():
        if len(parts) > 1 and all(problem.payoff(each.outcomes) is None for each in parts):
            found[parts[-1].id] = means(parts)
    return list(found.values())


def weighed(
    problem: Problem, observations: Iterable[Observation], comparisons: Iterable[Comparison]
) -> Problem:
    """The problem with the weights that comparisons of outcomes teach."""
    found = taught(problem, observations, comparisons).weights
    weights = dict(zip(problem.measured, found.tolist(), strict=True))
    objectives = tuple(
        dataclasses.replace(each, weight=weights.get(each.name, 1.0)) for each in problem.objectives
    )
    return dataclasses.replace(problem, objectives=objectives)


def taught(
    problem: Problem, observations: Iterable[Observation], comparisons: Iterable[Comparison]
) -> Learned:
    """What comparisons teach about the weights. One whose trials have no outcomes teaches none."""
    known = {key: signed(problem, means(parts)) for key, parts in trials(observations).items()}
    pairs = []
    for each in comparisons:
        winner = known.get(_key(each.winner, each.context))
        loser = known.get(_key(each.loser, each.context))
        if winner is not None and loser is not None:
            pairs.append((winner, loser, each.tie))
    width = len(problem.parts)
    return learn(
        np.array([each for each in known.values() if each is not None]).reshape(-1, width),
        np.array([winner for winner, _, _ in pairs]).reshape(-1, width),
        np.array([loser for _, loser, _ in pairs]).reshape(-1, width),
        np.array([tie for _, _, tie in pairs], dtype=bool),
    )


def signed(problem: Problem, outcomes: Mapping[str, float]) -> Array | None:
    """The weighed objectives, each so that more is better; None if one was not measured."""
    if any(each.name not in outcomes for each in problem.parts):
        return None
    return np.array([each.sign * outcomes[each.name] for each in problem.parts])


def comparable(
    problem: Problem,
    observations: Iterable[Observation],
    values: Mapping[str, Value],
    context: Mapping[str, Value],
) -> bool:
    """Whether everything that a comparison of outcomes looks at was measured at a point."""
    parts = trials(observations).get(_key(values, context), [])
    return signed(problem, means(parts)) is not None


def _filled(given: Iterable[float | None]) -> list[float]:
    return [math.nan if each is None else each for each in given]
