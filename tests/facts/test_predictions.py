"""Intervals and surprises of beliefs that are Gaussian, or log-normal below a limit."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import counsel as cs

numbers = st.floats(-50.0, 50.0)
positive = st.floats(0.01, 20.0)


@given(mean=numbers, sd=positive, gap=positive, sign=st.sampled_from([-1.0, 1.0]), z=positive)
def test_an_interval_ends_where_the_surprise_is_z(
    mean: float, sd: float, gap: float, sign: float, z: float
) -> None:
    for limit in (None, mean + sign * gap):
        belief = cs.Prediction(mean, sd, limit)
        low, high = belief.interval(min(z, 3.0))
        assert low <= high
        for end, wanted in ((low, -min(z, 3.0)), (high, min(z, 3.0))):
            if limit is None or abs(limit - end) > 1e-6:
                assert belief.surprise(end) == pytest.approx(wanted, rel=1e-4)
        if limit is not None:
            assert (high <= limit) if sign > 0 else (low >= limit)


@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_the_moments_and_the_quantiles_are_those_of_one_distribution(sign: float) -> None:
    draws = sign * (7.0 - np.exp(0.5 + 0.8 * np.random.default_rng(0).standard_normal(400_000)))
    belief = cs.Prediction(float(draws.mean()), float(draws.std()), sign * 7.0)
    low, high = belief.interval()
    assert float(((draws > low) & (draws < high)).mean()) == pytest.approx(0.95, abs=0.005)
    assert np.quantile(draws, [0.025, 0.975]) == pytest.approx([low, high], abs=0.15)


def test_a_payoff_past_the_limit_is_a_surprise_without_end() -> None:
    assert cs.Prediction(1.0, 1.0, limit=2.0).surprise(2.5) == math.inf
    assert cs.Prediction(3.0, 1.0, limit=2.0).surprise(1.5) == -math.inf
    assert cs.Prediction(3.0, 0.0).surprise(3.0) == 0.0
    assert cs.Prediction(3.0, 0.0).surprise(3.1) == math.inf
