"""The LW-UCB authors' code: their fit, rules and density, checked against independent answers."""

import warnings
from dataclasses import replace
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from counsel.acquisition import LWUCB, VUCB, Round
from counsel.experiments.experiment import Method
from counsel.experiments.loop import believe, first_theta
from counsel.experiments.lw_ucb.authors import (
    AuthorsEI,
    AuthorsFit,
    AuthorsGPUCB,
    AuthorsLWUCB,
    AuthorsTS,
    latin_hypercube,
)
from counsel.experiments.lw_ucb.authors_runs import AUTHORS_WHEEL, hub
from counsel.experiments.lw_ucb.maps import with_maps
from counsel.experiments.pulls import FIRST, surrogate
from counsel.experiments.regrets import Comparison, tell_regrets
from counsel.models.gp import Data, Posterior
from counsel.worlds.wheel import wheel
from experiments.tiny import TINY, WORLDS

WORLD = WORLDS["Cosine"](0)
ARMS = WORLD.arms
POINTS = jnp.asarray(ARMS.points)
N = 12


@pytest.fixture(scope="module")
def data() -> Data:
    rng = np.random.default_rng(3)
    chosen = rng.choice(len(ARMS), N, replace=False)
    return Data.padded(ARMS.points[chosen], WORLD.payoffs[chosen] + 0.05 * rng.normal(size=N))


@pytest.fixture(scope="module")
def belief(data: Data) -> Posterior:
    like = surrogate(ARMS)
    fit = jax.jit(partial(believe, AuthorsFit(), like))
    return fit(data, jnp.asarray(N), jax.random.key(0), first_theta(like))[0]


def at_round(t: int) -> Round:
    return Round(jnp.asarray(0), jnp.asarray(t), float(len(ARMS)), POINTS, chosen=2, finite=True)


def test_the_fit_is_the_maximum_likelihood_of_a_zero_mean(belief: Posterior, data: Data) -> None:
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

    x, y = np.asarray(data.x)[:N], np.asarray(data.y)[:N]
    standard = (y - y.mean()) / y.std()
    kernel = ConstantKernel(1.0, (1e-7, 1e7)) * RBF([0.5, 0.5], (1e-6, 1e6)) + WhiteKernel(
        0.02, (1e-8, 1e3)
    )
    other = GaussianProcessRegressor(kernel, n_restarts_optimizer=8, random_state=0, alpha=0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a bound may be reached
        other.fit(x, standard)
    assert float(belief.log_evidence) > other.log_marginal_likelihood_value_ - 1e-3
    assert float(belief.trend) == 0.0


def test_their_sd_includes_the_noise(belief: Posterior) -> None:
    plain = replace_kernel(belief)
    with_noise, without = belief.predict(POINTS)[1], plain.predict(POINTS)[1]
    noise = float(belief.noise) * float(belief.scale) ** 2
    np.testing.assert_allclose(with_noise**2, without**2 + noise, rtol=1e-6)


def replace_kernel(belief: Posterior) -> Posterior:
    return replace(belief, kernel=belief.kernel.plain)  # type: ignore[attr-defined]


def test_their_improvement_forgets_the_loss_below_the_best(belief: Posterior, data: Data) -> None:
    found = AuthorsEI().score(belief, at_round(N)).terms(POINTS)["improvement"]
    mean, sd = (np.asarray(part) for part in belief.predict(POINTS))
    gain = mean - np.asarray(data.y)[:N].max()
    right = gain * norm.cdf(gain / sd) + sd * norm.pdf(gain / sd)
    below = gain < 0.0
    assert below.any()
    np.testing.assert_allclose(
        np.asarray(found)[below], (sd * norm.pdf(gain / sd))[below], atol=1e-12
    )
    np.testing.assert_allclose(np.asarray(found)[~below], right[~below])
    assert (np.asarray(found) >= right - 1e-12).all()


def test_their_bound_grows_with_the_rounds_and_not_with_the_arms(belief: Posterior) -> None:
    weight = float(AuthorsGPUCB().score(belief, at_round(20)).weight)
    assert weight == pytest.approx(np.sqrt(0.4 * np.log(20**2 * np.pi**2 / 0.6)))


def test_their_weight_is_a_density_on_the_unit_square(belief: Posterior) -> None:
    points = latin_hypercube(jax.random.key(1), 4096, 2)
    ranks = np.sort(np.floor(np.asarray(points) * 4096), axis=0)
    np.testing.assert_array_equal(ranks[:, 0], np.arange(4096))
    score = jax.jit(lambda b: AuthorsLWUCB(2.0, 2).score(b, at_round(N)))(belief)
    # The whole density has mass 1; what lies outside of the square is missing.
    inside = float(jnp.mean(score.weight(points)))
    assert 0.5 < inside <= 1.02


def test_the_leak_knows_one_quarter_alone(belief: Posterior) -> None:
    points = latin_hypercube(jax.random.key(1), 4096, 2)
    score = jax.jit(lambda b: AuthorsLWUCB(2.0, 2, leak=True).score(b, at_round(N)))(belief)
    weight = np.asarray(score.weight(points))
    upper = np.asarray((points > 0.5).all(axis=1))
    assert 0.5 < weight[upper].mean() <= 1.02
    assert weight[np.asarray((points < 0.3).all(axis=1))].max() < 0.1 * weight[upper].mean()


def test_a_noisy_draw_differs_between_rounds(belief: Posterior) -> None:
    first, second = (AuthorsTS(64).score(belief, at_round(t)).terms(POINTS)["draw"] for t in (5, 6))
    assert np.isfinite(np.asarray(first)).all()
    assert not np.allclose(first, second)


def test_their_wheel_begins_in_the_hub() -> None:
    world = wheel(0.5, 20)
    pool = hub(world)
    assert (world.payoffs[pool] == 0.2).all()
    assert len(pool) == (world.payoffs == 0.2).sum()
    small = replace(AUTHORS_WHEEL, worlds={"small": lambda seed: world}, rounds=2)
    label = next(m.label for m in small.methods if m.name == "V-UCB")
    quick = replace(small.method(label), prior=TINY.methods[0].prior)
    rows = replace(small, methods=(quick,)).run("small", label, range(2))
    first = rows.loc[rows["pull"] < FIRST, "arm"]
    assert set(first) <= set(pool)


def test_reports_hold_champions_against_the_best_kappa_and_draw_maps() -> None:
    weighted = Method("LW-UCB", LWUCB(2.0, 2))
    methods = (weighted, Method("V-UCB", VUCB()), Method("V-UCB, κ = 1", VUCB(1.0)))
    experiment = replace(TINY, methods=methods, worlds={"Cosine": WORLDS["Cosine"]})
    parts = []
    for regret, method in zip((2.0, 3.0, 1.0), methods, strict=True):
        parts.append(_rows(regret).assign(world="Cosine", method=method.label))
    comparison = Comparison({"Cosine": ("LW-UCB",)}, "V-UCB", controls=("V-UCB, κ = 1",))
    rows = pd.concat(parts)
    plain = tell_regrets(experiment, rows, comparison)
    assert "V-UCB, κ = 1: more regret" in plain.remarks[1].replace("against V-UCB, ", "V-UCB, ")
    mapped = with_maps(experiment, rows, comparison)
    assert len(mapped.chapters[0].figures) == len(plain.chapters[0].figures) + 1
    titles = [note.text for note in mapped.chapters[0].figures[-1].layout.annotations]
    assert titles == ["payoff", "w after 8 pulls"]


def _rows(regret: float) -> pd.DataFrame:
    """Two seeds that pull the same arms and regret so much each time."""
    arms = np.arange(0, 80, 10)
    rows = pd.DataFrame(
        {
            "seed": np.repeat([0, 1], len(arms)),
            "pull": np.tile(np.arange(len(arms)), 2),
            "arm": np.tile(arms, 2),
            "payoff": np.tile(WORLD.payoffs[arms], 2),
        }
    )
    return rows.assign(regret=regret, noisy_regret=regret)
