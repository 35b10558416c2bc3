"""One contract, many doors: the same study through Python, REST and the command line.

The walk uses every verb of `StudyLike`. What it was answered, and the facts it left, are the same
through every door and on every storage, but for the times.
"""

import inspect
import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

import counsel as cs
import postgres
from counsel.cli import beliefs, corrections, history, loop, optimizing
from counsel.client import RemoteStudy
from counsel.exchange import export_study, import_study
from counsel.facts import codec
from counsel.facts.records import PastTrial
from counsel.service.app import create_app
from counsel.storage import open_storage
from counsel.study.protocol import StudyLike, members
from doors import VERBS, CommandLine, Watched, progress_of, without_times
from service.conftest import running

ARMS = [{"speed": speed, "gap": gap} for speed in (0.1, 0.4, 0.6) for gap in (0.5, 1.0, 1.5)]
SPACE = cs.Arms(ARMS, context={"rain": cs.Categorical([False, True])})
DRY = {"rain": False}
OPTIONS: dict[str, Any] = {
    "name": "contract",
    "objective": "progress",
    "constraints": [cs.Constraint("comfort", at_least=0.0), cs.Constraint("jerk", at_most=2.0)],
    "policy": "v-ucb",
    "seed": 5,
    "team": "fused",
}


def measured(values: Any) -> tuple[float, dict[str, float]]:
    outcomes = progress_of(values)
    return outcomes.pop("progress"), outcomes


def walk(study: Any) -> list[Any]:
    """A whole study; everything it answers, in order."""
    said: list[Any] = [study.setup, study.name, study.problem, study.seed]
    said.append(study.best)

    # Ask, hold, accept and tell; a repeated request counts once.
    first = study.ask(context=DRY, idempotency_key="first")
    assert study.ask(context=DRY, idempotency_key="first") == first
    said += [first, study.pending, study.proposal(first.id)]
    said += [study.hold(first, actor="ann", seconds=60.0), study.leases]
    with pytest.raises(cs.Conflict):
        study.accept(first, actor="ben")
    study.release(first, actor="ann")
    said.append(study.accept(first, actor="ben", reason="fine"))
    value, answers = measured(first.values)
    said.append(study.tell(first, value, constraints=answers, actor="ben"))

    # What is expected before it is known, and what the team makes of it.
    said.append(study.claim(better=ARMS[8], worse=first, actor="ann", idempotency_key="claim"))

    # What was measured before, outside of the study.
    past = []
    for arm in ARMS[1::3]:
        value, answers = measured(arm)
        past.append(PastTrial(arm, {"progress": value, **answers}, DRY, "cid"))
    said.append(study.tell_many(past, idempotency_key="past"))

    value, answers = measured(ARMS[5])
    said.append(study.tell(ARMS[5], value, constraints=answers, context=DRY, actor="cid"))

    # Override, and one question after the other.
    second = study.ask(context=DRY)
    said += [second, study.explain(second, actor="ann")]
    said.append(study.what_if(ARMS[2], instead_of=second))
    said.append(study.explain(second, instead_of=ARMS[2], actor="ann"))
    said += [study.advise(second), study.advise(second, ARMS[2], actor="ann")]
    said.append(study.override(second, ARMS[2], actor="ann", reason="softer"))
    value, answers = measured(ARMS[2])
    said.append(study.tell(second, value, actor="ann"))
    for _ in answers:
        question = study.next_question(second)
        said.append(question)
        if question is not None:
            answer = {question: answers[question]}
            said.append(study.tell(second, constraints=answer, actor="ann"))

    # The rule decides, and is overruled.
    ruled = study.ask(context=DRY)
    chosen = study.decide(ruled, ARMS[8], actor="ann", idempotency_key="team")
    assert study.decide(ruled, ARMS[8], actor="ann", idempotency_key="team") == chosen
    said += [ruled, chosen, study.claims, study.abandon(ruled, actor="ann")]

    # Reject one of two, tell the other, compare, revise, withdraw.
    third, fourth = study.ask(2, context=DRY)
    said += [third, fourth, study.reject(third, actor="ann", reason="unsafe")]
    value, answers = measured(fourth.values)
    told = study.tell(fourth, value, constraints=answers, context=DRY, actor="ben")
    said.append(told)
    said.append(study.compare(winner=second, loser=first, actor="ann"))
    said.append(study.compare(winner=ARMS[0], loser=ARMS[8], tie=True, context=DRY, actor="ann"))
    revised = study.revise(told, value + 0.5, constraints={"jerk": 1.0}, actor="ben", reason="typo")
    said += [revised, study.withdraw(revised, actor="ben", reason="right after all")]

    # What people have to say, and a study that is put away and brought back.
    spoken = study.comment(told, "It was raining.", actor="ben", idempotency_key="spoken")
    assert study.comment(told, "It was raining.", actor="ben", idempotency_key="spoken") == spoken
    said += [spoken, study.comment(first.id, "Too slow?", actor="ann"), study.comments]
    said += [study.withdraw(spoken, actor="ben"), study.comments]
    said += [study.archive(actor="ann", reason="summer"), study.archived]
    said += [study.archive(False, actor="ann"), study.archived]

    # A decision is changed, a trial given up, another one fails; one is measured again.
    changed = study.ask(context=DRY)
    said.append(study.accept(changed, actor="ann"))
    with pytest.raises(cs.Conflict):
        study.reject(changed, actor="ann")
    said.append(study.reject(changed, scope="region", radius=0.1, actor="ann", replace=True))
    lost, broken = study.ask(2, context=DRY)
    said.append(study.abandon(lost, actor="ben", reason="the power went"))
    said.append(study.fail(broken, actor="ben", reason="it stalled"))
    said.append(study.fail(ARMS[7], context=DRY, actor="ben"))
    said.append(study.tell(fourth, value + 0.1, sem=0.05, repeat=True, actor="ben"))
    said.append(study.tell(ARMS[0], 0.2, sem={"progress": 0.02}, context=DRY, actor="ben"))
    said += [study.failures, study.pending]
    wider = cs.Arms([*ARMS, {"speed": 0.7, "gap": 2.0}], context=SPACE.context)
    said += [study.amend(wider, actor="ann", reason="a new gear"), study.problem]
    # A function, tried by itself: earlier trials count.
    study.optimize(progress_of, 4, context=DRY, actor="robot")
    said.append(study.observations[-1])

    # What is known and believed, and why.
    fifth = study.ask(context=DRY)
    said += [fifth, study.best, study.predict(ARMS[0], context=DRY)]
    said.append(study.predict_many(ARMS[:2], context=DRY))
    said.append(study.predict(ARMS[0], context=DRY, noise=True))
    said.append(study.chances(ARMS[0], context=DRY))
    said.append(study.outlook(worth=0.05, context=DRY))
    said += [study.front(), study.safe_set(context=DRY)]
    said += [study.advise(fifth, actor="ann"), study.advise(fifth, ARMS[2], actor="ann")]
    said.append(study.grounds(fifth))
    said.append(study.alignment(fifth, actor="ann"))
    said.append(study.alignment(fifth, actor="nobody"))
    said += [study.overriding()]
    own = study.explain(ARMS[0], context=DRY, background=ARMS[3:6], tolerance=0.02, actor="ann")
    said += [own, study.shown, study.replay()]
    said += [study.facts, study.observations, study.decisions, study.comparisons]
    with pytest.raises(cs.CounselError):  # this policy has no safe sets
        study.safe_sets()
    with pytest.raises(cs.CounselError, match="no output weight"):
        study.weight(ARMS[0], context=DRY)
    with pytest.raises(cs.CounselError, match="no output weight"):
        study.weights(ARMS[:2], context=DRY)
    frame = study.dataframe()
    said += [list(frame.columns), frame.to_csv()]
    return said


# ---- the doors ----------------------------------------------------------------------------------


@contextmanager
def python(storage: str | None, folder: Path) -> Iterator[StudyLike]:
    opened = open_storage(storage)
    yield cs.create_study(SPACE, storage=opened, **OPTIONS)
    opened.close()


@contextmanager
def rest(storage: str | None, folder: Path) -> Iterator[StudyLike]:
    with running(storage=storage) as url, cs.Client(url) as client:
        yield client.create_study(SPACE, **OPTIONS)


@contextmanager
def command_line(storage: str | None, folder: Path) -> Iterator[StudyLike]:
    assert storage is not None
    cs.create_study(SPACE, storage=storage, **OPTIONS)
    yield CommandLine("contract", storage, folder)


Door = Callable[[str | None, Path], Any]
DOORS: list[tuple[Door, str]] = [
    (door, storage)
    for door in (python, rest, command_line)
    for storage in ("memory", "sqlite", "postgres")
    if (door, storage) != (command_line, "memory")  # each command is a process of its own
]


class Walked(NamedTuple):
    """A study that was walked through a door and is still open; the requests that it sent."""

    study: Any
    said: list[Any]
    used: set[str]
    address: str | None
    requests: list[httpx.Request]


@pytest.fixture(scope="module")
def database() -> Iterator[Callable[[], str]]:
    if postgres.programs() is None:
        pytest.skip("PostgreSQL is not on this machine: apt-get install postgresql")
    with postgres.running() as server:
        numbers = iter(range(100))
        yield lambda: server.database(f"contract_{next(numbers)}")


@pytest.fixture(scope="module")
def walked(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[Door, str], Walked]]:
    """The walk through a door; several tests look at the same one."""
    done: dict[tuple[Door, str], Walked] = {}
    if postgres.programs() is not None:
        request.getfixturevalue("database")  # begun before the doors, it is there until they close

    def through(door: Door, storage: str) -> Walked:
        if (door, storage) not in done:
            folder = tmp_path_factory.mktemp("contract")
            address = None
            if storage == "sqlite":
                address = f"sqlite:///{folder / 'study.db'}"
            if storage == "postgres":
                address = request.getfixturevalue("database")()
            study = open_doors.enter_context(door(address, folder))
            sent: list[httpx.Request] = []
            if isinstance(study, RemoteStudy):
                study._connection._http.event_hooks["request"].append(sent.append)
            watched = Watched(study)
            said = without_times(codec.write(walk(watched)))
            done[door, storage] = Walked(study, said, watched.used, address, sent)
        return done[door, storage]

    with ExitStack() as open_doors:
        yield through


@pytest.fixture(scope="module")
def expected(walked: Callable[[Door, str], Walked]) -> list[Any]:
    return walked(python, "memory").said


@pytest.mark.parametrize(
    ("door", "storage"), DOORS, ids=[f"{door.__name__}-{storage}" for door, storage in DOORS]
)
def test_the_same_study_through_every_door(
    door: Door,
    storage: str,
    expected: list[Any],
    walked: Callable[[Door, str], Walked],
    tmp_path: Path,
) -> None:
    study, found, used, *_ = walked(door, storage)
    assert len(found) == len(expected)
    for here, there in zip(found, expected, strict=True):
        assert here == there
    assert sorted(used & set(VERBS)) == VERBS
    file = export_study(study, tmp_path / "contract.json")
    again = import_study(file)
    assert again.facts == study.facts
    assert again.setup == study.setup
    assert again.replay().identical


def test_json_is_the_same_over_rest_and_on_the_command_line(
    walked: Callable[[Door, str], Walked],
) -> None:
    study, *_, address, _ = walked(command_line, "sqlite")
    with running(storage=address) as url:
        assert isinstance(study, CommandLine)
        with httpx.Client(base_url=f"{url}/api/v1/studies/", timeout=60) as http:
            for command, path in (
                ("setup", ""),
                ("pending", "/proposals"),
                ("observations", "/observations"),
                ("decisions", "/decisions"),
                ("comparisons", "/comparisons"),
                ("claims", "/claims"),
                ("comments", "/comments"),
                ("leases", "/leases"),
                ("best", "/best"),
                ("overriding", "/overriding"),
                ("shown", "/explanations"),
            ):
                assert study._run(command) == http.get(f"contract{path}").json(), command
            assert study._run("facts") == http.get("contract/facts").json()["facts"]
            assert study._run("proposal", "p1") == http.get("contract/proposals/p1").json()
            assert study._run("replay") == http.post("contract/replay").json()
            values = {"values": ARMS[0], "context": DRY}
            given = json.dumps(DRY)
            point = json.dumps(ARMS[0])
            here = study._run("what-if", point, context=given)
            assert here == http.post("contract/what-if", json=values).json()
            here = study._run("explain", point, context=given, actor="ann")
            assert (
                here == http.post("contract/explanations", json={**values, "actor": "ann"}).json()
            )
            here = study._run("chances", point, context=given)
            assert here == http.post("contract/chances", json=values).json()
            here = study._run("predict", point, context=given)
            points = {"points": [ARMS[0]], "context": DRY}
            assert here == http.post("contract/predictions", json=points).json()
            assert study._run("question", "p2") == http.get("contract/proposals/p2/question").json()


# ---- nothing is missing -------------------------------------------------------------------------


def is_stub(name: str) -> bool:
    """Whether the contract only declares this."""
    member = members()[name]
    function = member.fget if isinstance(member, property) else member
    return inspect.getsource(function).rstrip().endswith("...")


@pytest.mark.parametrize("study", [cs.Study, RemoteStudy, CommandLine])
@pytest.mark.parametrize("verb", VERBS)
def test_every_door_has_every_verb(study: type, verb: str) -> None:
    """Of its own, unless the contract has it in full: a stub that is inherited does nothing."""
    assert verb in vars(study) or not is_stub(verb)


@pytest.mark.parametrize("study", [cs.Study, RemoteStudy])
def test_every_door_has_what_shared_verbs_rest_on(study: type) -> None:
    assert {"setup", "_ask", "_decide"} <= set(vars(study))
    assert all(is_stub(name) for name in ("setup", "_ask", "_decide"))
    assert not any(is_stub(verb) for verb in ("name", "ask", "accept", "override", "optimize"))


def test_every_route_and_command_belongs_to_a_verb(
    walked: Callable[[Door, str], Walked],
) -> None:
    """The walk uses every route and command of a study: none stands beside the contract."""
    announced = create_app(pages=False).openapi()["paths"]
    routes = {
        (method.upper(), path): re.compile(re.sub(r"\{\w+\}", "[^/]+", path))
        for path, methods in announced.items()
        for method in methods
        if "/studies/{name}/" in path
    }
    sent = {(each.method, each.url.path) for each in walked(rest, "memory").requests}
    used = {
        (method, path)
        for (method, path), pattern in routes.items()
        if any(verb == method and pattern.fullmatch(way) for verb, way in sent)
    }
    # A file, and the short form of an explanation for a browser.
    assert {path.rpartition("/")[2] for _, path in set(routes) - used} == {"export", "explanation"}

    commands = walked(command_line, "sqlite").study.commands
    parts = (loop, corrections, optimizing, beliefs, history)
    named = {name for part in parts for _, name, _ in part.COMMANDS}
    assert named - commands == {"history"}  # `facts` by its older name
