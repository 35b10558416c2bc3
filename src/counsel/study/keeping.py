"""How likely it is that points keep all constraints and that trials there work."""

from typing import NamedTuple

import numpy as np

from counsel.facts.history import Array, History
from counsel.facts.problem import Problem
from counsel.policies.protocol import Feasibility, Policy, Working

__all__ = ["Keeping", "keeping"]


class Keeping(NamedTuple):
    """The probability at each point, and what it is of: "keep the constraints and work".

    Where nothing is known, points do for certain, and there are no words for what they do.
    """

    chance: Array
    what: str


def keeping(policy: Policy, problem: Problem, history: History, points: Array) -> Keeping:
    """The probability, at encoded points, that all constraints hold and a trial works.

    That a trial works is one more constraint, as soon as one has failed.
    """
    chance, what = np.ones(len(points)), list[str]()
    asked = bool(problem.constraints) and history.measured[:, 1:].any()
    if asked and isinstance(policy, Feasibility):
        chance = chance * np.asarray(policy.chances(problem, history, points)).prod(axis=1)
        what.append("keep the constraints")
    if len(history.failed) and isinstance(policy, Working):
        works = policy.working_chances(problem, history, points)
        if works is not None:
            chance = chance * works
            what.append("work")
    return Keeping(chance, " and ".join(what))
