"""Registries: how things get in, how they are found, and what is refused."""

import importlib
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any

import pytest

import counsel as cs
from counsel.acquisition.registry import acquisitions
from counsel.errors import InvalidInput
from counsel.experiments.registry import experiments
from counsel.policies.registry import PolicyEntry, check, entry_of, policies
from counsel.registry import Entry, Preset, Registry, parameters, parts
from counsel.worlds.registry import worlds

ALL: dict[str, Registry[Any]] = {
    each.kind: each for each in (policies, acquisitions, worlds, experiments, parts)
}


@dataclass(frozen=True)
class Thing:
    size: int
    colour: str = "red"


@pytest.fixture
def things(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Registry[Entry]:
    """A registry with a package of its own: one built-in thing, in a file of another name."""
    made = Registry("thing", Entry, ("things_for_tests",), "counsel.things")
    package = tmp_path / "things_for_tests"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "broken.py").write_text("raise RuntimeError('nobody asked for this')")
    (package / "odd.py").write_text(
        "from things_for_tests import things\n"
        '@things.register("a-box", title="Box", sentence="It holds things.")\n'
        "class Box: ...\n"
    )
    for name in ("things_for_tests", "things_for_tests.odd"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))
    vars(importlib.import_module("things_for_tests"))["things"] = made
    return made


def test_a_file_in_the_package_is_enough(things: Registry[Entry]) -> None:
    box = things.known("a-box")
    assert box is not None
    assert (box.title, box.sentence, box.thing.__name__) == ("Box", "It holds things.", "Box")
    assert [entry.tag for entry in things.entries()] == ["a-box"]  # what is broken registers none
    assert things.of(box.thing) is things.find("a-box") is box
    assert things.of(list) is None


def test_registered_in_a_script(things: Registry[Entry]) -> None:
    keep = things.register("thing", title="Thing", sentence="It has a size.")
    assert keep(Thing) is Thing
    assert things.names() == ("a-box",)  # a thing needs its size
    assert things.get("thing").make({"size": 3}) == Thing(3)
    keep(Thing)  # the same cell of a notebook again
    with pytest.raises(InvalidInput, match=r"tag of a thing: got 'thing'.*It belongs to"):
        keep(int)


@pytest.mark.parametrize("tag", ["", "Thing", "a thing", "a:b", "a.b", "a_b", "-a", "a/"])
def test_tags_that_are_refused(tag: str, things: Registry[Entry]) -> None:
    with pytest.raises(InvalidInput, match="Use lower-case letters"):
        things.register(tag, title="Thing", sentence="It has a size.")


def test_settings_are_checked(things: Registry[Entry]) -> None:
    things.register("thing", title="Thing", sentence="It has a size.")(Thing)
    entry = things.get("thing")
    with pytest.raises(InvalidInput, match=r"'weight'\. Its settings are size, colour\."):
        entry.make({"weight": 3})
    with pytest.raises(InvalidInput, match=r"Did you mean 'colour'\? Its settings are"):
        entry.make({"color": "red"})
    with pytest.raises(InvalidInput, match=r"Also give size\."):
        entry.make({"colour": "blue"})
    things.register("none", title="None", sentence="Nothing to set.")(lambda: 3)
    with pytest.raises(InvalidInput, match="It has no settings"):
        things.get("none").make({"size": 1})
    with pytest.raises(InvalidInput, match=r"^thing: got 'think'\. Choose one of a-box, none\.$"):
        things.get("think")


def test_entry_points(things: Registry[Entry], monkeypatch: pytest.MonkeyPatch) -> None:
    """One is loaded by its name; a broken one hides nothing and is said."""
    points = EntryPoints(
        [
            EntryPoint("theirs", f"{__name__}:register_theirs", "counsel.things"),
            EntryPoint("broken", "things_for_tests.broken", "counsel.things"),
        ]
    )
    monkeypatch.setattr(EntryPoint, "load", lambda point: _load(point, things))
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points.select(group=group))
    assert things.find("theirs") == Entry("theirs", "Theirs", "From elsewhere.", Thing)
    with pytest.warns(UserWarning, match=r"counsel\.things: 'broken' .* cannot be loaded"):
        assert [entry.tag for entry in things.entries()] == ["a-box", "theirs"]


def _load(point: EntryPoint, things: Registry[Entry]) -> None:
    if point.name == "broken":
        raise RuntimeError("broken")
    things.register("theirs", title="Theirs", sentence="From elsewhere.")(Thing)


def test_a_preset_is_a_class_with_settings_decided() -> None:
    small = Preset(Thing, "Small", fixed={"size": 1})
    assert small() == Thing(1)
    assert small(colour="blue") == Thing(1, "blue")
    assert parameters(small) == {"colour": False}
    with pytest.raises(InvalidInput, match=r"setting of Small: got 'size'\. Use colour\."):
        small(size=2)


# ---- what is registered -------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ALL)
def test_everything_says_what_it_is(kind: str) -> None:
    entries = ALL[kind].entries()
    assert entries
    assert len({entry.title for entry in entries}) == len(entries)
    for entry in entries:
        assert entry.title[0].isupper()
        assert len(entry.title) <= 60
        assert len(entry.sentence) <= 80
        if kind != "experiment":  # those name a figure
            assert entry.sentence[0].isupper()
            assert entry.sentence.endswith(".")
        assert ALL[kind].find(entry.tag) is entry


def test_tags_of_what_is_stored_in_a_policy_are_unique() -> None:
    tags = [
        entry.tag for kind in ("policy", "acquisition", "part") for entry in ALL[kind].entries()
    ]
    assert len(set(tags)) == len(tags)


@pytest.mark.parametrize("kind", ALL)
def test_a_tag_is_found_without_importing_everything(kind: str) -> None:
    """In a process of its own, by looking into the files that mention it."""
    registry = ALL[kind]
    entry = registry.entries()[0]
    module = "counsel.registry" if kind == "part" else f"counsel.{registry.group[8:]}.registry"
    module = module.replace("acquisitions", "acquisition")
    name = registry.group[8:]
    code = f"""
from {module} import {name}
assert {name}.known({entry.tag!r}).title == {entry.title!r}
assert not {name}._complete
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


# ---- what a policy can do -----------------------------------------------------------------------

BOX = cs.Space(x=cs.Float(0, 1))
ARMS = cs.Arms([{"x": 0.0}, {"x": 1.0}])
LIMIT = cs.Constraint("calm", at_least=0.0)


@dataclass(frozen=True)
class Choosy:
    name: str = "choosy"

    def propose(self, problem: Any, history: Any) -> Any: ...
    def predict(self, problem: Any, history: Any, points: Any) -> Any: ...


@pytest.fixture
def choosy() -> Any:
    """A policy that can do little."""
    policies.register(
        "choosy",
        title="Choosy",
        sentence="It can do little.",
        arms_only=True,
        needs_constraints=True,
        learns_constraints=True,
    )(Choosy)
    yield Choosy()
    del policies._entries["choosy"]


def test_not_for_a_box(choosy: Any) -> None:
    for given in (choosy, "choosy"):
        with pytest.raises(InvalidInput, match=r"^policy: got 'choosy'\. .*arms.*use one of acl,"):
            cs.create_study(BOX, constraints=[LIMIT], policy=given)
        assert cs.create_study(ARMS, constraints=[LIMIT], policy=given).policy == choosy


def test_needs_constraints(choosy: Any) -> None:
    with pytest.raises(InvalidInput, match=r"^policy: got 'choosy'\. It needs constraints"):
        cs.create_study(ARMS, policy=choosy)


@pytest.mark.parametrize("entry", cs.policies.entries(), ids=lambda entry: entry.tag)
def test_constraints_and_comparisons_only_for_those_that_learn_them(entry: PolicyEntry) -> None:
    measured = cs.Problem(ARMS, cs.Objective("objective"), (LIMIT,))
    compared = cs.Problem(ARMS, cs.Objective("preference"))
    policy = entry.make({})
    for problem, fine, words in (
        (measured, entry.learns_constraints or entry.blind, "does not learn constraints"),
        (compared, entry.learns_comparisons or entry.blind, "does not learn from comparisons"),
    ):
        if fine:
            check(policy, problem)
        else:
            with pytest.raises(InvalidInput, match=f"policy: got {entry.tag!r}. It {words}"):
                check(policy, problem)


def test_a_policy_nobody_registered_is_not_judged() -> None:
    assert entry_of(Choosy()) is None
    check(Choosy(), cs.Problem(BOX, cs.Objective("preference"), (LIMIT,)))


def test_a_safe_point_elsewhere_is_refused_when_the_study_is_created() -> None:
    for name in ("dmcl", "acol"):
        policy = cs.policies.by_name(name, safe={"x": 0.5})
        cs.create_study(BOX, constraints=[LIMIT], policy=policy)
        with pytest.raises(InvalidInput, match=r"0\.5"):
            cs.create_study(ARMS, constraints=[LIMIT], policy=policy)


def test_rewards_for_other_arms_are_refused_when_the_study_is_created() -> None:
    policy = cs.policies.by_name("acol", rewards=(1.0, 2.0))
    assert cs.create_study(ARMS, constraints=[LIMIT], policy=policy).ask().asks == ("calm",)
    for space in (BOX, cs.Arms([{"x": 0.0}])):
        with pytest.raises(InvalidInput, match="rewards: got '2 numbers'"):
            cs.create_study(space, constraints=[LIMIT], policy=policy)
