r"""Shapley values from the worth of all coalitions.

$$ \phi_j = \sum_{S \not\ni j} \frac{|S|!\,(p - |S| - 1)!}{p!} \left(v(S \cup j) - v(S)\right) $$

(ShapleyBO eq. 3.) Exact for the background at hand.
"""

import math
from functools import cache

import numpy as np
from jaxtyping import Bool, Float


@cache
def coalitions(players: int) -> Bool[np.ndarray, "c p"]:
    """All 2^p sets of players, the empty one first and the full one last."""
    numbers = np.arange(2**players)[:, None] >> np.arange(players)
    return (numbers & 1).astype(bool)


@cache
def weights(players: int) -> Float[np.ndarray, "p c"]:
    """The matrix that turns the worth of `coalitions` into Shapley values."""
    members = coalitions(players)
    size = members.sum(axis=1)
    # Of a coalition of size s, a member's share is 1 / (p C(p-1, s-1)), an outsider's the
    # negative of 1 / (p C(p-1, s)).
    inside = np.array([players * math.comb(players - 1, max(s - 1, 0)) for s in range(players + 1)])
    outside = np.array([players * math.comb(players - 1, s) for s in range(players)] + [1])
    return np.where(members, 1.0 / inside[size][:, None], -1.0 / outside[size][:, None]).T


def shapley(worth: Float[np.ndarray, "c T"]) -> Float[np.ndarray, "T p"]:
    """Shapley values of every term, from v of all `coalitions` in their order."""
    players = int(worth.shape[0]).bit_length() - 1
    return (weights(players) @ worth).T
