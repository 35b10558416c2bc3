"""Worlds with constraints: their laws, and that a person could see what an arm does."""

from pathlib import Path

import jax
import numpy as np
import pytest

import counsel as cs
from counsel.errors import InvalidInput
from counsel.worlds.constrained import ConstrainedWorld
from counsel.worlds.correlated import correlated
from counsel.worlds.driving import (
    DT,
    PREFERENCES,
    START,
    STEPS,
    Drives,
    drive,
    driving,
    margins,
    other_car,
)  # fmt: skip
from counsel.worlds.recorded_driving import recorded_driving
from counsel.worlds.robot_arm import (
    GOAL,
    LEAST,
    MOST,
    WALL,
    _cost,
    _plans,
    arm_positions,
    movements,
    robot_arm,
    roll,
    wall_margin,
)  # fmt: skip


def tiny(**changes: object) -> ConstrainedWorld:
    payoffs = np.array([[3.0, 2.0, 1.0, 0.0], [-1.0, 0.5, 0.5, 0.0]])
    given = {"noise": 0.1, "start": 3, **changes}
    space = cs.Arms([{"a": float(i)} for i in range(4)])
    return ConstrainedWorld("tiny", space, payoffs, ("c",), **given)  # type: ignore[arg-type]


def test_safety_best_and_regret() -> None:
    world = tiny()
    np.testing.assert_array_equal(world.safe, [False, True, True, True])
    assert world.best == 1
    np.testing.assert_allclose(world.regrets, [2.0, 0.0, 1.0, 2.0])
    assert world.records() == [cs.Constraint("c", at_least=0.0)]
    assert set(world.observe(0, np.random.default_rng(0))) == {"objective", "c"}


@pytest.mark.parametrize(("changes", "field"), [({"start": 0}, "start"), ({"noise": -1}, "noise")])
def test_worlds_that_are_refused(changes: dict[str, object], field: str) -> None:
    with pytest.raises(cs.InvalidInput) as caught:
        tiny(**changes)
    assert caught.value.field == field


# ---- driving -------------------------------------------------------------------------------------


def test_the_other_car_changes_lane_and_straightens() -> None:
    states = other_car()
    assert states.shape == (STEPS + 1, 4)
    np.testing.assert_allclose(states[:, 3], 0.41)
    np.testing.assert_allclose(states[[0, -1], 2], np.pi / 2)
    assert states[-1, 0] < states[0, 0] - 0.15


def test_a_car_moves_as_its_dynamics_say() -> None:
    drives = drive(np.array([[0.6, 0.1, 0.5, 0.3]]))
    x, y, heading, v = drives.states[0].T
    np.testing.assert_allclose(drives.states[0, 0], START)
    np.testing.assert_allclose(np.diff(x), DT * (v * np.cos(heading))[:-1])
    np.testing.assert_allclose(np.diff(y), DT * (v * np.sin(heading))[:-1])
    np.testing.assert_allclose(np.diff(heading), DT * v[:-1] * drives.controls[0, :, 0])
    np.testing.assert_allclose(np.diff(v), DT * (drives.controls[0, :, 1] - v[:-1]))


def test_margins_of_a_car_that_does_nothing_wrong_but_sits_in_the_wrong_lane() -> None:
    states = np.zeros((1, STEPS + 1, 4))
    states[0, :, 1], states[0, :, 2], states[0, :, 3] = 5.0, np.pi / 2, 0.45
    found = dict(zip(PREFERENCES, margins(Drives(states, np.zeros((1, STEPS, 2))))[:, 0]))  # noqa: B905

    def squashed(value: float) -> float:
        return 1.2 * float(np.tanh(value / 1.2))

    assert found["pace"] == pytest.approx(squashed(1.0))
    assert found["side"] == pytest.approx(squashed(1.0 - 0.17**2 / 0.04))
    assert found["lane keeping"] == pytest.approx(squashed(1.0))
    assert found["heading"] == pytest.approx(squashed(1.0))
    assert found["smoothness"] == pytest.approx(squashed(1.0))
    assert found["speed limit"] == pytest.approx(squashed(0.62 / 0.45 - 1.0))
    assert found["distance"] > 0.0


@pytest.mark.parametrize("seed", range(6))
def test_driving_instances_are_as_hard_as_they_say(seed: int) -> None:
    world = driving(seed)
    assert len(world.arms) == 10
    assert world.safe.sum() == 4
    assert (world.payoffs[1:, world.safe] >= 0.1).all()
    good = np.sort(world.payoffs[0, world.safe])[::-1]
    assert good[0] - good[1] >= 0.05
    assert (world.payoffs[0, ~world.safe] > good[0]).sum() >= 2
    np.testing.assert_array_equal(driving(seed).payoffs, world.payoffs)


# ---- robot arm -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def plans() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    weights = LEAST + (MOST - LEAST) * rng.uniform(size=(8, 5))
    return weights, np.asarray(_plans(weights))


def test_plans_reach_the_goal_and_cannot_be_improved_nearby(plans: tuple) -> None:
    weights, torques = plans
    rng = np.random.default_rng(1)
    ends = np.asarray(jax.jit(jax.vmap(roll))(torques))[:, -1]
    np.testing.assert_allclose(ends, np.tile(GOAL, (8, 1)), atol=0.2)
    costs = jax.jit(jax.vmap(_cost))
    for _ in range(5):
        nearby = torques + 1e-2 * rng.standard_normal(torques.shape)
        assert (costs(nearby, weights) > costs(torques, weights) - 1e-6).all()


def test_free_motion_keeps_its_energy() -> None:
    """Without torque and gravity kinetic energy stays, but for the error of an Euler step."""
    from counsel.worlds.robot_arm import _step

    x = np.array([0.3, 0.8, 0.02, -0.03])

    def energy(s: np.ndarray) -> float:
        c2, own = np.cos(s[1]), 0.25 + 1 / 12
        m11, m12 = own + 1.25 + c2 + 1 / 12, 0.25 + 0.5 * c2 + 1 / 12
        return 0.5 * (m11 * s[2] ** 2 + 2 * m12 * s[2] * s[3] + own * s[3] ** 2)

    before = energy(x)
    step = jax.jit(_step)
    for _ in range(20):
        x = np.asarray(step(x, np.zeros(2)))
    assert energy(x) == pytest.approx(before, rel=0.02)


def test_the_wall_is_what_the_hand_must_not_touch() -> None:
    states = np.zeros((3, 4))
    states[:, 0] = [-np.pi / 2, 0.0, np.pi / 2]
    assert float(wall_margin(states)) == pytest.approx((WALL - 2.0) / 0.5)
    np.testing.assert_allclose(arm_positions(states)[1], [[0, 0], [1, 0], [2, 0]], atol=1e-12)


def test_corrections_lead_away_from_the_wall() -> None:
    many = movements(np.random.default_rng(3), 8)
    reach = np.asarray(jax.jit(jax.vmap(wall_margin))(many.states))
    assert len(reach) > 8  # some first plans hit the wall and were corrected
    assert reach[8:].max() > 0.0
    assert np.mean(reach[8:] >= 0.0) > np.mean(reach[:8] >= 0.0)


def test_robot_arm_instances() -> None:
    world = robot_arm(1, arms=12, games=8)
    assert world.payoffs.shape == (2, 12)
    assert 2 <= world.safe.sum() <= 10
    assert world.payoffs[0].mean() == pytest.approx(0.0, abs=1e-9)
    np.testing.assert_array_equal(robot_arm(1, arms=12, games=8).payoffs, world.payoffs)
    with pytest.raises(cs.InvalidInput, match="games"):
        robot_arm(0, arms=30, games=1)


# ---- draws from a known model --------------------------------------------------------------------


def test_draws_have_the_correlations_of_their_model() -> None:
    made = [correlated(seed, arms=8, constraints=2, rank=1) for seed in range(5)]
    for world, model in made:
        between = np.asarray(model.between_outputs())
        np.testing.assert_allclose(np.diag(between), 1.0, rtol=1e-9)
        assert between[1, 2] > 0.5
        assert world.safe.sum() >= 2
        assert (world.payoffs[0, ~world.safe]).max() > world.payoffs[0, world.best]


# ---- pictures ------------------------------------------------------------------------------------


def test_pictures_show_every_step() -> None:
    from counsel.worlds.figures import driving_figure

    figure = driving_figure(driving(0))
    assert len(figure.frames) == STEPS + 1
    assert {"safe", "unsafe", "the other car"} <= {trace.name for trace in figure.data}


def test_a_picture_of_one_way_to_drive() -> None:
    from counsel.worlds.figures import drive_figure

    world = driving(0)
    ways = {"the proposal": world.space[world.start], "mine": world.space[0]}
    figure = drive_figure(ways)
    assert len(figure.frames) == STEPS + 1
    named = {trace.name for trace in figure.data if trace.name}
    assert named == {"the proposal", "mine", "the other car"}
    assert "safe" not in str(figure.to_dict())  # that is what the person is asked


def test_recorded_drives_are_instances_as_hard_as_the_others(data_folder: Path) -> None:
    world = recorded_driving(3, folder=data_folder)
    assert world.name == "recorded-driving-3"
    assert len(world.constraints) == 6
    assert len(np.unique(world.arms.points, axis=0)) == 10
    assert world.safe.sum() == 4
    assert (world.payoffs[0, ~world.safe] > world.payoffs[0, world.best]).sum() >= 2
    other = recorded_driving(4, folder=data_folder)
    assert not np.array_equal(other.payoffs, world.payoffs)


def test_without_the_recorded_drives_a_stand_in_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COUNSEL_DATA", raising=False)
    assert recorded_driving(0).name == "synthetic-recorded-driving-0"
    with pytest.raises(InvalidInput, match="policies_1000x20x2"):
        recorded_driving(0, folder="nowhere")
