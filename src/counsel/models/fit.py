r"""Hyper-parameters by maximum a posteriori: evidence (LW-UCB eq. 6) plus the kernel's prior.

The search runs on theta = log(hyper-parameters), with `models.descent` from a few starts: the last
round's answer first, then the prior's mode, then draws around it. There are fewer starts as the
data grow: the evidence has one clear peak by then, and each evaluation costs n^3. A fit that fails
is a value: `ok` is False, `message` says why, and the parameters are those of the best start that
could be evaluated at all.
"""

import dataclasses
import math
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree
from jaxtyping import Array, Bool, Float, Int

from counsel.models.compiling import compiled
from counsel.models.descent import best_of_starts
from counsel.models.gp import Data, Posterior, covariance, evidence, posterior
from counsel.models.kernels import (
    Kernel,
    Matern,
    MaternProduct,
    Numbers,
    Prior,
    Product,
    SquaredExponential,
    Sum,
    lengthscale_mode,
)

NOISE_BOUNDS = (1e-6, 2.0)
MOST_STARTS = 4
# Noise to start from, whatever the prior: at the lower bound the evidence is flat in it.
START_NOISE = math.exp(-5.0)


FAILED = (
    "The hyper-parameters could not be fitted to these observations; the surrogate uses its "
    "starting values. Check the observed values for extreme outliers."
)


class Fit(NamedTuple):
    kernel: Kernel
    noise: Float[Array, ""]
    theta: Float[Array, " p"]
    value: Float[Array, ""]
    ok: Bool[Array, ""]
    evaluations: Int[Array, ""]

    @property
    def message(self) -> str:
        return "" if bool(self.ok) else FAILED


def starts_for(n: int) -> int:
    """The number of starts for n observations: all while few, then an extra one now and then."""
    if n <= 32:
        return MOST_STARTS
    return 2 if n % 16 == 0 and n <= 512 else 1


def pack(kernel: Kernel, noise: Float[Numbers, ""]) -> Float[Array, " p"]:
    """theta: the logs of all hyper-parameters as one vector."""
    flat: Float[Array, " p"] = ravel_pytree((kernel, noise))[0]
    return jnp.log(flat)


def unpack(theta: Float[Array, " p"], like: Kernel) -> tuple[Kernel, Float[Array, ""]]:
    kernel: Kernel
    kernel, noise = ravel_pytree((like, jnp.zeros(())))[1](jnp.exp(theta))
    return kernel, noise


def unpack_on_host(
    theta: Float[Numbers, " p"], like: Kernel
) -> tuple[Kernel, Float[np.ndarray, ""]]:
    """`unpack` without JAX, every operation of which would be a program here."""
    leaves, tree = jax.tree.flatten((like, np.zeros(())))
    values = np.exp(np.asarray(theta))
    ends = np.cumsum([np.size(leaf) for leaf in leaves])
    parts = np.split(values, ends[:-1])
    kernel: Kernel
    kernel, noise = jax.tree.unflatten(
        tree, [part.reshape(np.shape(leaf)) for part, leaf in zip(parts, leaves, strict=True)]
    )
    return kernel, noise


def objective(
    theta: Float[Array, " p"], like: Kernel, data: Data, prior: Prior, *, compact: bool = False
) -> Float[Array, ""]:
    """Minus log posterior of the hyper-parameters, for standardised data."""
    kernel, noise = unpack(theta, like)
    K = covariance(kernel, data.noise_or(noise, jnp.ones(())), data.x, data.mask)
    assumed = kernel.log_prior(prior)
    assumed = assumed - 0.5 * (jnp.log(noise / prior.noise_mode) / prior.noise_sd) ** 2
    return -evidence(K, data.y, data.mask, compact) - assumed


@compiled(rows=lambda like, data, *_: len(data.y), static=("compact", "tolerance"))
def fit(
    like: Kernel,
    data: Data,
    guesses: Float[Array, "s p"],
    starts: Int[Array, ""],
    prior: Prior,
    *,
    compact: bool = False,
    tolerance: float = 1e-6,
) -> Fit:
    """Fit a kernel of the same structure as `like` from the first `starts` guesses.

    The starts run one after the other, because a batch would wait for its slowest member, and
    their number is an argument, not a shape: one compiled program serves every round of a bucket.
    `compact` makes a smaller program, whose answers differ by rounding. `tolerance` is the relative
    decrease that is not worth another evaluation.
    """
    standard, _, _ = data.standardised()
    low, high = like.bounds()
    lower = pack(low, jnp.asarray(NOISE_BOUNDS[0]))
    upper = pack(high, jnp.asarray(NOISE_BOUNDS[1]))

    best = best_of_starts(
        lambda theta: objective(theta, like, standard, prior, compact=compact),
        guesses,
        starts,
        lower,
        upper,
        # Every observation adds about 1/2 to the curvature in the logs.
        1.0 / (1.0 + 0.5 * jnp.sum(standard.mask)),
        tolerance,
    )
    kernel, noise = unpack(best.x, like)
    return Fit(kernel, noise, best.x, best.value, jnp.isfinite(best.value), best.evaluations)


@compiled(rows=lambda like, data, *_: len(data.y))
def fitted_posterior(
    like: Kernel,
    data: Data,
    guesses: Float[Array, "s p"],
    starts: Int[Array, ""],
    prior: Prior,
) -> tuple[Posterior, Fit]:
    """Fit and condition in one program: a new process has one fewer to load."""
    fitted = fit(like, data, guesses, starts, prior)
    return posterior(fitted.kernel, fitted.noise, data), fitted


@compiled(rows=lambda like, theta, data, **_: len(data.y))
def posterior_at(
    like: Kernel,
    theta: Float[Numbers, " p"],
    data: Data,
    *,
    units: tuple[Float[Array, ""], Float[Array, ""]] | None = None,
) -> Posterior:
    """Condition under a fit that is known; `units` are those of the data it was made from."""
    kernel, noise = unpack(jnp.asarray(theta), like)
    return posterior(kernel, noise, data, units=units, compact=True)


@compiled(rows=lambda data: len(data.y))
def units_of(data: Data) -> tuple[Float[Array, ""], Float[Array, ""]]:
    """Offset and scale that standardise the data."""
    _, offset, scale = data.standardised()
    return offset, scale


def guesses_for(
    like: Kernel, warm: tuple[float, ...], rng: np.random.Generator
) -> Float[np.ndarray, "s p"]:
    """Where a fit starts: the last round's answer, the prior's mode, and draws around the mode."""
    leaves = [np.ravel(leaf) for leaf in jax.tree.leaves((like, START_NOISE))]
    mode = np.log(np.concatenate(leaves))
    guesses = mode + rng.standard_normal((MOST_STARTS, len(mode)))
    guesses[0] = warm if warm else mode
    guesses[1] = mode
    return guesses


def shaped(kernel: Kernel, groups: tuple[int, ...]) -> Kernel:
    """This kernel with one length-scale per parameter of a space, at the prior's mode."""
    if isinstance(kernel, Sum | Product):
        return type(kernel)(shaped(kernel.first, groups), shaped(kernel.second, groups))
    assert isinstance(kernel, SquaredExponential | Matern | MaternProduct)
    count = max(groups) + 1
    tied = None if len(groups) == count else groups
    many = count
    if isinstance(kernel, MaternProduct) and kernel.levels:
        if tied is None:  # numbers alone: nothing has levels
            kernel = dataclasses.replace(kernel, levels=False)
        else:
            many = len(groups)
    lengths = np.full(many, lengthscale_mode(count))
    return dataclasses.replace(kernel, lengthscale=lengths, groups=tied)
