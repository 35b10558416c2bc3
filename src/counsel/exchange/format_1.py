"""Converts files of format 1 to the current format.

The setup was flat, with the objective's name and direction beside the constraints, and a
proposal's prediction was a pair.
"""

from collections.abc import Mapping
from typing import Any

__all__ = ["FORMAT", "upgrade_fact", "upgrade_setup"]

FORMAT = 1


def upgrade_setup(data: Mapping[str, Any]) -> dict[str, Any]:
    flat = dict(data)
    objective = {"name": flat.pop("objective"), "direction": flat.pop("direction")}
    problem = {
        "space": flat.pop("space"),
        "objective": objective,
        "constraints": flat.pop("constraints"),
    }
    return {**flat, "problem": problem}


def upgrade_fact(data: Any) -> Any:
    believed = data.get("prediction") if isinstance(data, Mapping) else None
    if isinstance(believed, list) and len(believed) == 2:
        return {**data, "prediction": {"mean": believed[0], "sd": believed[1]}}
    return data
