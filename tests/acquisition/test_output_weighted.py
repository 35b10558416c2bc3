"""LW-UCB and the pruning variant: their terms written out, their limits."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import counsel as cs
from counsel.acquisition import EI, LWEI, LWIVR, LWUCB, VUCB, PrunedUCB
from counsel.acquisition.output_weighted import WeightedBound
from counsel.acquisition.terms import Round, total
from counsel.models.gp import Posterior

AXIS = np.linspace(0, 1, 15)
POINTS = np.stack(np.meshgrid(AXIS, AXIS, indexing="ij"), -1).reshape(-1, 2)
HERE = jnp.asarray(np.random.default_rng(4).uniform(size=(6, 2)))
RULES = [LWUCB(kappa=1.5), PrunedUCB(kappa=1.5)]

scored = jax.jit(lambda a, b, r: a.score(b, r))
terms_of = jax.jit(lambda a, b, r, x: a.score(b, r).terms(x))
predicted = jax.jit(lambda b, x: b.predict(x))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
def test_the_terms_are_the_formula(
    rule: LWUCB | PrunedUCB, believe: Callable[..., Posterior], a_round: Callable[..., Round]
) -> None:
    belief, round = believe(2, 0), a_round(POINTS)
    score = scored(rule, belief, round)
    assert isinstance(score, WeightedBound)
    mean, sd = predicted(belief, POINTS)
    terms = terms_of(rule, belief, round, POINTS)
    np.testing.assert_allclose(terms["exploitation"], mean, rtol=1e-12)
    weight = jax.jit(lambda s, x: s.weight(x))(score, POINTS)
    np.testing.assert_allclose(terms["approximation"], 1.5 * weight * sd, rtol=1e-9)
    assert np.ptp(np.asarray(weight)) > 0.1


def explored(rule: Any, belief: Posterior, round: Round) -> np.ndarray:
    """How much a rule explores at each point, relative to V-UCB with the same kappa."""
    weighted = terms_of(rule, belief, round, POINTS)
    plain = terms_of(VUCB(rule.kappa), belief, round, POINTS)
    np.testing.assert_allclose(weighted["exploitation"], plain["exploitation"], rtol=1e-12)
    return np.asarray(weighted["approximation"] / plain["approximation"])


def test_lw_ucb_explores_more_where_means_are_rare_and_less_elsewhere(
    believe: Callable[..., Posterior], a_round: Callable[..., Round]
) -> None:
    belief, round = believe(2, 0), a_round(POINTS)
    share = explored(LWUCB(kappa=2.0), belief, round)
    assert share.mean() == pytest.approx(1.0, rel=1e-9)
    assert share.max() > 1.5
    assert share.min() < 0.5
    means = np.asarray(predicted(belief, POINTS)[0])
    rare = np.abs(means - np.median(means)) > np.quantile(np.abs(means - np.median(means)), 0.9)
    assert share[rare].mean() > 1.2 * share[~rare].mean()


def test_pruning_never_explores_more_than_v_ucb(
    believe: Callable[..., Posterior], a_round: Callable[..., Round]
) -> None:
    share = explored(PrunedUCB(kappa=2.0), believe(2, 0), a_round(POINTS))
    assert share.max() == pytest.approx(1.0, rel=1e-9)
    assert 0.0 < share.min() < 0.9


@pytest.mark.parametrize("rule", [LWUCB, PrunedUCB])
@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"kappa": -1.0}, "kappa"),
        ({"components": 0}, "components"),
        ({"density": "grid"}, "density"),
    ],
)
def test_bad_settings_get_a_sentence(rule: Any, settings: dict[str, Any], field: str) -> None:
    with pytest.raises(cs.InvalidInput, match=field) as caught:
        rule(**settings)
    assert str(settings[field]) in str(caught.value)


def test_a_prior_needs_the_space(
    believe: Callable[..., Posterior], a_round: Callable[..., Round]
) -> None:
    with pytest.raises(cs.InvalidInput, match="'space' together with a prior"):
        LWUCB(prior=[1.0], density="search")
    with pytest.raises(cs.InvalidInput, match="survey"):
        LWUCB(prior=np.ones(len(POINTS))).score(believe(2, 0), a_round(POINTS))


def test_lw_ei_is_ei_times_the_weight(
    believe: Callable[..., Posterior], a_round: Callable[..., Round]
) -> None:
    belief, round = believe(2, 0), a_round(POINTS)
    parts = LWEI().score(belief, round).parts(HERE)
    plain = EI(incumbent="mean").score(belief, round).terms(HERE)["improvement"]
    weight = LWUCB().score(belief, round).weight(HERE)
    np.testing.assert_allclose(parts["improvement"], np.exp(plain), rtol=1e-9)
    np.testing.assert_allclose(parts["rareness"], weight, rtol=1e-9)
    value = total(LWEI().score(belief, round).terms(HERE))
    np.testing.assert_allclose(value, plain + np.log(weight), rtol=1e-9)


@pytest.mark.parametrize("weighted", [True, False])
def test_lw_ivr_is_the_variance_that_a_measurement_removes_everywhere(
    weighted: bool, believe: Callable[..., Posterior], a_round: Callable[..., Round]
) -> None:
    belief, round = believe(2, 0), a_round(POINTS)
    found = LWIVR(kappa=1.0, weighted=weighted).score(belief, round).terms(HERE)["reduction"]
    weight = np.ones(len(POINTS))
    if weighted:
        weight = np.asarray(LWUCB().score(belief, round).weight(jnp.asarray(POINTS)))
    before = np.diagonal(np.asarray(belief.joint(POINTS)[1]))
    for i, point in enumerate(np.asarray(HERE)):
        after = belief.condition(point[None, :], np.zeros(1)).joint(POINTS)[1]
        removed = before - np.diagonal(np.asarray(after))
        np.testing.assert_allclose(found[i] ** 2, np.average(removed, weights=weight), rtol=1e-6)
