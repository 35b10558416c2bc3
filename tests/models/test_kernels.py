"""Kernels: scikit-learn's values and slopes, and spectra that give the kernel back."""

import math

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.spatial.distance
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.gaussian_process import kernels as sk

from counsel.errors import InvalidInput
from counsel.models.kernels import (
    LENGTHSCALE_BOUNDS,
    WEAK,
    Kernel,
    Matern,
    MaternProduct,
    Prior,
    SquaredExponential,
    lengthscale_mode,
    squared_distance,
)

LENGTHS, OTHERS = [0.2, 0.7, 1.5], [1.1, 0.3, 0.6]
FAR = 1e9  # a length-scale along which nothing changes
WIDE = sk.ConstantKernel(0.4) * sk.RBF(OTHERS)

# Ours, and the same kernel built from scikit-learn's parts.
PAIRS: dict[str, tuple[Kernel, sk.Kernel]] = {
    "squared exponential": (
        SquaredExponential(LENGTHS, 1.7),
        sk.ConstantKernel(1.7) * sk.RBF(LENGTHS),
    ),
    "matern 1/2": (
        Matern(LENGTHS, 1.7, nu=0.5),
        sk.ConstantKernel(1.7) * sk.Matern(LENGTHS, nu=0.5),
    ),
    "matern 3/2": (
        Matern(LENGTHS, 0.6, nu=1.5),
        sk.ConstantKernel(0.6) * sk.Matern(LENGTHS, nu=1.5),
    ),
    "matern 5/2": (
        Matern(LENGTHS, 2.3, nu=2.5),
        sk.ConstantKernel(2.3) * sk.Matern(LENGTHS, nu=2.5),
    ),
    "matern product": (
        MaternProduct(LENGTHS, 2.3),
        sk.ConstantKernel(2.3)
        * sk.Matern([LENGTHS[0], FAR, FAR], nu=2.5)
        * sk.Matern([FAR, LENGTHS[1], FAR], nu=2.5)
        * sk.Matern([FAR, FAR, LENGTHS[2]], nu=2.5),
    ),
    "sum": (
        Matern(LENGTHS, 1.7, nu=2.5) + SquaredExponential(OTHERS, 0.4),
        sk.ConstantKernel(1.7) * sk.Matern(LENGTHS, nu=2.5) + WIDE,
    ),
    "product": (
        Matern(LENGTHS, 1.7, nu=1.5) * SquaredExponential(OTHERS, 0.4),
        sk.ConstantKernel(1.7) * sk.Matern(LENGTHS, nu=1.5) * WIDE,
    ),
}
every_kernel = pytest.mark.parametrize("name", PAIRS)

# For the spectra, combinations of parts that are cheap to sample.
NARROW, BROAD = SquaredExponential(LENGTHS, 1.7), SquaredExponential(OTHERS, 0.4)
SPECTRA: dict[str, tuple[Kernel, sk.Kernel]] = PAIRS | {
    "sum": (NARROW + BROAD, sk.ConstantKernel(1.7) * sk.RBF(LENGTHS) + WIDE),
    "product": (NARROW * BROAD, sk.ConstantKernel(1.7) * sk.RBF(LENGTHS) * WIDE),
}


@eqx.filter_jit
def _matrix(kernel: Kernel, a: jax.Array, b: jax.Array) -> jax.Array:
    return kernel.matrix(a, b)


def matrix(kernel: Kernel, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.asarray(_matrix(kernel, a, b))


@eqx.filter_jit
def frequencies(kernel: Kernel, key: jax.Array) -> jax.Array:
    return kernel.frequencies(key, 40_000, 3)


# ---- values -------------------------------------------------------------------------------------


@every_kernel
def test_a_matrix_equals_scikit_learns(name: str) -> None:
    ours, theirs = PAIRS[name]
    rng = np.random.default_rng(1)
    a, b = rng.uniform(size=(8, 3)), rng.uniform(size=(8, 3))
    b[:2] = a[:2]  # coincident points among them
    np.testing.assert_allclose(matrix(ours, a, b), theirs(a, b), rtol=0, atol=1e-12)


@every_kernel
def test_the_amplitude_is_the_diagonal(name: str) -> None:
    kernel, _ = PAIRS[name]
    x = np.random.default_rng(2).uniform(size=(8, 3))
    np.testing.assert_allclose(np.diag(matrix(kernel, x, x)), kernel.amplitude(), rtol=1e-14)


def test_the_columns_of_a_group_share_a_lengthscale() -> None:
    rng = np.random.default_rng(4)
    # One number and a choice of three, one-hot.
    x = np.concatenate([rng.uniform(size=(8, 1)), np.eye(3)[rng.integers(3, size=8)]], axis=1)
    kernel = Matern([0.3, 0.9], 1.7, groups=(0, 1, 1, 1))
    theirs = sk.ConstantKernel(1.7) * sk.Matern([0.3, 0.9, 0.9, 0.9], nu=2.5)
    np.testing.assert_allclose(matrix(kernel, x, x), theirs(x), rtol=0, atol=1e-12)


def test_one_lengthscale_serves_all_columns() -> None:
    rng = np.random.default_rng(5)
    a, b = rng.uniform(size=(8, 3)), rng.uniform(size=(8, 3))
    np.testing.assert_allclose(
        matrix(SquaredExponential(0.4), a, b), sk.RBF(0.4)(a, b), rtol=0, atol=1e-12
    )


distances = jax.jit(squared_distance)


@pytest.mark.parametrize("d", [3, 65])
def test_squared_distances(d: int) -> None:
    rng = np.random.default_rng(d)
    a, b = rng.uniform(size=(8, d)), rng.uniform(size=(5, d))
    expected = scipy.spatial.distance.cdist(a, b, "sqeuclidean")
    np.testing.assert_allclose(distances(a, b), expected, rtol=1e-13)


def test_close_points_far_from_zero_keep_their_distance() -> None:
    # |a|^2 + |b|^2 - 2 a'b would give 0, or less than 0.
    a, b = np.full((8, 3), 1.0), np.full((5, 3), 1.0 + 2.0**-30)
    np.testing.assert_allclose(distances(a, b), 3 * 2.0**-60, rtol=1e-15)


# ---- laws ---------------------------------------------------------------------------------------

# Coarse numbers, so that coincident points are common.
points = arrays(np.float64, (8, 3), elements=st.integers(0, 8).map(lambda i: i / 8))


@settings(max_examples=50)
@given(st.sampled_from(sorted(PAIRS)), points)
def test_a_matrix_is_symmetric_and_positive_semidefinite(name: str, x: np.ndarray) -> None:
    K = matrix(PAIRS[name][0], x, x)
    np.testing.assert_allclose(K, K.T, rtol=1e-14)
    eigenvalues = np.linalg.eigvalsh(K)
    assert eigenvalues[0] > -1e-13 * eigenvalues[-1]


@every_kernel
def test_slopes_are_right_where_points_coincide(name: str) -> None:
    """Compiled, as the fit uses them; every diagonal holds coincident points."""
    kernel, theirs = PAIRS[name]
    rng = np.random.default_rng(6)
    x = np.repeat(rng.uniform(size=(4, 3)), 2, axis=0)
    weights = rng.standard_normal((8, 8))

    assert_slopes(kernel, theirs, x, weights)


def test_slopes_are_right_at_the_shortest_lengthscales() -> None:
    # Encoded points are then hundreds of length-scales from zero, and rounding grows with them.
    rng = np.random.default_rng(7)
    x = 1.0 - 0.02 * rng.uniform(size=(8, 6))
    shortest = [LENGTHSCALE_BOUNDS[0]] * 6
    theirs = sk.ConstantKernel(1.0) * sk.Matern(shortest, nu=0.5)
    assert_slopes(Matern(shortest, nu=0.5), theirs, x, rng.standard_normal((8, 8)))


def assert_slopes(kernel: Kernel, theirs: sk.Kernel, x: np.ndarray, weights: np.ndarray) -> None:
    """The slopes of sum(weights * K) are scikit-learn's."""

    @jax.jit
    def slopes(kernel: Kernel, x: jax.Array) -> tuple[Kernel, jax.Array]:
        return jax.grad(lambda k, x: jnp.sum(weights * k.matrix(x, x)), argnums=(0, 1))(kernel, x)

    of_kernel, of_x = jax.device_get(slopes(kernel, x))
    assert np.all(np.isfinite(of_x))
    # scikit-learn's slopes are in the logs of its parameters, in its own order.
    ours = _logs(kernel, of_kernel)
    _, gradient = theirs(x, eval_gradient=True)
    expected = np.einsum("ij,ijp->p", weights, gradient)
    expected = expected[
        theirs.theta < 0.5 * math.log(FAR)
    ]  # length-scales that only scikit-learn has
    np.testing.assert_allclose(np.sort(ours), np.sort(expected), rtol=1e-9, atol=1e-12)


def _logs(kernel: Kernel, slope: Kernel) -> np.ndarray:
    pairs = zip(jax.tree.leaves(kernel), jax.tree.leaves(slope), strict=True)
    return np.concatenate([np.ravel(value * change) for value, change in pairs])


@every_kernel
def test_frequencies_give_the_kernel_back(name: str) -> None:
    """Bochner: the mean of cos(w'(x - y)) over the spectral density is k(x, y) / k(x, x)."""
    kernel, theirs = SPECTRA[name]
    w = np.asarray(frequencies(kernel, jax.random.key(7)))
    gaps = np.random.default_rng(8).uniform(-0.6, 0.6, size=(8, 3))
    waves = np.cos(w @ gaps.T)
    error = waves.std(axis=0) / math.sqrt(len(w))
    expected = theirs(gaps, np.zeros((1, 3)))[:, 0] / theirs.diag(gaps)
    assert np.all(np.abs(waves.mean(axis=0) - expected) < 4 * error)
    assert error.max() < 4e-3  # so four of them tell these kernels apart


def test_frequencies_of_a_group_share_a_lengthscale() -> None:
    kernel = SquaredExponential([0.5, 2.0], groups=(0, 1, 1))
    w = np.asarray(frequencies(kernel, jax.random.key(9)))
    spread = np.array([2.0, 0.5, 0.5])
    # The sd of a sample sd is sd / sqrt(2 n).
    assert np.all(np.abs(w.std(axis=0) / spread - 1.0) < 4 / math.sqrt(2 * len(w)))


# ---- hyper-parameters ---------------------------------------------------------------------------


def log_prior(kernel: Kernel, prior: Prior) -> float:
    return float(kernel.log_prior(prior))


@every_kernel
def test_bounds_have_the_kernels_form_and_finite_priors(name: str) -> None:
    kernel, _ = PAIRS[name]
    low, high = kernel.bounds()
    assert jax.tree.structure(low) == jax.tree.structure(kernel) == jax.tree.structure(high)
    ends = [np.concatenate([np.ravel(v) for v in jax.tree.leaves(k)]) for k in (low, kernel, high)]
    assert np.all(ends[0] > 0.0)
    assert np.all(np.isfinite(ends[2]))
    assert np.all((ends[0] < ends[1]) & (ends[1] < ends[2]))
    for k in (low, kernel, high):
        assert np.isfinite(log_prior(k, Prior()))
        assert np.isfinite(log_prior(k, WEAK))


@pytest.mark.parametrize("prior", [Prior(), WEAK])
def test_the_prior_is_normal_on_the_logs(prior: Prior) -> None:
    def logs(kernel: SquaredExponential) -> float:
        mode = math.exp(math.sqrt(2.0) - 3.0) * math.sqrt(3.0)  # of LogNormal(√2 + log(3)/2, √3)
        lengths = scipy.stats.norm(math.log(mode), prior.lengthscale_sd).logpdf(
            np.log(kernel.lengthscale)
        )
        variance = scipy.stats.norm(0.0, prior.variance_sd).logpdf(np.log(kernel.variance))
        return float(lengths.sum() + variance)

    found = log_prior(NARROW, prior) - log_prior(BROAD, prior)
    assert math.isclose(found, logs(NARROW) - logs(BROAD), rel_tol=1e-12, abs_tol=1e-13)


def test_the_default_prior_has_the_log_normals_mode() -> None:
    density = scipy.stats.lognorm(math.sqrt(3.0), scale=math.exp(math.sqrt(2.0) + math.log(5) / 2))
    mode = lengthscale_mode(5)
    assert density.pdf(mode) > max(density.pdf(0.99 * mode), density.pdf(1.01 * mode))
    noise = scipy.stats.lognorm(1.0, scale=math.exp(-4.0))
    mode = Prior().noise_mode
    assert noise.pdf(mode) > max(noise.pdf(0.99 * mode), noise.pdf(1.01 * mode))


def test_the_prior_peaks_at_the_lengthscale_mode() -> None:
    mode = lengthscale_mode(3)
    best = log_prior(SquaredExponential([mode] * 3), Prior())
    for factor in (0.9, 1.1):
        assert log_prior(SquaredExponential([mode * factor, mode, mode]), Prior()) < best
    # Distances grow with sqrt(d), and the mode with them.
    assert math.isclose(lengthscale_mode(12), 2 * mode)


def test_priors_add_over_parts() -> None:
    apart = log_prior(NARROW, Prior()) + log_prior(BROAD, Prior())
    for both in (NARROW + BROAD, NARROW * BROAD):
        assert math.isclose(log_prior(both, Prior()), apart, rel_tol=1e-14)


def test_an_unknown_smoothness_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"nu: got 2\.0\. Choose 0\.5, 1\.5 or 2\.5\."):
        Matern(0.3, nu=2.0)


def test_levels_of_a_choice_share_one_factor_of_a_matern_product() -> None:
    """Two levels are sqrt 2 apart in one-hot columns, whatever the number of levels."""
    kernel = MaternProduct([0.3, 0.8], groups=(0, 1, 1, 1))
    a, b = np.array([[0.1, 1.0, 0.0, 0.0]]), np.array([[0.5, 0.0, 0.0, 1.0]])
    number = Matern([0.3]).matrix(np.zeros((1, 1)), np.full((1, 1), 0.4))
    levels = Matern([0.8]).matrix(np.zeros((1, 1)), np.full((1, 1), math.sqrt(2.0)))
    assert float(kernel.matrix(a, b)[0, 0]) == pytest.approx(float(number[0, 0] * levels[0, 0]))


def test_a_prior_expects_levels_to_be_alike_but_leaves_numbers_alone() -> None:
    groups = (0, 1, 1, 1)
    mode = lengthscale_mode(2)
    at = {f: MaternProduct([mode, f * mode], groups=groups) for f in (1.0, 8.0)}
    plain, alike = Prior(), Prior(choice_factor=8.0)
    assert float(at[8.0].log_prior(alike)) == pytest.approx(0.0)
    assert float(at[1.0].log_prior(plain)) == pytest.approx(0.0)
    assert float(at[1.0].log_prior(alike)) == pytest.approx(-0.5 * math.log(8.0) ** 2)


def test_each_level_can_have_a_lengthscale_of_its_own() -> None:
    """Two levels are sqrt(1/l_a^2 + 1/l_b^2) apart: long ones are alike, a short one is not."""
    kernel = MaternProduct([0.3, 5.0, 0.5, 9.0], groups=(0, 1, 1, 1), levels=True)
    points = np.array([[0.1, 1.0, 0.0, 0.0], [0.1, 0.0, 1.0, 0.0], [0.5, 0.0, 0.0, 1.0]])

    def factor(r: float) -> float:
        return float(Matern([1.0]).matrix(np.zeros((1, 1)), np.full((1, 1), r))[0, 0])

    found = np.asarray(kernel.matrix(points, points))
    assert found[0, 1] == pytest.approx(factor(math.hypot(1 / 5.0, 1 / 0.5)))
    assert found[0, 2] == pytest.approx(factor(0.4 / 0.3) * factor(math.hypot(1 / 5.0, 1 / 9.0)))
    assert np.all(np.linalg.eigvalsh(found) > 0.0)


def test_the_prior_of_levels_is_that_of_their_parameter() -> None:
    groups = (0, 1, 1, 1)
    mode = lengthscale_mode(2)  # two parameters, whatever the number of levels
    kernel = MaternProduct([mode, *[8.0 * mode] * 3], groups=groups, levels=True)
    assert float(kernel.log_prior(Prior(choice_factor=8.0))) == pytest.approx(0.0)
    assert float(kernel.log_prior(Prior())) == pytest.approx(-1.5 * math.log(8.0) ** 2)
