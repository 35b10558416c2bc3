"""Noise that varies: found from repeats or residuals; one noise for all is no news."""

import jax.numpy as jnp
import numpy as np

from counsel.models.gp import Data, Posterior, posterior
from counsel.models.kernels import Prior, SquaredExponential
from counsel.models.noise import LEAST, clues, noise_guesses, with_varying_noise

LIKE = SquaredExponential(np.full(1, 0.3))


def true_sd(x: np.ndarray) -> np.ndarray:
    return 0.05 + 0.6 * x[:, 0]


def plain(points: int, repeats: int, seed: int = 0, quiet: bool = False) -> Posterior:
    rng = np.random.default_rng(seed)
    x = np.repeat(rng.uniform(size=(points, 1)), repeats, axis=0)
    sd = 0.2 if quiet else true_sd(x)
    y = np.sin(6.0 * x[:, 0]) + sd * rng.standard_normal(len(x))
    return posterior(LIKE, jnp.asarray(0.1), Data.padded(x, y))


def varying(belief: Posterior) -> Posterior:
    return with_varying_noise(LIKE, belief, noise_guesses(LIKE, ()), Prior())[0]


def test_sample_variances_are_those_of_numpy() -> None:
    belief = plain(5, 4)
    found = clues(belief)
    rows = np.flatnonzero(np.asarray(found.mask))
    assert len(rows) == 5
    y = (np.asarray(belief.data.y)[:20] - float(belief.offset)) / float(belief.scale)
    logs = np.log(y.reshape(5, 4).var(axis=1, ddof=1))
    gap = np.asarray(found.value)[rows] - logs
    np.testing.assert_allclose(gap, gap[0], rtol=1e-10)  # one bias for all, by their freedom


def test_log_variances_are_unbiased_and_their_spread_is_known() -> None:
    """Over many groups of equal noise: the mean is the truth, the variance is the one stated."""
    off, spread = [], 0.0
    for seed in range(3):
        belief = plain(80, 4, seed, quiet=True)
        found = clues(belief)
        known = np.asarray(found.mask) > 0.5
        off.append(np.asarray(found.value)[known] - 2.0 * np.log(0.2 / float(belief.scale)))
        spread = float(np.asarray(found.spread)[known][0])
    errors = np.concatenate(off)
    assert len(errors) == 240
    assert abs(errors.mean()) < 4.0 * np.sqrt(spread / len(errors))
    assert 0.7 < errors.var() / spread < 1.4


def test_noise_is_found_where_it_is() -> None:
    where = np.linspace(0.05, 0.95, 7)[:, None]
    for belief in (plain(20, 6), plain(120, 1)):
        found = varying(belief)
        assert found.noise_model is not None
        sd = float(found.scale) * np.sqrt(np.asarray(found.noise_model.variance(where)))
        assert np.corrcoef(np.log(sd), np.log(true_sd(where)))[0, 1] > 0.9
        assert 0.4 < np.median(sd / true_sd(where)) < 2.5


def test_few_repeats_are_not_enough() -> None:
    rng = np.random.default_rng(0)
    x = np.concatenate([np.repeat([[0.2], [0.8]], 3, axis=0), rng.uniform(size=(6, 1))])
    found = clues(posterior(LIKE, jnp.asarray(0.1), Data.padded(x, rng.standard_normal(12))))
    assert LEAST == 3
    assert np.asarray(found.mask)[:12].all()  # every residual, not two groups


def test_the_mean_listens_to_quiet_points_and_conditioning_keeps_the_noise() -> None:
    belief = plain(20, 6)
    found = varying(belief)
    real = np.asarray(belief.data.mask) > 0.5
    weight = 1.0 / np.asarray(found.noise)[real]
    low = np.asarray(belief.data.x)[real][:, 0] < 0.5
    assert weight[low].mean() > 2.0 * weight[~low].mean()
    more = found.condition(np.array([[0.1], [0.9]]), np.zeros(2))
    assert more.noise_model is not None
    new = np.asarray(more.noise)[120:122]
    np.testing.assert_allclose(new, found.noise_model.variance(np.array([[0.1], [0.9]])))  # type: ignore[union-attr]


def test_identical_repeats_do_no_harm() -> None:
    x = np.repeat(np.linspace(0, 1, 5)[:, None], 2, axis=0)
    belief = posterior(LIKE, jnp.asarray(0.1), Data.padded(x, np.sin(x[:, 0])))
    found = varying(belief)
    assert np.isfinite(np.asarray(found.predict(x)[0])).all()
