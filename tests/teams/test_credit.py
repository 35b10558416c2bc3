"""Earned credit: shrinkage by hand, limits that are known, and who is followed."""

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.stats import norm

from counsel.teams.credit import (
    Settings,
    Side,
    Track,
    credit,
    improvement,
    kind_of,
    promise,
    surprise,
)

FIRST, BOTH = jnp.array([1.0, 0.0]), jnp.array([0.5, 0.5])


def number(value: float) -> jnp.ndarray:
    return jnp.asarray(value)


def side(mean: float, sd: float, reasons: tuple[float, float] = (1.0, 0.0)) -> Side:
    return Side(number(mean), number(sd), jnp.asarray(reasons))


def track(surprises: list[float], weight: float = 1.0, kind: jnp.ndarray = FIRST) -> Track:
    z = np.zeros(10)
    z[: len(surprises)] = surprises
    weights = np.where(np.arange(10) < len(surprises), weight, 0.0)
    return Track(jnp.asarray(z), jnp.asarray(weights), jnp.tile(kind, (10, 1)))


def settings(**numbers: float) -> Settings:
    return Settings()._replace(**{name: np.asarray(each) for name, each in numbers.items()})


def test_nobody_starts_without_trust_and_everybody_with_doubt() -> None:
    found = credit(track([]), FIRST, settings(trust=1.5, doubt=0.5))
    assert float(found.mean) == pytest.approx(1.5)
    assert float(found.sd) == pytest.approx(0.5)
    assert float(found.earned) == 0.0


def test_credit_is_the_conjugate_posterior() -> None:
    """N(trust, doubt^2) and surprises with unit variance, weighted: by hand."""
    z, weight = [1.0, -0.5, 2.0], 0.8
    found = credit(track(z, weight), FIRST, settings(trust=1.0, doubt=2.0))
    precision = 0.25 + 3 * weight
    assert float(found.mean) == pytest.approx((0.25 + weight * sum(z)) / precision)
    assert float(found.earned) == pytest.approx(weight * sum(z) / precision)
    assert float(found.sd) == pytest.approx(precision**-0.5)


def test_rounds_about_other_parameters_count_less() -> None:
    same = credit(track([3.0, 3.0]), FIRST, settings(likeness=1.0))
    half = credit(track([3.0, 3.0]), BOTH, settings(likeness=1.0))
    other = credit(track([3.0, 3.0]), jnp.array([0.0, 1.0]), settings(likeness=1.0))
    alike = credit(track([3.0, 3.0]), BOTH, settings(likeness=0.0))
    assert float(other.earned) == 0.0 < float(half.earned) < float(same.earned)
    assert float(alike.earned) == pytest.approx(float(same.earned))


def test_kinds_are_shares() -> None:
    kind = kind_of(side(0.0, 1.0, (1.0, 2.0)), side(0.0, 1.0, (4.0, 1.0)))
    np.testing.assert_allclose(kind, [0.75, 0.25])
    np.testing.assert_allclose(kind_of(side(0.0, 1.0), side(0.0, 1.0)), 0.0)


def test_surprise_is_in_units_of_what_was_unknown() -> None:
    z, weight = surprise(side(1.0, 3.0), number(4.0), number(11.0))
    assert float(z) == pytest.approx(2.0)
    assert float(weight) == pytest.approx(9.0 / 25.0)


def test_expected_improvement_by_integration() -> None:
    f = np.linspace(-10.0, 10.0, 200_001)
    density = norm.pdf(f, 0.3, 0.7)
    exact = np.trapezoid(np.maximum(f - 0.5, 0.0) * density, f)
    assert float(improvement(number(0.3), number(0.7), number(0.5))) == pytest.approx(
        exact, abs=1e-8
    )


def follows(person: Side, seen: Track, machine: Side | None = None, **numbers: float) -> bool:
    theirs, ours = promise(
        machine or side(0.0, 1.0),
        person,
        seen,
        number(0.5),
        number(10.0),
        settings(**numbers),
    )
    return bool(theirs >= ours)


def test_credit_decides_between_equals() -> None:
    equal = side(0.0, 1.0, (0.0, 0.0))
    assert follows(equal, track([]))
    assert follows(equal, track([2.0]))
    assert not follows(equal, track([-3.0, -3.0]))


def test_what_is_known_needs_no_credit() -> None:
    """Neither a good name nor a bad one moves a point that the team knows."""
    known = side(3.0, 1e-6, (0.0, 0.0))
    assert follows(known, track([-5.0] * 10), side(0.0, 0.1))
    worthless = side(-3.0, 1e-6, (0.0, 0.0))
    assert not follows(worthless, track([5.0] * 10), side(0.0, 0.1))


def test_a_person_with_credit_is_followed_past_a_curious_machine() -> None:
    person, curious = side(0.5, 0.05, (0.0, 0.0)), side(0.0, 0.8)
    numbers = {"lookahead": 1.0, "dismissal": 1.0}
    assert not follows(person, track([]), curious, **numbers)
    assert follows(person, track([2.0] * 6), curious, **numbers)
