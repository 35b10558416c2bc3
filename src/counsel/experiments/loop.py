"""Many bandit runs at once: a compiled loop over rounds, seeds side by side under `vmap`.

Every seed of a block has its own data, fit and randomness. Another block size compiles to another
order of rounding, and one last bit is enough to change a run: runs that must agree are made in
blocks of the same size.

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
    arms: Int[Array, "B n"]
    payoffs: Float[Array, "B n"]
    theta: Float[Array, "B p"]


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
    block, pulls = noise.shape
    begun = first.shape[1]
    arms = np.zeros((block, pulls), dtype=np.int64)
    payoffs = np.zeros((block, pulls))
    arms[:, :begun] = first
    payoffs[:, :begun] = np.take_along_axis(truth, first, axis=1) + noise[:, :begun]
    mode = first_theta(like)
    state = _State(
        jnp.asarray(arms), jnp.asarray(payoffs), jnp.broadcast_to(mode, (block, mode.shape[0]))
    )
    n = begun
    while n < pulls:
        size = bucket(n)
        until = min(pulls, size + 1)
        state = _stage(
            acquisition, like, prior, points, truth, noise, seeds, state, n, until, size=size
        )
        n = until
    return Runs(np.asarray(state.arms), np.asarray(state.payoffs))


@compiled(static=("size",))
def _stage(
    acquisition: Acquisition,
    like: Kernel,
    prior: Prior | Fitting,
    points: Float[Array, "M d"],
    truth: Float[Array, "B M"],
    noise: Float[Array, "B n"],
    seeds: Int[Array, " B"],
    state: _State,
    start: Int[Array, ""],
    until: Int[Array, ""],
    *,
    size: int,
) -> _State:
    """Rounds start..until on data padded to `size`: one compiled program per bucket."""

    def one(
        n: Array, truth: Array, noise: Array, seed: Array, arms: Array, payoffs: Array, theta: Array
    ) -> tuple[Array, Array, Array]:
        mask = (jnp.arange(size) < n).astype(jnp.float64)
        held = min(size, arms.shape[0])
        padded_arms = jnp.zeros(size, dtype=arms.dtype).at[:held].set(arms[:held])
        padded_y = jnp.zeros(size).at[:held].set(payoffs[:held])
        data = Data(points[padded_arms] * mask[:, None], padded_y * mask, mask)
        round = Round(seed, n, float(points.shape[0]), points, chosen=points.shape[1], finite=True)
        key = jax.random.fold_in(round.key(), 1)
        belief, last = believe(prior, like, data, n, key, theta)
        score = acquisition.score(belief, round)
        arm = jnp.argmax(score_arms(score, points, jnp.zeros(0)))
        return (
            arms.at[n].set(arm),
            payoffs.at[n].set(truth[arm] + noise[n]),
            last,
        )

    step = jax.vmap(one, in_axes=(None, 0, 0, 0, 0, 0, 0))

    def turn(n: Array, state: _State) -> _State:
        return _State(*step(n, truth, noise, seeds, *state))

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
