"""Whether docs/laboratory.md says rightly what other tools call things.

Every name in the last column of its table is looked up in the source code of the package that it is
said to be from, and some of what is said of them is tried. Where they are installed:

    python -m benchmarks.words
"""

import importlib.metadata
import importlib.util
import logging
import re
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PACKAGES = {"Optuna": "optuna", "Ax": "ax", "BayBE": "baybe"}
DISTRIBUTIONS = {"Ax": "ax-platform"}
TABLE = Path(__file__).parents[1] / "docs" / "laboratory.md"


def names() -> Iterator[tuple[str, str]]:
    """Each tool with a name that it is said to use."""
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if not line.startswith("| ") or line.count(" | ") < 2:
            continue
        cell = line.rstrip(" |").split(" | ")[-1]
        tool = ""
        for part in re.findall(r"`[^`]+`|\b(?:Optuna|Ax|BayBE)\b", cell):
            if part in PACKAGES:
                tool = part
            elif tool and (found := re.search(r"[A-Za-z_]\w{3,}", part)):
                yield tool, found.group()


def missing() -> list[tuple[str, str]]:
    """Names that do not occur in the package that they are said to be from."""
    found = []
    sources = {tool: _source(package) for tool, package in PACKAGES.items()}
    for tool, name in names():
        if not re.search(rf"\b{name}\b", sources[tool]):
            found.append((tool, name))
    return found


def _source(package: str) -> str:
    spec = importlib.util.find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    files = sorted(Path(spec.origin).parent.rglob("*.py"))
    return "\n".join(each.read_text(encoding="utf-8", errors="ignore") for each in files)


def tried() -> Iterator[tuple[str, bool]]:
    """What is said of them, and whether it is so."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    scale = optuna.distributions.FloatDistribution(0, 2)
    past = optuna.trial.create_trial(params={"x": 1.0}, distributions={"x": scale}, value=1.0)
    study: Any = optuna.create_study()
    for _ in range(2):
        study.add_trials([past])
    yield "Optuna: the same trial twice is counted twice", len(study.trials) == 2
    trial = study.ask()
    yield "Optuna: other bounds may follow", 0 <= trial.suggest_float("x", 0, 5) <= 5
    trial.suggest_categorical("kind", ["a"])
    study.tell(trial, 1.0)
    yield (
        "Optuna: categories are fixed",
        _refuses(study.ask().suggest_categorical, "kind", ["a", "b"]),
    )

    import pandas as pd
    from baybe import Campaign
    from baybe.parameters import NumericalContinuousParameter
    from baybe.targets import NumericalTarget

    campaign = Campaign(
        NumericalContinuousParameter("x", (0, 1)).to_searchspace(), NumericalTarget("y")
    )
    for _ in range(2):
        campaign.add_measurements(pd.DataFrame({"x": [0.5], "y": [1.0]}))
    yield "BayBE: the same trial twice is counted twice", len(campaign.measurements) == 2

    from ax.api.client import Client
    from ax.api.configs import RangeParameterConfig
    from ax.service.ax_client import AxClient

    box = [RangeParameterConfig(name=n, parameter_type="float", bounds=(0, 1)) for n in "ab"]
    equation = ["a + b == 1"]
    refused = _refuses(
        Client().configure_experiment, parameters=box, parameter_constraints=equation
    )
    yield "Ax: Client takes inequalities only", refused
    plain: list[Any] = [{"name": n, "type": "range", "bounds": [0.0, 1.0]} for n in "ab"]
    AxClient().create_experiment(parameters=plain, parameter_constraints=equation)
    yield "Ax: AxClient takes equalities", True
    client = Client()
    client.configure_experiment(parameters=box)
    client.configure_optimization(
        objective="gain - 4 * cost", outcome_constraints=["pH >= 6", "pH <= 8"]
    )
    same = [client.attach_trial({"a": 0.5, "b": 0.5}) for _ in range(2)]
    yield "Ax: the same trial twice is counted twice", same[0] != same[1]
    client.complete_trial(same[0], raw_data={"gain": (1.0, 0.1), "cost": 1.0, "pH": 7.0})
    yield "Ax: an objective of several, two bounds, (mean, sem)", True


def _refuses(function: Any, *args: Any, **options: Any) -> bool:
    try:
        function(*args, **options)
    except Exception:
        return True
    return False


def main() -> None:
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    absent = [
        tool for tool, package in PACKAGES.items() if importlib.util.find_spec(package) is None
    ]
    if absent:
        sys.exit(f"Not installed here: {', '.join(absent)}.")
    for tool in PACKAGES:
        print(tool, importlib.metadata.version(DISTRIBUTIONS.get(tool, PACKAGES[tool])))
    gone = missing()
    print(f"{len(list(names()))} names, not found: {gone or 'none'}")
    wrong = [said for said, so in tried() if not so]
    print(f"not so: {wrong or 'nothing'}")
    sys.exit(1 if gone or wrong else 0)


if __name__ == "__main__":
    main()
