"""A round of a constraint learner that certifies by the posterior: facts in, a choice out.

The rule is in `constraints.seeking`, the certificates are those of `constraints.certificate`, which
a study shows as its safe set: what is certified is what is optimised over, and what is returned.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.spatial.distance import cdist

from counsel.acquisition.local_search import starts_in
from counsel.constraints.certificate import Certificate, certify, warnings
from counsel.constraints.seeking import LESS_OPTIMISM, Search, Step
from counsel.errors import NothingToExplain
from counsel.facts.history import Array, History
from counsel.facts.problem import Problem
from counsel.facts.records import Prediction
from counsel.policies.candidates import NONE_SAFE, allowed_points, first_trial, in_space
from counsel.policies.certified_score import CertifiedScore
from counsel.policies.learner_score import Phase
from counsel.policies.protocol import Choice
from counsel.space import Arms

if TYPE_CHECKING:
    from counsel.policies.constraint_learner import ConstraintLearner

__all__ = [
    "certificate",
    "joint",
    "optimism",
    "predict",
    "propose",
    "question",
    "safe_sets",
    "score",
]

REVOKED = "The point that was declared safe no longer counts as safe: the answers contradict it."
EXHAUSTED = (
    "The budget for exploring is used up and {count} points are undecided: raise `budget` to "
    "settle them."
)
CAPPED = (
    "{count} points may be safe and better, but none can be tried under the risk limit of "
    "{limit:g}, nor learned about from points that can: raise `risk_limit` or {remedy}."
)
UNKNOWN = (
    "Nothing is known yet, so a risk limit of {limit:g} cannot be promised here: override this "
    "with a point you trust, or name a safe point."
)
FAR = (
    "No point is known to be safe. This one is the likeliest to be of those far from all that was "
    "asked about: accept it, override it with a point you trust, or tell more answers."
)
UNCERTAIN = "Nothing is certified yet. All constraints hold here with a chance of {chance:.0%}."
EXPANDING = (
    "This trial is there to learn about {count} points that may be safe and better, but are beyond "
    "the risk limit of {limit:g}."
)
_MOST_BUDGET = 60
# Over a box: points spread over all of it, and around how many trials how many more.
_SPREAD, _CENTRES, _AROUND = 256, 3, 40


class _Round(NamedTuple):
    points: Array  # (M, d) the points that may be chosen from, context columns last
    search: Search
    free: np.ndarray  # (M,) allowed, and not under way
    explored: int  # trials at points that are not certified


def propose(policy: "ConstraintLearner", problem: Problem, history: History) -> Choice:
    names = tuple(constraint.name for constraint in problem.constraints)
    first = first_trial(policy.safe, problem, history)
    if first is not None:
        vouched = policy.safe is not None and np.array_equal(
            first.point, problem.space.encode(dict(policy.safe))
        )
        if policy.risk_limit is None or vouched or not policy.attentive:
            return first
        return replace(first, note=UNKNOWN.format(limit=policy.risk_limit))
    round = _round(policy, problem, _whole(history))
    search, found = round.search, round.search.certificate
    step, left = _stepped(policy, round)
    capped = left and not step.exploring
    notes = _notes(policy, search, stopped=not left, capped=capped)
    notes += warnings(
        problem,
        _whole(history),
        found,
        standardise=policy.standardise,
        gathered=policy.gathered if policy.gathers else None,
        watchful=policy.centred,
    )
    if step.exploring and search.incumbent is None and policy.attentive:
        notes.append(UNCERTAIN.format(chance=found.chance[step.point]))
    if step.expanding and policy.attentive:
        beyond = int((search.open & ~search.within).sum())
        notes.append(EXPANDING.format(count=beyond, limit=policy.risk_limit))
    if not step.exploring and not found.certified[step.point]:
        most = np.max(found.chance, where=search.allowed & round.free, initial=0.0)
        notes.append(FAR if search.lost and found.chance[step.point] < most else NONE_SAFE)
    mean, sd = float(found.at[0].mean[step.point]), float(found.at[0].sd[step.point])
    offset, scale = float(found.evidence.offset[0]), float(found.evidence.scale[0])
    terms = {"improvement": step.worth}
    if not step.exploring:
        terms = {"exploitation": offset + scale * mean}
        if found.certified[step.point]:
            terms["approximation"] = step.worth - terms["exploitation"]
    chances = _shared(names, found.chances[:, step.point])
    return Choice(
        point=round.points[step.point, : problem.space.dim],
        arm=step.point if problem.space.finite else None,
        mean=offset + scale * mean,
        sd=scale * sd,
        terms=terms,
        asks=_asks(policy, names, search, step),
        note=" ".join(notes),
        chances=chances,
    )


def score(policy: "ConstraintLearner", problem: Problem, history: History) -> CertifiedScore | None:
    """What `propose` maximises in this round."""
    if first_trial(policy.safe, problem, history) is not None:
        return None
    history = _whole(history)
    round = _round(policy, problem, history)
    search, found = round.search, round.search.certificate
    step, _ = _stepped(policy, round)
    if step.expanding:
        raise NothingToExplain(
            "This trial is there to learn about points beyond the risk limit; it was not chosen "
            "for what it is itself."
        )
    phase: Phase = "exploring"
    if not step.exploring:
        phase = "optimising" if found.certified[step.point] else "hoping"
    mean = found.at[0].mean
    least = mean.min() if search.incumbent is None else mean[search.incumbent]
    return CertifiedScore(policy, problem, history, phase, float(least))


def _stepped(policy: "ConstraintLearner", round: _Round) -> tuple[Step, bool]:
    """Where to go, and whether the budget for exploring has anything left."""
    budget = policy.budget
    if budget is None:
        budget = min(3 * int(round.search.allowed.sum()), _MOST_BUDGET)
    left = round.explored < budget
    step = round.search.explore(round.free) if left else None
    return step or round.search.exploit(round.free), left


def _asks(
    policy: "ConstraintLearner", names: tuple[str, ...], search: Search, step: Step
) -> tuple[str, ...]:
    """What to ask about a trial, all known beforehand; likeliest to fail first."""
    share = float(policy.ask_share)
    if share <= 0.0 or len(search.certificate.chances) < len(names):
        return names
    if step.expanding and policy.attentive:
        return tuple(names[i] for i in search.tells(step.point))
    if search.asks_at(step.point, expanding=step.expanding):
        return tuple(names[i] for i in search.together(step.point, share))
    return (names[_watched(search, step.point)],) if search.watch and names else ()


def _watched(search: Search, point: int) -> int:
    """The constraint that is least certain at a certified point."""
    return int(np.argmin(search.certificate.chances[:, point]))


def question(
    policy: "ConstraintLearner",
    problem: Problem,
    history: History,
    point: Array,
    answers: Mapping[str, float],
) -> str | None:
    names = tuple(constraint.name for constraint in problem.constraints)
    left = [name for name in names if name not in answers]
    if not left:
        return None
    nobody = not history.measured[:, 1:].any()  # of a first trial everything is asked
    if nobody or policy.gathers or policy.ask_share <= 0.0:
        return left[0]
    given = np.array([[0.0, *(answers.get(name, 0.0) for name in names)]])
    known = np.array([[False, *(name in answers for name in names)]])
    round = _round(policy, problem, history, (point, given, known))
    at = int(np.flatnonzero((round.points == point).all(axis=1))[0])
    search, asked = round.search, known[0, 1:]
    costs = np.array([constraint.cost for constraint in problem.constraints])
    # An expanding trial is about other points, so its own fate does not end the questions.
    limited = search.risk_limit is not None
    expanding = limited and bool(search.certificate.certified[at]) and not policy.attentive
    if search.asks_at(at, expanding=expanding, asked=asked):
        best = search.question(at, asked, costs)
        if best is not None or not policy.attentive:
            return None if best is None else names[best]
    if limited and policy.attentive and search.within[at]:
        telling = [i for i in search.tells(at, costs) if not asked[i]]
        if telling:
            return names[telling[0]]
    watched = _watched(search, at)
    return names[watched] if search.watch and not asked.any() else None


def certificate(
    policy: "ConstraintLearner", problem: Problem, history: History, points: Array
) -> Certificate:
    """What is certified of encoded points, of the outcomes that the policy models."""
    history = _whole(history)
    return certify(
        problem,
        history,
        points,
        certainty=policy.certainty,
        safe=None if policy.safe is None else dict(policy.safe),
        drifting=policy.drifting,
        standardise=policy.standardise,
        unasked=policy.unasked,
        jointly=policy.attentive,
        centred=policy.centred,
        gathered=policy.gathered if policy.gathers else None,
    )


def predict(
    policy: "ConstraintLearner", problem: Problem, history: History, points: Array
) -> list[Prediction]:
    found = certificate(policy, problem, history, points)
    offset, scale = float(found.evidence.offset[0]), float(found.evidence.scale[0])
    at = found.at[0]
    return [
        Prediction(offset + scale * float(mean), scale * float(sd))
        for mean, sd in zip(at.mean, at.sd, strict=True)
    ]


def noise(policy: "ConstraintLearner", problem: Problem, history: History, points: Array) -> Array:
    found = certificate(policy, problem, history, points)
    belief = found.at[0].belief
    sd = float(found.evidence.scale[0]) * float(belief.weight @ belief.noise) ** 0.5
    return np.full(len(points), sd)


def joint(
    policy: "ConstraintLearner", problem: Problem, history: History, points: Array
) -> tuple[Array, Array]:
    found = certificate(policy, problem, history, points)
    offset, scale = float(found.evidence.offset[0]), float(found.evidence.scale[0])
    mean, covariance = found.at[0].joint()
    return offset + scale * mean, scale**2 * covariance


def left_out(
    policy: "ConstraintLearner", problem: Problem, history: History
) -> tuple[Array, Array, Array]:
    found = certificate(policy, problem, history, history.x)
    offset, scale = float(found.evidence.offset[0]), float(found.evidence.scale[0])
    mean, sd = found.at[0].left_out((history.y - offset) / scale)
    return history.y, offset + scale * mean, scale * sd


def safe_sets(policy: "ConstraintLearner", problem: Problem, history: History) -> Array | None:
    """After each trial: the shares of points that were certified, and open."""
    count = int(history.trials.max(initial=-1)) + 1
    if count == 0 or not history.measured[:, 1:].any():
        return None
    shares = np.zeros((count, 2))
    points = _targets(policy, problem, history)
    for trial in range(count):
        kept = history.trials <= trial
        until = _part(history, kept)
        if not until.measured[:, 1:].any():
            continue
        found = certificate(policy, problem, until, points)
        tried = _tried(policy, until, points)
        every = np.ones(len(points), dtype=bool)
        search = Search(
            found,
            every,
            policy.risk_limit,
            tried=tried,
            hope=_hope(policy, problem),
            choosy=_choosy(policy, problem),
        )
        shares[trial] = found.certified.mean(), search.open.mean()
    return shares


def _round(
    policy: "ConstraintLearner",
    problem: Problem,
    history: History,
    extra: tuple[Array, Array, np.ndarray] | None = None,
) -> _Round:
    """What is believed of the points to choose from; `extra` is a trial under way."""
    points, before = _targets(policy, problem, history), history
    if extra is not None:
        point, given, known = extra
        history = _with(history, point, given, known)
        if not (points == point).all(axis=1).any():
            points = np.concatenate([points, point[None, :]])
    allowed, free = allowed_points(problem, history, points)
    found = certificate(policy, problem, history, points)
    least = 0.0 if problem.space.finite else float(policy.tolerance)
    # The trial under way does not count: what is worth trying is worth asking about.
    tried = _tried(policy, before, points)
    hope = _hope(policy, problem)
    apart = _apart(policy, before, points)
    choosy = _choosy(policy, problem)
    search = Search(
        found,
        allowed,
        policy.risk_limit,
        policy.drifting,
        least,
        tried,
        hope,
        apart,
        choosy,
        optimism(policy, problem),
    )
    return _Round(points, search, free, _explored(history, points, found, choosy=choosy))


def _targets(policy: "ConstraintLearner", problem: Problem, history: History) -> Array:
    """The points to choose from: all arms, or points that stand for a box.

    Of a box: points spread over all of it, all that was tried, and points around the trials that
    are certified, or else are likeliest to be: the set is renewed as these change.
    """
    space = problem.space
    if isinstance(space, Arms):
        own = space.points
    else:
        rng = np.random.default_rng([history.seed, 0])
        spread = space.snap(rng.uniform(size=(_SPREAD, space.dim)))
        spread = starts_in(space, spread, _SPREAD, rng) if space.restricted else spread
        tried = np.unique(history.points[:, : space.dim], axis=0)
        own = np.concatenate([in_space(space, spread, history), tried])
        if len(tried):
            here = np.concatenate([tried, np.tile(history.context, (len(tried), 1))], axis=1)
            found = certificate(policy, problem, history, here)
            worth = np.where(found.certified, 10.0 + found.at[0].mean, found.chance)
            centres = tried[np.argsort(-worth, kind="stable")[:_CENTRES]]
            rng = np.random.default_rng([history.seed, history.t])
            steps = rng.standard_normal((len(centres), _AROUND, space.dim))
            steps *= np.geomspace(0.01, 0.3, _AROUND)[None, :, None]
            near = np.clip(centres[:, None, :] + steps, 0.0, 1.0).reshape(-1, space.dim)
            near = in_space(space, space.snap(near), history)
            own = np.concatenate([own, near[space.fits(near)]])
        own = np.unique(own, axis=0)
    return np.concatenate([own, np.tile(history.context, (len(own), 1))], axis=1)


def _explored(history: History, points: Array, found: Certificate, *, choosy: bool = False) -> int:
    """How many trials were at points that are not certified, or are not among the points.

    A choosy search counts those that were asked about: a point that was optimised over for long,
    and is in doubt again, would use up the budget at once.
    """
    asked = history.measured[:, 1:].any(axis=1) | (not choosy)
    _, firsts = np.unique(history.trials[asked], return_index=True)
    rows = np.ascontiguousarray(history.points[asked][firsts])
    known = {row.tobytes() for row in np.ascontiguousarray(points[found.certified])}
    return sum(row.tobytes() not in known for row in rows)


def _tried(policy: "ConstraintLearner", history: History, points: Array) -> np.ndarray | None:
    """In how many trials each point was asked about; None where the search is not gentle."""
    if not policy.gentle:
        return None
    asked = history.measured[:, 1:].any(axis=1)
    _, firsts = np.unique(history.trials[asked], return_index=True)
    rows = np.ascontiguousarray(history.points[asked][firsts])
    count = Counter(row.tobytes() for row in rows)
    return np.array([count[row.tobytes()] for row in np.ascontiguousarray(points)], dtype=np.int64)


def _apart(policy: "ConstraintLearner", history: History, points: Array) -> Array | None:
    """How far each point is from all that was asked about; None where nothing has to be found.

    Where a person vouched for a point, there is one to return to.
    """
    if not policy.persistent or policy.safe is not None:
        return None
    asked = history.points[history.measured[:, 1:].any(axis=1)]
    found: Array = np.ones(len(points))
    if len(asked):
        found = cdist(points, asked).min(axis=1)
    return found


def _hope(policy: "ConstraintLearner", problem: Problem) -> float | None:
    """Over a box nearly no point was tried, but every one has neighbours that were."""
    return policy.hope if problem.space.finite else None


def optimism(policy: "ConstraintLearner", problem: Problem) -> float:
    """Over a box there is always a neighbour about which less is known."""
    return policy.optimism if problem.space.finite else min(policy.optimism, LESS_OPTIMISM)


def _choosy(policy: "ConstraintLearner", problem: Problem) -> bool:
    return policy.gentle and policy.choosy and problem.space.finite


def _whole(history: History) -> History:
    """A history without constraints as one with none of them: every row is a trial."""
    if len(history.points) or not len(history.y):
        width = history.x.shape[1]
        return history if history.points.shape[1] else replace(history, points=np.zeros((0, width)))
    count = len(history.y)
    return replace(
        history,
        points=history.x,
        outcomes=history.y[:, None],
        measured=np.ones((count, 1), dtype=bool),
        trials=np.arange(count),
        people=np.zeros(count, dtype=np.int64),
    )


def _part(history: History, kept: np.ndarray) -> History:
    """The history of some rows only, as far as certificates look at it."""
    return replace(
        history,
        points=history.points[kept],
        outcomes=history.outcomes[kept],
        measured=history.measured[kept],
        trials=history.trials[kept],
        people=history.people[kept],
    )


def _with(history: History, point: Array, given: Array, known: np.ndarray) -> History:
    """The history and one more row: the answers about a trial under way."""
    trial = history.trials.max(initial=-1) + 1
    return replace(
        history,
        points=np.concatenate([history.points, point[None, :]]),
        outcomes=np.concatenate([history.outcomes, given]),
        measured=np.concatenate([history.measured, known]),
        trials=np.append(history.trials, trial),
        people=np.append(history.people, 0),
    )


def _notes(
    policy: "ConstraintLearner",
    search: Search,
    *,
    stopped: bool,
    capped: bool,
) -> list[str]:
    found, notes = search.certificate, []
    undecided = int(search.open.sum())
    if found.contradicted.any():
        notes.append(REVOKED)
    if stopped and undecided:
        notes.append(EXHAUSTED.format(count=undecided))
    if capped and undecided and policy.risk_limit is not None:
        named = policy.safe is not None and policy.attentive
        remedy = "tell answers about a point that you trust" if named else "name a safe point"
        notes.append(CAPPED.format(count=undecided, limit=policy.risk_limit, remedy=remedy))
    return notes


def _shared(names: tuple[str, ...], chance: Array) -> dict[str, float]:
    if len(chance) < len(names):
        chance = np.repeat(chance ** (1.0 / len(names)), len(names))
    return {name: float(each) for name, each in zip(names, chance, strict=True)}
