"""The command line: quick to answer, sentences instead of tracebacks, plain output in a pipe."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import counsel
from counsel.cli import app
from counsel.demo import terminal as demo

_PROBE = """
import sys
from counsel.cli import main
try:
    main()
finally:
    heavy = [m for m in ("jax", "numpy", "pandas", "plotly", "scipy") if m in sys.modules]
    print("loaded:", heavy, file=sys.stderr)
"""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments), prog_name="counsel")


def words(text: str) -> str:
    """Text without the frames and line breaks of a terminal."""
    return " ".join(re.sub(r"[─│╭╮╰╯]", " ", text).split())


def test_python_m_counsel_is_the_command() -> None:
    command = [sys.executable, "-m", "counsel", "--version"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert counsel.__version__ in said


def test_help_loads_nothing_heavy() -> None:
    environment = {**os.environ, "COLUMNS": "80"}
    done = subprocess.run(
        [sys.executable, "-c", _PROBE, "--help"],
        capture_output=True,
        text=True,
        env=environment,
        check=True,
    )
    assert done.stderr == "loaded: []\n"
    assert "counsel demo --terminal" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_version() -> None:
    result = run("--version")
    assert result.exit_code == 0
    assert result.stdout == f"counsel {counsel.__version__}\n"


def test_without_arguments_there_is_help() -> None:
    assert "demo" in run().output
    assert "Usage" in run().output


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["demo", "--terminal", "--trials", "0"], "trials: got 0. Give a whole number"),
        (["demo", "--terminal", "--trials", "many"], "Invalid value for '--trials'"),
        (["demo", "--terminal", "--seed", "-1"], "seed: got -1. Give a whole number"),
        (["demo", "--terminal", "--policy", "magic"], "policy: got 'magic'. Choose one of"),
        (["demo", "--terminal", "--out", "no/such/x.html"], "There is no folder 'no/such'"),
        (["demo", "--terminal", "--out", "."], "This is a folder"),
        (["demo", "--colour"], "No such option:? '?--colour"),
        (["demonstrate"], "No such command 'demonstrate'"),
    ],
)
def test_bad_options_get_a_sentence(
    arguments: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert result.exit_code == 2
    assert re.search(sentence, words(result.stderr))
    assert "Traceback" not in result.output
    assert list(tmp_path.iterdir()) == []


def test_demo_writes_its_figures_and_plain_text(tmp_path: Path) -> None:
    out = tmp_path / "a [strange] name.html"
    result = run("demo", "--terminal", "--trials", "6", "--out", str(out))
    assert result.exit_code == 0, result.output
    assert "replayed 6 proposals: identical" in result.stdout
    assert str(out) in result.stdout
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")
    control = [c for c in result.output if ord(c) < 32 and c != "\n"]
    assert control == []
    assert max(len(line) for line in result.stdout.splitlines() if str(out) not in line) <= 80


def test_an_interrupt_shows_what_there_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    feel = demo.feel

    def interrupted(values: dict[str, float], seed: int, trial: int) -> float:
        if trial == 3:
            signal.raise_signal(signal.SIGINT)
        return feel(values, seed, trial)

    monkeypatch.setattr(demo, "feel", interrupted)
    out = tmp_path / "never.html"
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
    before = signal.getsignal(signal.SIGINT)
    result = run("demo", "--terminal", "--policy", "random", "--out", str(out))
    assert result.exit_code == 130
    assert "best ★" in result.stdout
    assert "Traceback" not in result.output
    assert "Interrupted." in result.stderr
    assert not out.exists()
    assert signal.getsignal(signal.SIGINT) is before


def test_the_experiments_are_listed() -> None:
    result = run("reproduce", "--list")
    assert result.exit_code == 0
    heading, *lines = result.stdout.splitlines()
    column = heading.index("in the paper")
    assert "lw-ucb/synthetic" in result.stdout
    assert all(line[column - 1] == " " and line[column] != " " for line in lines)


def test_an_unknown_experiment_gets_a_sentence(tmp_path: Path) -> None:
    result = run("reproduce", "lw-ucb/nothing", "--out", str(tmp_path))
    assert result.exit_code == 2
    assert "lw-ucb/nothing" in result.stderr
    assert "lw-ucb/synthetic" in words(result.stderr)
    assert not list(tmp_path.iterdir())


def test_the_package_runs_as_a_module() -> None:
    found = subprocess.run(
        [sys.executable, "-m", "counsel", "--version"], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == f"counsel {counsel.__version__}"
