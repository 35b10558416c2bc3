"""Limits, headers and logs."""

import json
import logging
import time
from collections.abc import Callable, Iterator

import httpx
import pytest

from counsel.service.runtime.log_lines import JsonLines
from counsel.service.security.middleware import Limits
from service.conftest import running


def wait_for(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 5
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture(scope="module")
def small() -> Iterator[str]:
    with running(limits=Limits(rate=0.1, burst=20, body=2000)) as address:
        yield address


def test_too_much_is_refused(small: str) -> None:
    big = httpx.post(f"{small}/api/v1/studies", content=b"x" * 2001)
    assert (big.status_code, big.json()["status"]) == (413, 413)

    def pieces() -> Iterator[bytes]:
        for _ in range(30):
            yield b" " * 100

    streamed = httpx.post(f"{small}/api/v1/studies", content=pieces())  # no length is announced
    assert streamed.status_code == 413
    answers = [httpx.get(f"{small}/api/v1/health") for _ in range(25)]
    assert answers[0].status_code == 200
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) >= 1


def test_every_answer_has_safe_headers(url: str) -> None:
    for path in ("health", "nothing", "studies/none"):
        headers = httpx.get(f"{url}/api/v1/{path}").headers
        assert headers["x-content-type-options"] == "nosniff"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["cache-control"] == "no-store"
        assert "server" not in headers or "uvicorn" in headers["server"]


def test_the_log_has_lines_of_json_and_no_secrets(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    secret = "counsel_0123_secret"
    with caplog.at_level(logging.INFO, "counsel.service"):
        httpx.get(
            f"{url}/api/v1/studies/none?token={secret}",
            headers={"Authorization": f"Bearer {secret}", "Cookie": f"session={secret}"},
        )
    wait_for(lambda: len(caplog.records) > 0)  # the line is written after the answer is sent
    lines = [JsonLines().format(record) for record in caplog.records]
    data = [json.loads(line) for line in lines]
    found = next(line for line in data if line.get("path") == "/api/v1/studies/none")
    assert (found["status"], found["method"], found["event"]) == (404, "GET", "request")
    assert found["ms"] >= 0
    assert not any("secret" in line for line in lines)
