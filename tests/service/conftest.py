"""A real service on a free port of this machine, for tests that talk HTTP."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
import uvicorn

from counsel.service.app import create_app
from counsel.service.security.connections import LimitedProtocol
from counsel.service.security.tokens import Tokens


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
