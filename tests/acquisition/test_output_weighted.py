"""LW-UCB: its terms written out, its limits."""

from collections.abc import Callable

import jax
import numpy as np
import pytest

import counsel as cs
from counsel.acquisition import LWUCB, VUCB
from counsel.acquisition.output_weighted import WeightedBound
from counsel.acquisition.terms import Round
from counsel.models.gp import Posterior

AXIS = np.linspace(0, 1, 15)
POINTS = np.stack(np.meshgrid(AXIS, AXIS, indexing="ij"), -1).reshape(-1, 2)

scored = jax.jit(lambda a, b, r: a.score(b, r))
terms_of = jax.jit(lambda a, b, r, x: a.score(b, r).terms(x))
predicted = jax.jit(lambda b, x: b.predict(x))


def test_the_terms_are_the_formula(
    believe: Callable[..., Posterior], a_round: Callable[..., Round]
) -> None:
    belief, round = believe(2, 0), a_round(POINTS)
    score = scored(LWUCB(kappa=1.5, paper=True), belief, round)
    assert isinstance(score, WeightedBound)
    mean, sd = predicted(belief, POINTS)
    terms = terms_of(LWUCB(kappa=1.5, paper=True), belief, round, POINTS)
    np.testing.assert_allclose(terms["exploitation"], mean, rtol=1e-12)
    weight = jax.jit(lambda s, x: s.weight(x))(score, POINTS)
    np.testing.assert_allclose(terms["approximation"], 1.5 * weight * sd, rtol=1e-9)
    assert np.ptp(np.asarray(weight)) > 0.1


def test_it_never_explores_more_than_v_ucb(
    believe: Callable[..., Posterior], a_round: Callable[..., Round]
) -> None:
    belief, round = believe(2, 0), a_round(POINTS)
    weighted = terms_of(LWUCB(kappa=2.0), belief, round, POINTS)
    plain = terms_of(VUCB(kappa=2.0), belief, round, POINTS)
    np.testing.assert_allclose(weighted["exploitation"], plain["exploitation"], rtol=1e-12)
    share = np.asarray(weighted["approximation"] / plain["approximation"])
    assert share.max() == pytest.approx(1.0, rel=1e-9)
    assert 0.0 < share.min() < 0.9


@pytest.mark.parametrize(
    ("settings", "field"),
    [({"kappa": -1.0}, "kappa"), ({"components": 0}, "components")],
)
def test_bad_settings_get_a_sentence(settings: dict[str, float], field: str) -> None:
    with pytest.raises(cs.InvalidInput, match=field) as caught:
        LWUCB(**settings)  # type: ignore[arg-type]
    assert str(settings[field]) in str(caught.value)
