"""Intervals of the default policy hold what they say, where they are read: at its proposals."""

import numpy as np
import pytest
from benchmarks.coverage import NOISE, REPORTED, SIZES, forecasts, share


@pytest.mark.slow
@pytest.mark.parametrize("noise", [0.0, NOISE], ids=["exact", "noisy"])
def test_nineteen_of_twenty_payoffs_lie_in_their_intervals(noise: float) -> None:
    """Of about 840 forecasts: overall, and in the last third of the runs."""
    made = [
        each
        for d, trials in SIZES
        for name, function in REPORTED.items()
        for each in forecasts(name, function, d, trials, noise, seed=7)
    ]
    assert 0.92 <= np.mean([each.held for each in made]) <= 0.985
    assert 0.92 <= np.mean([each.held for each in made if each.late]) <= 0.995


def test_a_share_comes_with_its_interval() -> None:
    # Wilson's interval for 8 of 10, as tabulated.
    assert share([True] * 8 + [False] * 2) == "80.0% [49.0, 94.3]"
