"""The rules of a study's team: who decides when a person would try something else.

A rule looks at a `Situation` and makes a `Ruling`: whether the person's point is tried, or which
point is tried instead of both, and why. `teams.rules` has the same rules for compiled simulations.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from counsel.errors import CounselError, install
from counsel.facts.records import Value
from counsel.registry import Entry, Registry
from counsel.space import AnySpace
from counsel.teams.advice import ALIGNED, Past, Sides, TrackRecord
from counsel.teams.alignment import factor

__all__ = ["VERSIONS", "Rule", "Ruling", "Situation", "numeric", "teams"]

# Rounds that a better point is expected to be used in, where nobody says how many are left.
AHEAD = 10.0
# Rules that were improved, and the version that new studies have; older studies keep theirs.
VERSIONS = {"fused": 3}
# Choices that a tree is learned from; before there are as many, every second one is followed.
LEARNED_FROM = 6


class Ruling(NamedTuple):
    """What a rule decides.

    tries     whether the person's point is tried, or what is tried instead of both
    because   why, as the end of a sentence that says what is tried; may be empty
    """

    tries: bool | Mapping[str, Value]
    because: str = ""


@dataclass(frozen=True)
class Situation:
    """What a rule may know. Costly parts are functions, called by the rules that need them.

    round     the proposal's number
    values    both points, the machine's first: numeric parameters as shares of their ranges
    usual     the same of all points that the person has suggested, this one included
    sides     both points under the model; None while nothing is known
    best      what is believed of the best trial so far
    record    what the person's advice was worth
    past      their choices that were tried and measured
    reasons   contributions at the proposal (p,) and at the person's suggestions (n, p)
    fused     the ruling with the person's advice as data
    """

    round: int
    values: Float[np.ndarray, "2 q"]
    usual: Float[np.ndarray, "n q"]
    sides: Sides | None
    best: float
    record: TrackRecord
    past: Sequence[Past]
    reasons: Callable[[], tuple[np.ndarray, np.ndarray] | None]
    fused: Callable[[], Ruling]


Rule = Callable[[Situation], Ruling]
teams: Registry[Entry] = Registry("team", Entry, ("counsel.teams",), "counsel.teams")


def numeric(space: AnySpace) -> list[int]:
    """The encoded columns of the parameters that are numbers."""
    columns = [space.columns(name) for name in space.names]
    return [each.start for each in columns if each.stop - each.start == 1]


@teams.register("never", title="A0, machine alone", sentence="The proposal is tried.")
def never(situation: Situation, /) -> Ruling:
    return Ruling(False)


@teams.register("always", title="A1, person alone", sentence="The person's point is tried.")
def always(situation: Situation, /) -> Ruling:
    return Ruling(True)


@teams.register(
    "every-2", title="A3, every second", sentence="The person's point is tried every second round."
)
def every_second(situation: Situation, /) -> Ruling:
    return Ruling(situation.round % 2 == 0, f"because this is round {situation.round}")


@teams.register(
    "ratio",
    title="A2, by values",
    sentence="The person's point is tried if the proposed values are unlike theirs.",
)
def by_values(situation: Situation, /) -> Ruling:
    """ShapleyBO (12): ratios of values are off the averages of the person's ratios."""
    unlike = factor(situation.values[0], situation.usual) > ALIGNED
    return Ruling(unlike, f"because the proposed values are {_like(unlike)} yours")


@teams.register(
    "shapley",
    title="A4, by reasons",
    sentence="The person's point is tried if the proposal's reasons are unlike theirs.",
)
def by_reasons(situation: Situation, /) -> Ruling:
    """ShapleyBO (11): ratios of contributions are off the averages of the person's ratios."""
    found = situation.reasons()
    if found is None:
        return Ruling(False, "because the proposal has no reasons yet")
    unlike = factor(*found) > ALIGNED
    return Ruling(unlike, f"because the proposal's reasons are {_like(unlike)} yours")


@teams.register(
    "tree",
    title="A5, a learned tree",
    sentence="The person's point is tried if a tree, learned from their choices, expects a gain.",
)
def by_tree(situation: Situation, /) -> Ruling:
    """A pruned regression tree on what following the person gained over what was expected."""
    if situation.sides is None:
        return Ruling(False)
    if len(situation.past) < LEARNED_FROM:
        learned = f"until {LEARNED_FROM} of your choices are measured, it takes every second one"
        return Ruling(every_second(situation).tries, f"because {learned}")
    try:
        from sklearn.tree import DecisionTreeRegressor
    except ImportError as error:
        raise CounselError(f"The learned rule needs scikit-learn: {install('trees')}.") from error
    seen = np.array([past.features for past in situation.past])
    gains = np.array([past.gain for past in situation.past])
    tree = DecisionTreeRegressor(
        max_depth=3, min_samples_leaf=2, ccp_alpha=0.01 * float(gains.var()), random_state=0
    ).fit(seen, gains)
    gains_more = bool(tree.predict([situation.sides.features])[0] > 0.0)
    expected = "a gain" if gains_more else "no gain"
    return Ruling(gains_more, f"because {expected} is expected from how your choices turned out")


@teams.register(
    "credit",
    title="A6, earned credit",
    sentence="The person's point is tried if it promises more, by what their advice was worth.",
)
def by_credit(situation: Situation, /) -> Ruling:
    if situation.sides is None:
        return Ruling(False)
    import jax.numpy as jnp

    from counsel.teams.credit import Settings, promised

    means, sds = situation.sides.mean, situation.sides.sds
    machine, person = ((jnp.asarray(means[i]), jnp.asarray(sds[i])) for i in (0, 1))
    theirs, ours = promised(
        machine,
        person,
        jnp.asarray(situation.record.mean),
        jnp.asarray(situation.best),
        jnp.asarray(AHEAD),
        Settings(),
    )
    kept = situation.sides.keeps
    if kept[1] < 0.5 * kept[0]:
        return Ruling(False, f"because yours is less likely to {situation.sides.what}")
    more = float(theirs) >= float(ours)
    worth = "by what your advice was worth and what a better trial is worth later"
    return Ruling(more, f"because yours promises {'more' if more else 'less'}, {worth}")


@teams.register(
    "fused",
    title="A7, advice as data",
    sentence="The person's point is tried if it promises more with their advice as data, and the "
    "measurements do not speak against it; a third one, if that promises more than both.",
)
def by_advice(situation: Situation, /) -> Ruling:
    return Ruling(False) if situation.sides is None else situation.fused()


def _like(unlike: bool) -> str:
    return "unlike" if unlike else "like"
