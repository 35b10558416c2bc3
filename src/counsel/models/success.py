r"""How likely a trial works: a kernel-weighted share of the trials that did.

$$ P(\text{works at } x) =
   \frac{a\, s + \sum_i k(x, x_i)\, [i \text{ worked}]}{a + \sum_i k(x, x_i)} $$

with k = exp(-|.|^2 / 2) in units of one length-scale per parameter, s the share of all trials that
worked (one of each added), and a = 1/2 trial. It is a Beta posterior with fractional counts: near
many failures the chance goes to 0 like 1 / n, far from everything it is s. A regression on +1 and
-1 is sure of itself between two failures, and Laplace's approximation of a probit process does not
believe a repeated failure; this does neither. Length-scales are chosen from a short list by the
leave-one-out likelihood: few failures say little, and a list cannot run away with them.
"""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from counsel.models.gp import Data
from counsel.models.kernels import Numbers

__all__ = ["Success", "learn_success"]

PRIOR = 0.5
SCALES = (0.05, 0.1, 0.2, 0.4, 1.5)
_START = 0.2
_SWEEPS = 2
# What the logarithm of a length-scale is worth before any trial.
_SCALE_SD = 1.5


class Success(eqx.Module):
    """The chance that a trial works, in the form of a margin: 0 or more where it does.

    `data.y` is 1 where a trial worked and 0 where it failed; `lengths` has one entry per column.
    """

    data: Data
    lengths: Float[Numbers, " d"]
    share: Float[Numbers, ""]

    def predict(self, x: Float[Numbers, "m d"]) -> tuple[Float[Array, " m"], Float[Array, " m"]]:
        """Mean and sd of a margin that is positive with just this chance."""
        scaled, known = x / self.lengths, self.data.x / self.lengths
        gaps = jnp.sum((scaled[:, None, :] - known[None, :, :]) ** 2, axis=2)
        near = jnp.exp(-0.5 * gaps) * self.data.mask[None, :]
        worked = PRIOR * self.share + near @ self.data.y
        chance = worked / (PRIOR + jnp.sum(near, axis=1))
        return jax.scipy.special.ndtri(chance), jnp.ones(x.shape[0])


def learn_success(
    worked: Float[np.ndarray, "n d"], failed: Float[np.ndarray, "f d"], groups: tuple[int, ...]
) -> Success:
    """What trials that worked and that failed say; `groups` names each column's parameter."""
    x = np.concatenate([worked, failed])
    y = np.repeat([1.0, 0.0], [len(worked), len(failed)])
    share = (len(worked) + 1.0) / (len(x) + 2.0)
    columns = np.asarray(groups)
    scales = np.full(int(columns.max()) + 1, _START)
    best = _left_out(x / scales[columns], y, share)
    for _ in range(_SWEEPS):
        for group in range(len(scales)):
            for scale in SCALES:
                tried = scales.copy()
                tried[group] = scale
                prior = -0.5 * float(np.sum((np.log(tried / _START) / _SCALE_SD) ** 2))
                value = prior + _left_out(x / tried[columns], y, share)
                if value > best + 1e-9:
                    best, scales = value, tried
    return Success(Data.padded(x, y), scales[columns], np.asarray(share))


def _left_out(x: Float[np.ndarray, "n d"], y: Float[np.ndarray, " n"], share: float) -> float:
    """The log likelihood of each trial under all others."""
    squares = (x**2).sum(axis=1)
    gaps = np.maximum(squares[:, None] + squares[None, :] - 2.0 * x @ x.T, 0.0)
    near = np.exp(-0.5 * gaps)
    np.fill_diagonal(near, 0.0)
    chance = (PRIOR * share + near @ y) / (PRIOR + near.sum(axis=1))
    return float(np.log(np.where(y > 0.5, chance, 1.0 - chance)).sum())
