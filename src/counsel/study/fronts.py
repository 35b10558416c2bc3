"""What is best of several objectives: the trials that no other one beats in all of them.

A trial that was measured to break a constraint is left out.
"""

import itertools
from collections.abc import Mapping

import numpy as np

from counsel.facts.history import Array, Mask
from counsel.facts.payoffs import means, signed, taught, trials
from counsel.facts.problem import Problem
from counsel.facts.state import StudyState
from counsel.facts.summaries import Front, FrontTrial
from counsel.facts.tradeoff import informative

__all__ = ["front_of"]


def front_of(state: StudyState) -> Front:
    problem = state.problem
    objectives = problem.objectives or (problem.objective,)
    names = tuple(each.name for each in objectives)
    found: list[FrontTrial] = []
    for parts in trials(state.observations.values()).values():
        outcomes = means(parts)
        if all(name in outcomes for name in names) and not _breaks(problem, outcomes):
            first = parts[0]
            own = {name: outcomes[name] for name in names}
            worth = problem.payoff(outcomes)
            found.append(
                FrontTrial(first.values, first.context, own, worth, first.id, first.proposal)
            )
    points = np.array(
        [[each.sign * trial.outcomes[each.name] for each in objectives] for trial in found]
    ).reshape(-1, len(objectives))
    kept = [found[row] for row in np.flatnonzero(_unbeaten(points))]
    kept.sort(key=lambda trial: -objectives[0].sign * trial.outcomes[names[0]])
    weights = {each.name: each.weight for each in problem.parts}
    return Front(names, tuple(kept), weights, _question(state, kept))


def _breaks(problem: Problem, outcomes: Mapping[str, float]) -> bool:
    """Whether a constraint was measured and does not hold.

    The bound of an objective is left out: the front shows what moving it would give.
    """
    aims = {each.name for each in problem.objectives}
    return any(
        each.name in outcomes and each.margin(outcomes[each.name]) < 0.0
        for each in problem.constraints
        if each.name not in aims
    )


def _unbeaten(points: Array) -> Mask:
    """Which rows (n, k), where more is better, are not beaten by another row."""
    no_worse = np.all(points[None, :, :] >= points[:, None, :], axis=2)
    better = np.any(points[None, :, :] > points[:, None, :], axis=2)
    return ~np.any(no_worse & better, axis=1)


def _question(state: StudyState, front: list[FrontTrial]) -> tuple[FrontTrial, ...]:
    """The two trials of a front whose comparison teaches most about the weights.

    Trials in different contexts cannot be compared, and nobody is asked the same twice.
    """
    problem = state.problem
    if problem.tradeoff != "comparisons":
        return ()
    known = [(each.winner, each.loser, each.context) for each in state.comparisons.values()]
    pairs = [
        (i, j)
        for (i, one), (j, two) in itertools.combinations(enumerate(front), 2)
        if one.context == two.context
        and (one.values, two.values, one.context) not in known
        and (two.values, one.values, one.context) not in known
    ]
    rows = np.array([signed(problem, trial.outcomes) for trial in front])
    learned = taught(problem, state.observations.values(), state.comparisons.values())
    pair = informative(learned, rows.reshape(-1, len(problem.parts)), pairs)
    return () if pair is None else (front[pair[0]], front[pair[1]])
