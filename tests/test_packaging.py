"""What people install, and how a team runs it: distributions, recipes, containers, units."""

import configparser
import importlib.metadata
import json
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
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import counsel
import postgres
from counsel.errors import DISTRIBUTION, install
from service.browser import service, service_of

pytestmark = pytest.mark.xdist_group("packaging")  # starts programs: begun early
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
        *(ROOT / "packaging").rglob("*.*"),
        *(ROOT / "tests").rglob("*.py"),
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


def test_one_function_makes_every_sentence() -> None:
    said = [
        str(file.relative_to(ROOT))
        for file in (ROOT / "src").rglob("*.*")
        if file.suffix in (".py", ".js", ".html") and "pip install" in file.read_text("utf-8")
    ]
    assert said == ["src/counsel/errors.py"]


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
    for name in (
        "src/counsel/__init__.py",
        "tests/conftest.py",
        "docs/how-to/team.md",
        "packaging/systemd/counsel.service",
        "compose.yaml",
        "README.md",
        "CITATION.cff",
    ):
        assert f"{top}/{name}" in names


TEN_LINES = """
import re, sys
blocks = re.findall(r"^```python\\n(.*?)^```", open(sys.argv[1]).read(), re.DOTALL | re.MULTILINE)
names = {}
for block in blocks:
    exec(block, names)
"""


# What needs an extra, and which: none of them is there.
MISSING = {
    "import counsel.integrations.gest": "gest",
    "import counsel.integrations.mcp": "mcp",
    "import counsel.integrations.mlflow": "mlflow",
    "import counsel.integrations.notebook": "notebook",
    "import counsel.integrations.optuna": "optuna",
    "from counsel.integrations.ray import RayExecutor; RayExecutor()": "ray",
    "import counsel.integrations.ray_tune": "ray",
    "import counsel.integrations.sklearn": "trees",
    "import counsel; counsel.Client('http://127.0.0.1:1')": "server",
    "import counsel; counsel.list_studies('postgresql://ann@127.0.0.1:1/lab')": "postgres",
    "from counsel import exchange; exchange.import_optuna('a', optuna_storage='sqlite:///o.db')": (
        "optuna"
    ),
    """
import zipfile
from counsel.exchange.spreadsheet import read_spreadsheet
with zipfile.ZipFile("past.xlsx", "w") as file:
    file.writestr("xl/workbook.xml", "")
read_spreadsheet("past.xlsx")
""": "excel",
    """
import counsel as cs
study = cs.create_study(cs.Space(x=cs.Float(0, 1)), policy="v-ucb", seed=0)
for x in (0.1, 0.5, 0.9):
    study.tell({"x": x}, x)
study.explain(study.ask()).to_shap()
""": "shap",
}
SENTENCES = """
import ast, sys
from counsel import *  # every public name is there without any extra
for code in ast.literal_eval(sys.argv[1]):
    try:
        exec(code, {})
    except CounselError as error:
        print(error)
    else:
        print("nothing was said")
import counsel.integrations.ivoryos  # needs none
"""


def try_it(python: Path, folder: Path, cache: Path | None = None) -> None:
    """The help, the demonstration, the README, and a sentence where an extra is missing."""
    environment = {name: each for name, each in os.environ.items() if name != "PYTHONPATH"}
    environment |= {} if cache is None else {"COUNSEL_CACHE": str(cache)}
    program = [str(python), "-c", "from counsel.cli import main; main()"]
    command = python.with_name("counsel")
    program = [str(command)] if command.exists() else program

    def run(*words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            words, cwd=folder, env=environment, capture_output=True, text=True, timeout=600
        )

    for words, output in (
        ([*program, "--help"], "Examples"),
        ([*program, "demo", "--terminal", "--trials", "6"], "trial"),
        ([str(python), "-c", TEN_LINES, str(ROOT / "README.md")], "because"),
    ):
        done = run(*words)
        assert done.returncode == 0, done.stdout + done.stderr
        assert output in done.stdout
    for command in ("demo", "serve"):
        assert install("server") in run(*program, command).stderr.replace("\n", " ")
    assert install("mcp") in run(*program, "mcp").stderr.replace("\n", " ")
    done = run(str(python), "-c", SENTENCES, repr(list(MISSING)))
    assert done.returncode == 0, done.stdout + done.stderr
    for said, extra in zip(done.stdout.splitlines(), MISSING.values(), strict=True):
        assert install(extra) in said


def required(name: str) -> set[str]:
    """A distribution's own dependencies and theirs, without extras that nobody asked for."""
    found: set[str] = set()
    waiting = [(name, "")]
    seen: set[tuple[str, str]] = set()
    while waiting:
        which, extra = waiting.pop()
        if (which, extra) in seen:
            continue
        seen.add((which, extra))
        for line in importlib.metadata.requires(which) or []:
            each = Requirement(line)
            if each.marker is None or each.marker.evaluate({"extra": extra}):
                found.add(canonicalize_name(each.name))
                waiting += [(each.name, more) for more in ("", *each.extras)]
    return found


def test_the_wheel_runs_with_only_its_own_dependencies(built: Path, tmp_path: Path) -> None:
    """An empty environment, with links to the packages that the metadata names and no others.

    `make test-package` installs them anew instead, which takes an index and minutes.
    """
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    (packages,) = (tmp_path / "venv" / "lib").glob("python*/site-packages")
    with zipfile.ZipFile(only(built, "*.whl")) as archive:
        archive.extractall(packages)
    for name in required(DISTRIBUTION):
        distribution = importlib.metadata.distribution(name)
        home = Path(str(distribution.locate_file("")))
        for top in {file.parts[0] for file in distribution.files or ()}:
            if top not in ("..", "__pycache__") and not (packages / top).exists():
                (packages / top).symlink_to(home / top)
    unwanted = subprocess.run([python, "-c", "import fastapi"], capture_output=True)
    assert unwanted.returncode != 0
    try_it(python, tmp_path)


@pytest.mark.package
@pytest.mark.parametrize("kind", ["*.whl", "*.tar.gz"])
def test_an_empty_environment_runs_it(kind: str, built: Path, tmp_path: Path) -> None:
    """Only the distribution and what it asks for, from the index."""
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    pip = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    constraints = str(ROOT / "constraints.txt")
    subprocess.run([*pip, "-c", constraints, str(only(built, kind))], check=True, timeout=1800)
    try_it(python, tmp_path, cache=tmp_path / "cache")


# ---- running it for a team -----------------------------------------------------------------------


def test_the_dockerfile_is_clean() -> None:
    beside = Path(sys.executable).parent / "hadolint"
    program = shutil.which("hadolint") or (str(beside) if beside.exists() else None)
    if program is None:
        pytest.skip("hadolint is not installed")
    done = subprocess.run([program, str(ROOT / "Dockerfile")], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_compose_files_commands_run_on_postgresql(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Entry point, command, secret, health checks and the first token, as they are written.

    Without containers three things are others: the secret's folder, the database's host, and
    loopback instead of every address.
    """
    if postgres.programs() is None:
        pytest.skip("PostgreSQL is not on this machine: apt-get install postgresql")
    whole = yaml.safe_load((ROOT / "compose.yaml").read_text())
    ours, theirs = whole["services"]["counsel"], whole["services"]["database"]
    once = whole["services"]["token"]
    assert once["depends_on"]["database"]["condition"] == "service_healthy"
    assert ours["depends_on"]["token"]["condition"] == "service_completed_successfully"
    page = (ROOT / "docs" / "how-to" / "team.md").read_text(encoding="utf-8")
    (printf,) = re.findall(r"^(printf .*) > secrets/owner_token$", page, re.MULTILINE)
    text = subprocess.run(["sh", "-c", printf], check=True, capture_output=True, text=True).stdout
    (tmp_path / "owner_token").write_text(text)
    (tmp_path / "database_password").write_text(postgres.PASSWORD + "\n")  # as openssl writes it
    bin = tmp_path / "bin"
    bin.mkdir()
    program = f"#!{sys.executable}\nfrom counsel.cli import main\nmain()\n"
    (bin / "counsel").write_text(program)
    (bin / "counsel").chmod(0o755)
    monkeypatch.setenv("PATH", f"{bin}{os.pathsep}{postgres.programs()}{os.pathsep}{os.defpath}")

    def here(text: str) -> str:
        return text.replace("$$", "$").replace("/run/secrets", str(tmp_path))

    entry = [here(word) for word in ours["entrypoint"]]
    with postgres.running() as server:
        name = theirs["environment"]["POSTGRES_DB"]
        server.user(theirs["environment"]["POSTGRES_USER"])
        server.database(name, owner=theirs["environment"]["POSTGRES_USER"])
        address = ours["environment"]["COUNSEL_STORAGE"]
        assert address == "postgresql+psycopg://counsel@database/counsel"
        monkeypatch.setenv(
            "COUNSEL_STORAGE", address.replace("@database/", f"@127.0.0.1:{server.port}/")
        )
        healthy = theirs["healthcheck"]["test"][1]
        healthy += f" --host 127.0.0.1 --port {server.port}"
        subprocess.run(["sh", "-c", healthy], check=True, capture_output=True, timeout=30)
        (ann,) = re.findall(r"^docker compose run --rm counsel (.*)$", page, re.MULTILINE)
        owner = [here(word) for word in once["command"]]
        for command in (owner, owner, ann.split()):  # every start of the containers repeats it
            done = subprocess.run(
                [*entry, *command], cwd=tmp_path, capture_output=True, text=True, timeout=120
            )
            assert done.returncode == 0, done.stderr
            assert ("counsel_" in done.stdout) == (command != owner)  # logs have no secrets
        changed = {"0.0.0.0": "127.0.0.1", "8000": "0"}
        command = [changed.get(word, word) for word in ours["command"]]
        assert set(changed) <= set(ours["command"])
        with service_of([*entry, *command, "--tokens"], folder=tmp_path) as url:
            docker = (ROOT / "Dockerfile").read_text()
            (health,) = re.findall(r'CMD \["python", "-c", "(.*)"\]', docker)
            check = health.replace("http://127.0.0.1:8000", url)
            subprocess.run([sys.executable, "-c", check], check=True, timeout=30)
            with counsel.Client(url, token=text) as client:
                client.create_study(counsel.Space(x=counsel.Float(0, 1)), name="tea")


def test_the_compose_file_fits_the_dockerfile() -> None:
    """Secrets and volumes that are used are there, and the command is the Dockerfile's."""
    whole = yaml.safe_load((ROOT / "compose.yaml").read_text())
    ours = whole["services"]["counsel"]
    (default,) = re.findall(r"^CMD (\[.*\])$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert ours["command"] == json.loads(default)
    for each in whole["services"].values():
        assert set(each.get("secrets", [])) <= set(whole["secrets"])
        named = [volume.split(":")[0] for volume in each.get("volumes", [])]
        assert set(named) <= set(whole["volumes"])


def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd-analyze is not on this machine")
    unit = (ROOT / "packaging" / "systemd" / "counsel.service").read_text()
    beside = tmp_path / "counsel.service"
    beside.write_text(unit.replace("/opt/counsel/bin/counsel", sys.executable))
    done = subprocess.run([program, "verify", str(beside)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_systemd_unit_starts_what_exists(tmp_path: Path) -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    file = ROOT / "packaging" / "systemd" / "counsel.service"
    unit.read(file)
    program, *command = unit["Service"]["ExecStart"].split()
    assert program.endswith("/counsel")
    address = f"sqlite:///{tmp_path / 'counsel.db'}"
    page = (ROOT / "docs" / "how-to" / "team.md").read_text(encoding="utf-8")
    (first,) = re.findall(rf"^sudo -u counsel {program} (.*)$", page, re.MULTILINE)
    *words, where = first.split()
    assert f"\nEnvironment=COUNSEL_STORAGE={where}\n" in file.read_text()
    main = [sys.executable, "-c", "from counsel.cli import main; main()"]
    subprocess.run([*main, *words, address], check=True, capture_output=True, timeout=120)
    port = command.index("--port")
    del command[port : port + 2]
    with service(*command, "--storage", address, folder=tmp_path) as url:
        assert url.startswith("http://127.0.0.1:")
