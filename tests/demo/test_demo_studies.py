"""The ready studies: there once, with worlds that answer."""

from pathlib import Path

from counsel.demo import demo_studies as ready
from counsel.study import load_study


def test_ready_studies_are_made_once_and_their_worlds_answer(tmp_path: Path) -> None:
    storage = f"sqlite:///{tmp_path / 'demo.db'}"
    worlds = ready.prepare(storage)
    assert set(worlds) == set(ready.names())
    for name, world in worlds.items():
        study = load_study(name, storage)
        before, best = len(study.facts), study.best
        assert before >= 3
        assert best is not None
        assert world(best.values, 1) == world(best.values, 1)
        assert set(world(best.values, 1)) >= {study.problem.objective.name}
        study.ask()
        ready.prepare(storage)
        assert len(load_study(name, storage).facts) == before + 1  # left as it was
    ready.prepare(storage, fresh=True)
    assert len(load_study("exosuit", storage).observations) == 6
