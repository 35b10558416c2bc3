"""A new study described by plain data, as in a YAML file or a REST request.

It has the arguments of `create_study`, with these differences:

    parameters | arms    instead of `space`: what is chosen
    context              what is given in every round, not chosen
    constraints          [{name: comfort, at_least: 0}, ...]
    objectives           [{name: cost, direction: minimize, weight: 2}, ...], if there are several
    policy               a name, or {name: lw-ucb, settings: {kappa: 3}}
    settings             those of the policy: {kappa: 3, initial: 8}

Parameters, context, constraints and objectives are a list of objects with a name, or an object by
name.
"""

import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from counsel.errors import InvalidInput
from counsel.exchange.spreadsheet import typed_spreadsheet
from counsel.facts import codec
from counsel.facts.problem import Constraint, Objective
from counsel.policies import Policy, by_name
from counsel.space import AnySpace, space_from_dict
from counsel.space.checks import one_of
from counsel.study import create_study

__all__ = ["KEYS", "described"]

_ARMS = ("log", "label", "once")
_SPACE = ("parameters", "arms", "context", "require", *_ARMS)
KEYS = (
    *(name for name in inspect.signature(create_study).parameters if name != "space"),
    *_SPACE,
)


def described(data: Mapping[str, Any], *, where: str, folder: Path | None = None) -> dict[str, Any]:
    """The arguments of `create_study`. `folder` is where to look for a table of arms."""
    for key in data:
        if key not in KEYS:
            raise InvalidInput(where, key, f"Unknown key. {one_of(key, KEYS)}")
    if "name" not in data:
        raise InvalidInput(where, sorted(data), "Give the study a name.")
    found = {key: each for key, each in data.items() if key not in _SPACE}
    found["space"] = _space(data, where, folder)
    if data.get("constraints"):
        bounds = _listed("constraints", data["constraints"], "NAME: {at_least: 0}")
        found["constraints"] = [codec.read(Constraint, each) for each in bounds]
    else:
        found.pop("constraints", None)
    if data.get("objectives"):
        wanted = _listed("objectives", data["objectives"], "NAME: {direction: minimize}")
        found["objectives"] = [codec.read(Objective, each) for each in wanted]
    else:
        found.pop("objectives", None)
    given = found.pop("settings", None) or {}
    if not isinstance(given, Mapping):
        raise InvalidInput("settings", given, "Write them as {kappa: 3}.")
    for name in given:
        if name in KEYS or not isinstance(name, str):
            raise InvalidInput("settings", name, "No policy has a setting of this name.")
    if data.get("policy") is not None:
        found["policy"] = _policy(data["policy"])
    return {**found, **given}


def _policy(given: object) -> str | Policy:
    if not isinstance(given, Mapping):
        return given  # type: ignore[return-value]  # create_study refuses what is not a name
    unknown = [key for key in given if key not in ("name", "settings")]
    settings = given.get("settings") or {}
    if unknown or not isinstance(given.get("name"), str) or not isinstance(settings, Mapping):
        raise InvalidInput("policy", given, "Write {name: lw-ucb, settings: {kappa: 3.0}}.")
    return by_name(given["name"], **settings)


def _space(data: Mapping[str, Any], where: str, folder: Path | None) -> AnySpace:
    chosen = [key for key in ("parameters", "arms") if data.get(key) is not None]
    if len(chosen) != 1:
        raise InvalidInput(where, chosen, "Give either parameters or arms.")
    form = "NAME: {type: float, low: 0, high: 1}"
    context = _listed("context", data.get("context") or [], form)
    if chosen == ["parameters"]:
        parameters = _listed("parameters", data["parameters"], form)
        require = data.get("require") or []
        require = [require] if isinstance(require, str) else require
        return space_from_dict(
            {"type": "space", "parameters": parameters, "context": context, "require": require}
        )
    arms = data["arms"]
    if isinstance(arms, str) and folder is not None:
        arms = _table(folder / arms)
    elif not isinstance(arms, list) or not arms:
        raise InvalidInput("arms", arms, "Give at least one arm, as a list of objects.")
    rest = {key: data[key] for key in _ARMS if data.get(key) is not None}
    return space_from_dict({"type": "arms", "arms": arms, "context": context, **rest})


def _table(path: Path) -> Any:
    if not path.is_file():
        raise InvalidInput("arms", path.name, "There is no such file beside the description.")
    try:
        return typed_spreadsheet(path)
    except InvalidInput as error:
        field = "arms" if error.field == "file" else f"arms, {error.field}"
        raise InvalidInput(field, path.name, error.remedy) from None


def _listed(field: str, given: object, form: str) -> list[dict[str, Any]]:
    if isinstance(given, list) and all(isinstance(each, Mapping) for each in given):
        return [dict(each) for each in given]
    if not isinstance(given, Mapping):
        raise InvalidInput(field, given, f"Write each as {form}.")
    found = []
    for name, fields in given.items():
        if not isinstance(fields, Mapping):
            raise InvalidInput(str(name), fields, f"Write it as {form}.")
        found.append({"name": name, **fields})
    return found
