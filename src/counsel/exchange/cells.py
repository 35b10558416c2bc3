"""Converts between strings and values.

`write` and `read` are exact inverses: a cell holds a string as it is, and anything else as JSON; a
string that would read as JSON is quoted. `value_of` interprets what a person typed for a parameter.
"""

import json
from typing import Any

from counsel.errors import InvalidInput
from counsel.facts.records import Value
from counsel.space import AnySpace, Arms, Categorical, Int
from counsel.space.spelling import EITHER, is_ambiguous, tidied, with_point

__all__ = ["decimal_comma", "has_labels", "parse_pairs", "read", "value_of", "write"]


_FORMULA = tuple("=+-@＝＋－＠")


def write(value: object) -> str:
    """A cell; empty for None."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return json.dumps(value)
    try:
        json.loads(value)
    except ValueError:
        # An empty cell is None, some programs strip spaces, and spreadsheets evaluate what looks
        # like a formula.
        plain = value and value == value.strip() and not value.startswith(_FORMULA)
        return value if plain else json.dumps(value)
    return json.dumps(value)


def read(cell: str) -> Any:
    if cell == "":
        return None
    try:
        return json.loads(cell)
    except ValueError:
        return cell


def value_of(space: AnySpace, name: str, given: object) -> object:
    """What a typed string means for a parameter or context variable; other values are unchanged.

    Only the type is determined here; the space refuses invalid values.

    Example:
        >>> import counsel as cs
        >>> kinds = cs.Categorical(["1", "2"])
        >>> space = cs.Space(rate=cs.Float(0, 1), size=cs.Int(1, 9), kind=kinds)
        >>> [value_of(space, name, "1") for name in ("rate", "size", "kind")]
        [1.0, 1, '1']
    """
    if not isinstance(given, str):
        return given
    text = given.strip()
    parameter: Any = space.context.get(name)
    if parameter is None and not isinstance(space, Arms):
        parameter = space.parameters.get(name)
    if isinstance(parameter, Categorical):
        return _chosen(text, parameter.choices)
    if parameter is None and isinstance(space, Arms):
        labels = space.labels(name)
        if labels is not None:
            return _chosen(text, labels)
    text = tidied(text)
    try:
        return int(text) if isinstance(parameter, Int) else float(text)
    except ValueError:
        pass
    try:
        return float(text)  # 3.0 for a whole number, as spreadsheets write it
    except ValueError:
        return given


def has_labels(space: AnySpace, name: str) -> bool:
    """Whether a parameter or context variable takes labels instead of numbers."""
    if isinstance(space, Arms) and name not in space.context:
        return space.labels(name) is not None or name not in space.names
    known = space.context if isinstance(space, Arms) else {**space.parameters, **space.context}
    return isinstance(known.get(name), Categorical)


def decimal_comma(text: str) -> str:
    """What to write instead of a number with a comma; "" if it is not one."""
    if is_ambiguous(text):
        return EITHER
    pointed = with_point(text)
    return "" if pointed in (text, tidied(text)) else f"Write a decimal point: {pointed}."


def _chosen(text: str, choices: Any) -> object:
    exact = [choice for choice in choices if choice == text]
    alike = [choice for choice in choices if not isinstance(choice, str) and read(text) == choice]
    alike = [c for c in alike if isinstance(c, bool) == isinstance(read(text), bool)]
    spelled = [c for c in choices if isinstance(c, bool) and str(c).lower() == text.lower()]
    return next(iter([*exact, *alike, *spelled]), text)


def parse_pairs(space: AnySpace, pairs: list[str]) -> dict[str, Value]:
    """`["lifting=20", "kind=soft"]` as a dict of values."""
    values: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name.strip():
            raise InvalidInput("values", pair, "Write name=value, as in lifting=20.")
        if name.strip() in values:
            raise InvalidInput("values", pair, f"{name.strip()!r} is given twice.")
        found = value_of(space, name.strip(), text)
        if isinstance(found, str) and not has_labels(space, name.strip()):
            remedy = decimal_comma(found)
            if remedy:
                raise InvalidInput(name.strip(), found, remedy)
        values[name.strip()] = found
    return values
