"""A team: a policy, a person and a rule, in many compiled runs (ShapleyBO Algorithm 1).

Every round the machine fits its process to what the team has measured and proposes where mean +
kappa sd is largest; the person proposes as well; the rule decides whose proposal is tried. Both see
what comes out. All runs of a block share one program; the rule is an argument.

The arms are a full grid, so that contributions to a mean over the arms are plain averages along the
axes: exact for the background of all arms, in either mind.
"""

import itertools
import math
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int

from counsel.errors import InvalidInput
from counsel.explain.exact import coalitions, weights
from counsel.models.fit import MOST_STARTS, START_NOISE, fit, pack
from counsel.models.gp import Data, posterior
from counsel.models.kernels import Kernel, Numbers, Prior
from counsel.models.mixture import Mixture, by_fit
from counsel.teams.credit import Side, Track, agreement, kind_of, surprise
from counsel.teams.fused import BACKGROUND, Said, choose, fuse
from counsel.teams.people import Mind, minds, see
from counsel.teams.rules import RULES, Moment, Settings, listens, ratios

__all__ = ["Alone", "Runs", "Task", "contributions", "grid_shape", "run_alone", "run_team"]


# A person's memory is padded to this many trials of their own: one program serves most people.
ROOM = 96
FUSED = list(RULES).index("A7")


class Runs(NamedTuple):
    """B runs of T rounds, after the first pulls.

    arms           what was tried
    machine        the arm that the machine proposed
    person         the arm that the person proposed
    listened       whether the person's was tried
    """

    arms: Int[np.ndarray, "B T"]
    machine: Int[np.ndarray, "B T"]
    person: Int[np.ndarray, "B T"]
    listened: Bool[np.ndarray, "B T"]


class Task(NamedTuple):
    """What a block of runs is about, one row per run.

    truth (B, M), noise (B, n), first (B, f)    payoffs, what is added to each pull, first pulls
    known, believed (B, q)                      the person's knowledge
    chance (B, n)                               uniform draws, for those who listen at random
    kappa, own_kappa                            weights of the machine's and the person's sd
    flip                                        -1 for an adversary, who sees everything inverted
    says                                        -1 for a person who says the opposite
    learns                                      1 if the person sees what the team measures
    own (B,)                                    how many rounds the person had alone, before
    own_reasons, own_values (B, p, p)           ratios of contributions and of values, summed
                                                over these rounds
    warned (B, p)                               contributions that went badly in them (A5)
    """

    truth: Float[np.ndarray, "B M"]
    noise: Float[np.ndarray, "B n"]
    first: Int[np.ndarray, "B f"]
    known: Int[np.ndarray, "B q"]
    believed: Float[np.ndarray, "B q"]
    chance: Float[np.ndarray, "B n"]
    kappa: Float[np.ndarray, " B"]
    own_kappa: Float[np.ndarray, " B"]
    flip: Float[np.ndarray, " B"]
    says: Float[np.ndarray, " B"]
    learns: Float[np.ndarray, " B"]
    own: Float[np.ndarray, " B"]
    own_reasons: Float[np.ndarray, "B p p"]
    own_values: Float[np.ndarray, "B p p"]
    warned: Float[np.ndarray, "B p"]


class Alone(NamedTuple):
    """B people's rounds without a team: contributions in their minds, points, measurements."""

    reasons: Float[np.ndarray, "B T p"]
    arms: Int[np.ndarray, "B T"]
    y: Float[np.ndarray, "B T"]


def grid_shape(points: Float[np.ndarray, "M d"]) -> tuple[int, ...]:
    """Points per axis of a full grid whose first coordinate varies fastest; refuse other arms."""
    axes = [np.unique(column) for column in points.T]
    full = np.array(list(itertools.product(*axes[::-1])))[:, ::-1]
    if full.shape != points.shape or not np.allclose(full, points):
        raise InvalidInput(
            "arms", points.shape, "Simulated teams need a full grid, the first axis fastest."
        )
    return tuple(len(axis) for axis in axes[::-1])


def contributions(
    values: Float[Array, " M"], arm: Int[Array, ""], shape: tuple[int, ...]
) -> Float[Array, " p"]:
    """Shapley values of a function over all arms of a grid, at one of them.

    v(S) is the average over the axes that are not in S, so all 2^p of them are cheap means.
    """
    table = values.reshape(shape)
    place = jnp.unravel_index(arm, shape)
    p = len(shape)
    worth = []
    for members in coalitions(p):
        # The first parameter is the last axis.
        out = tuple(axis for axis in range(p) if not members[p - 1 - axis])
        kept = tuple(place[axis] for axis in range(p) if axis not in out)
        worth.append(jnp.mean(table, axis=out)[kept])
    return jnp.asarray(weights(p)) @ jnp.stack(worth)


class _State(NamedTuple):
    arms: Int[Array, " n"]
    y: Float[Array, " n"]
    theta: Float[Array, " h"]
    track: Track
    reasons: Float[Array, "p p"]  # sums over the person's proposals so far
    usual: Float[Array, "p p"]
    choices: Int[Array, " T"]  # what the person proposed
    machines: Int[Array, " T"]  # what the machine did
    listened: Bool[Array, " T"]


def _forecasts(said: Float[Array, " f"]) -> Int[Array, "2 c"]:
    """What the person said of every pair of first pulls: indices of the better and the worse."""
    one, other = np.triu_indices(said.shape[0], 1)
    ahead = said[one] >= said[other]
    return jnp.stack([jnp.where(ahead, one, other), jnp.where(ahead, other, one)])


def _coarse(shape: tuple[int, ...]) -> Int[np.ndarray, "s b"]:
    """Arms spread over the grid, about as many as a background has; all arms in turn.

    Row by row, the coarse grid starts elsewhere on the fine one; beyond its end is its last arm.
    """
    step = max(math.ceil((math.prod(shape) / BACKGROUND) ** (1.0 / len(shape))), 1)
    arms = np.arange(math.prod(shape)).reshape(shape)
    # Neighbours follow each other as late as possible.
    starts = sorted(np.ndindex(*[step] * len(shape)), key=lambda each: each[0] ^ each[-1])
    return np.stack(
        [
            arms[
                np.ix_(
                    *(
                        np.minimum(np.arange(0, side, step) + by, side - 1)
                        for side, by in zip(shape, start, strict=True)
                    )
                )
            ].ravel()
            for start in starts
        ]
    )


def run_team(
    rule: str,
    settings: Settings,
    like: Kernel,
    points: Float[np.ndarray, "M d"],
    task: Task,
    prior: Prior | None = None,
) -> Runs:
    """Run a block of teams: the first pulls, then a round each until `noise` is used up."""
    if rule not in RULES:
        raise InvalidInput("rule", rule, f"Choose one of {', '.join(RULES)}.")
    code = np.asarray(list(RULES).index(rule))
    given = Prior() if prior is None else prior
    room = task.noise.shape[1] + max(ROOM, task.known.shape[1])
    people = minds(like, given, points, task.known, task.believed, room=room)
    bare = task._replace(known=task.known[:, :0], believed=task.believed[:, :0])
    found = _run(code, settings, like, given, points, bare, people, shape=grid_shape(points))
    return Runs(*(np.asarray(each) for each in found))


def run_alone(
    like: Kernel, points: Float[np.ndarray, "M d"], task: Task, noise: Float[np.ndarray, "B T"]
) -> Alone:
    """What the people of a task do by themselves: a round for every column of `noise`."""
    room = noise.shape[1] + max(ROOM, task.known.shape[1])
    people = minds(like, Prior(), points, task.known, task.believed, room=room)
    rest = (people, task.truth, noise, task.own_kappa, task.flip)
    return Alone(*(np.asarray(each) for each in _alone(points, *rest, shape=grid_shape(points))))


@partial(jax.jit, static_argnames=("shape",))
def _alone(
    points: Float[Array, "M d"],
    people: Mind,
    truth: Float[Array, "B M"],
    noise: Float[Array, "B T"],
    kappa: Float[Array, " B"],
    flip: Float[Array, " B"],
    *,
    shape: tuple[int, ...],
) -> tuple[Array, ...]:
    def one(each: tuple[Mind, Array, Array, Array, Array]) -> tuple[Array, ...]:
        mind, payoffs, added, weight, sign = each

        def turn(mind: Mind, added: Array) -> tuple[Mind, tuple[Array, ...]]:
            arm = jnp.argmax(mind.bound(weight))
            y = payoffs[arm] + added
            reasons = sign * contributions(mind.mean, arm, shape)
            return see(mind, points, arm, sign * y), (reasons, arm, y)

        return jax.lax.scan(turn, mind, added)[1]

    return jax.lax.map(one, (people, truth, noise, kappa, flip))


@partial(jax.jit, static_argnames=("shape",))
def _run(
    code: Int[Array, ""],
    settings: Settings,
    like: Kernel,
    prior: Prior,
    points: Float[Array, "M d"],
    task: Task,
    people: Mind,
    *,
    shape: tuple[int, ...],
) -> tuple[Array, ...]:
    one = partial(_one, code, settings, like, prior, points, shape)
    # Sequentially: in a batch, every fit would wait for the slowest.
    return jax.lax.map(lambda each: one(*each), (task, people))


def _one(
    code: Array,
    settings: Settings,
    like: Kernel,
    prior: Prior,
    points: Array,
    shape: tuple[int, ...],
    task: Task,
    mind: Mind,
) -> tuple[Array, ...]:
    """One run; its arguments have lost their first axis."""
    begun, pulls = task.first.shape[0], task.noise.shape[0]
    # The number of pulls is known: padding to a bucket would make every fit four times as long.
    rounds, p, size = pulls - begun, points.shape[1], pulls
    seen = task.truth[task.first] + task.noise[:begun]

    def tell(mind: Mind, arm: Numbers, y: Numbers) -> Mind:
        told = see(mind, points, arm, task.flip * y)
        return jax.tree.map(lambda new, old: jnp.where(task.learns > 0.5, new, old), told, mind)

    said = mind.mean[task.first] * task.says
    tau = agreement(said, seen)
    mind = jax.lax.fori_loop(0, begun, lambda i, held: tell(held, task.first[i], seen[i]), mind)
    mode = pack(like, jnp.asarray(START_NOISE))
    state = _State(
        jnp.zeros(size, dtype=task.first.dtype).at[:begun].set(task.first),
        jnp.zeros(size).at[:begun].set(seen),
        mode,
        Track(jnp.zeros(rounds), jnp.zeros(rounds), jnp.zeros((rounds, p))),
        jnp.asarray(task.own_reasons),
        jnp.asarray(task.own_values),
        jnp.zeros(rounds, dtype=task.first.dtype),
        jnp.zeros(rounds, dtype=task.first.dtype),
        jnp.zeros(rounds, dtype=bool),
    )
    backgrounds, foretold = jnp.asarray(_coarse(shape)), _forecasts(said)

    def turn(carry: tuple[_State, Mind], t: Array) -> tuple[tuple[_State, Mind], tuple[Array, ...]]:
        state, mind = carry
        n = begun + t
        mask = (jnp.arange(size) < n).astype(jnp.float64)
        data = Data(points[state.arms] * mask[:, None], state.y * mask, mask)
        guesses = jnp.broadcast_to(mode, (MOST_STARTS, mode.shape[0])).at[0].set(state.theta)
        fitted = fit(like, data, guesses, jnp.asarray(2), prior)
        belief = posterior(fitted.kernel, fitted.noise, data)
        mean, sd = belief.predict(points)
        machine = jnp.argmax(mean + task.kappa * sd)
        person = jnp.argmax(mind.bound(task.own_kappa))
        pair = jnp.stack([machine, person])
        reasons = contributions(mean, machine, shape)
        sides = [
            Side(mean[arm], sd[arm], contributions(mean, arm, shape)) for arm in (machine, person)
        ]
        own = task.flip * contributions(mind.mean, person, shape)
        total, usual = (
            state.reasons + ratios(jnp.asarray(own)),
            state.usual + ratios(jnp.asarray(points[person])),
        )
        noise = belief.scale * jnp.sqrt(belief.noise)
        tried = jnp.where(mask > 0.5, mean[state.arms], -jnp.inf)
        unit = belief.scale  # sd of what was measured
        best, left = jnp.max(tried), (rounds - t).astype(jnp.float64)

        background = backgrounds[t % backgrounds.shape[0]]
        places = jnp.concatenate(
            [pair, state.choices, task.first, background, jnp.argmax(mean)[None]]
        )

        def with_advice() -> Int[Array, ""]:
            following = jnp.roll(state.choices, -1).at[t - 1].set(person)
            changed = (jnp.arange(rounds) < t) & (state.choices != following)
            firsts = 2 + rounds
            given = Said(
                2 + jnp.arange(rounds),
                changed.astype(jnp.float64),
                firsts + foretold[0],
                firsts + foretold[1],
                jnp.ones(foretold.shape[1]),
                firsts + begun + jnp.arange(background.shape[0]),
            )
            asked, numbers = points[places], settings.fused
            may = jnp.ones(places.shape[0], dtype=bool)

            def decide(believed: Mixture) -> Int[Array, ""]:
                expected = jax.nn.softmax(jnp.asarray(believed.logs)) @ believed.means
                found = fuse(believed, given, unit, best, left, numbers)
                return choose(found, expected, unit, numbers, may, t > 0)

            def from_one() -> Int[Array, ""]:
                return decide(Mixture.of(*belief.joint(asked)))

            fits = numbers.fits
            if fits is None:
                return from_one()
            return jax.lax.cond(
                n <= fits.few,
                lambda: decide(by_fit(like, fitted.theta, data, asked, fits)),
                from_one,
            )

        fused = jax.lax.cond(code == FUSED, with_advice, lambda: jnp.zeros((), dtype=int))
        leads = jnp.where(jnp.arange(rounds) < t, mean[state.choices] - mean[state.machines], 0.0)
        moment = Moment(
            t=t + 1,
            machine=sides[0],
            person=sides[1],
            values=points[pair],
            usual=usual / (task.own + t + 1.0),
            reasons=reasons,
            own_reasons=total / (task.own + t + 1.0),
            warned=jnp.asarray(task.warned),
            best=best,
            unit=unit,
            lead=jnp.sum(leads) / unit,
            gained=jnp.sum(jnp.where(state.listened, leads, 0.0)) / unit,
            fused=fused,
            track=state.track,
            tau=tau,
            left=left,
            chance=task.chance[n],
            truth=task.truth[pair],
        )
        listened = listens(code, moment, settings)
        # No other rule tries a point that neither proposed.
        arm = jnp.where(listened, person, places[fused])
        y = task.truth[arm] + task.noise[n]
        z, weight = surprise(sides[1], noise, y)
        track = Track(
            state.track.surprise.at[t].set(jnp.where(listened, z, 0.0)),
            state.track.weight.at[t].set(jnp.where(listened, weight, 0.0)),
            state.track.kind.at[t].set(kind_of(*sides)),
        )
        state = _State(
            state.arms.at[n].set(arm),
            state.y.at[n].set(y),
            fitted.theta,
            track,
            total,
            usual,
            state.choices.at[t].set(person),
            state.machines.at[t].set(machine),
            state.listened.at[t].set(listened),
        )
        return (state, tell(mind, arm, y)), (arm, machine, person, listened)

    _, found = jax.lax.scan(turn, (state, mind), jnp.arange(rounds))
    return found
