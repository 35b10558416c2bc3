"""Statistics against brute force and SciPy."""

import math

import numpy as np
import pytest
from scipy import stats

from counsel.experiments.statistics import Interval, apart, average, bands, growth, mad, paired


def test_mad_is_scipys() -> None:
    values = np.random.default_rng(0).normal(size=31)
    assert mad(values) == pytest.approx(stats.median_abs_deviation(values))


def test_bands_are_taken_round_by_round() -> None:
    curves = np.random.default_rng(1).normal(size=(7, 5)).cumsum(axis=1)
    found = bands(curves)
    for t in range(5):
        assert found.median[t] == np.median(curves[:, t])
        assert found.mad[t] == mad(curves[:, t])


def test_paired_differences_agree_with_scipys_bootstrap_and_wilcoxon() -> None:
    rng = np.random.default_rng(2)
    first = rng.normal(size=40)
    second = first + rng.normal(0.5, 1.0, size=40)
    found = paired(first, second)
    difference = first - second
    assert found.mean.value == pytest.approx(difference.mean())
    assert found.median.value == pytest.approx(np.median(difference))
    assert found.p == pytest.approx(stats.wilcoxon(first, second).pvalue)
    for interval, statistic in ((found.mean, np.mean), (found.median, np.median)):
        theirs = stats.bootstrap(
            (difference,), statistic, method="percentile", rng=np.random.default_rng(3)
        ).confidence_interval
        assert interval.low == pytest.approx(theirs.low, abs=0.05)
        assert interval.high == pytest.approx(theirs.high, abs=0.05)
        assert interval.low < interval.value < interval.high


def test_the_bootstrap_of_three_seeds_is_the_list_of_all_samples() -> None:
    difference = np.array([1.0, 2.0, 10.0])
    samples = np.array(np.meshgrid(difference, difference, difference)).reshape(3, -1)
    found = paired(difference, np.zeros(3))
    low, high = np.quantile(samples.mean(axis=0), [0.025, 0.975], method="inverted_cdf")
    assert found.mean.low == pytest.approx(low)
    assert found.mean.high == pytest.approx(high)


def test_paired_is_the_same_each_time() -> None:
    values = np.random.default_rng(4).normal(size=600)
    assert paired(values, -values) == paired(values, -values)


def test_equal_methods_are_not_told_apart() -> None:
    values = np.arange(10.0)
    found = paired(values, values)
    assert found.median == found.mean == Interval(0.0, 0.0, 0.0)
    assert found.median.sign == 0
    assert math.isnan(found.p)


@pytest.mark.parametrize(
    ("interval", "sign"),
    [((-2.0, -3.0, -1.0), -1), ((2.0, 1.0, 3.0), 1), ((0.5, -1.0, 2.0), 0), ((1.0, 0.0, 2.0), 0)],
)
def test_an_interval_has_a_sign_where_it_leaves_zero_out(
    interval: tuple[float, float, float], sign: int
) -> None:
    assert Interval(*interval).sign == sign


@pytest.mark.parametrize("exponent", [0.0, 0.5, 1.0])
def test_growth_finds_the_exponent(exponent: float) -> None:
    t = np.arange(1.0, 101.0)
    curves = np.outer([1.0, 2.0, 3.0], 5.0 * t**exponent)
    assert growth(curves) == pytest.approx(exponent)


def test_no_regret_has_no_growth() -> None:
    assert math.isnan(growth(np.zeros((3, 10))))


def test_two_means_of_independent_runs() -> None:
    rng = np.random.default_rng(0)
    first, second = rng.normal(3.0, 1.0, 40), rng.normal(1.0, 2.0, 30)
    found = apart(first, second)
    assert found.value == pytest.approx(first.mean() - second.mean())
    spread = np.sqrt(first.var() / 40 + second.var() / 30)
    assert found.high - found.low == pytest.approx(2 * 1.96 * spread, rel=0.1)
    assert average(first).value == pytest.approx(first.mean())
    assert apart(first, first).sign == 0
