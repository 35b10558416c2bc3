"""The scale of log gaps: order kept, and moments that integration confirms."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from counsel.models.warp import FLOOR, Warp

VALUES = arrays(np.float64, st.integers(1, 30), elements=st.floats(-1e6, 1e6, width=32))


@given(VALUES)
def test_order_is_kept_and_every_value_is_finite(y: np.ndarray) -> None:
    warped = Warp.of(y, FLOOR)(y)
    assert np.isfinite(warped).all()
    assert (np.diff(warped[np.argsort(y)]) >= 0.0).all()


@given(VALUES, st.floats(0.01, 100.0), st.floats(-1e3, 1e3))
def test_neither_units_nor_origin_matter(y: np.ndarray, factor: float, shift: float) -> None:
    y = np.round(y, 1)
    moved = factor * y + shift
    expected = Warp.of(y, FLOOR)(y)
    np.testing.assert_allclose(Warp.of(moved, FLOOR)(moved), expected, atol=1e-3)


def test_values_that_are_all_equal_stay_equal() -> None:
    y = np.full(4, 7.0)
    warp = Warp.of(y, FLOOR)
    assert np.ptp(warp(y)) == 0.0
    assert warp.moments(warp(y), np.full(4, 1e-9))[0] == pytest.approx(7.0)


def test_most_values_at_the_best_leave_a_unit() -> None:
    y = np.array([1.0, 1.0, 1.0, 0.0])
    assert Warp.of(y, FLOOR).unit == pytest.approx(0.25)


def test_a_certain_belief_is_the_value_itself() -> None:
    y = np.array([-300.0, -2.0, 0.5, 4.0])
    warp = Warp.of(y, FLOOR)
    mean, sd = warp.moments(warp(y), np.zeros(4))
    np.testing.assert_allclose(mean, y, rtol=1e-12)
    np.testing.assert_allclose(sd, 0.0)


def test_moments_are_those_of_integration() -> None:
    warp = Warp(top=3.0, unit=2.0, floor=FLOOR)
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    weights = weights / weights.sum()
    for mean, sd in [(0.0, 0.3), (1.2, 1.0), (-2.0, 0.7)]:
        y = warp.top + warp.unit * (warp.floor - np.exp(-(mean + sd * nodes)))
        found = warp.moments(np.array([mean]), np.array([sd]))
        assert found[0][0] == pytest.approx(weights @ y, rel=1e-9)
        assert found[1][0] == pytest.approx(np.sqrt(weights @ (y - weights @ y) ** 2), rel=1e-9)


def test_joint_moments_are_those_of_draws() -> None:
    warp = Warp(top=0.0, unit=1.0, floor=FLOOR)
    mean, covariance = np.array([0.5, 0.9]), np.array([[0.2, 0.1], [0.1, 0.3]])
    w = np.random.default_rng(0).multivariate_normal(mean, covariance, size=400_000)
    y = warp.top + warp.unit * (warp.floor - np.exp(-w))
    found = warp.joint_moments(mean, covariance)
    np.testing.assert_allclose(found[0], y.mean(axis=0), atol=5e-3)
    np.testing.assert_allclose(found[1], np.cov(y.T), atol=5e-3)
    np.testing.assert_allclose(
        np.sqrt(np.diagonal(found[1])), warp.moments(mean, np.sqrt([0.2, 0.3]))[1]
    )
