"""Before anything is known of who sends: heads and bodies that never end, or are too large."""

import contextlib
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise

import httpx
import pytest

from counsel.service.security.connections import LimitedProtocol, _is_among
from counsel.service.security.tokens import Tokens
from service.conftest import running


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(LimitedProtocol, "head_seconds", 1.0)
    monkeypatch.setattr(LimitedProtocol, "body_seconds", 2.0)
    with running(tokens=Tokens()) as address:
        yield address


@contextmanager
def connected(url: str, said: bytes) -> Iterator[socket.socket]:
    host, port = url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(said)
        yield connection


def heard(connection: socket.socket) -> bytes:
    """Everything until the other end closes; TimeoutError if it does not."""
    found = b""
    while piece := connection.recv(1 << 16):
        found += piece
    return found


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET /api/v1/live HTTP/1.1\r\nHost: x\r\nX-Slow: ",
        b"GET /api/v1/live HTTP/1.1\r\nHost: x\r\n\r\nGET /api",
        b"POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nshort",
    ],
    ids=["nothing", "half a head", "half a second head", "half a body"],
)
def test_unfinished_requests_do_not_stay_open(url: str, said: bytes) -> None:
    with connected(url, said) as connection:
        heard(connection)


def test_a_head_that_goes_on_is_cut_off(url: str) -> None:
    with connected(url, b"GET /api/v1/live HTTP/1.1\r\nHost: x\r\nX-Long: ") as connection:
        sent = 0
        with contextlib.suppress(ConnectionError):
            while sent < 40_000_000:
                connection.sendall(b"x" * 65536)
                sent += 65536
                time.sleep(0.005)
        assert sent < 40_000_000
    assert httpx.get(f"{url}/api/v1/live").status_code == 200


def test_requests_one_after_the_other_are_answered(url: str) -> None:
    with httpx.Client(base_url=url) as client:
        for _ in range(3):
            assert client.get("/api/v1/live").status_code == 200
            time.sleep(0.7)  # together longer than a head may take


def unauthorised(url: str, path: str) -> int:
    """What somebody without a token is answered who announces a body, and sends none of it."""
    said = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: 8000000\r\n\r\n"
    with connected(url, said.encode()) as connection:
        return int(connection.recv(1 << 16).split()[1])


@pytest.mark.parametrize(("path", "status"), [("/api/v1/studies", 401), ("/sign-in", 413)])
def test_no_body_is_read_of_somebody_without_a_token(url: str, path: str, status: int) -> None:
    assert unauthorised(url, path) == status


def test_one_address_has_so_many_connections(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is beyond is closed at once; when the unfinished ones are closed, there is room."""
    monkeypatch.setattr(LimitedProtocol, "most", 20)
    with contextlib.ExitStack() as stack:
        said = b"GET /api/v1/live HTTP/1.1\r\nHost: x\r\n"
        first = [stack.enter_context(connected(url, said)) for _ in range(20)]
        time.sleep(0.5)
        late = [stack.enter_context(connected(url, b"")) for _ in range(20)]
        for each in late:
            with contextlib.suppress(ConnectionError):
                assert heard(each) == b""
        for each in first:  # these are still heard
            each.sendall(b"\r\n")
            assert b"200 OK" in each.recv(1 << 16)
    assert httpx.get(f"{url}/api/v1/live").status_code == 200


@pytest.mark.parametrize("reads", [False, True], ids=["never", "slowly"])
def test_an_answer_that_nobody_reads_is_given_up(
    url: str, monkeypatch: pytest.MonkeyPatch, reads: bool
) -> None:
    """It would be kept for as long as the connection is open; whoever reads slowly gets it all."""
    monkeypatch.setattr(LimitedProtocol, "unread_seconds", 2.0)
    length = len(httpx.get(f"{url}/api/v1/openapi.json").content)
    count = 1 + 20_000_000 // length  # far more than the system takes from the service by itself
    asked = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
    with connected(url, asked * count) as connection:
        found = 0
        for _ in range(40):
            time.sleep(0.1)
            found += len(connection.recv(1 << 18)) if reads else 0
        with contextlib.suppress(ConnectionError):
            while found < count * length:
                piece = connection.recv(1 << 20)
                found += len(piece)
                if not piece:
                    break
    assert (found >= count * length) == reads
    assert httpx.get(f"{url}/api/v1/live").status_code == 200


@pytest.mark.parametrize(
    ("peer", "proxies", "among"),
    [
        ("10.0.0.1", ["10.0.0.10"], False),
        ("10.0.0.10", ["10.0.0.10"], True),
        ("172.18.3.4", ["172.18.0.0/16"], True),
        ("::1", ["127.0.0.1", "::1"], True),
        (None, ["127.0.0.1"], False),
        ("somewhere", ["127.0.0.1"], False),
    ],
)
def test_who_is_a_proxy(peer: str | None, proxies: list[str], among: bool) -> None:
    assert _is_among(peer, proxies) == among


def test_large_bodies_leave_the_others_their_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Twenty at once, of somebody with a token: health is answered in between."""
    tokens = Tokens()
    headers = {"Authorization": f"Bearer {tokens.create('ann', 'owner')[1]}"}
    trial = '{"values": {"x": 0.5}, "outcomes": {"objective": 1.0}},'
    body = ('{"trials": [' + trial * (4_000_000 // len(trial)))[:-1] + "]}"
    finished = [0]
    with running(tokens=tokens) as address:
        with ThreadPoolExecutor(20) as crowd, httpx.Client(base_url=address) as http:

            def send(_: int) -> int:
                path = f"{address}/api/v1/studies/none/trials"
                return httpx.post(path, content=body, headers=headers, timeout=120).status_code

            sending = [crowd.submit(send, i) for i in range(20)]
            while not all(each.done() for each in sending):
                assert http.get("/api/v1/live", timeout=60).status_code == 200
                finished.append(sum(each.done() for each in sending))
        assert {each.result() for each in sending} <= {404, 422}
    # Nobody waits for the whole crowd, however slowly this process looks.
    steps = [after - before for before, after in pairwise(finished)]
    assert max(steps) < 10, finished
