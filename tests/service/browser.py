"""A real browser and a real service in a process of its own, for the tests of the pages."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Error, Page, sync_playwright

LONGEST = 180_000  # milliseconds: the first of each compiles, and the machine may be busy
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
def service(*arguments: str, folder: Path, port: int = 0) -> Iterator[str]:
    """`counsel ARGUMENTS` on a free port, or on this one; its address."""
    command = [sys.executable, "-c", _SERVICE, *arguments, "--port", str(port)]
    with service_of(command, folder=folder) as url:
        yield url


@contextmanager
def service_of(command: Sequence[str], folder: Path) -> Iterator[str]:
    """A service that a command starts; its address."""
    log = folder / "service.log"
    with log.open("w") as errors:
        process = subprocess.Popen(
            list(command),
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
        said = log.read_text()
        assert code in (0, -15), said
        assert "Traceback" not in said, said[said.index("Traceback") - 2_000 :][:8_000]


class person:
    """A browser of one's own. It fails the test on any script error or foreign address."""

    def __init__(
        self, browser: Browser, url: str, width: int = 1400, name: str = "ann", **more: Any
    ) -> None:
        self._context = browser.new_context(
            base_url=url,
            viewport={"width": width, "height": 900},
            reduced_motion="reduce",
            **more,
        )
        self._context.set_default_timeout(LONGEST)
        self._context.add_cookies([{"name": "counsel_name", "value": name, "url": url}])
        self._url, self._wrong = url, list[str]()

    def __enter__(self) -> Page:
        page = self._context.new_page()
        page.on("pageerror", lambda error: self._wrong.append(f"{error}\n{error.stack}"))
        page.on("request", lambda sent: self._look(sent.url))
        return page

    def _look(self, address: str) -> None:
        if not address.startswith((self._url, "data:", "blob:", self._url.replace("http", "ws"))):
            self._wrong.append(address)

    def __exit__(self, *error: object) -> None:
        self._context.close()
        if error[0] is None:
            assert not self._wrong, "\n\n".join(self._wrong)


def drag(page: Page, x: float, y: float) -> None:
    """Drag the handle of mine to a place on the first panel, both in [0, 1]."""
    panel = page.locator("#picture svg").first
    panel.scroll_into_view_if_needed()
    box, start = panel.bounding_box(), page.locator("#picture .mine").first.bounding_box()
    edge = panel.locator(".edge").bounding_box()
    assert box is not None
    assert start is not None
    assert edge is not None
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    for part in (0.3, 0.7, 1.0):
        page.mouse.move(
            edge["x"] + (x * part + 0.5 * (1 - part)) * edge["width"],
            edge["y"] + (1 - y * part - 0.5 * (1 - part)) * edge["height"],
        )
    page.mouse.up()


# Whether nothing on the page moves or fades, for two frames in a row: what is drawn for the first
# time begins to fade only in the next frame. Spinners never rest.
_AT_REST = """async () => {
  const moving = () => document.getAnimations().some(each =>
      each.playState === 'running' && each.effect.getComputedTiming().iterations !== Infinity)
    || document.querySelector("[class*='-enter-'], [class*='-leave-'], .q-notification")
    || document.querySelectorAll('.q-dialog').length
      !== document.querySelectorAll('.q-dialog__inner').length;
  for (let still = 0; still < 2; still += 1) {
    if (moving()) return false;
    await new Promise(done => requestAnimationFrame(done));
  }
  return !moving();
}"""


def accessible(page: Page) -> None:
    """axe-core finds nothing on the page as it stands."""
    # What moves or fades is faint for a moment, and the framework's bar is there for moments. The
    # text of a button has a z-index of 0: axe-core 4.12 then takes it to lie behind the button, and
    # judges it by what is behind the dialog.
    page.add_style_tag(
        content="*, *::before, *::after { transition: none !important }"
        ".q-btn__content { z-index: auto !important }"
    )
    page.wait_for_function(_AT_REST)
    context: Any = {"exclude": [["#q-loading-bar"]]}
    if page.locator(".q-dialog__inner").first.is_visible():  # what is behind it is dimmed
        context = ".q-dialog"
    found = Axe().run(page, context=context).response["violations"]
    assert not found, [
        (each["id"], [(n["html"][:120], n.get("failureSummary")) for n in each["nodes"]])
        for each in found
    ]


def field(page: Page, name: str) -> str:
    """What stands in a field of mine."""
    return page.locator("#mine").get_by_label(name, exact=True).last.input_value()


def dragged(page: Page, x: float, y: float, to: Mapping[str, float]) -> dict[str, float]:
    """`drag`, and wait until the fields have followed the hand to there and stay; their values."""
    drag(page, x, y)
    deadline = time.monotonic() + LONGEST / 1000
    before: dict[str, str] = {}
    while True:
        now = {name: field(page, name) for name in to}
        there = all(abs(float(now[name]) - value) < 0.3 for name, value in to.items())
        if there and now == before:
            return {name: float(text) for name, text in now.items()}
        assert time.monotonic() < deadline, (to, now)
        before = now
        page.wait_for_timeout(400)
