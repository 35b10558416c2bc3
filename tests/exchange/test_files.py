"""A whole study to a file and back: nothing is lost, whatever it holds."""

import csv
import dataclasses
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import counsel as cs
from counsel.exchange import cells, copy_study, export_study, import_study
from counsel.facts import codec

SUFFIXES = ["json", "csv", "parquet"]
# Choices that look like each other in a text file.
CHOICES = ["a", "1", 1, "true", "True", "null", "", " sp ", '"q"', "é,;\n☃", 2.5, "2.5", "[1]"]
SPACE = cs.Space(
    x=cs.Float(0, 1),
    k=cs.Int(0, 10**12),
    c=cs.Categorical(CHOICES),
    context={"day.of.week": cs.Categorical(["mon", False])},
)


def study_of_everything() -> cs.Study:
    study = cs.create_study(SPACE, policy="random", seed=3, name="été, 1")
    for choice in CHOICES:
        own = {"x": 0.1 + 0.2, "k": 10**12, "c": choice}
        study.tell(own, 1e-300, context={"day.of.week": False}, actor="1")
    for i in range(5):
        proposal = study.ask(context={"day.of.week": "mon"})
        if i == 1:
            study.override(proposal, {"x": 1, "k": 0, "c": ""}, actor="ann", reason="true")
        if i == 2:
            study.reject(proposal, reason=' a "reason"\nin two lines ')
        else:
            study.tell(proposal, -1 / 3, actor="bob")
    study.ask(context={"day.of.week": "mon"})
    study.compare(winner="p1", loser="p2", tie=True)
    study.compare(winner={"x": 0, "k": 1, "c": 1}, loser="p1", actor="-")
    study.revise("o1", 2.0)
    study.withdraw("o2", reason="5")
    return study


def exact(study: cs.Study) -> list[str]:
    """What equality does not see: 1 is no True, and 1.0 is no 1."""
    return [repr(dataclasses.asdict(fact)) for fact in study.facts]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_there_and_back(suffix: str, tmp_path: Path) -> None:
    study = study_of_everything()
    file = export_study(study, tmp_path / f"study.{suffix}")
    again = import_study(file, f"sqlite:///{tmp_path / 'study.db'}")
    assert again.setup == study.setup
    assert again.facts == study.facts
    assert sorted(exact(again)) == sorted(exact(study))
    assert again.replay().identical
    assert again.ask(context={"day.of.week": "mon"}).round == 7
    assert sorted(path.name for path in tmp_path.iterdir())[:1] != [".study.part"]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_beliefs_travel_too(suffix: str, tmp_path: Path) -> None:
    arms = cs.Arms([{"a": i / 4, "n": i, "s": "uv"[i % 2]} for i in range(5)])
    study = cs.create_study(arms, policy="v-ucb", seed=1, direction="minimize")
    for i in range(5):
        study.tell(study.ask(), float(i))
    again = import_study(export_study(study, tmp_path / f"study.{suffix}"))
    assert exact(again) == exact(study)
    a, b = study.ask(), again.ask()
    assert (a.values, a.terms, a.prediction) == (b.values, b.terms, b.prediction)


def test_of_an_empty_study(tmp_path: Path) -> None:
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), policy="random")
    for suffix in SUFFIXES:
        again = import_study(export_study(study, tmp_path / f"empty.{suffix}"))
        assert (again.setup, again.facts) == (study.setup, ())


def test_copies(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'study.db'}"
    study = study_of_everything()
    copy = copy_study(study, url, name="copy")
    assert (copy.name, copy.facts) == ("copy", study.facts)
    with pytest.raises(cs.Conflict, match="'copy'"):
        copy_study(study, url, name="copy")
    study.ask(context={"day.of.week": "mon"})
    assert len(copy.facts) == len(study.facts) - 1


cell = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()


@given(cell)
def test_cells_are_exact(value: Any) -> None:
    again = cells.read(cells.write(value))
    assert again == value
    assert type(again) is type(value)


@settings(max_examples=30)
@given(st.floats(-1e150, 1e150), st.text(min_size=1, max_size=20), st.text(max_size=20))
def test_any_number_and_text_survives_csv(value: float, actor: str, reason: str) -> None:
    from counsel.exchange import table

    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), policy="random")
    try:
        study.accept(study.ask(), actor=actor, reason=reason)
    except cs.InvalidInput:
        return
    study.tell("p1", value, actor=actor)
    setup, facts = table.from_csv(table.to_csv(study.setup, study.facts))
    assert (setup, tuple(facts)) == (study.setup, study.facts)


# ---- what is refused ----------------------------------------------------------------------------


def changed(tmp_path: Path, change: Any) -> Path:
    file = export_study(study_of_everything(), tmp_path / "study.json")
    data = json.loads(file.read_text())
    change(data)
    file.write_text(json.dumps(data))
    return file


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (lambda d: d.update(format="counsel-study/99"), "or earlier"),
        (lambda d: d.pop("setup"), "setup: got None. Missing"),
        (lambda d: d["setup"]["problem"].pop("space"), "setup.problem.space: got None"),
        (lambda d: d["facts"].pop(0), "Expected 'o1' here"),
        (lambda d: d["facts"][0].pop("outcomes"), "facts.0.observation.outcomes"),
        (lambda d: d["facts"][0].update(kind="rumour"), "Use one of proposal"),
        (lambda d: d["facts"][0]["outcomes"].update(objective=math.nan), "finite number"),
        (lambda d: d["facts"][0].update(actor=7), "Give a string"),
        (lambda d: d["facts"][0]["values"].update(x=7.0), "between 0.0 and 1.0"),
        (lambda d: d["facts"][0].update(surprise=1), "surprise: got 1. Unknown"),
        (lambda d: d["facts"][-1].update(fact="o99"), "o99"),
        (lambda d: d["setup"].update(name=""), "not empty"),
    ],
)
def test_changed_files_are_refused_whole(tmp_path: Path, change: Any, part: str) -> None:
    file = changed(tmp_path, change)
    url = f"sqlite:///{tmp_path / 'study.db'}"
    with pytest.raises(cs.CounselError, match=part):
        import_study(file, url)
    assert not (tmp_path / "study.db").exists() or cs.list_studies(url) == []


def test_a_table_of_past_trials_is_told_where_it_belongs(tmp_path: Path) -> None:
    file = tmp_path / "past.csv"
    file.write_text("x,y\n1,2\n", encoding="utf-8")
    with pytest.raises(cs.InvalidInput, match="counsel import --trials"):
        import_study(file)


def test_other_files(tmp_path: Path) -> None:
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), policy="random")
    texts = {"a.json": "{", "b.json": "[1]", "c.csv": "x,y\n1,2\n", "d.csv": "", "e.parquet": "no"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        with pytest.raises(cs.InvalidInput, match=r"^file: got"):
            import_study(tmp_path / name)
    for name in ("none.json", "none.csv", "none.parquet", "study.txt", "study"):
        with pytest.raises(cs.InvalidInput, match=r"^file: got"):
            import_study(tmp_path / name)
    with pytest.raises(cs.InvalidInput, match=r"ends in \.json"):
        export_study(study, tmp_path / "study.xlsx")
    with pytest.raises(cs.CounselError, match="Cannot write"):
        export_study(study, tmp_path / "no" / "study.json")


def test_every_fact_as_a_dict() -> None:
    for fact in study_of_everything().facts:
        assert codec.read_fact(json.loads(json.dumps(codec.write(fact)))) == fact


def test_no_cell_of_a_csv_file_is_a_formula(tmp_path: Path) -> None:
    evil = ["=1+1", "+1+1", "-2+3", "@SUM(1)", "=cmd|' /C calc'!A0", "＝1"]
    space = cs.Space(x=cs.Float(0, 1), c=cs.Categorical(evil))
    study = cs.create_study(space, name="=name", policy="random")
    for each in evil:
        study.tell({"x": 0.5, "c": each}, -1.0, actor=each)
        study.reject(study.ask(), actor=each, reason=each)
    file = export_study(study, tmp_path / "study.csv")
    with file.open(encoding="utf-8", newline="") as text:
        lines = list(csv.reader(text))
    numbers = {cell for line in lines for cell in line if _is_number(cell)}
    found = {cell for line in lines for cell in line if cell.startswith(("=", "+", "-", "@", "＝"))}
    assert found <= numbers
    assert import_study(file, f"sqlite:///{tmp_path / 'study.db'}").facts == study.facts


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def test_a_policy_that_cannot_be_built_is_refused_before_anything_is_stored(
    tmp_path: Path,
) -> None:
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), name="t")
    file = export_study(study, tmp_path / "study.json")
    data = json.loads(file.read_text())
    data["setup"]["policy"]["settings"]["unknown"] = 1
    file.write_text(json.dumps(data))
    url = f"sqlite:///{tmp_path / 'study.db'}"
    with pytest.raises(cs.InvalidInput, match="setting of 'bandit': got 'unknown'"):
        import_study(file, url)
    cs.create_study(cs.Space(x=cs.Float(0, 1)), name="other", storage=url)
    assert [summary.name for summary in cs.list_studies(url)] == ["other"]


BROKEN = "\ud800"  # half of a surrogate pair


@pytest.mark.parametrize(
    ("place", "given", "sentence"),
    [
        ("setup policy settings kernel settings lengthscale", "x", "settings of 'squared-exp"),
        ("setup policy settings kernel settings groups", "aaa", "Give a tuple|settings of"),
        ("setup policy settings reason", BROKEN, "setup.policy.settings.reason"),
        ("facts 0 note", BROKEN, "note of p1"),
        ("facts 1 reason", "a\0b", "reason of d1"),
        ("facts 2 label", BROKEN, "label of o1"),
    ],
)
def test_a_part_of_a_file_that_would_break_later_is_refused(
    tmp_path: Path, place: str, given: Any, sentence: str
) -> None:
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), name="t", policy="v-ucb")
    study.accept(study.ask())
    study.tell("p1", 1.0)
    file = export_study(study, tmp_path / "study.json")
    data = json.loads(file.read_text())
    inside = data
    *way, last = [int(part) if part.isdigit() else part for part in place.split()]
    for part in way:
        inside = inside[part]
    inside[last] = given
    file.write_text(json.dumps(data))
    with pytest.raises(cs.InvalidInput, match=sentence):
        import_study(file, f"sqlite:///{tmp_path / 'study.db'}")


def test_a_setting_of_another_kind_is_refused(tmp_path: Path) -> None:
    """In a process of its own: within the tests, types are checked when anything is called."""
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), name="t", policy="v-ucb")
    file = export_study(study, tmp_path / "study.json")
    data = json.loads(file.read_text())
    data["setup"]["policy"]["settings"]["floor"] = [[]]
    file.write_text(json.dumps(data))
    script = f"from counsel.exchange import import_study; import_study({str(file)!r})"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "setting 'floor' of 'bandit': got [[]]. Give a float" in found.stderr


def test_a_time_of_the_year_1_in_a_file_is_refused(tmp_path: Path) -> None:
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), name="t", policy="random")
    study.tell({"x": 0.5}, 1.0)
    file = export_study(study, tmp_path / "study.json")
    data = json.loads(file.read_text())
    data["facts"][0]["time"] = "0001-01-01T00:00:00+05:00"
    file.write_text(json.dumps(data))
    with pytest.raises(cs.InvalidInput, match=r"time: got .*Write times as"):
        import_study(file, None)


def test_a_table_with_lines_of_other_lengths_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "past.csv"
    file.write_text("id;act\nC1;12,5\n")
    with pytest.raises(cs.InvalidInput, match=r"line 2.*--trials"):
        import_study(file)
