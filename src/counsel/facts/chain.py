"""A study's facts as a chain: each has a link, a hash of itself and of the link before it.

The link of the last fact stands for all of them. Somebody who remembers it can tell whether a
storage still holds what it held: after a restore, a failover or a flipped bit it is another one.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any, NamedTuple, get_args

from counsel.errors import HistoryChanged, StorageError
from counsel.facts.records import Fact, Prediction
from counsel.space import Arms, Space

__all__ = ["NOTHING", "Seen", "follow", "link", "vanished"]

_FIELDS = {kind: tuple(field.name for field in fields(kind)) for kind in get_args(Fact)}


class Seen(NamedTuple):
    """How far somebody knows a study: the place of the last fact, counted from 1, and its link."""

    place: int
    link: str


NOTHING = Seen(0, "")


def link(before: str, fact: Fact) -> str:
    """The link of a fact that stands behind the link `before`.

    Empty fields are left out, so that a field added to a kind of fact, empty for all facts there
    are, leaves their links as they were.
    """
    told: dict[str, Any] = {}
    for name in _FIELDS[type(fact)]:
        value = getattr(fact, name)
        if value is None or (isinstance(value, str | tuple | dict) and not value):
            continue
        if isinstance(value, datetime):
            value = value.astimezone(UTC).isoformat()
        elif isinstance(value, Prediction):
            value = [value.mean, value.sd]
        elif isinstance(value, Space | Arms):
            value = value.to_dict()
        told[name] = value
    text = json.dumps([before, type(fact).__name__, told], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def follow(seen: Seen, facts: Sequence[Fact], links: Iterable[str | None]) -> Seen:
    """Check facts that stand behind `seen` against the links they were written with.

    None is the link of a fact that was written before there were links: the next link covers it.
    """
    place, last = seen
    for fact, written in zip(facts, links, strict=True):
        place, last = place + 1, link(last, fact)
        if written is not None and written != last:
            raise StorageError(
                f"Fact {place} ({fact.id!r}), or one before it, is not what was written: the "
                "storage is damaged, or was changed by hand. `counsel verify` says where; restore "
                "the study from a copy."
            )
    return Seen(place, last)


def vanished(seen: Seen, there: int) -> HistoryChanged:
    """The storage does not hold what it once said it held."""
    found = f"it holds {there}" if there < seen.place else "other facts stand in their place"
    return HistoryChanged(
        f"The storage once held {seen.place} facts of this study; now {found}. It was restored "
        "from a copy, lost what it had acknowledged, or was replaced. Nothing was written. The "
        "study has been read anew: see what is missing from its history, and tell it again."
    )
