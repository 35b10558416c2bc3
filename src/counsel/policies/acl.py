"""ACL: all constraints in one. The person's overall answer is learned as a single constraint.

The overall margin is the mean of all margins, and must reach `overall`: one answer a trial instead
of one per constraint, but a mean can hide a constraint that fails. At `overall` = 0 the arms that
pass are not all safe; a threshold that makes it safe also keeps good arms out.
"""

from typing import Any

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from counsel.constraints.exploring import Move, explore_or_exploit
from counsel.constraints.learned import Confidence, Learned
from counsel.policies import constraint_learner
from counsel.policies.constraint_learner import ConstraintLearner


class ACL(ConstraintLearner):
    """Aggregate constraint learning: the mean margin must be at least `overall`."""

    overall: float | Float[Array, ""] = 0.0
    tolerance: float | Float[Array, ""] = 0.1
    confidence: Confidence = eqx.field(default_factory=Confidence)
    budget: int | None = eqx.field(static=True, default=None)
    rank: int = eqx.field(static=True, default=0)
    standardise: bool = eqx.field(static=True, default=True)
    drifting: bool = eqx.field(static=True, default=False)
    safe: tuple[tuple[str, Any], ...] | None = eqx.field(
        static=True, default=None, converter=constraint_learner.hashable
    )

    def __check_init__(self) -> None:
        constraint_learner.check(self)

    @property
    def name(self) -> str:
        return "acl"

    @property
    def impute(self) -> bool:
        return False

    @property
    def ask_share(self) -> float:
        return 0.0

    def choose(
        self, learned: Learned, allowed: Bool[Array, " M"], budget: int | Int[Array, ""]
    ) -> Move:
        return explore_or_exploit(learned, allowed, self.tolerance, budget)

    def asks(
        self, learned: Learned, move: Move, between_outputs: Float[Array, "m m"]
    ) -> Bool[Array, " k"]:
        return jnp.ones(between_outputs.shape[0] - 1, dtype=bool)

    def gathered(self, outcomes: Any, measured: Any) -> tuple[Any, Any]:
        return constraint_learner.overall(outcomes, measured, self.overall)
