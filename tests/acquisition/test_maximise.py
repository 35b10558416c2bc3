"""Maximising: brute force over arms, dense grids over boxes, and never a forbidden place."""

import dataclasses
from collections.abc import Callable
from typing import ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.stats

from counsel.acquisition import EI, GPUCB, TS, VUCB, Acquisition, AugmentedEI, Round, maximise
from counsel.acquisition.feasibility import Feasible
from counsel.acquisition.maximise import CANDIDATES, Found, over_arms, over_box, predict_arms
from counsel.acquisition.terms import at_most, total
from counsel.models.gp import Data, Posterior, posterior
from counsel.models.kernels import SquaredExponential
from counsel.space import Categorical, Float, Int, Space

Believe = Callable[..., Posterior]
Predict = Callable[[Posterior, np.ndarray], tuple[np.ndarray, np.ndarray]]
MakeRound = Callable[..., Round]

ARMS = np.random.default_rng(1).uniform(size=(40, 2))
ALL = np.ones(40, dtype=bool)
NOTHING = np.zeros(0)
UCB = VUCB(2.0)


def value_of(found: Found) -> float:
    return float(sum(found.terms.values()))


# ---- arms ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_the_best_arm_is_that_of_brute_force(
    seed: int, believe: Believe, predict: Predict, a_round: MakeRound
) -> None:
    belief = believe(2, seed)
    mean, sd = predict(belief, ARMS)
    best = int(np.argmax(mean + 2.0 * sd))
    found = over_arms(UCB, belief, a_round(ARMS), ARMS, ALL, NOTHING, 0)
    assert found.arm == best
    np.testing.assert_array_equal(found.point, ARMS[best])
    np.testing.assert_allclose([found.mean, found.sd], [mean[best], sd[best]], rtol=1e-10)
    assert set(found.terms) == {"exploitation", "approximation"}
    np.testing.assert_allclose(found.terms["exploitation"], mean[best], rtol=1e-10)
    np.testing.assert_allclose(found.terms["approximation"], 2.0 * sd[best], rtol=1e-10)


def test_only_allowed_arms_are_chosen_one_after_the_other(
    believe: Believe, predict: Predict, a_round: MakeRound
) -> None:
    belief, allowed = believe(2, 0), ALL.copy()
    mean, sd = predict(belief, ARMS)
    order = []
    for _ in ARMS:
        found = over_arms(UCB, belief, a_round(ARMS), ARMS, allowed, NOTHING, len(order))
        order.append(int(found.arm))
        allowed[order[-1]] = False
    np.testing.assert_array_equal(order, np.argsort(-(mean + 2.0 * sd)))


class Steps(eqx.Module):
    """A score of whole numbers, so that many arms are exactly equal."""

    whole: ClassVar[bool] = False

    def score(self, posterior: Posterior, round: Round) -> "Steps":
        return self

    def terms(self, x: jax.Array) -> dict[str, jax.Array]:
        return {"step": jnp.floor(3.0 * x[:, 0])}


def fresh_over_arms() -> Callable[..., Found]:
    """`over_arms` compiled anew, for another size of chunks."""
    return jax.jit(lambda *arguments: over_arms.__wrapped__(*arguments))


@pytest.mark.parametrize("chunk", [maximise.CHUNK, 20, 16])
def test_of_equal_arms_the_first_from_a_given_one_wins(
    chunk: int, believe: Believe, a_round: MakeRound, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maximise, "CHUNK", chunk)
    choose, belief = fresh_over_arms(), believe(2, 0)
    steps = np.floor(3.0 * ARMS[:, 0])
    best = np.flatnonzero(steps == steps.max())
    assert len(best) > 5
    seen = set()
    for first in range(40):
        found = choose(Steps(), belief, a_round(ARMS), ARMS, ALL, NOTHING, first)
        assert found.arm == min(best, key=lambda arm: (arm - first) % 40)
        seen.add(int(found.arm))
    assert seen == set(best)


def test_chunks_give_the_same_answers_as_one_piece(
    believe: Believe,
    predict: Predict,
    a_round: MakeRound,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(maximise, "CHUNK", 16)
    belief = believe(2, 1)
    mean, sd = predict(belief, ARMS)
    allowed = ALL.copy()
    allowed[np.argmax(mean + 2.0 * sd)] = False
    found = fresh_over_arms()(UCB, belief, a_round(ARMS), ARMS, allowed, NOTHING, 7)
    assert found.arm == np.argmax(np.where(allowed, mean + 2.0 * sd, -np.inf))
    everywhere = jax.jit(lambda *arguments: predict_arms.__wrapped__(*arguments))
    for ours, expected in zip(everywhere(belief, ARMS, NOTHING), (mean, sd), strict=True):
        np.testing.assert_allclose(ours, expected, rtol=1e-10)


@pytest.fixture
def by_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty arms are many, scored five at a time."""
    for name, value in (("_MANY_ARMS", 2), ("_MANY_ROWS", 2), ("_LEADING", 3), ("_BLOCK", 5)):
        monkeypatch.setattr(maximise, name, value)


@pytest.mark.parametrize("acquisition", [UCB, EI(), AugmentedEI(), GPUCB()], ids=str)
@pytest.mark.parametrize("constrained", [False, True], ids=["plain", "constrained"])
@pytest.mark.usefixtures("by_bounds")
def test_of_many_arms_those_below_their_bounds_need_no_score(
    acquisition: Acquisition, constrained: bool, believe: Believe, a_round: MakeRound
) -> None:
    belief, allowed = believe(2, 0), ALL.copy()
    round, kept = a_round(ARMS), np.ones(belief.data.y.shape)
    if constrained:
        round = dataclasses.replace(round, feasible=kept, least=0.1)
        acquisition = Feasible(acquisition, (believe(2, 5),), (1,), jnp.asarray(1.0), True)
    score = acquisition.score(belief, round)
    values = np.asarray(total(score.terms(jnp.asarray(ARMS))))
    bound = at_most(score, 3)
    assert bound is not None
    bounds = np.asarray(total(bound.terms(jnp.asarray(ARMS))))
    assert (bounds >= values).all()
    assert (bounds > values + 1e-3).any()
    choose, order = fresh_over_arms(), []
    for _ in ARMS:
        found = choose(acquisition, belief, round, ARMS, allowed, NOTHING, len(order))
        order.append(int(found.arm))
        allowed[order[-1]] = False
    np.testing.assert_array_equal(order, np.argsort(-values))


class Raised(Steps):
    """Steps below a bound that says nothing of the order."""

    def score(self, posterior: Posterior, round: Round) -> "Raised":
        return self

    def at_most(self, rows: int) -> "Wide":
        return Wide()


class Wide(Steps):
    def terms(self, x: jax.Array) -> dict[str, jax.Array]:
        return {"step": 3.0 + x[:, 1]}


@pytest.mark.usefixtures("by_bounds")
def test_of_equal_arms_with_bounds_the_first_from_a_given_one_wins(
    believe: Believe, a_round: MakeRound
) -> None:
    choose, belief = fresh_over_arms(), believe(2, 0)
    steps = np.floor(3.0 * ARMS[:, 0])
    best = np.flatnonzero(steps == steps.max())
    for first in range(40):
        found = choose(Raised(), belief, a_round(ARMS), ARMS, ALL, NOTHING, first)
        assert found.arm == min(best, key=lambda arm: (arm - first) % 40)
    assert choose(Raised(), belief, a_round(ARMS), ARMS, ~ALL, NOTHING, 9).arm == 9


def test_a_joint_draw_is_never_cut_into_chunks(
    believe: Believe, a_round: MakeRound, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maximise, "CHUNK", 16)
    belief = believe(2, 1)
    found = fresh_over_arms()(TS(), belief, a_round(ARMS, t=3), ARMS, ALL, NOTHING, 0)
    draw = jax.jit(lambda belief, x: belief.draw(a_round(ARMS, t=3).key(), x))(belief, ARMS)
    assert found.arm == np.argmax(draw)
    assert set(found.terms) == {"draw"}
    np.testing.assert_allclose(found.terms["draw"], np.max(draw), rtol=1e-10)


def test_a_context_joins_every_arm(believe: Believe, predict: Predict, a_round: MakeRound) -> None:
    belief, arms = believe(2, 4), ARMS[:, :1]
    winners = set()
    for given in np.linspace(0.0, 1.0, 6):
        joined = np.column_stack([arms, np.full(40, given)])
        mean, sd = predict(belief, joined)
        found = over_arms(UCB, belief, a_round(joined), arms, ALL, np.array([given]), 0)
        assert found.arm == np.argmax(mean + 2.0 * sd)
        assert found.point.shape == (1,)
        np.testing.assert_allclose(found.mean, mean[found.arm], rtol=1e-10)
        winners.add(int(found.arm))
    assert len(winners) > 1  # so the context mattered


def test_growing_data_compile_once_per_bucket(believe: Believe, a_round: MakeRound) -> None:
    def compiled(*sizes: int) -> int:
        """How many programs had to be compiled for data of these sizes."""
        before = over_arms.programs
        for t, n in enumerate(sizes):
            belief = believe(2, n, n=n)
            allowed = np.arange(40) != t
            over_arms(UCB, belief, a_round(ARMS, t=t), ARMS, allowed, NOTHING, t)
        return over_arms.programs - before

    # Another test may have been the first in a bucket.
    assert compiled(3) <= 1
    assert compiled(4, 9, 16) == 0
    assert compiled(17) <= 1
    assert compiled(18, 25, 32) == 0
    assert compiled(2, 20) == 0


# ---- boxes --------------------------------------------------------------------------------------


def grid(*sizes: int) -> np.ndarray:
    axes = [np.linspace(0.0, 1.0, size) for size in sizes]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(sizes))


def box(d: int) -> Space:
    return Space(**{f"x{i}": Float(0.0, 1.0) for i in range(d)})


def starting_points(belief: Posterior, space: Space, seed: int) -> np.ndarray:
    observed = np.asarray(belief.data.x)[np.asarray(belief.data.mask) > 0.5, : space.dim]
    best = int(np.argmax(np.asarray(belief.data.y)[: len(observed)]))
    return maximise.candidates_for(space, observed, best, np.random.default_rng(seed))


def search(
    rule: Acquisition,
    belief: Posterior,
    space: Space,
    a_round: MakeRound,
    seed: int = 0,
    forbidden: np.ndarray | None = None,
    radius: float = 0.1,
    context: np.ndarray = NOTHING,
) -> Found | None:
    candidates = starting_points(belief, space, seed)
    places = np.zeros((0, space.dim)) if forbidden is None else forbidden
    radii = np.full(len(places), radius)
    round = a_round(candidates, finite=False)
    return jax.device_get(over_box(rule, belief, round, space, candidates, places, radii, context))


@jax.jit
def log_improvement(belief: Posterior, round: Round, x: jax.Array) -> jax.Array:
    return EI().score(belief, round).terms(x)["improvement"]


@pytest.mark.parametrize(("d", "sizes"), [(2, (201, 201)), (3, (41, 41, 41))])
def test_a_box_is_searched_as_well_as_by_a_dense_grid(
    d: int, sizes: tuple[int, ...], believe: Believe, predict: Predict, a_round: MakeRound
) -> None:
    for seed in range(8):
        belief = believe(d, seed, length=[0.15, 0.3, 0.5][seed % 3])
        found = search(UCB, belief, box(d), a_round, seed)
        mean, sd = predict(belief, grid(*sizes))
        values = mean + 2.0 * sd
        assert value_of(found) >= values.max() - 1e-6 * np.ptp(values)
        assert np.all((found.point >= 0.0) & (found.point <= 1.0))
        # What is reported is what is believed at the point.
        for reported, believed in zip(
            (found.mean, found.sd), predict(belief, found.point[None]), strict=True
        ):
            np.testing.assert_allclose(reported, believed[0], rtol=1e-9)


@pytest.mark.parametrize("unit", [1e-12, 1.0, 1e12])
def test_ei_on_a_line_is_searched_as_well_as_by_a_dense_grid(
    unit: float, believe: Believe, a_round: MakeRound
) -> None:
    for seed in range(4):
        belief = believe(1, seed, length=0.15, unit=unit)
        found = search(EI(), belief, box(1), a_round, seed)
        values = log_improvement(belief, a_round(grid(4001), finite=False), grid(4001))
        assert value_of(found) >= np.max(values) - 1e-6 * np.ptp(values)


def test_a_box_is_searched_in_the_given_context(
    believe: Believe, predict: Predict, a_round: MakeRound
) -> None:
    belief, line = believe(2, 5), grid(4001)
    places = []
    for given in (0.1, 0.5, 0.9):
        found = search(UCB, belief, box(1), a_round, context=np.array([given]))
        mean, sd = predict(belief, np.column_stack([line, np.full(len(line), given)]))
        values = mean + 2.0 * sd
        assert value_of(found) >= values.max() - 1e-6 * np.ptp(values)
        assert found.point.shape == (1,)
        places.append(float(found.point[0]))
    assert np.ptp(places) > 0.05  # so the context mattered


@pytest.mark.parametrize("kind", ["box", "mixed"])
def test_forbidden_neighbourhoods_are_left_for_the_best_of_the_rest(
    kind: str, believe: Believe, predict: Predict, a_round: MakeRound
) -> None:
    space = box(2) if kind == "box" else MIXED
    for seed in range(3):
        belief = believe(2, seed) if kind == "box" else mixed_belief(seed)
        candidates = starting_points(belief, space, seed)
        mean, sd = predict(belief, candidates)
        forbidden = np.zeros((0, space.dim))
        for _ in range(4):
            found = search(UCB, belief, space, a_round, seed, forbidden)
            point, value = found.point, value_of(found)
            # Outside, but for a thousandth of the radius.
            assert np.all(np.abs(point - forbidden).max(axis=1) >= 0.1 * (1.0 - 1e-3))
            allowed = np.all(np.abs(candidates[:, None] - forbidden).max(axis=2) >= 0.1, axis=1)
            assert np.max((mean + 2.0 * sd)[allowed]) <= value + 1e-9
            forbidden = np.concatenate([forbidden, point[None]])


def test_an_ascent_towards_a_forbidden_peak_ends_at_its_border(
    predict: Predict, a_round: MakeRound
) -> None:
    # One hill; a refused square on its top; what is left is highest on the square's nearest side.
    x = np.concatenate([[[0.45, 0.52]], grid(2, 2), grid(2, 2) * 0.5 + 0.25])
    y = -np.sum((x - x[0]) ** 2, axis=1)
    belief = posterior(SquaredExponential([0.3, 0.3]), np.asarray(1e-3), Data.padded(x, y))
    top = search(VUCB(0.0), belief, box(2), a_round).point
    forbidden = top[None] + np.array([[0.03, 0.0]])
    found = search(VUCB(0.0), belief, box(2), a_round, forbidden=forbidden)
    fine = grid(401, 401)
    mean, _ = predict(belief, fine)
    free = np.abs(fine - forbidden).max(axis=1) >= 0.1
    assert value_of(found) >= mean[free].max() - 1e-4 * np.ptp(mean)
    np.testing.assert_allclose(np.abs(found.point - forbidden).max(), 0.1, rtol=1e-3)


@pytest.mark.parametrize("kind", ["box", "mixed"])
def test_nothing_is_found_where_everything_is_forbidden(
    kind: str, believe: Believe, a_round: MakeRound
) -> None:
    if kind == "box":
        belief, space, centre = believe(2, 0), box(2), np.full((1, 2), 0.5)
    else:
        belief, space, centre = mixed_belief(0), MIXED, np.full((1, MIXED.dim), 0.5)
    assert search(UCB, belief, space, a_round, 0, centre, radius=1.0) is None


# ---- mixed spaces -------------------------------------------------------------------------------

MIXED = Space(x=Float(0.0, 1.0), n=Int(0, 6), kind=Categorical(["a", "b", "c"]))


def mixed_belief(seed: int) -> Posterior:
    rng = np.random.default_rng(seed)
    x = MIXED.snap(rng.uniform(size=(8, MIXED.dim)))
    kernel = SquaredExponential(np.full(3, 0.3), groups=MIXED.groups)
    return posterior(kernel, np.asarray(1e-3), Data.padded(x, rng.standard_normal(8)))


def mixed_grid(resolution: int) -> tuple[np.ndarray, np.ndarray]:
    """Every discrete combination with a line of x; and which combination each row has."""
    line = np.linspace(0.0, 1.0, resolution)
    rows = [
        np.column_stack([line, np.full(resolution, n / 6.0), np.tile(choice, (resolution, 1))])
        for n in range(7)
        for choice in np.eye(3)
    ]
    return np.concatenate(rows), np.repeat(np.arange(21), resolution)


def test_a_mixed_space_is_searched_as_well_as_by_exhaustion(
    predict: Predict, a_round: MakeRound
) -> None:
    everything, combination = mixed_grid(1001)
    for seed in range(8):
        belief = mixed_belief(seed)
        found = search(UCB, belief, MIXED, a_round, seed)
        point = found.point
        np.testing.assert_allclose(MIXED.snap(point[None])[0], point, rtol=0, atol=1e-15)
        mean, sd = predict(belief, everything)
        values = mean + 2.0 * sd
        # At the combination that was chosen, x is at its best; and no other combination is better.
        same = np.all(np.abs(everything[:, 1:] - point[1:]) < 1e-9, axis=1)
        assert len(np.unique(combination[same])) == 1
        assert value_of(found) >= values[same].max() - 1e-6 * np.ptp(values)
        assert value_of(found) >= values.max() - 1e-6 * np.ptp(values)


def test_only_categories_are_beyond_gradients() -> None:
    np.testing.assert_array_equal(
        maximise.climbing_columns(MIXED), [True, True, False, False, False]
    )


def test_neighbours_change_one_discrete_parameter() -> None:
    here = {"x": 0.3, "n": 4, "kind": "b"}
    there = [MIXED.decode(point) for point in maximise.neighbours(MIXED, MIXED.encode(here))]
    for other in there:
        changed = {name for name in here if name != "x" and other[name] != here[name]}
        assert len(changed) <= 1
        assert other["x"] == pytest.approx(0.3)
    assert {other["kind"] for other in there} >= {"a", "c"}
    assert {other["n"] for other in there} >= {3, 5}
    wide = Space(n=Int(0, 1000))
    jumps = {wide.decode(p)["n"] for p in maximise.neighbours(wide, wide.encode({"n": 990}))}
    assert jumps >= {987, 989, 991, 993, 890, 1000}


# ---- candidates ---------------------------------------------------------------------------------


@pytest.mark.parametrize("space", [box(1), box(5), MIXED], ids=["line", "box", "mixed"])
@pytest.mark.parametrize("observed", [0, 3])
def test_candidates_are_points_of_the_space(space: Space, observed: int) -> None:
    rng = np.random.default_rng(4)
    seen = space.snap(rng.uniform(size=(observed, space.dim)))
    points = maximise.candidates_for(space, seen, 0, rng)
    assert points.shape == (CANDIDATES, space.dim)
    assert np.all((points >= 0.0) & (points <= 1.0))
    np.testing.assert_allclose(space.snap(points), points, rtol=0, atol=1e-15)


def test_candidates_fill_the_space_and_crowd_around_the_best() -> None:
    best = np.array([0.2, 0.7])
    seen = np.array([[0.9, 0.9], best])
    points = maximise.candidates_for(box(2), seen, 1, np.random.default_rng(5))
    random = np.random.default_rng(6).uniform(size=(CANDIDATES, 2))
    block = CANDIDATES // maximise.STARTS
    spread, border = points[: -2 * block], points[-2 * block : -block]
    assert scipy.stats.qmc.discrepancy(spread) < 0.2 * scipy.stats.qmc.discrepancy(random)
    corners = {tuple(point) for point in border if set(point) <= {0.0, 1.0}}
    assert corners == {(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)}
    near = np.abs(points - best).max(axis=1) < 0.01
    assert near.sum() >= 20 > 3 * (np.abs(random - best).max(axis=1) < 0.01).sum()


def test_candidates_change_with_the_generator_alone() -> None:
    seen = np.full((1, 2), 0.5)
    one, same, other = (
        maximise.candidates_for(box(2), seen, 0, np.random.default_rng(seed)) for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(one, same)
    inside = CANDIDATES - 2 * CANDIDATES // maximise.STARTS
    assert np.min(np.abs(one - other).max(axis=1)[:inside]) > 0.0
