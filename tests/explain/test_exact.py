"""Shapley values from all coalitions."""

import numpy as np
import pytest

from counsel.explain.exact import coalitions, shapley, weights


def test_coalitions_are_all_sets() -> None:
    found = coalitions(3)
    assert found.shape == (8, 3)
    assert len({tuple(row) for row in found.tolist()}) == 8
    assert not found[0].any()
    assert found[-1].all()


def test_the_glove_game() -> None:
    """One left glove, two right ones: a pair is worth 1. The textbook answer is 2/3, 1/6, 1/6."""
    members = coalitions(3)
    worth = (members[:, 0] & (members[:, 1] | members[:, 2])).astype(float)
    np.testing.assert_allclose(shapley(worth[:, None])[0], [2 / 3, 1 / 6, 1 / 6], rtol=1e-14)


def test_an_additive_game_gives_each_its_own() -> None:
    own = np.array([3.0, -1.0, 0.5, 2.0])
    worth = 7.0 + coalitions(4) @ own
    np.testing.assert_allclose(shapley(worth[:, None])[0], own, rtol=1e-12)


@pytest.mark.parametrize("p", [1, 2, 7, 12])
def test_weights_take_nothing_from_a_constant(p: int) -> None:
    assert np.abs(weights(p).sum(axis=1)).max() < 1e-12
