"""Simulated people: what they know, and minds that are exact processes."""

import jax.numpy as jnp
import numpy as np
import pytest

from counsel.errors import InvalidInput
from counsel.models import gp
from counsel.models.fit import shaped
from counsel.models.kernels import Prior, SquaredExponential
from counsel.teams.people import PEOPLE, Person, knowledge_of, minds, see

AXIS = np.linspace(0.0, 1.0, 9)
POINTS = np.array([(a, b) for b in AXIS for a in AXIS])
TRUTH = np.sin(4.0 * POINTS[:, 0]) + POINTS[:, 1]
LIKE = shaped(SquaredExponential(np.ones(1)), (0, 1))


def known(person: Person, seed: int = 0):
    return knowledge_of(person, POINTS, TRUTH, np.random.default_rng(seed))


def test_knowledge_stays_in_its_region() -> None:
    own = known(Person("x", knowledge=20, region=((0.0, 0.5), (0.5, 1.0)), noise=0.0))
    assert (POINTS[own.arms, 0] <= 0.5).all()
    assert (POINTS[own.arms, 1] >= 0.5).all()
    np.testing.assert_allclose(own.values, TRUTH[own.arms])


def test_adversaries_and_the_biased_remember_otherwise() -> None:
    plain = known(Person("x", noise=0.0, knowledge=30))
    turned = known(Person("x", noise=0.0, knowledge=30, adversary=True))
    np.testing.assert_allclose(turned.values, -plain.values)
    off = known(Person("x", noise=0.0, knowledge=30, shift=(0.25, 0.0)))
    moved = np.clip(POINTS[off.arms] + [0.25, 0.0], 0.0, 1.0)
    np.testing.assert_allclose(off.values, np.sin(4.0 * moved[:, 0]) + moved[:, 1])


def test_noise_is_in_sds_of_the_payoffs() -> None:
    own = known(Person("x", noise=0.5, knowledge=2000))
    assert np.std(own.values - TRUTH[own.arms]) == pytest.approx(0.5 * TRUTH.std(), rel=0.1)


def test_a_mind_is_the_exact_process() -> None:
    own = known(Person("x", knowledge=12, noise=0.1))
    held = minds(LIKE, Prior(), POINTS, own.arms[None], own.values[None], room=20)
    mind = type(held)(*(_first(each) for each in held))
    mind = see(mind, jnp.asarray(POINTS), np.asarray(40), np.asarray(1.7))
    arms, values = np.append(own.arms, 40), np.append(own.values, 1.7)
    exact = gp.posterior(
        mind.kernel,
        mind.noise,
        gp.Data.padded(POINTS[arms], values),
        units=(mind.offset, mind.scale),
        fixed_trend=0.0,
    )
    mean, sd = exact.predict(POINTS)
    np.testing.assert_allclose(mind.offset + mind.scale * mind.mean, mean, atol=1e-8)
    np.testing.assert_allclose(mind.scale * np.sqrt(mind.variance), sd, atol=1e-6)
    assert int(mind.seen) == 13
    bound = mind.bound(np.asarray(2.0))
    np.testing.assert_allclose(bound, mind.mean + 2.0 * np.sqrt(mind.variance))


def _first(leaf):
    import jax

    return jax.tree.map(lambda each: each[0], leaf)


def test_people_are_told_apart_and_checked() -> None:
    assert len({person.name for person in PEOPLE}) == len(PEOPLE)
    with pytest.raises(InvalidInput, match="knowledge"):
        Person("x", knowledge=1)
    with pytest.raises(InvalidInput, match="kappa"):
        Person("x", kappa=-1.0)
    with pytest.raises(InvalidInput, match="region"):
        known(Person("x", region=((2.0, 3.0),)))
