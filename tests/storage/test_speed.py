"""How much work it takes, counted in statements: however many facts there are, a few."""

import dataclasses
from collections.abc import Callable
from datetime import UTC, datetime

import sqlalchemy as sa

import counsel as cs
from counsel.facts.records import Fact
from counsel.storage.sql import SqlStorage

NOW = datetime(2026, 1, 2, tzinfo=UTC)
SPACE = cs.Space(**{f"x{i}": cs.Float(0, 1) for i in range(6)})  # type: ignore[arg-type]


def big(url: str, facts: int) -> None:
    """A study of so many facts, written at once."""
    study = cs.create_study(SPACE, policy="random", name="template")
    proposal = study.ask()
    made: list[Fact] = []
    for i in range(1, facts // 2 + 1):
        made.append(dataclasses.replace(proposal, id=f"p{i}", round=i, seen=len(made)))
        values, told = proposal.values, {"objective": i / 7}
        made.append(cs.Observation(f"o{i}", f"p{i}", values, {}, told, "ann", NOW))
    SqlStorage(url).create(dataclasses.replace(study.setup, name="big"), made)


class Statements:
    """Counts what is sent to the database of a storage."""

    def __init__(self, storage: SqlStorage) -> None:
        self.count = 0
        sa.event.listen(storage._database.engine, "before_cursor_execute", self._counted)

    def _counted(self, *sent: object) -> None:
        self.count += 1

    def during(self, work: Callable[[], object]) -> int:
        before = self.count
        work()
        return self.count - before


def point() -> dict[str, float]:
    return {f"x{j}": 0.5 for j in range(6)}


def test_a_long_study_is_opened_and_told_with_as_few_statements_as_a_short_one(url: str) -> None:
    big(url, 5000)
    cs.create_study(SPACE, name="small", policy="random", storage=url)
    cs.load_study("small", url).tell(cs.load_study("small", url).ask(), 1.0)
    storage = SqlStorage(url)
    statements = Statements(storage)
    sent = {}
    for name, count in (("small", 2), ("big", 5000)):
        study = cs.load_study(name, storage)
        opened = statements.during(lambda study=study: study.facts)  # type: ignore[misc]
        assert len(study.facts) == count
        told = [
            statements.during(lambda study=study: study.tell(point(), 1.0, actor="ann"))  # type: ignore[misc]
            for _ in range(3)
        ]
        assert study.ask().round == (2 if name == "small" else 2501)
        sent[name] = (opened, min(told))
    assert sent["big"] == sent["small"]


def test_what_is_known_is_not_read_again(url: str) -> None:
    storage = SqlStorage(url)
    big(url, 400)
    study = cs.load_study("big", storage)
    study.facts
    statements = Statements(storage)
    assert statements.during(lambda: study.facts) <= 2  # whether there is something new
