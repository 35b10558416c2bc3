r"""Earned credit: what a person's proposals turned out to be worth, and what to expect now.

The team's posterior says N(mean, sd^2) of the person's point. Somebody who knows more chooses
points that turn out better than that, an adversary points that turn out worse. So a person is
judged by how many sds their points have been off:

    z_i = (y_i - mean_i) / sqrt(sd_i^2 + noise^2)      surprise of the i-th time they were followed
    c | z ~ N(c_n, v_n)                                credit, from the prior N(trust tau, doubt^2)

and the point is expected at mean + c_n sd. The initial credit needs no trial: before they see how
the first pulls came out, the person says which of them will be the better ones, and tau is the rank
correlation between their answers and the outcomes (experts are calibrated this way, on questions
with known answers). Where the team knows the point (sd near 0) credit has no say, so neither
knowledge nor malice matters for long. A surprise counts in proportion to how far its round was
about the same parameters as this one, by the shares of the contributions in which the two proposals
differ.

Choosing another point also says something about the machine's point: in proportion to the credit,
that point is expected lower, by `dismissal` times as many sds. A proposal promises its own worth
and what it may lead to,

    promise = E f(x) + lookahead * left * E max(f(x) - best, 0),

because a better point can be used in the rounds that are left, if not in all of them as well as
hoped. The team follows the larger promise.
"""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jax.scipy.special import ndtr
from jaxtyping import Array, Float

from counsel.models.compiling import compiled
from counsel.models.kernels import Numbers
from counsel.teams.advice import DOUBT, TRUST, updated


class Side(NamedTuple):
    """A proposal under the team's posterior: mean, sd, and contributions to the mean."""

    mean: Float[Array, ""]
    sd: Float[Array, ""]
    reasons: Float[Array, " p"]


class Track(NamedTuple):
    """The rounds in which the person was followed.

    surprise, weight (T,)   z_i, and the share of its variance that is not noise; 0 elsewhere
    kind (T, p)             parameters in which the two proposals differed: shares of |reasons|
    """

    surprise: Float[Array, " T"]
    weight: Float[Array, " T"]
    kind: Float[Array, "T p"]


class Settings(NamedTuple):
    """`trust` is the prior's mean of a person's credit, in sds of the team's posterior, after first
    answers that were all right; `doubt` is the prior's sd.

    `likeness` discounts rounds that were about other parameters (0: none).
    """

    trust: Float[Numbers, ""] = np.asarray(TRUST)
    doubt: Float[Numbers, ""] = np.asarray(DOUBT)
    likeness: Float[Numbers, ""] = np.asarray(1.0)
    lookahead: Float[Numbers, ""] = np.asarray(0.3)
    dismissal: Float[Numbers, ""] = np.asarray(1.0)


def kind_of(machine: Side, person: Side) -> Float[Array, " p"]:
    """The parameters in which two proposals differ under the team's model, as shares of 1."""
    apart = jnp.abs(person.reasons - machine.reasons)
    return apart / jnp.maximum(jnp.sum(apart), 1e-300)


def surprise(
    side: Side, noise: Float[Array, ""], y: Float[Array, ""]
) -> tuple[Float[Array, ""], Float[Array, ""]]:
    """z and its weight, once the person was followed and y observed."""
    variance = side.sd**2 + noise**2
    return (y - side.mean) / jnp.sqrt(variance), side.sd**2 / variance


class Credit(NamedTuple):
    """Mean and sd of c."""

    mean: Float[Array, ""]
    sd: Float[Array, ""]


def agreement(said: Float[Array, " f"], seen: Float[Array, " f"]) -> Float[Array, ""]:
    """Kendall's tau: the share of pairs in the stated order minus the share of the others."""
    pairs = jnp.sign(said[:, None] - said[None, :]) * jnp.sign(seen[:, None] - seen[None, :])
    count = said.shape[0] * (said.shape[0] - 1)
    return jnp.sum(pairs) / max(count, 1)


def credit(
    track: Track, kind: Float[Array, " p"], tau: Float[Array, ""], settings: Settings
) -> Credit:
    """The belief about c, given the first answers and the surprises so far."""
    alike = jnp.sum(jnp.minimum(track.kind, kind[None, :]), axis=1)
    weight = track.weight * alike**settings.likeness
    trusted = jnp.asarray(settings.trust * tau)
    return Credit(*updated(weight, track.surprise, trusted, jnp.asarray(settings.doubt)))


def improvement(
    mean: Float[Array, ""], sd: Float[Array, ""], best: Float[Array, ""]
) -> Float[Array, ""]:
    """E max(f - best, 0)."""
    z = (mean - best) / sd
    return sd * (jnp.exp(-0.5 * z**2) / jnp.sqrt(2.0 * jnp.pi) + z * ndtr(z))


def promise(
    machine: Side,
    person: Side,
    track: Track,
    tau: Float[Array, ""],
    best: Float[Array, ""],
    left: Float[Array, ""],
    settings: Settings,
) -> tuple[Float[Array, ""], Float[Array, ""]]:
    """What the person's and the machine's proposal promise."""
    found = credit(track, kind_of(machine, person), tau, settings)
    ours, theirs = (machine.mean, machine.sd), (person.mean, person.sd)
    return promised(ours, theirs, found.mean, best, left, settings)


@compiled()
def promised(
    machine: tuple[Float[Array, ""], Float[Array, ""]],
    person: tuple[Float[Array, ""], Float[Array, ""]],
    credit: Float[Array, ""],
    best: Float[Array, ""],
    left: Float[Array, ""],
    settings: Settings,
) -> tuple[Float[Array, ""], Float[Array, ""]]:
    """The same from mean and sd of both points and the person's credit."""
    ahead = settings.lookahead * left
    theirs = person[0] + credit * person[1]
    ours = machine[0] - settings.dismissal * jnp.maximum(credit, 0.0) * machine[1]
    return (
        theirs + ahead * improvement(theirs, person[1], best),
        ours + ahead * improvement(ours, machine[1], best),
    )
