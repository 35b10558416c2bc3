"""Joint draws of the objective from what a policy believes of several points."""

import numpy as np

from counsel.facts.history import Array, History
from counsel.facts.problem import Problem
from counsel.policies.protocol import Drawing, Joint


def joint_draws(
    policy: Joint, problem: Problem, history: History, points: Array, normals: Array
) -> Array:
    """The objective at several points, drawn jointly from what a policy believes: (k, n)."""
    if isinstance(policy, Drawing):
        return policy.draws(problem, history, points, normals)
    return gaussian_draws(*policy.joint(problem, history, points), normals)


def gaussian_draws(mean: Array, covariance: Array, normals: Array) -> Array:
    """Draws from a Gaussian whose covariance may be singular: one for each row of normals."""
    unit = max(float(np.sqrt(np.diagonal(covariance).max())), 1e-300)
    values, vectors = np.linalg.eigh(covariance / unit**2)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    drawn: Array = mean + unit * normals @ root.T
    return drawn
