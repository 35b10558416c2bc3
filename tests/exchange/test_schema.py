"""The published JSON Schema: real documents are valid, broken ones are not."""

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import counsel as cs
from counsel.exchange import export_study
from counsel.exchange.document import from_json
from counsel.exchange.schema import records, schema, schemas
from counsel.facts import codec


@pytest.fixture(scope="module")
def study() -> cs.Study:
    space = cs.Space(x=cs.Float(0, 1), c=cs.Categorical(["u", True]), context={"day": cs.Int(1, 5)})
    bounds = [cs.Constraint("calm", at_least=0.0)]
    made = cs.create_study(space, policy="random", constraints=bounds)
    first = made.ask(context={"day": 1})
    made.override(first, {"x": 0.5, "c": True}, actor="ann", reason="warmer")
    made.tell(first, 1.0, constraints={"calm": 0.5})
    second = made.ask(context={"day": 1})
    made.compare(winner=first, loser=second)
    made.revise("o1", 2.0)
    made.withdraw("r1")
    return made


@pytest.fixture(scope="module")
def document(study: cs.Study, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    file: Path = tmp_path_factory.mktemp("schema") / "study.json"
    found: dict[str, Any] = json.loads(export_study(study, file).read_text())
    return found


@pytest.mark.parametrize("name", records())
def test_every_schema_is_one(name: str) -> None:
    found = schema(name)
    jsonschema.Draft202012Validator.check_schema(found)
    assert found == schemas()[name]
    assert found["additionalProperties"] is False


def test_a_study_file_is_valid(document: dict[str, Any]) -> None:
    jsonschema.validate(document, schema("StudyFile"))


def test_every_answer_is_valid(study: cs.Study) -> None:
    found = [*study.facts, study.setup, study.best, study.replay()]
    for record in found:
        jsonschema.validate(codec.write(record), schema(type(record).__name__))


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.update(format="counsel-study/1"),
        lambda d: d.update(more=1),
        lambda d: d.pop("setup"),
        lambda d: d["setup"].pop("seed"),
        lambda d: d["setup"]["problem"]["space"].update(type="ball"),
        lambda d: d["setup"]["problem"]["space"]["parameters"][0].update(low="0"),
        lambda d: d["setup"]["problem"]["objective"].update(direction="sideways"),
        lambda d: d["facts"][0].update(kind="rumour"),
        lambda d: d["facts"][0].update(surprise=1),
        lambda d: d["facts"][0]["values"].update(x=None),
        lambda d: d["facts"][0].update(prediction=[1.0, 2.0]),
        lambda d: d["facts"][1].update(decision="perhaps"),
        lambda d: d["facts"][2]["outcomes"].update(objective="1"),
        lambda d: d["facts"][2].pop("actor"),
    ],
)
def test_a_broken_file_is_neither_valid_nor_read(document: dict[str, Any], change: Any) -> None:
    broken = copy.deepcopy(document)
    change(broken)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, schema("StudyFile"))
    with pytest.raises(cs.InvalidInput):
        from_json(json.dumps(broken))
