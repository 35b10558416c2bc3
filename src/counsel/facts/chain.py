"""The hash chain over a study's facts: each link hashes a fact and the link before it.

The last link stands for all facts. A reader that remembers it can tell whether the storage still
holds the same facts: after a restore, a failover or a flipped bit the link differs.
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

_text = json.JSONEncoder(sort_keys=True).encode
_FIELDS = {kind: tuple(field.name for field in fields(kind)) for kind in get_args(Fact)}


class Seen(NamedTuple):
    """How far a reader knows a study: the position of the last fact, from 1, and its link."""

    place: int
    link: str


NOTHING = Seen(0, "")


def link(before: str, fact: Fact) -> str:
    """The link of a fact that follows the link `before`.

    Empty fields are left out: a field added later is empty in all earlier facts and so leaves their
    links unchanged.
    """
    told: dict[str, Any] = {}
    for name in _FIELDS[type(fact)]:
        value = getattr(fact, name)
        if value is None or (isinstance(value, str | tuple | dict) and not value):
            continue
        if isinstance(value, datetime):
            value = value.astimezone(UTC).isoformat()
        elif isinstance(value, Prediction):
            value = [each for each in (value.mean, value.sd, value.limit) if each is not None]
        elif isinstance(value, Space | Arms):
            value = value.to_dict()
        told[name] = value
    text = _text([before, type(fact).__name__, told])
    return hashlib.sha256(text.encode()).hexdigest()


def follow(seen: Seen, facts: Sequence[Fact], links: Iterable[str | None]) -> Seen:
    """Check the facts after `seen` against the links they were written with.

    A link of None belongs to a fact written before links existed; the next link covers it.
    """
    place, last = seen
    for fact, written in zip(facts, links, strict=True):
        place, last = place + 1, link(last, fact)
        if written is not None and written != last:
            raise StorageError(
                f"Fact {place} ({fact.id!r}), or one before it, differs from what was written: "
                "the storage is damaged or was edited by hand. Run `counsel verify` to see where, "
                "and restore the study from a backup."
            )
    return Seen(place, last)


def vanished(seen: Seen, there: int) -> HistoryChanged:
    """The error for a storage that no longer holds what it acknowledged."""
    found = f"it holds {there}" if there < seen.place else "it holds other facts in their place"
    return HistoryChanged(
        f"The storage once held {seen.place} facts of this study; now {found}. It was restored "
        "from a backup, lost acknowledged facts, or was replaced. Nothing was written. The study "
        "has been reloaded: check its history and report again what is missing."
    )
