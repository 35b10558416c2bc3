"""Take the pictures of the pages with a real browser, and the animated picture of one round.

    python docs/screens.py             all of them, into docs/
    python docs/screens.py decide      those whose names begin so

A demonstration is started on a free port with a database of its own. Needs Chromium (`make
browser`) and Pillow.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Error, Page, sync_playwright

DOCS = Path(__file__).resolve().parent
WIDE, NARROW = 1300, 390
_SERVE = "from counsel.cli import main; main()"
_LONG = 120_000  # milliseconds


def ready(page: Page) -> None:
    page.locator("#mine-prediction").filter(has_text=":").wait_for()
    page.locator("#reasons .main-svg").first.wait_for()
    page.locator("#activity").get_by_text("Last trials").wait_for()
    still(page)


def still(page: Page) -> None:
    page.wait_for_load_state("networkidle")
    page.evaluate("scrollTo(0, 0)")  # a header that stays on top would be in the middle
    page.wait_for_timeout(800)


def answers(page: Page) -> None:
    ready(page)
    page.get_by_role("button", name="Accept").click()
    page.locator("#measure").wait_for()
    still(page)


def mine(page: Page) -> None:
    """Why the proposal and not what somebody would try."""
    ready(page)
    page.locator("#mine").get_by_label("lifting", exact=True).last.fill("32")
    page.locator("#mine-why").filter(has_text="alternative").wait_for()
    still(page)


def came(page: Page) -> None:
    """What came of a trial that somebody tried instead of the proposal."""
    mine(page)
    page.locator("#mine").get_by_role("button", name="Use mine").click()
    page.get_by_role("button", name="Simulate").click()
    page.locator("#change").get_by_role("button", name="After it", pressed=True).wait_for()
    page.locator("#activity").get_by_text("own idea by ann").first.wait_for()
    page.locator("#activity").get_by_text("being tried").wait_for(state="detached")
    still(page)


def compare(page: Page) -> None:
    page.get_by_text("Which do you prefer?").wait_for()
    still(page)


def insights(page: Page) -> None:
    page.locator(".js-plotly-plot .main-svg").nth(4).wait_for()
    still(page)


def studies(page: Page) -> None:
    page.get_by_text("Best comfort so far").first.wait_for()
    page.get_by_text("Best temperature so far").first.wait_for()
    still(page)


def arm(page: Page) -> None:
    page.get_by_text("Press Start").wait_for()
    still(page)


# name: path, what to wait for
SCREENS: dict[str, tuple[str, Callable[[Page], None]]] = {
    "decide": ("/studies/exosuit", ready),
    "constraints": ("/studies/driving comfort", ready),
    "compare": ("/studies/exosuit by feel/compare", compare),
    "insights": ("/studies/exosuit/insights", insights),
    "history": ("/studies/exosuit/history", still),
    "studies": ("/", studies),
    "new-study": ("/new", still),
    "arm": ("/arm", arm),
    "sign-in": ("/sign-in", still),
}
# These write: they are taken once, in this order, after all others.
LAST: dict[str, tuple[str, Callable[[Page], None]]] = {
    "answers": ("/studies/driving comfort", answers),
    "mine": ("/studies/exosuit", mine),
    "came": ("/studies/exosuit", came),
}


@contextmanager
def service() -> Iterator[str]:
    """A demonstration with a database of its own; its address."""
    with tempfile.TemporaryDirectory() as folder:
        storage = f"sqlite:///{Path(folder) / 'demo.db'}"
        process = subprocess.Popen(
            [
                sys.executable,
                "-c",
                _SERVE,
                "demo",
                "--no-browser",
                f"--storage={storage}",
                "--port=0",
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        try:
            yield next(line.split()[3] for line in process.stdout if "Counsel is at" in line)
        finally:
            process.terminate()
            process.wait(timeout=60)


# Whoever has seen the guided first round does not see it again.
_GUIDED = """for (const study of ['exosuit', 'driving comfort', 'hot sensor'])
  localStorage.setItem(`counsel/${study}/guide`, 'seen');"""


def opened(browser: Browser, url: str, width: int, scheme: str, *, guided: bool = True) -> Page:
    context = browser.new_context(
        base_url=url,
        viewport={"width": width, "height": 860},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    context.set_default_timeout(_LONG)
    if guided:
        context.add_init_script(_GUIDED)
    context.add_cookies([{"name": "counsel_name", "value": "ann", "url": url}])
    return context.new_page()


def take(browser: Browser, url: str, wanted: tuple[str, ...]) -> None:
    for width, size in ((WIDE, ""), (NARROW, "-narrow")):
        for scheme in ("light", "dark"):
            for name, (path, wait) in SCREENS.items():
                target = DOCS / f"{name}{size}{'-dark' if scheme == 'dark' else ''}.png"
                if wanted and not target.name.startswith(wanted):
                    continue
                # The list is seen as a newcomer sees it.
                page = opened(browser, url, width, scheme, guided=name != "studies")
                page.goto(path)
                wait(page)
                shoot(page, target)
                page.context.close()
    if not wanted or "tour".startswith(wanted):
        page = opened(browser, url, WIDE, "light", guided=False)
        page.goto("/studies/exosuit")
        ready(page)
        page.get_by_role("button", name="Next").click()
        still(page)
        shoot(page, DOCS / "tour.png")
        page.context.close()


def take_last(browser: Browser, url: str, wanted: tuple[str, ...]) -> None:
    for name, (path, wait) in LAST.items():
        if not wanted or name.startswith(wanted):
            page = opened(browser, url, WIDE, "light")
            page.goto(path)
            wait(page)
            shoot(page, DOCS / f"{name}.png")
            page.context.close()


def shoot(page: Page, target: Path) -> None:
    """The whole page, in 256 colours: a third of the size, and no difference to the eye.

    The colours of areas and letters stay as they are; the others share what is left.
    """
    page.get_by_text("Connection lost.").wait_for(state="hidden")  # a busy machine
    page.mouse.move(0, 0)  # figures show their tools under the pointer
    taken = Image.open(BytesIO(page.screenshot(full_page=True))).convert("RGB")
    counts = sorted(taken.getcolors(taken.width * taken.height) or [], reverse=True)
    often = [part for _, colour in counts[:96] for part in colour]
    others = taken.quantize(256 - 96, Image.Quantize.MAXCOVERAGE).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette((often + others)[: 3 * 256])
    taken.quantize(palette=palette, dither=Image.Dither.NONE).save(target, optimize=True)
    print(target.name, flush=True)


def one_round(browser: Browser, url: str) -> None:
    """One round, as a person has it: look, drag, use mine, simulate, see what came of it."""
    page = opened(browser, url, 1100, "light")
    frames: list[tuple[Image.Image, int]] = []

    def keep(milliseconds: int) -> None:
        taken = Image.open(BytesIO(page.screenshot()))
        frames.append((taken.convert("RGB").resize((825, 645)), milliseconds))

    page.goto("/studies/exosuit")
    ready(page)
    keep(2500)
    edge = page.locator("#picture .edge").first.bounding_box()
    start = page.locator("#picture .mine").first.bounding_box()
    assert edge is not None
    assert start is not None
    x, y = start["x"] + start["width"] / 2, start["y"] + start["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    goal = edge["x"] + 0.72 * edge["width"], edge["y"] + 0.72 * edge["height"]
    for step in range(1, 9):
        page.mouse.move(x + (goal[0] - x) * step / 8, y + (goal[1] - y) * step / 8)
        page.wait_for_timeout(350)
        keep(220)
    page.mouse.up()
    page.wait_for_timeout(900)
    keep(2500)
    page.locator("#mine").get_by_role("button", name="Use mine").click()
    page.locator("#measure").wait_for()
    page.evaluate("scrollTo(0, 0)")
    still(page)
    keep(1500)
    page.get_by_role("button", name="Simulate").click()
    page.locator("#notice").get_by_text("got").wait_for()
    page.locator("#change svg").first.wait_for()
    page.wait_for_timeout(400)
    keep(1800)
    page.locator("#change").get_by_role("button", name="After it", pressed=True).wait_for()
    still(page)
    keep(3500)
    page.get_by_role("button", name="Ask for a proposal").click()
    ready(page)
    keep(3500)
    page.context.close()
    first, *rest = (image for image, _ in frames)
    first.save(
        DOCS / "round.webp",
        save_all=True,
        append_images=rest,
        duration=[milliseconds for _, milliseconds in frames],
        loop=0,
        quality=70,
        method=6,
    )
    print("round.webp", (DOCS / "round.webp").stat().st_size)


def main(wanted: tuple[str, ...]) -> None:
    with sync_playwright() as playwright, service() as url:
        try:
            browser = playwright.chromium.launch(args=["--no-sandbox"])
        except Error:
            path = os.environ.get("COUNSEL_CHROMIUM", "/usr/bin/chromium")
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        take(browser, url, wanted)
        if not wanted or "round".startswith(wanted):
            one_round(browser, url)
        take_last(browser, url, wanted)
        browser.close()


if __name__ == "__main__":
    main(tuple(sys.argv[1:]))
