"""What is believed once trials under way have turned out as expected (GP-BUCB).

The mean stays and the uncertainty shrinks. The trials take the place of padding, so neither is a
matrix factorised again nor does a shape change.
"""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from counsel.models.compiling import compiled, made_up
from counsel.models.gp import Data, Posterior, inverse_root
from counsel.models.kernels import Numbers


def room(count: int) -> int:
    """How many rows of padding are left for `count` trials: 4, 16, 64, ...

    Coarse, because every size is a program of its own; and never none, so that the first trial
    under way finds room in the posterior that there is.
    """
    size = 4
    while size < count:
        size *= 4
    return size


def expecting(posterior: Posterior, x: Float[np.ndarray, "p d"]) -> Posterior:
    """The posterior once trials at `x` have turned out as expected.

    Its data need `room(p)` rows of padding, and its noise is the same everywhere.
    """
    count, size = x.shape[0], room(x.shape[0])
    used = 0 if made_up() else int(np.sum(np.asarray(posterior.data.mask)))
    assert used + size <= posterior.data.y.shape[0], (used, size)
    points, mask = np.zeros((size, x.shape[1])), np.zeros(size)
    points[:count], mask[:count] = x, 1.0
    return _expecting(posterior, points, mask, np.asarray(used))


@compiled(rows=lambda own, *_: len(own.data.y))
def _expecting(
    own: Posterior,
    points: Float[Numbers, "p d"],
    mask: Float[Numbers, " p"],
    used: Int[Numbers, ""],
) -> Posterior:
    r"""Rows for `points` below the `used` ones; where `mask` is 0, a row stays padding.

    With c(x) = k(P, x) - k(P, X) Q k(X, x), Q = root' root, and S = c(P) + noise = (V V')^-1, the
    variance falls by |V' c(x)|^2: the new rows of the root are [-V' k(P, X) Q, V'].
    """
    cross = own._cross(points) * mask[None, :]
    white = own.root @ cross
    prior = own.kernel.matrix(points, points) * (mask[:, None] * mask[None, :])
    own_noise = mask * (own.noise + own.jitter) + (1.0 - mask)
    V = inverse_root(prior - white.T @ white + jnp.diag(own_noise))
    rows = -V.T @ (white.T @ own.root)
    zero = jnp.zeros((), dtype=jnp.asarray(used).dtype)
    rows = jax.lax.dynamic_update_slice(rows, V.T, (zero, jnp.asarray(used)))

    def placed(whole: Numbers, part: Numbers) -> Array:
        at = (jnp.asarray(used), *[zero] * (part.ndim - 1))
        return jax.lax.dynamic_update_slice(jnp.asarray(whole), jnp.asarray(part), at)

    data = Data(
        placed(own.data.x, points * mask[:, None]),
        placed(own.data.y, mask * own.mean(points)),
        placed(own.data.mask, mask),
    )
    return dataclasses.replace(own, data=data, root=placed(own.root, rows))
