"""The output weight: densities against SciPy and scikit-learn, laws of the mixture."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.stats
from sklearn.mixture import GaussianMixture

from counsel.models.density import Mixture, fit_mixture, output_weight, spread_of


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


def test_em_finds_scikit_learns_mixture() -> None:
    points = blobs()
    ours = fitted(points, np.full(1000, 1e-3), 2)
    theirs = GaussianMixture(2, reg_covar=0.02**2, random_state=0, tol=1e-10, max_iter=500)
    theirs.fit(points)
    np.testing.assert_allclose(
        ours.log_density(jnp.asarray(points)).mean(), theirs.score(points), atol=1e-4
    )
    np.testing.assert_allclose(
        np.sort(np.asarray(ours.mean), axis=0), np.sort(theirs.means_, axis=0), atol=1e-3
    )


def test_mass_is_the_same_as_repetition() -> None:
    points = blobs()
    counts = np.random.default_rng(2).integers(1, 4, size=len(points))
    weighted = fitted(points, counts / counts.sum(), 2)
    repeated = fitted(np.repeat(points, counts, axis=0), np.full(counts.sum(), 1 / counts.sum()), 2)
    np.testing.assert_allclose(
        weighted.log_density(jnp.asarray(points)),
        repeated.log_density(jnp.asarray(points)),
        rtol=1e-6,
    )


def test_a_mixture_is_a_density() -> None:
    mixture = fitted(blobs(), np.full(1000, 1e-3), 4)
    axis = np.linspace(-1, 2, 300)
    grid = np.stack(np.meshgrid(axis, axis), -1).reshape(-1, 2)
    mass = np.exp(mixture.log_density(jnp.asarray(grid))).sum() * (axis[1] - axis[0]) ** 2
    assert mass == pytest.approx(1.0, abs=1e-3)


def test_more_components_than_points_stay_finite() -> None:
    points = np.array([[0.1, 0.1], [0.9, 0.9], [0.9, 0.1]])
    mixture = fitted(points, np.full(3, 1 / 3), 8)
    assert np.all(np.isfinite(mixture.log_density(jnp.asarray(points))))


weigh = jax.jit(output_weight, static_argnums=3, static_argnames=("paper",))


def grid(size: int = 40) -> np.ndarray:
    axis = np.linspace(0, 1, size)
    return np.stack(np.meshgrid(axis, axis, indexing="ij"), -1).reshape(-1, 2)


def peak(points: np.ndarray) -> np.ndarray:
    """Flat but for one small hill at (0.8, 0.2)."""
    return np.exp(-0.5 * ((points - [0.8, 0.2]) ** 2).sum(1) / 0.05**2)


def test_rare_means_weigh_more() -> None:
    points = grid()
    weight = weigh(peak(points), points, None, 2, paper=True)
    on_the_hill = float(weight(jnp.array([[0.8, 0.2]]))[0])
    elsewhere = float(weight(jnp.array([[0.2, 0.8]]))[0])
    assert on_the_hill > 5 * elsewhere


@pytest.mark.parametrize("components", [1, 2, 4])
def test_the_papers_weight_has_mean_one(components: int) -> None:
    points = grid()
    weight = np.asarray(
        weigh(peak(points), points, None, components, paper=True)(jnp.asarray(points))
    )
    assert weight.mean() == pytest.approx(1.0, rel=1e-9)
    assert weight.max() > 1.5


def test_ours_is_at_most_one_and_takes_from_the_ordinary() -> None:
    points = grid()
    weight = np.asarray(weigh(peak(points), points, None, 4, paper=False)(jnp.asarray(points)))
    assert weight.max() == 1.0
    assert weight.min() < 0.7
    assert weight[np.argmax(peak(points))] == 1.0


def test_ours_knows_large_from_small_and_the_paper_does_not() -> None:
    """A hill and a pit of the same form: as rare, but only the hill is worth a look."""
    points = grid()
    means = peak(points) - peak(1.0 - points)
    hill, pit = jnp.array([[0.8, 0.2]]), jnp.array([[0.2, 0.8]])
    ours, papers = (weigh(means, points, None, 2, paper=paper) for paper in (False, True))
    assert float(ours(hill)[0]) > 3 * float(ours(pit)[0])
    assert float(papers(hill)[0]) == pytest.approx(float(papers(pit)[0]), rel=0.2)


def test_ours_does_not_see_the_borders_of_a_space() -> None:
    """Where all means are as rare, in a space of any shape, the weight is 1 everywhere."""
    points = grid()
    disk = points[np.sum((points - 0.5) ** 2, axis=1) < 0.25]
    ours, papers = (
        np.asarray(weigh(np.zeros(len(disk)), disk, None, 4, paper=paper)(jnp.asarray(disk)))
        for paper in (False, True)
    )
    np.testing.assert_allclose(ours, 1.0, rtol=1e-9)
    assert papers.min() < 0.7


def test_a_prior_moves_the_weight() -> None:
    points = grid()
    left = np.where(points[:, 0] < 0.5, 1.0, 1e-6)
    means = np.sin(6 * points[:, 1])
    weight = weigh(means, points, left, 2, paper=True)
    assert float(weight(jnp.array([[0.25, 0.5]]))[0]) > 3 * float(
        weight(jnp.array([[0.95, 0.5]]))[0]
    )


@pytest.mark.parametrize("paper", [True, False])
def test_gradients_flow_through_the_weight(paper: bool) -> None:
    points = grid(20)
    weight = weigh(peak(points), points, None, 2, paper=paper)
    x = jnp.array([0.5, 0.4])
    assert 0.01 < float(weight(x[None, :])[0]) < 0.99
    slope = jax.grad(lambda x: weight(x[None, :])[0])(x)
    step = 1e-6
    for j in range(2):
        ahead, behind = x.at[j].add(step), x.at[j].add(-step)
        difference = (weight(ahead[None, :])[0] - weight(behind[None, :])[0]) / (2 * step)
        assert float(slope[j]) == pytest.approx(float(difference), rel=1e-5)


def test_the_same_data_give_the_same_mixture() -> None:
    first, second = (fitted(blobs(), np.full(1000, 1e-3), 4) for _ in range(2))
    assert isinstance(first, Mixture)
    for a, b in zip(jax.tree.leaves(first), jax.tree.leaves(second), strict=True):
        np.testing.assert_array_equal(a, b)
