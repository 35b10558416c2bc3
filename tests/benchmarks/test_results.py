"""Finished cells are kept whole, found again and not played twice."""

from pathlib import Path

import pytest
from benchmarks.suites.play import kept_cells, play_all
from benchmarks.suites.results import Played, Results
from benchmarks.suites.setting import Parameter, Point, Setting
from benchmarks.suites.world import NEVER, Reading, World, above
from hypothesis import given
from hypothesis import strategies as st

numbers = st.floats(allow_nan=False, allow_infinity=False)


def cell(world: str = "w", seed: int = 0, version: str = "1", gap: float = 1.0) -> Played:
    return Played(world, seed, version, ((1, 2.0), (3, 0.5)), 4, gap, None, 0.1, 0.2)


@given(
    st.text(),
    st.integers(0, 999),
    st.lists(st.tuples(st.integers(1, 200), numbers), min_size=1),
    numbers,
    st.one_of(st.none(), st.integers(1, 200)),
)
def test_a_line_gives_the_cell_back(
    world: str, seed: int, steps: list[tuple[int, float]], gap: float, feasible: int | None
) -> None:
    played = Played(world, seed, "1", tuple(steps), 200, gap, feasible, 0.1, 0.2)
    line = played.to_line()
    assert line.count("\n") == 1
    assert Played.from_line(line) == played


def test_the_last_line_of_a_cell_counts_and_tidying_keeps_it(tmp_path: Path) -> None:
    results = Results.of(tmp_path, "suite", "counsel:ei")
    for played in (cell(gap=2.0), cell("v"), cell(version="2", gap=3.0)):
        results.keep(played)
    assert results.read()["w", 0].gap == 3.0
    assert list(results.read("1")) == [("v", 0)]
    results.tidy()
    assert results.path.read_text().count("\n") == 2
    assert list(results.read()) == [("v", 0), ("w", 0)]


def test_half_a_line_is_dropped(tmp_path: Path) -> None:
    results = Results.of(tmp_path, "suite", "random")
    results.keep(cell("a"))
    with results.path.open("a") as file:
        file.write(cell("b").to_line()[:20])
    assert list(results.read()) == [("a", 0)]
    results.keep(cell("c"))
    assert list(results.read()) == [("a", 0), ("c", 0)]


class Counted:
    """A world of one number that counts its trials; even ones break the constraint."""

    def __init__(self, name: str) -> None:
        self.trials = 0
        box = (Parameter("x", "real", -1.0, 1.0),)
        self.world = World(
            name=name,
            group="all",
            setting=Setting(box, constraints=1),
            open=lambda seed: self.evaluate,
            gap=above(0.0),
            first=2,
            trials=5,
        )

    def evaluate(self, point: Point) -> Reading:
        assert not isinstance(point, int)
        self.trials += 1
        return Reading(point[0] ** 2, (1.0 if self.trials % 2 == 0 else -1.0,))


def test_a_run_goes_on_where_another_stopped(tmp_path: Path) -> None:
    one, two = Counted("one"), Counted("two")
    cells = [(one.world, 0), (two.world, 0)]
    run = play_all(tmp_path, "suite", cells, "random")
    first = next(run)
    run.close()  # cut short after a cell
    assert (one.trials, two.trials) == (5, 0)
    again = list(play_all(tmp_path, "suite", cells, "random"))
    assert (one.trials, two.trials) == (5, 5)
    assert again[0] == first
    assert kept_cells(tmp_path, "suite", cells, "random") == again


def test_a_cell_tells_the_first_feasible_trial_and_the_gap_of_the_best(tmp_path: Path) -> None:
    world = Counted("one")
    (played,) = play_all(tmp_path, "suite", [(world.world, 0)], "random")
    assert played.first_feasible == 2
    assert played.steps[0] == (1, NEVER)
    assert played.gap == pytest.approx(played.steps[-1][1])
    assert played.trials == world.trials == 5
