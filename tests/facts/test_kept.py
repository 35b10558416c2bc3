"""What was computed from facts: once for the same facts, and never more than a few."""

import pickle
from dataclasses import replace

import numpy as np

from counsel.facts.history import History
from counsel.facts.kept import Kept, trim


def history(**changes: object) -> History:
    nothing = np.zeros((0, 1))
    plain = History(np.ones((2, 1)), np.array([1.0, 2.0]), nothing, nothing, np.zeros(0), 1, 0)
    return replace(plain, **changes)  # type: ignore[arg-type]


class Counter:
    def __init__(self) -> None:
        self.calls = 0

    def __call__(self) -> int:
        self.calls += 1
        return self.calls


def test_the_same_data_are_computed_once_and_changed_data_again() -> None:
    kept, count = Kept(), Counter()
    first = history(kept=kept)
    assert [first.once("fit", count), first.once("fit", count)] == [1, 1]
    assert replace(first, y=np.array([1.0, 3.0])).once("fit", count) == 2
    assert first.once("other", count) == 3
    assert history(kept=kept).once("fit", count) == 1  # equal arrays, not the same ones


def test_what_else_an_answer_depends_on_is_part_of_its_key() -> None:
    kept, count = Kept(), Counter()
    assert history(kept=kept, t=1).once("fit", count) == 1
    assert history(kept=kept, t=2).once("fit", count) == 1
    assert history(kept=kept, t=1).once("fit", count, "t") == 2
    assert history(kept=kept, t=2).once("fit", count, "t") == 3


def test_shapes_are_told_apart() -> None:
    kept, count = Kept(), Counter()
    flat = np.ones((4, 1))
    assert history(kept=kept, x=flat).once("fit", count) == 1
    assert history(kept=kept, x=flat.reshape(2, 2)).once("fit", count) == 2


def test_histories_of_their_own_share_nothing() -> None:
    count = Counter()
    assert [history().once("fit", count), history().once("fit", count)] == [1, 2]


def test_only_the_last_answers_are_kept_and_large_ones_leave_first() -> None:
    kept = Kept()
    for i in range(100):
        kept.get(i, lambda: 0)
    assert len(kept) <= 16
    for i in range(5):
        kept.get(("large", i), lambda: np.zeros(4 * 2**20))  # 32 MB each
    assert len(kept) <= 2
    kept.get("huge", lambda: np.zeros(2**24))
    assert len(kept) == 1


def test_a_copy_sent_to_another_process_is_empty() -> None:
    first = history()
    first.once("fit", lambda: 1)
    again = pickle.loads(pickle.dumps(first))
    assert len(again.kept) == 0
    assert len(first.kept) == 1


def test_what_many_keep_together_is_bounded_and_the_oldest_is_dropped_first() -> None:
    every = [Kept() for _ in range(4)]
    for kept in every:
        kept.get("belief", lambda: np.zeros(100))  # 800 bytes
    trim(every, 4 * 800)
    assert [kept.nbytes for kept in every] == [800] * 4
    trim(every, 2 * 800)
    assert [kept.nbytes for kept in every] == [0, 0, 800, 800]
    trim(every, 0)  # the latest is kept, however large
    assert [kept.nbytes for kept in every] == [0, 0, 0, 800]
