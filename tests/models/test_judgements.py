"""Judgements: chances that add up to one, slopes that are slopes, covariances of differences."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from counsel.models.gp import bucket
from counsel.models.judgements import (
    Judged,
    Judgements,
    Manner,
    likelihood,
    log_tie,
    log_win,
)
from counsel.models.kernels import Matern, Prior, SquaredExponential

Z = np.linspace(-30.0, 30.0, 241)
KERNEL = Judged(SquaredExponential([0.4, 0.7], 1.3), 2)


def judgements(seed: int = 0, k: int = 5, n: int = 3, size: int | None = None) -> Judgements:
    rng = np.random.default_rng(seed)
    ties = np.arange(k) % 3 == 2
    return Judgements.padded(
        rng.uniform(size=(k, 2, 2)), ties, rng.uniform(size=(n, 2)), rng.normal(size=n), size
    )


@given(st.floats(-8.0, 8.0), st.floats(0.01, 5.0))
def test_win_tie_and_loss_are_all_there_is(z: float, reach: float) -> None:
    u = jnp.array([z])
    total = jnp.exp(log_win(u - reach).value)
    total += jnp.exp(log_win(-u - reach).value)
    total += jnp.exp(log_tie(u, jnp.asarray(reach)).value)
    assert float(total[0]) == pytest.approx(1.0, abs=1e-12)


def test_a_tie_has_scipys_probability_and_is_even() -> None:
    near = np.linspace(-5.0, 5.0, 101)
    exact = np.log(norm.cdf(0.7 - near) - norm.cdf(-0.7 - near))
    np.testing.assert_allclose(
        log_tie(jnp.asarray(near), jnp.asarray(0.7)).value, exact, atol=1e-12
    )
    there, back = (log_tie(jnp.asarray(z), jnp.asarray(0.7)) for z in (Z, -Z))
    np.testing.assert_allclose(there.value, back.value)
    np.testing.assert_allclose(there.slope, -back.slope)


@pytest.mark.parametrize(
    "rule",
    [log_win, lambda z: log_tie(z, jnp.asarray(0.4)), lambda z: log_tie(z, jnp.asarray(3.0))],
)
def test_slopes_are_derivatives_and_logs_are_concave(rule) -> None:
    z = jnp.asarray(Z)
    found = rule(z)
    np.testing.assert_allclose(
        found.slope, jax.grad(lambda x: jnp.sum(rule(x).value))(z), rtol=1e-8, atol=1e-10
    )
    curvature = jax.grad(lambda x: jnp.sum(rule(x).slope))(z)
    np.testing.assert_allclose(found.W, -curvature, rtol=1e-6, atol=1e-8)
    assert np.all(np.isfinite(found.value))
    assert np.all(np.asarray(found.W) >= -1e-10)


def test_each_judgement_follows_its_own_rule() -> None:
    given_ = judgements(k=3, n=2)
    u = jnp.linspace(-1.0, 1.0, bucket(5))
    manner = Manner(np.asarray(0.2), np.asarray(0.5), np.asarray(0.3))
    value = np.asarray(likelihood(u, given_, manner).value)
    expected = [
        norm.logcdf((u[0] - 0.3) / 0.5),
        norm.logcdf((u[1] - 0.3) / 0.5),
        np.log(norm.cdf((0.3 - u[2]) / 0.5) - norm.cdf((-0.3 - u[2]) / 0.5)),
        norm.logpdf(given_.y[3], u[3], np.sqrt(0.2)),
        norm.logpdf(given_.y[4], u[4], np.sqrt(0.2)),
    ]
    np.testing.assert_allclose(value[:5], expected)
    assert not value[5:].any()


def test_without_ties_there_is_no_zone_of_indifference() -> None:
    rng = np.random.default_rng(1)
    forced = Judgements.padded(
        rng.uniform(size=(4, 2, 2)), np.zeros(4, dtype=bool), np.zeros((0, 2)), np.zeros(0)
    )
    u = jnp.zeros(bucket(4))
    manner = Manner(np.asarray(0.2), np.asarray(0.5), np.asarray(3.0))
    np.testing.assert_allclose(likelihood(u, forced, manner).value[:4], np.log(0.5))


def test_covariances_are_those_of_differences() -> None:
    given_ = judgements()
    rows = given_.stacked()
    points = np.concatenate([given_.left, given_.right])
    M = len(given_.left)
    H = np.zeros((M, 2 * M))
    H[np.arange(M), np.arange(M)] = 1.0
    H[np.arange(M), M + np.arange(M)] = -given_.paired
    K = np.asarray(KERNEL.inner.matrix(points, points))
    np.testing.assert_allclose(KERNEL.matrix(rows, rows), H @ K @ H.T, atol=1e-14)
    test = np.random.default_rng(5).uniform(size=(4, 2))
    cross = np.asarray(KERNEL.inner.matrix(points, test))
    np.testing.assert_allclose(KERNEL.matrix(rows, test), H @ cross, atol=1e-14)
    np.testing.assert_allclose(KERNEL.matrix(test, rows), (H @ cross).T, atol=1e-14)
    np.testing.assert_allclose(KERNEL.matrix(test, test), KERNEL.inner.matrix(test, test))


def test_a_kernel_of_judgements_is_otherwise_the_kernel_inside() -> None:
    inner = Matern([0.3, 0.6], 1.7)
    judged = Judged(inner, 2)
    assert judged.amplitude() == inner.amplitude()
    assert judged.log_prior(Prior()) == inner.log_prior(Prior())
    key = jax.random.key(0)
    np.testing.assert_array_equal(judged.frequencies(key, 5, 2), inner.frequencies(key, 5, 2))
    low, high = judged.bounds()
    assert float(low.amplitude()) < 1.7 < float(high.amplitude())


def test_measurements_are_standardised_and_comparisons_left_alone() -> None:
    given_ = judgements(k=4, n=3)
    standard, offset, scale = given_.standardised()
    values = np.asarray(given_.y)[4:7]
    assert float(offset) == pytest.approx(values.mean())
    assert float(scale) == pytest.approx(values.std())
    np.testing.assert_allclose(np.asarray(standard.y)[4:7], (values - offset) / scale)
    assert not np.asarray(standard.y)[:4].any()


def test_without_ties_their_rule_changes_nothing() -> None:
    rng = np.random.default_rng(5)
    pairs, x = rng.uniform(size=(5, 2, 2)), rng.uniform(size=(3, 2))
    y, ties = rng.normal(size=3), np.zeros(5, dtype=bool)
    with_rule = Judgements.padded(pairs, ties, x, y)
    without = Judgements.padded(pairs, ties, x, y, lean=True)
    assert with_rule.tied is not None
    assert without.tied is None
    u = jnp.asarray(rng.normal(size=len(without.mask)))
    manner = Manner(np.asarray(0.1), np.asarray(0.4), np.asarray(0.2))
    for ours, theirs in zip(
        likelihood(u, without, manner), likelihood(u, with_rule, manner), strict=True
    ):
        np.testing.assert_allclose(ours, theirs, rtol=1e-13, atol=1e-300)
    ties[1] = True
    assert Judgements.padded(pairs, ties, x, y, lean=True).tied is not None
