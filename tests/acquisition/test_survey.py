"""Points that fill a space: every stratum once, every value as often as it should be."""

import numpy as np
import pytest

import counsel as cs
from counsel.acquisition.survey import POINTS, cube, fill, one_hot, survey_points

MIXED = cs.Space(
    x=cs.Float(-3, 5),
    n=cs.Int(1, 5),
    kind=cs.Categorical(["a", "b", "c"]),
    scale=cs.Float(1e-3, 1e3, log=True),
)


def filled(space: cs.Space, count: int = 600, seed: int = 0) -> np.ndarray:
    return fill(space, count, np.random.default_rng(seed))


def test_every_stratum_of_a_number_has_one_point() -> None:
    points = filled(MIXED)
    for name in ("x", "scale"):
        column = points[:, MIXED.columns(name)].ravel()
        np.testing.assert_array_equal(np.sort(np.floor(column * 600)), np.arange(600))


def test_every_whole_number_and_every_choice_comes_equally_often() -> None:
    values = [MIXED.decode(point) for point in filled(MIXED)]
    assert {n: sum(v["n"] == n for v in values) for n in range(1, 6)} == dict.fromkeys(
        range(1, 6), 120
    )
    assert {k: sum(v["kind"] == k for v in values) for k in "abc"} == dict.fromkeys("abc", 200)


def test_whole_numbers_on_a_log_scale_come_as_often_as_their_share_of_it() -> None:
    space = cs.Space(n=cs.Int(1, 100, log=True))
    counts = np.bincount([space.decode(point)["n"] for point in filled(space, 5000)])
    edges = np.log(np.arange(1, 102) - 0.5)
    expected = 5000 * np.diff(edges) / (edges[-1] - edges[0])
    # A value's share of the scale cuts two strata at most.
    np.testing.assert_allclose(counts[1:], expected, atol=2.0)


def test_points_belong_to_the_space() -> None:
    points = filled(MIXED)
    np.testing.assert_allclose(MIXED.snap(points), points, atol=1e-12)


def test_columns_are_independent() -> None:
    space = cs.Space(**{f"x{i}": cs.Float(0, 1) for i in range(6)})
    off = np.corrcoef(filled(space, 1000).T) - np.eye(6)
    assert np.abs(off).max() < 0.12


def test_the_same_seed_gives_the_same_points_and_another_gives_others() -> None:
    space = cs.Space(x=cs.Float(0, 1), context={"z": cs.Float(0, 1)})
    first, same, other = (survey_points(space, np.array([0.3]), seed) for seed in (1, 1, 2))
    assert first is not None
    np.testing.assert_array_equal(first, same)
    assert first.shape == (POINTS, 2)
    assert np.all(first[:, 1] == 0.3)
    assert not np.array_equal(first, other)


def test_arms_stand_for_themselves() -> None:
    assert survey_points(cs.Arms([[0.0], [1.0]]), np.zeros(0), 0) is None


@pytest.mark.parametrize(
    ("space", "columns", "continuous"),
    [
        (MIXED, ((2, 3, 4),), False),
        (cs.Space(x=cs.Float(0, 1), k=cs.Categorical([1, 2])), ((1, 2),), True),
        (cs.Arms([{"a": "u", "b": 1.0}, {"a": "v", "b": 2.0}]), ((0, 1),), False),
        (cs.Space(x=cs.Float(0, 1), context={"z": cs.Categorical(["a", "b"])}), (), True),
    ],
)
def test_which_columns_are_one_hot(
    space: cs.Space | cs.Arms, columns: tuple[tuple[int, ...], ...], continuous: bool
) -> None:
    assert one_hot(space) == columns
    assert cube(space) is continuous
