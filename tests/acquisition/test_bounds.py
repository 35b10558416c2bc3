"""Confidence bounds: the papers' formulas, term by term."""

import math
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from counsel.acquisition import (
    GPUCB,
    VUCB,
    Acquisition,
    RiskAverse,
    Round,
    UncertaintyAware,
    total,
)
from counsel.errors import InvalidInput
from counsel.models.gp import Data, Posterior, posterior
from counsel.models.imprecise import imprecise_mean
from counsel.models.kernels import Prior, SquaredExponential
from counsel.models.noise import noise_guesses, with_varying_noise

POINTS = np.random.default_rng(1).uniform(size=(6, 2))
Predict = Callable[[Posterior, np.ndarray], tuple[np.ndarray, np.ndarray]]


@jax.jit
def scored(
    acquisition: Acquisition, belief: Posterior, round: Round
) -> tuple[dict[str, jax.Array], jax.Array]:
    terms = acquisition.score(belief, round).terms(jnp.asarray(POINTS))
    return terms, total(terms)


@pytest.mark.parametrize("kappa", [0.0, 0.5, 2.0, 10])
def test_v_ucb_is_the_mean_plus_kappa_standard_deviations(
    kappa: float,
    believe: Callable[..., Posterior],
    predict: Predict,
    a_round: Callable[..., Round],
) -> None:
    belief = believe(2, 0)
    mean, sd = predict(belief, POINTS)
    terms, value = scored(VUCB(kappa), belief, a_round(POINTS))
    assert set(terms) == {"exploitation", "approximation"}
    np.testing.assert_allclose(terms["exploitation"], mean, rtol=1e-12)
    np.testing.assert_allclose(terms["approximation"], kappa * sd, rtol=1e-12)
    np.testing.assert_allclose(value, mean + kappa * sd, rtol=1e-12)


@pytest.mark.parametrize("t", [1, 7, 150])
@pytest.mark.parametrize("size", [1.0, 2500.0, 1e200])
@pytest.mark.parametrize("delta", [0.1, 0.99])
def test_gp_ucb_weighs_by_the_root_of_beta(
    t: int,
    size: float,
    delta: float,
    believe: Callable[..., Posterior],
    predict: Predict,
    a_round: Callable[..., Round],
) -> None:
    belief = believe(2, 0)
    mean, sd = predict(belief, POINTS)
    terms, value = scored(GPUCB(delta), belief, a_round(POINTS, t=t, size=size))
    beta = 2.0 * (math.log(size) + 2.0 * math.log(t) + math.log(math.pi**2 / 6.0 / delta))
    assert set(terms) == {"exploitation", "approximation"}
    np.testing.assert_allclose(terms["approximation"], math.sqrt(beta) * sd, rtol=1e-12)
    np.testing.assert_allclose(value, mean + math.sqrt(beta) * sd, rtol=1e-12)


def test_gp_ucb_before_the_first_round_counts_as_the_first(
    believe: Callable[..., Posterior], a_round: Callable[..., Round]
) -> None:
    belief = believe(2, 0)
    before, first = (scored(GPUCB(), belief, a_round(POINTS, t=t))[1] for t in (0, 1))
    np.testing.assert_array_equal(before, first)


@pytest.mark.parametrize("kappa", [-0.1, math.inf, -math.inf, math.nan])
def test_a_kappa_that_is_no_weight_is_refused(kappa: float) -> None:
    with pytest.raises(InvalidInput, match=r"^kappa: got .* Give a finite number that is zero"):
        VUCB(kappa)


@pytest.mark.parametrize("delta", [0.0, 1.0, -0.1, 1.1, math.inf, math.nan])
def test_a_delta_that_is_no_probability_is_refused(delta: float) -> None:
    with pytest.raises(InvalidInput, match=r"^delta: got .* Give a probability between 0 and 1\."):
        GPUCB(delta)


# ---- risk and model uncertainty -----------------------------------------------------------------


def varying_belief() -> Posterior:
    """Repeats whose noise grows with the first coordinate."""
    rng = np.random.default_rng(0)
    x = np.repeat(rng.uniform(size=(8, 2)), 4, axis=0)
    y = np.sin(4.0 * x.sum(axis=1)) + (0.05 + x[:, 0]) * rng.standard_normal(len(x))
    like = SquaredExponential(np.full(2, 0.4))
    plain = posterior(like, jnp.asarray(0.1), Data.padded(x, y))
    return with_varying_noise(like, plain, noise_guesses(like, ()), Prior())[0]


@pytest.mark.parametrize("measure", ["sd", "variance"])
def test_the_aware_bound_is_its_formula(measure: str, a_round: Callable[..., Round]) -> None:
    belief, x = varying_belief(), np.random.default_rng(1).uniform(size=(6, 2))
    acquisition = UncertaintyAware(3.0, 0.7, 2.5, 4.0, measure)
    terms = acquisition.score(belief, a_round(x)).terms(jnp.asarray(x))
    mean, sd = belief.predict(x)
    assert belief.noise_model is not None
    noise = float(belief.scale) ** 2 * np.asarray(belief.noise_model.variance(x))
    np.testing.assert_allclose(terms["exploitation"], mean, rtol=1e-12)
    np.testing.assert_allclose(terms["approximation"], 3.0 * np.asarray(sd), rtol=1e-12)
    np.testing.assert_allclose(
        terms["aleatoric"], -0.7 * (noise if measure == "variance" else np.sqrt(noise)), rtol=1e-12
    )
    gap = imprecise_mean(belief, jnp.asarray(4.0)).gap(x)
    np.testing.assert_allclose(terms["model"], 2.5 * np.asarray(gap), rtol=1e-12)
    averse = RiskAverse(3.0, 0.7, measure).score(belief, a_round(x)).terms(jnp.asarray(x))
    assert set(averse) == {"exploitation", "approximation", "aleatoric"}
    for name, term in averse.items():
        np.testing.assert_array_equal(term, terms[name])


def test_without_a_noise_model_the_noise_is_the_same_everywhere(
    believe: Callable[..., Posterior], a_round: Callable[..., Round]
) -> None:
    belief, x = believe(2, 0), np.random.default_rng(1).uniform(size=(5, 2))
    term = RiskAverse().score(belief, a_round(x)).terms(jnp.asarray(x))["aleatoric"]
    expected = -float(belief.scale) * np.sqrt(float(belief.noise))
    np.testing.assert_allclose(term, np.full(5, expected), rtol=1e-12)


@pytest.mark.parametrize("field", ["kappa", "risk", "model_weight", "imprecision"])
def test_the_weights_of_aware_bounds_are_checked(field: str) -> None:
    with pytest.raises(InvalidInput, match=field):
        UncertaintyAware(**{field: -1.0})
    with pytest.raises(InvalidInput, match="measure"):
        UncertaintyAware(measure="range")
