r"""Chooses the scale of the outputs by the evidence of the data.

For a scale w, the density of the outputs y is that of w(y) under a Gaussian process times the
Jacobian, so scales are compared in the units of y:

$$ \log p(y) = \log \sum_k p(\theta_k)\, N(w(y);\, m, K_{\theta_k}) + \sum_i \log w'(y_i) $$

The hyper-parameters theta_k are a small fixed grid around the prior's mode: length-scales and noise
with their prior weights. A sum instead of a maximum is a marginal likelihood, needs no search, and
one factorisation of each K serves every scale. The fit comes later, on the scale that was chosen.
Every scale is standardised by its own data, and its extreme value and unit are read off the data,
too; the evidence does not charge for that, for no scale.
"""

from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from counsel.models.compiling import compiled
from counsel.models.fit import objective, pack
from counsel.models.gp import Data
from counsel.models.kernels import Kernel, Prior
from counsel.models.warp import FLOOR, Warp

__all__ = ["MOST_ROWS", "by_evidence", "log_evidence", "scales_for"]

# More rows than this are not looked at: a choice of few is soon made.
MOST_ROWS = 128
# Below this many, the data say nothing about a scale.
LEAST_ROWS = 5
_LENGTHS = (0.25, 0.5, 1.0, 2.0)
_NOISES = (1e-5, 1e-3, 1e-1)


def scales_for(y: Float[np.ndarray, " n"], floor: float = FLOOR) -> tuple[Warp | None, ...]:
    """The scales to choose from: log gaps, log payoffs, and the outputs as they are (None)."""
    return Warp.of(y, floor), Warp.of(y, floor, -1.0), Warp.of(y, 0.1 * floor, -1.0), None


def by_evidence(
    like: Kernel,
    prior: Prior,
    x: Float[np.ndarray, "n d"],
    y: Float[np.ndarray, " n"],
    floor: float = FLOOR,
) -> Warp | None:
    """The scale of highest evidence; of equal ones, and for few outputs, the first."""
    scales = scales_for(y, floor)
    if len(y) < LEAST_ROWS or np.ptp(y) == 0.0:
        return scales[0]
    found = log_evidence(like, prior, x, y, scales)
    return scales[int(np.argmax(np.where(np.isfinite(found), found, -np.inf)))]


def log_evidence(
    like: Kernel,
    prior: Prior,
    x: Float[np.ndarray, "n d"],
    y: Float[np.ndarray, " n"],
    scales: Sequence[Warp | None],
) -> Float[np.ndarray, " k"]:
    """log p(y) under every scale, up to a constant."""
    rows = np.arange(len(y))
    if len(y) > MOST_ROWS:
        rows = np.linspace(0, len(y) - 1, MOST_ROWS).astype(int)
    values, volumes = [], []
    for scale in scales:
        w = y[rows] if scale is None else scale(y[rows])
        # In units of the largest value, whose squares neither overflow nor vanish.
        unit = float(np.max(np.abs(w))) or 1.0
        spread = float(np.std(w / unit)) or 1.0
        values.append((w / unit - np.mean(w / unit)) / spread)
        slope = np.zeros(len(rows)) if scale is None else np.log(scale.slope(y[rows]))
        volumes.append(float(np.sum(slope)) - len(rows) * float(np.log(spread) + np.log(unit)))
    padded = [Data.padded(x[rows], each) for each in values]
    outputs = np.stack([np.asarray(each.y) for each in padded])
    return np.asarray(_evidences(like, prior, padded[0], outputs)) + np.array(volumes)


@compiled(rows=lambda like, prior, data, outputs: len(data.y))
def _evidences(
    like: Kernel, prior: Prior, data: Data, outputs: Float[Array, "k n"]
) -> Float[Array, " k"]:
    def under(theta: Float[Array, " p"]) -> Float[Array, " k"]:
        def one(y: Float[Array, " n"]) -> Float[Array, ""]:
            return -objective(theta, like, Data(data.x, y, data.mask), prior)

        return jax.vmap(one)(jnp.asarray(outputs))

    grid = jnp.stack(
        [
            pack(_longer(like, length), jnp.asarray(noise))
            for length in _LENGTHS
            for noise in _NOISES
        ]
    )
    return jax.nn.logsumexp(jax.lax.map(under, grid), axis=0)


def _longer(like: Kernel, factor: float) -> Kernel:
    """The kernel with all its length-scales times a factor."""
    found: Kernel = jax.tree_util.tree_map_with_path(
        lambda path, leaf: leaf * factor if path[-1].name == "lengthscale" else leaf, like
    )
    return found
