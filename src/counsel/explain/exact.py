r"""Shapley values from the worth of all coalitions.

$$ \phi_j = \sum_{S \not\ni j} \frac{|S|!\,(p - |S| - 1)!}{p!} \left(v(S \cup j) - v(S)\right) $$

(ShapleyBO eq. 3.) Exact for the background at hand.

How far two parameters act together is Grabisch and Roubens' interaction index,

$$ I_{ij} = \sum_{S \not\ni i, j} \frac{|S|!\,(p - |S| - 2)!}{(p - 1)!}
   \left(v(S \cup ij) - v(S \cup i) - v(S \cup j) + v(S)\right): $$

what the two add to each other. Half of it is counted to each, so that in a matrix with these halves
beside the diagonal, and what a parameter does by itself on it, every row adds up to $\phi_i$.
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


@cache
def pair_weights(players: int) -> Float[np.ndarray, "p p c"]:
    """The array that turns the worth of `coalitions` into halves of I_ij; zero for i = j."""
    members = coalitions(players)
    size = members.sum(axis=1)
    found = np.zeros((players, players, len(members)))
    for i in range(players):
        for j in range(i):
            others = size - members[:, i] - members[:, j]
            share = [1.0 / ((players - 1) * math.comb(players - 2, int(s))) for s in others]
            sign = np.where(members[:, i] == members[:, j], 0.5, -0.5)
            found[i, j] = found[j, i] = sign * share
    return found


def interactions(worth: Float[np.ndarray, "c T"]) -> Float[np.ndarray, "T p p"]:
    """Half of the interaction of every two players, by term, from v of all `coalitions`."""
    players = int(worth.shape[0]).bit_length() - 1
    return np.einsum("ijc,ct->tij", pair_weights(players), worth)


def shapley(worth: Float[np.ndarray, "c T"]) -> Float[np.ndarray, "T p"]:
    """Shapley values of every term, from v of all `coalitions` in their order."""
    players = int(worth.shape[0]).bit_length() - 1
    return (weights(players) @ worth).T
