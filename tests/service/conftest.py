"""A real service on a free port of this machine, for tests that talk HTTP."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import httpx
import numpy as np
import pytest
import uvicorn
from httpx._config import DEFAULT_TIMEOUT_CONFIG

import counsel as cs
from counsel.facts.records import PastTrial
from counsel.service.app import create_app
from counsel.service.security.connections import LimitedProtocol
from counsel.service.security.tokens import Tokens

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# A busy machine may take longer than httpx's 5 s; no test is about that.
DEFAULT_TIMEOUT_CONFIG.read = 60.0


@contextmanager
def running(**options: Any) -> Iterator[str]:
    app = create_app(pages=False, **options)
    config = uvicorn.Config(
        app,
        host="127.0.0.1",
        port=0,
        log_config=None,
        ws="none",
        http=LimitedProtocol,
        proxy_headers=False,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=20)
        assert not thread.is_alive()


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """An open service with an empty storage in memory."""
    with running() as address:
        yield address


@pytest.fixture
def http(url: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{url}/api/v1/", timeout=60) as client:
        yield client


@pytest.fixture(scope="module")
def guarded() -> Iterator[tuple[str, Tokens]]:
    """A service that asks for tokens."""
    tokens = Tokens()
    with running(tokens=tokens) as address:
        yield address, tokens


@pytest.fixture
def as_role(guarded: tuple[str, Tokens]) -> Iterator[Callable[..., httpx.Client]]:
    """A client with a new token of that role."""
    address, tokens = guarded
    made: list[httpx.Client] = []

    def client(role: str | None, days: float = 1.0) -> httpx.Client:
        headers = {}
        if role is not None:
            headers = {"Authorization": f"Bearer {tokens.create(f'a {role}', role, days)[1]}"}
        made.append(httpx.Client(base_url=f"{address}/api/v1/", headers=headers, timeout=60))
        return made[-1]

    yield client
    for each in made:
        each.close()


# ---- pages -------------------------------------------------------------------------------------
# One browser and one service for all tests in the process. The files are two groups of about the
# same length (`xdist_group`), because all of them one after the other take half of the whole run.


@pytest.fixture(scope="package")
def browser() -> "Iterator[Browser]":
    from service.browser import chromium

    with chromium() as found:
        yield found


@pytest.fixture(scope="package")
def pages_storage(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A database with a study of four parameters and a hundred observations, and small ones."""
    url = f"sqlite:///{tmp_path_factory.mktemp('pages') / 'studies.db'}"
    space = cs.Space(**{name: cs.Float(0, 1) for name in "abcd"})
    study = cs.create_study(space, name="large", objective="payoff", storage=url)
    points = np.random.default_rng(0).uniform(size=(100, 4))
    study.tell_many(
        PastTrial(space.decode(x), {"payoff": float(np.sin(3 * x).sum())}) for x in points
    )
    names = "two", "narrow", "reasons", "corrected", "pressed", "moved"
    for name in (*names, "undone", "kept", "beside", "told"):
        small = cs.create_study(cs.Space(x=cs.Float(0, 10)), name=name, storage=url, seed=1)
        measured = {1.0: -9.0, 5.0: -1.0, 9.0: -25.0}
        small.tell_many(PastTrial({"x": x}, {"objective": y}) for x, y in measured.items())
    gains = cs.Space(lifting=cs.Float(0, 50), lowering=cs.Float(0, 50))
    tried = cs.create_study(gains, name="map", objective="comfort", storage=url)
    tried.tell_many(
        PastTrial({"lifting": x, "lowering": y}, {"comfort": z})
        for x, y, z in ((5.0, 5.0, 1.0), (20.0, 12.0, 4.0), (45.0, 40.0, 2.0), (30.0, 20.0, 5.0))
    )
    cs.create_study(gains, name="liked", objective="preference", storage=url)
    cs.create_study(gains, name="both", objective="comfort", policy="preference", storage=url)
    return url


@pytest.fixture(scope="package")
def pages_url(pages_storage: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    from service.browser import service

    folder = tmp_path_factory.mktemp("service")
    with service("demo", "--no-browser", "--storage", pages_storage, folder=folder) as address:
        yield address


@pytest.fixture
def page(browser: "Browser", pages_url: str) -> "Iterator[Page]":
    from service.browser import person

    with person(browser, pages_url) as found:
        yield found
