"""Bandit runs in compiled loops over rounds, one seed after the other.

A batch of seeds would wait for the slowest fit among them, round by round and start by start. One
program per padding size serves every seed: a run is the same in whatever block of seeds it is made.

Legend: B seeds, T rounds, M arms, `first` arms pulled before the optimizer starts.
"""

from typing import NamedTuple, Protocol, runtime_checkable

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, Key

from counsel.acquisition.maximise import score_arms
from counsel.acquisition.terms import Acquisition, Round
from counsel.models.compiling import compiled
from counsel.models.fit import MOST_STARTS, START_NOISE, fitted_posterior, pack
from counsel.models.gp import Data, Posterior, bucket
from counsel.models.kernels import Kernel, Prior

BLOCK = 10


class Runs(NamedTuple):
    """The arms pulled and the noisy payoffs seen: the first pulls, then one per round."""

    arms: Int[np.ndarray, "B n"]
    payoffs: Float[np.ndarray, "B n"]


@runtime_checkable
class Fitting(Protocol):
    """Another way to a round's posterior than our fit under a prior."""

    def believe(
        self,
        like: Kernel,
        data: Data,
        n: Int[Array, ""],
        key: Key[Array, ""],
        last: Float[Array, " p"],
    ) -> tuple[Posterior, Float[Array, " p"]]:
        """The posterior of n observations, and its fit, which the next round gets as `last`."""
        ...


class _State(NamedTuple):
    arms: Int[Array, " n"]
    payoffs: Float[Array, " n"]
    theta: Float[Array, " p"]


def run_block(
    acquisition: Acquisition,
    like: Kernel,
    prior: Prior | Fitting,
    points: Float[np.ndarray, "M d"],
    truth: Float[np.ndarray, "B M"],
    noise: Float[np.ndarray, "B n"],
    first: Int[np.ndarray, "B f"],
    seeds: Int[np.ndarray, " B"],
) -> Runs:
    """Pull `first`, then one arm a round until `noise` is used up.

    `truth` holds each seed's noise-free payoffs, `noise` what is added to each pull.
    """
    mode = first_theta(like)
    ends = [
        _run(acquisition, like, prior, points, *each, mode)
        for each in zip(truth, noise, first, seeds, strict=True)
    ]
    return Runs(np.stack([end.arms for end in ends]), np.stack([end.payoffs for end in ends]))


def _run(
    acquisition: Acquisition,
    like: Kernel,
    prior: Prior | Fitting,
    points: Float[np.ndarray, "M d"],
    truth: Float[np.ndarray, " M"],
    noise: Float[np.ndarray, " n"],
    first: Int[np.ndarray, " f"],
    seed: Int[np.ndarray, ""],
    mode: Float[Array, " p"],
) -> _State:
    pulls, n = len(noise), len(first)
    arms, payoffs = np.zeros(pulls, dtype=np.int64), np.zeros(pulls)
    arms[:n], payoffs[:n] = first, truth[first] + noise[:n]
    state = _State(jnp.asarray(arms), jnp.asarray(payoffs), mode)
    while n < pulls:
        size = bucket(n)
        until = min(pulls, size + 1)
        state = _stage(
            acquisition, like, prior, points, truth, noise, seed, state, n, until, size=size
        )
        n = until
    return state


@compiled(static=("size",))
def _stage(
    acquisition: Acquisition,
    like: Kernel,
    prior: Prior | Fitting,
    points: Float[Array, "M d"],
    truth: Float[Array, " M"],
    noise: Float[Array, " n"],
    seed: Int[Array, ""],
    state: _State,
    start: Int[Array, ""],
    until: Int[Array, ""],
    *,
    size: int,
) -> _State:
    """Rounds start..until on data padded to `size`: one compiled program per bucket."""

    def turn(n: Array, state: _State) -> _State:
        mask = (jnp.arange(size) < n).astype(jnp.float64)
        held = min(size, state.arms.shape[0])
        arms = jnp.zeros(size, dtype=state.arms.dtype).at[:held].set(state.arms[:held])
        y = jnp.zeros(size).at[:held].set(state.payoffs[:held])
        data = Data(points[arms] * mask[:, None], y * mask, mask)
        round = Round(seed, n, float(points.shape[0]), points, chosen=points.shape[1], finite=True)
        key = jax.random.fold_in(round.key(), 1)
        belief, last = believe(prior, like, data, n, key, state.theta)
        score = acquisition.score(belief, round)
        arm = jnp.argmax(score_arms(score, points, jnp.zeros(0)))
        return _State(
            state.arms.at[n].set(arm), state.payoffs.at[n].set(truth[arm] + noise[n]), last
        )

    return jax.lax.fori_loop(start, until, turn, state)


def first_theta(like: Kernel) -> Float[Array, " p"]:
    """The fit before the first round."""
    return pack(like, jnp.asarray(START_NOISE))


def believe(
    prior: Prior | Fitting,
    like: Kernel,
    data: Data,
    n: Int[Array, ""],
    key: Key[Array, ""],
    last: Float[Array, " p"],
) -> tuple[Posterior, Float[Array, " p"]]:
    """The posterior of n observations, and its fit, warm-started from the last one."""
    if not isinstance(prior, Prior):
        return prior.believe(like, data, n, key, last)
    mode = first_theta(like)
    guesses = mode + jax.random.normal(key, (MOST_STARTS, mode.shape[0]))
    guesses = guesses.at[0].set(last).at[1].set(mode)
    belief, fitted = fitted_posterior(like, data, guesses, _starts(n), prior)
    return belief, fitted.theta


def _starts(n: Array) -> Array:
    """`models.fit.starts_for`, traced."""
    return jnp.where(n <= 32, MOST_STARTS, jnp.where((n % 16 == 0) & (n <= 512), 2, 1))
