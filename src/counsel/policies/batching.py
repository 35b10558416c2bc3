"""The trials of a batch: chosen by one program, and handed out one by one.

A trial is a function of the facts before it, as every proposal is. That of a batch is computed with
those after it, which are what the policy would choose if it were asked again at once; they are
remembered by the history that would then be asked about. Any other history has another key.
"""

import dataclasses
import hashlib
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import jax
import numpy as np

from counsel.acquisition.batch import BRIEF, SCORED, Start, Trials, on_grid, switches, together
from counsel.acquisition.maximise import LIGHT, situation
from counsel.acquisition.terms import Acquisition, Round
from counsel.facts.history import Array, History
from counsel.models import gp
from counsel.models.pending import room
from counsel.models.success import Success
from counsel.policies.protocol import Choice
from counsel.policies.random import EXCLUSION_RADIUS, reaches
from counsel.space import AnySpace, Arms, Space

__all__ = ["One", "fits_together", "recalled", "remember", "trials_of"]

_APART = 0.01
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


def fits_together(space: AnySpace, history: History, belief: gp.Posterior) -> bool:
    """Whether one program can choose the trials of a batch."""
    return (
        not isinstance(space, Arms)
        and len(history.pending) > 0
        and belief.noise_model is None
        and np.ndim(belief.noise) == 0
        and not np.isfinite(history.sem).any()
        and len(history.claims) == 0
        and (space.restricted or switches(space) is not None)
    )


def trials_of(
    acquisition: Acquisition,
    belief: gp.Posterior,
    limits: tuple[gp.Posterior | Success, ...],
    round: Round,
    space: Space,
    history: History,
    candidates: Array,
    *,
    light: bool,
) -> Iterator[tuple[One, History]]:
    """The trials that follow those under way, each with the history after it; none if the program
    finds nothing that is allowed."""
    count = len(history.pending)
    size = max(_USUAL, room(count))
    at, to = np.zeros((0, space.dim), dtype=bool), np.zeros((0, space.dim))
    if not space.restricted:
        at, to = switches(space) or (at, to)
    held = np.zeros(space.dim, dtype=bool) if history.held is None else ~np.isnan(history.held)
    nothing = situation(acquisition, belief, round, history.rejected, np.zeros(0), history.context)
    forbidden, radii = nothing.forbidden, nothing.radii
    radii[: len(history.rejected)] = reaches(history, EXCLUSION_RADIUS)
    given = np.zeros((size, history.pending.shape[1]))
    given[:count] = on_grid(history.pending)
    start = Start(
        candidates,
        ~space.discrete_columns,
        held,
        at,
        to,
        forbidden,
        radii,
        history.context,
        given,
        np.asarray(count),
        np.asarray(min(history.wanted, size + 1 - count)),
        np.asarray(_APART),
    )
    effort = LIGHT if light else BRIEF
    if space.restricted:
        effort = SCORED
    chosen = together(acquisition, belief, limits, round, start, effort=effort)
    yield from _one_by_one(jax.device_get(chosen), space, history, count, size)


def _one_by_one(
    chosen: Trials, space: Space, history: History, count: int, size: int
) -> Iterator[tuple[One, History]]:
    for step in range(count, min(count + history.wanted, size + 1)):
        if not np.isfinite(chosen.value[step]):
            return
        found = jax.tree.map(lambda each, step=step: each[step], chosen.found)
        one = One(
            chosen.point[step],
            {tag: float(term) for tag, term in found.terms.items()},
            float(found.mean),
            float(found.sd),
            (float(chosen.told[0][step]), float(chosen.told[1][step])),
            tuple((float(mean[step]), float(sd[step])) for mean, sd in chosen.limits),
        )
        row = space.encode(space.decode(one.point))
        whole = np.concatenate([row, history.context])[None, :]
        history = dataclasses.replace(
            history,
            pending=np.concatenate([history.pending, whole]),
            t=history.t + 1,
            wanted=history.wanted,
        )
        yield one, history
        # The program goes on from the point that it found, which may be another one than is
        # written down: of a number with many digits before the point, say.
        if not np.array_equal(on_grid(row), found.point):
            return


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
