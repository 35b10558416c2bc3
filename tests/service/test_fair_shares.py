"""One person's or one study's work does not hold up another's: over HTTP, with a real service."""

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

import counsel as cs
from counsel.facts.history import History
from counsel.facts.problem import Problem
from counsel.models.compiling import compiled
from counsel.policies.protocol import Choice
from counsel.service.runtime.fair_queue import Abandoned
from counsel.service.security.tokens import Tokens
from counsel.study import Study
from service.conftest import running

BOX = cs.Space(x=cs.Float(0, 1))
_STEP = 0.4  # seconds that the slow study takes for each thing that it computes


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, Tokens]]:
    """Studies "slow", whose computations take long and are counted, and "quick"."""
    url = f"sqlite:///{tmp_path / 'a.db'}"
    for name in ("slow", "quick"):
        study = cs.create_study(BOX, name=name, policy="random", storage=url)
        study.tell(study.ask(), 1.0)
        study.ask()
    computed.clear()
    monkeypatch.setattr(Study, "what_if", _slow_what_if)
    monkeypatch.setattr(Study, "grounds", _slow_grounds)
    monkeypatch.setattr(Study, "_choose", _slow_choice)
    tokens = Tokens(url)
    with running(storage=url, tokens=tokens) as address:
        yield f"{address}/api/v1", tokens


computed: list[str] = []
_choose = Study._choose


def _slow_what_if(study: Study, *arguments: object, **options: object) -> object:
    computed.append("what-if")
    time.sleep(_STEP)
    raise cs.NothingToExplain("slow")


def _slow_grounds(study: Study, proposal: str) -> object:
    try:
        for _ in range(50):
            computed.append("step")
            time.sleep(_STEP)
            _nothing(1.0)
    except Abandoned:
        computed.append("given up")
        raise
    raise cs.NothingToExplain("slow")


@compiled()
def _nothing(number: float) -> float:
    return number


def _slow_choice(study: Study, history: History) -> Choice:
    if study.name == "slow":
        computed.append("proposal")
        time.sleep(_STEP)
    problem: Problem = study.problem
    return study.policy.propose(problem, history)


def client(place: tuple[str, Tokens], name: str, role: str = "participant") -> httpx.Client:
    url, tokens = place
    headers = {"Authorization": f"Bearer {tokens.create(name, role)[1]}"}
    return httpx.Client(base_url=url, headers=headers, timeout=60)


def seconds(http: httpx.Client, method: str, path: str, **body: object) -> float:
    began = time.monotonic()
    found = http.request(method, path, **body)  # type: ignore[arg-type]
    assert found.status_code < 300, found.text
    return time.monotonic() - began


def until(happened: object) -> None:
    end = time.monotonic() + 30
    while not happened():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.01)


def test_abandoned_what_ifs_of_a_viewer_do_not_delay_another_study(
    place: tuple[str, Tokens],
) -> None:
    """Sixty are sent and given up: those that have not begun never do."""
    with client(place, "vera", "viewer") as vera, client(place, "ann") as ann:

        def abandon(_: int) -> None:
            with pytest.raises(httpx.TimeoutException):
                vera.post("/studies/slow/what-if", json={"values": {"x": 0.5}}, timeout=0.3)

        with ThreadPoolExecutor(60) as crowd:
            list(crowd.map(abandon, range(60)))
        began = len(computed)
        assert seconds(ann, "get", "/studies/quick/best") < 60 * _STEP / 2
        time.sleep(2 * _STEP)
    assert began < 20
    assert len(computed) <= began + 2  # what was under way, and one that was just beginning


def test_what_is_computed_for_somebody_who_has_gone_is_given_up_midway(
    place: tuple[str, Tokens],
) -> None:
    """Between two compiled steps; nobody waits for the rest."""
    address, tokens = place
    host, port = address.removeprefix("http://").removesuffix("/api/v1").split(":")
    text = tokens.create("vera", "viewer")[1]
    with socket.create_connection((host, int(port))) as vera:
        head = f"GET /api/v1/studies/slow/proposals/p2/grounds HTTP/1.1\r\nHost: {host}\r\n"
        vera.sendall(f"{head}Authorization: Bearer {text}\r\n\r\n".encode())
        until(lambda: "step" in computed)
    until(lambda: computed[-1] == "given up")
    assert computed.count("step") < 50


def test_a_person_who_sends_much_waits_for_themselves(place: tuple[str, Tokens]) -> None:
    """Of thirty that wait, another person's comes next but one; beyond a bound they are told."""
    with client(place, "vera", "viewer") as vera, client(place, "ann") as ann:

        def ask(_: int) -> int:
            return vera.post("/studies/slow/what-if", json={"values": {"x": 0.5}}).status_code

        with ThreadPoolExecutor(90) as crowd:
            answers = [crowd.submit(ask, i) for i in range(90)]
            until(lambda: len(computed) >= 1)
            time.sleep(_STEP)  # until all have arrived
            before = len(computed)
            ann.get("/studies/quick/best").raise_for_status()
            assert len(computed) - before <= 3
            vera_answers = sorted(answer.result() for answer in answers)
    assert vera_answers.count(429) > 0
    assert set(vera_answers) <= {409, 429}  # 409: nothing to explain, as it is told here


def test_a_decision_does_not_wait_for_a_batch_of_another_study(place: tuple[str, Tokens]) -> None:
    """Nor do decisions on the study itself wait until the whole batch is there."""
    with client(place, "ben") as ben, client(place, "ann") as ann:
        answers: list[int] = []

        def batch() -> None:
            answers.append(ben.post("/studies/slow/proposals", json={"n": 12}).status_code)

        asking = threading.Thread(target=batch)
        asking.start()
        until(lambda: len(computed) >= 2)
        # Readers of the busy study as well: more than there are threads that read.
        with ThreadPoolExecutor(20) as crowd:
            looking = [crowd.submit(ben.get, "/studies/slow/facts") for _ in range(20)]
            accepted = {"decision": "accept"}
            ann.post("/studies/quick/proposals/p2/decision", json=accepted).raise_for_status()
            ann.post("/studies/slow/proposals/p2/decision", json=accepted).raise_for_status()
            assert asking.is_alive()
            assert all(each.result().status_code == 200 for each in looking)
            assert asking.is_alive()
        asking.join()
        assert answers == [201]


def test_a_batch_that_nobody_waits_for_is_given_up(place: tuple[str, Tokens]) -> None:
    """What was proposed by then is kept; with its key, the batch is completed later."""
    with client(place, "ben") as ben:
        key = {"Idempotency-Key": "k"}
        with pytest.raises(httpx.TimeoutException):
            ben.post("/studies/slow/proposals", json={"n": 8}, headers=key, timeout=2.5 * _STEP)
        time.sleep(2 * _STEP)
        before = len(computed)
        time.sleep(3 * _STEP)
        assert len(computed) == before < 8
        again = ben.post("/studies/slow/proposals", json={"n": 8}, headers=key)
        assert (again.status_code, len(again.json())) == (201, 8)
        found = ben.get("/studies/slow/facts").json()["facts"]
        assert len([fact for fact in found if fact["kind"] == "proposal"]) == 2 + 8
