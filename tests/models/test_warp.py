"""The scales of log gaps and log payoffs: order kept, moments that integration confirms."""

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from counsel.models.warp import FLOOR, Warp

SIDES = pytest.mark.parametrize("sign", [1.0, -1.0], ids=["gaps", "payoffs"])
VALUES = arrays(np.float64, st.integers(1, 30), elements=st.floats(-1e6, 1e6, width=32))


@SIDES
@given(VALUES)
def test_order_is_kept_and_every_value_is_finite(sign: float, y: np.ndarray) -> None:
    warped = Warp.of(y, FLOOR, sign)(y)
    assert np.isfinite(warped).all()
    assert (np.diff(warped[np.argsort(y)]) >= 0.0).all()


@SIDES
@given(VALUES, st.floats(0.01, 100.0), st.floats(-1e3, 1e3))
def test_neither_units_nor_origin_matter(
    sign: float, y: np.ndarray, factor: float, shift: float
) -> None:
    y = np.round(y, 1)
    moved = factor * y + shift
    expected = Warp.of(y, FLOOR, sign)(y)
    np.testing.assert_allclose(Warp.of(moved, FLOOR, sign)(moved), expected, atol=1e-3)


@SIDES
def test_what_differs_by_rounding_is_equal(sign: float) -> None:
    """Otherwise a rounding error would be the usual gap, and everything else far beyond it."""
    best = sign * 0.3
    nearly = Warp.of(np.array([sign * (0.1 + 0.2), best, -sign * 3.0, best]), FLOOR, sign)
    equal = Warp.of(np.array([best, best, -sign * 3.0, best]), FLOOR, sign)
    assert nearly.unit == pytest.approx(equal.unit)
    assert nearly.unit > 0.5


@SIDES
def test_values_that_are_all_equal_stay_equal(sign: float) -> None:
    y = np.full(4, 7.0)
    warp = Warp.of(y, FLOOR, sign)
    assert np.ptp(warp(y)) == 0.0
    assert warp.moments(warp(y), np.full(4, 1e-9))[0] == pytest.approx(7.0)


def test_most_values_at_the_best_leave_a_unit() -> None:
    y = np.array([1.0, 1.0, 1.0, 0.0])
    assert Warp.of(y, FLOOR).unit == pytest.approx(0.25)


@SIDES
def test_a_certain_belief_is_the_value_itself(sign: float) -> None:
    y = np.array([-300.0, -2.0, 0.5, 4.0])
    warp = Warp.of(y, FLOOR, sign)
    mean, sd = warp.moments(warp(y), np.zeros(4))
    np.testing.assert_allclose(mean, y, rtol=1e-12)
    np.testing.assert_allclose(sd, 0.0)


@SIDES
def test_moments_are_those_of_integration(sign: float) -> None:
    warp = Warp(top=3.0, unit=2.0, floor=FLOOR, sign=sign)
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    weights = weights / weights.sum()
    for mean, sd in [(0.0, 0.3), (1.2, 1.0), (-2.0, 0.7)]:
        y = warp.top + sign * warp.unit * (warp.floor - np.exp(-sign * (mean + sd * nodes)))
        found = warp.moments(np.array([mean]), np.array([sd]))
        assert found[0][0] == pytest.approx(weights @ y, rel=1e-9)
        assert found[1][0] == pytest.approx(np.sqrt(weights @ (y - weights @ y) ** 2), rel=1e-9)


@SIDES
def test_joint_moments_are_those_of_draws(sign: float) -> None:
    warp = Warp(top=0.0, unit=1.0, floor=FLOOR, sign=sign)
    mean, covariance = np.array([0.5, 0.9]), np.array([[0.2, 0.1], [0.1, 0.3]])
    w = np.random.default_rng(0).multivariate_normal(mean, covariance, size=400_000)
    y = warp.top + sign * warp.unit * (warp.floor - np.exp(-sign * w))
    found = warp.joint_moments(mean, covariance)
    np.testing.assert_allclose(found[0], y.mean(axis=0), atol=5e-3)
    np.testing.assert_allclose(found[1], np.cov(y.T), atol=5e-3)
    np.testing.assert_allclose(
        np.sqrt(np.diagonal(found[1])), warp.moments(mean, np.sqrt([0.2, 0.3]))[1]
    )


@SIDES
def test_gains_on_the_scale_are_gains_in_units_and_back(sign: float) -> None:
    warp = Warp(top=3.0, unit=2.0, floor=FLOOR, sign=sign)
    start, gain = jnp.asarray(0.4), jnp.array([0.0, 0.1, 0.7])
    gained = warp.gained(gain, start)
    np.testing.assert_allclose(gained, warp.back(start + gain) - warp.back(start), atol=1e-14)
    np.testing.assert_allclose(warp.gain(gained, start), gain, atol=1e-14)


@SIDES
def test_the_slope_is_the_derivative_and_ends_at_the_extreme_value(sign: float) -> None:
    warp = Warp(top=3.0, unit=2.0, floor=FLOOR, sign=sign)
    y = 3.0 - sign * np.array([0.1, 1.0, 5.0])
    step = 1e-6
    slope = (warp(y + step) - warp(y - step)) / (2.0 * step)
    np.testing.assert_allclose(warp.slope(y), slope, rtol=1e-6)
    beyond = np.array([3.0 + 2.0 * sign])
    assert warp.inside(beyond)[0] == 3.0
    np.testing.assert_allclose(warp.inside(y), y)
