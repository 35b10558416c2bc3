"""A key creates one study, on every storage, and for every program that opens it."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

import counsel as cs
from counsel.storage import Storage

SPACE = cs.Space(x=cs.Float(0, 1))


def test_a_key_creates_one_study(reopen: Callable[[], Storage]) -> None:
    made = cs.create_study(SPACE, policy="random", storage=reopen(), idempotency_key="k")
    made.ask()
    again = cs.create_study(SPACE, policy="random", storage=reopen(), idempotency_key="k")
    assert again.setup == made.setup
    assert again.facts == made.facts


def test_another_description_is_a_conflict(reopen: Callable[[], Storage]) -> None:
    cs.create_study(SPACE, policy="random", storage=reopen(), idempotency_key="k")
    for changed in ({"name": "other"}, {"seed": 1}, {"direction": "minimize"}):
        with pytest.raises(cs.Conflict, match="'k' was used to create study 'study'"):
            cs.create_study(
                SPACE,
                policy="random",
                storage=reopen(),
                idempotency_key="k",
                load_if_exists=True,
                **changed,  # type: ignore[arg-type]
            )
    assert [s.name for s in cs.list_studies(reopen())] == ["study"]


def test_another_key_does_not_open_it(reopen: Callable[[], Storage]) -> None:
    cs.create_study(SPACE, policy="random", storage=reopen(), idempotency_key="k")
    with pytest.raises(cs.Conflict, match="A study 'study' already"):
        cs.create_study(SPACE, policy="random", storage=reopen(), idempotency_key="l")


def test_a_deleted_study_frees_its_key(reopen: Callable[[], Storage]) -> None:
    cs.create_study(SPACE, policy="random", storage=reopen(), idempotency_key="k")
    cs.delete_study("study", reopen())
    made = cs.create_study(SPACE, name="next", storage=reopen(), idempotency_key="k")
    assert made.name == "next"


@pytest.mark.parametrize("names", ["one name", "names of their own"])
def test_one_key_at_the_same_moment_creates_one_study(
    reopen: Callable[[], Storage], names: str
) -> None:
    """Nobody gets a conflict over the name: whoever comes second gets the study of the first, or
    hears that the key was used for another one."""
    storages = [reopen() for _ in range(4)]
    together = threading.Barrier(len(storages))

    def create(number: int, attempt: int) -> str:
        name = f"s{attempt}" if names == "one name" else f"s{attempt} of {number}"
        together.wait()
        try:
            cs.create_study(
                SPACE,
                name=name,
                policy="random",
                storage=storages[number],
                idempotency_key=f"k{attempt}",
            )
        except cs.Conflict as conflict:
            return str(conflict).split("create study")[0].strip()
        return "made"

    with ThreadPoolExecutor(len(storages)) as pool:
        for attempt in range(8):
            made = list(pool.map(create, range(len(storages)), [attempt] * len(storages)))
            second = f"The idempotency key 'k{attempt}' was used to"
            others = "made" if names == "one name" else second
            assert sorted(made) == sorted(["made", *[others] * 3])
    assert len(cs.list_studies(storages[0])) == 8


@pytest.mark.parametrize("length", [200, 201, 1_000_000])
def test_long_names_are_answered_alike_on_every_storage(
    reopen: Callable[[], Storage], length: int
) -> None:
    """At most 200 characters, of four bytes each here: more than an index of PostgreSQL takes
    would otherwise be an error there and none elsewhere."""
    storage, long = reopen(), "\U0001f600" * length
    fine = cs.create_study(SPACE, name="fine", policy="random", storage=storage)
    space = cs.Space(**{long: cs.Float(0, 1)})
    attempts: list[Callable[[], object]] = [
        lambda: cs.create_study(SPACE, name=long, policy="random", storage=storage),
        lambda: cs.create_study(space, name="p", policy="random", storage=storage),
        lambda: cs.create_study(
            SPACE, name="o", objective=long, policy="random", storage=storage
        ).tell({"x": 0.5}, 1.0),
        lambda: cs.create_study(
            SPACE,
            name="c",
            constraints=[cs.Constraint(long, at_least=0)],
            policy="random",
            storage=storage,
        ).tell({"x": 0.5}, 1.0, constraints={long: 1.0}),
        lambda: fine.tell({"x": 0.5}, 1.0, actor=long),
        lambda: fine.tell({"x": 0.5}, 1.0, idempotency_key=long),
        lambda: fine.hold(fine.ask(), actor=long),
    ]
    for attempt in attempts:
        if length <= 200:
            attempt()
        else:
            with pytest.raises(cs.InvalidInput, match="at most 200 characters"):
                attempt()


@pytest.mark.parametrize("threshold", [0, 2, 0.5, -3.0])
def test_thresholds_may_be_whole_numbers(reopen: Callable[[], Storage], threshold: float) -> None:
    """A database gives them back as floats; the study is the one that was created all the same."""
    bound = cs.Constraint("comfort", at_least=threshold)
    made = cs.create_study(SPACE, constraints=[bound], policy="random", storage=reopen())
    assert cs.load_study("study", reopen()).setup == made.setup
