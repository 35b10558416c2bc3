"""What an instrument is, said in Python, in a YAML file and to the service, is the same."""

from pathlib import Path
from typing import Any

import pytest

import counsel as cs
from counsel.exchange.description import described
from counsel.exchange.yaml_file import read_yaml, study_from_yaml
from counsel.service.api.models import StudyGiven
from counsel.study import Study

BOX = """name: reactor
objectives:
  - {name: yield}
  - {name: waste, direction: minimize, weight: 0.5}
objective: worth
constraints:
  - {name: pH, at_least: 6, at_most: 8}
policy: v-ucb
settings: {kappa: 3, initial: 8, kernel: matern, noise: 1e-2, guess: {t: 80}}
require: [a + b == 100, a <= 2 * b]
parameters:
  - {name: a, type: float, low: 0, high: 100}
  - {name: b, type: float, low: 0, high: 100, step: 5}
  - {name: t, type: int, low: 20, high: 120, step: 10, shared: true, unit: °C, description: oven}
  - {name: solvent, type: categorical, choices: [DMF, THF, water]}
  - {name: base, type: float, low: 1e-3, high: 1, log: true, when: {solvent: [DMF, THF]}}
  - {name: size, type: categorical, choices: [small, large], ordered: true}
  - name: metal
    type: categorical
    choices: [Pd, Ni, Cu]
    descriptors: {radius: [1.69, 1.49, 1.45], row: [5, 4, 4]}
context:
  - {name: subject, type: categorical, choices: [S1, S2]}
"""
ARMS = """name: library
policy: ei
label: id
log: [conc]
once: true
arms:
  - {id: C1, conc: 1e-4, kind: x}
  - {id: C2, conc: 1e-2, kind: y}
  - {id: C3, conc: 1.0, kind: x}
"""


def box() -> Study:
    space = cs.Space(
        a=cs.Float(0, 100),
        b=cs.Float(0, 100, step=5),
        t=cs.Int(20, 120, step=10, shared=True, unit="°C", description="oven"),
        solvent=cs.Categorical(["DMF", "THF", "water"]),
        base=cs.Float(1e-3, 1, log=True, when={"solvent": ["DMF", "THF"]}),
        size=cs.Categorical(["small", "large"], ordered=True),
        metal=cs.Categorical(
            ["Pd", "Ni", "Cu"], descriptors={"radius": [1.69, 1.49, 1.45], "row": [5, 4, 4]}
        ),
        context={"subject": cs.Categorical(["S1", "S2"])},
        require=["a + b == 100", "a <= 2 * b"],
    )
    return cs.create_study(
        space,
        name="reactor",
        objectives=[cs.Objective("yield"), cs.Objective("waste", "minimize", weight=0.5)],
        objective="worth",
        constraints=[cs.Constraint("pH", at_least=6, at_most=8)],
        policy="v-ucb",
        kappa=3,
        initial=8,
        kernel="matern",
        noise=1e-2,
        guess={"t": 80},
    )


def arms() -> Study:
    rows = [
        {"id": "C1", "conc": 1e-4, "kind": "x"},
        {"id": "C2", "conc": 1e-2, "kind": "y"},
        {"id": "C3", "conc": 1.0, "kind": "x"},
    ]
    space = cs.Arms(rows, label="id", log=["conc"], once=True)
    return cs.create_study(space, name="library", policy="ei")


@pytest.mark.parametrize(("text", "made"), [(BOX, box), (ARMS, arms)])
def test_a_file_and_a_request_say_what_python_says(text: str, made: Any, tmp_path: Path) -> None:
    file = tmp_path / "study.yaml"
    file.write_text(text, encoding="utf-8")
    given = StudyGiven.model_validate(read_yaml(file)).model_dump(exclude_none=True)
    mine = made()
    for other in (study_from_yaml(file), cs.create_study(**described(given, where="study"))):
        assert other.setup.problem == mine.setup.problem
        assert other.setup.policy == mine.setup.policy
        context = {"subject": "S1"} if mine.problem.space.context else None
        assert other.ask(context=context).values == mine.ask(context=context).values
        mine = made()
