"""Margins on their scale: signs and order stay, what is far is drawn in."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from counsel.models.margins import breach, by_rank, kept, scaled, unit_of

some_margins = st.lists(
    st.floats(-1e6, 1e6).filter(lambda c: c == 0.0 or abs(c) > 1e-6), min_size=1, max_size=30
)


@given(some_margins, st.booleans())
def test_signs_and_order_stay(margins: list[float], found: bool) -> None:
    before = np.array(margins)
    after = scaled(before, found=found)
    assert np.array_equal(np.sign(after), np.sign(before))
    assert np.all(np.diff(after[np.argsort(before, kind="stable")]) >= 0.0)


@given(some_margins)
def test_ranks_know_no_units(margins: list[float]) -> None:
    before = np.array(margins)
    stretched = np.sign(before) * np.abs(before) ** 3 * 7.0
    assert np.array_equal(by_rank(stretched), by_rank(before))


def test_ranks_are_normal_scores_of_each_side() -> None:
    found = by_rank(np.array([-5.0, -0.1, -700.0, 3.0, 3.0]))
    below = stats.norm.ppf([0.5 - 0.5 * 2 / 4, 0.5 - 0.5 * 1 / 4, 0.5 - 0.5 * 3 / 4])
    assert found[:3] == pytest.approx(below)
    assert found[3:] == pytest.approx(stats.norm.ppf([0.75, 0.75]))


def test_a_plateau_no_longer_hides_where_a_margin_rises() -> None:
    flat = np.array([-1.0, -0.9999, -0.999, -0.99, 39.0])
    assert by_rank(flat)[3] - by_rank(flat)[0] > 1.0


def test_margins_that_are_gaussian_stay_as_they_are() -> None:
    margins = np.random.default_rng(0).normal(0.3, 1.0, size=40)
    assert unit_of(margins) is None
    assert np.array_equal(scaled(margins, found=True), margins)


def test_the_unit_is_the_likeliest_one() -> None:
    rng = np.random.default_rng(1)
    margins = 0.3 * np.sinh(rng.normal(0.0, 3.0, size=40))
    chosen = unit_of(margins)
    assert chosen is not None

    def likelihood(unit: float) -> float:
        """Worked out by SciPy, with a numerical derivative of the change of scale."""
        step = 1e-6 * (np.abs(margins) + unit)
        slope = (np.arcsinh((margins + step) / unit) - np.arcsinh((margins - step) / unit)) / (
            2.0 * step
        )
        t = np.arcsinh(margins / unit)
        return float(stats.norm.logpdf(t, *stats.norm.fit(t)).sum() + np.log(slope).sum())

    usual = float(np.median(np.abs(margins)))
    tried = usual * 10.0 ** np.arange(-2.0, 1.01, 0.5)
    assert chosen == pytest.approx(max(tried, key=likelihood))
    assert likelihood(chosen) > stats.norm.logpdf(margins, *stats.norm.fit(margins)).sum() + 2.0


def test_the_unit_goes_with_the_margins() -> None:
    margins = np.sinh(np.random.default_rng(2).normal(0.0, 4.0, size=30))
    unit, thousand = unit_of(margins), unit_of(1000.0 * margins)
    assert unit is not None
    assert thousand == pytest.approx(1000.0 * unit)


def test_few_or_vanishing_margins_have_no_unit() -> None:
    assert unit_of(np.array([1.0, -1e6, 3.0])) is None
    assert unit_of(np.zeros(9)) is None


def test_a_trial_that_was_not_asked_about_is_not_known_to_keep_anything() -> None:
    margins = np.array([[1.0, 0.0], [1.0, 0.0], [-1.0, 2.0]])
    measured = np.array([[True, True], [True, False], [True, True]])
    assert kept(margins, measured).tolist() == [True, False, False]
    assert breach(margins, measured)[0] == breach(margins, measured)[1] == 0.0
    assert breach(margins, measured)[2] > 0.0


def test_a_breach_weighs_constraints_alike_whatever_their_units() -> None:
    margins = np.array([[-1.0, -5e6], [-2.0, -1e6], [-3.0, -2e6], [-4.0, -3e6]])
    known = np.ones_like(margins, dtype=bool)
    assert int(np.argmin(breach(margins, known))) == 1
