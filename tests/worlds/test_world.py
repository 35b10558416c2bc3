"""Worlds: frozen records that measure regret, and the wrappers around them."""

import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from counsel import worlds
from counsel.errors import InvalidInput
from counsel.facts.problem import Direction
from counsel.space import Arms, Float, Space
from counsel.worlds.world import Points, Values, World, over_arms, standardised, with_noise

ARMS = Arms([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [2.0, 0.0]], names=["a", "b"])


def difference(x: Points) -> Values:
    return x[:, 0] - x[:, 1]


def square(x: Points) -> Values:
    return x[:, 0] ** 2


BOX = World("square", Space(a=Float(-1, 2)), square, "minimize", 0.5, 0.0, ({"a": 0.0},))


def test_arms_are_evaluated_in_order_and_the_best_is_found() -> None:
    world = over_arms("difference", ARMS, difference, noise=0.1)
    np.testing.assert_array_equal(world.payoffs, [-1.0, -1.0, -1.0, 2.0])
    assert world.optimum == 2.0
    assert world.optimisers == ({"a": 2.0, "b": 0.0},)
    assert world.evaluate({"b": 3, "a": 2}) == -1.0
    assert world.regret({"a": 2, "b": 3}) == 3.0


def test_ties_are_all_optimisers_and_minimising_turns_regret_round() -> None:
    world = over_arms("difference", ARMS, difference, noise=0.0, direction="minimize")
    assert world.optimum == -1.0
    assert world.optimisers == tuple(ARMS[row] for row in range(3))
    assert world.regret(ARMS[3]) == 3.0
    assert world.regret(ARMS[0]) == 0.0


def test_a_box() -> None:
    assert BOX.evaluate({"a": -0.5}) == 0.25
    assert BOX.regret({"a": -0.5}) == 0.25
    with pytest.raises(InvalidInput, match="needs a world over Arms"):
        BOX.payoffs


def test_points_outside_the_space_are_refused() -> None:
    with pytest.raises(InvalidInput, match="between -1"):
        BOX.evaluate({"a": 3})
    with pytest.raises(InvalidInput, match="Not one of the 4 arms"):
        over_arms("difference", ARMS, difference, noise=0.0).evaluate({"a": 0, "b": 0})


def test_noise_has_the_stated_size_and_no_bias() -> None:
    rng = np.random.default_rng(0)
    values = np.array([BOX.observe({"a": 1}, rng) for _ in range(4000)])
    assert abs(values.mean() - 1.0) < 4 * 0.5 / np.sqrt(4000)
    assert abs(values.std() - 0.5) < 4 * 0.5 / np.sqrt(2 * 4000)
    assert with_noise(BOX, 0.0).observe({"a": 1}, rng) == 1.0


def test_observations_repeat_with_the_seed() -> None:
    first, second = (BOX.observe({"a": 1}, np.random.default_rng(7)) for _ in range(2))
    assert first == second


def test_with_noise_leaves_the_rest() -> None:
    quiet = with_noise(BOX, 0.0)
    assert (quiet.noise, BOX.noise) == (0.0, 0.5)
    assert quiet.function is BOX.function


@pytest.mark.parametrize("noise", [-1.0, np.nan, np.inf])
def test_impossible_noise_is_refused(noise: float) -> None:
    with pytest.raises(InvalidInput, match="standard deviation"):
        with_noise(BOX, noise)


def test_an_unknown_optimum_is_refused() -> None:
    with pytest.raises(InvalidInput, match="optimum"):
        World("square", BOX.space, square, "minimize", 0.0, np.nan, ())


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_standardised(direction: Direction) -> None:
    plain = over_arms("difference", ARMS, difference, noise=0.1, direction=direction)
    world = standardised(plain)
    assert abs(world.payoffs.mean()) < 1e-15
    assert abs(world.payoffs.std() - 1.0) < 1e-15
    assert world.noise == plain.noise
    assert world.name == "difference-standardised"
    assert [world.regret(arm) for arm in world.optimisers] == [0.0] * len(plain.optimisers)
    np.testing.assert_allclose(
        [world.regret(arm) for arm in ARMS],
        [plain.regret(arm) / plain.payoffs.std() for arm in ARMS],
    )


def test_what_cannot_be_standardised_is_refused() -> None:
    with pytest.raises(InvalidInput, match="needs a world over Arms"):
        standardised(BOX)
    with pytest.raises(InvalidInput, match="pay the same"):
        standardised(over_arms("flat", Arms([[1.0], [-1.0]]), square, noise=0.0))


def test_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        BOX.noise = 1.0  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        over_arms("difference", ARMS, difference, noise=0.0).payoffs[0] = 9.0


@pytest.mark.parametrize("name", worlds.names(constrained=False))
def test_pickle(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COUNSEL_DATA", raising=False)
    world = worlds.load(name)
    if isinstance(world.space, Arms):
        world = standardised(world)
    copy = pickle.loads(pickle.dumps(world))
    assert (copy.name, copy.space, copy.direction) == (world.name, world.space, world.direction)
    assert (copy.noise, copy.optimum) == (world.noise, world.optimum)
    assert copy.optimisers == world.optimisers
    assert copy.evaluate(world.optimisers[0]) == world.evaluate(world.optimisers[0])
    if isinstance(world.space, Arms):
        np.testing.assert_array_equal(copy.payoffs, world.payoffs)
        assert not copy.payoffs.flags.writeable
