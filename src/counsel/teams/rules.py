r"""Rules for when the person's proposal replaces the machine's: small functions of a moment.

    | team | listens to the person                                            |
    |------|------------------------------------------------------------------|
    | A0   | never                                                            |
    | A1   | always                                                           |
    | A2   | when the proposed values are off the person's own (ShapleyBO 12) |
    | A3   | every k-th round                                                 |
    | A4   | when the reasons are off the person's own (ShapleyBO 11)         |
    | A5   | when a regression tree, learned from their own runs, warns        |
    | A6   | when the person's point promises more, credit included (`earned`) |
    | A7   | when their point promises most with their advice as data          |

A0 to A5 are the paper's, A6 and A7 ours. A7 may also try a point that neither proposed. Others
serve for comparison: `at_random`; `oracle`, which sees the truth; `hedge`, which weighs both by
what all that they proposed is worth as believed today; and `budget`, which risks what was gained
and a fixed sum. Every rule maps a `Moment` and `Settings` to a boolean and can be compiled.
"""

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int

from counsel.models.kernels import Numbers
from counsel.teams.credit import Settings as CreditSettings
from counsel.teams.credit import Side, Track, promise
from counsel.teams.fused import Settings as FusedSettings


class Moment(NamedTuple):
    """What a rule may know in one round.

    machine, person    the two proposals under the team's posterior
    values (2, p)      the proposed points, the machine's first, in the unit cube
    usual (p, p)       ratios of the values that the person proposed so far, on average
    reasons (p,)       contributions of each parameter to the mean at the machine's proposal
    own_reasons (p, p) ratios of the same in the person's mind, averaged over their proposals
    warned (p,)        contributions from which on down the person's own runs went badly
    best               the largest posterior mean among the points tried so far
    unit               the sd of what was measured
    track              what listening to this person was worth so far
    tau                how right they were about the first pulls, before they saw them (-1 to 1)
    left               rounds that remain, this one included
    lead, gained       by how much the person's proposals so far are ahead of the machine's, all and
                       those that were tried; as believed today, in sds of what was measured
    fused              0 or 1 if the machine's or the person's point promises most with all that the
                       person has said so far as data, else another number
    truth (2,)         what both are really worth; for the oracle alone
    """

    t: Int[Array, ""]
    machine: Side
    person: Side
    values: Float[Array, "2 p"]
    usual: Float[Array, "p p"]
    reasons: Float[Array, " p"]
    own_reasons: Float[Array, "p p"]
    warned: Float[Array, " p"]
    best: Float[Array, ""]
    unit: Float[Array, ""]
    track: Track
    tau: Float[Array, ""]
    left: Float[Array, ""]
    chance: Float[Array, ""]
    lead: Float[Array, ""]
    gained: Float[Array, ""]
    fused: Int[Array, ""]
    truth: Float[Array, " 2"]


class Settings(NamedTuple):
    """Numbers that rules depend on.

    The tolerated factor of A2 and A4, A3's k, the rate of listening at random, how fast `hedge`
    learns and what `budget` may lose (both in sds of what was measured), A6's credit, and A7's
    numbers.
    """

    alignment: Float[Numbers, ""] = np.asarray(2.0)
    every: Int[Numbers, ""] = np.asarray(2)
    rate: Float[Numbers, ""] = np.asarray(0.5)
    learning: Float[Numbers, ""] = np.asarray(1.0)
    budget: Float[Numbers, ""] = np.asarray(0.5)
    credit: CreditSettings = CreditSettings()
    fused: FusedSettings = FusedSettings()


def ratios(contributions: Float[Array, " p"]) -> Float[Array, "p p"]:
    """All ratios of two contributions, with their signs."""
    below = jnp.where(contributions == 0.0, 1e-12, contributions)
    return contributions[:, None] / below[None, :]


def misalignment(ours: Float[Array, " p"], usual: Float[Array, "p p"]) -> Float[Array, ""]:
    """(11) and (12): the largest factor between our ratios and the averages of a person's.

    Ratios have signs, and a ratio of the opposite sign is infinitely far off. Only pairs j < k
    count: the mean of a ratio is not the inverse of the mean of its inverse.
    """
    p = ours.shape[0]
    above = np.triu_indices(p, 1)
    q = ratios(ours)[above] / jnp.where(usual[above] == 0.0, 1e-12, usual[above])
    far = jnp.where(q > 0.0, jnp.maximum(q, 1.0 / jnp.where(q > 0.0, q, 1.0)), jnp.inf)
    return jnp.max(far, initial=1.0)


Rule = Callable[[Moment, Settings], Bool[Array, ""]]


def never(moment: Moment, settings: Settings) -> Bool[Array, ""]:
    return jnp.asarray(False)


def always(moment: Moment, settings: Settings) -> Bool[Array, ""]:
    return jnp.asarray(True)


def value_ratio(moment: Moment, settings: Settings) -> Bool[Array, ""]:
    """(12): the proposed values are off the person's usual ones by more than `alignment`."""
    return misalignment(moment.values[0], moment.usual) > settings.alignment


def every_kth(moment: Moment, settings: Settings) -> Bool[Array, ""]:
    return moment.t % settings.every == 0


def reason_ratio(moment: Moment, settings: Settings) -> Bool[Array, ""]:
    """(11): the mean's contributions are off the person's own by more than `alignment`."""
    return misalignment(moment.reasons, moment.own_reasons) > settings.alignment


def learned(moment: Moment, settings: Settings) -> Bool[Array, ""]:
    """Supplement A.1.3: a contribution is one that turned out badly in the person's own runs."""
    return jnp.any(moment.reasons <= moment.warned)


def earned(moment: Moment, settings: Settings) -> Bool[Array, ""]:
    """Ours: the person's point promises more than the machine's (`teams.credit`)."""
    theirs, ours = promise(
        moment.machine,
        moment.person,
        moment.track,
        moment.tau,
        moment.best,
        moment.left,
        settings.credit,
    )
    return theirs >= ours


def fused(moment: Moment, settings: Settings) -> Bool[Array, ""]:
    """Ours: with the person's advice as data, their point promises more (`teams.fused`)."""
    return moment.fused == 1


def at_random(moment: Moment, settings: Settings) -> Bool[Array, ""]:
    return moment.chance < settings.rate


def hedge(moment: Moment, settings: Settings) -> Bool[Array, ""]:
    """Exponential weights of two experts, whose proposals are all judged, tried or not."""
    return moment.chance < jax.nn.sigmoid(settings.learning * moment.lead)


def budget(moment: Moment, settings: Settings) -> Bool[Array, ""]:
    """A conservative bandit: what may be lost now, an sd below the mean, is covered.

    By what following gained so far, and by the budget.
    """
    now = (moment.person.mean - moment.person.sd - moment.machine.mean) / moment.unit
    return moment.gained + now >= -settings.budget


def oracle(moment: Moment, settings: Settings) -> Bool[Array, ""]:
    return moment.truth[1] > moment.truth[0]


RULES: dict[str, Rule] = {
    "A0": never,
    "A1": always,
    "A2": value_ratio,
    "A3": every_kth,
    "A4": reason_ratio,
    "A5": learned,
    "A6": earned,
    "A7": fused,
    "random": at_random,
    "oracle": oracle,
    "hedge": hedge,
    "budget": budget,
}


def listens(code: Int[Array, ""], moment: Moment, settings: Settings) -> Bool[Array, ""]:
    """The rule with this number in `RULES`: one compiled program serves them all."""
    return jax.lax.switch(code, list(RULES.values()), moment, settings)
