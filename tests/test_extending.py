"""docs/extending.md, done as it says: each example is a file in a copy of the package, and a test.

Nothing else in the copy changes. What is added must then be there by name through every door.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import counsel as cs

pytestmark = pytest.mark.xdist_group("extending")  # starts programs: begun early
ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"^```python\n# ((?:src|tests)/\S+)\n(.*?)^```", PAGE, re.S | re.M))

DOORS = '''
import sys, threading, time
from pathlib import Path

import httpx, uvicorn

import counsel as cs
from counsel.exchange.yaml_file import study_from_yaml
from counsel.service.app import create_app
from counsel.service.web import new_study

assert Path(cs.__file__).is_relative_to(Path.cwd())
box, storage = cs.Space(x=cs.Float(0, 1)), "sqlite:///studies.db"


def played(study):
    for trial in range(4):
        study.tell(study.ask(), float(trial))
    proposal = study.ask()
    assert proposal.policy == "curious"
    return proposal.terms


in_python = played(cs.create_study(box, policy="curious", name="python", storage=storage))
assert in_python.keys() == {"exploitation", "approximation"}
assert cs.load_study("python", storage).replay().identical

Path("study.yaml").write_text("""
name: yaml
policy: curious
parameters:
  x: {type: float, low: 0, high: 1}
""")
assert played(study_from_yaml("study.yaml", storage)) == in_python

server = uvicorn.Server(
    uvicorn.Config(create_app(storage), host="127.0.0.1", port=0, log_config=None)
)
thread = threading.Thread(target=server.run)
thread.start()
while not server.started:
    assert thread.is_alive()
    time.sleep(0.01)
url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
try:
    with httpx.Client(base_url=url, timeout=120) as http:
        names = http.get("/api/v1/policies").json()
        assert {"curious", "sweep"} <= set(names), names
        # The form of a new study appears once a browser is connected; this is what it offers.
        offered = {f"{each.title}: {each.sentence}" for each in new_study.policies.entries()}
        assert "Curious: Mean plus a weighted variance." in offered
        assert "Sweep: Every arm in turn, then every arm again." in offered
        assert http.get("/new").status_code == 200
    client = cs.Client(url)
    assert played(client.create_study(box, policy="curious", name="rest")) == in_python
finally:
    server.should_exit = True
    thread.join(timeout=30)
'''


@pytest.fixture(scope="module")
def extended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with the page's files added, and nothing else."""
    folder = tmp_path_factory.mktemp("extended")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(cs.__file__).parent, folder / "src" / "counsel", ignore=ignored)
    for needed in ("pyproject.toml", "tests/conftest.py", "tests/acquisition/conftest.py"):
        (folder / needed).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / needed, folder / needed)
    for path, text in BLOCKS.items():
        assert not (folder / path).exists()
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def run(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder / "src")},
        text=True,
        capture_output=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_each_example_is_one_file_and_one_test() -> None:
    sources = [Path(path) for path in BLOCKS if path.startswith("src/")]
    tests = [path for path in BLOCKS if path.startswith("tests/")]
    rooms = [path.parts[2] for path in sources]
    assert rooms == ["acquisition", "policies", "worlds", "experiments"]
    suites = ["tests/policies/test_sweep_conformance.py", "tests/storage/test_my_storage.py"]
    assert [path for path in tests if path not in suites] == [
        f"tests/{path.parts[2]}/test_{path.name}" for path in sources[:3]
    ]


def test_the_examples_pass_their_tests(extended: Path) -> None:
    tests = [path for path in BLOCKS if path.startswith("tests/")]
    assert " passed" in run(extended, "-m", "pytest", "-q", *tests)


def test_an_acquisition_is_there_through_every_door(extended: Path) -> None:
    run(extended, "-c", DOORS)


def test_an_acquisition_of_another_package_is_found(tmp_path: Path) -> None:
    """Installed as the page's entry point has it; our own package is as it is."""
    (block,) = re.findall(r"^```toml\n(.*?)^```", PAGE, re.S | re.M)
    groups = tomllib.loads(block)["project"]["entry-points"]
    site, package = tmp_path / "src", tmp_path / "src" / "my_package"
    shutil.copytree(Path(cs.__file__).parent, site / "counsel")
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "curious.py").write_text(BLOCKS["src/counsel/acquisition/curious.py"])
    metadata = site / "my_package-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: my-package\nVersion: 1.0\n")
    lines = [
        "\n".join([f"[{group}]", *(f"{tag} = {where}" for tag, where in points.items())])
        for group, points in groups.items()
    ]
    (metadata / "entry_points.txt").write_text("\n".join(lines))
    code = (
        "import counsel as cs; print(type(cs.policies.by_name('curious').acquisition).__module__)"
    )
    assert run(tmp_path, "-c", code) == "my_package.curious\n"


def test_an_experiment_is_listed(extended: Path) -> None:
    listed = run(extended, "-c", "from counsel.cli import app; app(['reproduce', '--list'])")
    assert "lw-ucb/small-grid" in listed


def test_the_files_keep_the_house_style(extended: Path) -> None:
    """Formatted and linted as everything else."""
    config = ("--config", str(ROOT / "pyproject.toml"), "--no-cache")
    for command in (("check", *config), ("format", "--check", *config)):
        run(extended, "-m", "ruff", *command, *BLOCKS)


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)#:]+)\)", PAGE))))
def test_links_lead_somewhere(link: str) -> None:
    assert (ROOT / "docs" / link).exists()
