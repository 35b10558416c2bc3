"""The facts of a study as arrays, which is all a policy sees."""

import hashlib
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from counsel.facts.kept import Kept

__all__ = ["Array", "History", "Mask"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
R = TypeVar("R")
# What a belief about the objective rests on, and one about constraints or comparisons.
_DATA = ("x", "y", "points", "outcomes", "measured", "comparisons", "ties", "trials", "people")


@dataclass(frozen=True, slots=True)
class History:
    """The facts of a study as arrays, for one round.

    x (n, d)         observed points, encoded; context columns last
    y (n,)           objective, turned to maximisation
    pending (p, d)   points proposed or accepted, not yet observed
    rejected (r, e)  points refused by a person; without the context columns
    context (c,)     the context of this round
    t                the round's number, from 1
    seed             of the study; the round's randomness comes from (seed, t) alone
    theta            the last recorded fit, or empty
    fresh            whether that fit was made from these very data
    comparisons      (k, 2, d) pairs of points, winner first; context columns last
    ties             (k,) which pairs were ties

    With N constraints, every observation in force, whichever outcomes it has:

    points (m, d)         where, encoded; context columns last
    outcomes (m, 1 + N)   the objective, maximised; then each constraint's margin, which holds
                          where it is 0 or more (0.0 where it was not measured)
    measured (m, 1 + N)   which of them were measured
    trials (m,)           the trial that a row is part of: all that was told of one proposal
    people (m,)           who told it, numbered in order of appearance

    `kept` holds what was computed from the facts before. A policy remembers nothing: it asks
    `once` for what the same facts always give.
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
    fresh: bool = False
    kept: Kept = field(default_factory=Kept, compare=False, repr=False)

    def once(self, what: Hashable, compute: Callable[[], R], *fields: str) -> R:
        """`compute()`, unless it was computed before from equal data, `fields` and `what`.

        `what` names the computation and holds its further arguments. The data are always part of
        the key; `fields` names what else of this history the answer depends on.
        """
        return self.kept.get((what, self._digest(*_DATA, *fields)), compute)

    def _digest(self, *fields: str) -> bytes:
        found = hashlib.blake2b(digest_size=16)
        for name in fields:
            value: Any = getattr(self, name)
            if isinstance(value, np.ndarray):
                found.update(f"{name}{value.shape}".encode())
                found.update(np.ascontiguousarray(value).data)
            else:
                found.update(f"{name}{value!r}".encode())
        return found.digest()
