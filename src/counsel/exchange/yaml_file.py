"""A new study, described in a YAML file.

    name: exosuit-07
    objective: comfort          # what is measured
    direction: maximize
    policy: v-ucb
    seed: 0
    parameters:
      lifting: {type: float, low: 0, high: 50}
      mode: {type: categorical, choices: [soft, stiff]}
    context:                    # given in every round, not chosen
      day: {type: int, low: 1, high: 5}

Instead of `parameters`, `arms: candidates.csv` names a table of candidates beside the file.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from counsel.errors import InvalidInput
from counsel.space import AnySpace, space_from_dict
from counsel.storage import Storage
from counsel.study import Study, create_study

__all__ = ["study_from_yaml"]

_KEYS = ("name", "objective", "direction", "policy", "seed", "parameters", "arms", "context")


def study_from_yaml(path: str | Path, storage: str | Storage | None = None) -> Study:
    """Create the study that a file describes."""
    source = Path(path)
    data = _load(source)
    unknown = [key for key in data if key not in _KEYS]
    if unknown:
        raise InvalidInput(f"{source.name}", unknown[0], f"Use the keys {', '.join(_KEYS)}.")
    if "name" not in data:
        raise InvalidInput(f"{source.name}", sorted(data), "Give the study a name.")
    given = {key: data[key] for key in data if key not in ("parameters", "arms", "context")}
    return create_study(_space(data, source), storage=storage, **given)


def _load(source: Path) -> dict[str, Any]:
    import yaml

    if not source.is_file():
        raise InvalidInput("file", str(source), "There is no such file.")
    try:
        data = yaml.safe_load(source.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        said = " ".join(str(error).split())
        raise InvalidInput("file", str(source), f"It is no YAML: {said}.") from None
    if not isinstance(data, dict):
        raise InvalidInput("file", str(source), f"Write the keys {', '.join(_KEYS)}.")
    return data


def _space(data: dict[str, Any], source: Path) -> AnySpace:
    if ("arms" in data) == ("parameters" in data):
        raise InvalidInput(f"{source.name}", sorted(data), "Give either parameters or arms.")
    context = _list("context", data.get("context") or {})
    if "parameters" in data:
        described = _list("parameters", data["parameters"])
        return space_from_dict({"type": "space", "parameters": described, "context": context})
    arms = data["arms"]
    if isinstance(arms, str):
        import pandas as pd

        table = source.parent / arms
        if not table.is_file():
            raise InvalidInput("arms", arms, "There is no such file beside the description.")
        arms = pd.read_parquet(table) if table.suffix == ".parquet" else pd.read_csv(table)
    return space_from_dict({"type": "arms", "arms": arms, "context": context})


def _list(field: str, described: object) -> list[dict[str, Any]]:
    if not isinstance(described, Mapping):
        raise InvalidInput(field, described, "Write each as NAME: {type: float, low: 0, high: 1}.")
    found = []
    for name, fields in described.items():
        if not isinstance(fields, Mapping):
            raise InvalidInput(
                str(name), fields, "Write it as NAME: {type: float, low: 0, high: 1}."
            )
        found.append({"name": name, **fields})
    return found
