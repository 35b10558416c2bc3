"""The trials of a batch: chosen by one program, and handed out one by one.

A trial is a function of the facts before it, as every proposal is. That of a batch is computed with
those after it, which are what the policy would choose if it were asked again at once; they are
remembered by the history that would then be asked about. Any other history has another key.
"""

import dataclasses
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import jax
import numpy as np

from counsel.acquisition.batch import BRIEF, SCORED, Start, Trials, on_grid, switches, together
from counsel.acquisition.maximise import LIGHT, situation
from counsel.acquisition.terms import Acquisition, Round
from counsel.facts.history import Array, History
from counsel.facts.terms import named
from counsel.models import gp
from counsel.models.pending import room
from counsel.models.success import Success
from counsel.policies.protocol import Choice
from counsel.policies.random import EXCLUSION_RADIUS, allowed_arms, reaches
from counsel.policies.surrogate import Telling, chances_by
from counsel.space import AnySpace, Arms

__all__ = ["One", "Reported", "chosen_together", "fits_together", "recalled", "trials_of"]

_APART = 0.01
_SAME = 1e-8  # arms are a finite number of points: only the very same is excluded
# How far from the best point towards others a mixture is looked for: twice, the second time closer.
_SHARES = (np.array([0.5, 0.25, 0.1]), np.array([0.1, 0.03, 0.01]))
_USUAL = 16  # trials under way at once that one program has room for


class One(NamedTuple):
    """A trial of a batch: the point, the terms, mean and sd as the search saw them, those of the
    belief without trials under way, and of each constraint."""

    point: Array
    terms: Mapping[str, float]
    mean: float
    sd: float
    told: tuple[float, float]
    limits: tuple[tuple[float, float], ...]
    arm: int | None


def fits_together(space: AnySpace, history: History, belief: gp.Posterior) -> bool:
    """Whether one program can choose the trials of a batch."""
    return (
        len(history.pending) > 0
        and belief.noise_model is None
        and np.ndim(belief.noise) == 0
        and not np.isfinite(history.sem).any()
        and len(history.claims) == 0
        and (isinstance(space, Arms) or space.restricted or switches(space) is not None)
    )


def trials_of(
    acquisition: Acquisition,
    belief: gp.Posterior,
    limits: tuple[gp.Posterior | Success, ...],
    round: Round,
    space: AnySpace,
    history: History,
    candidates: Array,
    *,
    light: bool,
) -> Iterator[tuple[One, History]]:
    """The trials that follow those under way, each with the history after it; none if the program
    finds nothing that is allowed."""
    count = len(history.pending)
    size = max(_USUAL, room(count))
    given = np.zeros((size, history.pending.shape[1]))
    given[:count] = on_grid(history.pending)
    rejected = history.rejected, reaches(history, EXCLUSION_RADIUS)
    if isinstance(space, Arms):  # arms are allowed or not
        rejected = history.rejected[:0], np.zeros(0)
    here = situation(acquisition, belief, round, *rejected, history.context)
    none = np.zeros(space.dim, dtype=bool)
    start = Start(
        candidates,
        free=none,
        shared=none if history.held is None else ~np.isnan(history.held),
        at=none[None, :][:0],
        to=np.zeros((0, space.dim)),
        forbidden=here.forbidden,
        radii=here.radii,
        context=history.context,
        given=given,
        done=np.asarray(count),
        wanted=np.asarray(min(history.wanted, size + 1 - count)),
        apart=np.asarray(_APART),
    )
    effort = SCORED
    if isinstance(space, Arms):
        start = _of_arms(start, space, history)
    elif space.restricted:
        start = start._replace(free=~space.discrete_columns, shares=_SHARES * space.convex)
    else:
        at, to = switches(space) or (start.at, start.to)
        start = start._replace(free=~space.discrete_columns, at=at, to=to)
        effort = LIGHT if light else BRIEF
    chosen = together(acquisition, belief, limits, round, start, effort=effort)
    yield from _one_by_one(jax.device_get(chosen), space, history, count, size)


def _of_arms(start: Start, arms: Arms, history: History) -> Start:
    """With the arms in an order in which the first of equals is any of them."""
    before = dataclasses.replace(history, pending=history.pending[:0])
    rng = np.random.default_rng([history.seed, history.t - len(history.pending)])
    rows = np.roll(np.arange(len(arms)), -int(rng.integers(len(arms))))
    # Those under way keep their distance, as long as another is left.
    allowed = allowed_arms(arms, before)[rows]
    return start._replace(candidates=arms.points[rows], allowed=allowed, apart=np.asarray(_SAME))


def _one_by_one(
    chosen: Trials, space: AnySpace, history: History, count: int, size: int
) -> Iterator[tuple[One, History]]:
    for step in range(count, min(count + history.wanted, size + 1)):
        if not np.isfinite(chosen.value[step]):
            return
        found = jax.tree.map(lambda each, step=step: each[step], chosen.found)
        # What is foretold is of the grid's point. Requirements may hold beside it alone.
        exact = isinstance(space, Arms) or space.restricted
        point = np.asarray(chosen.point[step] if exact else found.point)
        if history.held is not None:  # the very number that they share, not the grid's beside it
            point = np.where(np.isnan(history.held), point, history.held)
        one = One(
            point,
            {tag: float(term) for tag, term in found.terms.items()},
            float(found.mean),
            float(found.sd),
            (float(chosen.told[0][step]), float(chosen.told[1][step])),
            tuple((float(mean[step]), float(sd[step])) for mean, sd in chosen.limits),
            None,
        )
        if isinstance(space, Arms):
            one = one._replace(arm=int(np.argmax((space.points == one.point).all(axis=1))))
            row = space.points[one.arm]
        else:
            row = space.encode(space.decode(one.point))
        whole = np.concatenate([row, history.context])[None, :]
        history = dataclasses.replace(
            history,
            pending=np.concatenate([history.pending, whole]),
            t=history.t + 1,
            # As the last of those under way has it.
            held=None if history.held is None else np.where(np.isnan(history.held), np.nan, row),
        )
        yield one, history
        # The program goes on from the point that it found, which may be another one than is
        # written down: of a number with many digits before the point, say.
        if not np.array_equal(on_grid(row), found.point):
            return


class Reported(NamedTuple):
    """What the trials of a batch have in common when they are reported."""

    telling: Telling
    limits: tuple[int, ...]
    asks: tuple[str, ...]
    theta: tuple[float, ...]
    note: str
    calibrated: bool


def chosen_together(
    trials: Iterable[tuple[One, History]], history: History, told: Reported
) -> Choice | None:
    """The first of the trials; those after it are kept for the next questions."""
    every: list[tuple[Choice, History]] = []
    for one, after in trials:
        mean, sd = one.told if told.calibrated else (one.mean, one.sd)
        means, sds = told.telling.moments(np.array([mean]), np.array([sd]))
        moments = dict(zip(told.limits, one.limits, strict=True))
        choice = Choice(
            point=one.point,
            arm=one.arm,
            mean=float(means[0]),
            sd=float(sds[0]),
            limit=told.telling.limit,
            terms={named(tag, told.asks): term for tag, term in one.terms.items()},
            theta=told.theta,
            note=told.note,
            asks=told.asks,
            chances=chances_by(moments, told.asks),
        )
        every.append((choice, history))
        history = dataclasses.replace(after, theta=told.theta, fresh=True)
    remember(every)
    return every[0][0] if every else None


# ---- what is remembered --------------------------------------------------------------------------


def recalled(history: History) -> Choice | None:
    """What was chosen for this history together with an earlier one."""
    known = _known(history)
    return known.get(_key(history)) if known else None


def remember(
    choices: list[tuple[Choice, History]],
) -> None:
    """Keep the choices for the histories that they were made for."""
    if not choices:
        return
    known = _known(choices[0][1])
    known.clear()
    for choice, history in choices:
        known[_key(history)] = choice


def _known(history: History) -> dict[bytes, Choice]:
    return history.kept.get("batch", dict)


def _key(history: History) -> bytes:
    values = [getattr(history, name) for name in _FIELDS]
    arrays = [each for each in values if isinstance(each, np.ndarray)]
    others = [None if isinstance(each, np.ndarray) else each for each in values]
    found = hashlib.blake2b(repr((others, [each.shape for each in arrays])).encode())
    for each in arrays:
        found.update(each.tobytes())
    return found.digest()


_FIELDS = tuple(
    each.name for each in dataclasses.fields(History) if each.name not in ("kept", "wanted")
)
