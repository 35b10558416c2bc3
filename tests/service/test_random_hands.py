"""Two minutes of random clicks, typing and leaving: nothing breaks, in the page or behind it."""

import random
import time
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Error, Page

from service.browser import person, service

pytestmark = pytest.mark.xdist_group("pages")

SECONDS = 120.0
PAUSES = 0, 10, 50, 150, 400, 1000  # milliseconds


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_hands_break_nothing(browser: Browser, tmp_path: Path, seed: int) -> None:
    # The service's log may contain no exception, and the page none of its own.
    storage = f"sqlite:///{tmp_path / 'studies.db'}"
    rng, done = random.Random(seed), 0
    with (
        service("demo", "--no-browser", "--storage", storage, folder=tmp_path) as url,
        person(browser, url, color_scheme="dark") as dark,
        person(browser, url, name="bob", color_scheme="light") as light,
    ):
        names = [study["name"] for study in httpx.get(f"{url}/api/v1/studies").json()]
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            page = rng.choice([dark, light])
            try:
                _something(page, names, rng)
                page.wait_for_timeout(rng.choice(PAUSES))
                done += 1
            except Error:  # what was meant is gone, or something lies over it
                continue
    assert done > 20


def _something(page: Page, names: list[str], rng: random.Random) -> None:
    ways = "", "", "", "/insights", "/history", "/compare"
    what = rng.random()
    if what < 0.25 or page.url == "about:blank":
        page.goto(f"/studies/{rng.choice(names)}{rng.choice(ways)}", wait_until="commit")
    elif what < 0.3:
        page.reload(wait_until="commit")
    elif what < 0.35:
        page.emulate_media(color_scheme=rng.choice(["dark", "light"]))
    elif what < 0.6:
        fields = page.locator("input:visible")
        number = f"{rng.uniform(0, 10):.2f}"
        fields.nth(rng.randrange(max(fields.count(), 1))).fill(number, timeout=1_000)
    elif what < 0.65:
        page.keyboard.press(rng.choice(["a", "r", "t", "?", "Escape", "Enter"]))
    else:
        buttons = page.locator("button:visible")
        chosen = buttons.nth(rng.randrange(max(buttons.count(), 1)))
        chosen.click(timeout=1_000, no_wait_after=True)
