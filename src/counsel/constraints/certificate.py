r"""Which points are certified to be safe: by the chance, given all answers, that everything holds.

$$ \text{certified} = \{x : P(c_1(x) \ge 0, \ldots, c_k(x) \ge 0 \mid \text{answers})
   \ge \text{certainty}\} $$

Under the model such a statement is right with that probability whenever one stops to look, so no
union over points and rounds is needed. The chance averages over hyper-parameters
(`models.believing`). Outcomes are believed independently of each other, so their chances multiply;
where they are believed together, one less the sum of the chances to fail is a lower bound.

A model can be wrong about a place where nobody asked, and a resonance between two tried points is
seen by no model. So the chance to fail of a constraint that was never asked about at a point counts
`unasked` times there. It changes what is certified, not the chances themselves.

A point that a person vouched for counts as certified until the answers contradict it: until some
constraint fails there with a probability of at least `certainty`, or, `jointly`, one of those that
were asked about there.

Certificates are a function of the facts, whatever policy proposes.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from jaxtyping import Bool, Float

from counsel.facts.history import Array, History, Mask
from counsel.facts.problem import Constraint, Problem
from counsel.models.believing import believe
from counsel.models.outcomes import Answers, At, Belief, Prior, numbers

__all__ = ["CERTAINTY", "Certificate", "Evidence", "certify", "gather", "warnings"]

CERTAINTY = 0.98
# How often the chance that a constraint fails counts where nobody asked about it. Chosen on
# instances that no table reports: every unsafe point certified there failed in what nobody had
# asked about at that point.
UNASKED = 3.0
# With a right model, an answer that the others make as unlikely as this comes once in so many runs.
_UNEXPECTED = 1e-4
_MANY_ROWS = 48
# Beliefs that are kept: those of one round, of which the next changes a few.
_KEPT = 48
# Whether answers change over time is judged by so many of the newest, and as if their noise could
# be anything: else more noise than was expected would be taken for change. Chosen on instances that
# no table reports: with the usual prior of 60 runs without change four were noted, so none.
_WATCHED, _ANY_NOISE = 400, 2.5
UNCOVERED = "The model does not expect some answers about {names}: its certificates may be wrong."
CHANGING = (
    "Answers about {names} seem to change over time, which this study does not expect: its "
    "certificates may be wrong. A study with drifting=True expects it."
)


class _Same:
    """Arguments that are equal where all their numbers are, so that a result can be kept."""

    def __init__(self, parts: tuple[Any, ...]) -> None:
        self.parts = parts
        self._key = tuple(
            (each.shape, each.tobytes()) if isinstance(each, np.ndarray) else each for each in parts
        )
        self._hash = hash(self._key)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self._key == other._key


# A trial changes what is believed of the outcomes that were answered, and of no others.
@lru_cache(maxsize=_KEPT)
def _believed(of: _Same) -> Belief:
    make, fields, (prior, centred) = of.parts[0], of.parts[1:-2], of.parts[-2:]
    answers: Answers = make(*fields)
    # Many answers leave little doubt about the settings; few of them are enough then.
    count = 32 if len(answers) <= _MANY_ROWS else 12
    return believe(answers, prior, count, centred=centred)


@lru_cache(maxsize=_KEPT)
def _at(belief: Belief, points: _Same, now: float | None) -> At:
    return belief.at(points.parts[0], now)


@dataclass(frozen=True, eq=False)
class Evidence:
    """A belief about each outcome, the objective first, and the units that it is in."""

    beliefs: tuple[Belief, ...]
    offset: Float[np.ndarray, " m"]
    scale: Float[np.ndarray, " m"]
    now: float | None  # the time to believe things of, where preferences drift

    def at(self, points: Float[np.ndarray, "M d"]) -> tuple[At, ...]:
        where = _Same((points,))
        return tuple(_at(belief, where, self.now) for belief in self.beliefs)

    def uncovered(self) -> tuple[int, ...]:
        """The outcomes with answers that the model cannot have expected."""
        return tuple(
            i
            for i, belief in enumerate(self.beliefs)
            if len(belief.answers) > 2
            and belief.surprise().min() < _UNEXPECTED / len(belief.answers)
        )


def gather(
    points: Float[np.ndarray, "n d"],
    outcomes: Float[np.ndarray, "n m"],
    measured: Bool[np.ndarray, "n m"],
    *,
    constraints: Sequence[Constraint] | None = None,
    people: np.ndarray | None = None,
    times: np.ndarray | None = None,
    now: float | None = None,
    standardise: bool = True,
    centred: bool = True,
    watching: bool = False,
) -> Evidence:
    """What the answers say of each outcome; the rows may be parts of trials, in any order.

    `watching` for change over time, the noise of constraints may be anything.
    """
    beliefs, offsets, scales = [], [], []
    given: tuple[Any, ...]
    for i in range(outcomes.shape[1]):
        rows = np.flatnonzero(measured[:, i])
        y = outcomes[rows, i]
        constraint = constraints[i - 1] if i and constraints is not None else None
        several = people is not None and i > 0 and len(np.unique(people[rows])) > 1
        person = people[rows] if several and people is not None else None
        time = times[rows] if times is not None and i > 0 else None
        if constraint is not None and constraint.answer != "number":
            offset, scale = 0.0, 1.0
            given = (_ranges, points[rows], y, person, time, constraint)
            prior = Prior(variance=1.5, variance_sd=0.7, noise=0.1)
        else:
            offset, scale = _units(y, margin=i > 0) if standardise else (0.0, 1.0)
            given = (numbers, points[rows], (y - offset) / scale, person, time)
            # The first trials lie close together, and pay alike: their scale says little.
            prior = Prior() if i else Prior(few=8.0, free=True)
        if watching and i > 0:
            prior = replace(prior, noise_sd=_ANY_NOISE)
        beliefs.append(_believed(_Same((*given, prior, centred))))
        offsets.append(offset)
        scales.append(scale)
    return Evidence(tuple(beliefs), np.array(offsets), np.array(scales), now)


def _ranges(
    x: Array,
    margin: Array,
    person: np.ndarray | None,
    time: np.ndarray | None,
    constraint: Constraint,
) -> Answers:
    """Answers that are levels: the cut points around each of them, the threshold's cut at 0."""
    low, high = margin - 0.5, margin + 0.5
    least, most = (constraint.margin(level) for level in constraint.ends)
    low = np.where(margin <= min(least, most), -np.inf, low)
    high = np.where(margin >= max(least, most), np.inf, high)
    none = np.zeros(len(margin))
    return Answers(x, margin, none + 1.0, none, low, high, person, time)


def _units(y: Array, *, margin: bool) -> tuple[float, float]:
    """Offset and scale: the objective has mean 0 and sd 1, a margin a mean square of 1.

    A margin's 0 is its threshold and stays. Few answers underestimate a scale as easily as they
    overestimate it, and only the former certifies what is not safe: so few count as less.
    """
    if len(y) == 0:
        return 0.0, 1.0
    largest = float(np.abs(y).max())
    offset = 0.0 if margin else float(y.mean())
    apart = np.abs(y - offset)
    unit = float(apart.max())
    if not np.isfinite(unit) or unit <= 1e-13 * max(largest, 1e-300):
        return offset, largest if largest > 0.0 else 1.0
    n = len(y)
    few = 1.0 + 3.0 / n if margin else (1.0 + 8.0 / n**2) * n / (n - 1.0)
    return offset, unit * float(np.sqrt(((apart / unit) ** 2).mean() * few))


@dataclass(frozen=True, eq=False)
class Certificate:
    """What is certified of M points. Arrays over constraints and points are (k, M).

    `asked` is which constraints were asked about at which points.
    """

    evidence: Evidence
    at: tuple[At, ...]
    certainty: float
    vouched: Bool[np.ndarray, " M"]
    asked: Bool[np.ndarray, "k M"]
    unasked: float = 1.0
    jointly: bool = False

    @cached_property
    def chances(self) -> Float[np.ndarray, "k M"]:
        """How likely each constraint holds."""
        none = np.ones((0, len(self.vouched)))
        return np.concatenate([none, *(each.chance()[None] for each in self.at[1:])])

    @cached_property
    def chance(self) -> Float[np.ndarray, " M"]:
        """How likely all of them hold."""
        return self.chances.prod(axis=0)

    @cached_property
    def counted(self) -> Float[np.ndarray, "k M"]:
        """How likely each constraint holds, as it counts for a certificate."""
        failing = np.where(self.asked, 1.0, self.unasked) * (1.0 - self.chances)
        return np.maximum(1.0 - failing, 0.0)

    @cached_property
    def suffices(self) -> Bool[np.ndarray, " M"]:
        """Where the answers alone certify."""
        return self.counted.prod(axis=0) >= self.certainty

    @cached_property
    def contradicted(self) -> Bool[np.ndarray, " M"]:
        """Vouched for, but the answers say otherwise."""
        holds = self.chances.min(axis=0, initial=1.0)
        if self.jointly:  # what nobody asked about contradicts nothing
            answered: np.ndarray = np.where(self.asked, self.chances, 1.0).prod(axis=0)
            holds = np.minimum(holds, answered)
        return self.vouched & (holds <= 1.0 - self.certainty)

    @cached_property
    def certified(self) -> Bool[np.ndarray, " M"]:
        return self.suffices | (self.vouched & ~self.contradicted)

    @cached_property
    def declared(self) -> Bool[np.ndarray, " M"]:
        """In the safe set only because a person vouched for it: the answers do not suffice."""
        return self.certified & ~self.suffices

    @cached_property
    def surely(self) -> Float[np.ndarray, " M"]:
        """What the objective surely is, to compare points: more with probability `certainty`.

        The unit is taken as known, which changes how wide all bounds are, and not their order much.
        """
        found = self.at[0].quantile(1.0 - self.certainty)
        with np.errstate(over="ignore"):  # values at the end of the range: the order is kept
            return self.evidence.offset[0] + self.evidence.scale[0] * found

    @cached_property
    def lower(self) -> Float[np.ndarray, "m M"]:
        """Each outcome is more than this with probability `certainty`, in its own units.

        Nothing but the answers says how large a measured outcome is, and the first of them may be
        close to 0 or to each other: its unit is taken as unknown. A constraint that holds with
        probability `certainty` has a margin of 0 or more with just that.
        """
        found = self._quantiles(1.0 - self.certainty)
        found[1:] = np.where(self.chances >= self.certainty, np.maximum(found[1:], 0.0), found[1:])
        return found

    @cached_property
    def upper(self) -> Float[np.ndarray, "m M"]:
        found = self._quantiles(self.certainty)
        fails = self.chances <= 1.0 - self.certainty
        found[1:] = np.where(fails, np.minimum(found[1:], 0.0), found[1:])
        return found

    def _quantiles(self, share: float) -> Float[np.ndarray, "m M"]:
        found = np.stack([each.quantile(share, unit_unknown=_measured(each)) for each in self.at])
        return self.evidence.offset[:, None] + self.evidence.scale[:, None] * found

    def bounded(self, truth: Float[np.ndarray, "m M"], outside: float) -> Bool[np.ndarray, " m"]:
        """Whether each outcome is within its bounds everywhere, were they to miss in `outside`.

        As `lower` and `upper` at another certainty, without computing them.
        """
        found = np.zeros(len(truth), dtype=bool)
        for i, at in enumerate(self.at):
            value = (truth[i] - self.evidence.offset[i]) / self.evidence.scale[i]
            below = at.share_below(value, unit_unknown=_measured(at))
            within = (below >= 0.5 * outside) & (below <= 1.0 - 0.5 * outside)
            if i:
                within &= ~((self.chances[i - 1] >= 1.0 - 0.5 * outside) & (truth[i] < 0.0))
                within &= ~((self.chances[i - 1] <= 0.5 * outside) & (truth[i] > 0.0))
            found[i] = within.all()
        return found


def _measured(at: At) -> bool:
    """Whether answers are numbers; of levels the cuts between them are the unit."""
    return at.belief.answers.low is None


def certify(
    problem: Problem,
    history: History,
    points: Float[np.ndarray, "M d"],
    *,
    certainty: float = CERTAINTY,
    safe: Mapping[str, object] | None = None,
    drifting: bool = False,
    standardise: bool = True,
    unasked: float = 1.0,
    jointly: bool = False,
    centred: bool = True,
    gathered: Callable[[Array, Mask], tuple[Array, Mask]] | None = None,
) -> Certificate:
    """The certificates of encoded points (context columns last) after all that was told.

    `safe` is a point that a person vouches for; `gathered` makes fewer outcomes of all of them;
    `unasked` is how often the chance to fail counts where nobody asked; `jointly` is how a vouched
    point is contradicted, `centred` how hyper-parameters are averaged over (`models.believing`).
    """
    evidence, measured = _told(
        problem, history, gathered, drifting=drifting, standardise=standardise, centred=centred
    )
    vouched = np.zeros(len(points), dtype=bool)
    if safe is not None:
        space = problem.space
        vouched = (points[:, : space.dim] == space.encode(dict(safe))).all(axis=1)
    asked = _asked(history.points, measured, points)
    return Certificate(evidence, evidence.at(points), certainty, vouched, asked, unasked, jointly)


def _told(
    problem: Problem,
    history: History,
    gathered: Callable[[Array, Mask], tuple[Array, Mask]] | None,
    *,
    drifting: bool,
    standardise: bool,
    centred: bool = True,
    watching: bool = False,
) -> tuple[Evidence, Mask]:
    """What the history says of each outcome, and which of them were measured in its rows."""
    outcomes, measured = history.outcomes, history.measured
    if gathered is not None:
        outcomes, measured = gathered(outcomes, measured)
    evidence = gather(
        history.points,
        outcomes,
        measured,
        constraints=problem.constraints if gathered is None else None,
        people=history.people,
        times=history.trials.astype(np.float64) if drifting else None,
        now=float(history.trials.max(initial=-1) + 1) if drifting else None,
        standardise=standardise,
        centred=centred,
        watching=watching,
    )
    return evidence, measured


def warnings(
    problem: Problem,
    history: History,
    found: Certificate,
    *,
    standardise: bool = True,
    gathered: Callable[[Array, Mask], tuple[Array, Mask]] | None = None,
    watchful: bool = True,
) -> list[str]:
    """Where answers speak against the model: sentences.

    `watchful` also looks for answers that change over time, where the model has them constant: a
    model in which they drift has to explain them so many times better that, did they not, one run
    in 1 / (1 - certainty) would ever come to that (Ville's inequality, over all constraints).
    """
    names = ("the objective", *(each.name for each in problem.constraints))
    if len(found.evidence.beliefs) < len(names):
        names = "the objective", "the constraints"
    notes = []
    uncovered = found.evidence.uncovered()
    if uncovered:
        notes.append(UNCOVERED.format(names=", ".join(names[i] for i in uncovered)))
    if watchful and found.evidence.now is None and len(names) > 1:
        newest = replace(
            history,
            points=history.points[-_WATCHED:],
            outcomes=history.outcomes[-_WATCHED:],
            measured=history.measured[-_WATCHED:],
            trials=history.trials[-_WATCHED:],
            people=history.people[-_WATCHED:],
        )
        still, moving = (
            _told(
                problem,
                newest,
                gathered,
                drifting=drifting,
                standardise=standardise,
                watching=True,
            )[0]
            for drifting in (False, True)
        )
        least = math.log((len(names) - 1.0) / (1.0 - found.certainty))
        better = [
            b.evidence - a.evidence for a, b in zip(still.beliefs, moving.beliefs, strict=True)
        ]
        changing = [
            name for name, gain in list(zip(names, better, strict=True))[1:] if gain > least
        ]
        if changing:
            notes.append(CHANGING.format(names=", ".join(changing)))
    return notes


def _asked(
    rows: Float[np.ndarray, "n d"],
    measured: Bool[np.ndarray, "n m"],
    points: Float[np.ndarray, "M d"],
) -> Bool[np.ndarray, "k M"]:
    """Which constraints were asked about at which points."""
    index: dict[bytes, list[int]] = {}
    for i, point in enumerate(np.ascontiguousarray(points)):
        index.setdefault(point.tobytes(), []).append(i)
    found = np.zeros((measured.shape[1] - 1, len(points)), dtype=bool)
    for row, known in zip(np.ascontiguousarray(rows), measured[:, 1:], strict=True):
        for i in index.get(row.tobytes(), ()):
            found[:, i] |= known
    return found
