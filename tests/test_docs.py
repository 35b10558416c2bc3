"""The documentation says what is true: every block of code runs, and the site builds."""

import ast
import importlib
import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

import counsel as cs
from counsel.acquisition.registry import acquisitions
from counsel.cli import app
from counsel.facts.terms import terms
from counsel.policies.registry import policies
from counsel.service.app import create_app
from counsel.storage.schema import metadata
from counsel.worlds.registry import worlds
from service.browser import chromium

pytestmark = pytest.mark.xdist_group("docs")  # starts programs: begun early
ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
QUOTE = re.compile(r"^> (.+)$", re.MULTILINE)
# extending.md has tests of its own: its blocks are files.
PAGES = [
    page
    for page in sorted(DOCS.rglob("*.md"))
    if BLOCK.search(page.read_text(encoding="utf-8")) and page.name != "extending.md"
]
LINES = {"tutorials", "how-to"}


def prepared(page: Path, folder: Path, request: pytest.FixtureRequest) -> dict[str, Any]:
    """What a reader of the page has, and the addresses that stand for theirs."""
    if page.name == "service.md":
        request.getfixturevalue("served")
        return {"counsel": cs}
    if page.name == "storage.md":
        import optuna
        import pandas as pd

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        theirs = optuna.create_study(study_name="their-study", storage="sqlite:///optuna.db")
        theirs.optimize(lambda trial: trial.suggest_float("x", 0, 1), n_trials=2)
        rows = {"Lift [N]": [20.0, 30.0], "lowering": [5.0, 6.0], "objective": [1.0, 2.0]}
        pd.DataFrame(rows).to_excel("past.xlsx", index=False)
        space = cs.Space(lifting=cs.Float(0, 50), lowering=cs.Float(0, 50))
        study = cs.create_study(space, name="exosuit", storage="sqlite:///other.db")
        cs.create_study(space, name="exosuit-07", storage="sqlite:///server.db")
        return {"cs": cs, "space": space, "kept": study}
    return {}


def adapted(page: Path, block: str, request: pytest.FixtureRequest) -> str:
    """The block, with addresses of servers that are here."""
    if page.name == "service.md":
        url, token = request.getfixturevalue("served")
        block = block.replace("http://127.0.0.1:8000", url).replace("counsel_...", token)
    if page.name == "storage.md":
        block = block.replace("postgresql://ann:secret@server/lab", "sqlite:///server.db")
        block = block.replace("export_study(study,", "export_study(kept,")
        block = block.replace("exosuit.csv", "exosuit.json")
        block = block.replace("import_trials(study,", "import_trials(kept,")
    return block


@pytest.fixture
def served(tmp_path: Path) -> Any:
    from counsel.service.security.tokens import Tokens
    from service.conftest import running

    tokens = Tokens()
    text = tokens.create("ann", "owner")[1]
    with running(tokens=tokens) as url:
        with cs.Client(url, token=text) as client:
            client.create_study(cs.Space(x=cs.Float(0, 1)), name="exosuit", policy="random")
        yield url, text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_code_of_the_page_runs(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for package in ("optuna", "gest_api"):
        if re.search(rf"(import|from) {package}\b", page.read_text(encoding="utf-8")):
            pytest.importorskip(package, reason=f"{package} is not installed")
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    names = prepared(page, tmp_path, request)
    drawn = set()
    for number, block in enumerate(BLOCK.findall(text), 1):
        names.pop("figure", None)
        code = adapted(page, block, request)
        exec(compile(code, f"{page.name}, block {number}", "exec"), names)
        if "figure" in names:
            drawn.add(f"{page.stem}-{number}.png")
    # Every picture was drawn by the block above it (docs/pictures.py), and is there.
    assert set(re.findall(rf"pictures/({page.stem}-\d+\.png)", text)) == drawn
    assert all((DOCS / "pictures" / name).exists() for name in drawn)
    # Every quotation was printed.
    assert set(QUOTE.findall(text)) <= set(capsys.readouterr().out.splitlines())


def test_what_the_readme_quotes_is_printed_by_the_page_that_it_names() -> None:
    (quoted,) = QUOTE.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    page = (DOCS / "how-to" / "explanations.md").read_text(encoding="utf-8")
    assert QUOTE.findall(page) == [quoted]


def test_every_page_is_in_the_menu() -> None:
    menu = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = [page.relative_to(DOCS) for page in DOCS.rglob("*.md")]
    assert [
        str(page) for page in pages if page.parts[0] != "results" and str(page) not in menu
    ] == []


# ---- lists on pages are complete -----------------------------------------------------------------


def text_of(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


def test_every_route_is_in_the_table() -> None:
    """`GET POST .../claims`: both methods of /studies/{name}/claims."""
    shown = set()
    for item in re.findall(r"`((?:[A-Z]+ )+(?:/|\.\.\.)[^`]*)`", text_of("service.md")):
        *methods, path = item.split()
        shown |= {(method, path.replace("...", "/studies/{name}")) for method in methods}
    there = {
        (method.upper(), re.sub(r"\{(?!name)\w+\}", "{id}", path.removeprefix("/api/v1")))
        for path, methods in create_app(pages=False).openapi()["paths"].items()
        for method in methods
    }
    assert there
    assert sorted(shown ^ there) == []


def test_every_command_is_named() -> None:
    commands: Any = typer.main.get_command(app)
    page = text_of("storage.md")
    assert [
        name
        for name in commands.commands
        if f"`{name}`" not in page and f"counsel {name}" not in page
    ] == []


def test_every_table_of_a_database_is_named() -> None:
    assert [name for name in metadata.tables if f"`{name}`" not in text_of("storage.md")] == []


def test_every_tool_of_an_agent_is_named() -> None:
    pytest.importorskip("mcp", reason="The MCP SDK is not installed")
    from counsel.integrations import agent_tools as tools

    page = text_of("how-to/agents.md")
    assert [name for name in (*tools.READING, *tools.WRITING) if f"`{name}`" not in page] == []


def test_every_term_is_told_how_to_read() -> None:
    rows = re.findall(r"^\| (.*?) \|", text_of("how-to/explanations.md"), re.MULTILINE)
    named = {name.partition(":")[0] for row in rows for name in row.split(", ")}
    assert [each.tag for each in terms() if each.tag not in named] == []


def test_tests_that_pages_name_are_there() -> None:
    files = list(ROOT.glob("tests/**/test_*.py"))
    there = {file.name for file in files}
    for file in files:
        there |= set(re.findall(r"def (test_\w+)", file.read_text(encoding="utf-8")))
    wrong = []
    for page in DOCS.rglob("*.md"):
        if page.name == "extending.md":  # its tests are written while the page is tested
            continue
        named = set(re.findall(r"\btest_\w+(?:\.py)?", page.read_text(encoding="utf-8")))
        wrong += [f"{page.name}: {name}" for name in sorted(named - there)]
    assert wrong == []


# ---- the site ------------------------------------------------------------------------------------


def public_names() -> Iterator[str]:
    """What people may import: of the package, its rooms and its adapters."""
    yield from (f".{name}" for name in cs.__all__)
    registered = {"acquisition": acquisitions.public(), "policies": policies.public()}
    for room in (*registered, "exchange", "explain", "plots", "storage", "testing", "worlds"):
        module = importlib.import_module(f"counsel.{room}")
        classes = [
            name for name, each in registered.get(room, {}).items() if isinstance(each, type)
        ]
        for name in (*module.__all__, *classes):
            home = getattr(module, name).__module__
            yield f"{home if home.startswith('counsel.') else ''}.{name}"
    for file in (ROOT / "src" / "counsel" / "integrations").glob("*.py"):
        if file.stem not in ("agent_tools", "suggesting"):
            for node in ast.parse(file.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                    for name in ast.literal_eval(node.value):
                        yield f"counsel.integrations.{file.stem}.{name}"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for package in ("mkdocs", "material", "mkdocstrings"):
        if importlib.util.find_spec(package) is None:
            pytest.skip("The site's tools are not installed: pip install 'counsel-opt[docs]'")
    site = tmp_path_factory.mktemp("docs") / "site"
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)],
        cwd=ROOT,
        env={"PATH": "", "NO_MKDOCS_2_WARNING": "1", "no_proxy": "*", "https_proxy": "http://0"},
        capture_output=True,
        text=True,
        timeout=400,
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return site


def test_the_site_needs_no_network_and_names_everything(site: Path) -> None:
    fetched = re.compile(r'<(?:script|link|img|iframe)[^>]*(?:src|href)="(https?:[^"]+)"')
    for page in site.rglob("*.html"):
        for address in fetched.findall(page.read_text(encoding="utf-8")):
            assert 'rel="canonical"' in address or not address, f"{page.name}: {address}"
    assert (site / "search" / "search_index.js").exists()  # found from a file on disk, too
    reference = (site / "reference.html").read_text(encoding="utf-8")
    assert [name for name in public_names() if f'{name}"' not in reference] == []
    tags = [
        *cs.policies.names(),
        *(each.tag for k in (acquisitions, worlds) for each in k.entries()),
    ]
    assert [tag for tag in tags if f"<code>{tag}</code>" not in reference] == []


def test_search_works_on_files_from_disk(site: Path) -> None:
    with chromium() as browser:
        page = browser.new_page()
        page.set_default_timeout(60_000)
        page.goto(site.joinpath("index.html").as_uri())
        page.locator("input[data-md-component=search-query]").first.click()
        page.keyboard.type("lease")
        found = page.locator(".md-search-result__item").first
        found.wait_for()
        assert "lease" in found.inner_text().lower()
