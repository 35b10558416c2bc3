"""Fitting: optima that SciPy cannot beat, sane answers to little data, and one program a bucket."""

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.optimize
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.gaussian_process import kernels as sk

from counsel.models.fit import (
    MOST_STARTS,
    NOISE_BOUNDS,
    Fit,
    fit,
    guesses_for,
    objective,
    pack,
    shaped,
    starts_for,
    unpack,
)
from counsel.models.gp import TREND_PRECISION, Data, bucket, posterior
from counsel.models.kernels import (
    LENGTHSCALE_BOUNDS,
    VARIANCE_BOUNDS,
    WEAK,
    Kernel,
    Matern,
    Prior,
    Product,
    SquaredExponential,
    Sum,
    lengthscale_mode,
)

PRIOR = Prior()
LIKE = shaped(SquaredExponential(1.0), (0, 1))
TRUTH = np.array([0.15, 0.6])


def drawn(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """n points and a draw from a GP with length-scales TRUTH, in units of its own."""
    rng = np.random.default_rng([n, seed])
    x = rng.uniform(size=(n, 2))
    K = sk.RBF(TRUTH)(x) + 0.01 * np.eye(n)
    return x, 10.0 + 3.0 * np.linalg.cholesky(K) @ rng.standard_normal(n)


def fitted(
    x: np.ndarray,
    y: np.ndarray,
    warm: tuple[float, ...] = (),
    starts: int = MOST_STARTS,
    prior: Prior = PRIOR,
) -> Fit:
    guesses = guesses_for(LIKE, warm, np.random.default_rng(1))
    return jax.device_get(fit(LIKE, Data.padded(x, y), guesses, starts, prior))


def dense_objective(theta: np.ndarray, x: np.ndarray, y: np.ndarray, prior: Prior = PRIOR) -> float:
    """Minus the log posterior of theta, from NumPy, scikit-learn and SciPy's densities."""
    lengths, variance, noise = np.exp(theta[:2]), math.exp(theta[2]), math.exp(theta[3])
    standard, one = (y - y.mean()) / y.std(), np.ones(len(y))
    K = variance * sk.RBF(lengths)(x) + noise * np.eye(len(y))
    trend = one @ np.linalg.solve(K, standard)
    trend /= one @ np.linalg.solve(K, one) + TREND_PRECISION
    likelihood = scipy.stats.multivariate_normal(np.full(len(y), trend), K).logpdf(standard)
    offsets = theta - np.log([*[lengthscale_mode(2)] * 2, 1.0, prior.noise_mode])
    widths = np.array([*[prior.lengthscale_sd] * 2, prior.variance_sd, prior.noise_sd])
    return -likelihood + 0.5 * TREND_PRECISION * trend**2 + 0.5 * np.sum((offsets / widths) ** 2)


BOUNDS = np.log([LENGTHSCALE_BOUNDS, LENGTHSCALE_BOUNDS, VARIANCE_BOUNDS, NOISE_BOUNDS])


def assert_inside(found: Fit) -> None:
    theta = found.theta
    assert np.all((theta >= BOUNDS[:, 0] - 1e-12) & (theta <= BOUNDS[:, 1] + 1e-12))
    kernel = found.kernel
    np.testing.assert_allclose([*kernel.lengthscale, kernel.variance, found.noise], np.exp(theta))


# ---- the optimum --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_the_optimum_is_as_good_as_scipys(seed: int) -> None:
    x, y = drawn(12, seed)
    found = fitted(x, y)
    assert found.ok
    starts = np.log([0.3, 0.3, 1.0, 0.01]) + np.random.default_rng(seed).standard_normal((4, 4))
    theirs = min(scipys(start, x, y, PRIOR) for start in starts)
    assert found.value <= theirs + 1e-4


@pytest.mark.parametrize("prior", [PRIOR, WEAK], ids=["default", "weak"])
def test_the_optimum_is_one_that_scipy_cannot_improve(prior: Prior) -> None:
    x, y = drawn(12, 1)
    found = fitted(x, y, prior=prior)
    theta = found.theta
    # The same objective, written twice.
    np.testing.assert_allclose(found.value, dense_objective(theta, x, y, prior), rtol=1e-9)
    assert found.value <= scipys(theta, x, y, prior) + 1e-4


def scipys(start: np.ndarray, x: np.ndarray, y: np.ndarray, prior: Prior) -> float:
    found = scipy.optimize.minimize(
        dense_objective, start, args=(x, y, prior), method="L-BFGS-B", bounds=BOUNDS
    )
    return float(found.fun)


def test_the_objective_has_the_slope_of_the_dense_one() -> None:
    x, y = drawn(12, 0)
    data, _, _ = Data.padded(x, y).standardised()
    slope = jax.jit(jax.grad(objective))
    for theta in np.log([[0.3, 0.4, 1.2, 0.01], [0.1, 2.0, 0.5, 0.1]]):
        expected = scipy.optimize.approx_fprime(theta, dense_objective, 1e-6, x, y)
        np.testing.assert_allclose(slope(theta, LIKE, data, PRIOR), expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("seed", range(4))
def test_lengthscales_are_recovered_from_data_of_a_known_process(seed: int) -> None:
    x, y = drawn(32, seed)
    found = fitted(x, y)
    assert np.all(np.abs(np.log(found.kernel.lengthscale / TRUTH)) < math.log(2.0))
    truth = np.log([*TRUTH, 9.0 / y.var(), 0.09 / y.var()])
    assert found.value <= dense_objective(truth, x, y)


def test_noise_is_told_from_signal() -> None:
    x, y = drawn(32, 0)
    noisy = y + 3.0 * np.random.default_rng(4).standard_normal(32)
    quiet, loud = (float(fitted(x, values).noise) for values in (y, noisy))
    assert quiet < 0.05
    assert loud > 0.2


def test_the_answer_is_no_worse_than_any_start() -> None:
    x, y = drawn(12, 7)
    guesses = guesses_for(LIKE, (), np.random.default_rng(1))
    value = float(fit(LIKE, Data.padded(x, y), guesses, MOST_STARTS, PRIOR).value)
    for guess in guesses:
        assert value <= dense_objective(np.clip(guess, *BOUNDS.T), x, y)


def test_more_starts_are_no_worse_and_only_those_asked_for_are_used() -> None:
    x, y = drawn(16, 0)
    results = [fitted(x, y, starts=s) for s in range(1, MOST_STARTS + 1)]
    values = [float(r.value) for r in results]
    assert values == sorted(values, reverse=True)
    counts = [int(r.evaluations) for r in results]
    assert counts == sorted(set(counts))


@pytest.mark.parametrize("n", [12, 32])
def test_a_warm_start_is_as_good_and_takes_fewer_evaluations(n: int) -> None:
    x, y = drawn(n, 2)
    cold = fitted(x[:-1], y[:-1])
    cold_next = fitted(x, y, starts=1)
    warm_next = fitted(x, y, warm=tuple(cold.theta.tolist()), starts=1)
    again = fitted(x[:-1], y[:-1], warm=tuple(cold.theta.tolist()), starts=1)
    assert warm_next.value <= cold_next.value + 1e-5
    assert warm_next.evaluations < cold_next.evaluations
    assert again.value <= cold.value
    assert again.evaluations <= 5


# ---- little, flat or bad data -------------------------------------------------------------------

outputs = arrays(np.float64, st.integers(1, 16), elements=st.floats(-1e12, 1e12))


@settings(max_examples=30)
@given(outputs, st.integers(0, 3), st.booleans())
def test_any_finite_data_gives_parameters_inside_the_bounds(
    y: np.ndarray, seed: int, repeated: bool
) -> None:
    x = np.random.default_rng(seed).uniform(size=(len(y), 2))
    if repeated:
        x = x[np.arange(len(y)) // 3]
    found = fitted(x, y)
    assert found.ok
    assert found.message == ""
    assert np.isfinite(found.value)
    assert_inside(found)


@pytest.mark.parametrize("seed", range(5))
def test_three_points_leave_the_prior_in_charge(seed: int) -> None:
    found = fitted(*drawn(3, seed))
    assert found.ok
    offsets = np.log(found.kernel.lengthscale / lengthscale_mode(2))
    assert np.all(np.abs(offsets) < 2.0 * PRIOR.lengthscale_sd)
    assert abs(math.log(found.kernel.variance)) < PRIOR.variance_sd
    assert abs(math.log(found.noise / PRIOR.noise_mode)) < PRIOR.noise_sd


def test_one_observation_keeps_the_priors_lengthscales() -> None:
    found = fitted(np.array([[0.3, 0.4]]), np.array([5.0]))
    assert found.ok
    np.testing.assert_allclose(found.kernel.lengthscale, lengthscale_mode(2), rtol=1e-3)
    assert_inside(found)


@pytest.mark.parametrize("value", [0.0, 3.0, -1e12])
def test_constant_outputs_are_fitted(value: float) -> None:
    x = np.random.default_rng(3).uniform(size=(10, 2))
    found = fitted(x, np.full(10, value))
    assert found.ok
    assert_inside(found)
    belief = posterior(found.kernel, found.noise, Data.padded(x, np.full(10, value)))
    mean, sd = jax.jit(lambda b, x: b.predict(x))(belief, np.array([[0.5, 0.5], [0.0, 1.0]]))
    np.testing.assert_allclose(mean, value, rtol=1e-12)
    assert np.all(sd > 0.0)


def test_ten_identical_observations_are_fitted_with_little_noise() -> None:
    found = fitted(np.full((10, 2), 0.5), np.full(10, 3.0))
    assert found.ok
    assert_inside(found)
    # A repeat that never differs speaks against noise and says nothing of length-scales.
    assert found.noise < PRIOR.noise_mode
    np.testing.assert_allclose(found.kernel.lengthscale, lengthscale_mode(2), rtol=1e-3)


def test_repeats_that_differ_are_noise() -> None:
    found = fitted(np.full((10, 2), 0.5), np.arange(10.0))
    assert found.noise > 0.3


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_fit_that_fails_is_a_value(bad: float) -> None:
    x, y = drawn(5, 0)
    y[2] = bad
    found = fitted(x, y)
    assert not found.ok
    assert "could not be fitted" in found.message
    assert_inside(found)
    # The parameters are those of the first start.
    first = guesses_for(LIKE, (), np.random.default_rng(1))[0]
    np.testing.assert_allclose(found.theta, first)


def test_a_failed_fit_keeps_the_last_rounds_answer() -> None:
    x, y = drawn(5, 0)
    warm = tuple(fitted(x, y).theta.tolist())
    found = fitted(np.full((5, 2), np.nan), y, warm=warm)
    assert not found.ok
    np.testing.assert_allclose(found.theta, warm)


def test_a_warm_start_that_is_not_a_number_is_passed_over() -> None:
    x, y = drawn(5, 0)
    found = fitted(x, y, warm=(math.nan,) * 4)
    assert found.ok
    np.testing.assert_allclose(found.value, fitted(x, y).value, atol=1e-4)


# ---- starts and shapes --------------------------------------------------------------------------


def test_starts_are_the_last_answer_then_the_mode_then_draws() -> None:
    mode = np.log([lengthscale_mode(2), lengthscale_mode(2), 1.0, PRIOR.noise_mode])
    cold = guesses_for(LIKE, (), np.random.default_rng(1))
    warm = guesses_for(LIKE, (0.1, 0.2, 0.3, 0.4), np.random.default_rng(1))
    assert cold.shape == (MOST_STARTS, 4)
    np.testing.assert_allclose(cold[:2], [mode, mode])
    np.testing.assert_allclose(warm[:2], [[0.1, 0.2, 0.3, 0.4], mode])
    np.testing.assert_array_equal(warm[2:], cold[2:])
    assert len(np.unique(cold[1:], axis=0)) == MOST_STARTS - 1


def test_few_data_deserve_all_starts_and_many_at_least_one() -> None:
    counts = [starts_for(n) for n in range(1, 2001)]
    assert set(counts[:32]) == {MOST_STARTS}
    assert min(counts) == 1
    assert max(counts) <= MOST_STARTS


KERNELS: list[Kernel] = [
    SquaredExponential([0.3, 0.7], 1.2),
    Matern([0.3, 0.7], 1.2, nu=0.5),
    Matern([0.3, 0.7]) + SquaredExponential(0.4, 0.6),
    Matern([0.3, 0.7]) * SquaredExponential(0.4, 0.6),
]


@pytest.mark.parametrize("kernel", KERNELS)
def test_unpacking_undoes_packing(kernel: Kernel) -> None:
    theta = pack(kernel, jnp.asarray(0.05))
    back, noise = unpack(theta, kernel)
    assert jax.tree.structure(back) == jax.tree.structure(kernel)
    np.testing.assert_allclose(noise, 0.05, rtol=1e-14)
    for one, other in zip(jax.tree.leaves(back), jax.tree.leaves(kernel), strict=True):
        assert one.shape == other.shape
        np.testing.assert_allclose(one, other, rtol=1e-14)


def test_a_shaped_kernel_has_one_lengthscale_per_parameter_at_the_mode() -> None:
    # Two numbers and a choice of three: five columns, three length-scales.
    groups = (0, 1, 2, 2, 2)
    kernel = shaped(Matern(1.0, 2.0, nu=1.5) + SquaredExponential(9.0) * Matern(1.0), groups)
    assert isinstance(kernel, Sum)
    assert isinstance(kernel.second, Product)
    for part in (kernel.first, kernel.second.first, kernel.second.second):
        np.testing.assert_array_equal(part.lengthscale, np.full(3, lengthscale_mode(3)))
        assert part.groups == groups
    assert kernel.first.nu == 1.5
    np.testing.assert_array_equal(kernel.first.variance, 2.0)
    assert shaped(Matern(1.0), (0, 1, 2)).groups is None


# ---- compilation --------------------------------------------------------------------------------


def test_growing_data_compile_once_per_bucket() -> None:
    """Rounds as a policy runs them: warm starts, changing numbers of starts, real values."""
    x, y = drawn(32, 0)

    def compiled(*sizes: int) -> np.ndarray:
        """How many programs fit and posterior had to compile for data of these sizes."""
        before = np.array([fit.programs, posterior.programs])
        warm: tuple[float, ...] = ()
        for n in sizes:
            data = Data.padded(x[:n], y[:n])
            guesses = guesses_for(LIKE, warm, np.random.default_rng(n))
            found = fit(LIKE, data, guesses, starts_for(n), PRIOR)
            posterior(found.kernel, found.noise, data)
            warm = tuple(np.asarray(found.theta).tolist())
        return np.array([fit.programs, posterior.programs]) - before

    assert (bucket(16), bucket(17), bucket(32)) == (16, 32, 32)
    # Another test may have been the first in a bucket.
    assert np.all(compiled(3) <= 1)
    assert np.all(compiled(4, 5, 8, 15, 16) == 0)
    assert np.all(compiled(17) <= 1)
    assert np.all(compiled(18, 25, 32) == 0)
    assert np.all(compiled(1, 16, 32) == 0)
