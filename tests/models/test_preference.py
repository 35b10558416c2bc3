"""The preference model: dense Laplace formulas, brute force, and order recovered from choices."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import kendalltau, norm

from counsel.models import gp, preference
from counsel.models.fit import shaped
from counsel.models.gp import TREND_PRECISION
from counsel.models.judgements import Judged, Judgements, Manner
from counsel.models.kernels import Prior, SquaredExponential

KERNEL = Judged(SquaredExponential([0.4, 0.7], 1.3), 2)
MANNER = Manner(np.asarray(0.05), np.asarray(0.6), np.asarray(0.25))
POINTS = np.random.default_rng(3).uniform(size=(6, 2))
# Point numbers, winner first; 0 beat 1, lost to it once, and was told apart from 2 by nobody.
PAIRS = np.array([[0, 1], [0, 1], [1, 0], [0, 2], [3, 4], [2, 5], [5, 1]])
TIES = np.array([False, False, False, True, False, False, True])
TEST = np.random.default_rng(4).uniform(size=(8, 2))
NOTHING = np.zeros((0, 2)), np.zeros(0)
predict = jax.jit(lambda found, x: found.predict(x))
correlated = jax.jit(lambda x, z: KERNEL.inner.matrix(x, z))


def judged(
    measured: int = 0, ties: np.ndarray = TIES, size: int | None = None
) -> tuple[Judgements, np.ndarray]:
    y = np.array([0.8, -1.4, 0.3, 1.1])[:measured]
    y = (y - y.mean()) / y.std() if measured else y
    return Judgements.padded(POINTS[PAIRS], ties, POINTS[:measured], y, size), y


def dense_log_likelihood(f: np.ndarray, y: np.ndarray, ties: np.ndarray) -> float:
    noise, spread, reach = (float(each) for each in MANNER)
    reach = reach if ties.any() else 0.0
    u = f[PAIRS[:, 0]] - f[PAIRS[:, 1]]
    tie = norm.cdf((reach - u) / spread) - norm.cdf((-reach - u) / spread)
    # A line search may try where no tie is possible.
    log_tie = np.log(np.maximum(tie, 1e-300))
    value = np.where(ties, log_tie, norm.logcdf((u - reach) / spread))
    return value.sum() + norm.logpdf(y, f[: len(y)], np.sqrt(noise)).sum()


def dense(y: np.ndarray, ties: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Laplace in the space of utilities (f, trend), derivatives by finite differences."""
    n = len(POINTS)
    K = np.asarray(correlated(POINTS, POINTS))
    inverse = np.linalg.inv(K)

    def loss(v: np.ndarray) -> float:
        f, trend = v[:n], v[n]
        r = f - trend
        prior = 0.5 * r @ inverse @ r + 0.5 * TREND_PRECISION * trend**2
        return prior - dense_log_likelihood(f, y, ties)

    found = minimize(loss, np.zeros(n + 1), method="BFGS", options={"gtol": 1e-7}).x
    f, trend = found[:n], found[n]
    h = 1e-4
    steps = np.eye(n) * h
    W = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            corners = [
                dense_log_likelihood(f + a * steps[i] + b * steps[j], y, ties) * a * b
                for a in (1, -1)
                for b in (1, -1)
            ]
            W[i, j] = -sum(corners) / (4 * h * h)
    r = f - trend
    evidence = dense_log_likelihood(f, y, ties) - 0.5 * r @ inverse @ r
    evidence -= 0.5 * np.linalg.slogdet(np.eye(n) + K @ W)[1] + 0.5 * TREND_PRECISION * trend**2
    cross = np.asarray(correlated(TEST, POINTS))
    mean = trend + cross @ inverse @ r
    shrunk = np.linalg.inv(np.linalg.inv(W + 1e-9 * np.eye(n)) + K)
    variance = float(KERNEL.amplitude()) - np.sum((cross @ shrunk) * cross, axis=1)
    return mean, np.sqrt(variance), evidence


@pytest.mark.parametrize("measured", [0, 4])
@pytest.mark.parametrize("ties", [TIES, np.zeros(7, dtype=bool)], ids=["ties", "forced"])
def test_the_dense_formulas(measured: int, ties: np.ndarray) -> None:
    given, y = judged(measured, ties)
    mean, sd, evidence = dense(y, ties)
    if not measured:  # without a measurement the trend is not seen, and 0
        assert float(preference.posterior(KERNEL, MANNER, given).trend) == 0.0
    found = preference.posterior(KERNEL, MANNER, given, sweeps=0)
    ours_mean, ours_sd = predict(found, TEST)
    np.testing.assert_allclose(ours_mean, mean, atol=2e-5)
    np.testing.assert_allclose(ours_sd, sd, atol=2e-5)
    assert float(found.log_evidence) == pytest.approx(evidence, abs=1e-5)
    inside = jax.jit(preference.laplace_evidence)(KERNEL, MANNER, given)
    assert float(inside) == pytest.approx(evidence, abs=1e-5)


def test_brute_force() -> None:
    """Prior draws weighted by their likelihood: what is approximated."""
    given, _ = judged()
    rng = np.random.default_rng(0)
    both = np.concatenate([POINTS, TEST])
    K = np.asarray(correlated(both, both)) + 1e-10 * np.eye(len(both))
    f = rng.standard_normal((200_000, len(both))) @ np.linalg.cholesky(K).T
    u = f[:, PAIRS[:, 0]] - f[:, PAIRS[:, 1]]
    _, spread, reach = (float(each) for each in MANNER)
    tie = norm.cdf((reach - u) / spread) - norm.cdf((-reach - u) / spread)
    weights = np.prod(np.where(TIES, tie, norm.cdf((u - reach) / spread)), axis=1)
    evidence = np.log(weights.mean())
    weights /= weights.sum()
    exact = weights @ f[:, len(POINTS) :]
    exact_sd = np.sqrt(weights @ (f[:, len(POINTS) :] - exact) ** 2)
    found = preference.posterior(KERNEL, MANNER, given)
    mean, sd = predict(found, TEST)
    np.testing.assert_allclose(mean, exact, atol=0.02)
    np.testing.assert_allclose(sd, exact_sd, atol=0.02)
    assert float(found.log_evidence) == pytest.approx(evidence, abs=0.25)


def test_measurements_alone_are_the_exact_process() -> None:
    rng = np.random.default_rng(8)
    x, y = rng.uniform(size=(9, 2)), 40.0 + 3.0 * rng.standard_normal(9)
    given = Judgements.padded(np.zeros((0, 2, 2)), np.zeros(0, dtype=bool), x, y)
    found = preference.posterior(KERNEL, MANNER, given)
    exact = gp.posterior(KERNEL.inner, jnp.asarray(MANNER.noise), gp.Data.padded(x, y))
    np.testing.assert_allclose(predict(found, TEST), predict(exact, TEST), rtol=1e-8)
    assert float(found.log_evidence) == pytest.approx(float(exact.log_evidence), rel=1e-9)


@pytest.mark.parametrize("measured", [0, 4])
def test_padding_changes_nothing(measured: int) -> None:
    small, large = judged(measured)[0], judged(measured, size=32)[0]
    first = preference.posterior(KERNEL, MANNER, small)
    second = preference.posterior(KERNEL, MANNER, large)
    np.testing.assert_allclose(predict(first, TEST), predict(second, TEST), atol=1e-9)
    assert float(first.log_evidence) == pytest.approx(float(second.log_evidence), abs=1e-9)


@jax.jit
def evidence_and_slope(theta: jax.Array, given: Judgements) -> tuple[jax.Array, jax.Array]:
    return jax.value_and_grad(
        lambda theta: preference.laplace_evidence(*preference.unpack(theta, KERNEL), given)
    )(theta)


@pytest.mark.parametrize("measured", [0, 4])
def test_the_slope_of_the_evidence(measured: int) -> None:
    given, _ = judged(measured)
    theta, h = preference.pack(KERNEL, MANNER), 1e-5
    slope = evidence_and_slope(theta, given)[1]

    def value(i: int, step: float) -> jax.Array:
        return evidence_and_slope(theta.at[i].add(step), given)[0]

    numeric = [(value(i, h) - value(i, -h)) / (2 * h) for i in range(len(theta))]
    np.testing.assert_allclose(slope, numeric, atol=1e-6)


def test_contradictions_cancel_and_agreement_adds_up() -> None:
    def ahead(wins: int, losses: int) -> tuple[float, float]:
        pairs = np.array([[0, 1]] * wins + [[1, 0]] * losses)
        given = Judgements.padded(POINTS[pairs], np.zeros(len(pairs), dtype=bool), *NOTHING)
        mean, cov = preference.posterior(KERNEL, MANNER, given).joint(POINTS[:2])
        return float(mean[0] - mean[1]), float(cov[0, 0] + cov[1, 1] - 2 * cov[0, 1])

    assert ahead(3, 3)[0] == pytest.approx(0.0, abs=1e-9)
    leads = [ahead(wins, 1)[0] for wins in (1, 2, 4, 8)]
    assert leads == sorted(leads)
    assert ahead(6, 6)[1] < ahead(1, 1)[1]


def test_a_comparison_says_less_than_a_measurement_and_both_help() -> None:
    choices, _ = judged()
    both, _ = judged(4)
    alone = predict(preference.posterior(KERNEL, MANNER, choices), TEST)[1]
    together = preference.posterior(KERNEL, MANNER, both)
    assert np.all(np.asarray(predict(together, TEST)[1]) / together.scale <= np.asarray(alone))


def utility(x: np.ndarray) -> np.ndarray:
    return np.sin(5.0 * x[:, 0]) + 1.5 * np.cos(3.0 * x[:, 1]) * x[:, 0]


def choices(seed: int, count: int, tie: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """What a noisy person says of random pairs; ties where the difference is felt too small."""
    rng = np.random.default_rng(seed)
    pairs = rng.uniform(size=(count, 2, 2))
    felt = utility(pairs[:, 0]) - utility(pairs[:, 1]) + 0.15 * rng.standard_normal(count)
    return np.where((felt > 0.0)[:, None, None], pairs, pairs[:, ::-1]), np.abs(felt) < tie


def fitted(comparisons: np.ndarray, ties: np.ndarray) -> preference.PreferenceFit:
    like = Judged(shaped(SquaredExponential(np.ones(1)), (0, 1)), 2)
    guesses = preference.guesses_for(like, (), np.random.default_rng(0))
    given = Judgements.padded(comparisons, ties, *NOTHING)
    return preference.fit(like, given, guesses, np.asarray(2), Prior())


@pytest.mark.parametrize("tie", [0.0, 0.4])
def test_a_known_order_is_recovered(tie: float) -> None:
    comparisons, ties = choices(1, 60, tie)
    found = fitted(comparisons, ties)
    assert bool(found.ok)
    assert found.message == ""
    given = Judgements.padded(comparisons, ties, *NOTHING)
    test = np.random.default_rng(9).uniform(size=(300, 2))
    mean, _ = predict(preference.posterior(found.kernel, found.manner, given), test)
    assert kendalltau(mean, utility(test)).statistic > 0.8


def test_the_fit_is_a_minimum_and_compiles_once_per_bucket() -> None:
    comparisons, ties = choices(2, 30)
    found = fitted(comparisons, ties)
    before = preference.fit.programs
    fitted(*choices(2, 31))
    assert preference.fit.programs == before
    given = Judgements.padded(comparisons, ties, *NOTHING)

    def objective(theta: jax.Array) -> jax.Array:
        kernel, manner = preference.unpack(theta, found.kernel)
        value = preference.posterior(kernel, manner, given).log_evidence
        return -value - preference.log_prior(kernel, manner, Prior())

    least = float(objective(found.theta))
    assert least == pytest.approx(float(found.value), abs=1e-6)
    for i in range(len(found.theta)):
        for step in (0.05, -0.05):
            assert float(objective(found.theta.at[i].add(step))) > least - 1e-3


def test_a_fit_that_fails_says_so() -> None:
    like = Judged(shaped(SquaredExponential(np.ones(1)), (0, 1)), 2)
    comparisons, ties = choices(2, 30)
    given = Judgements.padded(comparisons, ties, *NOTHING)
    broken = eqx.tree_at(lambda j: j.left, given, np.full_like(given.left, np.nan))
    guesses = preference.guesses_for(like, (), np.random.default_rng(0))
    found = preference.fit(like, broken, guesses, np.asarray(2), Prior())
    assert not bool(found.ok)
    assert "starting values" in found.message
    assert np.isfinite(found.theta).all()


def test_a_warm_start_is_taken_only_if_it_fits() -> None:
    like = Judged(shaped(SquaredExponential(np.ones(1)), (0, 1)), 2)
    rng = np.random.default_rng
    mode = preference.guesses_for(like, (), rng(0))[1]
    warm = tuple(mode + 0.1)
    np.testing.assert_allclose(preference.guesses_for(like, warm, rng(0))[0], mode + 0.1)
    np.testing.assert_allclose(preference.guesses_for(like, (0.0,), rng(0))[0], mode)
