"""Policies as plain data, so that a study can keep the one it was created with.

A policy is a frozen object of numbers, texts, arrays and further such objects (dataclasses, Equinox
modules, named tuples). `describe` writes down its class and fields as JSON has them; `make` builds
it anew. Only Counsel's own classes are built: a database must not decide which code is run.
"""

import dataclasses
import importlib
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from counsel.errors import InvalidInput
from counsel.policies.earlier import as_now
from counsel.policies.protocol import Policy

__all__ = ["Undescribed", "class_name", "describe", "make"]

Description = dict[str, Any]


class Undescribed(Exception):
    """Part of a policy is no plain data; the message says which."""


def class_name(thing: object) -> str:
    return f"{type(thing).__module__}:{type(thing).__qualname__}"


def describe(policy: Policy) -> Description:
    """The policy's class and fields, or Undescribed."""
    found = _describe(policy, type(policy).__name__)
    if not (isinstance(found, dict) and "type" in found):
        raise Undescribed(type(policy).__name__)
    return found


def make(description: Mapping[str, Any]) -> Policy:
    """The policy that was described. Refuses classes that are not Counsel's own."""
    made = _make(description)
    if not isinstance(made, Policy):
        raise InvalidInput("policy", description, "That describes no policy.")
    return made


def _describe(thing: Any, where: str) -> Any:
    if thing is None or isinstance(thing, bool | int | str):
        return thing
    if isinstance(thing, float):  # JSON has no word for the others
        return float(thing) if math.isfinite(thing) else {"float": repr(float(thing))}
    if isinstance(thing, tuple) and hasattr(thing, "_asdict"):
        return _fields(thing, thing._asdict(), where)
    if isinstance(thing, tuple | list):
        items = [_describe(item, f"{where}[{i}]") for i, item in enumerate(thing)]
        return items if isinstance(thing, list) else {"tuple": items}
    if isinstance(thing, Mapping) and all(isinstance(key, str) for key in thing):
        return {"dict": {key: _describe(thing[key], f"{where}[{key!r}]") for key in thing}}
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        names = [field.name for field in dataclasses.fields(thing) if field.init]
        return _fields(thing, {name: getattr(thing, name) for name in names}, where)
    if hasattr(thing, "__array__") and hasattr(thing, "dtype"):
        array = np.asarray(thing)
        if array.dtype.kind in "bif":
            cells = [_describe(cell, where) for cell in array.ravel().tolist()]
            return {"array": cells, "shape": list(array.shape), "dtype": array.dtype.name}
    raise Undescribed(where)


def _fields(thing: object, fields: Mapping[str, Any], where: str) -> Description:
    return {
        "type": class_name(thing),
        "fields": {name: _describe(value, f"{where}.{name}") for name, value in fields.items()},
    }


def _make(data: Any) -> Any:
    match data:
        case {"type": str(), "fields": dict()}:
            name, fields = as_now(data["type"], data["fields"])
            return _class(name)(**{key: _make(value) for key, value in fields.items()})
        case {"array": list(cells), "shape": shape, "dtype": dtype}:
            return np.array([_make(cell) for cell in cells], dtype=dtype).reshape(shape)
        case {"float": str(text)}:
            return float(text)
        case {"tuple": list(items)}:
            return tuple(_make(item) for item in items)
        case {"dict": dict(inside)}:
            return {key: _make(value) for key, value in inside.items()}
        case list():
            return [_make(item) for item in data]
    return data


def _class(name: str) -> Any:
    module, _, path = name.partition(":")
    remedy = "Hand the policy over yourself: load_study(..., policy=...)."
    if module.split(".")[0] != "counsel":
        raise InvalidInput("policy", name, f"Counsel builds only its own classes. {remedy}")
    try:
        found: Any = importlib.import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError):
        raise InvalidInput(
            "policy", name, f"This version of Counsel has no such class. {remedy}"
        ) from None
    if not (isinstance(found, type) and (dataclasses.is_dataclass(found) or _named_tuple(found))):
        raise InvalidInput("policy", name, f"That is no class of a policy. {remedy}")
    return found


def _named_tuple(found: type) -> bool:
    return issubclass(found, tuple) and hasattr(found, "_fields")
