r"""Draws hyper-parameters that are plausible given the data, around a fit.

Points are drawn around the fit with the spread that the curvature there suggests, and of these as
many are kept as wanted, each with a chance in proportion to posterior / density: importance
resampling. With the few hyper-parameters of a kernel, a few hundred points do.
"""

import jax
import numpy as np
from jaxtyping import Array, Float

from counsel.facts.wanted import give_way
from counsel.models.compiling import compiled
from counsel.models.fit import objective
from counsel.models.gp import Data
from counsel.models.kernels import Kernel, Numbers, Prior

__all__ = ["plausible_fits"]

DRAWN = 256
_AT_ONCE = 32
_STEP = 0.1  # for the curvature, in the logarithm of a hyper-parameter
_WIDTHS = (0.1, 1.5)
_WIDER = 1.3  # than the curvature says: tails must not be missed
_FREEDOM = 5.0  # of the t-distribution that is drawn from


def plausible_fits(
    like: Kernel,
    data: Data,
    theta: Float[np.ndarray, " p"],
    prior: Prior,
    count: int,
    rng: np.random.Generator,
) -> Float[np.ndarray, "k p"]:
    """Draws of theta, the logarithms of the hyper-parameters, given the data."""
    p = len(theta)
    sides = np.concatenate([np.eye(p), -np.eye(p), np.zeros((1, p))]) * _STEP
    around = _losses(like, data, theta + sides, prior)
    curvature = (around[:p] + around[p : 2 * p] - 2.0 * around[-1]) / _STEP**2
    widths = _WIDER / np.sqrt(np.maximum(curvature, _WIDTHS[1] ** -2.0))
    widths = np.clip(np.where(np.isfinite(widths), widths, _WIDTHS[1]), *_WIDTHS)
    steps = rng.standard_t(_FREEDOM, (DRAWN, p))
    drawn = theta + widths * steps
    log_density = -0.5 * (_FREEDOM + 1.0) * np.log1p(steps**2 / _FREEDOM).sum(axis=1)
    losses = _losses(like, data, drawn, prior)
    log_weight = np.where(np.isfinite(losses), -losses - log_density, -np.inf)
    weights = np.exp(log_weight - log_weight.max())
    # Systematic: a draw is repeated only where its share of the weight asks for it.
    places = (rng.uniform() + np.arange(count)) / count
    return drawn[np.searchsorted(np.cumsum(weights) / weights.sum(), places)]


def _losses(
    like: Kernel, data: Data, thetas: Float[np.ndarray, "m p"], prior: Prior
) -> Float[np.ndarray, " m"]:
    """In chunks of one size, for the compiled code; others have their turn in between."""
    found = []
    for start in range(0, len(thetas), _AT_ONCE):
        give_way()
        some = thetas[start : start + _AT_ONCE]
        padded = np.concatenate([some, np.repeat(some[:1], _AT_ONCE - len(some), axis=0)])
        found.append(np.asarray(_objectives(like, data, padded, prior))[: len(some)])
    return np.concatenate(found)


@compiled(rows=lambda like, data, *_: len(data.y))
def _objectives(
    like: Kernel, data: Data, thetas: Float[Numbers, "m p"], prior: Prior
) -> Float[Array, " m"]:
    standard, _, _ = data.standardised()
    return jax.lax.map(lambda theta: objective(theta, like, standard, prior, compact=True), thetas)
