"""How long a person waits for the pages, measured inside a real browser.

    python -m benchmarks.pages                 every measurement: about four minutes
    python -m benchmarks.pages drag many       those whose names begin so
    python -m benchmarks.pages --json out.json

Each measurement starts a service of its own on a free port of this machine, with a database in a
folder that is removed. `new-machine` also has an empty folder for compiled programs. Times are the
browser's own: from the click or the request until what is waited for is in the page. Needs Chromium
(`make browser`).
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Error, Page, sync_playwright

import counsel as cs
from counsel.facts.records import PastTrial

_SERVE = "from counsel.cli import main; main()"
_LONG = 300_000  # milliseconds: a page that takes longer is not measured
_PREDICTED = "#mine-prediction"
_BELIEVED = "document.querySelector('#mine-difference')?.innerText === 'This is the proposal.'"
_ENABLED = "document.querySelector('[aria-label=\"Accept\"]:not([disabled])') !== null"
_PICTURED = "document.querySelector('#picture svg') !== null"
# What makes Decide usable: the picture, what is expected, and a button that can be pressed.
_USABLE = f"() => {_BELIEVED} && {_ENABLED} && {_PICTURED}"
_PROPOSED = f"() => {_ENABLED} && document.querySelector('#expected') !== null"

Seconds = dict[str, list[float]]


@contextmanager
def service(storage: str, *, demo: bool = False, cache: str | None = None) -> Iterator[str]:
    environment = dict(os.environ) | ({"COUNSEL_CACHE": cache} if cache else {})
    given = ["demo", "--no-browser"] if demo else ["serve"]
    process = subprocess.Popen(
        [sys.executable, "-c", _SERVE, *given, f"--storage={storage}", "--port=0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
    )
    assert process.stdout is not None
    try:
        yield next(line.split()[3] for line in process.stdout if "Counsel is at" in line)
    finally:
        process.terminate()
        process.wait(timeout=60)


@contextmanager
def opened(browser: Browser, url: str) -> Iterator[Page]:
    context = browser.new_context(base_url=url, viewport={"width": 1300, "height": 860})
    context.set_default_timeout(_LONG)
    context.add_cookies([{"name": "counsel_name", "value": "ann", "url": url}])
    page = context.new_page()
    yield page
    context.close()


def waited(page: Page, path: str, condition: str, times: int) -> list[float]:
    """Seconds from the request until the condition holds, by the page's own clock."""
    found = []
    for _ in range(times):
        page.goto(path, wait_until="commit")
        page.wait_for_function(condition, polling="raf")
        found.append(page.evaluate("performance.now()") / 1000.0)
    return found


# ---- studies ------------------------------------------------------------------------------------


def in_four(storage: str, trials: int = 100) -> None:
    """Four parameters and so many trials, and a proposal that waits."""
    unit = cs.Float(0, 1)
    space = cs.Space(a=unit, b=unit, c=unit, d=unit)
    study = cs.create_study(space, name="large", objective="payoff", storage=storage)
    points = np.random.default_rng(0).uniform(size=(trials, 4))
    study.tell_many(
        PastTrial(space.decode(x), {"payoff": float(np.sin(3 * x).sum())}) for x in points
    )
    study.ask()


def of_arms(storage: str, arms: int = 20_000, trials: int = 2_000) -> None:
    rng = np.random.default_rng(0)
    table = rng.uniform(size=(arms, 3))
    space = cs.Arms(table, names=["a", "b", "c"])
    study = cs.create_study(space, name="arms", objective="payoff", storage=storage)
    rows = rng.choice(arms, trials, replace=False)
    study.tell_many(
        PastTrial(space[int(row)], {"payoff": float(np.sin(3 * table[row]).sum())}) for row in rows
    )
    study.ask()


# ---- what is measured ---------------------------------------------------------------------------


def decide(browser: Browser, folder: Path) -> Seconds:
    """Decide, 4 parameters and 100 trials, after a first request."""
    storage = f"sqlite:///{folder / 'decide.db'}"
    in_four(storage)
    with service(storage) as url, opened(browser, url) as page:
        waited(page, "/studies/large", _USABLE, 2)
        page.wait_for_timeout(3000)
        return {"decide": waited(page, "/studies/large", _USABLE, 9)}


_WATCH = """() => {
  window.lags = [];
  window.asked = null;
  const text = document.querySelector('%s');
  document.querySelector('#picture').addEventListener('pointermove', () => {
    window.asked ??= performance.now(); }, true);
  new MutationObserver(() => requestAnimationFrame(() => {
    if (window.asked === null) return;
    window.lags.push(performance.now() - window.asked);
    window.asked = null;
  })).observe(text, {childList: true, characterData: true, subtree: true});
}"""


def drag(browser: Browser, folder: Path) -> Seconds:
    """Dragging on the picture: from a move to the new prediction on the screen.

    `one` waits for each answer before the next move; `many` moves sixty times a second, and counts
    from the first move that has no answer yet.
    """
    storage = f"sqlite:///{folder / 'drag.db'}"
    in_four(storage)
    found: Seconds = {}
    with service(storage) as url, opened(browser, url) as page:
        waited(page, "/studies/large", _USABLE, 2)
        page.wait_for_timeout(3000)
        box = page.locator("#picture .edge").first.bounding_box()
        assert box is not None
        middle = box["y"] + box["height"] / 2

        def across(share: float) -> float:
            return box["x"] + share * box["width"]

        page.mouse.move(across(0.5), middle)
        page.mouse.down()
        page.wait_for_timeout(2000)  # the first drag compiles
        page.evaluate(_WATCH % _PREDICTED)
        for turn in range(30):
            before = page.evaluate("window.lags.length")
            page.mouse.move(across(0.1 + 0.8 * ((turn * 7) % 30) / 30), middle)
            page.wait_for_function(f"window.lags.length > {before}", polling=5)
        lags = page.evaluate("window.lags")
        found["drag, one move"] = [each / 1000.0 for each in lags]
        page.evaluate("window.lags = []")
        began = time.perf_counter()
        for step in range(180):
            page.mouse.move(across(0.5 + 0.4 * float(np.sin(step / 15))), middle)
            page.wait_for_timeout(
                max(0.0, 1000.0 * (began + (step + 1) / 60 - time.perf_counter()))
            )
        page.mouse.up()
        page.wait_for_timeout(500)
        lags = page.evaluate("window.lags")
        found["drag, moving on"] = [each / 1000.0 for each in lags]
    return found


def many(browser: Browser, folder: Path) -> Seconds:
    """Pages of a study with 2,000 trials."""
    storage = f"sqlite:///{folder / 'many.db'}"
    in_four(storage, 2_000)
    return _opened(browser, storage, "large", "2,000 trials")


def arms(browser: Browser, folder: Path) -> Seconds:
    """Pages of a study of 20,000 candidates with 2,000 trials."""
    storage = f"sqlite:///{folder / 'arms.db'}"
    of_arms(storage)
    return _opened(browser, storage, "arms", "20,000 candidates")


def _opened(browser: Browser, storage: str, name: str, title: str) -> Seconds:
    drawn = "() => document.querySelectorAll('.js-plotly-plot .main-svg').length > 1"
    whole = "() => document.querySelector('#drawn') !== null"
    listed = "() => document.querySelectorAll('tbody tr').length > 10"
    found: Seconds = {}
    with service(storage) as url, opened(browser, url) as page:
        for what, path, condition in (
            ("decide", "", _USABLE),
            ("insights, first figure", "/insights", drawn),
            ("insights, every figure", "/insights", whole),
            ("history", "/history", listed),
        ):
            waited(page, f"/studies/{name}{path}", condition, 1)
            page.wait_for_timeout(2000)
            found[f"{title}: {what}"] = waited(page, f"/studies/{name}{path}", condition, 3)
    return found


def new_machine(browser: Browser, folder: Path) -> Seconds:
    """The demonstration with nothing compiled: a click on a study's card, at once after the list
    is there (three times), three and ten seconds later."""
    found: Seconds = {}
    for number, patience in enumerate((0, 0, 0, 3, 10)):
        cache, storage = folder / f"cache-{number}", folder / f"demo-{number}.db"
        cache.mkdir()
        url_of = f"sqlite:///{storage}"
        with service(url_of, demo=True, cache=str(cache)) as url, opened(browser, url) as page:
            page.goto("/")
            page.get_by_role("link", name="exosuit", exact=True).wait_for()
            page.wait_for_timeout(1000 * patience)
            page.get_by_role("link", name="exosuit", exact=True).click(no_wait_after=True)
            page.wait_for_url("**/studies/**", wait_until="commit")
            when = "at once" if patience == 0 else f"after {patience} s"
            for what, condition in (("proposal", _PROPOSED), ("everything", _USABLE)):
                page.wait_for_function(condition, polling="raf")
                seconds = page.evaluate("performance.now()") / 1000.0
                found.setdefault(f"new machine, {when}: {what}", []).append(seconds)
    return found


MEASUREMENTS: dict[str, Callable[[Browser, Path], Seconds]] = {
    "decide": decide,
    "drag": drag,
    "many": many,
    "arms": arms,
    "new-machine": new_machine,
}


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu"]
        path = os.environ.get("COUNSEL_CHROMIUM")
        for given in [path] if path else [None, "/usr/bin/chromium", "/usr/bin/google-chrome"]:
            try:
                browser = playwright.chromium.launch(executable_path=given, args=flags)
            except Error:
                continue
            yield browser
            browser.close()
            return
        raise SystemExit("No Chromium: run `make browser`, or name one in COUNSEL_CHROMIUM.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="measurements whose names begin so")
    parser.add_argument("--json", type=Path, help="write every single time there")
    given = parser.parse_args()
    wanted = tuple(given.names)
    found: Seconds = {}
    print(f"{'':40}{'median':>8}{'slowest':>9}   of")
    with chromium() as browser:
        for name, measure in MEASUREMENTS.items():
            if wanted and not name.startswith(wanted):
                continue
            with tempfile.TemporaryDirectory() as folder:
                new = measure(browser, Path(folder))
            for title, seconds in new.items():
                middle, slowest = statistics.median(seconds), max(seconds)
                print(f"{title:40}{middle:7.3f}s{slowest:8.3f}s {len(seconds):4}", flush=True)
            found |= new
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
