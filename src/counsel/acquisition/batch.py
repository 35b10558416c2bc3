r"""Chooses the trials of a batch one after the other, in one program.

Trials under way are taken for done, as expected: means stay and uncertainty shrinks. A trial more
is a row more of the posterior's root. With $c$ the covariance of the data with the trial,
$Q = R'R$ for the root $R$, and $s^2 = k + \text{noise} - |R c|^2$, that row is $[-(Rc)'R,\ 1] / s$.

A trial depends on those under way and on nothing else, whether they were chosen in the same run or
are `given`: points lie on a grid, so that a value that was written down and read again is the same
point, bit for bit. That is what lets a batch be replayed trial by trial.
"""

import dataclasses
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int
from numpy.typing import NDArray

from counsel.acquisition.maximise import (
    STARTS,
    Effort,
    Found,
    Situation,
    chunk_for,
    describe,
    evaluate,
    peak,
    score_arms,
)
from counsel.acquisition.terms import Acquisition, Round
from counsel.models.compiling import compiled
from counsel.models.gp import Data, Posterior
from counsel.models.kernels import Numbers
from counsel.models.success import Success
from counsel.space import Space

__all__ = ["Start", "Trials", "on_grid", "switches", "together"]

BRIEF = Effort(starts=4, evaluations=15)
SCORED = Effort(starts=0)  # every candidate is scored, and none climbs
_FINENESS = 2.0**30
_BEST, _OTHERS = 128, 128
_FAR = 1e3
_TURNS = 2
_MOST_ARMS = 2048
_MOST_LEVELS = 32
_SMALLEST = 1e-12

_Best = tuple[Float[Array, ""], Float[Array, " e"]]  # a value, and its point
Switches = tuple[NDArray[np.bool_], NDArray[np.float64]]


class Start(NamedTuple):
    """What a batch starts from.

    The best of the `candidates` before the batch, and some from everywhere for batches that use
    them up, are scored again for each trial. `free` are the columns that gradients may
    move, `shared` those that the trials of a batch have in common. `at` and `to` are the moves of
    discrete parameters: the columns of one, and one of its values. `given` are the trials under
    way, the first `done` rows; `wanted` more are chosen. Trials keep `apart` from each other, and
    the `radii` from what is forbidden.
    """

    candidates: Float[Numbers, "r e"]
    free: Bool[Numbers, " e"]
    shared: Bool[Numbers, " e"]
    at: Bool[Numbers, "m e"]
    to: Float[Numbers, "m e"]
    forbidden: Float[Numbers, "q e"]
    radii: Float[Numbers, " q"]
    context: Float[Numbers, " c"]
    given: Float[Numbers, "s d"]
    done: Int[Numbers, ""]
    wanted: Int[Numbers, ""]
    apart: Float[Numbers, ""]
    shares: tuple[Float[Numbers, " t"], ...] = ()
    allowed: Bool[Numbers, " r"] | None = None


class Trials(NamedTuple):
    """Trials by how many were under way before them; those that were given have no values.

    `point` is what was found, and all else is told of the grid's point beside it. `found` is of the
    belief in which trials under way are done, `told` mean and sd of the belief without them, and
    `limits` those of each constraint.
    """

    value: Float[Array, " s"]
    point: Float[Array, "s e"]
    found: Found
    told: tuple[Float[Array, " s"], Float[Array, " s"]]
    limits: tuple[tuple[Float[Array, " s"], Float[Array, " s"]], ...]


def on_grid(points: Float[Numbers, "..."]) -> Any:
    """Points as a batch knows them."""
    places = jnp if isinstance(points, jax.Array) else np
    return places.round(points * _FINENESS) / _FINENESS


def switches(space: Space) -> Switches | None:
    """Every value of every discrete parameter, as moves; None if there are too many.

    A multiple of STARTS, as `peak` takes them.
    """
    at, to = [np.zeros((0, space.dim), dtype=bool)], [np.zeros((0, space.dim))]
    for name, parameter in space.parameters.items():
        columns = space.columns(name)
        if not space.discrete_columns[columns].any():
            continue
        count = getattr(parameter, "count", None) or len(getattr(parameter, "choices", ()))
        if not 0 < count <= _MOST_LEVELS:
            return None
        levels = parameter.grid()
        mask, values = np.zeros((len(levels), space.dim), dtype=bool), np.zeros(space.dim)
        mask[:, columns] = True
        moved = np.tile(values, (len(levels), 1))
        moved[:, columns] = levels
        at.append(mask)
        to.append(moved)
    every, places = np.concatenate(at), np.concatenate(to)
    rows = np.resize(np.arange(len(every)), -(-len(every) // STARTS) * STARTS)
    return every[rows], places[rows]


@compiled(rows=lambda _, own, *rest: len(own.data.y), static=("effort",))
def together(
    acquisition: Acquisition,
    own: Posterior,
    limits: tuple[Posterior | Success, ...],
    round: Round,
    start: Start,
    *,
    effort: Effort,
) -> Trials:
    """The next trials of a batch, the best first; `round` is that of the first one.

    Noise is the same everywhere.
    """
    own, round = _with_room(own, round, start.given.shape[0])
    size, width = start.given.shape[0], start.candidates.shape[1]
    used = jnp.sum(own.data.mask).astype(int)
    radii = jnp.concatenate([jnp.asarray(start.radii), jnp.full(size + 1, start.apart)])
    pool, allowed = jnp.asarray(start.candidates), start.allowed
    if allowed is not None and len(pool) > _MOST_ARMS:
        pool, allowed = _likely_arms(acquisition, own, round, start)
    elif effort.starts:
        pool = _pool(acquisition, own, round, start)

    def search(state: "_State") -> tuple[Array, Trials]:
        forbidden = jnp.concatenate([jnp.asarray(start.forbidden), state.picked])
        now = dataclasses.replace(
            round, t=round.t + state.step - start.done, feasible=state.feasible
        )
        here = Situation(acquisition, state.belief(own), now, forbidden, radii, start.context)
        value, highest = _highest(here, start, pool, allowed, effort)
        point = on_grid(highest)
        whole = jnp.concatenate([point, jnp.asarray(start.context)])
        each = (own, *limits)
        pairs = [one.predict(whole[None, :]) for one in each]
        told, *rest = [(mean[0], sd[0]) for mean, sd in pairs]
        return whole, Trials(value, highest, describe(here, point), told, tuple(rest))

    def turn(state: "_State") -> "_State":
        row, chosen = jax.lax.cond(
            state.step < start.done,
            lambda: (jnp.asarray(start.given)[jnp.minimum(state.step, size - 1)], nothing),
            lambda: search(state),
        )
        return state.after(row, chosen, own, limits, used, width)

    begin = _State(
        jnp.asarray(0),
        jnp.asarray(own.data.x),
        jnp.asarray(own.data.y),
        jnp.asarray(own.data.mask),
        own.root,
        None if round.feasible is None else jnp.asarray(round.feasible),
        jnp.full((size + 1, width), _FAR),
        None,
    )
    form = jax.eval_shape(search, begin)[1]
    nothing = jax.tree.map(lambda a: jnp.zeros(a.shape, a.dtype), form)
    every = jax.tree.map(lambda a: jnp.zeros((size + 1, *a.shape), a.dtype), form)
    last = jnp.minimum(start.done + start.wanted, size + 1)
    end = jax.lax.while_loop(lambda s: s.step < last, turn, begin._replace(trials=every))
    assert end.trials is not None
    return end.trials


def _pool(
    acquisition: Acquisition, own: Posterior, round: Round, start: Start
) -> Float[Array, "k e"]:
    """The candidates that promise most before the batch, and some others, as they were ordered.

    With trials under way, what a point promises only falls: those are nearly all that matter.
    """
    points = jnp.where(
        start.shared, start.given[start.done - 1, : start.shared.shape[0]], start.candidates
    )
    far, reach = jnp.full((1, points.shape[1]), _FAR), jnp.ones(1)
    before = dataclasses.replace(round, t=round.t - jnp.asarray(start.done))
    values = evaluate(Situation(acquisition, own, before, far, reach, start.context), points)
    order = jnp.argsort(-jnp.where(jnp.isnan(values), -jnp.inf, values), stable=True)
    some = np.linspace(_BEST, len(order) - 1, _OTHERS).astype(int)
    return points[jnp.sort(jnp.concatenate([order[:_BEST], order[some]]))]


def _likely_arms(
    acquisition: Acquisition, own: Posterior, round: Round, start: Start
) -> tuple[Float[Array, "k e"], Bool[Array, " k"]]:
    """The arms that promise most before the batch, in their order."""
    before = dataclasses.replace(round, t=round.t - jnp.asarray(start.done))
    points = jnp.asarray(start.candidates)
    score = acquisition.score(own, before)
    values = score_arms(score, points, jnp.asarray(start.context), chunk_for(own))
    refused = jnp.isnan(values) | ~jnp.asarray(start.allowed)
    _, rows = jax.lax.top_k(jnp.where(refused, -jnp.inf, values), _MOST_ARMS)
    rows = jnp.sort(rows)
    return points[rows], jnp.asarray(start.allowed)[rows]


def _with_room(own: Posterior, round: Round, more: int) -> tuple[Posterior, Round]:
    """With so many more rows of padding."""
    rows = ((0, more),)
    x, y, mask = own.data.x, own.data.y, own.data.mask
    data = Data(jnp.pad(x, (*rows, (0, 0))), jnp.pad(y, rows), jnp.pad(mask, rows))
    root = jnp.pad(own.root, rows * 2)
    wide = dataclasses.replace(own, data=data, root=root, weights=jnp.pad(own.weights, rows))
    if round.feasible is None:
        return wide, round
    return wide, dataclasses.replace(round, feasible=jnp.pad(round.feasible, rows))


class _State(NamedTuple):
    step: Int[Array, ""]
    x: Float[Array, "N d"]
    y: Float[Array, " N"]
    mask: Float[Array, " N"]
    root: Float[Array, "N N"]
    feasible: Float[Array, " N"] | None
    picked: Float[Array, "s e"]
    trials: Trials | None

    def belief(self, own: Posterior) -> Posterior:
        """The posterior once trials so far have turned out as expected."""
        data = Data(self.x, self.y, self.mask)
        return dataclasses.replace(own, data=data, root=self.root)

    def after(
        self,
        row: Float[Array, " d"],
        chosen: Trials,
        own: Posterior,
        limits: tuple[Posterior | Success, ...],
        used: Int[Array, ""],
        width: int,
    ) -> "_State":
        """With one trial more under way."""
        at = jnp.minimum(used + self.step, len(self.mask) - 1)
        one = row[None, :]
        cross = (own.kernel.matrix(self.x, one) * self.mask[:, None])[:, 0]
        white = self.root @ cross
        left = own.kernel.amplitude() - white @ white + own.noise + own.jitter
        share = 1.0 / jnp.sqrt(jnp.maximum(left, _SMALLEST))
        # A row of padding is that of the identity, or of zeros.
        new = (-share * (white @ self.root)).at[at].set(share)
        feasible = self.feasible
        if feasible is not None:
            z = [mean[0] / sd[0] for mean, sd in (each.predict(one) for each in limits)]
            feasible = feasible.at[at].set(jnp.prod(jax.scipy.special.ndtr(jnp.stack(z))))
        return _State(
            self.step + 1,
            self.x.at[at].set(row),
            # What is expected of a trial is its mean: no weight changes.
            self.y.at[at].set(own.offset + own.scale * (own.trend + own.weights @ cross)),
            self.mask.at[at].set(1.0),
            self.root.at[at].set(new),
            feasible,
            self.picked.at[self.step].set(row[:width]),
            jax.tree.map(lambda a, b: a.at[self.step].set(b), self.trials, chosen),
        )


def _highest(
    here: Situation,
    start: Start,
    pool: Float[Array, "k e"],
    allowed: Bool[Numbers, " k"] | None,
    effort: Effort,
) -> _Best:
    free = jnp.asarray(start.free) & ~jnp.asarray(start.shared)
    if effort.starts == 0:
        best = _first(here, pool, allowed)
        for shares in start.shares:
            share = jnp.resize(jnp.asarray(shares), (len(pool),))[:, None]
            between = jnp.where(free, best[1] + share * (pool - best[1]), best[1])
            best = _higher(best, _first(here, between, None))
        return best
    best = peak(here, pool, free, effort=effort)
    if start.at.shape[0] == 0:
        return best

    def turn(_: Int[Array, ""] | int, best: _Best) -> _Best:
        moves = jnp.where(start.at & ~start.shared, start.to, best[1])
        return _higher(best, peak(here, moves, free, effort=effort))

    return jax.lax.fori_loop(0, _TURNS, turn, best)


def _first(
    here: Situation, points: Float[Array, "k e"], allowed: Bool[Numbers, " k"] | None
) -> _Best:
    values = evaluate(here, points)
    refused = jnp.isnan(values) if allowed is None else jnp.isnan(values) | ~jnp.asarray(allowed)
    values = jnp.where(refused, -jnp.inf, values)
    top = jnp.argmax(values)
    return values[top], points[top]


def _higher(one: _Best, other: _Best) -> _Best:
    higher = other[0] > one[0]
    return jnp.where(higher, other[0], one[0]), jnp.where(higher, other[1], one[1])
