"""LW-UCB: its terms written out, its limits, its floor."""

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
    score = scored(LWUCB(kappa=1.5, floor=0.0), belief, round)
    assert isinstance(score, WeightedBound)
    mean, sd = predicted(belief, POINTS)
    terms = terms_of(LWUCB(kappa=1.5, floor=0.0), belief, round, POINTS)
    np.testing.assert_allclose(terms["exploitation"], mean, rtol=1e-12)
    weight = jax.jit(lambda s, x: s.weight(x))(score, POINTS)
    np.testing.assert_allclose(terms["approximation"], 1.5 * weight * sd, rtol=1e-9)
    assert np.ptp(np.asarray(weight)) > 0.1


def test_with_a_full_floor_it_is_v_ucb(
    believe: Callable[..., Posterior], a_round: Callable[..., Round]
) -> None:
    belief, round = believe(2, 0), a_round(POINTS)
    weighted = terms_of(LWUCB(kappa=2.0, floor=1.0), belief, round, POINTS)
    plain = terms_of(VUCB(kappa=2.0), belief, round, POINTS)
    for name, term in plain.items():
        np.testing.assert_allclose(weighted[name], term, rtol=1e-12)


def test_the_floor_is_what_the_posterior_does_not_explain(
    believe: Callable[..., Posterior], a_round: Callable[..., Round]
) -> None:
    belief, round = believe(2, 0), a_round(POINTS)
    mean, sd = (np.asarray(v) for v in predicted(belief, POINTS))
    expected = np.mean(sd**2) / (np.var(mean) + np.mean(sd**2))
    floor = scored(LWUCB(), belief, round).weight.floor
    assert float(floor) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("settings", "field"),
    [({"kappa": -1.0}, "kappa"), ({"components": 0}, "components"), ({"floor": 1.5}, "floor")],
)
def test_bad_settings_get_a_sentence(settings: dict[str, float], field: str) -> None:
    with pytest.raises(cs.InvalidInput, match=field) as caught:
        LWUCB(**settings)  # type: ignore[arg-type]
    assert str(settings[field]) in str(caught.value)
