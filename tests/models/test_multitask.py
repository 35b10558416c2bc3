"""Several outputs: the dense formula, independent processes, evidence, fit and padding."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal

from counsel.models import joint
from counsel.models import multitask as mt
from counsel.models.gp import Data, posterior
from counsel.models.kernels import Matern

M, D = 6, 2
POINTS = np.random.default_rng(5).uniform(size=(M, D))


def model(outputs: int = 3, rank: int = 2, seed: int = 0, context: int = 0) -> mt.Coregion:
    rng = np.random.default_rng(seed)
    return mt.Coregion(
        0.7 * rng.standard_normal((outputs, rank)),
        rng.uniform(0.3, 1.0, outputs),
        rng.uniform(0.01, 0.1, outputs),
        rng.uniform(0.3, 1.0, D),
        rng.uniform(0.5, 1.0, context),
    )


def trials(n: int, outputs: int = 3, seed: int = 1, share: float = 0.6) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    measured = rng.uniform(size=(n, outputs)) < share
    return rng.integers(M, size=n), rng.standard_normal((n, outputs)), measured


def dense(
    m: mt.Coregion, x: np.ndarray, y: np.ndarray, measured: np.ndarray, at: np.ndarray
) -> tuple[np.ndarray, np.ndarray, float]:
    """Every single measurement as a row of one big Gaussian: no collapsing, no padding."""
    rounds, outputs = np.nonzero(measured)
    B = np.asarray(m.mixing) @ np.asarray(m.mixing).T + np.diag(m.own)

    def k(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        e = len(m.lengthscale)
        r = np.sqrt(5.0) * np.linalg.norm((a[:, None, :e] - b[None, :, :e]) / m.lengthscale, axis=2)
        K = (1.0 + r + r**2 / 3.0) * np.exp(-r)
        if len(m.context):
            gaps = (a[:, None, e:] - b[None, :, e:]) / m.context
            K = K * np.exp(-0.5 * np.sum(gaps**2, axis=2))
        return K

    rows = x[rounds]
    K = B[np.ix_(outputs, outputs)] * k(rows, rows) + np.diag(np.asarray(m.noise)[outputs])
    cross = np.concatenate([B[outputs][:, [j]] * k(rows, at) for j in range(len(B))], axis=1)
    values = y[rounds, outputs]
    mean = cross.T @ np.linalg.solve(K, values)
    cov = np.kron(B, k(at, at)) - cross.T @ np.linalg.solve(K, cross)
    return mean, cov, float(multivariate_normal(np.zeros(len(K)), K).logpdf(values))


@jax.jit
def everything(m: mt.Coregion, rows: mt.Rows, at: np.ndarray) -> tuple:
    post = mt.posterior(m, rows)
    return post.joint(at), post.predict(at), mt.log_evidence(m, rows)


@settings(max_examples=20)
@given(st.integers(1, 14), st.integers(0, 1000), st.sampled_from([0, 2]))
def test_posterior_and_evidence_equal_the_dense_formula(n: int, seed: int, rank: int) -> None:
    arms, y, measured = trials(n, seed=seed)
    measured[0, 0] = True
    m = model(rank=rank, seed=seed)
    rows = mt.collapsed(POINTS[arms], y, measured, lambda n: 32)
    mean, cov, evidence = dense(m, POINTS[arms], y, measured, POINTS)
    (found_mean, found_cov), marginal, log_evidence = everything(m, rows, POINTS)
    np.testing.assert_allclose(found_mean, mean, atol=1e-9)
    np.testing.assert_allclose(found_cov, cov, atol=1e-9)
    np.testing.assert_allclose(marginal[0].reshape(-1), mean, atol=1e-9)
    np.testing.assert_allclose(marginal[1].reshape(-1), np.sqrt(np.diag(cov)), atol=1e-8)
    np.testing.assert_allclose(log_evidence, evidence, atol=1e-8)


def test_the_context_kernel_is_a_factor() -> None:
    arms, y, measured = trials(8)
    z = np.random.default_rng(2).uniform(size=(8, 2))
    m = model(context=2)
    placed = np.concatenate([POINTS[arms], z], axis=1)
    at = np.concatenate([POINTS, np.tile([0.2, 0.9], (M, 1))], axis=1)
    mean, cov, _ = dense(m, placed, y, measured, at)
    found, _, _ = everything(m, mt.collapsed(placed, y, measured, lambda n: 32), at)
    np.testing.assert_allclose(found[0], mean, atol=1e-9)
    np.testing.assert_allclose(found[1], cov, atol=1e-9)


def test_diagonal_and_fully_observed_equals_independent_processes() -> None:
    arms, y, _ = trials(10)
    m = model(rank=0)
    rows = mt.collapsed(POINTS[arms], y, np.ones_like(y, dtype=bool))
    _, (mean, sd), _ = everything(m, rows, POINTS)
    for output in range(3):
        alone = posterior(
            Matern(m.lengthscale, m.own[output]),
            np.asarray(m.noise[output]),
            Data.padded(POINTS[arms], y[:, output]),
            units=(jnp.zeros(()), jnp.ones(())),
            fixed_trend=0.0,
        )
        one_mean, one_sd = alone.predict(POINTS)
        np.testing.assert_allclose(mean[output], one_mean, atol=1e-8)
        np.testing.assert_allclose(sd[output], one_sd, atol=1e-8)


def test_telling_trial_by_trial_equals_telling_them_at_once() -> None:
    arms, y, measured = trials(20)
    m = model()
    belief = joint.prior(m, POINTS)
    told = jax.jit(lambda b, a, v, w: b.told(a, v, w))
    for row in zip(arms, y, measured, strict=True):
        belief = told(belief, *row)
    mean, cov, _ = dense(m, POINTS[arms], y, measured, POINTS)
    np.testing.assert_allclose(belief.mean.reshape(-1), mean, atol=1e-9)
    np.testing.assert_allclose(belief.covariance, cov, atol=1e-9)
    expected = belief.believed(jnp.asarray(2), jnp.asarray([True, False, True]))
    np.testing.assert_allclose(expected.mean, belief.mean, atol=1e-12)
    assert (expected.sd <= belief.sd + 1e-12).all()


def test_repeated_trials_take_no_more_room() -> None:
    arms, y, measured = trials(200, share=1.0)
    rows = mt.collapsed(POINTS[arms], y, measured)
    assert int(rows.mask.sum()) == 3 * M
    assert rows.y.shape == (32,)
    counts = np.zeros((3, 3, M))
    for arm, values in zip(arms, y, strict=True):
        counts[:, :, arm] += np.stack([np.ones(3), values, values**2])
    table = mt.tabulated(POINTS, *jnp.asarray(counts))
    (a, b) = everything(model(), rows, POINTS), everything(model(), table, POINTS)
    np.testing.assert_allclose(a[0][0], b[0][0], atol=1e-9)
    np.testing.assert_allclose(a[2], b[2], rtol=1e-9)


def test_theta_round_trip() -> None:
    m = model(context=2)
    again = mt.unpack(mt.pack(m), m)
    for a, b in zip(jax.tree.leaves(m), jax.tree.leaves(again), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12)


def test_the_evidence_has_the_slope_of_its_differences() -> None:
    arms, y, measured = trials(9)
    m, rows = model(), mt.collapsed(POINTS[arms], y, measured)
    theta = jnp.asarray(mt.pack(m))

    value = jax.jit(lambda t: mt.log_evidence(mt.unpack(t, m), rows))
    slope = jax.jit(jax.grad(value))(theta)
    for i in range(0, len(theta), 4):
        step = 1e-5 * jnp.eye(len(theta))[i]
        differences = (value(theta + step) - value(theta - step)) / 2e-5
        np.testing.assert_allclose(slope[i], differences, rtol=1e-5, atol=1e-6)


def test_a_fit_finds_that_outputs_are_correlated_and_is_never_worse_than_its_start() -> None:
    rng = np.random.default_rng(0)
    points = rng.uniform(size=(40, D))
    first = np.sin(4.0 * points[:, 0]) + points[:, 1]
    y = np.stack([first, -first, rng.standard_normal(40)], axis=1)
    y = y - y.mean(axis=0) + 0.05 * rng.standard_normal(y.shape)
    rows = mt.collapsed(points, y, np.ones_like(y, dtype=bool))
    like = mt.default(3, D)
    start = mt.pack(like)
    found = mt.fit(like, rows, start)
    assert bool(found.ok)
    before = mt.log_evidence(like, rows) + mt.log_prior(like, like)
    assert float(found.value) <= -float(before)
    B = np.asarray(found.model.between_outputs())
    scale = np.sqrt(np.diag(B))
    correlation = B / scale[:, None] / scale[None, :]
    assert correlation[0, 1] < -0.6
    assert abs(correlation[0, 2]) < 0.4


def test_a_fit_that_fails_says_so() -> None:
    like = mt.default(1, 1, rank=0)
    rows = mt.collapsed(np.zeros((2, 1)), np.array([[np.nan], [1.0]]), np.ones((2, 1), dtype=bool))
    found = mt.fit(like, rows, mt.pack(like))
    assert not bool(found.ok)
    np.testing.assert_array_equal(found.theta, mt.pack(like))


def test_nothing_is_compiled_anew_within_a_bucket() -> None:
    like = mt.default(3, D)
    arms, y, measured = trials(4, share=1.0)
    mt.fit(like, mt.collapsed(POINTS[arms], y, measured), mt.pack(like))
    before = mt.fit.programs
    for n in (3, 5):
        arms, y, measured = trials(n, share=1.0, seed=n)
        mt.fit(like, mt.collapsed(POINTS[arms], y, measured), mt.pack(like))
    assert mt.fit.programs == before


@pytest.mark.parametrize("rank", [0, 2])
def test_the_default_has_unit_variances(rank: int) -> None:
    diagonal = np.diag(mt.default(4, 3, rank=rank).between_outputs())
    assert (diagonal > 0.99).all()
    assert (diagonal < 1.2).all()
