"""The exact GP: scikit-learn's answers whatever the padding, dense formulas, and faithful draws."""

import dataclasses
import math

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process import kernels as sk

from counsel.models.gp import (
    SMALLEST_VARIANCE,
    TREND_PRECISION,
    Data,
    Posterior,
    bucket,
    compact_inverse_root,
    covariance,
    evidence,
    inverse_root,
    posterior,
    safe_inverse_root,
)
from counsel.models.kernels import Kernel, Matern, SquaredExponential
from counsel.models.pathwise import pathwise_draw

NOISE = np.asarray(0.01)
LENGTHS, OTHERS = [0.4, 0.9], [1.3, 0.5]
PAIRS: dict[str, tuple[Kernel, sk.Kernel]] = {
    "squared exponential": (
        SquaredExponential(LENGTHS, 1.7),
        sk.ConstantKernel(1.7) * sk.RBF(LENGTHS),
    ),
    **{
        f"matern {int(2 * nu)}/2": (
            Matern(LENGTHS, 1.7, nu=nu),
            sk.ConstantKernel(1.7) * sk.Matern(LENGTHS, nu=nu),
        )
        for nu in (0.5, 1.5, 2.5)
    },
    "sum": (
        Matern(LENGTHS, 0.9) + SquaredExponential(OTHERS, 0.8),
        sk.ConstantKernel(0.9) * sk.Matern(LENGTHS, nu=2.5)
        + sk.ConstantKernel(0.8) * sk.RBF(OTHERS),
    ),
    "product": (
        Matern(LENGTHS, 0.9) * SquaredExponential(OTHERS, 0.8),
        sk.ConstantKernel(0.72) * sk.Matern(LENGTHS, nu=2.5) * sk.RBF(OTHERS),
    ),
}
KERNEL, THEIRS = PAIRS["matern 5/2"]


def observations(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Points of the unit square, and values far from mean 0 and sd 1."""
    rng = np.random.default_rng([n, seed])
    x = rng.uniform(size=(n, 2))
    return x, 40.0 + 5.0 * np.sin(6.0 * x[:, 0]) * x[:, 1] + 0.3 * rng.standard_normal(n)


def dense(K: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Trend and evidence by the textbook: solve, and a log-determinant."""
    one = np.ones(len(y))
    precision = one @ np.linalg.solve(K, one) + TREND_PRECISION
    trend = one @ np.linalg.solve(K, y) / precision
    r = y - trend
    value = -0.5 * r @ np.linalg.solve(K, r) - 0.5 * np.linalg.slogdet(K)[1]
    value -= 0.5 * len(y) * math.log(2 * math.pi) + 0.5 * TREND_PRECISION * trend**2
    return trend, value


TEST_POINTS = np.random.default_rng(99).uniform(size=(7, 2))


@eqx.filter_jit
def _believe(
    kernel: Kernel, data: Data, noise: jax.Array, fixed_trend: float | None
) -> tuple[Posterior, jax.Array, jax.Array]:
    belief = posterior(kernel, noise, data, fixed_trend=fixed_trend)
    return belief, *belief.predict(jnp.asarray(TEST_POINTS))


def believe(
    kernel: Kernel, data: Data, noise: np.ndarray = NOISE, fixed_trend: float | None = None
) -> tuple[Posterior, np.ndarray, np.ndarray]:
    """A posterior, and its mean and sd at the test points, by one compiled program."""
    belief, mean, sd = _believe(kernel, data, noise, fixed_trend)
    return belief, np.asarray(mean), np.asarray(sd)


# ---- the same as scikit-learn -------------------------------------------------------------------


def assert_agrees(name: str, n: int, size: int) -> None:
    ours, theirs = PAIRS[name]
    x, y = observations(n)
    belief, mean, sd = believe(ours, Data.padded(x, y, size), fixed_trend=0.0)
    model = GaussianProcessRegressor(theirs, alpha=NOISE, optimizer=None, normalize_y=True)
    expected_mean, expected_sd = model.fit(x, y).predict(TEST_POINTS, return_std=True)
    np.testing.assert_allclose(mean, expected_mean, rtol=1e-8)
    np.testing.assert_allclose(sd, expected_sd, rtol=1e-8)
    np.testing.assert_allclose(belief.log_evidence, model.log_marginal_likelihood_value_, rtol=1e-8)


@pytest.mark.parametrize("n", [2, 5, 16])
@pytest.mark.parametrize("name", PAIRS)
def test_every_kernel_agrees_with_scikit_learn_padded_or_not(name: str, n: int) -> None:
    assert_agrees(name, n, 16)


@pytest.mark.parametrize(("n", "size"), [(5, 32), (32, 32), (250, 256)])
def test_every_bucket_agrees_with_scikit_learn(n: int, size: int) -> None:
    assert_agrees("matern 5/2", n, size)


def test_the_empirical_trend_agrees_with_an_unknown_constant() -> None:
    # With a prior N(0, 1 / TREND_PRECISION) on the trend, the mean is that of the kernel plus a
    # constant; the sd is smaller, because an estimated trend counts as known.
    x, y = observations(5)
    _, mean, sd = believe(KERNEL, Data.padded(x, y))
    unknown = THEIRS + sk.ConstantKernel(1.0 / TREND_PRECISION)
    model = GaussianProcessRegressor(unknown, alpha=NOISE, optimizer=None, normalize_y=True)
    expected_mean, larger_sd = model.fit(x, y).predict(TEST_POINTS, return_std=True)
    np.testing.assert_allclose(mean, expected_mean, rtol=1e-8)
    assert np.all(sd < larger_sd)


@pytest.mark.parametrize(("n", "size"), [(1, 16), (5, 16), (16, 16)])
def test_trend_and_evidence_equal_the_dense_formulas(n: int, size: int) -> None:
    x, y = observations(n)
    belief, _, _ = believe(KERNEL, Data.padded(x, y, size))
    spread = y.std() if n > 1 else abs(y[0])
    trend, value = dense(THEIRS(x) + NOISE * np.eye(n), (y - y.mean()) / spread)
    np.testing.assert_allclose(belief.trend, trend, rtol=1e-8, atol=1e-14)
    np.testing.assert_allclose(belief.log_evidence, value, rtol=1e-8)


def test_evidence_and_its_slope_equal_the_naive_formula() -> None:
    """The closed form d/dK = (aa' - K^-1)/2, against differentiation through dense algebra."""
    x, y = observations(11)
    data, _, _ = Data.padded(x, y).standardised()

    def naive(theta: jax.Array, y: jax.Array) -> jax.Array:
        kernel = Matern(jnp.exp(theta[:2]), jnp.exp(theta[2]))
        K = kernel.matrix(jnp.asarray(x), jnp.asarray(x)) + jnp.exp(theta[3]) * jnp.eye(11)
        one = jnp.ones(11)
        inverse = jnp.linalg.inv(K)
        trend = one @ inverse @ y / (one @ inverse @ one + TREND_PRECISION)
        r = y - trend
        value = -0.5 * r @ inverse @ r - 0.5 * jnp.linalg.slogdet(K)[1]
        return value - 5.5 * math.log(2 * math.pi) - 0.5 * TREND_PRECISION * trend**2

    def ours(theta: jax.Array, y: jax.Array) -> jax.Array:
        kernel = Matern(jnp.exp(theta[:2]), jnp.exp(theta[2]))
        padded = jnp.concatenate([y, jnp.zeros(5)])
        K = covariance(kernel, jnp.exp(theta[3]), jnp.asarray(data.x), jnp.asarray(data.mask))
        return evidence(K, padded, jnp.asarray(data.mask))

    theta, y = np.log([0.3, 0.8, 1.4, 0.05]), np.asarray(data.y)[:11]
    value, slopes = jax.jit(jax.value_and_grad(ours, argnums=(0, 1)))(theta, y)
    expected, expected_slopes = jax.jit(jax.value_and_grad(naive, argnums=(0, 1)))(theta, y)
    np.testing.assert_allclose(value, expected, rtol=1e-12)
    for slope, expected_slope in zip(slopes, expected_slopes, strict=True):
        np.testing.assert_allclose(slope, expected_slope, rtol=1e-9, atol=1e-11)


# ---- factorisation ------------------------------------------------------------------------------

_rooted = jax.jit(inverse_root)
_safely_rooted = jax.jit(safe_inverse_root)


def rooted(K: np.ndarray) -> np.ndarray:
    return np.asarray(_rooted(K))


def safely_rooted(K: np.ndarray, diagonal: np.ndarray) -> tuple[np.ndarray, float]:
    U, jitter = _safely_rooted(K, diagonal)
    return np.asarray(U), float(jitter)


def definite(n: int) -> np.ndarray:
    x = np.random.default_rng(n).uniform(size=(n, 2))
    return np.asarray(sk.RBF(0.3)(x) + 1e-3 * np.eye(n))


@pytest.mark.parametrize("n", [8, 33, 100])
def test_the_inverse_root_inverts(n: int) -> None:
    K = definite(n)
    U = rooted(K)
    np.testing.assert_array_equal(U, np.triu(U))
    # Backward error: the condition number, here up to 2e5, times a few roundings.
    np.testing.assert_allclose(U @ U.T @ K, np.eye(n), rtol=0, atol=1e-14 * np.linalg.cond(K))
    np.testing.assert_allclose(U, np.linalg.inv(np.linalg.cholesky(K)).T, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("row", [0, 20, 32])
def test_an_indefinite_matrix_has_no_inverse_root(row: int) -> None:
    K = definite(33)
    K[row, row] -= 2.0
    assert not np.all(np.isfinite(np.diagonal(rooted(K))))


def test_a_definite_matrix_needs_no_jitter() -> None:
    K = definite(33)
    U, jitter = safely_rooted(K, np.ones(33))
    assert jitter == 0.0
    np.testing.assert_array_equal(U, rooted(K))


def test_a_singular_matrix_gets_the_least_jitter_that_works() -> None:
    mask = np.r_[np.ones(20), np.zeros(13)]
    K = np.outer(mask, mask) + np.diag(1.0 - mask)  # one observation, 20 times, without noise
    U, jitter = safely_rooted(K, mask)
    assert 0.0 < jitter <= 1e-9
    jittered = K + jitter * np.diag(mask)
    np.testing.assert_allclose(U @ U.T @ jittered, np.eye(33), rtol=0, atol=1e-4)
    np.testing.assert_array_equal(U[20:, 20:], np.eye(13))


def test_jitter_grows_with_the_need_and_ends() -> None:
    # The least eigenvalue is -3e-6: 1e-6 is too little, 1e-5 enough.
    K = np.eye(33)
    K[:2, :2] = [[1.0, 1.0 + 3e-6], [1.0 + 3e-6, 1.0]]
    U, jitter = safely_rooted(K, np.ones(33))
    assert np.all(np.isfinite(U))
    np.testing.assert_allclose(jitter, 1e-5, rtol=1e-12)
    for hopeless in (-100.0 * np.eye(33), np.full((33, 33), np.nan)):
        U, jitter = safely_rooted(hopeless, np.ones(33))
        assert not np.all(np.isfinite(U))
        assert 1.0 <= jitter <= 1.0 + 1e-12


# ---- conditioning, covariance, draws ------------------------------------------------------------


@pytest.fixture(scope="module")
def belief() -> Posterior:
    return believe(KERNEL, Data.padded(*observations(5)))[0]


_predict = jax.jit(lambda belief, x: belief.predict(x))
_joint = jax.jit(lambda belief, x: belief.joint(x))


def predict(belief: Posterior, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return jax.device_get(_predict(belief, x))


def joint(belief: Posterior, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return jax.device_get(_joint(belief, x))


def test_conditioning_equals_a_posterior_of_all_data_in_the_old_units(belief: Posterior) -> None:
    x, y = observations(5)
    more_x, more_y = observations(4, seed=1)
    after = belief.condition(more_x, more_y)
    both, values = np.concatenate([x, more_x]), np.concatenate([y, more_y])
    standard = (values - y.mean()) / y.std()
    K = THEIRS(both) + NOISE * np.eye(9)
    trend, value = dense(K, standard)
    cross = THEIRS(both, TEST_POINTS)
    expected_mean = trend + (standard - trend) @ np.linalg.solve(K, cross)
    expected_variance = 1.7 - np.sum(cross * np.linalg.solve(K, cross), axis=0)
    mean, sd = predict(after, TEST_POINTS)
    np.testing.assert_allclose(mean, y.mean() + y.std() * expected_mean, rtol=1e-8)
    np.testing.assert_allclose(sd, y.std() * np.sqrt(expected_variance), rtol=1e-8)
    np.testing.assert_allclose(after.log_evidence, value, rtol=1e-8)


def test_conditioning_is_the_same_in_one_step_or_two_and_across_buckets(belief: Posterior) -> None:
    x, y = observations(14, seed=2)  # 5 + 14 outgrow the bucket of 16
    once = belief.condition(x, y)
    twice = belief.condition(x[:3], y[:3]).condition(x[3:], y[3:])
    assert once.data.y.shape == (32,)
    for one, two in zip(predict(once, TEST_POINTS), predict(twice, TEST_POINTS), strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-12)


def test_conditioning_on_what_is_expected_keeps_the_mean(belief: Posterior) -> None:
    """Pending trials are believed to turn out as expected: less doubt, the same opinion."""
    x, _ = observations(7, seed=3)
    after = belief.condition(x, predict(belief, x)[0])
    (mean, sd), (mean_after, sd_after) = (predict(b, TEST_POINTS) for b in (belief, after))
    np.testing.assert_allclose(mean_after, mean, rtol=1e-10)
    assert np.all(sd_after < sd)


def test_the_joint_covariance_has_the_variances_on_its_diagonal(belief: Posterior) -> None:
    mean, sd = predict(belief, TEST_POINTS)
    joint_mean, cov = joint(belief, TEST_POINTS)
    np.testing.assert_allclose(joint_mean, mean, rtol=1e-12)
    np.testing.assert_allclose(np.diag(cov), sd**2, rtol=1e-10)
    # Off the diagonal: the dense formula.
    x, y = observations(5)
    cross = THEIRS(x, TEST_POINTS)
    expected = THEIRS(TEST_POINTS) - cross.T @ np.linalg.solve(THEIRS(x) + NOISE * np.eye(5), cross)
    np.testing.assert_allclose(cov, y.var() * expected, rtol=1e-8, atol=1e-10)


def test_the_mean_alone_is_the_mean_of_predict(belief: Posterior) -> None:
    mean = jax.jit(lambda belief, x: belief.mean(x))(belief, TEST_POINTS)
    np.testing.assert_allclose(mean, predict(belief, TEST_POINTS)[0], rtol=1e-13)


def assert_distributed(draws: np.ndarray, mean: np.ndarray, cov: np.ndarray) -> None:
    """Sample mean and covariance within four of their own standard errors, entry by entry."""
    count, variance = len(draws), np.diag(cov)
    assert np.all(np.abs(draws.mean(axis=0) - mean) < 4 * np.sqrt(variance / count))
    error = np.sqrt((np.outer(variance, variance) + cov**2) / count)
    assert np.all(np.abs(np.cov(draws.T) - cov) < 4 * error)


def test_joint_draws_have_the_posteriors_mean_and_covariance(belief: Posterior) -> None:
    keys = jax.random.split(jax.random.key(1), 4000)
    draw = jax.jit(lambda belief, keys: jax.vmap(lambda key: belief.draw(key, TEST_POINTS))(keys))
    draws = draw(belief, keys)
    assert_distributed(np.asarray(draws), *joint(belief, TEST_POINTS))


@jax.jit
def pathwise(
    keys: jax.Array, noise: jax.Array, x: jax.Array
) -> tuple[jax.Array, tuple[jax.Array, jax.Array]]:
    """Many posterior functions of one set of observations at x; and what they should average to."""
    belief = posterior(SquaredExponential(LENGTHS), noise, Data.padded(*observations(5)))
    return jax.vmap(lambda key: pathwise_draw(belief, key, 256)(x))(keys), belief.joint(x)


def test_pathwise_draws_have_the_posteriors_mean_and_covariance() -> None:
    # Averaged over their frequencies too, random features have exactly the kernel's covariance.
    x = np.concatenate([observations(5)[0], TEST_POINTS])
    draws, expected = pathwise(jax.random.split(jax.random.key(2), 2000), NOISE, x)
    assert_distributed(np.asarray(draws), *jax.device_get(expected))


def test_pathwise_draws_go_through_data_without_noise_and_apart_elsewhere() -> None:
    x, y = observations(5)
    everywhere = np.concatenate([x, TEST_POINTS])
    keys = jax.random.split(jax.random.key(3), 2000)
    draws = np.asarray(pathwise(keys, np.asarray(1e-12), everywhere)[0])
    np.testing.assert_allclose(draws[:, :5], np.tile(y, (2000, 1)), rtol=0, atol=1e-4 * y.std())
    assert np.all(draws[:, 5:].std(axis=0) > 0.01 * y.std())


def test_what_is_known_has_hardly_any_doubt_and_never_less_than_none() -> None:
    x, y = observations(7)
    belief, _, _ = believe(KERNEL, Data.padded(x, y), np.asarray(0.0))
    mean, sd = predict(belief, x)
    np.testing.assert_allclose(mean, y, rtol=1e-9)
    floor = math.sqrt(SMALLEST_VARIANCE) * y.std()
    assert np.all((sd >= floor * (1 - 1e-12)) & (sd < 100 * floor))


def test_the_same_observation_many_times_still_gives_a_belief() -> None:
    x, y = np.full((10, 2), 0.5), np.full(10, 3.0)
    _, mean, sd = believe(KERNEL, Data.padded(x, y))
    assert np.all(np.isfinite(mean))
    assert np.all(sd > 0.0)
    without_noise, _, _ = believe(KERNEL, Data.padded(x, y), np.asarray(0.0))
    assert without_noise.jitter > 0.0
    np.testing.assert_allclose(predict(without_noise, x[:7])[0], y[:7], rtol=1e-9)


# ---- padding and units --------------------------------------------------------------------------


def test_buckets_hold_their_data_grow_and_are_few() -> None:
    sizes = [bucket(n) for n in range(5000)]
    assert all(n <= size for n, size in enumerate(sizes))
    assert sizes == sorted(sizes)
    assert all(size <= max(16, n + 31, 1.26 * n) for n, size in enumerate(sizes))
    assert len(set(sizes)) <= 30
    assert all(bucket(size) == size for size in set(sizes))


def test_padding_keeps_the_data_and_adds_zeros() -> None:
    x, y = observations(5)
    data = Data.padded(x, y)
    assert data.x.shape == (16, 2)
    np.testing.assert_array_equal(data.x[:5], x)
    np.testing.assert_array_equal(data.y, np.r_[y, np.zeros(11)])
    np.testing.assert_array_equal(data.mask, np.r_[np.ones(5), np.zeros(11)])


_standardised = jax.jit(lambda data: data.standardised())


def standardised(data: Data) -> tuple[Data, np.ndarray, np.ndarray]:
    return jax.device_get(_standardised(data))


outputs = arrays(
    np.float64,
    st.integers(2, 16),
    elements=st.integers(-(10**6), 10**6).map(float),
).filter(lambda y: np.ptp(y) > 0)


@settings(max_examples=20)
@given(outputs, st.sampled_from([1e-12, 1.0, 1e12]))
def test_standardised_outputs_have_mean_zero_and_sd_one(y: np.ndarray, unit: float) -> None:
    y = y * unit
    data, offset, scale = standardised(Data.padded(np.zeros((len(y), 1)), y, 16))
    real = data.y[: len(y)]
    assert abs(real.mean()) < 1e-9
    np.testing.assert_allclose(real.std(), 1.0, rtol=1e-9)
    np.testing.assert_allclose(offset + scale * real, y, rtol=1e-12, atol=1e-12 * np.abs(y).max())
    np.testing.assert_array_equal(data.y[len(y) :], 0.0)


@pytest.mark.parametrize("unit", [1e-200, 1e200])
def test_no_finite_unit_is_too_large_or_too_small_to_standardise(unit: float) -> None:
    y = np.array([-1.0, 2.0, 5.0, 3.0])
    data, offset, scale = standardised(Data.padded(np.zeros((4, 1)), unit * y, 16))
    np.testing.assert_allclose(data.y[:4], (y - y.mean()) / y.std(), rtol=1e-12)
    np.testing.assert_allclose([offset, scale], [unit * y.mean(), unit * y.std()], rtol=1e-12)


@pytest.mark.parametrize("value", [0.0, 3.0, -2e12, 7e-12])
@pytest.mark.parametrize("n", [1, 10])
def test_outputs_without_spread_keep_their_magnitude_as_unit(value: float, n: int) -> None:
    data, offset, scale = standardised(Data.padded(np.zeros((n, 1)), np.full(n, value), 16))
    np.testing.assert_allclose(offset, value, rtol=1e-15)
    np.testing.assert_allclose(scale, abs(value) or 1.0, rtol=1e-15)
    np.testing.assert_allclose(data.y, 0.0, atol=1e-15)


@pytest.mark.parametrize("unit", [1e-12, 1e12])
def test_a_posterior_follows_the_units_of_its_outputs(unit: float) -> None:
    x, y = observations(5)
    _, mean, sd = believe(KERNEL, Data.padded(x, y))
    _, mean_there, sd_there = believe(KERNEL, Data.padded(x, unit * y))
    np.testing.assert_allclose(mean_there, unit * mean, rtol=1e-10)
    np.testing.assert_allclose(sd_there, unit * sd, rtol=1e-10)


def test_a_belief_does_not_depend_on_what_the_padding_holds() -> None:
    x, y = observations(5)
    clean = Data.padded(x, y)
    padding = np.asarray(clean.mask) == 0.0
    dirty = dataclasses.replace(
        clean, x=clean.x + 0.3 * padding[:, None], y=clean.y + 5.0 * padding
    )
    for one, other in zip(believe(KERNEL, clean)[1:], believe(KERNEL, dirty)[1:], strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("size", [16, 32, 64, 96, 256, 320, 640])
def test_the_compact_factorisation_is_the_same_factorisation(size: int) -> None:
    rng = np.random.default_rng(size)
    root = rng.normal(size=(size, size))
    K = root @ root.T + size * np.eye(size)
    upper = np.asarray(jax.jit(compact_inverse_root)(K))
    np.testing.assert_array_equal(upper, np.triu(upper))
    np.testing.assert_allclose(upper @ upper.T @ K, np.eye(size), atol=1e-9)
    np.testing.assert_allclose(upper, np.linalg.inv(np.linalg.cholesky(K)).T, atol=1e-9)


def test_the_compact_evidence_has_the_same_value_and_slope() -> None:
    rng = np.random.default_rng(2)
    data = Data.padded(rng.uniform(size=(50, 2)), rng.normal(size=50))

    def value(log_length: jax.Array, compact: bool) -> jax.Array:
        K = covariance(
            SquaredExponential(jnp.exp(log_length)), jnp.asarray(NOISE), data.x, data.mask
        )
        return evidence(K, data.y, data.mask, compact)

    at = jnp.log(jnp.asarray([0.3, 0.6]))
    slope = jax.jit(jax.value_and_grad(value), static_argnums=1)
    ours, plain = (slope(at, compact) for compact in (True, False))
    np.testing.assert_allclose(ours[0], plain[0], rtol=1e-10)
    np.testing.assert_allclose(ours[1], plain[1], rtol=1e-8)
