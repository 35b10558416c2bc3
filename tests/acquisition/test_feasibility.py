"""Constraints in an acquisition: what multiplies, what adds up, and what counts alone."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from counsel.acquisition import VUCB, Round
from counsel.acquisition.feasibility import Feasible, FeasibleScore, log_above
from counsel.acquisition.terms import joined, log_weights, parts, total
from counsel.models.gp import Posterior

POINTS = jnp.asarray(np.random.default_rng(4).uniform(size=(40, 2)))


def score_of(
    believe: Callable[..., Posterior],
    a_round: Callable[..., Round],
    unit: float = 1.0,
    weight: float = 1.0,
    alone: bool = False,
) -> FeasibleScore:
    limits = believe(2, 5), believe(2, 6)
    feasible = Feasible(VUCB(2.0), limits, (1, 2), jnp.asarray(weight), True, alone)
    return feasible.score(believe(2, 3, unit=unit), a_round(np.asarray(POINTS)))


def test_it_orders_points_as_the_bound_above_its_least_times_the_chances(
    believe: Callable[..., Posterior], a_round: Callable[..., Round]
) -> None:
    score = score_of(believe, a_round)
    told = {name: np.asarray(part) for name, part in parts(score, POINTS).items()}
    bound = told["exploitation"] + told["approximation"]
    product = (bound - bound.min()) * told["feasibility:1"] * told["feasibility:2"]
    value = np.asarray(total(score.terms(POINTS)))
    assert np.argmax(value) == np.argmax(product)
    high = bound - bound.min() > 0.01 * np.ptp(bound)  # beyond where the logarithm is continued
    np.testing.assert_array_equal(np.argsort(value[high]), np.argsort(product[high]))
    np.testing.assert_allclose(np.exp(np.diff(value[high])), product[high][1:] / product[high][:-1])


@pytest.mark.parametrize("alone", [False, True])
def test_the_terms_add_up_to_what_the_parts_lead_to(
    believe: Callable[..., Posterior], a_round: Callable[..., Round], alone: bool
) -> None:
    score = score_of(believe, a_round, weight=1.7, alone=alone)
    told = parts(score, POINTS)
    terms = score.terms(POINTS)
    own = set() if alone else {"exploitation", "approximation"}
    assert set(told) == own | {"feasibility:1", "feasibility:2"}
    assert set(terms) == (set() if alone else {"bound"}) | {"feasibility:1", "feasibility:2"}
    np.testing.assert_allclose(joined(score, told), total(terms), rtol=1e-9)
    for number in ("1", "2"):
        chance = np.asarray(told[f"feasibility:{number}"])
        np.testing.assert_allclose(
            terms[f"feasibility:{number}"], 1.7 * np.log(chance), rtol=1e-9, atol=1e-12
        )


def test_other_units_change_nothing(
    believe: Callable[..., Posterior], a_round: Callable[..., Round]
) -> None:
    one, other = (score_of(believe, a_round, unit=unit) for unit in (1.0, 1e6))
    np.testing.assert_allclose(total(one.terms(POINTS)), total(other.terms(POINTS)), rtol=1e-6)


def test_a_chance_weighs_as_much_as_what_it_multiplies(
    believe: Callable[..., Posterior], a_round: Callable[..., Round]
) -> None:
    """A small change of a chance and of the bound that are worth the same, point by point."""
    score = score_of(believe, a_round)
    told = parts(score, POINTS)
    weight = np.asarray(log_weights(score, told)["feasibility:1"])
    step = 1e-6
    more = {**told, "feasibility:1": told["feasibility:1"] * (1.0 + step)}
    same = {**told, "exploitation": told["exploitation"] + step * weight}
    high = weight > 0.01 * weight.max()
    np.testing.assert_allclose(
        (joined(score, more) - joined(score, told))[high],
        (joined(score, same) - joined(score, told))[high],
        rtol=1e-3,
    )


def test_the_logarithm_goes_on_below_the_floor_without_a_jump() -> None:
    gaps = jnp.array([-1.0, 0.0, 1e-3 - 1e-9, 1e-3, 1e-3 + 1e-9, 0.5])
    found = np.asarray(log_above(gaps))
    assert np.all(np.isfinite(found))
    assert np.all(np.diff(found) > 0.0)
    np.testing.assert_allclose(found[2:5], np.log(1e-3), atol=2e-6)
    slopes = jax.vmap(jax.grad(lambda gap: log_above(gap[None])[0]))(gaps)
    np.testing.assert_allclose(slopes[:5], 1e3, rtol=1e-5)
