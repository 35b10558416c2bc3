"""Numbers and names as people and spreadsheets write them."""

import re
from collections.abc import Iterable

__all__ = [
    "EITHER",
    "UNCLEAR",
    "Unclear",
    "are_numbers",
    "decimal_commas",
    "is_ambiguous",
    "marks_in",
    "names_itself",
    "settled",
    "tidied",
    "with_point",
]

EITHER = "A comma may separate decimals or thousands here: write 1.234 or 1234."
UNCLEAR = (
    "Its comma or point may separate decimals or thousands: write 1.234 or 1234, or say which one "
    "separates decimals with `decimal`, if the other numbers in its column agree."
)

# A minus sign or a dash before a number or an exponent, and the narrow spaces that group digits.
_MINUS = re.compile(r"(^|(?<=[eE]))[\u2212\u2013](?=[0-9.,])")
_GAP = re.compile(r"(?<=[0-9])[\u00a0\u2009\u202f](?=[0-9]{3}(?![0-9]))")
# 1,5 and 1.234,5 as spreadsheets of many countries write them
_COMMA = re.compile(r"[-+]?([0-9]+|[0-9]{1,3}(\.[0-9]{3})+),[0-9]+([eE][-+]?[0-9]+)?")
_POINT = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")
# 1,234.5: both marks, and one reading
_THOUSANDS = re.compile(r"[-+]?[0-9]{1,3}(,[0-9]{3})+\.[0-9]*([eE][-+]?[0-9]+)?")
# 1,500 is 1500 to one reader and 1.5 to another; 0,125 and 1,5 have one reading.
_AMBIGUOUS = re.compile(r"[-+]?[1-9][0-9]{0,2}(,[0-9]{3})+")
_GROUPED = re.compile(r"[-+]?[1-9][0-9]{0,2}(\.[0-9]{3})+")  # so is 1.500 beside decimal commas


def tidied(text: str) -> str:
    """Without outer spaces, with the minus sign of a keyboard, and without gaps between digits."""
    return _GAP.sub("", _MINUS.sub("-", text.strip()))


def with_point(text: str) -> str:
    """A number with a decimal comma or with both marks, with a point alone; others as they are."""
    bare = tidied(text)
    if _THOUSANDS.fullmatch(bare):
        return bare.replace(",", "")
    if _COMMA.fullmatch(bare):
        return bare.replace(".", "").replace(",", ".")
    return bare if _POINT.fullmatch(bare) else text


def is_ambiguous(text: str) -> bool:
    """Whether a comma may separate thousands as well as decimals."""
    return _AMBIGUOUS.fullmatch(tidied(text)) is not None


class Unclear(str):
    """A number in a table in which nothing says how to read it."""


def marks_in(cells: Iterable[object]) -> frozenset[str]:
    """What surely separates decimals in some of these cells: a comma, a point, both or neither."""
    texts = [tidied(each) for each in cells if isinstance(each, str)]
    comma = any(_COMMA.fullmatch(each) and not is_ambiguous(each) for each in texts)
    point = any(
        (_POINT.fullmatch(each) and "." in each and not _GROUPED.fullmatch(each))
        or _THOUSANDS.fullmatch(each)
        for each in texts
    )
    return frozenset([","] * comma + ["."] * point)


def are_numbers(cells: Iterable[object]) -> bool:
    """Whether all strings in a column that are not empty are numbers, however written."""
    texts = [tidied(each) for each in cells if isinstance(each, str) and each.strip()]
    forms = (_COMMA, _POINT, _THOUSANDS, _AMBIGUOUS, _GROUPED)
    return bool(texts) and all(any(form.fullmatch(each) for form in forms) for each in texts)


def settled(cell: object, marks: frozenset[str], decimal: str | None) -> object:
    """A cell with a decimal point, where that is clear.

    `marks` is what surely separates decimals around the cell; `decimal`, if given, settles it
    unless they contradict it. Other cells stay as they are, and numbers with two readings are
    `Unclear`.
    """
    if not isinstance(cell, str):
        return cell
    text = tidied(cell)
    if (
        decimal is not None
        and marks - {decimal}
        and (is_ambiguous(text) or _GROUPED.fullmatch(text))
    ):
        return Unclear(cell)
    if decimal == "." and is_ambiguous(text):
        return text.replace(",", "")
    if decimal == "," and _GROUPED.fullmatch(text):
        return text.replace(".", "")
    if is_ambiguous(text):
        comma = decimal == "," or marks == {","}
        return text.replace(",", ".") if comma and text.count(",") == 1 else Unclear(cell)
    if _GROUPED.fullmatch(text):
        return Unclear(cell) if decimal is None and marks == {","} else text
    return cell if decimal == "." and _COMMA.fullmatch(text) else with_point(cell)


def decimal_commas(cells: Iterable[object], *, sure: bool = True) -> bool:
    """Whether a column consists of numbers, some of them with a decimal comma.

    If not `sure`, a comma that may separate thousands counts as well. Empty cells count as nothing.
    """
    found = False
    for text in (tidied(each) for each in cells if isinstance(each, str)):
        if is_ambiguous(text) or _THOUSANDS.fullmatch(text):
            found = found or not sure
        elif _COMMA.fullmatch(text):
            found = True
        elif text and not _POINT.fullmatch(text):
            return False
    return found


def names_itself(name: str, text: str) -> bool:
    """Whether a value begins with its name, as `tile 40` does; `thf` does not begin with `t`."""
    rest = text[len(name) :]
    return text.lower().startswith(name.lower()) and not rest[:1].isalpha()
