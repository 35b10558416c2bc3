"""What the terminal says is in its own language: options and file keys, no Python."""

import re
from pathlib import Path

import pytest

import counsel as cs
from cli.test_studies import STUDY, ok, refused
from counsel.cli.output import shown
from counsel.facts.cards import summands

# What only a Python programmer would understand, and what a driver is called.
_PYTHON = re.compile(
    r"\w=(True|False|None)\b|\bNone\b|counsel\.[A-Z]|\bcs\.|[A-Z]\w+\(|\w+_if_exists|load_study"
    r"|create_study|pysqlite|psycopg\b|\{'"
)


@pytest.fixture(autouse=True)
def _study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("COUNSEL_STORAGE", "COUNSEL_STUDY", "COUNSEL_ACTOR"):
        monkeypatch.delenv(name, raising=False)
    Path("study.yaml").write_text(STUDY)
    ok("new", "study.yaml")
    ok("ask")
    ok("accept", "p1")


@pytest.mark.parametrize(
    ("command", "code", "part"),
    [
        ("new study.yaml", 3, "already exists in sqlite:///counsel.db. Add --resume to go on"),
        ("accept p1", 3, "to decide anew, or decide with --replace."),
        ("list --storage lab.db", 2, "Did you mean 'sqlite:///lab.db'?"),
        ("list --storage sqlite://", 2, "Name a file: sqlite:///file.db."),
        ("list --storage sqlite:///gone.db", 2, "There is no database sqlite:///gone.db."),
        ("list --storage mysql://ann:secret@host/lab", 2, "mysql://ann:***@host/lab"),
        ("tell p1", 2, "comfort: got nothing. Give one number."),
        ("ask 3 -n 2", 2, "n: got 2. 3 was given as well"),
        ("ask 0", 2, "n: got 0"),
        ("tell p1 much", 2, "Write one number"),
        ("predict lifting=20", 2, "got lifting=20. Missing: mode."),
        ("predict liftin=20 mode=soft", 2, "Did you mean 'lifting'?"),
        ("what-if lifting=20,mode=sof", 2, "Did you mean 'soft'?"),
        ("override p1 lifting=200 mode=soft", 2, "between 0.0 and 50.0"),
        ("amend lifting --low 60", 2, "Give a value below high"),
        ("amend liftin --low 6", 2, "Did you mean 'lifting'?"),
        ("explain p1 --instead-of p1 --background lifting=1,mode=soft", 2, "Leave it out"),
        ("verify --storage sqlite:///gone.db", 2, "There is no database"),
        ("list --storage sqlite:///gone/lab.db", 2, "or make the folder"),
        ("comment p9 late", 2, "no fact 'p9'. See its history."),
        ("predict 20 5", 2, "point: got '20'. Name the parameters: lifting=...,mode=...."),
        ("predict lifting=20,5 mode=soft", 2, "lifting: got '20,5'. Write a decimal point: 20.5."),
        ("tell p1 1,5", 2, "value: got '1,5'. Write a decimal point: 1.5."),
        ("tell lifting=1 mode=soft 2 3", 2, "value: got '2 3'. Give one value after the trial"),
        ("create study.yaml", 2, "No such command 'create'. Did you mean 'new'?"),
        ("tell p1 1,500", 2, "write 1.234 or 1234"),
    ],
)
def test_a_refusal_is_in_the_language_of_the_terminal(command: str, code: int, part: str) -> None:
    said = refused(*command.split(), code=code)
    assert part in said
    assert not _PYTHON.search(said), said
    assert "secret" not in said


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (("objective:", "objectiv:"), "Unknown key. Use one of: .* Did you mean 'objective'?"),
        (("low: 0", "lo: 0"), "lifting: got 'lo'. Unknown key. .* Did you mean 'low'?"),
        (("type: float", "type: flaot"), "Did you mean 'float'?"),
        (("policy: random", "policy: v-ubc"), "Did you mean 'v-ucb'?"),
        (("low: 0, high: 50", "low: 0, high: 50, log: true"), "Raise it, or leave log out"),
        (("name: exo", "name: other\nload_if_exists: maybe"), "load_if_exists: got 'maybe'"),
    ],
)
def test_a_file_with_a_mistake_is_refused_by_its_keys(change: tuple[str, str], part: str) -> None:
    Path("other.yaml").write_text(STUDY.replace(*change))
    said = refused("new", "other.yaml")
    assert re.search(part.replace("?", r"\?").replace("[", r"\["), said), said
    # A key may be a word of Python's too: these are the file's own.
    assert not _PYTHON.search(said.replace("load_if_exists", "")), said


def test_a_study_that_exists_is_gone_on_with() -> None:
    assert ok("new", "study.yaml", "--resume").startswith("Opened study 'exo'")
    Path("study.yaml").write_text(STUDY.replace("high: 50", "high: 60"))
    said = refused("new", "study.yaml", "--resume", code=3)
    assert not _PYTHON.search(said), said


@pytest.mark.parametrize("command", ["problem", "setup", "history"])
def test_a_space_is_described_in_words(command: str) -> None:
    ok("amend", "mode", "--add", "hard")
    said = ok(*command.split())
    assert "lifting from 0 to " in said
    assert "mode one of soft, stiff" in said
    assert not _PYTHON.search(said), said


def test_who_decides_is_shown() -> None:
    assert not re.search("^team", ok("setup"), re.MULTILINE)
    Path("team.yaml").write_text(f"{STUDY.replace('name: exo', 'name: team')}\nteam: every-2\n")
    ok("new", "team.yaml")
    assert re.search(r"^team +every-2$", ok("setup", "--study", "team"), re.MULTILINE)


def test_units_are_shown() -> None:
    with_unit = STUDY.replace("low: 0, high: 50", "low: 0, high: 50, unit: N")
    assert with_unit != STUDY
    Path("units.yaml").write_text(with_unit.replace("name: exo", "name: units"))
    ok("new", "units.yaml")
    assert re.match(r"p1  lifting [0-9.]+ N, mode s", ok("ask", "--study", "units"))
    assert re.search(r"values +lifting [0-9.]+ N, mode s", ok("proposal", "p1", "--study", "units"))
    assert "lifting from 0 to 50 N, mode one of" in ok("setup", "--study", "units")
    own = ok("override", "p1", "lifting=20", "mode=soft", "--study", "units")
    assert "lifting 20 N, mode soft" in own
    assert "lifting 20 N, mode soft" in ok("tell", "p1", "1.5", "--study", "units")
    assert "at lifting 20 N, mode soft" in ok("best", "--study", "units")


def test_an_archived_study_says_how_to_bring_it_back() -> None:
    first = ok("archive", "--study", "exo")
    assert ok("archive", "--study", "exo") == first  # one fact
    said = refused("ask", "--study", "exo", code=3)
    assert "counsel archive --back" in said
    assert not _PYTHON.search(said), said
    assert "All studies here are archived (1)" in ok("list")
    back = ok("archive", "--back")
    assert ok("archive", "--back", "--study", "exo") == back
    ok("ask")


def test_what_underflows_is_nothing_to_a_reader() -> None:
    assert [shown(each) for each in (-3.9e-289, 0.0, 1e-12)] == ["0", "0", "1e-12"]
    assert summands([0.4, -4.9e-15, 1e-3]) == [0.4, 0.0, 1e-3]
    assert summands([2e-20, 1e-20, 0.0]) == [2e-20, 1e-20, 0.0]


@pytest.mark.parametrize(
    ("words", "points"),
    [
        ("lifting=20 mode=soft", 1),
        ("lifting=20,mode=soft", 1),
        ("lifting=20,mode=soft lifting=30,mode=stiff", 2),
        ("lifting=20 mode=soft lifting=30 mode=stiff", 2),
        ("lifting=20 mode=soft lifting=30,mode=stiff lifting=1 mode=soft", 3),
    ],
)
def test_points_are_given_with_spaces_or_commas(words: str, points: int) -> None:
    Path("fitted.yaml").write_text(STUDY.replace("random", "v-ucb").replace("exo", "fitted"))
    ok("new", "fitted.yaml")
    ok("tell", "lifting=10,mode=soft", "1.5", "--study", "fitted")
    ok("tell", "lifting=20,mode=stiff", "2.5", "--study", "fitted")
    said = ok("predict", *words.split(), "--study", "fitted")
    assert len(said.splitlines()) == 1 + points


@pytest.mark.parametrize("words", ["lifting=20,mode=soft", "lifting=20 mode=soft"])
def test_a_point_is_told_with_spaces_or_commas(words: str) -> None:
    assert "lifting 20, mode soft: comfort -1.5" in ok("tell", *words.split(), "-1.5")


def test_the_history_says_yes_and_no() -> None:
    calm = cs.Constraint("calm", answer="yes/no")
    space = cs.Space(a=cs.Float(0, 1))
    study = cs.create_study(space, constraints=[calm], storage="sqlite:///calm.db")
    study.tell({"a": 0.5}, 1.0, constraints={"calm": "no"})
    assert "calm no" in ok("history", "--storage", "sqlite:///calm.db")
