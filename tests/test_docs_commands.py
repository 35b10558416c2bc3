"""Every command that the documentation shows is understood by the program.

Blocks that tell a story are run line by line. Every other `counsel ...`, in a block or in a
sentence, is parsed with its options and arguments.
"""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from typer.testing import CliRunner

import counsel as cs
from counsel.cli import app
from counsel.service.security.tokens import Tokens

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [page for page in PAGES if "results" not in page.parts]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"`(counsel [^`]+)`")
# What other programs do here: set-up of machines that the tests do not have.
OTHERS = (
    "cp", "docker", "install", "make", "mkdir", "openssl", "pip", "printf", "python3", "sudo",
    "systemctl", "useradd",
)  # fmt: skip


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks_of(page: Path, language: str = "") -> list[str]:
    return [block for name, block in FENCE.findall(text_of(page)) if name == language]


def lines(block: str) -> list[str]:
    """The commands of a block, without comments and with continued lines joined."""
    joined = re.sub(r"\\\n\s*", " ", block)
    return [line for line in joined.splitlines() if line.strip()]


def shown() -> list[tuple[str, str]]:
    found = []
    for page in PAGES:
        for block in blocks_of(page):
            found += [(page.name, line) for line in lines(block)]
        prose = FENCE.sub("", text_of(page))
        found += [(page.name, " ".join(line.split())) for line in CODE.findall(prose)]
    return found


def arguments(line: str) -> list[str] | None:
    """What `counsel` is called with on a line, or None if it is another program's."""
    words = shlex.split(line, comments=True)
    while words and "=" in words[0]:  # COUNSEL_TOKEN=... counsel mcp
        words.pop(0)
    if words[:1] == ["docker"] and "counsel" in words:  # docker compose run --rm counsel ...
        words = words[words.index("counsel") :]
    if words[:2] == ["sudo", "-u"]:  # sudo -u counsel /opt/counsel/bin/counsel ...
        words = [Path(words[3]).name, *words[4:]]
    return words[1:] if words[:1] == ["counsel"] else None


COMMANDS = sorted(
    {
        (page, line)
        for page, line in shown()
        if (words := arguments(line)) is not None and words and words[0].islower()
    }
)


@pytest.mark.parametrize(("page", "line"), COMMANDS, ids=lambda each: str(each)[:60])
def test_the_program_understands_it(page: str, line: str) -> None:
    words = arguments(line)
    assert words is not None
    command: Any = typer.main.get_command(app)
    context = command.make_context("counsel", [], resilient_parsing=True)
    if words[0].startswith("-"):
        assert words[0] in {name for each in command.get_params(context) for name in each.opts}
        return
    while hasattr(command, "commands"):
        assert words, f"{page}: {line}"
        assert words[0] in command.commands, f"{page}: there is no `{' '.join(words)}`"
        command = command.commands[words.pop(0)]
    known = {name for each in command.params for name in (*each.opts, *each.secondary_opts)}
    wrong = [word for word in words if word.startswith("-") and word.split("=")[0] not in known]
    assert wrong == [], f"{page}: {line}"
    if words:  # a bare `counsel import` in a sentence only names the command
        command.make_context(command.name, list(words), parent=context)


def test_every_line_of_a_block_is_known() -> None:
    """A new kind of block needs a test that runs it."""
    blocks = [(page.name, block) for page in PAGES for block in blocks_of(page)]
    assert blocks
    for page, block in blocks:
        for line in lines(block):
            program = shlex.split(line, comments=True)[0]
            assert program in ("counsel", "export", *OTHERS) or "=" in program, f"{page}: {line}"


def run(line: str) -> str:
    words = arguments(line)
    assert words is not None
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, f"{line}\n{done.output}"
    return done.output


def block_with(page: str, words: str) -> list[str]:
    (block,) = [b for b in blocks_of(ROOT / "docs" / page) if words in b]
    return lines(block)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_study_from_the_terminal(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The YAML file and the commands of the page on storage, one after the other."""
    (described,) = blocks_of(ROOT / "docs" / "storage.md", "yaml")
    assert yaml.safe_load(described)["storage"] == "sqlite:///lab.db"
    (folder / "study.yaml").write_text(described)
    first, *rest = block_with("storage.md", "counsel new study.yaml")
    variable, _, address = shlex.split(first, comments=True)[1].partition("=")
    monkeypatch.setenv(variable, address)
    output = {line.split()[1]: run(line) for line in rest}
    assert "identical" in output["replay"]
    assert "1.8" in output["best"]
    study = cs.load_study("exosuit-07", address)
    assert study.observations[0].values == {"lifting": 20.0, "rate": 0.01, "mode": "soft"}


def test_backup_and_restore(folder: Path) -> None:
    cs.create_study(cs.Space(x=cs.Float(0, 1)), name="a", storage="sqlite:///server.db")
    for line in block_with("storage.md", "counsel backup"):
        run(line.replace("postgresql://ann:secret@server/lab", "sqlite:///server.db"))
    assert [each.name for each in cs.list_studies("sqlite:///new.db")] == ["a"]


def test_tokens(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNSEL_STORAGE", "sqlite:///lab.db")
    for name in ("exosuit", "arm"):
        cs.create_study(cs.Space(x=cs.Float(0, 1)), name=name, storage="sqlite:///lab.db")
    tokens = Tokens("sqlite:///lab.db")
    for line in block_with("service.md", "counsel token revoke"):
        if " serve " not in line:  # the tests of the service start it
            some = next((each.id for each in tokens.all() if each.name == "ben"), "")
            run(line.replace("1f2e3d4c5b6a", some))
    assert {each.name: each.state for each in tokens.all()} == {
        "ann": "valid",
        "ben": "revoked",
        "agent:tuner": "valid",
    }
    tokens.close()
