"""One explanation of a confidence bound: Counsel beside `shap` and `shapiq`.

All explain the same function at the same point against the same background. The peers get it as a
NumPy function, which costs them less than a call into JAX for every shape they ask for.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import cho_solve, cholesky, solve_triangular
from scipy.spatial.distance import cdist

from benchmarks.functions import Points

OBSERVATIONS = 60
KAPPA = 2.0
NOISE = 1e-3
_CHUNK = 4096


@dataclass(frozen=True)
class Candidates:
    """A Gaussian process of 60 observations, a point, and 1000 p uniform background points."""

    parameters: int

    @cached_property
    def x(self) -> Points:
        return np.random.default_rng([self.parameters, 0]).uniform(
            size=(OBSERVATIONS, self.parameters)
        )

    @cached_property
    def y(self) -> Points:
        return np.sin(2.0 * self.x.sum(axis=1)) + (self.x**2).sum(axis=1)

    @cached_property
    def point(self) -> Points:
        return np.random.default_rng([self.parameters, 1]).uniform(size=self.parameters)

    @cached_property
    def background(self) -> Points:
        size = (1000 * self.parameters, self.parameters)
        return np.random.default_rng([self.parameters, 2]).uniform(size=size)

    @property
    def lengthscale(self) -> float:
        return 0.25 * np.sqrt(self.parameters) + 0.1

    @cached_property
    def _factor(self) -> tuple[Points, Points]:
        gram = np.exp(-0.5 * cdist(self.x, self.x, "sqeuclidean") / self.lengthscale**2)
        factor = cholesky(gram + NOISE * np.eye(len(self.x)), lower=True)
        return factor, cho_solve((factor, True), self.y)

    def bound(self, points: Points) -> Points:
        """mean + kappa sd, in NumPy."""
        factor, weights = self._factor
        found = np.empty(len(points))
        for start in range(0, len(points), _CHUNK):
            rows = slice(start, start + _CHUNK)
            cross = cdist(points[rows], self.x, "sqeuclidean")
            np.exp(cross * (-0.5 / self.lengthscale**2), out=cross)
            solved = solve_triangular(factor, cross.T, lower=True, check_finite=False)
            left = np.maximum(1.0 - np.einsum("ij,ij->j", solved, solved), 0.0)
            found[rows] = cross @ weights + KAPPA * np.sqrt(left)
        return found


def with_counsel(candidates: Candidates, tolerance: float) -> Any:
    """Counsel's attribution, with the terms added up."""
    import jax.numpy as jnp

    import counsel as cs
    from counsel.acquisition.upper_confidence import Bound
    from counsel.explain.background import Background
    from counsel.explain.methods import attribute
    from counsel.models.gp import Data, posterior
    from counsel.models.kernels import SquaredExponential

    belief = posterior(
        SquaredExponential(np.full(candidates.parameters, candidates.lengthscale)),
        jnp.asarray(NOISE),
        Data.padded(candidates.x, candidates.y),
        units=(jnp.zeros(()), jnp.ones(())),
        fixed_trend=0.0,
    )
    score = Bound(belief, jnp.asarray(KAPPA))
    names = [f"x{i}" for i in range(candidates.parameters)]
    space = cs.Space(**{name: cs.Float(0, 1) for name in names})
    values = dict(zip(names, candidates.point.tolist(), strict=True))
    background = Background(candidates.background, "uniform points")

    def explain() -> Points:
        why = attribute(score, space, values, background=background, tolerance=tolerance)
        return why.values.sum(axis=0)

    return explain


def with_shap(candidates: Candidates, kind: str) -> Any:
    """`shap`'s explainer of this kind."""
    import shap

    point = candidates.point[None, :]
    if kind == "kernel":
        kernel = shap.KernelExplainer(candidates.bound, candidates.background)
        return lambda: np.asarray(kernel.shap_values(point, silent=True))[0]
    masker = shap.maskers.Independent(candidates.background, max_samples=len(candidates.background))
    made = {"exact": shap.explainers.Exact, "permutation": shap.explainers.Permutation}[kind]
    explainer = made(candidates.bound, masker)
    return lambda: np.asarray(explainer(point).values)[0]


def with_shapiq(candidates: Candidates, budget: int) -> Any:
    """`shapiq`'s KernelSHAP on an imputer that averages over the background."""
    import shapiq

    p = candidates.parameters

    def worth(coalitions: Any) -> Points:
        found = [np.where(kept, candidates.point, candidates.background) for kept in coalitions]
        return np.array([candidates.bound(points).mean() for points in found])

    def explain() -> Points:
        estimate = shapiq.KernelSHAP(n=p, random_state=0).approximate(budget=budget, game=worth)
        return np.array([float(estimate[(j,)]) for j in range(p)])

    return explain


def exactly(candidates: Candidates) -> Points:
    """All coalitions on the whole background, with Counsel's posterior; minutes at p = 12."""
    import jax.numpy as jnp

    from counsel.acquisition.upper_confidence import Bound
    from counsel.explain import exact
    from counsel.explain.game import Game, each
    from counsel.models.gp import Data, posterior
    from counsel.models.kernels import SquaredExponential

    p = candidates.parameters
    belief = posterior(
        SquaredExponential(np.full(p, candidates.lengthscale)),
        jnp.asarray(NOISE),
        Data.padded(candidates.x, candidates.y),
        units=(jnp.zeros(()), jnp.ones(())),
        fixed_trend=0.0,
    )
    game = Game(
        Bound(belief, jnp.asarray(KAPPA)),
        candidates.point,
        candidates.background,
        tuple(range(p)),
        p,
    )
    members = exact.coalitions(p)
    worth = np.empty(len(members))
    for start in range(0, len(members), 16):
        rows = slice(start, start + 16)
        worth[rows] = sum(np.asarray(t).mean(axis=1) for t in each(game, members[rows]).values())
    return exact.shapley(worth[:, None])[0]
