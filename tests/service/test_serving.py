"""Starting and stopping, from the command line."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

import counsel as cs
import postgres
from counsel.cli import app
from counsel.service.serving import is_loopback

pytestmark = pytest.mark.xdist_group("serving")  # starts programs: begun early
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


@pytest.mark.parametrize("proxy", ["*", "proxy.lan", "", "10.0.0.1:80"])
def test_a_proxy_is_named_by_its_address(tmp_path: Path, proxy: str) -> None:
    """Anything else would trust everybody, or nobody without a word."""
    code, text = run("serve", "--proxy", proxy, "--storage", f"sqlite:///{tmp_path / 'a.db'}")
    assert code == 2
    assert "Give its address" in text


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


def test_a_port_that_is_taken_is_said_so(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        code, output = run("serve", "--port", port, "--storage", f"sqlite:///{tmp_path}/a.db")
    assert code != 0
    assert f"port: got {port}. Cannot listen there on 127.0.0.1" in output
    assert "another --port" in output


def started(folder: Path, storage: str | None = None) -> tuple["subprocess.Popen[str]", str]:
    """`counsel serve`, and its address."""
    where = storage or f"sqlite:///{folder}/a.db"
    arguments = ["serve", "--no-pages", "--port", "0", "--storage", where]
    process = subprocess.Popen(
        [sys.executable, "-c", _SERVE, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    return process, process.stdout.readline().split()[3]


def proposer_of(process: "subprocess.Popen[str]") -> Path:
    """Where /proc has the process that computes the service's proposals."""
    threads = Path(f"/proc/{process.pid}/task").glob("*/children")
    (child,) = {pid for thread in threads for pid in thread.read_text().split()}
    return Path(f"/proc/{child}")


def ended(process: Path) -> bool:
    for _ in range(100):
        if not process.exists() or "State:\tZ" in (process / "status").read_text():
            return True
        time.sleep(0.1)
    return False


def test_it_serves_logs_json_and_stops_when_told(tmp_path: Path) -> None:
    process, address = started(tmp_path)
    left = None
    try:
        assert httpx.get(f"{address}/api/v1/health").json()["status"] == "ok"
        if Path("/proc").exists():
            left = proposer_of(process)
    finally:
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=30)
    assert left is None or ended(left)
    lines = [json.loads(line) for line in errors.splitlines()]
    assert any(line.get("path") == "/api/v1/health" for line in lines)
    assert not any(line["level"] == "error" for line in lines)


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes in /proc")
def test_killing_what_computes_loses_nothing(tmp_path: Path) -> None:
    process, address = started(tmp_path)
    try:
        with cs.Client(address) as client:
            study = client.create_study(cs.Space(x=cs.Float(0, 1)), name="a")
            for _ in range(5):
                study.tell(study.ask(), 0.5)
            os.kill(int(proposer_of(process).name), signal.SIGKILL)
            assert study.ask().id == "p6"
            assert len(study.observations) == 5
        left = proposer_of(process)
    finally:
        process.kill()
        process.communicate(timeout=30)
    assert ended(left)  # nobody can ask it any more


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes in /proc")
def test_it_ends_though_what_computes_stands_still(tmp_path: Path) -> None:
    process, address = started(tmp_path)
    try:
        with cs.Client(address) as client:
            study = client.create_study(cs.Space(x=cs.Float(0, 1)), name="a")
            study.tell(study.ask(), 0.5)
        left = proposer_of(process)
        os.kill(int(left.name), signal.SIGSTOP)
        ask = f"{address}/api/v1/studies/a/proposals"
        waiting = threading.Thread(target=lambda: _whatever(ask))
        waiting.start()
        time.sleep(1)
        assert httpx.get(f"{address}/api/v1/health", timeout=60).status_code == 200
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)  # without an end by force it is never
    waiting.join()
    assert ended(left)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes in /proc")
def test_an_ask_is_answered_though_what_computes_stands_still(tmp_path: Path) -> None:
    """The process is replaced; others are told at once that the service is ready."""
    process, address = started(tmp_path)
    try:
        with cs.Client(address) as client:
            study = client.create_study(cs.Space(x=cs.Float(0, 1)), name="a")
            study.tell(study.ask(), 0.5)
            stopped = proposer_of(process)
            os.kill(int(stopped.name), signal.SIGSTOP)
            began = time.monotonic()
            with ThreadPoolExecutor(1) as other:
                asking = other.submit(study.ask)
                while not asking.done():
                    assert httpx.get(f"{address}/api/v1/health").status_code == 200
                    time.sleep(0.2)
            print(f"answered after {time.monotonic() - began:.1f} s")
            assert asking.result().id == "p2"
            assert ended(stopped)
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)


@pytest.mark.slow
def test_it_ends_though_postgresql_stands_still(tmp_path: Path) -> None:
    """While a tell waits for it; health says meanwhile that the storage does not answer."""
    if postgres.programs() is None:
        pytest.skip("PostgreSQL is not on this machine: apt-get install postgresql")
    with postgres.running() as server:
        url = server.database("still")
        cs.create_study(cs.Space(x=cs.Float(0, 1)), name="a", policy="random", storage=url)
        process, address = started(tmp_path, url)
        try:
            tell = f"{address}/api/v1/studies/a/observations"
            point = {"values": {"x": 0.5}, "value": 1.0}
            assert httpx.post(tell, json=point).status_code == 201
            with server.frozen():
                waiting = threading.Thread(target=lambda: _whatever(tell, point))
                waiting.start()
                time.sleep(1)
                assert httpx.get(f"{address}/api/v1/live").status_code == 200
                assert httpx.get(f"{address}/api/v1/health").status_code == 503
                began = time.monotonic()
                process.send_signal(signal.SIGTERM)
                process.communicate(timeout=60)  # the server goes on after 120
                print(f"ended after {time.monotonic() - began:.1f} s")
                waiting.join()
        finally:
            process.kill()
            process.communicate()


def _whatever(url: str, body: object = None) -> None:
    with contextlib.suppress(httpx.HTTPError):
        httpx.post(url, json=body or {}, timeout=60)
