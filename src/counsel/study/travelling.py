"""Sends studies to other processes: by the address of their database, or with all their facts."""

from collections.abc import Callable
from typing import Any

from counsel.errors import InvalidInput
from counsel.facts.records import Fact
from counsel.facts.summaries import Setup
from counsel.policies.protocol import Policy
from counsel.storage import MemoryStorage
from counsel.storage.ledger import Ledger

__all__ = ["packed"]

_Packed = tuple[Callable[..., Any], tuple[object, ...]]


def packed(setup: Setup, ledger: Ledger, policy: Policy | None) -> _Packed:
    """What pickle needs to make the study again."""
    storage = ledger.storage
    url = getattr(storage, "url", None)
    if isinstance(url, str):
        return _opened, (setup.name, url, policy)
    if isinstance(storage, MemoryStorage):
        with ledger.current():
            return _copied, (setup, list(ledger.facts), policy)
    raise InvalidInput(
        "study", setup.name, "Its storage cannot be sent along: open the study there."
    )


def _opened(name: str, url: str, policy: Policy | None) -> Any:
    from counsel.study.opening import load_study

    return load_study(name, url, policy=policy)


def _copied(setup: Setup, facts: list[Fact], policy: Policy | None) -> Any:
    from counsel.study.study import Study

    storage = MemoryStorage()
    return Study(setup, storage, storage.create(setup, facts), policy)
