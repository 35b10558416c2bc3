"""What a policy believes of its objective, told from the Gaussian processes that it fits."""

from abc import ABC, abstractmethod

import numpy as np

from counsel.acquisition.maximise import Found
from counsel.facts.history import Array, History
from counsel.facts.problem import Problem
from counsel.facts.records import Prediction
from counsel.models.mixture import Fits, Mixture
from counsel.policies.surrogate import (
    Believed,
    Surrogate,
    Telling,
    chances_of,
    joint_at,
    noise_at,
    predict_at,
    working_of,
)
from counsel.space import AnySpace

__all__ = ["Believing", "joined", "told_at"]


class Believing(ABC):
    """A policy whose beliefs are those of a surrogate."""

    @property
    @abstractmethod
    def _surrogate(self) -> Surrogate: ...

    def believe(self, space: AnySpace, history: History, theta: tuple[float, ...] = ()) -> Believed:
        """The fitted posterior, and the fit to warm-start the next round from."""
        return self._surrogate.believe(space, history, theta)

    def predict(self, problem: Problem, history: History, points: Array) -> list[Prediction] | None:
        if len(history.y) == 0:
            return None
        believed = self.believe(problem.space, history)
        telling = self._surrogate.telling(believed, history)
        mean, sd = telling.moments(*predict_at(believed.posterior, points))
        limit = telling.limit
        return [Prediction(float(m), float(s), limit) for m, s in zip(mean, sd, strict=True)]

    def noise(self, problem: Problem, history: History, points: Array, payoffs: Array) -> Array:
        return noise_at(self.believe(problem.space, history).posterior, payoffs, points)

    def joint(self, problem: Problem, history: History, points: Array) -> tuple[Array, Array]:
        """Mean and covariance of the objective at encoded points, given pending trials."""
        telling, mean, covariance = self._jointly(problem, history, points)
        return telling.joint_moments(mean, covariance)

    def draws(self, problem: Problem, history: History, points: Array, normals: Array) -> Array:
        """Joint draws of the objective; on a scale of its own, the objective is not Gaussian."""
        telling, mean, covariance = self._jointly(problem, history, points)
        return telling.draws(mean, covariance, normals)

    def joint_by_fit(
        self, problem: Problem, history: History, points: Array, fits: Fits
    ) -> Mixture:
        """`joint` under several fits, as if nothing were pending."""
        telling, found = self._surrogate.by_fit(problem.space, history, points, fits)
        each = [telling.joint_moments(*one) for one in zip(*found[:2], strict=True)]
        means, covariances = (np.stack(part) for part in zip(*each, strict=True))
        return Mixture(means, covariances, found.logs)

    def _jointly(
        self, problem: Problem, history: History, points: Array
    ) -> tuple[Telling, Array, Array]:
        believed = self.believe(problem.space, history)
        belief = self._surrogate.expecting(believed, history)
        return self._surrogate.telling(believed, history), *joint_at(belief, points)

    def left_out(self, problem: Problem, history: History) -> tuple[Array, Array, Array]:
        """Each measurement, and its mean and sd given all others, under the fit to all.

        Of more measurements than an exact posterior holds, NaN for those that it does without.
        """
        believed, rows = self._surrogate.believe_exactly(problem.space, history)
        belief = believed.posterior
        real = np.asarray(belief.data.mask) > 0.5
        precision = (np.asarray(belief.root) ** 2).sum(axis=0)[real]
        scale = float(belief.scale)
        y = np.asarray(belief.data.y)[real]
        mean = y - scale * np.asarray(belief.weights)[real] / precision
        telling = self._surrogate.telling(believed, history)
        told = np.full((2, len(history.y)), np.nan)
        told[:, rows] = telling.moments(mean, scale / np.sqrt(precision))
        return history.y, told[0], told[1]

    def chances(self, problem: Problem, history: History, points: Array) -> Array:
        """The probability of each constraint at points (n, N); 1/2 where nobody was asked."""
        return chances_of(problem, self._surrogate.limits(problem, history), points)

    def working_chances(self, problem: Problem, history: History, points: Array) -> Array | None:
        names = tuple(constraint.name for constraint in problem.constraints)
        if not len(history.failed):
            return None
        return working_of(self._surrogate.limits(problem, history), names, points)


def told_at(
    telling: Telling, history: History, found: Found, *, calibrated: bool
) -> tuple[float, float]:
    """Mean and sd of the objective at the chosen point, as they are reported."""
    mean, sd = np.array([found.mean]), np.array([found.sd])
    if calibrated and len(history.pending):
        # The search counts trials under way as done; nothing has been learned from them yet.
        point = joined(np.asarray(found.point)[None, :], history.context)
        mean, sd = predict_at(telling.belief, point)
    mean, sd = telling.moments(mean, sd)
    return float(mean[0]), float(sd[0])


def joined(points: Array, context: Array) -> Array:
    """Encoded points in this context."""
    return np.concatenate([points, np.tile(context, (len(points), 1))], axis=1)
