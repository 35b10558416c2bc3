"""How a refusal reads."""

from typing import Any

import pytest

import counsel as cs


def assert_refused(call: Any, field: str, value: str, remedy: str) -> None:
    """Refused with a sentence that names the field, the value and the remedy."""
    with pytest.raises(cs.InvalidInput) as caught:
        call()
    message = str(caught.value)
    assert message.startswith(f"{field}: got {value}")
    assert remedy in message
    assert message.endswith(".")
