"""The studies that a service has open."""

from concurrent.futures import ThreadPoolExecutor

import pytest

import counsel as cs
from counsel.service.runtime import study_pool
from counsel.service.runtime.study_pool import StudyPool
from counsel.storage import MemoryStorage


def test_many_threads_open_many_studies_and_few_stay_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study_pool, "_KEPT", 5)
    storage = MemoryStorage()
    names = [f"s{i}" for i in range(12)]
    for name in names:
        space = cs.Space(x=cs.Float(0, 1))
        cs.create_study(space, name=name, policy="random", storage=storage)
    pool = StudyPool(storage)

    def use(offset: int) -> None:
        for i in range(150):
            name = names[(i * (offset + 1)) % len(names)]
            assert pool.study(name).name == name

    with ThreadPoolExecutor(8) as crowd:
        list(crowd.map(use, range(8)))
    assert len(pool._open) == 5
    with pytest.raises(cs.NotFound):
        pool.study("nothing")
    assert set(pool._kept) == set(pool._open)
    pool.close()
