"""Search spaces: named parameters outside, points of the unit cube inside.

``encode`` and ``decode`` are the only crossings. Every encoded column lies in [0, 1]: numbers are
scaled (after a logarithm if asked), choices are one-hot. ``Space`` is a box, ``Arms`` a finite
list; both may have context variables, which the optimizer is given and does not choose. Joint
arrays hold the parameters' columns first, then the context's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from counsel.errors import InvalidInput
from counsel.space.arms import Arms
from counsel.space.box import Space
from counsel.space.checks import one_of
from counsel.space.parameters import (
    Categorical,
    Float,
    Int,
    Parameter,
    check_parameters,
    parameters_from_list,
    parameters_schema,
    parameters_to_list,
)
from counsel.space.requirements import Require, predicate

__all__ = [
    "AnySpace",
    "Arms",
    "Categorical",
    "Float",
    "Int",
    "Parameter",
    "Require",
    "Space",
    "amended",
    "predicate",
    "space_from_dict",
    "space_schema",
    "widened",
]

AnySpace: TypeAlias = Space | Arms
_OPTIONAL = ("require", "log", "label", "labels", "once")


def space_from_dict(description: object) -> AnySpace:
    """The space that ``to_dict`` described."""
    if not isinstance(description, Mapping) or description.get("type") not in ("space", "arms"):
        raise InvalidInput("space", description, "Give a mapping with type 'space' or 'arms'.")
    context = parameters_from_list("context", description.get("context", []))
    if description["type"] == "space":
        found = parameters_from_list("parameters", description.get("parameters"))
        if "context" in found:
            raise InvalidInput("parameters", "context", "This name is reserved; rename it.")
        if "require" in found:  # a parameter of that name came before requirements
            return Space(context=context, **found)
        return Space(context=context, require=description.get("require", ()), **found)
    return _arms(description, context)


def _arms(description: Mapping[str, Any], context: Mapping[str, Parameter]) -> Arms:
    label, names, rows = (description.get(key) for key in ("label", "names", "arms"))
    labels = description.get("labels")
    options = {"log": description.get("log") or (), "once": description.get("once", False)}
    if label is None or labels is None:
        return Arms(rows, names, context, label=label, **options)
    if not isinstance(rows, list) or not isinstance(names, list) or len(rows) != len(labels):
        raise InvalidInput("labels", labels, "Give one for each arm.")
    whole = [[each, *row] for each, row in zip(labels, rows, strict=True)]
    return Arms(whole, [label, *names], context, label=label, **options)


def amended(space: AnySpace, changes: "AnySpace | Mapping[str, Parameter]") -> AnySpace:
    """The space with some parameters or context variables put in place of those of the same name,
    or a whole other one with the same names, of the same kinds."""
    if isinstance(changes, Mapping):
        own = {} if isinstance(space, Arms) else space.parameters
        unknown = [name for name in changes if name not in own and name not in space.context]
        if unknown and isinstance(space, Arms):
            raise InvalidInput("changes", changes, "Give a whole list of arms, old and new.")
        if unknown:
            known = (*space.names, *space.context_names)
            raise InvalidInput("changes", unknown[0], one_of(unknown[0], known))
        check_parameters("changes", changes)
        described = space.to_dict()
        for key, before in (("parameters", own), ("context", space.context)):
            if before:
                new = {name: changes.get(name, each) for name, each in before.items()}
                described[key] = parameters_to_list(new)
        changes = space_from_dict(described)
    if changes == space:
        raise InvalidInput("changes", changes, "This changes nothing.")
    same = (
        type(changes) is type(space)
        and changes.names == space.names
        and changes.context_names == space.context_names
        and _kinds(changes) == _kinds(space)
    )
    if not same:
        raise InvalidInput(
            "changes",
            changes,
            f"Keep the names and kinds of the space: {space}. For another space, start a study.",
        )
    return changes


def widened(
    space: AnySpace, name: str, low: float | None, high: float | None, levels: Sequence[str]
) -> AnySpace:
    """The space with other bounds or further levels of one parameter or context variable."""
    own = {} if isinstance(space, Arms) else space.parameters
    parameter = own.get(name) or space.context.get(name)
    if parameter is None and isinstance(space, Arms):
        raise InvalidInput("parameter", name, "Arms have no bounds; give the whole list anew.")
    if parameter is None:
        raise InvalidInput("parameter", name, one_of(name, (*own, *space.context)))
    if isinstance(parameter, Categorical):
        if low is not None or high is not None or not levels:
            raise InvalidInput("parameter", name, "It has levels and no bounds: add a level.")
        return amended(space, {name: replace(parameter, choices=(*parameter.choices, *levels))})
    if levels or (low is None and high is None):
        raise InvalidInput("parameter", name, "It has bounds and no levels: give low or high.")
    bounds = {"low": low, "high": high}
    given = {end: number for end, number in bounds.items() if number is not None}
    return amended(space, {name: replace(parameter, **given)})  # type: ignore[arg-type]


def _kinds(space: AnySpace) -> list[object]:
    if isinstance(space, Arms):
        own: list[object] = [space.labels(name) is None for name in space.names]
    else:
        own = [type(parameter) for parameter in space.parameters.values()]
    return [*own, *(type(parameter) for parameter in space.context.values())]


def space_schema() -> dict[str, Any]:
    """The JSON Schema of what ``to_dict`` describes."""
    cells = {"type": "array", "items": {"type": ["string", "number", "boolean"]}}
    parts: dict[str, dict[str, Any]] = {
        "space": {
            "parameters": parameters_schema(),
            "require": {"type": "array", "items": {"type": "string"}},
        },
        "arms": {
            "names": {"type": "array", "items": {"type": "string"}},
            "arms": {"type": "array", "items": cells},
            "log": {"type": "array", "items": {"type": "string"}},
            "label": {"type": "string"},
            "labels": {"type": "array", "items": {"type": "string"}},
            "once": {"type": "boolean"},
        },
    }
    return {
        "oneOf": [
            {
                "type": "object",
                "properties": {"type": {"const": kind}, **own, "context": parameters_schema()},
                "required": ["type", *(name for name in own if name not in _OPTIONAL)],
                "additionalProperties": False,
            }
            for kind, own in parts.items()
        ]
    }
