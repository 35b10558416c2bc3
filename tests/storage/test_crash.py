"""kill -9 at any moment: what was acknowledged is there, the study opens, replay agrees."""

import random
import time
from pathlib import Path
from typing import Any

import pytest

import counsel as cs
import postgres
from counsel.storage.sql import SqlStorage
from storage import workers
from storage.test_many import assert_never_proposed_twice


def kill_loop(url: str, kills: int, seed: int) -> None:
    moments = random.Random(seed)
    workers.create(url)
    acknowledged: list[Any] = []
    for kill in range(kills):
        process, listen = workers.start(workers.for_ever, url, f"worker {kill}")
        assert listen.recv() == "ready"
        # So many facts, and then somewhere in the middle of the next ones.
        acknowledged += [listen.recv() for _ in range(moments.randrange(6))]
        time.sleep(moments.expovariate(1 / 0.01))
        process.kill()
        acknowledged += workers.heard(listen)
        process.join()
        assert process.exitcode == -9
        study = cs.load_study(workers.NAME, url)  # as anybody would, a moment later
        facts = study.facts
        known = {fact.id: fact for fact in facts}
        assert all(known.get(fact.id) == fact for fact in acknowledged)
        # At most one per kill was written and not yet acknowledged.
        assert len(facts) - len(acknowledged) <= kill + 1
        study.tell(study.ask(), 1.0)
        acknowledged += study.facts[-2:]
    study = cs.load_study(workers.NAME, url)
    assert len(study.facts) > 4 * kills  # they did get to work
    assert_never_proposed_twice(study)
    assert study.replay().identical


@pytest.mark.parametrize("seed", [0])
def test_killed_a_few_times(url: str, seed: int) -> None:
    kill_loop(url, 6, seed)


@pytest.mark.slow
def test_killed_two_hundred_times(url: str) -> None:
    kill_loop(url, 200, seed=1)


@pytest.fixture
def mortal() -> Any:
    """A server that may be crashed: nobody else uses it."""
    if postgres.programs() is None:
        pytest.skip("PostgreSQL is not on this machine: apt-get install postgresql")
    with postgres.running(durable=True) as running:
        yield running


def test_a_server_that_crashes_and_comes_back(mortal: postgres.Server) -> None:
    url = mortal.database("crash")
    study = workers.create(url)
    started = [workers.start(workers.rounds, url, f"worker {i}", 15) for i in range(2)]
    before = [[listen.recv() for _ in range(8)] for _, listen in started]  # well on their way
    mortal.stop("immediate")
    time.sleep(0.5)
    mortal.start()
    reports = [*before, *(workers.heard(listen) for _, listen in started)]
    acknowledged = [fact for report in reports for fact in report if fact != "ready"]
    assert not [said for said in acknowledged if isinstance(said, BaseException)]
    assert sorted(f.id for f in acknowledged) == sorted(f.id for f in study.facts)
    assert len({f.id for f in study.facts if isinstance(f, cs.Proposal)}) == 30
    assert study.replay().identical

    # A server that is not back within the budget: a sentence, and nothing is half done. It comes
    # back only after that, so nothing but the budget can have ended the wait.
    impatient = cs.load_study(workers.NAME, SqlStorage(url, patience=1.0))
    known = impatient.facts
    mortal.stop("fast")
    with pytest.raises(
        cs.StorageError,
        match=r"cannot be reached.*Check that the database is "
        "running",
    ):
        impatient.ask()
    mortal.start()
    assert impatient.facts == known
    assert impatient.ask().round == 31


def test_a_child_process_by_fork_has_connections_of_its_own(tmp_path: Path) -> None:
    import multiprocessing
    import warnings

    url = f"sqlite:///{tmp_path / 'study.db'}"
    study = workers.create(url)
    study.ask()

    def child() -> None:
        study.tell(study.ask(), 2.0)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # forking a process with threads
        warnings.simplefilter("ignore", RuntimeWarning)  # JAX says the same where it is loaded
        process = multiprocessing.get_context("fork").Process(target=child)
        process.start()
    process.join()
    assert process.exitcode == 0
    assert [fact.id for fact in study.facts] == ["p1", "p2", "o1"]
    study.tell("p1", 1.0)
    assert study.replay().identical
