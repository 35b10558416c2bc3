"""Movements of the arm become a study, and the arm is recognised when it is opened again."""

from pathlib import Path

import numpy as np
import pytest

from counsel.demo.arm import Arm, moves_the_arm, study_of
from counsel.demo.arm_page import towards
from counsel.demo.extension import demonstration
from counsel.errors import InvalidInput
from counsel.service.runtime.study_pool import StudyPool
from counsel.storage import open_storage
from counsel.worlds.correcting import KEYS, begin, corrected, movement


def test_a_study_of_what_a_person_made(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'arm.db'}"
    game = begin(0)
    made = [(game.weights[0], game.under_way)]
    for key in ("down", "up"):
        after = corrected(game, 12, key)
        assert after is not None
        made.append((after.weights[-1], movement(after.weights[-1])))
    with pytest.raises(InvalidInput, match="at least 3"):
        study_of("few", made[:2], open_storage(address))
    study_of("mine", made, open_storage(address))
    pool = StudyPool(open_storage(address), demonstration())
    study = pool.study("mine")  # as after a restart
    assert moves_the_arm(study.problem)
    world = pool.worlds["mine"]
    assert isinstance(world, Arm)
    clear = max(made, key=lambda each: each[1].clearance)
    first = study.ask()
    assert list(first.values.values()) == clear[0].tolist()  # known to be safe
    assert first.asks == ("clearance",)
    seen = world(first.values, 1)
    assert seen == world(first.values, 1)
    assert seen["clearance"] == pytest.approx(clear[1].clearance, abs=0.25)
    study.tell(first, seen["ease"], constraints={"clearance": seen["clearance"]})
    assert study.best is not None
    assert len(world.figure({"it": first.values}).frames) == 51
    pool.delete("mine")
    assert "mine" not in pool.worlds
    pool.close()


def test_a_key_moves_the_hand_where_it_points() -> None:
    """Whatever the posture: turning a joint as `towards` says moves the hand that way."""
    rng = np.random.default_rng(0)
    for state in rng.uniform(-np.pi, np.pi, size=(200, 4)):
        for key, axis, sign in (("left", 0, -1), ("right", 0, 1), ("up", 1, 1), ("down", 1, -1)):
            turned = state.copy()
            turned[:2] += 1e-6 * np.array(KEYS[towards(key, state)])
            moved = _hand(turned) - _hand(state)
            assert sign * moved[axis] >= 0.0, (key, state)


def _hand(state: np.ndarray) -> np.ndarray:
    first, second = state[0], state[0] + state[1]
    return np.array([np.cos(first) + np.cos(second), np.sin(first) + np.sin(second)])
