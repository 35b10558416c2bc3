"""Writes that share a transaction: nobody's is lost, nobody's failure is another's."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

import counsel as cs
from counsel.storage import engine as opening
from counsel.storage.group_commit import GroupCommit, _Write

TABLE = sa.Table("kept", sa.MetaData(), sa.Column("study", sa.Integer), sa.Column("x", sa.Integer))


class StudyPool:
    """A table, a queue before it, and a count of the commits."""

    def __init__(self, file: Path) -> None:
        self.engine = opening.engine_for(sa.make_url(f"sqlite:///{file}"))
        with opening.begin_writing(self.engine) as connection:
            TABLE.metadata.create_all(connection)
        self.commits = 0
        sa.event.listen(self.engine, "commit", self._count)
        self.together = GroupCommit(lambda: opening.begin_writing(self.engine))

    def _count(self, connection: sa.Connection) -> None:
        self.commits += 1

    def rows(self) -> list[tuple[int, int]]:
        with self.engine.begin() as connection:
            return sorted((a, b) for a, b in connection.execute(sa.select(TABLE)))

    def all_at_once(
        self, works: list[tuple[int, Callable[[sa.Connection], object]]]
    ) -> list[object]:
        """What each was answered who queued while a first write, of study 0, was under way."""
        started, go = threading.Event(), threading.Event()
        answers: list[object] = [None] * len(works)

        def first(connection: sa.Connection) -> None:
            started.set()
            assert go.wait(10)

        def ask(i: int, study: int, work: Callable[[sa.Connection], object]) -> None:
            try:
                answers[i] = self.together.write(study, work)
            except BaseException as error:
                answers[i] = error

        threads = [threading.Thread(target=self.together.write, args=(0, first))]
        threads[0].start()
        assert started.wait(10)
        for i, (study, work) in enumerate(works):
            threads.append(threading.Thread(target=ask, args=(i, study, work)))
            threads[-1].start()
        while len(self.together._queue) < len(works):
            time.sleep(0.001)
        go.set()
        for thread in threads:
            thread.join(10)
            assert not thread.is_alive()
        return answers


@pytest.fixture
def pool(tmp_path: Path) -> Iterator[StudyPool]:
    made = StudyPool(tmp_path / "a.db")
    yield made
    made.engine.dispose()


def adding(study: int, x: int) -> tuple[int, Callable[[sa.Connection], object]]:
    def work(connection: sa.Connection) -> int:
        connection.execute(sa.insert(TABLE), {"study": study, "x": x})
        return x

    return study, work


def refused(study: int) -> tuple[int, Callable[[sa.Connection], object]]:
    def work(connection: sa.Connection) -> None:
        connection.execute(sa.insert(TABLE), {"study": study, "x": -1})
        raise cs.Conflict("No.")

    return study, work


def test_who_waits_shares_a_commit(pool: StudyPool) -> None:
    answers = pool.all_at_once([adding(i, 10 * i) for i in range(1, 6)])
    assert answers == [10, 20, 30, 40, 50]
    assert pool.commits == 2  # the first write, and everybody's
    assert pool.rows() == [(i, 10 * i) for i in range(1, 6)]


def test_a_refusal_is_nobody_elses(pool: StudyPool) -> None:
    answers = pool.all_at_once([adding(1, 1), refused(2), adding(3, 3)])
    assert isinstance(answers[1], cs.Conflict)
    assert (answers[0], answers[2]) == (1, 3)
    assert pool.rows() == [(1, 1), (3, 3)]


def test_the_next_write_of_a_study_sees_the_last_one_committed(pool: StudyPool) -> None:
    def count(connection: sa.Connection) -> int:
        connection.execute(sa.insert(TABLE), {"study": 1, "x": 0})
        return pool.commits

    answers = pool.all_at_once([(1, count), (1, count), adding(2, 2)])
    assert sorted(answers[:2]) == [1, 2]  # type: ignore[type-var]
    assert pool.rows() == [(1, 0), (1, 0), (2, 2)]


def test_a_failing_database_is_everybodys_and_nothing_is_kept(pool: StudyPool) -> None:
    def broken(connection: sa.Connection) -> None:
        connection.execute(sa.text("INSERT INTO nowhere VALUES (1)"))

    answers = pool.all_at_once([adding(1, 1), (2, broken), adding(3, 3)])
    assert all(isinstance(answer, sa.exc.OperationalError) for answer in answers)
    assert pool.rows() == []
    assert pool.together.write(*adding(4, 4)) == 4


def test_an_interrupted_thread_leaves_the_others_their_turn(pool: StudyPool) -> None:
    stopped = threading.Event()

    def interrupted(connection: sa.Connection) -> None:
        if not stopped.is_set():
            stopped.set()
            raise KeyboardInterrupt

    answers = pool.all_at_once([adding(1, 1), (2, interrupted), adding(3, 3)])
    # Whoever led the batch was to stop; that is one of them, and its write is not made.
    failed = [i for i, answer in enumerate(answers) if isinstance(answer, KeyboardInterrupt)]
    assert len(failed) == 1
    kept = [(1, 1), (3, 3)]
    if failed[0] != 1:
        kept.remove([(1, 1), None, (3, 3)][failed[0]])  # type: ignore[arg-type]
    assert pool.rows() == kept


def test_whom_nobody_calls_looks_for_themselves(
    pool: StudyPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unheard(write: _Write) -> None:
        write.over = True

    monkeypatch.setattr(_Write, "finish", unheard)
    answers = pool.all_at_once([adding(i, i) for i in range(1, 5)])
    assert answers == [1, 2, 3, 4]
    assert pool.commits == 2


def test_threads_of_many_studies_lose_nothing(tmp_path: Path) -> None:
    storage = cs.storage.open_storage(f"sqlite:///{tmp_path / 'many.db'}")
    space = cs.Space(x=cs.Float(0, 1))
    studies = [
        cs.create_study(space, name=f"s{i}", policy="random", storage=storage) for i in range(8)
    ]
    wrong: list[BaseException] = []

    def work(study: cs.Study) -> None:
        try:
            for i in range(12):
                proposal = study.ask()
                study.accept(proposal, actor=f"person {i % 3}")
                study.tell(proposal, float(i))
                with pytest.raises(cs.Conflict):
                    study.tell(proposal, 0.0)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(study,)) for study in studies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    for study in studies:
        again = cs.load_study(study.name, storage=storage)
        assert again.facts == study.facts
        assert len(again.facts) == 36
        assert again.replay().identical
