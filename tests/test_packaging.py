"""What people install, and how a team runs it: distributions, recipes, containers, units."""

import configparser
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

import counsel
import postgres
from counsel.errors import DISTRIBUTION, install
from counsel.service.security.tokens import Tokens
from counsel.storage import open_storage
from service.browser import service

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the sdist."""
    pytest.importorskip("build", reason="build is not installed")
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def only(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


# ---- names ---------------------------------------------------------------------------------------


def test_the_name_is_our_own() -> None:
    """The index has another project named counsel."""
    assert PROJECT["name"] == DISTRIBUTION == "counsel-opt"
    assert install() == "pip install counsel-opt"
    assert install("server", "dask") == "pip install 'counsel-opt[server,dask]'"


def test_nothing_tells_anyone_to_install_another_project() -> None:
    extras = set(PROJECT["optional-dependencies"])
    files = [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "src").rglob("*.py"),
        *(ROOT / "examples").rglob("*.py"),
    ]
    wrong = []
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            for told in re.findall(r"pip install ['\"]?([\w.-]+(?:\[[\w,]+\])?)", line):
                name, _, wanted = told.rstrip("]").partition("[")
                known = name == DISTRIBUTION and set(filter(None, wanted.split(","))) <= extras
                if not known and name not in (".", "dist", "-e") and "{" not in line:
                    wrong.append(f"{file.relative_to(ROOT)}: {line.strip()}")
    assert wrong == []


def test_every_extra_that_is_named_in_a_message_exists() -> None:
    extras = set(PROJECT["optional-dependencies"])
    source = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "src").rglob("*.py"))
    named = set(re.findall(r"install\(['\"]([\w-]+)['\"]\)", source))
    assert named
    assert named <= extras


def test_the_recipe_and_the_citation_keep_up() -> None:
    recipe = yaml.safe_load((ROOT / "packaging" / "conda" / "recipe.yaml").read_text())
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert recipe["context"]["version"] == citation["version"] == counsel.__version__
    assert recipe["package"]["name"] == PROJECT["name"]
    ours = sorted(each.replace(" ", "") for each in PROJECT["dependencies"])
    theirs = sorted(each.replace(" ", "") for each in recipe["requirements"]["run"][1:])
    assert theirs == ours
    assert len(citation["references"]) == 3


# ---- distributions -------------------------------------------------------------------------------


def test_the_wheel_has_what_the_package_needs(built: Path) -> None:
    with zipfile.ZipFile(only(built, "*.whl")) as archive:
        names = archive.namelist()
    assert all(name.startswith(("counsel/", "counsel_opt-")) for name in names)
    inside = {name.removeprefix("counsel/") for name in names if name.startswith("counsel/")}
    source = ROOT / "src" / "counsel"
    wanted = {
        str(file.relative_to(source))
        for file in source.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert inside == wanted
    assert {"py.typed", "integrations/decide.js"} <= inside


def test_the_sdist_has_sources_tests_and_docs(built: Path) -> None:
    with tarfile.open(only(built, "*.tar.gz")) as archive:
        names = archive.getnames()
    top = f"counsel_opt-{counsel.__version__}"
    for name in ("src/counsel/__init__.py", "tests/conftest.py", "README.md", "CITATION.cff"):
        assert f"{top}/{name}" in names


TEN_LINES = """
import re, sys
blocks = re.findall(r"^```python\\n(.*?)^```", open(sys.argv[1]).read(), re.DOTALL | re.MULTILINE)
names = {}
for block in blocks:
    exec(block, names)
"""


@pytest.mark.package
@pytest.mark.parametrize("kind", ["*.whl", "*.tar.gz"])
def test_an_empty_environment_runs_it(kind: str, built: Path, tmp_path: Path) -> None:
    """Only the distribution and what it asks for: the demonstration, the help, the README."""
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    pip = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    constraints = str(ROOT / "constraints.txt")
    subprocess.run([*pip, "-c", constraints, str(only(built, kind))], check=True, timeout=900)
    environment = {name: each for name, each in os.environ.items() if name != "PYTHONPATH"}
    environment["COUNSEL_CACHE"] = str(tmp_path / "cache")

    def run(*command: str) -> str:
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    command = str(tmp_path / "venv" / "bin" / "counsel")
    assert "Examples" in run(command, "--help")
    assert "trial" in run(command, "demo", "--terminal", "--trials", "6")
    run(str(python), "-c", TEN_LINES, str(ROOT / "README.md"))
    missing = subprocess.run(
        [command, "serve"], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert install("server") in missing.stderr.replace("\n", " ")


# ---- running it for a team -----------------------------------------------------------------------


def test_the_dockerfile_is_clean() -> None:
    beside = Path(sys.executable).parent / "hadolint"
    program = shutil.which("hadolint") or (str(beside) if beside.exists() else None)
    if program is None:
        pytest.skip("hadolint is not installed")
    done = subprocess.run([program, str(ROOT / "Dockerfile")], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_compose_files_commands_serve_from_postgresql(tmp_path: Path) -> None:
    """The service's command and the health checks, as they are written, without containers."""
    if postgres.programs() is None:
        pytest.skip("PostgreSQL is not on this machine: apt-get install postgresql")
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    ours = compose["counsel"]
    assert ours["depends_on"]["database"]["condition"] == "service_healthy"
    assert ours["environment"]["COUNSEL_STORAGE"].startswith("postgresql+psycopg://")
    verb, *options = ours["command"]
    assert verb == "serve"
    docker = (ROOT / "Dockerfile").read_text()
    health = re.search(r'CMD \["python", "-c", "(.*)"\]', docker)
    assert health is not None
    with postgres.running() as server:
        address = server.database("team")
        open_storage(address).close()
        Tokens(address).create("ann", "owner")
        # 0.0.0.0 in a container is loopback here; with tokens, as there.
        here = ["--host", "127.0.0.1", "--tokens", *options[4:]]
        assert options[:4] == ["--host", "0.0.0.0", "--port", "8000"]
        with service(verb, *here, "--storage", address, folder=tmp_path) as url:
            check = health.group(1).replace("http://127.0.0.1:8000", url)
            subprocess.run([sys.executable, "-c", check], check=True, timeout=30)


def test_the_systemd_unit_starts_what_exists(tmp_path: Path) -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(ROOT / "packaging" / "systemd" / "counsel.service")
    program, *command = unit["Service"]["ExecStart"].split()
    assert program.endswith("/counsel")
    address = f"sqlite:///{tmp_path / 'counsel.db'}"
    open_storage(address).close()
    Tokens(address).create("ann", "owner")
    port = command.index("--port")
    del command[port : port + 2]
    with service(*command, "--storage", address, folder=tmp_path) as url:
        assert url.startswith("http://127.0.0.1:")
