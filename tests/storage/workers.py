"""What other processes do to a study in the tests; they are started afresh, and some are killed.

Each reports through a pipe what the study acknowledged: a fact is promised from then on.
"""

import itertools
import multiprocessing
from multiprocessing.connection import Connection
from typing import Any

import counsel as cs

NAME = "shared"
ARMS = cs.Arms([[float(i), float(j)] for i in range(60) for j in range(60)])

# A server that has loaded Counsel forks the workers: they start in milliseconds.
processes = multiprocessing.get_context("forkserver")
processes.set_forkserver_preload(["counsel.study", "counsel.storage.sql", "psycopg"])


def create(url: str) -> cs.Study:
    return cs.create_study(ARMS, name=NAME, policy="random", storage=url, seed=1)


def start(work: Any, *arguments: Any) -> tuple[Any, Connection]:
    """A running process, and the end of the pipe to listen at."""
    listen, speak = processes.Pipe(duplex=False)
    process = processes.Process(target=_reporting, args=(work, speak, *arguments), daemon=True)
    process.start()
    speak.close()
    return process, listen


def heard(listen: Connection) -> list[Any]:
    """Everything that a process has said, to its end."""
    found = []
    while True:
        try:
            found.append(listen.recv())
        except EOFError:
            listen.close()
            return found


def _reporting(work: Any, speak: Connection, *arguments: Any) -> None:
    try:
        work(speak, *arguments)
    except BaseException as error:
        speak.send(error)
    speak.close()


def rounds(speak: Connection, url: str, who: str, count: int) -> None:
    """Ask, decide and tell; some are overridden, rejected, corrected."""
    study = cs.load_study(NAME, url)
    speak.send("ready")
    for i in range(count):
        proposal = study.ask()
        speak.send(proposal)
        if i % 5 == 3:
            speak.send(study.reject(proposal, actor=who))
            continue
        if i % 5 == 1:
            speak.send(study.override(proposal, ARMS[i], actor=who, reason="own idea"))
        told = study.tell(proposal, float(i), actor=who)
        speak.send(told)
        if i % 5 == 2:
            speak.send(study.revise(told, i + 0.5, actor=who))
        if i % 5 == 4:
            speak.send(study.withdraw(told, actor=who))


def for_ever(speak: Connection, url: str, who: str) -> None:
    rounds(speak, url, who, 10**9)


def rivals(speak: Connection, url: str, who: str) -> None:
    """Everybody wants to accept the same proposals."""
    study = cs.load_study(NAME, url)
    for number in itertools.count(1):
        try:
            study.accept(f"p{number}", actor=who)
            speak.send((number, who, True))
        except cs.Conflict as error:
            fact: Any = error.fact
            speak.send((number, fact.actor, False))
        except cs.NotFound:
            return


def same_key(speak: Connection, url: str, who: str) -> None:
    """Everybody sends the same requests, as a client that hears no answer does."""
    study = cs.load_study(NAME, url)
    for i in range(5):
        proposal = study.ask(idempotency_key=f"ask {i}")
        speak.send(proposal)
        speak.send(study.tell(proposal, 1.0, idempotency_key=f"tell {i}"))
