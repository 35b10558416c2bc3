"""Paired statistics of the suites, beside answers worked out another way."""

import itertools

import numpy as np
import pytest
from benchmarks.suites.command import median_rows
from benchmarks.suites.ranking import Contest
from benchmarks.suites.results import Played
from benchmarks.suites.setting import Setting
from benchmarks.suites.world import World, above
from scipy.stats import binom


def played(world: str, gap: float, seed: int = 0) -> Played:
    return Played(world, seed, "1", ((1, gap),), 1, gap, 1, 0.0, 0.0)


def contest(**gaps: list[float]) -> Contest:
    return Contest.of({n: [played(f"w{i}", g) for i, g in enumerate(v)] for n, v in gaps.items()})


def test_mean_ranks_count_the_better_ones_and_half_of_the_ties() -> None:
    rng = np.random.default_rng(0)
    gaps = 10.0 ** rng.integers(-3, 3, size=(20, 4)).astype(float)
    found = contest(**{f"c{j}": gaps[:, j].tolist() for j in range(4)}).ranks()
    expected = np.zeros(4)
    for j, other in itertools.product(range(4), range(4)):
        if j != other:
            expected[j] += np.mean(gaps[:, other] < gaps[:, j])
            expected[j] += 0.5 * np.mean(gaps[:, other] == gaps[:, j])
    assert found == pytest.approx(1.0 + expected)
    assert found.sum() == pytest.approx(4 * 5 / 2)


def test_only_cells_that_everybody_finished_count() -> None:
    ours = [played("a", 1.0), played("b", 1.0), played("c", 1.0)]
    theirs = [played("c", 10.0), played("a", 0.1), played("a", 5.0, seed=1)]
    found = Contest.of({"ours": ours, "theirs": theirs})
    assert found.cells == (("a", 0), ("c", 0))
    assert found.gaps == pytest.approx(np.array([[0.0, -1.0], [0.0, 1.0]]))


def test_gaps_that_hardly_differ_are_ties() -> None:
    found = contest(ours=[1.0, 1.0], theirs=[1.0005, 2.0])
    assert found.ranks() == pytest.approx([1.25, 1.75])
    assert found.against("ours", "theirs").better == 0.5
    assert found.against("ours", "theirs").worse == 0.0


def test_the_interval_of_the_median_is_that_of_its_order_statistics() -> None:
    # A bootstrapped median of 25 sorted values is at most the k-th with the chance that at least
    # 13 of 25 draws are among the k smallest.
    rng = np.random.default_rng(1)
    apart = np.sort(rng.normal(size=25))
    found = contest(ours=(10.0**apart).tolist(), theirs=[1.0] * 25).against("ours", "theirs")
    at_most = [binom.sf(12, 25, (k + 1) / 25) for k in range(25)]
    low = apart[next(k for k in range(25) if at_most[k] >= 0.025)]
    high = apart[next(k for k in range(25) if at_most[k] >= 0.975)]
    assert (found.median, found.low, found.high) == pytest.approx((np.median(apart), low, high))


def test_a_verdict_needs_an_interval_without_zero() -> None:
    clear = contest(ours=[0.1] * 9 + [2.0], theirs=[1.0] * 10)
    assert clear.against("ours", "theirs").verdict == "better"
    assert clear.against("theirs", "ours").verdict == "WORSE"
    mixed = contest(ours=[0.1] * 5 + [10.0] * 5, theirs=[1.0] * 10)
    assert mixed.against("ours", "theirs").verdict == "even"


def test_a_few_cells_decide_nothing() -> None:
    assert contest(ours=[0.1] * 4, theirs=[1.0] * 4).against("ours", "theirs").verdict == "few"
    assert contest(ours=[0.1] * 5, theirs=[1.0] * 5).against("ours", "theirs").verdict == "better"


def test_medians_are_of_the_cells_of_a_group_and_say_how_many_end_within() -> None:
    worlds = [
        World(
            f"w{i}", "even" if i % 2 == 0 else "odd", Setting(()), lambda _: None, above(0.0), 1, 1
        )
        for i in range(6)
    ]
    cells = {"all": [played(f"w{i}", 10.0**-i) for i in range(6)], "one": [played("w1", 0.5)]}
    heads, rows = median_rows(cells, worlds, within=0.01)
    assert heads[1:3] == ["even", "odd"]
    assert rows[0][:3] == ["all", "-2.00, 2 of 3", "-3.00, 2 of 3"]
    assert rows[1][:3] == ["one", "", "-0.30, 0 of 1"]
