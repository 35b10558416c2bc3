"""Work in turn: of people, then of studies; what nobody waits for is not done."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from functools import partial

import pytest

from counsel.facts.wanted import check_wanted, give_way
from counsel.service.runtime import fair_queue
from counsel.service.runtime.fair_queue import Abandoned, Busy, FairQueue, Share

ONE = Share(threads=1, per_study=1, per_person=1, waiting_per_person=8, waiting=20)


@pytest.fixture
def make() -> Iterator[Callable[[Share], FairQueue]]:
    made: list[FairQueue] = []

    def queue(share: Share) -> FairQueue:
        made.append(FairQueue("test", share))
        return made[-1]

    yield queue
    for each in made:
        each.close()


Make = Callable[[Share], FairQueue]


class Gate:
    """Work that waits until it is let go."""

    def __init__(self) -> None:
        self.entered, self.open = threading.Event(), threading.Event()

    def __call__(self) -> None:
        self.entered.set()
        assert self.open.wait(30)


def held_up(queue: FairQueue, **whose: str) -> Gate:
    gate = Gate()
    queue.submit(gate, **whose)
    assert gate.entered.wait(30)
    return gate


def test_people_and_their_studies_are_served_in_turn(make: Make) -> None:
    queue = make(ONE)
    gate = held_up(queue)
    done: list[str] = []
    sent = [("ann", "a"), ("ann", "a"), ("ann", "b"), ("ben", "a"), ("ann", "a"), ("ben", "c")]
    work = [
        queue.submit(lambda i=i: done.append(i), person=p, study=s)  # type: ignore[misc]
        for i, (p, s) in enumerate(sent)
    ]
    gate.open.set()
    for each in work:
        each.result(30)
    assert [sent[i] for i in done] == [  # type: ignore[call-overload]
        ("ann", "a"), ("ben", "a"), ("ann", "b"), ("ben", "c"), ("ann", "a"), ("ann", "a"),
    ]  # fmt: skip


def test_one_study_and_one_person_do_not_take_all_threads(make: Make) -> None:
    queue = make(Share(threads=4, per_study=1, per_person=2))
    gates = [held_up(queue, person="ann", study="a"), held_up(queue, person="ann", study="b")]
    third = queue.submit(Gate(), person="ann", study="c")
    same_study = queue.submit(Gate(), person="ben", study="a")
    assert queue.submit(lambda: "at once", person="ben", study="c").result(30) == "at once"
    assert not third.running()
    assert not same_study.running()
    for work in (third, same_study):
        queue.abandon(work)
    for gate in gates:
        gate.open.set()


def test_what_waits_is_bounded_for_each_and_for_all(make: Make) -> None:
    queue = make(ONE)
    gate = held_up(queue)
    waiting = [queue.submit(lambda: None, person="ann") for _ in range(8)]
    with pytest.raises(Busy, match="8 of your requests are already waiting"):
        queue.submit(lambda: None, person="ann")
    waiting[0].cancel()
    waiting.append(queue.submit(lambda: None, person="ann"))  # that made room
    others = [queue.submit(lambda: None, person=f"p{i}") for i in range(12)]
    with pytest.raises(Busy, match="too much to do"):
        queue.submit(lambda: None, person="ben")
    gate.open.set()
    for each in (*waiting[1:], *others):
        each.result(30)
    assert queue.submit(lambda: 7, person="ann").result(30) == 7


def test_what_nobody_waits_for_is_not_begun(make: Make) -> None:
    queue = make(ONE)
    gate = held_up(queue)
    began: list[int] = []
    work = queue.submit(lambda: began.append(1))
    queue.abandon(work)
    gate.open.set()
    queue.submit(lambda: None).result(30)
    assert began == []
    with pytest.raises(CancelledError):
        work.result(30)


def test_what_is_under_way_notices(make: Make) -> None:
    queue, gate, steps = make(ONE), Gate(), 0

    def long() -> None:
        nonlocal steps
        gate()
        for _ in range(1000):
            steps += 1
            check_wanted()
            time.sleep(0.001)

    work = queue.submit(long)
    assert gate.entered.wait(30)
    queue.abandon(work)
    gate.open.set()
    with pytest.raises(Abandoned):
        work.result(30)
    assert steps == 1
    check_wanted()  # of nobody in particular: fine


def test_long_work_gives_way_to_other_people_and_studies(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To one at a time, and to nobody's own further work."""
    monkeypatch.setattr(fair_queue, "_TURN", 0.0)
    queue, gate, done = make(ONE), Gate(), []

    def long() -> None:
        gate()
        for step in range(3):
            done.append(f"step {step}")
            give_way()
            check_wanted()  # the others' being wanted is not mine

    works = [queue.submit(long, person="ann", study="a")]
    assert gate.entered.wait(30)
    for person, study in (("ann", "b"), ("ben", "a"), ("ben", "b"), ("cem", "c")):
        what = f"{person} {study}"
        works.append(queue.submit(partial(done.append, what), person=person, study=study))
    works.append(queue.submit(lambda: 1 / 0, person="dan", study="d"))
    gate.open.set()
    for work in works[:-1]:
        work.result(30)
    with pytest.raises(ZeroDivisionError):
        works[-1].result(30)
    assert done[:5] == ["step 0", "ben b", "step 1", "cem c", "step 2"]
    assert sorted(done[5:]) == ["ann b", "ben a"]
    give_way()  # of nobody in particular: fine


def test_errors_are_the_callers_and_the_queue_goes_on(make: Make) -> None:
    queue = make(ONE)
    with pytest.raises(ZeroDivisionError):
        queue.submit(lambda: 1 / 0).result(30)
    assert queue.submit(lambda: 7).result(30) == 7


def test_closing_finishes_what_is_under_way_and_cancels_the_rest(make: Make) -> None:
    queue = make(ONE)
    gate = held_up(queue)
    rest = queue.submit(lambda: None)
    threading.Timer(0.2, gate.open.set).start()
    queue.close()
    assert rest.cancelled()
    with pytest.raises(RuntimeError):
        queue.submit(lambda: None)
