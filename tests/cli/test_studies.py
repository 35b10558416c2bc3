"""A whole study from the terminal."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from typer.testing import CliRunner, Result

import counsel as cs
from counsel.cli import app, beliefs, history, loop, studies

STUDY = """
name: exo
objective: comfort
policy: random
seed: 3
parameters:
  lifting: {type: float, low: 0, high: 50}
  mode: {type: categorical, choices: [soft, stiff]}
"""
COMMANDS = [name for part in (studies, loop, beliefs, history) for _, name, _ in part.COMMANDS]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("COUNSEL_STORAGE", "COUNSEL_STUDY", "COUNSEL_ACTOR"):
        monkeypatch.delenv(name, raising=False)
    Path("study.yaml").write_text(STUDY)


def run(*arguments: str, input: str | None = None) -> Result:
    return CliRunner().invoke(app, list(arguments), prog_name="counsel", input=input)


def ok(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def data(*arguments: str) -> Any:
    return json.loads(ok(*arguments, "--json"))


def refused(*arguments: str, code: int = 2) -> str:
    result = run(*arguments)
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    assert result.stdout == ""
    return " ".join(result.stderr.split())


def test_a_whole_study() -> None:
    assert "Created study 'exo'" in ok("new", "study.yaml")
    assert ok("ask").startswith("p1  lifting ")
    ok("ask", "-n", "2")
    assert "ann accepts p1" in ok("accept", "p1", "--actor", "ann")
    ok("override", "p2", "lifting=20", "mode=soft", "--reason", "too stiff")
    ok("reject", "p3", "--reason", "unsafe")
    ok("tell", "p1", "1.8")
    ok("tell", "p2", "-3")
    ok("tell", "lifting=3,mode=stiff", "2.5")
    ok("compare", "p1", "p2")
    ok("compare", "lifting=3,mode=stiff", "p2", "--tie")
    ok("revise", "o1", "1.9", "--reason", "typing error")
    ok("withdraw", "o3")
    assert ok("best").startswith("1.9 at lifting ")
    shown = ok("history")
    own = 'overrode p2 with lifting 20, mode soft "too stiff"'
    for part in ("proposed lifting", own, "measured comfort 1.8 at p1"):
        assert part in shown
    for part in ("p1 over p2", "as good as p2", "corrected o1 to comfort 1.9", "withdrew o3"):
        assert part in shown
    assert "3 proposals replayed: identical." in ok("replay")
    study = cs.load_study("exo", "sqlite:///counsel.db")
    assert len(study.facts) == len(shown.splitlines()) - 1 == 13
    assert study.facts[4].reason == "too stiff"  # type: ignore[union-attr]


def test_everything_in_json() -> None:
    assert data("new", "study.yaml")["seed"] == 3
    assert data("best") is None
    assert data("history") == []
    assert [p["id"] for p in data("ask")] == ["p1"]
    assert [p["id"] for p in data("ask", "2")] == ["p2", "p3"]
    assert data("accept", "p1")["decision"] == "accept"
    override = data("override", "p2", "lifting=20", "mode=soft")
    assert override["values"] == {"lifting": 20.0, "mode": "soft"}
    assert data("reject", "p3")["kind"] == "decision"
    assert data("tell", "p1", "1.8")["outcomes"] == {"comfort": 1.8}
    assert data("compare", "p1", "p2")["winner_proposal"] == "p1"
    assert data("revise", "o1", "2")["outcomes"] == {"comfort": 2.0}
    assert data("withdraw", "r1")["fact"] == "r1"
    best = data("best")
    ids = [best[part]["id"] for part in ("observation", "proposal")]
    assert (best["value"], ids) == (1.8, ["o1", "p1"])
    assert [f["id"] for f in data("history")][:3] == ["p1", "p2", "p3"]
    assert data("list")[0]["name"] == "exo"
    assert data("replay") == {"proposals": 3, "identical": True, "differences": []}
    assert data("export", "exo.parquet")["facts"] == 10
    said = refused("import", "exo.parquet", code=3)
    assert "Give the new one another --name." in said
    assert data("import", "exo.parquet", "--name", "two") == {"study": "two", "facts": 10}
    assert data("delete", "two", "--yes") == {"deleted": True, "facts": 10}


@pytest.mark.parametrize("command", COMMANDS)
def test_help_with_an_example(command: str) -> None:
    shown = ok(command, "--help")
    assert f"Example:  counsel {command} " in shown
    assert "--json" in shown


def test_which_study_and_where(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "no study in" in refused("ask") or "no database" in refused("ask")
    assert not Path("counsel.db").exists()
    ok("new", "study.yaml")
    Path("two.yaml").write_text(STUDY.replace("exo", "two"))
    ok("new", "two.yaml")
    assert "exo, two. Choose one with --study" in refused("ask")
    assert data("ask", "--study", "two")[0]["id"] == "p1"
    monkeypatch.setenv("COUNSEL_STUDY", "two")
    monkeypatch.setenv("COUNSEL_ACTOR", "cid")
    assert data("accept", "p1")["actor"] == "cid"
    monkeypatch.setenv("COUNSEL_STORAGE", "sqlite:///other.db")
    ok("new", "study.yaml")
    assert [s["name"] for s in data("list")] == ["exo"]
    assert "'two'" in refused("ask")


def test_mistakes_get_a_sentence() -> None:
    ok("new", "study.yaml")
    ok("ask")
    cases = [
        (("new", "none.yaml"), "There is no such file", 2),
        (("new", "study.yaml"), "A study 'exo' already", 3),
        (("accept", "p9"), "has no proposal 'p9'", 2),
        (("override", "p1", "lifting=99", "mode=soft"), "lifting: got 99.", 2),
        (("override", "p1", "lifting"), "Write name=value", 2),
        (("override", "p1", "lifting=1", "lifting=2"), "given twice", 2),
        (("override", "p1"), "Missing: lifting, mode", 2),
        (("tell", "p1", "nan"), "comfort: got nan", 2),
        (("tell", "p1", "lots"), "Write one number", 2),
        (("ask", "-c", "day=1"), "context", 2),
        (("list", "--storage", "x.db"), "Did you mean 'sqlite:///x.db'", 2),
        (("export", "exo.doc"), "Use a name that ends in", 2),
        (("import", "none.json"), "There is no such file", 2),
        (("import", "none.csv", "--trials"), "There is no such file", 2),
        (("delete", "nothing"), "'nothing'", 2),
    ]
    for arguments, part, code in cases:
        assert part in refused(*arguments, code=code), arguments
    ok("accept", "p1")
    assert "already decided" in refused("reject", "p1", code=3)
    assert len(data("history")) == 2


def test_deleting_asks_first() -> None:
    ok("new", "study.yaml")
    ok("ask")
    for answer in ("n\n", "\n", ""):
        result = run("delete", "exo", input=answer)
        assert result.exit_code == 1
        assert "Remove study 'exo' with its 1 facts permanently?" in result.stderr
        assert "Nothing was removed." in result.stdout
    assert [s["name"] for s in data("list")] == ["exo"]
    assert run("delete", "exo", input="y\n").exit_code == 0
    assert data("list") == []
    assert "no studies yet" in ok("list")


def test_why() -> None:
    Path("study.yaml").write_text(STUDY.replace("random", "v-ucb"))
    ok("new", "study.yaml")
    for i, mode in enumerate(["soft", "stiff", "soft", "stiff"]):
        ok("tell", f"lifting={10 * i},mode={mode}", str(i))
    ok("ask")
    shown = ok("explain", "p1", "--actor", "ann")
    assert "exploitation" in shown
    assert "lifting" in shown
    why = data("explain", "lifting=20,mode=soft")
    assert why["proposal"] is None
    assert why["sentence"]
    for base, parts, total in zip(why["base"], why["values"], why["total"], strict=True):
        assert base + sum(parts) == pytest.approx(total)
    seen = cs.load_study("exo", "sqlite:///counsel.db").shown
    assert (seen[0].actor, seen[0].attribution.proposal) == ("ann", "p1")
    assert len(seen) == 2
    assert "p9" in refused("explain", "p9")


def test_a_repeated_request_counts_once() -> None:
    ok("new", "study.yaml")
    first = data("ask", "--key", "k")
    assert data("ask", "--key", "k") == first
    assert len(data("history")) == 1


def test_replay_says_where_it_differs() -> None:
    """Of a file that somebody has changed: a database that was changed is refused before that."""
    ok("new", "study.yaml")
    ok("ask")
    ok("export", "exo.json")
    file = json.loads(Path("exo.json").read_text())
    file["facts"][0]["values"] = {"lifting": 1.0, "mode": "soft"}
    Path("exo.json").write_text(json.dumps(file))
    ok("import", "exo.json", "--name", "changed")
    result = run("replay", "--study", "changed")
    assert result.exit_code == 1
    assert "1 differences" in result.stdout
    assert "p1 values: recorded lifting 1, mode soft; now lifting" in result.stdout


def test_past_trials_and_optuna(tmp_path: Path) -> None:
    ok("new", "study.yaml")
    table = pd.DataFrame({"Lift": [1, 2], "mode": ["soft", "stiff"], "comfort": [3, 4], "note": 0})
    table.to_csv("past.csv", index=False)
    said = ok("import", "past.csv", "--trials", "--rename", "Lift=lifting", "--actor", "ann")
    assert "past.csv in 'exo': 0 already there, 2 new." in said
    assert "Columns ignored: note." in said
    assert [f["actor"] for f in data("history")] == ["ann", "ann"]


def test_what_was_given_is_shown_with_what_was_chosen() -> None:
    Path("bread.yaml").write_text(
        "name: bread\nobjective: rise\npolicy: random\n"
        "parameters:\n  oven: {type: float, low: 180, high: 260, unit: °C}\n"
        "context:\n  humidity: {type: float, low: 0, high: 100, unit: '%'}\n"
    )
    ok("new", "bread.yaml")
    told = ok("tell", "oven=200", "5", "-c", "humidity=40")
    assert told == "o1  oven 200 °C (given humidity 40 %): rise 5.\n"
    assert "(given humidity 55 %)" in ok("ask", "-c", "humidity=55")
    ok("tell", "p1", "7")
    assert "(given humidity 55 %) (o2)" in ok("best")
    said = ok("history")
    assert "measured rise 5 at oven 200 °C given humidity 40 %" in said
    assert "given humidity 55 %" in said
    ok("ask", "-c", "humidity=60")
    assert "given humidity 60 %" in ok("pending")
    assert "at oven 200 °C" in ok("observations")
    assert "oven [°C]" in ok("table").splitlines()[0]
    assert "humidity [%]" in ok("table").splitlines()[0]
    assert ok("table", "--csv").splitlines()[0].startswith("proposal,observation,status,oven,")


def test_an_amendment_says_what_changed() -> None:
    ok("new", "study.yaml")
    said = ok("amend", "lifting", "--high", "60", "--actor", "ann")
    assert said == "a1  ann changed the space: lifting from 0 to 60.\n"
    said = ok("amend", "mode", "--add", "hard", "--actor", "ann")
    assert said == "a2  ann changed the space: mode one of soft, stiff, hard.\n"


def test_the_chance_that_a_trial_works_is_told() -> None:
    ok("new", "study.yaml")
    Path("lab.yaml").write_text(STUDY.replace("random", "v-ucb").replace("exo", "lab"))
    ok("new", "lab.yaml")
    there = ("lifting=40", "mode=soft", "--study", "lab")
    assert "Nothing is known" in ok("chances", *there)
    for lifting in (1, 2, 3, 4):
        ok("tell", f"lifting={lifting}", "mode=soft", str(lifting), "--study", "lab")
    ok("fail", "lifting=40,mode=soft", "--study", "lab")
    assert 0.0 < data("chances", *there)["success"] < 0.5
    assert "success" in ok("chances", *there)


def test_arms_and_contexts_from_a_file() -> None:
    pd.DataFrame({"a": [0.0, 1.0, 2.0], "b": ["u", "v", "u"]}).to_csv("arms.csv", index=False)
    Path("arms.yaml").write_text(
        "name: arms\npolicy: random\narms: arms.csv\n"
        "context:\n  day: {type: int, low: 1, high: 5}\n"
    )
    ok("new", "arms.yaml")
    assert data("ask", "-c", "day=2")[0]["context"] == {"day": 2}
    assert "context" in refused("ask")
    assert data("tell", "a=1,b=v", "0.5", "-c", "day=3")["values"] == {"a": 1.0, "b": "v"}


CONSTRAINED = """
name: drive
objective: progress
constraints:
  comfort: {at_least: 0}
  jerk: {at_most: 2}
policy: dmcl
seed: 2
storage: sqlite:///drive.db
arms:
  - {speed: 0.1}
  - {speed: 0.2}
  - {speed: 0.4}
"""


def test_what_a_proposal_says_is_said_at_the_terminal() -> None:
    """A risk limit without a safe point; answers as people give them."""
    Path("drive.yaml").write_text(
        "name: drive\nparameters:\n  speed: {type: float, low: 0, high: 1}\n"
        "constraints:\n  - {name: calm, answer: yes/no}\n"
        "policy: {name: dmcl, settings: {risk_limit: 0.1, safe: {speed: 0.5}}}\n"
    )
    ok("new", "drive.yaml")
    first, second = ok("ask", "2").strip().split("p2", 1)
    assert "risk limit" not in first
    assert "risk limit of 0.1 cannot be promised" in second
    assert "calm yes." in ok("tell", "p1", "1.0", "--constraint", "calm=yes")
    assert "(declared)" in ok("safe-set")
    assert "calm no." in ok("revise", "o1", "--constraint", "calm=no")


def test_a_study_with_constraints() -> None:
    """From the file to the last answer: constraints are created, asked about and told here."""
    Path("drive.yaml").write_text(CONSTRAINED)
    assert "in sqlite:///drive.db" in ok("new", "drive.yaml")
    there = ("--storage", "sqlite:///drive.db")
    bounds = data("setup", *there)["problem"]["constraints"]
    assert [(c["name"], c["at_least"], c["at_most"]) for c in bounds] == [
        ("comfort", 0.0, None),
        ("jerk", None, 2.0),
    ]
    assert "asks comfort, jerk" in ok("ask", *there)
    told = data(
        "tell", "p1", "0.7", "--constraint", "comfort=0.4", "--constraint", "jerk=1.1", *there
    )
    assert told["outcomes"] == {"progress": 0.7, "comfort": 0.4, "jerk": 1.1}
    # One question after the other: first the objective, then an answer on its own.
    second = data("ask", *there)[0]["id"]
    ok("tell", second, "0.5", *there)
    asked = data("question", second, *there)["question"]
    assert asked in ("comfort", "jerk", None)
    answer = data("tell", second, "--constraint", f"{asked or 'comfort'}=1", *there)
    assert answer["outcomes"] == {asked or "comfort": 1.0}
    revised = data("revise", answer["id"], "--constraint", f"{asked or 'comfort'}=0.5", *there)
    assert revised["outcomes"] == {asked or "comfort": 0.5}
    assert set(data("chances", "speed=0.2", *there)) == {"comfort", "jerk"}
    assert len(data("safe-sets", *there)) > 0
    assert "Write NAME=NUMBER" in refused("tell", "p1", "--constraint", "comfort", *there)
    assert "Give one number" in refused("tell", "p1", "--constraint", "jerk=yes", *there)
    assert "given twice" in refused(
        "tell", "p1", "--constraint", "jerk=1", "--constraint", "jerk=2", *there
    )


def test_numbers_and_words_in_a_file() -> None:
    """YAML as people read it: 1e-4 is a number, and `on` is a word."""
    Path("rate.yaml").write_text(
        "name: rate\npolicy: {name: lw-ucb, settings: {kappa: 3e0}}\nparameters:\n"
        "  rate: {type: float, low: 1e-4, high: 1, log: true}\n"
        "  mode: {type: categorical, choices: [on, off]}\n"
    )
    setup = data("new", "rate.yaml")
    rate, mode = setup["problem"]["space"]["parameters"]
    assert (rate["low"], rate["log"]) == (0.0001, True)
    assert mode["choices"] == ["on", "off"]
    assert "3.0" in json.dumps(setup["policy"])


def test_what_is_waiting_and_held() -> None:
    ok("new", "study.yaml")
    ok("ask", "-n", "2")
    assert [p["id"] for p in data("pending")] == ["p1", "p2"]
    assert data("proposal", "p1")["round"] == 1
    assert data("hold", "p1", "--actor", "ann", "--seconds", "60")["actor"] == "ann"
    assert [lease["proposal"] for lease in data("leases")] == ["p1"]
    assert "ann" in refused("accept", "p1", "--actor", "ben", code=3)
    assert data("release", "p1", "--actor", "ann") is None
    assert data("leases") == []
    ok("reject", "p2", "--actor", "ann")
    assert [d["decision"] for d in data("decisions")] == ["reject"]
    Path("past.json").write_text(
        json.dumps([{"values": {"lifting": 1, "mode": "soft"}, "outcomes": {"comfort": 2}}])
    )
    assert [o["id"] for o in data("tell-many", "past.json")] == ["o1"]
    assert data("tell", '{"lifting": 2, "mode": "soft"}', "1")["values"]["lifting"] == 2.0
    assert [o["id"] for o in data("observations")] == ["o1", "o2"]
    assert [row["status"] for row in data("table")] == ["proposed", "rejected", "told", "told"]
    assert ok("table", "--csv").splitlines()[0].startswith("proposal,observation,status,lifting")
    Path("past.json").write_text('[{"values": {"lifting": 1, "mode": "soft"}, "outcomes": 3}]')
    assert "outcomes: got 3" in refused("tell-many", "past.json")
    Path("past.json").write_text('[{"lifting": 3, "mode": "soft", "comfort": 2.5}]')
    assert data("tell-many", "past.json")[0]["outcomes"] == {"comfort": 2.5}
    Path("past.json").write_text('[{"values": {"lifting": 1, "mode": "soft"}, "result": 3}]')
    assert "A past trial has values, outcomes" in refused("tell-many", "past.json")


def test_the_schema() -> None:
    assert data("schema", "Proposal")["title"] == "Proposal"
    assert {"StudyFile", "Proposal", "Attribution"} <= set(data("schema"))
    assert "Choose one of" in refused("schema", "Rumour")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("- a list", "Write the keys"),
        ("name: [", "This is not valid YAML"),
        ("name: x", "either parameters or arms"),
        ("parameters: {x: {type: float, low: 0, high: 1}}", "Give the study a name"),
        ("name: x\nparameters: {x: {type: float, low: 0, high: 1}}\ncolour: red", "'colour'"),
        ("name: x\nparameters: {x: 3}", "x: got 3"),
        ("name: x\nparameters: {x: {type: flaot, low: 0, high: 1}}", "Did you mean 'float'"),
        ("name: x\nparameters: {x: {type: float, low: 2, high: 1}}", "x.low: got 2"),
        ("name: x\nparameters: [x]", "parameters: got"),
        ("name: x\narms: none.csv", "no such file beside"),
        ("name: x\npolicy: magic\nparameters: {x: {type: int, low: 0, high: 1}}", "'magic'"),
        ("name: 3\nparameters: {x: {type: int, low: 0, high: 1}}", "study name: got 3"),
        ("name: x\nname: y\nparameters: {x: {type: int, low: 0, high: 1}}", "given twice"),
        ("name: x\nparameters: {x: {type: int, low: 0, high: 1}}\nconstraints: [a]", "at_least"),
        (
            "name: x\nparameters: {x: {type: int, low: 0, high: 1}}\nconstraints: {a: {least: 1}}",
            "A constraint has name, at_least, at_most",
        ),
        (
            "name: x\npolicy: {name: ei, kapa: 1}\nparameters: {x: {type: int, low: 0, high: 1}}",
            "settings: {kappa",
        ),
        (
            "name: x\npolicy: {name: v-ucb, settings: {kapa: 1}}\n"
            "parameters: {x: {type: int, low: 0, high: 1}}",
            "'kapa'",
        ),
    ],
)
def test_files_that_describe_no_study(text: str, part: str) -> None:
    Path("bad.yaml").write_text(text)
    assert part in refused("new", "bad.yaml")
    assert not Path("counsel.db").exists()
