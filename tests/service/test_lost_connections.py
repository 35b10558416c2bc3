"""A page whose connection is lost and comes back: nothing that was typed is lost."""

import asyncio
import contextlib
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from nicegui import Client
from playwright.sync_api import Browser, Page, expect

import counsel as cs
from counsel.service.security.access import NOBODY_IN_PARTICULAR
from counsel.service.security.sessions import Sessions
from counsel.service.web.frame import Visit
from service.browser import LONGEST, accessible, person, service

pytestmark = pytest.mark.xdist_group("pages")
expect.set_options(timeout=LONGEST)

_CUT = "() => window.socket.io.engine.close()"
_CONNECTED = "() => window.socket?.connected && window.did_handshake"


@pytest.fixture
def storage(tmp_path: Path) -> str:
    """A study with something to measure and something to decide on."""
    url = f"sqlite:///{tmp_path / 'studies.db'}"
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), name="s", policy="random", storage=url)
    study.accept(study.ask(), actor="ann")
    study.ask()
    return url


def measuring(page: Page) -> None:
    page.goto("/studies/s?proposal=p1")
    page.wait_for_function(_CONNECTED)
    expect(page.get_by_label("objective", exact=True)).to_be_visible()


def test_a_page_whose_socket_is_cut_goes_on(browser: Browser, storage: str, tmp_path: Path) -> None:
    """As when a phone changes networks: the same page, with what was typed meanwhile."""
    with (
        service("serve", "--storage", storage, folder=tmp_path) as url,
        person(browser, url) as page,
    ):
        measuring(page)
        page.evaluate("window.same = true")
        page.get_by_label("objective", exact=True).fill("4")
        page.evaluate(_CUT)
        page.get_by_label("objective", exact=True).fill("4.25")
        page.wait_for_function(_CONNECTED)
        assert page.evaluate("window.same")  # not loaded again
        expect(page.get_by_label("objective", exact=True)).to_have_value("4.25")
        page.get_by_role("button", name="Tell the machine").click()
        expect(page.locator("#notice")).to_contain_text("4.25")
        (told,) = cs.load_study("s", storage).observations
        assert told.outcomes == {"objective": 4.25}


def test_a_service_restarted_under_a_page_loses_nothing_that_was_typed(
    browser: Browser, storage: str, tmp_path: Path
) -> None:
    """Typed before it ended, and while it was away; the pages come back by themselves."""
    with contextlib.ExitStack() as stack:
        with service("serve", "--storage", storage, folder=tmp_path) as url:
            page = stack.enter_context(person(browser, url))
            other = page.context.new_page()
            other.goto("/studies/s?proposal=p2")
            other.wait_for_function(_CONNECTED)
            other.get_by_label("Reason (optional)").fill("a hunch")
            other.locator("#mine").get_by_label("x", exact=True).last.fill("0,125")
            measuring(page)
            page.get_by_label("objective", exact=True).fill("7")
        # It has ended, though two pages are open.
        page.get_by_label("objective", exact=True).fill("7.5")
        port = int(url.rpartition(":")[2])
        stack.enter_context(service("serve", "--storage", storage, folder=tmp_path, port=port))
        for each in (page, other):
            each.wait_for_function(_CONNECTED)
        expect(page.get_by_label("objective", exact=True)).to_have_value("7.5")
        expect(other.get_by_label("Reason (optional)")).to_have_value("a hunch")
        expect(other).to_have_url(re.compile("proposal=p2$"))
        expect(other.locator("#mine").get_by_label("x", exact=True).last).to_have_value("0.125")
        accessible(other)
        page.get_by_role("button", name="Tell the machine").click()
        expect(page.locator("#notice")).to_contain_text("7.5")
        other.get_by_role("button", name="Use mine").click()
        expect(other.get_by_label("objective", exact=True)).to_be_visible()
    study = cs.load_study("s", storage)
    assert [each.outcomes for each in study.observations] == [{"objective": 7.5}]
    assert [each.reason for each in study.decisions] == ["", "a hunch"]
    assert dict(study.decisions[-1].values or {}) == {"x": 0.125}


def test_nothing_is_begun_for_a_page_without_a_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for the next page does not wait for the one they have left."""
    begun: list[int] = []

    class Pool:
        async def compute(self, work: Callable[..., Any], *args: Any, caller: object) -> Any:
            begun.append(work(*args))
            return begun[-1]

    async def story() -> None:
        back = asyncio.Event()
        client: Any = SimpleNamespace(id="ann", connected=back.wait)
        monkeypatch.setattr(Client, "instances", {"ann": client})
        pool: Any = Pool()
        here = Visit(
            pool, NOBODY_IN_PARTICULAR, Sessions(None), "", "ann", client, False, asyncio.Event()
        )
        first = asyncio.create_task(here.believed(lambda: 7))
        await asyncio.sleep(0.01)
        assert begun == []
        back.set()  # the connection comes back
        assert await first == 7
        back.clear()
        second = asyncio.create_task(here.believed(lambda: 8))
        await asyncio.sleep(0.01)
        Client.instances.clear()  # it does not, and the page is given up
        back.set()
        with pytest.raises(asyncio.CancelledError):
            await second
        assert begun == [7]

    # In a thread: the browser of other tests has an event loop in this one.
    with ThreadPoolExecutor(1) as apart:
        apart.submit(lambda: asyncio.run(story())).result()
