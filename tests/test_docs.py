"""The documentation says what is true: every block of code runs, and the site builds."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import counsel as cs
from service.browser import chromium

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
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
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    for package in ("optuna", "gest_api"):
        if f"import {package}" in page.read_text(encoding="utf-8"):
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


def test_every_page_is_in_the_menu() -> None:
    menu = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = [page.relative_to(DOCS) for page in DOCS.rglob("*.md")]
    assert [
        str(page) for page in pages if page.parts[0] != "results" and str(page) not in menu
    ] == []


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
    assert [name for name in cs.__all__ if f'.{name}"' not in reference] == []


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
