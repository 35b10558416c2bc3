"""A person corrects the arm while it moves: what was done stays, what is planned follows."""

import numpy as np
import pytest

from counsel.errors import InvalidInput
from counsel.worlds.correcting import (
    KEYS,
    begin,
    corrected,
    hand,
    movement,
    pushed,
    towards,
    watched,
)
from counsel.worlds.robot_arm import GOAL, LEAST, MOST, STEPS, feature_sums, plan

AT = 12


def cost(torques: np.ndarray, weights: np.ndarray) -> float:
    return float(np.asarray(feature_sums(torques)) @ np.append(weights, 1.0))


def test_the_first_plan_hits_the_wall_and_is_the_planners() -> None:
    game = begin(0)
    assert game.under_way.clearance < 0.0
    np.testing.assert_allclose(
        game.under_way.torques, np.asarray(plan(game.weights[0])), rtol=1e-6, atol=1e-8
    )
    np.testing.assert_allclose(game.under_way.states[-1], GOAL, atol=0.1)


@pytest.mark.parametrize(
    "key", [pytest.param(key, marks=() if key == "up" else pytest.mark.slow) for key in KEYS]
)
def test_a_correction_keeps_the_past_and_improves_the_rest(key: str) -> None:
    game = begin(0)
    after = corrected(game, AT, key)
    assert after is not None
    np.testing.assert_array_equal(after.under_way.torques[:AT], game.under_way.torques[:AT])
    np.testing.assert_allclose(after.under_way.states[: AT + 1], game.under_way.states[: AT + 1])
    weights = after.weights[-1]
    assert cost(after.under_way.torques, weights) <= cost(game.under_way.torques, weights)
    assert (weights >= LEAST).all()
    assert (weights <= MOST).all()
    # What is left agrees: by a difference, a push that way makes the movement cheaper.
    push = np.zeros((STEPS, 2))
    push[AT] = 1e-5 * np.array(KEYS[key])
    forth, back = game.under_way.torques + push, game.under_way.torques - push
    assert max((cost(forth, w) - cost(back, w)) / 2e-5 for w in after.left[:50]) <= 1e-5
    assert len(after.left) < len(game.left)


def test_opposite_keys_leave_opposite_weights() -> None:
    game = begin(3)
    one, other = corrected(game, AT, "left"), corrected(game, AT, "right")
    assert one is not None
    assert other is not None
    assert len(one.left) + len(other.left) == len(game.left)


def test_watching_again_shows_the_whole_plan() -> None:
    after = corrected(begin(0), AT, "down")
    assert after is not None
    again = watched(after).under_way
    np.testing.assert_allclose(again.states, movement(after.weights[-1]).states)
    assert again.clearance > begin(0).under_way.clearance


def test_what_cannot_be_pressed() -> None:
    game = begin(0)
    with pytest.raises(InvalidInput, match="left, right, up, down"):
        corrected(game, 3, "q")
    with pytest.raises(InvalidInput, match="step"):
        corrected(game, STEPS, "up")


_WAYS = (("left", 0, -1), ("right", 0, 1), ("up", 1, 1), ("down", 1, -1))


def test_a_turn_moves_the_hand_where_a_key_points() -> None:
    """Whatever the posture: turning a joint as `towards` says moves the hand that way."""
    rng = np.random.default_rng(0)
    for state in rng.uniform(-np.pi, np.pi, size=(200, 4)):
        for key, axis, sign in _WAYS:
            turned = state.copy()
            turned[:2] += 1e-6 * np.array(KEYS[towards(key, state)])
            moved = hand(turned[None]) - hand(state[None])
            assert sign * moved[0, axis] >= 0.0, (key, state)


def test_the_hand_goes_where_it_is_pushed() -> None:
    """Other first plans than those it was built on; two that it cannot follow are the most."""
    none = 0
    for seed in (0, 1, 2, 3):
        game = begin(seed)
        for step in (8, 16, 28):
            for key, axis, sign in _WAYS:
                after = pushed(game, step, key)
                if after is None:
                    none += 1
                    continue
                before, now = hand(game.under_way.states), hand(after.under_way.states)
                np.testing.assert_allclose(now[: step + 1], before[: step + 1])
                assert sign * (now - before)[step + 1 : step + 9, axis].mean() > 0.0, (key, step)
    assert none <= 2
