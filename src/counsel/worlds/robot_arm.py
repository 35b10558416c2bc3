r"""A two-link arm that must not touch a wall: thirty planned movements (Jin et al. 2023).

    M(q) q'' + C(q, q') = u,  links l = m = 1, centre r = 0.5, inertia 1/12, no gravity,
    Euler steps of 0.2, 50 of them, from q = (-pi/2, 0) to (pi/2, 0)

A movement is planned by iLQR for weights of the features (q1^2, q1, q2^2, q2, |u|^2). In a game a
person watches the arm and presses the best of four keys three steps before it hits the wall (every
tenth press is random); a press cuts the weights by a half-space, and the next plan is for the
centroid of what is left. All the movements of some games are the arms.
"""

from functools import cache
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from counsel.errors import InvalidInput
from counsel.facts.checks import check_whole
from counsel.models.compiling import Compiled
from counsel.space import Arms
from counsel.worlds.constrained import ConstrainedWorld
from counsel.worlds.registry import worlds

__all__ = [
    "Movements",
    "arm_positions",
    "drawn",
    "feature_sums",
    "half_space",
    "movements",
    "movements_of",
    "plan",
    "robot_arm",
    "roll",
    "wall_margin",
]

STEPS, DT = 50, 0.2
START = (-np.pi / 2, 0.0, 0.0, 0.0)
GOAL = (np.pi / 2, 0.0, 0.0, 0.0)
LEAST = np.array([0.3, -1.0, 0.3, -3.0, 0.1])
MOST = np.array([1.0, 1.0, 1.0, 3.0, 0.5])
WALL = 1.0
NOISE, MARGIN = 0.05, 0.1
FEATURES = ("q1 squared", "q1", "q2 squared", "q2", "effort")
_ITERATIONS, _STEP_SIZES = 30, 0.4 ** np.arange(5)
_POOL = 60
_CORRECTIONS, _AHEAD, _RANDOM_KEY = 4, 3, 0.1
_PARTICLES = 2000
_KEYS = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])

State = Float[Array, "4"]
Torques = Float[Array, "50 2"]


def _step(x: State, u: Float[Array, "2"]) -> State:
    _, q2, v1, v2 = x
    c2, s2 = jnp.cos(q2), jnp.sin(q2)
    own = 0.25 + 1.0 / 12.0
    m11, m12, m22 = own + 1.0 + 0.25 + c2 + 1.0 / 12.0, 0.25 + 0.5 * c2 + 1.0 / 12.0, own
    h = 0.5 * s2
    push = u - jnp.stack([-h * v2**2 - 2.0 * h * v1 * v2, h * v1**2])
    determinant = m11 * m22 - m12**2
    a1 = (m22 * push[0] - m12 * push[1]) / determinant
    a2 = (m11 * push[1] - m12 * push[0]) / determinant
    return x + DT * jnp.stack([v1, v2, a1, a2])


def roll(controls: Torques) -> Float[Array, "51 4"]:
    def step(x: State, u: Float[Array, "2"]) -> tuple[State, State]:
        after = _step(x, u)
        return after, after

    start = jnp.asarray(START)
    _, states = jax.lax.scan(step, start, controls)
    return jnp.concatenate([start[None, :], states])


def _features(x: State, u: Float[Array, "2"]) -> Float[Array, "5"]:
    return jnp.stack([x[0] ** 2, x[0], x[1] ** 2, x[1], jnp.sum(u**2)])


def _final(x: State) -> Float[Array, ""]:
    return 100.0 * jnp.sum((x - jnp.asarray(GOAL)) ** 2)


def feature_sums(controls: Torques) -> Float[Array, "6"]:
    """The features added up over the movement, and the final cost: J = (weights, 1)' sums."""
    states = roll(controls)
    total = jnp.sum(jax.vmap(_features)(states[:-1], controls), axis=0)
    return jnp.append(total, _final(states[-1]))


def _cost(controls: Torques, weights: Float[Array, "5"]) -> Float[Array, ""]:
    return feature_sums(controls) @ jnp.append(weights, 1.0)


def plan(
    weights: Float[Array, "5"], begun: Torques | None = None, first: Int[Array, ""] | None = None
) -> Torques:
    """iLQR: linear dynamics, quadratic cost, feedback, the best of several step sizes.

    With a movement that has `begun`, only the steps from `first` on are planned again.
    """

    def stage(x: State, u: Float[Array, "2"]) -> Float[Array, ""]:
        return weights @ _features(x, u)

    def improve(turn: int, controls: Torques) -> Torques:
        states = roll(controls)
        fx, fu = jax.vmap(jax.jacfwd(_step, (0, 1)))(states[:-1], controls)
        lx, lu = jax.vmap(jax.grad(stage, (0, 1)))(states[:-1], controls)
        lxx = jnp.diag(jnp.stack([2.0 * weights[0], 2.0 * weights[2], 0.0, 0.0]))
        luu = 2.0 * weights[4] * jnp.eye(2)

        def back(
            carry: tuple[Array, Array], row: tuple[Array, ...]
        ) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
            vx, vxx = carry
            a, b, gx, gu = row
            qx, qu = gx + a.T @ vx, gu + b.T @ vx
            qxx, quu, qux = lxx + a.T @ vxx @ a, luu + b.T @ vxx @ b, b.T @ vxx @ a
            quu = quu + 1e-6 * jnp.eye(2)
            k, K = -jnp.linalg.solve(quu, qu), -jnp.linalg.solve(quu, qux)
            after = qxx + K.T @ qux
            return (qx + K.T @ qu, 0.5 * (after + after.T)), (k, K)

        end = states[-1]
        last: tuple[Array, Array] = (jax.grad(_final)(end), 200.0 * jnp.eye(4))
        _, (k, K) = jax.lax.scan(back, last, (fx, fu, lx, lu), reverse=True)
        if first is not None:  # past steps stay
            ahead = (jnp.arange(STEPS) >= first).astype(k.dtype)
            k, K = k * ahead[:, None], K * ahead[:, None, None]

        def attempt(size: Float[Array, ""]) -> tuple[Torques, Float[Array, ""]]:
            def forward(x: State, row: tuple[Array, ...]) -> tuple[State, tuple[Array, Array]]:
                old, u, ki, Ki = row
                new = jnp.clip(u + size * ki + Ki @ (x - old), -50.0, 50.0)
                return _step(x, new), (new, stage(x, new))

            rows = (states[:-1], controls, k, K)
            last, (tried, costs) = jax.lax.scan(forward, jnp.asarray(START), rows)
            return tried, jnp.sum(costs) + _final(last)

        tries, costs = jax.vmap(attempt)(jnp.asarray(_STEP_SIZES))
        costs = jnp.where(jnp.isnan(costs), jnp.inf, costs)
        best = jnp.argmin(costs)
        return jnp.where(costs[best] < _cost(controls, weights), tries[best], controls)

    start = jnp.zeros((STEPS, 2)) if begun is None else begun
    return jax.lax.fori_loop(0, _ITERATIONS, improve, start)


def _tip(states: Float[Array, "s 4"]) -> Float[Array, " s"]:
    """How far the hand reaches towards the wall."""
    return jnp.cos(states[:, 0]) + jnp.cos(states[:, 0] + states[:, 1])


def wall_margin(states: Float[Array, "s 4"]) -> Float[Array, ""]:
    """(1 - max tip_x) / 0.5: 0 or more while the hand stays clear of the wall."""
    return (WALL - jnp.max(_tip(states))) / 0.5


class _Press(NamedTuple):
    """A half-space: weights with normal' weights + offset <= 0 agree with the press."""

    normal: Float[Array, "5"]
    offset: Float[Array, ""]
    hit: Array


def _press(controls: Torques, random_key: Int[Array, ""]) -> _Press:
    """What the person presses while watching a movement; `random_key` is -1 for the best key."""
    states = roll(controls)
    beyond = _tip(states)[1:] > WALL
    at = jnp.maximum(jnp.argmax(beyond) - _AHEAD, 0)

    def reach(key: Float[Array, "2"]) -> Float[Array, ""]:
        return jnp.max(_tip(roll(controls.at[at].add(0.5 * key))))

    best = jnp.argmin(jax.vmap(reach)(jnp.asarray(_KEYS)))
    key = jnp.asarray(_KEYS)[jnp.where(random_key >= 0, random_key, best)]
    return _Press(*half_space(controls, at, key), jnp.any(beyond))


def half_space(
    controls: Torques, at: Int[Array, ""], key: Float[Array, "2"]
) -> tuple[Float[Array, "5"], Float[Array, ""]]:
    """The weights for which a push in the direction `key` at step `at` makes a movement cheaper."""
    slopes = jax.jacfwd(lambda push: feature_sums(controls.at[at].add(push)))(jnp.zeros(2)) @ key
    return slopes[:5], slopes[5]


class Movements(NamedTuple):
    """Planned movements: states (n, 51, 4), torques (n, 50, 2)."""

    states: Float[np.ndarray, "n s 4"]
    torques: Float[np.ndarray, "n c 2"]


_plans: Compiled[Array] = Compiled(jax.vmap(plan), None, ())
_presses: Compiled[_Press] = Compiled(jax.vmap(_press), None, ())
_rolls: Compiled[Array] = Compiled(jax.vmap(roll), None, ())
_every_sum: Compiled[Array] = Compiled(jax.vmap(feature_sums), None, ())
_margins: Compiled[Array] = Compiled(jax.vmap(wall_margin), None, ())


def movements(rng: np.random.Generator, games: int) -> Movements:
    """Every movement of several games, first plans and corrected ones."""
    particles = LEAST + (MOST - LEAST) * rng.uniform(size=(games, _PARTICLES, 5))
    # A game starts somewhere, not in the middle of all weights.
    weights = LEAST + (MOST - LEAST) * rng.uniform(size=(games, 5))
    left = np.ones((games, _PARTICLES), dtype=bool)
    playing = np.ones(games, dtype=bool)
    found = []
    for turn in range(_CORRECTIONS + 1):
        torques = np.asarray(_plans(weights))
        found.append(torques[playing])
        chance = rng.uniform(size=games) < _RANDOM_KEY
        keys = np.where(chance, rng.integers(4, size=games), -1)
        press = _presses(torques, keys)
        playing &= np.asarray(press.hit)
        if turn == _CORRECTIONS or not playing.any():
            break
        agree = np.einsum("gpf,gf->gp", particles, np.asarray(press.normal))
        kept = left & (agree + np.asarray(press.offset)[:, None] <= 0.0)
        # Presses can contradict each other; a cut that leaves nothing is ignored.
        left = np.where(kept.any(axis=1, keepdims=True) & playing[:, None], kept, left)
        centroid = (particles * left[:, :, None]).sum(axis=1) / left.sum(axis=1)[:, None]
        weights = np.where(playing[:, None], centroid, weights)
    torques = np.concatenate(found)
    padded = np.zeros((games * (_CORRECTIONS + 1), STEPS, 2))
    padded[: len(torques)] = torques
    return Movements(np.asarray(_rolls(padded))[: len(torques)], torques)


class _Pool(NamedTuple):
    made: Movements
    sums: Float[np.ndarray, "n 6"]
    margins: Float[np.ndarray, " n"]
    costs: Float[np.ndarray, " n"]


@cache
def _pool(games: int) -> _Pool:
    """The movements of many games, planned once; instances draw from them."""
    made = movements(np.random.default_rng([games, 23]), games)
    size = games * (_CORRECTIONS + 1)
    torques = np.concatenate([made.torques, np.zeros((size - len(made.torques), STEPS, 2))])
    states = np.concatenate([made.states, np.zeros((size - len(made.states), STEPS + 1, 4))])
    count = len(made.states)
    sums = np.asarray(_every_sum(torques))[:count]
    middle = np.append(0.5 * (LEAST + MOST), 1.0)
    return _Pool(made, sums, np.asarray(_margins(states))[:count], sums @ middle)


@worlds.register(
    "robot-arm",
    title="Robot arm",
    sentence="Movements of a two-link arm that must not touch a wall.",
    constrained=True,
)
def robot_arm(
    seed: int = 0, arms: int = 30, noise: float = NOISE, games: int = _POOL
) -> ConstrainedWorld:
    """Instance `seed`: movements drawn from those of many games, one constraint, the wall.

    The objective is minus the log of the cost for middling weights, standardised over the arms; the
    arms' coordinates are the movement's features, scaled. At least a sixth of the arms is safe, and
    a sixth is not; the best safe arm keeps its distance, a margin of 0.1. The start is the worst
    safe arm.
    """
    check_whole("arms", arms, least=6)
    check_whole("games", games, least=1)
    pool = _pool(games)
    chosen = drawn(seed, arms, games)
    sums, margins = pool.sums[chosen], pool.margins[chosen]
    reward = -np.log(pool.costs[chosen])
    reward = (reward - reward.mean()) / reward.std()
    low, high = sums[:, :5].min(axis=0), sums[:, :5].max(axis=0)
    payoffs = np.stack([reward, 1.2 * np.tanh(margins / 1.2)])
    good = np.flatnonzero(margins >= 0.0)
    start = int(good[np.argmin(reward[good])])
    space = Arms((sums[:, :5] - low) / (high - low), names=list(FEATURES))
    return ConstrainedWorld(f"robot-arm-{seed}", space, payoffs, ("wall",), noise, start)


def drawn(seed: int, arms: int = 30, games: int = _POOL) -> Int[np.ndarray, " M"]:
    """Which movements of the pool are the arms of an instance."""
    rng, pool = np.random.default_rng([seed, 23]), _pool(games)
    for _ in range(1000):
        if len(pool.margins) < arms:
            break
        chosen = rng.choice(len(pool.margins), arms, replace=False)
        good = pool.margins[chosen] >= 0.0
        best = np.argmin(np.where(good, pool.costs[chosen], np.inf))
        clear = pool.margins[chosen[best]] >= MARGIN
        if arms // 6 <= int(good.sum()) <= arms - arms // 6 and clear:
            return chosen
    raise InvalidInput("games", games, "These have no such movements; play more of them.")


def movements_of(seed: int, arms: int = 30, games: int = _POOL) -> Movements:
    """The movements behind the arms of an instance, for pictures."""
    made, chosen = _pool(games).made, drawn(seed, arms, games)
    return Movements(made.states[chosen], made.torques[chosen])


def arm_positions(states: Float[np.ndarray, "s 4"]) -> Float[np.ndarray, "s 3 2"]:
    """Shoulder, elbow and hand of every state, for a picture."""
    first = np.stack([np.cos(states[:, 0]), np.sin(states[:, 0])], axis=1)
    both = states[:, 0] + states[:, 1]
    hand = first + np.stack([np.cos(both), np.sin(both)], axis=1)
    return np.stack([np.zeros_like(first), first, hand], axis=1)
