"""Expected improvement: right in every tail, and measured from the best believed mean."""

import math
from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special
import scipy.stats

import counsel as cs
from counsel.acquisition import EI, AugmentedEI, Round
from counsel.acquisition.improvement import LogImprovement, log_h
from counsel.models.gp import Data, Posterior, posterior
from counsel.models.kernels import SquaredExponential

Predict = Callable[[Posterior, np.ndarray], tuple[np.ndarray, np.ndarray]]
POINTS = np.random.default_rng(1).uniform(size=(64, 2))

# log(phi(z) + z Phi(z)) with 60 digits by mpmath:
#   mp.log(mp.npdf(z) + z * mp.erfc(-z / mp.sqrt(2)) / 2)
EXACT = [
    (-1e6, -500000000028.54995965),
    (-1e5, -5000000023.9447894634),
    (-1e4, -50000019.339619307157),
    (-1e3, -500014.73445209115845),
    (-300.0, -45012.326536814554207),
    (-100.0, -5010.1295788002497923),
    (-38.0, -730.19618340211373916),
    (-30.0, -457.72465376059800405),
    (-20.0, -206.91783850942509785),
    (-10.0, -55.553122036122355927),
    (-6.0, -22.578879392169797367),
    (-5.0, -16.744301162660990143),
    (-4.5, -14.180488381868340313),
    (-4.000001, -11.849066010034864092),
    (-4.0, -11.849061577550663111),
    (-3.999999, -11.849057145067379107),
    (-3.5, -9.7468100377653867369),
    (-3.0, -7.8696860596030285171),
    (-2.0, -4.7687835239171141569),
    (-1.0, -2.4851210257126413368),
    (0.0, -0.91893853320467274178),
    (0.5, -0.35982768374506381859),
    (1.0, 0.080026218849306940029),
    (2.0, 0.69738354578822831219),
    (5.0, 1.6094379231264313851),
    (10.0, 2.302585092994045684),
    (38.0, 3.6375861597263857694),
    (100.0, 4.605170185988091368),
    (1e3, 6.9077552789821370521),
]


@pytest.fixture(scope="module")
def along() -> Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]:
    """log h and its slope at up to 512 numbers, in one compiled program."""

    @jax.jit
    def both(z: jax.Array) -> tuple[jax.Array, jax.Array]:
        return log_h(z), jax.grad(lambda z: jnp.sum(log_h(z)))(z)

    def at(z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        value, slope = both(np.pad(z, (0, 512 - len(z))))
        return np.asarray(value)[: len(z)], np.asarray(slope)[: len(z)]

    return at


Along = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
EVERYWHERE = np.concatenate([-np.geomspace(1e6, 1e-3, 200), [0.0], np.geomspace(1e-3, 1e3, 100)])
AT_THE_BRANCH = -4.0 + np.linspace(-1e-6, 1e-6, 41)
both_ranges = pytest.mark.parametrize("z", [EVERYWHERE, AT_THE_BRANCH], ids=["all", "branch"])


def test_log_h_has_all_digits_in_every_tail(along: Along) -> None:
    z, expected = np.array(EXACT).T
    np.testing.assert_allclose(along(z)[0], expected, rtol=1e-13)


def test_log_h_equals_the_naive_formula_where_that_is_accurate(along: Along) -> None:
    z = np.linspace(-3.0, 30.0, 200)
    naive = np.log(scipy.stats.norm.pdf(z) + z * scipy.stats.norm.cdf(z))
    np.testing.assert_allclose(along(z)[0], naive, rtol=1e-12, atol=1e-13)


@both_ranges
def test_log_h_rises(z: np.ndarray, along: Along) -> None:
    assert np.all(np.diff(along(z)[0]) > 0.0)


@both_ranges
def test_the_slope_of_log_h_is_phi_over_h(z: np.ndarray, along: Along) -> None:
    value, slope = along(z)
    assert np.all(np.isfinite(slope))
    near = z > -30.0  # beyond, the difference of two large logs has few digits
    expected = np.exp(scipy.special.log_ndtr(z[near]) - value[near])
    np.testing.assert_allclose(slope[near], expected, rtol=1e-10)
    # There Phi / h = t + 2/(t + 3/(t + ...)), and the next level is below 1e-7.
    t = -z[~near]
    np.testing.assert_allclose(slope[~near], t + 2.0 / (t + 3.0 / t), rtol=1e-7)


@jax.jit
def improvement(belief: Posterior, round: Round, x: jax.Array) -> tuple[jax.Array, jax.Array]:
    score = EI(incumbent="mean").score(belief, round)
    assert isinstance(score, LogImprovement)
    terms = score.terms(x)
    assert set(terms) == {"improvement"}
    return terms["improvement"], score.incumbent


def test_the_incumbent_is_the_best_mean_at_observed_points(
    believe: Callable[..., Posterior], predict: Predict, a_round: Callable[..., Round]
) -> None:
    belief = believe(2, 0)
    _, incumbent = improvement(belief, a_round(POINTS), POINTS)
    observed = np.asarray(belief.data.x)[:8]
    np.testing.assert_allclose(incumbent, predict(belief, observed)[0].max(), rtol=1e-12)


def test_padding_is_no_incumbent(predict: Predict, a_round: Callable[..., Round]) -> None:
    # Values rise towards the corner where the padding's zeros lie.
    x = np.array([[0.3, 0.3], [0.5, 0.5], [0.9, 0.9]])
    belief = posterior(
        SquaredExponential([0.5, 0.5]),
        np.asarray(1e-3),
        Data.padded(x, np.array([-1.0, -4.0, -5.0])),
    )
    at_padding = predict(belief, np.zeros((1, 2)))[0]
    _, incumbent = improvement(belief, a_round(POINTS), POINTS)
    assert at_padding > incumbent
    np.testing.assert_allclose(incumbent, predict(belief, x)[0].max(), rtol=1e-12)


@pytest.mark.parametrize("unit", [1e-12, 1.0, 1e12])
def test_ei_equals_the_naive_formula_where_that_is_accurate(
    unit: float,
    believe: Callable[..., Posterior],
    predict: Predict,
    a_round: Callable[..., Round],
) -> None:
    belief = believe(2, 3, unit=unit)
    value, incumbent = improvement(belief, a_round(POINTS), POINTS)
    mean, sd = predict(belief, POINTS)
    z = (mean - incumbent) / sd
    naive = (mean - incumbent) * scipy.stats.norm.cdf(z) + sd * scipy.stats.norm.pdf(z)
    accurate = z > -3.0
    assert accurate.sum() >= 20
    np.testing.assert_allclose(np.exp(value[accurate]), naive[accurate], rtol=1e-10)


def test_ei_equals_monte_carlo(
    believe: Callable[..., Posterior], predict: Predict, a_round: Callable[..., Round]
) -> None:
    belief = believe(2, 3)
    value, incumbent = improvement(belief, a_round(POINTS), POINTS)
    mean, sd = predict(belief, POINTS)
    draws = mean + sd * np.random.default_rng(2).standard_normal((40_000, 1))
    gains = np.maximum(draws - incumbent, 0.0)
    error = gains.std(axis=0) / math.sqrt(len(gains))
    seen = (gains > 0.0).sum(axis=0) > 100
    assert seen.sum() >= 20
    assert np.all(np.abs(gains.mean(axis=0) - np.exp(value))[seen] < 4.0 * error[seen])


def test_log_ei_tells_hopeless_points_apart_and_has_a_slope_there(
    a_round: Callable[..., Round],
) -> None:
    # One peak, and points where EI itself underflows to 0.
    x = np.linspace(0.0, 1.0, 8)[:, None]
    data = Data.padded(x, -((x[:, 0] - 0.9) ** 2))
    belief = posterior(SquaredExponential([0.5]), np.asarray(1e-6), data)
    far = np.array([[0.05], [0.1], [0.2]])

    @jax.jit
    def both(x: jax.Array) -> tuple[jax.Array, jax.Array]:
        score = AugmentedEI().score(belief, a_round(far))
        value = score.terms(x)["improvement"]
        return value, jax.grad(lambda x: jnp.sum(score.terms(x)["improvement"]))(x)

    value, slope = both(far)
    assert np.all(value < -800.0)
    assert np.all(np.isfinite(value))
    assert len(np.unique(value)) == 3
    assert np.all(np.isfinite(slope))


def test_ei_is_finite_at_what_is_already_known(
    believe: Callable[..., Posterior], a_round: Callable[..., Round]
) -> None:
    belief = believe(2, 0)
    exact = posterior(belief.kernel, np.asarray(0.0), belief.data)
    value, _ = improvement(exact, a_round(POINTS), np.tile(np.asarray(belief.data.x)[:8], (8, 1)))
    assert np.all(np.isfinite(value))


def test_augmented_for_what_one_more_measurement_can_tell(
    believe: Callable[..., Posterior], predict: Predict, a_round: Callable[..., Round]
) -> None:
    belief = believe(2, 0)
    plain, _ = improvement(belief, a_round(POINTS), POINTS)
    scored = jax.jit(lambda b, r, x: AugmentedEI().score(b, r).terms(x)["improvement"])
    augmented = scored(belief, a_round(POINTS), POINTS)
    _, sd = predict(belief, POINTS)
    noise = float(belief.scale) * np.sqrt(float(belief.noise))
    expected = np.log(1.0 - noise / np.hypot(sd, noise))
    np.testing.assert_allclose(augmented - plain, expected, rtol=1e-6, atol=1e-9)
    assert np.all(augmented < plain)


EVERY = [AugmentedEI(), EI(xi=0.1), EI(incumbent="mean")]


@pytest.mark.parametrize("rule", EVERY, ids=["augmented", "observed", "mean"])
@pytest.mark.parametrize("unit", [1e-200, 1e200])
def test_log_ei_shifts_by_the_log_of_any_unit(
    unit: float,
    rule: EI | AugmentedEI,
    believe: Callable[..., Posterior],
    a_round: Callable[..., Round],
) -> None:
    @jax.jit
    def scored(belief: Posterior, round: Round, x: jax.Array) -> jax.Array:
        return rule.score(belief, round).terms(x)["improvement"]

    plain, shifted = (scored(believe(2, 0, unit=u), a_round(POINTS), POINTS) for u in (1.0, unit))
    np.testing.assert_allclose(shifted - math.log(unit), plain, rtol=1e-6)


@pytest.mark.parametrize("xi", [0.0, 0.3])
def test_it_is_the_papers_formula(
    xi: float, believe: Callable[..., Posterior], predict: Predict, a_round: Callable[..., Round]
) -> None:
    """Eq. 11 in NumPy, over the best payoff observed, with xi in sd of the payoffs."""
    belief = believe(2, 3, unit=7.0)
    scored = jax.jit(lambda b, r, x: EI(xi).score(b, r).terms(x)["improvement"])
    value = scored(belief, a_round(POINTS), POINTS)
    payoffs = np.asarray(belief.data.y)[:8]
    mean, sd = predict(belief, POINTS)
    ahead = mean - payoffs.max() - xi * payoffs.std()
    z = ahead / sd
    naive = ahead * scipy.stats.norm.cdf(z) + sd * scipy.stats.norm.pdf(z)
    accurate = z > -3.0
    assert accurate.sum() >= 10
    np.testing.assert_allclose(np.exp(value[accurate]), naive[accurate], rtol=1e-9)


def test_the_best_payoff_of_what_is_feasible(
    believe: Callable[..., Posterior], a_round: Callable[..., Round]
) -> None:
    belief = believe(2, 3)
    payoffs = np.asarray(belief.data.y)[:8]
    chances = np.ones(16)
    chances[np.argmax(payoffs)] = 0.1
    round = eqx.tree_at(
        lambda r: r.feasible, a_round(POINTS), chances, is_leaf=lambda leaf: leaf is None
    )
    score = jax.jit(lambda b, r: EI().score(b, r))(belief, round)
    assert float(score.incumbent) == pytest.approx(np.sort(payoffs)[-2])


@pytest.mark.parametrize(("settings", "field"), [({"xi": -1.0}, "xi"), ({"incumbent": "x"}, "inc")])
def test_bad_settings_get_a_sentence(settings: dict[str, Any], field: str) -> None:
    with pytest.raises(cs.InvalidInput, match=field):
        EI(**settings)
