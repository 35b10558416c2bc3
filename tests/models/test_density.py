"""The output weight: densities against SciPy and scikit-learn, laws of the mixture."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.stats
from sklearn.mixture import GaussianMixture

from counsel.models.density import (
    Mixture,
    fit_mixture,
    likelihood_ratio,
    log_inside,
    output_weight,
    pruned_weight,
    spread_of,
)


@pytest.mark.parametrize("shape", ["normal", "two humps", "skewed"])
def test_the_density_is_scipys(shape: str) -> None:
    rng = np.random.default_rng(0)
    values = {
        "normal": rng.standard_normal(2000),
        "two humps": np.concatenate([rng.normal(-2, 0.5, 1200), rng.normal(3, 1.0, 800)]),
        "skewed": rng.exponential(size=2000),
    }[shape]
    theirs = scipy.stats.gaussian_kde(values)(values)
    # Scott's factor with the n - 1 variance that SciPy uses: the bandwidths differ by 1 in 4000.
    np.testing.assert_allclose(jax.jit(spread_of)(values).density, theirs, rtol=0.02)


def test_the_weighted_density_is_scipys() -> None:
    rng = np.random.default_rng(4)
    values, weights = rng.standard_normal(3000), rng.gamma(0.7, size=3000)
    theirs = scipy.stats.gaussian_kde(values, weights=weights)(values)
    ours = jax.jit(spread_of)(values, weights / weights.sum()).density
    # SciPy's weighted variance is unbiased, ours is not: 1 in 1000.
    np.testing.assert_allclose(ours, theirs, rtol=0.02)


def test_even_weights_change_nothing() -> None:
    values = np.random.default_rng(5).standard_normal(500)
    plain, weighted = jax.jit(spread_of)(values), jax.jit(spread_of)(values, np.full(500, 0.002))
    np.testing.assert_allclose(weighted.density, plain.density, rtol=1e-9)
    np.testing.assert_allclose(weighted.below, plain.below, rtol=1e-9, atol=1e-12)


def test_the_share_below_is_the_rank() -> None:
    values = np.random.default_rng(3).gamma(2.0, size=2000)
    below = np.asarray(jax.jit(spread_of)(values).below)
    np.testing.assert_allclose(below, scipy.stats.rankdata(values) / 2000, atol=0.05)
    order = np.argsort(values)
    assert np.all(np.diff(below[order]) >= -1e-12)


def test_the_density_of_one_lump_is_finite_and_even() -> None:
    for values in (np.zeros(100), np.full(100, 3.0)):
        density = np.asarray(jax.jit(spread_of)(values).density)
        assert np.all(np.isfinite(density))
        np.testing.assert_allclose(density, density[0], rtol=1e-9)


def blobs() -> np.ndarray:
    rng = np.random.default_rng(1)
    left = rng.normal([0.25, 0.3], 0.05, size=(600, 2))
    right = rng.normal([0.75, 0.6], [0.1, 0.04], size=(400, 2))
    return np.concatenate([left, right])


fitted = jax.jit(fit_mixture, static_argnums=2)
log_density = jax.jit(lambda mixture, points: mixture.log_density(points))


def test_em_finds_scikit_learns_mixture() -> None:
    points = blobs()
    ours = fitted(points, np.full(1000, 1e-3), 2)
    theirs = GaussianMixture(2, reg_covar=0.02**2, random_state=0, tol=1e-10, max_iter=500)
    theirs.fit(points)
    np.testing.assert_allclose(log_density(ours, points).mean(), theirs.score(points), atol=1e-4)
    np.testing.assert_allclose(
        np.sort(np.asarray(ours.mean), axis=0), np.sort(theirs.means_, axis=0), atol=1e-3
    )


def test_mass_is_the_same_as_repetition() -> None:
    points = blobs()
    counts = np.random.default_rng(2).integers(1, 4, size=len(points))
    weighted = fitted(points, counts / counts.sum(), 2)
    repeated = fitted(np.repeat(points, counts, axis=0), np.full(counts.sum(), 1 / counts.sum()), 2)
    np.testing.assert_allclose(
        log_density(weighted, points), log_density(repeated, points), rtol=1e-6
    )


def test_a_mixture_is_a_density() -> None:
    mixture = fitted(blobs(), np.full(1000, 1e-3), 4)
    axis = np.linspace(-1, 2, 300)
    grid = np.stack(np.meshgrid(axis, axis), -1).reshape(-1, 2)
    mass = np.exp(log_density(mixture, grid)).sum() * (axis[1] - axis[0]) ** 2
    assert mass == pytest.approx(1.0, abs=1e-3)


def test_more_components_than_points_stay_finite() -> None:
    points = np.array([[0.1, 0.1], [0.9, 0.9], [0.9, 0.1]])
    mixture = fitted(points, np.full(3, 1 / 3), 8)
    assert np.all(np.isfinite(log_density(mixture, points)))


CHOICES = ((0, 1, 2), (3, 4))
LEVELS = np.array([[*np.eye(3)[i], *np.eye(2)[j]] for i in range(3) for j in range(2)])


def test_one_component_of_choices_is_their_shares() -> None:
    """With one component the chances are the weighted shares of levels, a tenth spread evenly."""
    mass = np.array([0.3, 0.2, 0.1, 0.1, 0.2, 0.1])
    mixture = jax.jit(fit_mixture, static_argnums=(2, 3))(LEVELS, mass, 1, CHOICES)
    first = 0.9 * np.array([0.5, 0.2, 0.3]) + 0.1 / 3
    second = 0.9 * np.array([0.6, 0.4]) + 0.1 / 2
    relative = 3 * first[[0, 0, 1, 1, 2, 2]] * 2 * second[[0, 1, 0, 1, 0, 1]]
    found = np.exp(np.asarray(log_density(mixture, LEVELS)))
    np.testing.assert_allclose(found / found.sum(), relative / relative.sum(), rtol=1e-9)


def test_components_tell_combinations_of_levels_apart() -> None:
    """Two combinations share no level: a product of shares could not tell them from their mixes."""
    mass = np.array([0.49, 0.005, 0.005, 0.005, 0.005, 0.49])
    mixture = jax.jit(fit_mixture, static_argnums=(2, 3))(LEVELS, mass, 2, CHOICES)
    found = np.exp(np.asarray(log_density(mixture, LEVELS)))
    assert min(found[0], found[5]) > 5 * max(found[1:5])


def test_choices_and_numbers_together() -> None:
    """The numbers of a component keep its mean where a level says which component it is."""
    rng = np.random.default_rng(6)
    level = rng.integers(2, size=800)
    numbers = np.clip(rng.normal(np.where(level, 0.8, 0.2), 0.05), 0.0, 1.0)
    points = np.concatenate([np.eye(2)[level], numbers[:, None]], axis=1)
    mixture = jax.jit(fit_mixture, static_argnums=(2, 3))(
        points, np.full(800, 1 / 800), 2, ((0, 1),)
    )
    np.testing.assert_allclose(np.sort(np.ravel(mixture.mean)), [0.2, 0.8], atol=0.02)
    there, elsewhere = (
        float(log_density(mixture, np.array([[1.0, 0.0, x]]))[0]) for x in (0.2, 0.8)
    )
    assert there > elsewhere + 1.0


def test_the_share_inside_the_cube_is_monte_carlos() -> None:
    mixture = fitted(blobs(), np.full(1000, 1e-3), 4)
    wide = Mixture(mixture.log_share, mixture.mean, 0.3 * mixture.whitener)
    rng = np.random.default_rng(7)
    share = 0.0
    for log_share, mean, whitener in zip(*jax.tree.leaves(wide), strict=True):
        draws = mean + rng.standard_normal((40_000, 2)) @ np.linalg.inv(np.asarray(whitener)).T
        share += np.exp(log_share) * ((draws >= 0) & (draws <= 1)).all(axis=1).mean()
    assert 0.3 < share < 0.95
    assert float(jnp.exp(jax.jit(log_inside)(wide))) == pytest.approx(float(share), rel=0.02)


weigh = jax.jit(output_weight, static_argnums=(3, 4), static_argnames=("cube",))
prune = jax.jit(pruned_weight, static_argnums=(2, 3))
ratio = jax.jit(likelihood_ratio)
weight_at = jax.jit(lambda weight, points: weight(points))


def grid(size: int = 40) -> np.ndarray:
    axis = np.linspace(0, 1, size)
    return np.stack(np.meshgrid(axis, axis, indexing="ij"), -1).reshape(-1, 2)


def peak(points: np.ndarray) -> np.ndarray:
    """Flat but for one small hill at (0.8, 0.2)."""
    return np.exp(-0.5 * ((points - [0.8, 0.2]) ** 2).sum(1) / 0.05**2)


def test_rare_means_weigh_more() -> None:
    points = grid()
    weight = weigh(peak(points), points, None, 2)
    on_the_hill = float(weight_at(weight, np.array([[0.8, 0.2]]))[0])
    elsewhere = float(weight_at(weight, np.array([[0.2, 0.8]]))[0])
    assert on_the_hill > 5 * elsewhere


@pytest.mark.parametrize("components", [1, 2, 4])
def test_the_papers_weight_has_mean_one(components: int) -> None:
    points = grid()
    weight = np.asarray(weight_at(weigh(peak(points), points, None, components), points))
    assert weight.mean() == pytest.approx(1.0, rel=1e-9)
    assert weight.max() > 1.5


def test_ours_is_at_most_one_and_takes_from_the_ordinary() -> None:
    points = grid()
    weight = np.asarray(weight_at(prune(peak(points), points, 4), points))
    assert weight.max() == 1.0
    assert weight.min() < 0.7
    assert weight[np.argmax(peak(points))] == 1.0


def test_ours_knows_large_from_small_and_the_paper_does_not() -> None:
    """A hill and a pit of the same form: as rare, but only the hill is worth a look."""
    points = grid()
    means = peak(points) - peak(1.0 - points)
    both = np.array([[0.8, 0.2], [0.2, 0.8]])
    hill, pit = weight_at(prune(means, points, 2), both)
    assert float(hill) > 3 * float(pit)
    hill, pit = weight_at(weigh(means, points, None, 2), both)
    assert float(hill) == pytest.approx(float(pit), rel=0.2)


def test_ours_does_not_see_the_borders_of_a_space() -> None:
    """Where all means are as rare, in a space of any shape, the weight is 1 everywhere."""
    points = grid()
    disk = points[np.sum((points - 0.5) ** 2, axis=1) < 0.25]
    even = np.zeros(len(disk))
    ours, papers = (
        np.asarray(weight_at(weight, disk))
        for weight in (prune(even, disk, 4), weigh(even, disk, None, 4))
    )
    np.testing.assert_allclose(ours, 1.0, rtol=1e-9)
    assert papers.min() < 0.7


def test_a_prior_moves_the_weight() -> None:
    points = grid()
    left = np.where(points[:, 0] < 0.5, 1.0, 1e-6)
    means = np.sin(6 * points[:, 1])
    weight = weigh(means, points, left, 2)
    left_of, right_of = weight_at(weight, np.array([[0.25, 0.5], [0.95, 0.5]]))
    assert float(left_of) > 3 * float(right_of)


def test_the_ratio_is_the_formula() -> None:
    """p_x / p_mu with SciPy's density of the weighted means."""
    points = np.random.default_rng(8).uniform(size=(2000, 2))
    means = np.sin(5 * points[:, 0]) + points[:, 1]
    prior = np.exp(-3 * points[:, 1])
    theirs = prior / scipy.stats.gaussian_kde(means, weights=prior)(means)
    ours = np.asarray(ratio(means, prior))
    np.testing.assert_allclose(ours / ours.mean(), theirs / theirs.mean(), rtol=0.02)


def test_where_the_means_are_the_inputs_the_ratio_is_constant() -> None:
    """mu(x) = x and p_x = Beta(2, 8): then p_mu is p_x, and w is the same everywhere."""
    x = (np.arange(8000) + 0.5) / 8000
    prior = scipy.stats.beta(2, 8).pdf(x)
    likely = (x > scipy.stats.beta(2, 8).ppf(0.01)) & (x < scipy.stats.beta(2, 8).ppf(0.99))
    found = np.asarray(ratio((x - 0.2) / 0.12, prior))
    np.testing.assert_allclose(found[likely] / np.median(found[likely]), 1.0, atol=0.1)
    # A mixture falls off at the borders, but nothing is left of the prior, which varies a lot.
    weight = np.asarray(weight_at(weigh((x - 0.2) / 0.12, x[:, None], prior, 4), x[:, None]))
    assert weight[likely].max() < 3.0 * weight[likely].min()
    assert prior[likely].max() > 15.0 * prior[likely].min()


def test_points_without_weight_have_no_say() -> None:
    points = grid(20)
    means, prior = np.sin(6 * points[:, 1]), (points[:, 0] < 0.5).astype(float)
    found = np.asarray(ratio(means, prior))
    assert np.all(np.isfinite(found))
    assert np.all(found[prior == 0.0] == 0.0)
    some = prior > 0.0
    np.testing.assert_allclose(
        found[some] / found[some].mean(),
        (alone := np.asarray(ratio(means[some], np.ones(some.sum())))) / alone.mean(),
        rtol=1e-3,
    )


@pytest.mark.parametrize("weight", ["papers", "ours"])
def test_gradients_flow_through_the_weight(weight: str) -> None:
    points = grid(20)
    found = weigh(peak(points), points, None, 2) if weight == "papers" else None
    found = prune(peak(points), points, 2) if found is None else found
    x = np.array([0.5, 0.4])
    value, slope = jax.jit(jax.value_and_grad(lambda x: found(x[None, :])[0]))(x)
    assert 0.01 < float(value) < 0.99
    step = 1e-6 * np.eye(2)
    difference = (weight_at(found, x + step) - weight_at(found, x - step)) / 2e-6
    np.testing.assert_allclose(slope, difference, rtol=1e-5)


def test_the_same_data_give_the_same_mixture() -> None:
    first, second = (fitted(blobs(), np.full(1000, 1e-3), 4) for _ in range(2))
    assert isinstance(first, Mixture)
    for a, b in zip(jax.tree.leaves(first), jax.tree.leaves(second), strict=True):
        np.testing.assert_array_equal(a, b)
