"""Policies as plain data, so that a study can keep the one it was created with.

A policy is a frozen object of numbers, strings, arrays and further such objects (dataclasses,
Equinox modules, named tuples). `describe` returns its registered tag and its settings as JSON data;
`make` builds it again. Only registered classes are built: a database must not decide which code
runs. Objects of other classes are described by the name of the class, to be compared with the one
that the caller passes in.
"""

import dataclasses
import itertools
import math
import types
import typing
from collections.abc import Mapping
from typing import Any

import numpy as np

from counsel.acquisition.registry import acquisitions
from counsel.errors import InvalidInput
from counsel.policies.protocol import Policy
from counsel.policies.registry import policies
from counsel.registry import Entry, Preset, Registry, parts

__all__ = ["Undescribed", "check", "describe", "make", "unregistered"]

Description = dict[str, Any]
_REGISTRIES: tuple[Registry[Any], ...] = (policies, acquisitions, parts)
_KINDS: dict[Any, tuple[type, ...]] = {
    bool: (bool, int),
    int: (int,),
    float: (float, int),
    str: (str,),
    tuple: (tuple,),
    types.NoneType: (types.NoneType,),
}
_REMEDY = "Pass the policy in yourself: load_study(..., policy=...)."


class Undescribed(Exception):
    """Raised if part of a policy is not plain data; the message says which."""


def describe(policy: Policy) -> Description:
    """The policy's tag and settings, or Undescribed."""
    found = _describe(policy, type(policy).__name__)
    if not (isinstance(found, dict) and "settings" in found):
        raise Undescribed(type(policy).__name__)
    return found


def unregistered(policy: Policy) -> Description:
    """The description of a policy that is not plain data: its class name."""
    return {"unregistered": type(policy).__qualname__, "settings": {}}


def make(description: Mapping[str, Any]) -> Policy:
    """Build the described policy. Refuses unregistered tags and unknown settings."""
    made = _make(description)
    if not isinstance(made, Policy):
        raise InvalidInput("policy", description, "This does not describe a policy.")
    return made


def check(description: Mapping[str, Any]) -> None:
    """Refuse what cannot be built here, unless the caller is to pass the policy in.

    Settings have to be of the right kind: a class takes any, and would break when it computes.
    """
    if not _holds_unregistered(description):
        _check_kinds(make(description))


def _check_kinds(made: object) -> None:
    entry = _entry_of(made)
    if entry is None:
        return
    hints = typing.get_type_hints(type(made))
    for name in entry.settings:
        value, kinds = getattr(made, name, None), _kinds(hints.get(name))
        if kinds and not isinstance(value, kinds):
            words = " or ".join(kind.__name__ for kind in kinds)
            raise InvalidInput(f"setting {name!r} of {entry.tag!r}", value, f"Give a {words}.")
        _check_kinds(value)


def _kinds(hint: object) -> tuple[type, ...]:
    """What may stand where a type is declared; () if that is left to the class."""
    if isinstance(hint, types.UnionType):
        each = [_kinds(inside) for inside in typing.get_args(hint)]
        return tuple(dict.fromkeys(itertools.chain(*each))) if all(each) else ()
    return _KINDS.get(typing.get_origin(hint) or hint, ())


def _holds_unregistered(data: Any) -> bool:
    if isinstance(data, Mapping):
        return "unregistered" in data or any(map(_holds_unregistered, data.values()))
    return isinstance(data, list) and any(map(_holds_unregistered, data))


def _describe(thing: Any, where: str) -> Any:
    if thing is None or isinstance(thing, bool | int | str):
        return thing
    if isinstance(thing, float):  # JSON cannot write the others
        return float(thing) if math.isfinite(thing) else {"float": repr(float(thing))}
    if isinstance(thing, tuple) and hasattr(thing, "_asdict"):
        return _settings(thing, thing._asdict(), where)
    if isinstance(thing, tuple | list):
        items = [_describe(item, f"{where}[{i}]") for i, item in enumerate(thing)]
        return items if isinstance(thing, list) else {"tuple": items}
    if isinstance(thing, Mapping) and all(isinstance(key, str) for key in thing):
        return {"dict": {key: _describe(thing[key], f"{where}[{key!r}]") for key in thing}}
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        names = [field.name for field in dataclasses.fields(thing) if field.init]
        return _settings(thing, {name: getattr(thing, name) for name in names}, where)
    if hasattr(thing, "__array__") and hasattr(thing, "dtype"):
        array = np.asarray(thing)
        if array.dtype.kind in "bif":
            cells = [_describe(cell, where) for cell in array.ravel().tolist()]
            return {"array": cells, "shape": list(array.shape), "dtype": array.dtype.name}
    raise Undescribed(where)


def _settings(thing: object, settings: Mapping[str, Any], where: str) -> Description:
    entry = _entry_of(thing)
    if entry is not None:
        settings = {name: settings[name] for name in entry.settings}
    named = {"unregistered": type(thing).__qualname__} if entry is None else {"tag": entry.tag}
    described = {name: _describe(value, f"{where}.{name}") for name, value in settings.items()}
    return {**named, "settings": described}


def _entry_of(thing: object) -> Entry | None:
    """The entry of an object's class, or of the preset that it was made from."""
    found = (registry.of(type(thing)) for registry in _REGISTRIES)
    own = next((entry for entry in found if entry is not None), None)
    if own is not None and isinstance(name := getattr(thing, "name", None), str):
        preset = policies.known(name)
        if preset is not None and isinstance(preset.thing, Preset):
            return preset if preset.thing.of is type(thing) else own
    return own


def _make(data: Any) -> Any:
    match data:
        case {"tag": str(tag), "settings": Mapping() as settings}:
            made = {name: _make(value) for name, value in settings.items()}
            try:
                return _entry(tag).make(made)
            except (TypeError, ValueError, OverflowError) as error:
                if isinstance(error, InvalidInput):
                    raise
                raise InvalidInput(f"settings of {tag!r}", made, f"{error}.") from error
        case {"unregistered": str(name)}:
            raise InvalidInput("policy", name, f"This class has no registered tag. {_REMEDY}")
        case {"array": list(cells), "shape": list(shape), "dtype": str(dtype)}:
            return _array([_make(cell) for cell in cells], shape, dtype)
        case {"float": "inf" | "-inf" | "nan" as text}:
            return float(text)
        case {"tuple": list(items)}:
            return tuple(_make(item) for item in items)
        case {"dict": Mapping() as inside}:
            return {key: _make(value) for key, value in inside.items()}
        case list():
            return [_make(item) for item in data]
        case None | bool() | int() | float() | str():
            return data
    raise InvalidInput("policy", data, "This is not part of a stored policy.")


def _array(cells: list[Any], shape: list[Any], dtype: str) -> np.ndarray:
    try:
        kind = np.dtype(dtype)
        if kind.kind in "bif":
            return np.array(cells, dtype=kind).reshape(shape)
    except (TypeError, ValueError):
        pass
    raise InvalidInput(
        "policy", f"{dtype} array of shape {shape}", "Its cells do not fit the shape."
    )


def _entry(tag: str) -> Entry:
    for look in (Registry.known, Registry.find):  # built-in classes first: the rest is slower
        for registry in _REGISTRIES:
            found: Entry | None = look(registry, tag)
            if found is not None:
                return found
    raise InvalidInput(
        "policy",
        tag,
        "Nothing is registered under this tag here. Install the package that registers it, or a "
        f"newer version of Counsel. {_REMEDY}",
    )
