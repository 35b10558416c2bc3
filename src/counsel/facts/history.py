"""The facts of a study as arrays: what a policy looks at."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

__all__ = ["Array", "History", "Mask"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class History:
    """The facts of a study as arrays, for one round.

    x (n, d)         observed points, encoded; context columns last
    y (n,)           objective, turned to maximisation
    pending (p, d)   proposed or accepted, not yet observed
    rejected (r, e)  refused by a person; chosen columns only, without the context
    context (c,)     what is given in this round
    t                the round's number, from 1
    seed             of the study; the round's randomness comes from (seed, t) alone
    theta            the last recorded fit, or empty
    comparisons      (k, 2, d) what people preferred: the winner first; context columns last
    ties             (k,) which of them were called equal

    With constraints, every observation in force, whatever was measured of it (N constraints):

    points (m, d)         where, encoded; context columns last
    outcomes (m, 1 + N)   the objective, maximised; then each constraint's margin, which holds
                          where it is 0 or more (0.0 where it was not measured)
    measured (m, 1 + N)   which of them were measured
    trials (m,)           the trial that a row is part of: all that was told of one proposal
    people (m,)           who told it, numbered in order of appearance
    """

    x: Array
    y: Array
    pending: Array
    rejected: Array
    context: Array
    t: int
    seed: int
    theta: tuple[float, ...] = ()
    comparisons: Array = field(default_factory=lambda: np.zeros((0, 2, 0)))
    ties: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=bool))
    points: Array = field(default_factory=lambda: np.zeros((0, 0)))
    outcomes: Array = field(default_factory=lambda: np.zeros((0, 1)))
    measured: Mask = field(default_factory=lambda: np.zeros((0, 1), dtype=bool))
    trials: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    people: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
