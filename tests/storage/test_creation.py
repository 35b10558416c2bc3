"""A key creates one study, on every storage, and for every program that opens it."""

from collections.abc import Callable

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
