"""What a learner that certifies by the posterior maximises, as a function of any point.

Exploring, that is the chance that all constraints hold times the expected improvement; optimising,
an upper quantile of the objective among certified points; where nothing is certified, the chance
that all constraints hold. The certificates are computed with NumPy, so this score is, too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from counsel.facts.history import Array, History
from counsel.facts.problem import Problem
from counsel.facts.terms import OVERALL, about
from counsel.policies.learner_score import Phase

if TYPE_CHECKING:
    from counsel.policies.constraint_learner import ConstraintLearner

__all__ = ["CertifiedScore"]

Parts = dict[str, NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class CertifiedScore:
    """The score of one phase; `least` is what an improvement has to beat, in standard units."""

    policy: "ConstraintLearner"
    problem: Problem
    history: History
    phase: Phase
    least: float
    whole: ClassVar[bool] = False
    on_host: ClassVar[bool] = True

    def terms(self, x: Array) -> Parts:
        """As recorded: a product while exploring, what is believed of the objective otherwise."""
        parts = self.parts(x)
        if self.phase == "exploring":
            return {"improvement": np.exp(self.joined(parts))}
        return self._payoff(x) if self.phase == "hoping" else parts

    def parts(self, x: Array) -> Parts:
        if self.phase == "optimising":
            return self._payoff(x)
        from counsel.policies.certified import certificate

        found = certificate(self.policy, self.problem, self.history, x)
        names: list[object] = list(range(1, len(self.problem.constraints) + 1))
        if self.policy.gathers:
            names = [OVERALL]
        chances = {
            about("feasibility", name): chance
            for name, chance in zip(names, found.chances, strict=True)
        }
        if self.phase == "hoping":
            return chances
        mean, sd = found.at[0].mean, found.at[0].sd
        z = (mean - self.least) / sd
        expected = sd * (z * ndtr(z) + np.exp(-0.5 * z**2) / np.sqrt(2.0 * np.pi))
        scale = float(found.evidence.scale[0])
        return {"improvement": scale * np.maximum(expected, 0.0), **chances}

    def joined(self, parts: Mapping[str, Any]) -> Array:
        """The logarithm of the product, or the sum."""
        if self.phase == "optimising":
            return np.sum([np.asarray(part) for part in parts.values()], axis=0)
        with np.errstate(divide="ignore"):
            return np.sum([np.log(np.asarray(part)) for part in parts.values()], axis=0)

    def log_weights(self, parts: Mapping[str, Any]) -> Parts:
        weight = 0.0 if self.phase == "optimising" else 1.0
        return {name: np.full_like(np.asarray(part), weight) for name, part in parts.items()}

    def _payoff(self, x: Array) -> Parts:
        from counsel.policies.certified import certificate, optimism

        found = certificate(self.policy, self.problem, self.history, x)
        offset, scale = float(found.evidence.offset[0]), float(found.evidence.scale[0])
        mean = found.at[0].mean
        expected = {"exploitation": offset + scale * mean}
        if self.phase == "hoping":
            return expected
        upper = found.at[0].quantile(optimism(self.policy, self.problem))
        return {**expected, "approximation": scale * (upper - mean)}
