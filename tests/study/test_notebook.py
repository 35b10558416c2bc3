"""Three weeks in a laboratory, by Python and by the command line alone."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import counsel as cs
from counsel.cli import app
from counsel.exchange import import_trials

pytestmark = pytest.mark.xdist_group("laboratory")  # two long stories: begun early
HEADING = "run;base;acid;salt;temperature;yield;yield sem;waste;waste sem;purity\n"
DESCRIPTION = """name: notebook
objective: worth
objectives:
  yield: {direction: maximize}
  waste: {direction: minimize, weight: 0.5}
seed: 7
constraints:
  purity: {at_least: 90, at_most: 99}
require: [base + acid + salt == 100]
policy: v-ucb
settings: {kappa: 2, kernel: matern}
parameters:
  base: {type: float, low: 0, high: 100}
  acid: {type: float, low: 0, high: 60}
  salt: {type: float, low: 0, high: 50, step: 5}
  temperature: {type: float, low: 20, high: 80, shared: true}
"""


SEM = {"yield": 0.5, "waste": 0.1}
WORTH = 1.0  # a gain for which another trial would be made


def measured(values: Any) -> dict[str, float]:
    warm = (values["temperature"] - 75) / 60
    gain = 80 - 60 * warm**2 - ((values["base"] - 55) / 10) ** 2 - (values["salt"] - 20) ** 2 / 40
    purity = 96 - 0.1 * values["acid"] - 5 * max(0.0, warm)
    return {"yield": float(gain), "waste": 0.2 * values["acid"], "purity": float(purity)}


def works(values: Any) -> bool:
    return bool(values["salt"] <= 40)


def rows(count: int) -> str:
    """So many runs of last year, as a spreadsheet with decimal commas has them."""
    rng = np.random.default_rng(12)
    lines = []
    for run in range(1, count + 1):
        salt = 5.0 * int(rng.integers(0, 9))
        acid = round(float(rng.uniform(0, 60)), 1)
        temperature = round(float(rng.uniform(20, 80)), 1)
        values = {"base": 100 - salt - acid, "acid": acid, "salt": salt, "temperature": temperature}
        gain, waste, purity = (round(each, 2) for each in measured(values).values())
        cells = [*values.values(), gain, 0.5, waste, 0.1, purity]
        lines.append(";".join([f"R{run}", *(f"{cell}".replace(".", ",") for cell in cells)]))
    return HEADING + "\n".join(lines) + "\n"


def test_three_weeks_in_python(tmp_path: Path) -> None:
    from counsel.exchange import study_from_yaml

    file, table = tmp_path / "study.yaml", tmp_path / "past.csv"
    file.write_text(DESCRIPTION)
    study = study_from_yaml(file, f"sqlite:///{tmp_path / 'lab.db'}")
    # The first week: what is known, and known again.
    table.write_text(rows(60))
    assert import_trials(study, table, label="run").sentence() == "0 already there, 60 new."
    table.write_text(rows(61))
    assert import_trials(study, table, label="run").sentence() == "60 already there, 1 new."
    # The second: a batch at one temperature, a failure, a changed mind, a lost sample.
    assert study.outlook(worth=WORTH).chance > 0.5  # worth going on
    batch = study.ask(8)
    assert len({proposal.values["temperature"] for proposal in batch}) == 1
    for proposal in batch:
        assert (
            abs(proposal.values["base"] + proposal.values["acid"] + proposal.values["salt"] - 100)
            < 1e-9
        )
        assert proposal.values["salt"] % 5 == 0
    study.accept(batch[0], actor="ann")
    study.reject(batch[0], radius=0.1, actor="ann", reason="out of acid", replace=True)
    study.abandon(batch[1], actor="ben", reason="dropped it")
    study.fail(batch[2], actor="ben", reason="it clotted")
    for proposal in batch[3:]:
        study.tell(proposal, measured(proposal.values), sem=SEM, actor="ben")
    again = measured(batch[3].values)
    again["yield"] += 0.3
    study.tell(batch[3], again, sem={"yield": 1.0, "waste": 0.2}, repeat=True, actor="ann")
    # The third: a better oven, and when to stop.
    study.amend({"temperature": cs.Float(20, 110, shared=True)}, actor="ann", reason="a new oven")
    assert "still to be gained" in study.outlook(worth=WORTH).sentence()
    rounds = 0
    while (outlook := study.outlook(worth=WORTH)).warning or outlook.chance > 0.05:
        rounds += 1
        assert rounds < 20, outlook.sentence()
        proposal = study.ask()
        if works(proposal.values):
            study.tell(proposal, measured(proposal.values), sem=SEM)
        else:
            study.fail(proposal, reason="it clotted")
    assert outlook.explained > 0.5
    study.archive(actor="ann", reason=outlook.sentence())
    with pytest.raises(cs.Conflict, match="archived"):
        study.ask()
    assert study.best is not None
    assert study.best.value > 67
    front = study.front()
    assert front.objectives == ("yield", "waste")
    assert len(front.trials) > 1
    assert study.best.value <= max(trial.value or 0.0 for trial in front.trials)
    assert study.replay().identical
    table_of_trials = study.dataframe()
    kept = {"accepted", "rejected", "abandoned", "failed", "told"}
    assert set(table_of_trials["status"]) == kept
    assert "it clotted" in set(table_of_trials["reason"])


def test_three_weeks_at_the_command_line(tmp_path: Path) -> None:
    file, table = tmp_path / "study.yaml", tmp_path / "past.csv"
    file.write_text(DESCRIPTION)

    def counsel(*words: str, json_answer: bool = True) -> Any:
        line = [*words, "--storage", f"sqlite:///{tmp_path / 'lab.db'}"]
        result = CliRunner().invoke(app, [*line, "--json"] if json_answer else line)
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout) if json_answer else result.stdout

    counsel("new", str(file), json_answer=False)
    for count, sentence in ((60, "0 already there, 60 new."), (61, "60 already there, 1 new.")):
        table.write_text(rows(count))
        said = counsel("import", str(table), "--trials", "--label", "run", json_answer=False)
        assert sentence in said
    batch = counsel("ask", "-n", "8")
    assert len({proposal["values"]["temperature"] for proposal in batch}) == 1
    for proposal in batch:
        values = proposal["values"]
        assert abs(values["base"] + values["acid"] + values["salt"] - 100) < 1e-9
    ids = [proposal["id"] for proposal in batch]

    def tell(proposal: Any, *words: str) -> None:
        gain, waste, purity = measured(proposal["values"]).values()
        said = [f"yield={gain},waste={waste}", "--constraint", f"purity={purity}"]
        counsel("tell", proposal["id"], *said, "--sem", "yield=0.5", "--sem", "waste=0.1", *words)

    counsel("accept", ids[0])
    counsel("reject", ids[0], "--replace", "--radius", "0.1", "--reason", "out of acid")
    counsel("abandon", ids[1])
    counsel("fail", ids[2], "--reason", "it clotted")
    for proposal in batch[3:]:
        tell(proposal)
    tell(batch[3], "--repeat")
    assert counsel("front")["objectives"] == ["yield", "waste"]
    assert "Worth of one unit: yield 1, waste 0.5" in counsel("front", json_answer=False)
    counsel("amend", "temperature", "--high", "110", "--reason", "a new oven")
    assert counsel("problem")["space"]["parameters"][3]["high"] == 110
    assert counsel("pending") == []
    assert len(counsel("failures")) == 1
    assert counsel("predict", "base=50,acid=30,salt=20,temperature=100")[0]["sd"] > 0
    assert "still to be gained" in counsel("outlook", "--worth", "1", json_answer=False)
    rounds = 0
    while (outlook := counsel("outlook", "--worth", "1"))["warning"] or outlook["chance"] > 0.05:
        rounds += 1
        assert rounds < 20, outlook
        (proposal,) = counsel("ask")
        if works(proposal["values"]):
            tell(proposal)
        else:
            counsel("fail", proposal["id"], "--reason", "it clotted")
    assert rounds > 0
    counsel("archive", "--reason", "hardly anything is left to gain")
    assert "identical" in counsel("replay", "--study", "notebook", json_answer=False)
    table_of_trials = counsel("table", "--csv", "--study", "notebook", json_answer=False)
    assert table_of_trials.startswith("proposal,observation,status")
    assert "it clotted" in table_of_trials
