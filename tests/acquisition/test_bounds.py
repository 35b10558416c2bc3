"""Confidence bounds: the papers' formulas, term by term."""

import math
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from counsel.acquisition import GPUCB, VUCB, Acquisition, Round, total
from counsel.errors import InvalidInput
from counsel.models.gp import Posterior

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
