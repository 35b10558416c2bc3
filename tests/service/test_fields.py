"""Numbers as people type them, and questions about those that look like a slip."""

import pytest

from counsel.errors import InvalidInput
from counsel.facts.records import Prediction
from counsel.service.web.fields import far_outside, read_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1.5", 1.5),
        ("1,5", 1.5),
        ("0,125", 0.125),
        ("\u22123", -3.0),
        ("1,5e3", 1500.0),
        (" ", None),
    ],
)
def test_decimal_commas_are_read(text: str, number: float | None) -> None:
    assert read_number("taste", text) == number


@pytest.mark.parametrize("text", ["1,500", "1,234,567", "1.234,5", "a", "nan", "inf", "1e999"])
def test_what_has_two_readings_or_none_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="taste"):
        read_number("taste", text)


def test_a_slip_is_asked_about_and_a_good_result_is_not() -> None:
    past, expected = [5.0, 9.0, 12.0], Prediction(11.0, 1.5)
    question = far_outside(91.54, past, expected)
    assert question is not None
    assert "8.06 to 13.94" in question
    assert far_outside(1e30, past, None) is not None
    assert far_outside(1e30, [], None) is not None
    for fine in (15.0, 20.0, 2.0):
        assert far_outside(fine, past, expected) is None
    assert far_outside(7.0, [], None) is None
