"""What a proposal is compared with."""

import numpy as np
import pytest

import counsel as cs
from counsel.explain.background import BOX_POINTS, MOST_ARMS, background_for, levels_of, spread


def test_a_box_is_covered_evenly() -> None:
    space = cs.Space(
        a=cs.Float(-3, 3),
        k=cs.Int(0, 2),
        c=cs.Categorical(["u", "v", "w"]),
        l=cs.Float(1, 9, log=True),
    )
    points = spread(space, BOX_POINTS)
    np.testing.assert_array_equal(points, space.snap(points))
    for column in (0, 5):
        counts = np.histogram(points[:, column], bins=16, range=(0, 1))[0]
        assert counts.min() > 0.85 * BOX_POINTS / 16
    for levels in (np.unique(points[:, 1], return_counts=True)[1], points[:, 2:5].sum(axis=0)):
        np.testing.assert_allclose(levels, BOX_POINTS / 3, rtol=0.02)
    assert background_for(space).words == "1,024 points spread over the space"


def test_levels_on_a_logarithm_are_likely_by_their_share_of_it() -> None:
    parameter = cs.Int(1, 100, log=True)
    levels, chances = levels_of(parameter)
    assert chances.sum() == pytest.approx(1.0)
    drawn = np.bincount(
        [parameter.decode(u) for u in (np.arange(20_000) + 0.5) / 20_000], minlength=101
    )[1:]
    np.testing.assert_allclose(chances, drawn / 20_000, atol=1e-4)
    assert len(levels) == 100


def test_arms_are_their_own_background_while_they_are_few() -> None:
    few = cs.Arms(np.random.default_rng(0).uniform(size=(50, 2)))
    np.testing.assert_array_equal(background_for(few).points, few.points)
    assert background_for(few).words == "all 50 arms"
    many = cs.Arms(np.random.default_rng(0).uniform(size=(5000, 2)))
    found = background_for(many)
    assert len(found.points) == MOST_ARMS
    assert "4,096 of 5,000 arms" in found.words
    np.testing.assert_array_equal(found.points, background_for(many).points)


def test_given_points_are_taken_and_nonsense_refused() -> None:
    space = cs.Space(x=cs.Float(0, 2))
    found = background_for(space, [{"x": 1.0}, {"x": 0.5}])
    np.testing.assert_array_equal(found.points, [[0.5], [0.25]])
    assert found.words == "2 given points"
    for wrong in ([], {"x": 1.0}, "x"):
        with pytest.raises(cs.InvalidInput, match="background"):
            background_for(space, wrong)  # type: ignore[arg-type]
    with pytest.raises(cs.InvalidInput, match="x"):
        background_for(space, [{"x": 3.0}])
