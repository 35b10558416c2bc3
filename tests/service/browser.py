"""A real browser and a real service in a process of its own, for the tests of the pages."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, sync_playwright

_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
_SERVICE = """
import sys
from counsel.cli import main
sys.argv = ["counsel", *sys.argv[1:]]
main()
"""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Playwright's own Chromium, else the machine's; without either, a skip that says so."""
    with sync_playwright() as playwright:
        given = os.environ.get("COUNSEL_CHROMIUM")
        found = (shutil.which(name) for name in ("chromium", "google-chrome"))
        tries = [given] if given else [None, *found]
        for path in dict.fromkeys(tries):
            try:
                browser = playwright.chromium.launch(executable_path=path, args=_FLAGS)
            except Error:
                continue
            yield browser
            browser.close()
            return
        pytest.skip("No Chromium: run `make browser`, or name one in COUNSEL_CHROMIUM.")


@contextmanager
def service(*arguments: str, folder: Path) -> Iterator[str]:
    """`counsel ARGUMENTS` on a free port; its address."""
    log = folder / "service.log"
    with log.open("w") as errors:
        process = subprocess.Popen(
            [sys.executable, "-c", _SERVICE, *arguments, "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            cwd=folder,
        )
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if line.startswith("Counsel is at"):
                    yield line.split()[3]
                    break
            else:
                pytest.fail(f"The service did not start: {log.read_text()}")
        finally:
            process.terminate()
            code = process.wait(timeout=120)
            process.stdout.close()
        assert code in (0, -15), log.read_text()
        assert "Traceback" not in log.read_text()
