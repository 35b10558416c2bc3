"""Links: the same facts, the same link; anything else, another one."""

import dataclasses
from datetime import UTC, datetime, timedelta, timezone

import pytest

import counsel as cs
from counsel.facts.chain import NOTHING, Seen, follow, link
from counsel.facts.records import Fact, Observation, Proposal

NOW = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)


@pytest.fixture(scope="module")
def facts() -> list[Fact]:
    """One of each kind."""
    study = cs.create_study(cs.Space(x=cs.Float(0, 1)), policy="random")
    study.override(study.ask(), {"x": 0.5}, actor="ann", reason="own idea")
    study.tell("p1", 1.0, actor="ann")
    study.ask()
    study.compare(winner="p1", loser="p2", actor="bob")
    study.revise("o1", 2.0, actor="ann")
    study.withdraw("o1", actor="ann")
    return list(study.facts)


def links(facts: list[Fact]) -> list[str]:
    found, last = [], ""
    for fact in facts:
        last = link(last, fact)
        found.append(last)
    return found


def test_whatever_changes_changes_every_link_from_there_on(facts: list[Fact]) -> None:
    before = links(facts)
    assert len(set(before)) == len(facts)
    for place, fact in enumerate(facts):
        other = dataclasses.replace(fact, time=fact.time + timedelta(microseconds=1))
        after = links([*facts[:place], other, *facts[place + 1 :]])
        assert after[:place] == before[:place]
        assert not set(after[place:]) & set(before[place:])


def other(name: str, value: object) -> object:
    """Something else than this value of a field, of its type."""
    match value:
        case None:
            return {"x": 0.25} if name == "values" else "p9"
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return f"{value}!"
        case datetime():
            return value + timedelta(seconds=1)
        case tuple():
            return (*value, "more")
        case dict():
            return {**value, "more": 0.5}
    raise TypeError(name)


def test_every_field_counts(facts: list[Fact]) -> None:
    for fact in facts:
        for field in dataclasses.fields(fact):
            new = other(field.name, getattr(fact, field.name))
            if field.name == "prediction":
                new = cs.Prediction(0.5, 1.0)
            changed = dataclasses.replace(fact, **{field.name: new})  # type: ignore[arg-type]
            assert link("", changed) != link("", fact), field.name


def test_a_moment_is_the_same_in_every_zone() -> None:
    here = Observation("o1", None, {"x": 1}, {}, {"y": 1.0}, "ann", NOW)
    there = dataclasses.replace(here, time=NOW.astimezone(timezone(timedelta(hours=5))))
    assert link("", here) == link("", there)
    assert link("", here) != link("", dataclasses.replace(here, values={"x": 1.0}))


def test_a_field_that_is_empty_for_all_leaves_links_alone(facts: list[Fact]) -> None:
    """`chances` was added to proposals when there were facts already."""
    proposal = next(fact for fact in facts if isinstance(fact, Proposal))
    assert not proposal.chances
    assert link("", proposal) == link("", dataclasses.replace(proposal, chances={}))


def test_facts_without_links_are_covered_by_the_next_one(facts: list[Fact]) -> None:
    found = links(facts)
    assert follow(NOTHING, facts, [*[None] * (len(facts) - 1), found[-1]]) == Seen(
        len(facts), found[-1]
    )
    with pytest.raises(cs.StorageError, match=r"Fact 7 .*or one before it.*counsel verify"):
        follow(NOTHING, [*facts[1:2], *facts[1:]], [*[None] * (len(facts) - 1), found[-1]])
