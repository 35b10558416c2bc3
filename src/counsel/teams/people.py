r"""Simulated people: a second optimizer with its own knowledge.

A person has seen some arms before the study (`knowledge` of them, with `noise`), all over the space
or in one part of it, and proposes where their own mean + kappa sd is largest. They also see what
the team measures. Biased people remember payoffs that belong to other gains; adversaries want the
worst and believe it of everything they see.

The person's model is a Gaussian process over the arms whose hyper-parameters are fitted once, to
their knowledge. One more observation at arm i is a rank-one change of it,

    v = cov(., i) / s,   mean += v (y - mean_i) / s,   var -= v^2,   s^2 = var_i + noise,

with cov(., i) = k(., i) - sum of earlier v v_i: exact, and O(n M) instead of O(n^2 M).
"""

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from counsel.errors import InvalidInput
from counsel.models.fit import MOST_STARTS, START_NOISE, fit, pack
from counsel.models.gp import SMALLEST_VARIANCE, Data, bucket
from counsel.models.kernels import Kernel, Numbers, Prior

__all__ = ["PEOPLE", "Knowledge", "Mind", "Person", "begin", "knowledge_of", "minds", "see"]


@dataclass(frozen=True)
class Person:
    """A person with an opinion.

    knowledge   arms seen in advance
    kappa       weight of their sd
    noise       sd of what they remember, in sds of the payoffs
    region      the part of each axis (from, to) that they have been to, as shares of its range
    shift       they remember payoffs of arms this far away, as shares of each range
    adversary   they want the worst
    two_faced   and hide it: about the first pulls they tell the truth
    learns      they learn from what the team measures
    """

    name: str
    knowledge: int = 90
    kappa: float = 1.0
    noise: float = 0.1
    region: tuple[tuple[float, float], ...] | None = None
    shift: tuple[float, ...] | None = None
    adversary: bool = False
    two_faced: bool = False
    learns: bool = True

    def __post_init__(self) -> None:
        if self.knowledge < 2:
            raise InvalidInput("knowledge", self.knowledge, "Give at least 2 arms.")
        if not self.kappa >= 0.0 or not self.noise >= 0.0:
            raise InvalidInput("kappa, noise", (self.kappa, self.noise), "Give 0 or more.")


# The people of the experiments, from the best informed to the adversary.
PEOPLE: tuple[Person, ...] = (
    Person("well-informed"),
    Person("partly informed, few trials", knowledge=12, noise=0.2),
    Person("partly informed, half the space", knowledge=45, region=((0.0, 1.0), (0.0, 0.5))),
    Person("poorly informed", knowledge=3, noise=1.0),
    Person("biased", shift=(0.35, 0.35)),
    Person("adversarial", adversary=True),
    Person("two-faced", adversary=True, two_faced=True),
)


class Knowledge(NamedTuple):
    """A person's prior knowledge: arms and their believed payoffs."""

    arms: Int[np.ndarray, " q"]
    values: Float[np.ndarray, " q"]


def knowledge_of(
    person: Person,
    points: Float[np.ndarray, "M d"],
    truth: Float[np.ndarray, " M"],
    rng: np.random.Generator,
) -> Knowledge:
    """A person's knowledge of payoffs `truth` at arms `points` in the unit cube."""
    inside = np.ones(len(points), dtype=bool)
    for axis, (low, high) in enumerate(person.region or ()):
        inside &= (points[:, axis] >= low) & (points[:, axis] <= high)
    known = np.flatnonzero(inside)
    if not len(known):
        raise InvalidInput("region", person.region, "There is no arm in it.")
    arms = rng.choice(known, person.knowledge, replace=person.knowledge > len(known))
    sources = arms
    if person.shift is not None:
        moved = np.clip(points[arms] + np.asarray(person.shift), 0.0, 1.0)
        sources = np.array([np.argmin(np.sum((points - each) ** 2, axis=1)) for each in moved])
    remembered = truth[sources] + person.noise * truth.std() * rng.standard_normal(len(arms))
    return Knowledge(arms, (-remembered if person.adversary else remembered))


class Mind(NamedTuple):
    """A person's beliefs over all arms, in their own units.

    rows (n, M)   the rank-one changes so far; zero where none is yet
    """

    kernel: Kernel
    noise: Float[Array, ""]
    offset: Float[Array, ""]
    scale: Float[Array, ""]
    rows: Float[Array, "n M"]
    mean: Float[Array, " M"]
    variance: Float[Array, " M"]
    seen: Int[Array, ""]

    def bound(self, kappa: Float[Numbers, ""]) -> Float[Array, " M"]:
        return self.mean + kappa * jnp.sqrt(jnp.maximum(self.variance, SMALLEST_VARIANCE))


@partial(jax.jit, static_argnames=("room",))
def minds(
    like: Kernel,
    prior: Prior,
    points: Float[Array, "M d"],
    arms: Int[Array, "B q"],
    values: Float[Array, "B q"],
    *,
    room: int,
) -> Mind:
    """B people's minds after their own trials, each with room for `room` observations in all."""

    def one(known: tuple[Int[Array, " q"], Float[Array, " q"]]) -> Mind:
        return begin(like, prior, points, *known, room)

    return jax.lax.map(one, (arms, values))


def begin(
    like: Kernel,
    prior: Prior,
    points: Float[Array, "M d"],
    arms: Int[Array, " q"],
    values: Float[Array, " q"],
    room: int,
) -> Mind:
    """A person's mind after their own trials."""
    q, size = arms.shape[0], bucket(arms.shape[0])
    mask = (jnp.arange(size) < q).astype(jnp.float64)
    x = jnp.zeros((size, points.shape[1])).at[:q].set(points[arms])
    data = Data(x, jnp.zeros(size).at[:q].set(values), mask)
    mode = pack(like, jnp.asarray(START_NOISE))
    guesses = jnp.broadcast_to(mode, (MOST_STARTS, mode.shape[0]))
    fitted = fit(like, data, guesses, jnp.asarray(1), prior)
    _, offset, scale = data.standardised()
    many = points.shape[0]
    mind = Mind(
        fitted.kernel,
        fitted.noise,
        offset,
        scale,
        jnp.zeros((room, many)),
        jnp.zeros(many),
        jnp.broadcast_to(fitted.kernel.amplitude(), (many,)),
        jnp.asarray(0),
    )
    return jax.lax.fori_loop(0, q, lambda i, held: see(held, points, arms[i], values[i]), mind)


def see(
    mind: Mind, points: Float[Array, "M d"], arm: Int[Numbers, ""], value: Float[Numbers, ""]
) -> Mind:
    """The same mind after one more observation."""
    prior = mind.kernel.matrix(points, points[arm][None, :])[:, 0]
    spread = jnp.sqrt(jnp.maximum(mind.variance[arm], SMALLEST_VARIANCE) + mind.noise)
    row = (prior - mind.rows[:, arm] @ mind.rows) / spread
    off = (value - mind.offset) / mind.scale - mind.mean[arm]
    return mind._replace(
        rows=mind.rows.at[mind.seen].set(row),
        mean=mind.mean + row * off / spread,
        variance=mind.variance - row**2,
        seen=mind.seen + 1,
    )
