"""Numbers as people and spreadsheets write them: with a decimal point or a decimal comma."""

import re
from collections.abc import Iterable

__all__ = ["EITHER", "decimal_commas", "is_ambiguous", "with_point"]

EITHER = "A comma may separate decimals or thousands here: write 1.234 or 1234."

# 1,5 and 1.234,5 as spreadsheets of many countries write them
_COMMA = re.compile(r"[-+]?([0-9]+|[0-9]{1,3}(\.[0-9]{3})+),[0-9]+([eE][-+]?[0-9]+)?")
_POINT = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")
# 1,500 is 1500 to one reader and 1.5 to another; 0,125 and 1,5 have one reading.
_AMBIGUOUS = re.compile(r"[-+]?[1-9][0-9]{0,2}(,[0-9]{3})+")


def with_point(text: str) -> str:
    """A number with a decimal comma, with a point; anything else as it is."""
    found = _COMMA.fullmatch(text.strip())
    return text if found is None else text.strip().replace(".", "").replace(",", ".")


def is_ambiguous(text: str) -> bool:
    """Whether a comma may separate thousands as well as decimals."""
    return _AMBIGUOUS.fullmatch(text.strip()) is not None


def decimal_commas(cells: Iterable[object], *, sure: bool = True) -> bool:
    """Whether a column consists of numbers, some of them with a decimal comma.

    If not `sure`, a comma that may separate thousands counts as well. Empty cells count as nothing.
    """
    found = False
    for text in (each.strip() for each in cells if isinstance(each, str)):
        if is_ambiguous(text):
            found = found or not sure
        elif _COMMA.fullmatch(text):
            found = True
        elif text and not _POINT.fullmatch(text):
            return False
    return found
