"""The facts of a study as arrays, which is all a policy sees."""

import hashlib
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from counsel.facts.kept import Kept
from counsel.facts.problem import Problem
from counsel.space import AnySpace

__all__ = ["Array", "History", "Mask"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
R = TypeVar("R")
# What a belief about the objective rests on, and one about constraints or comparisons.
_DATA = (
    "x",
    "y",
    "points",
    "outcomes",
    "measured",
    "comparisons",
    "ties",
    "trials",
    "people",
    "sem",
    "failed",
)


@dataclass(frozen=True, slots=True)
class History:
    """The facts of a study as arrays, for one round.

    x (n, d)         observed points, encoded; context columns last
    y (n,)           objective, turned to maximisation
    pending (p, d)   proposed or accepted, not yet observed
    rejected (r, e)  refused by a person; chosen columns only, without the context
    radii (r,)       how much around each goes with it; NaN is what it was before there were any
    failed (f, d)    tried, and nothing could be measured; context columns last
    context (c,)     what is given in this round
    t                the round's number, from 1
    seed             of the study; the round's randomness comes from (seed, t) alone
    theta            the last recorded fit, or empty
    fresh            whether that fit was made from these very data
    comparisons      (k, 2, d) pairs of points, winner first; context columns last
    ties             (k,) which pairs were ties
    claims           (e, 2, d) pairs of points, the one that is claimed to be better first
    claimants        (e,) who claims it, numbered in order of appearance
    suggested        (e,) whether the better one is what they would try instead of a proposal

    With N constraints, every observation in force, whichever outcomes it has:

    points (m, d)         where, encoded; context columns last
    outcomes (m, 1 + N)   the objective, maximised; then each constraint's margin, which holds
                          where it is 0 or more (0.0 where it was not measured)
    measured (m, 1 + N)   which of them were measured
    trials (m,)           the trial that a row is part of: all that was told of one proposal
    people (m,)           who told it, numbered in order of appearance
    foretold (n, 5)       of each of x that was proposed: mean, sd and limit (NaN without one) as
                          they were foretold, maximised; how many facts that was from; and the
                          result's place among the facts. NaN for others; may be empty
    sem (n,)              the standard error that y was reported with; NaN without one
    held (e,)             columns that trials under way share and that cannot change now, NaN for
                          the others; None if all are free
    wanted           how many proposals are asked for at once; each is made as if it were alone
    space                 the space as the facts amended it; None: as the study was created

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
    claims: Array = field(default_factory=lambda: np.zeros((0, 2, 0)))
    claimants: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    suggested: Mask = field(default_factory=lambda: np.zeros(0, dtype=bool))
    points: Array = field(default_factory=lambda: np.zeros((0, 0)))
    outcomes: Array = field(default_factory=lambda: np.zeros((0, 1)))
    measured: Mask = field(default_factory=lambda: np.zeros((0, 1), dtype=bool))
    trials: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    people: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    radii: Array = field(default_factory=lambda: np.zeros(0))
    failed: Array = field(default_factory=lambda: np.zeros((0, 0)))
    sem: Array = field(default_factory=lambda: np.zeros(0))
    foretold: Array = field(default_factory=lambda: np.zeros((0, 5)))
    space: AnySpace | None = None
    held: Array | None = None
    fresh: bool = False
    wanted: int = field(default=1, compare=False)
    kept: Kept = field(default_factory=Kept, compare=False, repr=False)

    def problem(self, created: Problem) -> Problem:
        """The problem of a study, as it was created, with the space of these facts."""
        return created if self.space is None else replace(created, space=self.space)

    def once(self, what: Hashable, compute: Callable[[], R], *fields: str) -> R:
        """`compute()`, unless it was computed before from equal data, `fields` and `what`.

        `what` names the computation and holds its further arguments. The data are always part of
        the key; `fields` names what else of this history the answer depends on.
        """
        return self.kept.get((what, self._digest(*_DATA, *fields)), compute)

    def without(self, gone: Mask) -> "History":
        """This history without some observations: `gone` has an entry for each of `points`."""
        left = ~gone
        valued = left[self.measured[:, 0]]
        return replace(
            self,
            x=self.x[valued],
            y=self.y[valued],
            sem=self.sem[valued],
            foretold=self.foretold[valued] if len(self.foretold) else self.foretold,
            points=self.points[left],
            outcomes=self.outcomes[left],
            measured=self.measured[left],
            trials=self.trials[left],
            people=self.people[left],
            fresh=False,
            kept=Kept(),
        )

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
