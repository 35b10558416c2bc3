"""What an open page may still do: a viewer's events, revoked and expired tokens, signing out."""

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

import counsel as cs
from counsel.service.security.access import NOBODY_IN_PARTICULAR
from counsel.service.security.tokens import Tokens
from counsel.service.web import open_pages
from service.browser import service

pytestmark = pytest.mark.xdist_group("pages")
_LONGEST = 60_000  # milliseconds, on a busy machine
expect.set_options(timeout=_LONGEST)
# Every click that the server would hear, drawn as a button or not, and what the table emits.
_EMIT_ALL = """
() => {
  let sent = 0;
  for (const [id, element] of Object.entries(mounted_app.elements))
    for (const event of element.events ?? []) {
      if (!['click', 'revise', 'withdraw'].includes(event.type)) continue;
      const args = event.type === 'click' ? [] : ['"o1"'];
      window.socket.emit('event', {
        id: Number(id), client_id: window.clientId, listener_id: event.listener_id, args});
      sent += 1;
    }
  return sent;
}
"""


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Studies with something to revise, to withdraw, to decide on and to compare."""
    url = f"sqlite:///{tmp_path_factory.mktemp('pages') / 'studies.db'}"
    box = cs.Space(x=cs.Float(0, 10))
    study = cs.create_study(box, name="measured", policy="random", storage=url)
    study.tell(study.ask(), 1.0, actor="ann")
    study.accept(study.ask(), actor="ann")
    study.ask()
    liked = cs.create_study(box, name="liked", objective="preference", policy="random", storage=url)
    liked.ask(4)
    liked.compare(winner="p1", loser="p2", actor="vera")
    return url


@pytest.fixture(scope="module")
def tokens(storage: str) -> Iterator[Tokens]:
    found = Tokens(storage)
    yield found
    found.close()


@pytest.fixture(scope="module")
def url(storage: str, tokens: Tokens, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    tokens.create("somebody", "owner")
    folder = tmp_path_factory.mktemp("service")
    with service("serve", "--tokens", "--storage", storage, folder=folder) as address:
        yield address


@pytest.fixture
def context(browser: Browser, url: str) -> Iterator[BrowserContext]:
    found = browser.new_context(base_url=url, reduced_motion="reduce")
    found.set_default_timeout(_LONGEST)
    yield found
    found.close()


SignedIn = Callable[..., tuple[str, Page]]


@pytest.fixture
def signed_in(context: BrowserContext, tokens: Tokens) -> SignedIn:
    """Somebody new of a role, on a page; the id of their token."""

    def enter(role: str, path: str, studies: dict[str, str] | None = None) -> tuple[str, Page]:
        made, text = tokens.create("vera", role, 1.0, studies=studies)
        page = context.new_page()
        page.goto(path)
        page.get_by_label("Your token").fill(text)
        page.get_by_role("button", name="Sign in").click()
        shown = next((each for name, each in (studies or {}).items() if name in path), role)
        expect(page.get_by_text(f"vera ({shown})")).to_be_visible(timeout=_LONGEST)
        page.wait_for_function("window.did_handshake")
        return made.id, page

    return enter


def written(storage: str) -> dict[str, int]:
    return {summary.name: summary.facts for summary in cs.list_studies(storage)}


def until(happened: Callable[[], bool], seconds: float = 20.0) -> float:
    began = time.monotonic()
    while not happened():
        assert time.monotonic() - began < seconds
        time.sleep(0.02)
    return time.monotonic() - began


def test_a_viewer_writes_no_fact_by_emitting_events(signed_in: SignedIn, storage: str) -> None:
    """Not by the table's own events, nor by any click on any page, nor by a key."""
    before = written(storage)
    _, page = signed_in("viewer", "/studies/measured/history")
    expect(page.get_by_role("cell", name="o1", exact=True)).to_be_visible()
    page.evaluate(
        """() => { for (const [id, e] of Object.entries(mounted_app.elements))
             if ((e.events ?? []).some(event => event.type === 'revise'))
               getElement(Number(id)).$emit('revise', 'o1'); }"""
    )
    page.get_by_label("objective").fill("99")
    page.get_by_role("button", name="Save correction").click()
    expect(page.get_by_text("This needs the role 'participant'")).to_be_visible()
    assert written(storage) == before
    paths = ("/studies/measured/history", "/studies/measured", "/studies/liked/compare", "/arm")
    for path in paths:
        page.goto(path)
        page.wait_for_function("window.did_handshake")
        page.wait_for_timeout(1000)  # until it is drawn
        for _ in range(2):  # the second time with what the first has opened, perhaps another page
            page.wait_for_function("typeof mounted_app !== 'undefined' && window.did_handshake")
            assert page.evaluate(_EMIT_ALL) > 0
            page.wait_for_timeout(300)
        for key in ("a", "r", "m", "n", "t", "ArrowLeft"):
            page.keyboard.press(key)
        page.wait_for_timeout(300)
    assert written(storage) == before


def test_pages_of_a_study_that_is_not_theirs_are_closed_to_an_owner_of_another(
    signed_in: SignedIn, tokens: Tokens, storage: str
) -> None:
    """The list does not have it, its pages do not show it, and a role that is taken away closes
    the pages that are open."""
    before = written(storage)
    token, page = signed_in("none", "/studies/measured", studies={"measured": "participant"})
    expect(page.get_by_role("button", name="One more proposal")).to_be_visible()
    other = page.context.new_page()
    other.goto("/")
    expect(other.get_by_role("link", name="measured", exact=True)).to_be_visible()
    assert other.get_by_role("link", name="liked", exact=True).count() == 0
    for tab in ("", "/compare", "/insights", "/history"):
        other.goto(f"/studies/liked{tab}")
        expect(other.get_by_text("There is no study 'liked', or you have no part")).to_be_visible()
        assert "p1" not in other.content()
    tokens.grant(token, "measured", "viewer")
    other.goto("/studies/measured/history")
    expect(other.get_by_text("vera (viewer)")).to_be_visible()
    page.get_by_role("button", name="One more proposal").click()  # drawn when it was allowed
    expect(page.get_by_text("This needs the role 'participant'")).to_be_visible()
    tokens.grant(token, "measured", None)
    expect(page.get_by_label("Your token")).to_be_visible()
    expect(other.get_by_label("Your token")).to_be_visible()
    assert written(storage) == before


def test_a_participant_still_writes_the_same_way(signed_in: SignedIn, storage: str) -> None:
    before = written(storage)["measured"]
    _, page = signed_in("participant", "/studies/measured/history")
    page.get_by_role("button", name="Revise o1").click()
    page.get_by_label("objective").fill("2")
    page.get_by_role("button", name="Save correction").click()
    until(lambda: written(storage)["measured"] == before + 1)


def test_a_participant_does_not_take_back_a_rejection_on_the_page(
    signed_in: SignedIn, storage: str
) -> None:
    study = cs.load_study("liked", storage)
    rejection = study.reject("p4", actor="rita").id
    before = written(storage)["liked"]
    _, page = signed_in("participant", "/studies/liked/history")
    page.get_by_role("button", name=f"Withdraw {rejection}").click()
    page.get_by_role("button", name="Withdraw it").click()
    expect(page.get_by_text("rita rejected proposal 'p4'. Only they")).to_be_visible()
    assert written(storage)["liked"] == before


# When the page's socket was closed, as its browser has it; kept while pages come and go.
_WATCH = """() => window.socket.on('disconnect', () => {
  localStorage.closed ??= Date.now() / 1000; })"""


def closed_at(page: Page) -> float | None:
    with contextlib.suppress(Error):  # between two pages
        found = page.evaluate("() => localStorage.closed ?? null")
        return None if found is None else float(found)
    return None


@pytest.mark.parametrize("how", ["revoked", "expired"])
def test_revocation_and_expiry_reach_open_pages(
    context: BrowserContext, signed_in: SignedIn, tokens: Tokens, storage: str, how: str
) -> None:
    """The socket is closed even of a browser that is told to leave and stays."""
    before = written(storage)
    token, page = signed_in("participant", "/studies/measured")
    context.route("**/sign-in", lambda route: route.fulfill(status=204))
    expect(page.get_by_role("button", name="One more proposal")).to_be_visible()
    page.evaluate(_WATCH)
    if how == "revoked":
        tokens.revoke(token)
        moment = time.time()
    else:
        moment = time.time() + 1.0
        expires = datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M:%S.%f")
        with contextlib.closing(sqlite3.connect(storage.removeprefix("sqlite:///"))) as database:
            database.execute("UPDATE counsel_tokens SET expires = ? WHERE id = ?", (expires, token))
            database.commit()
    for _ in range(1200):
        if (closed := closed_at(page)) is not None:
            break
        page.wait_for_timeout(50)
    assert closed is not None
    print(f"{how}: the socket was closed after {closed - moment:.2f} s")
    assert written(storage) == before


def test_a_page_is_closed_by_the_first_look_after_its_session_has_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And a look with what it takes to close comes within the second that is promised."""
    assert open_pages._LOOK + open_pages._CLOSING < 1.0
    happened: list[str] = []
    people: dict[str, object] = {"vera": NOBODY_IN_PARTICULAR, "ben": NOBODY_IN_PARTICULAR}
    pause = asyncio.sleep

    class Watched:
        def people(self, sessions: set[str]) -> dict[str, object]:
            happened.append("look")
            return {session: people[session] for session in sessions & set(people)}

    async def sleep(seconds: float) -> None:
        await pause(0)
        if happened.count("look") == 3 and "vera" in people:
            del people["vera"]
            happened.append("revoked")
        if happened.count("look") > 5:
            raise StopAsyncIteration

    async def shut(client: Any) -> None:
        happened.append(f"closed {client.id}")
        pages._pages.pop(client.id)

    async def store(work: Callable[..., Any], *args: Any) -> Any:
        return work(*args)

    pages = open_pages.OpenPages(Watched())  # type: ignore[arg-type]
    for session in people:
        client = SimpleNamespace(id=session, handle_event=None, on_delete=lambda _: None)
        pages.enter(client, session, None)  # type: ignore[arg-type]
    monkeypatch.setattr(open_pages, "_shut", shut)
    monkeypatch.setattr(asyncio, "sleep", sleep)
    # In a thread: the browser of other tests has an event loop in this one.
    with ThreadPoolExecutor(1) as apart, pytest.raises(StopAsyncIteration):
        apart.submit(lambda: asyncio.run(pages.watch(store))).result()
    assert happened == ["look"] * 3 + ["revoked", "look", "closed vera"] + ["look"] * 2


def test_a_page_that_two_close_at_once_ends_no_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """Signing out closes a page that the check is about to close."""
    deleted = 0

    async def pause(*_: Any, **__: Any) -> None:
        await asyncio.sleep(0)

    class Client:
        instances: ClassVar[dict[str, Any]] = {}
        id, has_socket_connection = "page", True

        def delete(self) -> None:
            nonlocal deleted
            del Client.instances[self.id]
            deleted += 1

    Client.instances["page"] = client = Client()
    manager = SimpleNamespace(get_participants=lambda *_: [("socket", "transport")])
    transports = SimpleNamespace(disconnect=pause)
    sio = SimpleNamespace(emit=pause, disconnect=pause, manager=manager, eio=transports)
    monkeypatch.setattr(open_pages, "Client", Client)
    monkeypatch.setattr(open_pages.core, "sio", sio)

    async def both() -> None:
        await asyncio.gather(open_pages._shut(client), open_pages._shut(client))  # type: ignore[arg-type]

    with ThreadPoolExecutor(1) as apart:
        apart.submit(lambda: asyncio.run(both())).result()
    assert deleted == 1


def test_an_event_after_revocation_is_not_handled(
    context: BrowserContext, signed_in: SignedIn, tokens: Tokens, storage: str
) -> None:
    """Sent in the moment before the socket is closed, and again when it comes back."""
    before = written(storage)
    token, page = signed_in("participant", "/studies/measured")
    expect(page.get_by_role("button", name="One more proposal")).to_be_visible()
    context.route("**/sign-in", lambda route: route.fulfill(status=204))  # they stay
    tokens.revoke(token)
    page.evaluate(_EMIT_ALL)
    for _ in range(10):
        page.wait_for_timeout(200)
        with contextlib.suppress(Error):  # between two pages
            page.evaluate(_EMIT_ALL)
    assert written(storage) == before


def test_signing_out_ends_the_session(
    context: BrowserContext, signed_in: SignedIn, url: str
) -> None:
    _, page = signed_in("participant", "/studies/measured")
    other = context.new_page()  # a second window of the same session
    other.goto("/studies/measured/history")
    expect(other.get_by_text("vera (participant)")).to_be_visible()
    (cookie,) = [c for c in context.cookies() if c["name"] == "counsel_session"]
    copied = {"counsel_session": cookie["value"]}
    assert "vera" in httpx.get(f"{url}/studies/measured/history", cookies=copied).text
    page.get_by_role("link", name="Sign out").click()
    expect(page.get_by_label("Your token")).to_be_visible()
    expect(other.get_by_label("Your token")).to_be_visible()  # closed as well
    assert "vera" not in httpx.get(f"{url}/studies/measured/history", cookies=copied).text


def test_no_page_goes_around_the_check() -> None:
    """Pages reach studies through their visit, which asks who they are for."""
    import counsel.demo
    import counsel.service.web

    folders = [Path(module.__path__[0]) for module in (counsel.demo, counsel.service.web)]
    texts = {f.name: f.read_text() for folder in folders for f in folder.glob("*.py")}
    for name, text in texts.items():
        if name not in ("frame.py", "sign_in.py"):
            assert not [verb for verb in ("store", "ask", "compute") if f"pool.{verb}(" in text], (
                name
            )
