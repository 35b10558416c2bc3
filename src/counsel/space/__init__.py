"""Search spaces: named parameters outside, points of the unit cube inside.

``encode`` and ``decode`` are the only crossings. Every encoded column lies in [0, 1]: numbers are
scaled (after a logarithm if asked), choices are one-hot. ``Space`` is a box, ``Arms`` a finite
list; both may have context variables, which the optimizer is given and does not choose. Joint
arrays hold the parameters' columns first, then the context's.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

from counsel.errors import InvalidInput
from counsel.space.arms import Arms
from counsel.space.box import Space
from counsel.space.parameters import (
    Categorical,
    Float,
    Int,
    Parameter,
    parameters_from_list,
    parameters_schema,
)

__all__ = [
    "AnySpace",
    "Arms",
    "Categorical",
    "Float",
    "Int",
    "Parameter",
    "Space",
    "space_from_dict",
    "space_schema",
]

AnySpace: TypeAlias = Space | Arms


def space_from_dict(description: object) -> AnySpace:
    """The space that ``to_dict`` described."""
    if not isinstance(description, Mapping) or description.get("type") not in ("space", "arms"):
        raise InvalidInput("space", description, "Give a mapping with type 'space' or 'arms'.")
    context = parameters_from_list("context", description.get("context", []))
    if description["type"] == "space":
        found = parameters_from_list("parameters", description.get("parameters"))
        if "context" in found:
            raise InvalidInput("parameters", "context", "This name is reserved; rename it.")
        return Space(context=context, **found)
    return Arms(description.get("arms"), description.get("names"), context)


def space_schema() -> dict[str, Any]:
    """The JSON Schema of what ``to_dict`` describes."""
    cells = {"type": "array", "items": {"type": ["string", "number", "boolean"]}}
    parts: dict[str, dict[str, Any]] = {
        "space": {"parameters": parameters_schema()},
        "arms": {
            "names": {"type": "array", "items": {"type": "string"}},
            "arms": {"type": "array", "items": cells},
        },
    }
    return {
        "oneOf": [
            {
                "type": "object",
                "properties": {"type": {"const": kind}, **own, "context": parameters_schema()},
                "required": ["type", *own],
                "additionalProperties": False,
            }
            for kind, own in parts.items()
        ]
    }
