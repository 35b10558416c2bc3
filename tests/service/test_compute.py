"""Proposals from a process of their own: the same, and never lost with it."""

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import counsel as cs
from counsel.errors import CounselError, NothingToPropose
from counsel.facts.history import History
from counsel.facts.kept import Kept
from counsel.facts.problem import Constraint, Objective, Problem
from counsel.facts.summaries import Setup
from counsel.policies import by_name
from counsel.policies.description import describe
from counsel.service.runtime import compute as module
from counsel.service.runtime.compute import ComputeProcess
from counsel.space import AnySpace
from counsel.storage import MemoryStorage
from counsel.study import create_study, load_study

BOX = cs.Space(x=cs.Float(0, 1), y=cs.Float(0, 1))
ARMS = cs.Arms([{"x": i / 29} for i in range(30)])


@pytest.fixture(scope="module")
def asked() -> Iterator[ComputeProcess]:
    asked = ComputeProcess()
    yield asked
    asked.close()


def a_setup(space: AnySpace, policy: str, constraints: tuple[Constraint, ...] = ()) -> Setup:
    problem = Problem(space, Objective("objective", "maximize"), constraints)
    made = by_name(policy)
    return Setup("s", problem, made.name, describe(made), 3, datetime.now(UTC))


def a_history(space: AnySpace, n: int = 8, rejected: int = 0) -> History:
    """n observations; over arms, the first `rejected` are refused."""
    rng = np.random.default_rng(5)
    x = rng.uniform(size=(n, space.dim))
    refused = [space.encode(space[i]) for i in range(rejected)]  # type: ignore[index]
    return History(
        x=x,
        y=np.sin(5 * x).sum(1),
        pending=np.zeros((0, space.dim)),
        rejected=np.array(refused).reshape(rejected, space.dim),
        context=np.zeros(0),
        t=n + 1,
        seed=3,
        points=x,
        outcomes=np.sin(5 * x).sum(1)[:, None],
        measured=np.ones((n, 1), dtype=bool),
    )


@pytest.mark.parametrize("policy", ["v-ucb", "ei", "ts", "lw-ucb", "random"])
@pytest.mark.parametrize("space", [BOX, ARMS], ids=["box", "arms"])
def test_it_chooses_what_the_policy_chooses_here(
    asked: ComputeProcess, space: AnySpace, policy: str
) -> None:
    setup, history = a_setup(space, policy), a_history(space)
    there = asked.for_study(setup)(history)
    here = by_name(policy).propose(setup.problem, history)
    assert there.arm == here.arm
    np.testing.assert_array_equal(there.point, here.point)
    assert (there.mean, there.sd, there.theta) == (here.mean, here.sd, here.theta)
    assert (there.terms, there.note) == (here.terms, here.note)


def test_errors_come_back_as_they_are(asked: ComputeProcess) -> None:
    choose = asked.for_study(a_setup(ARMS, "v-ucb"))
    with pytest.raises(NothingToPropose):
        choose(a_history(ARMS, rejected=len(ARMS)))
    assert choose(a_history(ARMS)).arm is not None  # and it goes on


class Packed(Exception):
    """It can be packed, but not unpacked."""

    def __reduce__(self) -> tuple[Any, ...]:
        return int, ("no number",)


def failing(error: Exception) -> Any:
    class Failing:
        name = "failing"

        def propose(self, problem: Problem, history: History) -> object:
            raise error

        def predict(self, problem: Problem, history: History, points: object) -> None: ...

    return Failing()


@pytest.mark.parametrize("error", [type("Local", (Exception,), {})("odd"), Packed("odd")])
def test_an_error_that_cannot_travel_is_told(error: Exception) -> None:
    known: OrderedDict[int, Any] = OrderedDict()
    known[1] = a_setup(BOX, "random").problem, failing(error), Kept()
    answer = pickle.loads(module._answer(known, 1, None, a_history(BOX), module.Ahead()))
    assert isinstance(answer, CounselError)
    assert "odd" in str(answer)


def test_an_error_of_ours_says_where() -> None:
    known: OrderedDict[int, Any] = OrderedDict()
    known[1] = a_setup(BOX, "random").problem, failing(ZeroDivisionError("odd")), Kept()
    answer = pickle.loads(module._answer(known, 1, None, a_history(BOX), module.Ahead()))
    assert isinstance(answer, ZeroDivisionError)
    assert "in propose" in answer.__notes__[0]


def test_more_studies_than_it_remembers(asked: ComputeProcess) -> None:
    setup, history = a_setup(ARMS, "random"), a_history(ARMS)
    all_of_them = [asked.for_study(setup) for _ in range(module._KEPT + 2)]
    first = all_of_them[0](history).arm
    assert {choose(history).arm for choose in all_of_them} == {first}
    assert all_of_them[0](history).arm == first


def test_everybody_gets_their_own_answer(asked: ComputeProcess) -> None:
    setup = a_setup(ARMS, "random")
    choosers = [asked.for_study(setup) for _ in range(8)]
    histories = [replace(a_history(ARMS), seed=seed) for seed in range(8)]
    wanted = [by_name("random").propose(setup.problem, each).arm for each in histories]
    assert len(set(wanted)) > 1

    def ask(i: int) -> list[int | None]:
        return [choosers[i](histories[i]).arm for _ in range(50)]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, range(8))) == [[arm] * 50 for arm in wanted]


def test_killed_while_many_ask() -> None:
    mine = ComputeProcess()
    setup, history = a_setup(ARMS, "random"), a_history(ARMS)
    choosers = [mine.for_study(setup) for _ in range(6)]
    wanted = choosers[0](history).arm
    killed = threading.Event()

    def ask(i: int) -> set[int | None]:
        found = set()
        for turn in range(100):
            if i == 0 and turn == 50:
                os.kill(mine._process.pid, signal.SIGKILL)
                killed.set()
            found.add(choosers[i](history).arm)
        return found

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(ask, range(6))) == [{wanted}] * 6
    assert killed.is_set()
    mine.close()


def test_a_killed_process_is_started_again() -> None:
    asked = ComputeProcess()
    choose, history = asked.for_study(a_setup(BOX, "v-ucb")), a_history(BOX)
    before = choose(history)
    os.kill(asked._process.pid, signal.SIGKILL)
    np.testing.assert_array_equal(choose(history).point, before.point)
    asked.close()
    assert asked._process.poll() is not None


def test_one_that_ended_while_nobody_asked_counts_for_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Killed when idle, and its successor when it has just been asked: the third one answers."""
    asked = ComputeProcess()
    choose, history = asked.for_study(a_setup(BOX, "v-ucb")), a_history(BOX)
    before = choose(history)
    asked.kill()
    asked._process.wait()
    started = []

    def killed_once() -> "subprocess.Popen[bytes]":
        started.append(start())
        if len(started) == 1:
            threading.Timer(0.1, started[0].kill).start()  # long before it has been imported
        return started[-1]

    start = module.start
    monkeypatch.setattr(module, "start", killed_once)
    np.testing.assert_array_equal(choose(history).point, before.point)
    assert len(started) == 2
    asked.close()


@pytest.mark.parametrize("code", ["", "print('nonsense', flush=True); input()"])
def test_one_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    def useless() -> "subprocess.Popen[bytes]":
        pipe = subprocess.PIPE
        return subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe)

    monkeypatch.setattr(module, "start", useless)
    asked = ComputeProcess()
    with pytest.raises(CounselError, match="ended unexpectedly or stopped answering, twice"):
        asked.for_study(a_setup(BOX, "random"))(a_history(BOX))
    asked.close()


def test_the_working_folder_is_no_place_for_modules(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "random.py").write_text("raise RuntimeError")
    monkeypatch.chdir(tmp_path)
    asked = ComputeProcess()
    assert asked.for_study(a_setup(ARMS, "random"))(a_history(ARMS)).arm is not None
    asked.close()


def test_a_study_that_it_chooses_for_replays(asked: ComputeProcess) -> None:
    storage = MemoryStorage()
    create_study(BOX, name="apart", storage=storage, seed=2)
    study = load_study("apart", storage, chooser=asked.for_study)
    for value in (0.1, 0.7, 0.4, 0.5, 0.9, 0.2):
        study.tell(study.ask(), value)
    assert load_study("apart", storage).replay().identical  # computed here, from the facts


def test_ctrl_c_is_not_for_it(asked: ComputeProcess) -> None:
    choose, history = asked.for_study(a_setup(ARMS, "random")), a_history(ARMS)
    choose(history)
    pid = asked._process.pid
    os.kill(pid, signal.SIGINT)
    time.sleep(0.2)
    choose(history)
    assert asked._process.pid == pid


def test_one_that_is_stopped_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = ComputeProcess()
    choose, history = mine.for_study(a_setup(ARMS, "random")), a_history(ARMS)
    wanted = choose(history).arm
    monkeypatch.setattr(module, "_SILENCE", 4.0)
    stopped = mine._process
    os.kill(stopped.pid, signal.SIGSTOP)
    assert choose(history).arm == wanted
    assert stopped.poll() == -signal.SIGKILL
    mine.close()


def test_one_that_works_for_long_is_not_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Longer than the silence that is allowed: it says that it is alive."""
    monkeypatch.setattr(module, "_SILENCE", 2.5)
    code = "from counsel.service.runtime import compute; import time; "
    code += "compute._answer = lambda *_: [time.sleep(5), b'\\x80\\x04K\\x07.'][1]; compute.work()"

    def slow() -> "subprocess.Popen[bytes]":
        pipe = subprocess.PIPE
        return subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe, bufsize=0)

    monkeypatch.setattr(module, "start", slow)
    mine = ComputeProcess()
    time.sleep(3)  # until it has started
    first = mine._process
    assert mine._ask(("a question", None, None)) == 7
    assert mine._process is first
    mine.close()


def test_what_it_warns_of_is_a_line_of_the_log() -> None:
    """The process has the same log as the service: one JSON object per line."""
    code = (
        "import warnings, counsel.service.runtime.compute as c; "
        "c._answer_all = lambda *a: warnings.warn('odd'); c.work()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert [line["level"] for line in lines] == ["warning"]
    assert "odd" in lines[0]["event"]


def test_beliefs_of_all_studies_together_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    class Believing:
        name = "believing"

        def propose(self, problem: Problem, history: History) -> None:
            history.kept.get("belief", lambda: np.zeros(1000))

        def predict(self, problem: Problem, history: History, points: object) -> None: ...

    monkeypatch.setattr(module, "_MOST_BYTES", 3 * 8000)
    problem = Problem(BOX, Objective("objective", "maximize"))
    known: Any = OrderedDict((i, (problem, Believing(), Kept())) for i in range(8))
    for study in range(8):
        module._answer(known, study, None, a_history(BOX), module.Ahead())
    assert [kept.nbytes for _, _, kept in known.values()] == [0] * 5 + [8000] * 3
