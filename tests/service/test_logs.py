"""What strangers send does not end up in the log, nor forge a line of it; and who they say they are
is not believed."""

import json
import logging
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from counsel.service.runtime.log_lines import JsonLines, LineLimit
from counsel.service.security.tokens import Tokens
from service.browser import service

SECRET = "counsel_0123456789ab_very-secret"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    if shutil.which("openssl") is None:
        pytest.skip("no openssl to make a certificate with")
    folder = tmp_path_factory.mktemp("tls")
    key, made = folder / "key.pem", folder / "cert.pem"
    ask = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    ask += ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    files = ["-keyout", str(key), "-out", str(made)]
    subprocess.run([*ask, *files], check=True, capture_output=True)
    return made, key


@pytest.fixture(scope="module")
def guarded(
    certificate: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[httpx.Client, Path, str]]:
    """A service with tokens, over TLS; a client of it, its log, a token."""
    import ssl

    folder = tmp_path_factory.mktemp("service")
    storage = f"sqlite:///{folder / 'a.db'}"
    tokens = Tokens(storage)
    _, text = tokens.create("ann", "owner")
    tokens.close()
    made, key = certificate
    options = ["--certificate", str(made), "--certificate-key", str(key)]
    with service("serve", "--tokens", "--storage", storage, *options, folder=folder) as address:
        trust = ssl.create_default_context(cafile=str(made))
        with httpx.Client(base_url=address, verify=trust, timeout=60) as client:
            yield client, folder / "service.log", text


Guarded = tuple[httpx.Client, Path, str]


def test_the_log_has_no_query_and_no_forged_line(guarded: Guarded) -> None:
    client, log, text = guarded
    for path in (
        f"/nothing?token={SECRET}",
        f"/nothing%0d%0aforged?token={SECRET}",
        f"/nothing?token=%0d{SECRET}%22{SECRET}",
        f"/studies/{SECRET}",
        f"/api/v1/studies/none?token={SECRET}",
        f"/sign-in?next=/&token={SECRET}",
        "/nothing%C2%85forged%E2%80%A8forged",
    ):
        client.get(path, headers={"Authorization": f"Bearer {text}"})
    client.post("/sign-in", data={"token": SECRET})
    lines = log.read_text().splitlines()
    found = [json.loads(line) for line in lines]  # every one of them is ours
    assert any("not found" in line["event"] for line in found)  # the pages' own words too
    assert not [line for line in lines if "secret" in line or text.split("_", 2)[2] in line]


def test_a_session_cookie_is_secure_under_tls(guarded: Guarded) -> None:
    client, _, text = guarded
    entered = client.post("/sign-in", data={"token": text})
    assert entered.status_code == 303
    (cookie,) = entered.headers.get_list("set-cookie")
    parts = {part.strip().lower() for part in cookie.split(";")[1:]}
    assert {"secure", "httponly", "samesite=strict"} <= parts
    assert "strict-transport-security" in entered.headers


def test_a_nul_in_a_token_is_an_unknown_token(guarded: Guarded) -> None:
    client, _, _ = guarded
    for given in ("counsel_\0_x", "counsel_%00_x"):
        assert client.post("/sign-in", data={"token": given}).status_code == 401
        named = client.get("/api/v1/studies", headers={"Authorization": f"Bearer {given!a}"})
        assert named.status_code == 401


@pytest.mark.parametrize("trusted", [False, True])
def test_forwarded_addresses_are_believed_of_a_named_proxy_only(
    tmp_path: Path, trusted: bool
) -> None:
    """One address may send 1000 requests at once; it does not get more by other names."""
    options = ["--proxy", "127.0.0.1"] if trusted else []
    storage = f"sqlite:///{tmp_path / 'a.db'}"
    with service(
        "serve", "--no-pages", "--level", "error", "--storage", storage, *options, folder=tmp_path
    ) as address:
        host, port = address.removeprefix("http://").split(":")
        codes = set()
        with socket.create_connection((host, int(port))) as connection:
            # Many in one go, faster than the bucket fills up again.
            for block in range(15 if trusted else 60):
                requests = "".join(
                    f"GET /api/v1/live HTTP/1.1\r\nHost: {host}\r\n"
                    f"X-Forwarded-For: 10.0.{block}.{i}\r\n\r\n"
                    for i in range(100)
                )
                connection.sendall(requests.encode())
                answers = b""
                while answers.count(b"HTTP/1.1 ") < 100 or not answers.endswith(b"}"):
                    answers += connection.recv(1 << 16)
                codes |= {int(part[:3]) for part in answers.split(b"HTTP/1.1 ")[1:]}
                if 429 in codes:
                    break
        assert (429 in codes) != trusted


def test_a_line_that_comes_too_often_is_left_out_and_counted() -> None:
    now = 0.0
    limit = LineLimit(lambda: now)

    def line(place: int, known: bool = False) -> logging.LogRecord | None:
        made = logging.LogRecord("counsel", logging.INFO, "here.py", place, "request", (), None)
        made.known = known
        return made if limit.filter(made) else None

    written = [line(1) for _ in range(1000)]
    assert len([each for each in written if each is not None]) == 200
    assert all(line(1, known=True) for _ in range(1000))
    assert line(2) is not None  # elsewhere
    now += 1.0
    again = [each for each in (line(1) for _ in range(1000)) if each is not None]
    assert len(again) == 20
    assert json.loads(JsonLines().format(again[0]))["left_out"] == 800
    assert "left_out" not in json.loads(JsonLines().format(again[1]))


def test_strangers_cannot_fill_the_log(guarded: Guarded) -> None:
    client, log, text = guarded
    began, before = time.monotonic(), len(log.read_text().splitlines())
    for _ in range(400):
        assert client.get("/api/v1/studies").status_code == 401
    ann = {"Authorization": f"Bearer {text}"}
    for _ in range(50):
        assert client.get("/api/v1/studies", headers=ann).status_code == 200
    lines = [json.loads(line) for line in log.read_text().splitlines()[before:]]
    assert len([each for each in lines if each.get("actor") == "ann"]) >= 49  # the last may follow
    strange = [each for each in lines if each.get("status") == 401]
    assert len(strange) <= min(400, 201 + 20 * (time.monotonic() - began))
