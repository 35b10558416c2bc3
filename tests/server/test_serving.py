"""Starting and stopping, from the command line."""

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from counsel.cli import app
from counsel.server.serving import is_loopback

_SERVE = "import sys; from counsel.cli import main; sys.argv[0] = 'counsel'; main()"


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(arguments), prog_name="counsel")
    return result.exit_code, re.sub(r"\s+", " ", result.output)


def test_loopback() -> None:
    assert all(map(is_loopback, ["localhost", "127.0.0.1", "127.8.8.8", "::1"]))
    assert not any(map(is_loopback, ["0.0.0.0", "::", "192.168.0.1", "example.org", ""]))


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])
def test_another_address_needs_a_token(tmp_path: Path, host: str) -> None:
    storage = f"sqlite:///{tmp_path / 'a.db'}"
    code, text = run("serve", "--host", host, "--storage", storage)
    assert code == 2
    assert "counsel token create" in text


def test_tokens_from_the_command_line(tmp_path: Path) -> None:
    storage = ("--storage", f"sqlite:///{tmp_path / 'a.db'}")
    code, text = run("token", "create", "ann", "--role", "owner", "--json", *storage)
    assert code == 0
    made = json.loads(text)
    code, listed = run("token", "list", *storage)
    assert f"{made['id']} ann owner valid" in listed
    assert made["token"].split("_", 2)[2] not in listed
    assert run("token", "revoke", made["id"], *storage)[0] == 0
    assert "revoked" in run("token", "list", *storage)[1]
    assert run("token", "create", "ben", "--role", "king", *storage)[0] == 2
    assert run("token", "revoke", "nothing", *storage)[0] == 2


def test_it_serves_logs_json_and_stops_when_told(tmp_path: Path) -> None:
    arguments = ["serve", "--no-pages", "--port", "0", "--storage", f"sqlite:///{tmp_path}/a.db"]
    process = subprocess.Popen(
        [sys.executable, "-c", _SERVE, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        address = process.stdout.readline().split()[3]
        assert httpx.get(f"{address}/api/v1/health").json()["status"] == "ok"
    finally:
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=30)
    lines = [json.loads(line) for line in errors.splitlines()]
    assert any(line.get("path") == "/api/v1/health" for line in lines)
    assert not any(line["level"] == "error" for line in lines)
