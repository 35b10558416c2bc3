"""Movements of the arm become a study, and the arm is recognised when it is opened again."""

from pathlib import Path

import pytest

from counsel.demo.arm import Arm, moves_the_arm, study_of
from counsel.demo.extension import demonstration
from counsel.errors import InvalidInput
from counsel.service.runtime.study_pool import StudyPool
from counsel.storage import open_storage
from counsel.worlds.correcting import begin, corrected, movement


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
