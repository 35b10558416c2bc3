"""Reads the description of a new study from a YAML file.

    name: exosuit-07
    objective: speed            # what is measured
    direction: maximize
    constraints:                # what must hold
      comfort: {at_least: 0}
      jerk: {at_most: 2}
    policy: dmcl                # or {name: lw-ucb, settings: {kappa: 3}}
    seed: 0
    storage: sqlite:///lab.db
    parameters:
      lifting: {type: float, low: 0, high: 50}
      rate: {type: float, low: 1e-4, high: 1, log: true}
      mode: {type: categorical, choices: [soft, stiff]}
    context:                    # given in every round, not chosen
      day: {type: int, low: 1, high: 5}

Several objectives are weighed, but for those with a bound; `tradeoff: comparisons` learns weights:

    objectives:
      yield: {direction: maximize, weight: 1}
      cost: {direction: minimize, weight: 2.5}
      waste: {direction: minimize, at_most: 10}

Instead of `parameters`, `arms: candidates.csv` names a table of candidates beside the file.
"""

import re
from pathlib import Path
from typing import Any, ClassVar

from counsel.errors import InvalidInput
from counsel.exchange.description import KEYS, described
from counsel.storage import Storage
from counsel.study import Study, create_study

__all__ = ["arguments_from_yaml", "read_yaml", "study_from_yaml"]

_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_BOOL = re.compile("true|True|TRUE|false|False|FALSE")


def study_from_yaml(
    path: str | Path,
    storage: str | Storage | None = None,
    *,
    idempotency_key: str | None = None,
) -> Study:
    """Create the study that a file describes; `storage` overrides the file's."""
    given = {"storage": storage, "idempotency_key": idempotency_key}
    arguments = arguments_from_yaml(Path(path))
    return create_study(**arguments | {name: each for name, each in given.items() if each})


def arguments_from_yaml(source: Path) -> dict[str, Any]:
    """The arguments of `create_study` that a file describes."""
    return described(read_yaml(source), where=source.name, folder=source.parent)


def read_yaml(source: Path) -> dict[str, Any]:
    """The keys and values of a YAML file, read as YAML 1.2."""
    import yaml

    if not source.is_file():
        raise InvalidInput("file", str(source), "There is no such file.")
    try:
        data = yaml.load(source.read_text(encoding="utf-8"), _loader(yaml))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        found = " ".join(str(error).split())
        raise InvalidInput("file", str(source), f"This is not valid YAML: {found}.") from None
    if not isinstance(data, dict):
        raise InvalidInput("file", str(source), f"Write the keys {', '.join(KEYS)}.")
    return data


def _loader(yaml: Any) -> Any:
    """PyYAML reads YAML 1.1, where 1e-4 is a string, `on` is true and 1:30 is 90."""

    class Loader(yaml.SafeLoader):  # type: ignore[misc]
        yaml_implicit_resolvers: ClassVar[dict[Any, Any]] = {}

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            names = [self.construct_object(key, deep=True) for key, _ in node.value]
            for name in names:
                if names.count(name) > 1:
                    raise yaml.YAMLError(f"{name!r} is given twice")
            return super().construct_mapping(node, deep)

        def construct_bool(self, node: Any) -> bool:
            return str(self.construct_scalar(node)).lower() == "true"

    whole = re.compile(r"[-+]?[0-9]+")
    for tag, pattern in (
        ("bool", _BOOL),
        ("int", whole),
        ("float", _FLOAT),
        ("null", re.compile("null|Null|NULL|~|")),
    ):
        anchored = re.compile(f"(?:{pattern.pattern})$")
        Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", anchored, None)
    Loader.add_constructor("tag:yaml.org,2002:bool", Loader.construct_bool)
    Loader.add_constructor(
        "tag:yaml.org,2002:int", lambda loader, node: int(loader.construct_scalar(node))
    )
    return Loader
