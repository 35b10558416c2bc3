"""What counts as a finite number."""

import math

import numpy as np
import pytest

from counsel.facts.checks import finite_number
from facts.refusals import assert_refused


@pytest.mark.parametrize(
    "value",
    [2, 2.0, np.float64(2), np.float32(2), np.int64(2), np.uint8(2), np.array(2.0)],
    ids=lambda v: type(v).__name__,
)
def test_finite_number_takes_python_and_numpy_numbers(value: object) -> None:
    number = finite_number("yield", value)
    assert number == 2.0
    assert type(number) is float


@pytest.mark.parametrize(
    "value",
    [None, "2", b"2", True, np.bool_(True), [2.0], (2.0,), {}, 1j, np.array([1.0, 2.0])],
    ids=repr,
)
def test_finite_number_refuses_what_is_no_number(value: object) -> None:
    assert_refused(lambda: finite_number("yield", value), "yield", repr(value), "Give one number")


@pytest.mark.parametrize(
    "value",
    [math.nan, math.inf, -math.inf, np.float64("nan"), np.float32("inf"), 10**400],
    ids=lambda v: str(v)[:8],
)
def test_finite_number_refuses_what_is_not_finite(value: object) -> None:
    assert_refused(lambda: finite_number("yield", value), "yield", "", "Give a finite number")
