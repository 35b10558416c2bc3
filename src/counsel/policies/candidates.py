"""Orders a study's facts for a rule that chooses among a finite set of points.

Over arms the set is the arms. Over a box it is spread-out points, points around the best trial, and
every point tried. Trials in another context are points of their own that cannot be chosen.
"""

from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from counsel.acquisition.local_search import held_at
from counsel.acquisition.maximise import candidates_for
from counsel.errors import InvalidInput, NothingToPropose
from counsel.facts.history import Array, History, Mask
from counsel.facts.problem import Problem
from counsel.models import multitask
from counsel.models.gp import bucket
from counsel.policies.protocol import Choice
from counsel.policies.random import draw, excluded, near_failures, refused_arms, spent
from counsel.space import Arms, Space

# Beyond this many (outcome, point) pairs a joint belief takes more than a second a round.
MOST_PAIRS = 4096
_BOX_PAIRS = 384
NONE_SAFE = (
    "No point is known to be safe. This one is the likeliest to be: accept it, override it with a "
    "point you trust, or tell more answers."
)


@runtime_checkable
class Modelled(Protocol):
    """What candidates need to know about a policy."""

    @property
    def standardise(self) -> bool: ...
    @property
    def drifting(self) -> bool: ...
    @property
    def safe(self) -> tuple[tuple[str, Any], ...] | None: ...
    def gathered(self, outcomes: Array, measured: Mask) -> tuple[Array, Mask]: ...


class Candidates(NamedTuple):
    """A study's facts, ordered for the rule: P points, some of them eligible, and n trials."""

    points: Array  # (P, d) the chosen columns, the context, and what drifts
    given: Mask  # (P,) known in advance to be safe
    choosable: Mask  # (P,) belongs to the space, in today's context
    allowed: Mask  # (P,) may be proposed
    free: Mask  # (P,) and is not pending
    where: np.ndarray  # (n,) the point of each trial
    outcomes: Array  # (n, m) standard units
    measured: Mask  # (n, m)
    units: tuple[Array, Array]  # offset and scale of each outcome
    rows: multitask.Rows  # the same trials, collapsed
    drift: Array  # the current values of the columns that drift
    chosen: int  # number of columns that a policy chooses


def candidates_of(
    facts: "Modelled", problem: Problem, history: History, at: Array | None = None
) -> Candidates:
    space = problem.space
    trials, outcomes, measured = trials_of(history)
    outcomes, measured = facts.gathered(outcomes, measured)
    units = _units(outcomes, measured) if facts.standardise else _no_units(outcomes.shape[1])
    standard = np.where(measured, (outcomes - units[0]) / units[1], 0.0)
    drift, now = _drift(outcomes, measured) if facts.drifting else _steady(len(trials))
    targets = _targets(problem, history, trials, outcomes, measured, drift.shape[1])
    here = np.concatenate([targets, np.tile([*history.context, *now], (len(targets), 1))], axis=1)
    placed = np.concatenate([trials, drift], axis=1)
    extra = [] if at is None else [np.concatenate([at, now])]
    points, real, index = _joined(here, np.concatenate([placed, *(e[None, :] for e in extra)]))
    if not facts.drifting:
        _check_pairs(len(points), outcomes.shape[1])
    current = np.concatenate([history.context, now])
    choosable = (points[:, space.dim :] == current).all(axis=1)
    choosable &= np.arange(len(points)) < (len(here) if space.finite else real)
    given = np.zeros(len(points), dtype=bool)
    if facts.safe is not None:
        given = (points[:, : space.dim] == space.encode(dict(facts.safe))).all(axis=1)
    allowed, free = allowed_points(problem, history, points, choosable)
    return Candidates(
        points,
        given,
        choosable,
        allowed,
        free,
        index[: len(trials)],
        standard,
        measured,
        units,
        multitask.collapsed(placed, standard, measured),
        now,
        space.dim,
    )


def check_problem(
    facts: "Modelled", problem: Problem, *, joint: bool = True, levels: bool = False
) -> None:
    """Refuse problems that cannot be solved: too many arms, or a `safe` point outside the space.

    `levels` says that answers need not be numbers.
    """
    for constraint in problem.constraints:
        if constraint.answer != "number" and not levels:
            raise InvalidInput(
                f"constraint {constraint.name!r} answer",
                constraint.answer,
                "This policy learns from numbers alone. Use dmcl or mcl as they are by default, "
                "or v-ucb or ei, which take such answers too.",
            )
    space, none = problem.space, np.zeros((0, 1 + len(problem.constraints)))
    outcomes, _ = facts.gathered(none, none.astype(bool))
    if isinstance(space, Arms) and joint and not facts.drifting:
        _check_pairs(len(space), outcomes.shape[1])
    if facts.safe is not None:
        space.validate(dict(facts.safe))


def first_trial(
    safe: tuple[tuple[str, Any], ...] | None, problem: Problem, history: History
) -> Choice | None:
    """The first trial, which asks about everything: at the given arm, or anywhere."""
    space, names = problem.space, tuple(c.name for c in problem.constraints)
    trials, _, _ = trials_of(history)
    if safe is not None:
        point = space.encode(dict(safe))
        tried = np.concatenate([trials, history.pending])[:, : space.dim]
        new = not (tried == point).all(axis=1).any()
        refused = (history.rejected == point).all(axis=1).any()
        if new and not refused:
            arm = space.index(dict(safe)) if isinstance(space, Arms) else None
            return Choice(point, arm=arm, asks=names)
    if len(trials) == 0:
        chosen = draw(space, history, spread=True)
        return Choice(chosen.point, arm=chosen.arm, asks=names)
    return None


def _check_pairs(points: int, outcomes: int) -> None:
    if points * outcomes > MOST_PAIRS:
        raise InvalidInput(
            "space",
            f"{points} points x {outcomes} outcomes",
            f"This policy takes up to {MOST_PAIRS} pairs. Give fewer arms, or use lw-ucb or ei, "
            "which weight by the probability that constraints hold.",
        )


def room(count: int) -> int:
    """The padded number of trials; coarse, because padding costs nothing in the fold."""
    size = 32
    while size < count:
        size *= 3
    return size


def trials_of(history: History) -> tuple[Array, Array, Mask]:
    """Join rows that were reported in parts: one trial each."""
    points, outcomes, measured = history.points, history.outcomes, history.measured
    if len(points) == 0 and len(history.y):  # no constraints: the objective alone
        points, outcomes = history.x, history.y[:, None]
        measured = np.ones((len(history.y), 1), dtype=bool)
    elif points.shape[1] == 0:
        points = history.x
    kept: list[int] = []
    outcomes, measured = outcomes.copy(), measured.copy()
    for row in range(len(points)):
        last = kept[-1] if kept else None
        if (
            last is not None
            and (points[row] == points[last]).all()
            and not (measured[row] & measured[last]).any()
        ):
            outcomes[last] += np.where(measured[row], outcomes[row], 0.0)
            measured[last] |= measured[row]
        else:
            kept.append(row)
    return points[kept], outcomes[kept], measured[kept]


def _units(outcomes: Array, measured: Mask) -> tuple[Array, Array]:
    """Offset and scale: the objective has mean 0 and sd 1, a margin a mean square of 1.

    A margin's 0 is its threshold and stays. A few answers underestimate a scale as easily as they
    overestimate it, and an underestimate certifies what is not safe: so the scale is corrected
    upwards for few answers.
    """
    count = measured.sum(axis=0)
    safe = np.maximum(count, 1)
    offset = np.zeros(outcomes.shape[1])
    offset[0] = outcomes[measured[:, 0], 0].mean() if count[0] else 0.0
    apart = np.where(measured, outcomes - offset, 0.0)
    # In units of the largest one, so that squares do not overflow.
    largest = np.max(np.abs(apart), axis=0, initial=0.0)
    unit = np.where((largest > 0.0) & np.isfinite(largest), largest, 1.0)
    square = ((apart / unit) ** 2).sum(axis=0) / safe
    scale = unit * np.sqrt(square * (1.0 + np.where(np.arange(len(safe)) > 0, 3.0, 0.0) / safe))
    largest = np.abs(np.where(measured, outcomes, 0.0)).max(axis=0, initial=0.0)
    tiny = scale <= 1e-13 * np.maximum(largest, 1e-300)
    return offset, np.where(tiny, np.where(largest > 0.0, largest, 1.0), scale)


def _no_units(outcomes: int) -> tuple[Array, Array]:
    return np.zeros(outcomes), np.ones(outcomes)


def _drift(outcomes: Array, measured: Mask) -> tuple[Array, Array]:
    """ICM-CI's context: the share of answers that held, by constraint, before each trial and now.

    The paper has three definitions. This one is known before a trial and changes only with answers.
    """
    asked = measured[:, 1:].astype(np.float64)
    held = asked * (outcomes[:, 1:] >= 0.0)
    total = np.concatenate([np.zeros((1, asked.shape[1])), np.cumsum(asked, axis=0)])
    kept = np.concatenate([np.zeros((1, asked.shape[1])), np.cumsum(held, axis=0)])
    share = np.where(total > 0.0, kept / np.maximum(total, 1.0), 0.5)
    return share[:-1], share[-1]


def _steady(trials: int) -> tuple[Array, Array]:
    return np.zeros((trials, 0)), np.zeros(0)


def _targets(
    problem: Problem,
    history: History,
    trials: Array,
    outcomes: Array,
    measured: Mask,
    drifting: int,
) -> Array:
    """The points to choose from: all arms, or a finite set that represents a box."""
    space = problem.space
    if isinstance(space, Arms):
        return space.points
    rng = np.random.default_rng([history.seed, 0])
    count = max(32, _BOX_PAIRS // outcomes.shape[1])
    feasible = measured[:, 0] & ((outcomes[:, 1:] >= 0.0) | ~measured[:, 1:]).all(axis=1)
    worth = np.where(feasible, outcomes[:, 0], -np.inf)
    best = int(np.argmax(worth)) if len(worth) else 0
    many = candidates_for(space, trials[:, : space.dim], best, rng)
    # The first are spread over the space, the last lie around the best trial.
    few = np.concatenate([many[: count - count // 4], many[-(count // 4) :]])
    return np.unique(in_space(space, few, history), axis=0)


def _joined(here: Array, others: Array) -> tuple[Array, int, np.ndarray]:
    """`here` and the `others` that are not in it, padded with points far away from both.

    Also returns how many are not padding, and the index of each of `others`.
    """
    place = {row.tobytes(): i for i, row in enumerate(np.ascontiguousarray(here))}
    extra: list[Array] = []
    index = []
    for row in np.ascontiguousarray(others):
        key = row.tobytes()
        if key not in place:
            place[key] = len(here) + len(extra)
            extra.append(row)
        index.append(place[key])
    if not extra:
        return here, len(here), np.array(index, dtype=np.int64)
    padded = np.full((bucket(len(extra)), here.shape[1]), 1e3)
    padded[: len(extra)] = extra
    real = len(here) + len(extra)
    return np.concatenate([here, padded]), real, np.array(index, dtype=np.int64)


def allowed_points(
    problem: Problem, history: History, points: Array, choosable: Mask | None = None
) -> tuple[Mask, Mask]:
    """What may be proposed, and which of it is not pending (all, if everything is)."""
    space = problem.space
    if choosable is None:
        choosable = np.ones(len(points), dtype=bool)
    own = points[:, : space.dim]
    if isinstance(space, Arms):
        refused = refused_arms(own, history) | spent(space, own, history)
    else:
        refused = excluded(own, history) | ~_belongs(space, own, history)
    allowed = choosable & ~refused
    # These policies learn outcomes, and a failure has none: they keep clear of it, if they can.
    works = allowed & ~near_failures(own, history, space)
    allowed = works if works.any() else allowed
    if not allowed.any():
        raise NothingToPropose("Every point is rejected. Withdraw a rejection to go on.")
    free = allowed.copy()
    for point in history.pending[:, : space.dim]:
        free &= ~(own == point).all(axis=1)
    return allowed, free if free.any() else allowed


def _belongs(space: Space, points: Array, history: History) -> Mask:
    """Which points keep what is required of them, and what trials under way share."""
    fine: Mask = space.fits(points)
    if history.held is not None:
        fixed = ~np.isnan(history.held)
        fine &= (np.abs(points - history.held)[:, fixed] < 1e-9).all(axis=1)
    return fine


def in_space(space: Space, points: Array, history: History) -> Array:
    """Points of a box as they may be proposed: where trials under way share something, with it."""
    return points if history.held is None else held_at(space, points, history.held)


def widened(point: Array, candidates: Candidates) -> Array:
    return np.concatenate([point, candidates.drift])
