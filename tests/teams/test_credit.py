"""Earned credit: shrinkage by hand, limits that are known, and who is followed."""

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.stats import kendalltau, norm

from counsel.teams.credit import (
    Settings,
    Side,
    Track,
    agreement,
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


def test_first_answers_are_judged_by_rank_correlation() -> None:
    rng = np.random.default_rng(4)
    for _ in range(5):
        said, seen = rng.normal(size=(2, 6))
        found = agreement(jnp.asarray(said), jnp.asarray(seen))
        assert float(found) == pytest.approx(kendalltau(said, seen).statistic)
    assert float(agreement(jnp.arange(4.0), -jnp.arange(4.0))) == -1.0
    assert float(agreement(jnp.ones(1), jnp.ones(1))) == 0.0  # nothing to compare


@pytest.mark.parametrize(("tau", "expected"), [(1.0, 1.5), (0.0, 0.0), (-0.6, -0.9)])
def test_credit_begins_with_first_answers(tau: float, expected: float) -> None:
    found = credit(track([]), FIRST, number(tau), settings(trust=1.5, doubt=0.5))
    assert float(found.mean) == pytest.approx(expected)
    assert float(found.sd) == pytest.approx(0.5)


def test_credit_is_the_conjugate_posterior() -> None:
    """N(trust tau, doubt^2) and surprises with unit variance, weighted: by hand."""
    z, weight = [1.0, -0.5, 2.0], 0.8
    found = credit(track(z, weight), FIRST, number(0.5), settings(trust=1.0, doubt=2.0))
    precision = 0.25 + 3 * weight
    assert float(found.mean) == pytest.approx((0.25 * 0.5 + weight * sum(z)) / precision)
    assert float(found.sd) == pytest.approx(precision**-0.5)


def test_rounds_about_other_parameters_count_less() -> None:
    def found(kind: jnp.ndarray, likeness: float) -> float:
        return float(credit(track([3.0, 3.0]), kind, number(0.0), settings(likeness=likeness)).mean)

    assert found(jnp.array([0.0, 1.0]), 1.0) == 0.0 < found(BOTH, 1.0) < found(FIRST, 1.0)
    assert found(BOTH, 0.0) == pytest.approx(found(FIRST, 1.0))


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


def follows(
    person: Side, seen: Track, machine: Side | None = None, tau: float = 0.0, **numbers: float
) -> bool:
    theirs, ours = promise(
        machine or side(0.0, 1.0),
        person,
        seen,
        number(tau),
        number(0.5),
        number(10.0),
        settings(**numbers),
    )
    return bool(theirs >= ours)


def test_credit_decides_between_equals() -> None:
    equal = side(0.0, 1.0, (0.0, 0.0))
    assert follows(equal, track([]), tau=0.2)
    assert follows(equal, track([2.0]), tau=0.2)
    assert not follows(equal, track([]), tau=-0.2)
    assert not follows(equal, track([-3.0, -3.0]), tau=0.2)


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
