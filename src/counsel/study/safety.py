"""What a study certifies: the safe set, and the certificates of trials.

Certificates come from the facts (`constraints.certificate`), whatever policy proposes; a policy
may set how certain they must be, name a point that a person vouches for, and say that preferences
drift.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from counsel.constraints.certificate import CERTAINTY, UNASKED, Certificate, certify, warnings
from counsel.errors import NothingToExplain
from counsel.facts.history import Array, History
from counsel.facts.problem import Problem
from counsel.facts.safety import SafePoint, SafeSet
from counsel.policies.protocol import Policy
from counsel.space import Arms, Float, Int, Space

__all__ = ["certificate", "doubts", "safe_set", "uncertified"]

EMPTY = (
    "No point is certified yet. Answer what is asked. A new study can be given a point that you "
    "vouch for, by its setting safe."
)
DECLARED = "Only what was declared safe is in the set: the answers do not certify any point yet."
REVOKED = "The point that was declared safe is not in the set: the answers contradict it."
_SAMPLE = 512
_LISTED = 200


def uncertified(trial: str, value: float, chance: float) -> str:
    """The note on a trial that is better than the certified one."""
    return (
        f"{trial} was better ({value:.4g}) and kept every constraint when it was measured, but is "
        f"not certified: the chance that it keeps them is {chance:.0%}."
    )


def certificate(policy: Policy, problem: Problem, history: History, points: Array) -> Certificate:
    """The certificates of encoded points (context columns last)."""
    safe = getattr(policy, "safe", None)
    return certify(
        problem,
        history,
        points,
        certainty=getattr(policy, "certainty", CERTAINTY),
        safe=None if safe is None else dict(safe),
        drifting=getattr(policy, "drifting", False),
        unasked=getattr(policy, "unasked", UNASKED),
        jointly=getattr(policy, "attentive", False),
        centred=getattr(policy, "centred", True),
    )


def doubts(policy: Policy, problem: Problem, history: History, found: Certificate) -> list[str]:
    """Why certificates may be wrong, in sentences: where answers speak against the model."""
    if not history.measured[:, 1:].any():
        return []
    return warnings(problem, history, found, watchful=getattr(policy, "centred", True))


def safe_set(policy: Policy, problem: Problem, history: History, people: Sequence[str]) -> SafeSet:
    """The certified points in the history's context; `people` are named as it numbers them."""
    if not problem.constraints:
        raise NothingToExplain("This study has no constraints, so it has no safe set.")
    if not history.measured[:, 1:].any():
        raise NothingToExplain("Nobody has answered anything about a constraint yet.")
    space = problem.space
    tried = history.points[:, : space.dim]
    if isinstance(space, Arms):
        own, sampled = space.points, np.ones(len(space), dtype=bool)
    else:
        own, sampled = _looked_at(space, tried, np.random.default_rng([history.seed, 7]))
    points = np.concatenate([own, np.tile(history.context, (len(own), 1))], axis=1)
    found = certificate(policy, problem, history, points)
    possible = found.chances.min(axis=0) > 1.0 - found.certainty
    certified = np.flatnonzero(found.certified)
    # Bounds take the time, and only what is certified has any use for them.
    bounds = certificate(policy, problem, history, points[certified])
    order = np.argsort(-bounds.lower[0], kind="stable")
    here = (history.points[:, space.dim :] == history.context).all(axis=1)
    return SafeSet(
        certainty=found.certainty,
        points=tuple(
            _point(problem, bounds, int(i), certified, own, tried[here], history.trials[here])
            for i in order[:_LISTED]
        ),
        certified=len(certified),
        considered=len(own),
        undecided=int((possible & ~found.certified).sum()),
        share=float(found.certified[sampled].mean()),
        note=" ".join(
            [
                *_notes(policy, problem, history, found, own),
                *_strict(problem, found, people),
            ]
        ),
    )


def _looked_at(
    space: Space, tried: Array, rng: np.random.Generator
) -> tuple[Array, NDArray[np.bool_]]:
    """What was tried and a sample of the space, each point once; and which are of the sample."""
    known = np.unique(tried, axis=0)
    if space.restricted:
        sample = space.sample(_SAMPLE, rng)
    else:
        sample = space.snap(rng.uniform(size=(_SAMPLE, space.dim)))
    both, places = np.unique(np.concatenate([known, sample]), axis=0, return_inverse=True)
    sampled = np.zeros(len(both), dtype=bool)
    sampled[places.ravel()[len(known) :]] = True
    return both, sampled


def _point(
    problem: Problem,
    found: Certificate,
    index: int,
    certified: np.ndarray,
    own: Array,
    tried: Array,
    trials: np.ndarray,
) -> SafePoint:
    """The point `index` of those `certified`, of which `found` has the bounds."""
    space, point = problem.space, int(certified[index])
    sign = problem.objective.sign
    ends = sorted((sign * float(found.lower[0, index]), sign * float(found.upper[0, index])))
    lower, upper = {problem.objective.name: ends[0]}, {problem.objective.name: ends[1]}
    chances = {}
    for i, constraint in enumerate(problem.constraints):
        each = [float(side[1 + i, index]) for side in (found.lower, found.upper)]
        low, high = sorted(constraint.answered(margin) for margin in each)
        if constraint.at_least is not None and constraint.at_most is not None:
            # A margin of m or more: at least m from both ends.
            low, high = constraint.at_least + each[0], constraint.at_most - each[0]
        lower[constraint.name], upper[constraint.name] = low, high
        chances[constraint.name] = min(float(found.chances[i, index]), 1.0)
    return SafePoint(
        values=space[point] if isinstance(space, Arms) else space.decode(own[point]),
        chance=min(float(found.chance[index]), 1.0),  # sums of weights may round above 1
        chances=chances,
        lower=lower,
        upper=upper,
        trials=len(np.unique(trials[(tried == own[point]).all(axis=1)])),
        declared=bool(found.declared[index]),
    )


def _notes(
    policy: Policy, problem: Problem, history: History, found: Certificate, own: Array
) -> list[str]:
    notes, kept = list[str](), np.flatnonzero(found.suffices)
    if not found.certified.any():
        notes.append(EMPTY)
    elif not len(kept):
        notes.append(DECLARED)
    if found.contradicted.any():
        notes.append(REVOKED)
    notes += doubts(policy, problem, history, found)
    space = problem.space
    if len(kept) and not isinstance(space, Arms):
        rows = [space.decode(point) for point in own[kept]]
        columns = {name: [row[name] for row in rows if name in row] for name in space.names}
        ranges = ", ".join(
            f"{name} from {min(column):.4g} to {max(column):.4g}"
            for name, column in columns.items()
            if column and isinstance(space.parameters[name], Float | Int)
        )
        notes.append(f"Certified points lie within {ranges}." if ranges else "")
    if (count := int(found.certified.sum())) > _LISTED:
        notes.append(f"The first {_LISTED} of {count} certified points are listed.")
    return [note for note in notes if note]


def _strict(problem: Problem, found: Certificate, people: Sequence[str]) -> list[str]:
    """Who answers differently about what, where that is beyond doubt: by two sds or more."""
    notes = []
    for i, constraint in enumerate(problem.constraints, start=1):
        scale = float(found.evidence.scale[i])
        for person, (mean, sd) in found.evidence.beliefs[i].strictness().items():
            if abs(mean) < 2.0 * sd:
                continue
            how = "stricter" if mean > 0.0 else "more lenient"
            than = "the average of all"
            if constraint.answer != "yes/no":
                than += f" by {scale * abs(mean):.2g} (sd {scale * sd:.2g})"
            notes.append(f"{people[person]} is {how} about {constraint.name} than {than}.")
    return notes
