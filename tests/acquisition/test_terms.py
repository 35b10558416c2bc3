"""Terms: an acquisition's value is their sum, and a round's key is that of (seed, t) alone."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from counsel.acquisition.registry import acquisitions
from counsel.acquisition.terms import Acquisition, Round, total
from counsel.models.gp import Posterior

POINTS = np.random.default_rng(1).uniform(size=(6, 2))
EVERY: dict[str, Acquisition] = {e.tag: e.make({}) for e in acquisitions.entries() if e.ready}


def test_the_value_is_the_sum_of_the_terms() -> None:
    terms = {"a": jnp.array([1.0, 2.0]), "b": jnp.array([10.0, 20.0]), "c": jnp.array([0.5, -1.0])}
    np.testing.assert_array_equal(total(terms), [11.5, 21.0])
    np.testing.assert_array_equal(total({"a": terms["a"]}), [1.0, 2.0])


@pytest.mark.parametrize("name", EVERY)
def test_every_acquisition_gives_one_finite_value_per_point_and_term(
    name: str, believe: Callable[..., Posterior], a_round: Callable[..., Round]
) -> None:
    whole = []

    @jax.jit
    def terms_of(
        acquisition: Acquisition, belief: Posterior, round: Round, x: jax.Array
    ) -> dict[str, jax.Array]:
        score = acquisition.score(belief, round)
        whole.append(score.whole)
        return score.terms(x)

    terms = terms_of(EVERY[name], believe(2, 0), a_round(POINTS), POINTS)
    assert terms
    for values in terms.values():
        assert values.shape == (6,)
        assert np.all(np.isfinite(values))
    # A score is a function of points: another order gives the same values in that order. (A joint
    # draw is not; it must be asked for all points at once.)
    if not whole[0]:
        turned = terms_of(EVERY[name], believe(2, 0), a_round(POINTS), POINTS[::-1].copy())
        for term, values in terms.items():
            np.testing.assert_allclose(turned[term][::-1], values, rtol=1e-10)


def test_the_key_depends_on_seed_and_round_alone(a_round: Callable[..., Round]) -> None:
    def key(**settings: object) -> tuple[int, ...]:
        return tuple(np.ravel(jax.random.key_data(a_round(POINTS, **settings).key())).tolist())

    assert key(seed=3, t=4) == key(seed=3, t=4, size=7.0, finite=False)
    assert len({key(seed=seed, t=t) for seed in range(5) for t in range(5)}) == 25
