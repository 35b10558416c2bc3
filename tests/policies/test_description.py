"""Policies as data: there and back, and nothing that is not registered."""

import dataclasses
import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import counsel as cs
from counsel.acquisition.registry import acquisitions
from counsel.exchange import export_study, import_study
from counsel.facts.aliases import ABSENT, ALIASES, modern
from counsel.models.kernels import Matern, Prior, SquaredExponential
from counsel.policies import Bandit, Random, by_name, names
from counsel.policies.description import Undescribed, check, describe, make
from counsel.policies.registry import policies
from counsel.registry import parts

POLICIES = [
    *map(by_name, names()),
    Random("by another name"),
    Bandit(cs.acquisition.VUCB(0.1 + 0.2), initial=7),
    Bandit(
        cs.acquisition.LWUCB(kappa=1.5, components=2),
        kernel=Matern(np.array([0.1, 1 / 3]), nu=1.5) + SquaredExponential(np.ones(1)),
        prior=Prior(noise_mode=math.inf),
    ),
]


@pytest.mark.parametrize("policy", POLICIES, ids=lambda p: p.name)
def test_there_and_back(policy: Any) -> None:
    written = json.loads(json.dumps(describe(policy), allow_nan=False))
    check(written)
    again = make(written)
    assert type(again) is type(policy)
    assert again.name == policy.name
    assert describe(again) == describe(policy)


def test_the_same_proposals() -> None:
    arms = cs.Arms([[i / 6.0] for i in range(7)])
    policy = POLICIES[-2]
    first, second = (
        cs.create_study(arms, policy=each, seed=2) for each in (policy, make(describe(policy)))
    )
    for study in (first, second):
        for i in range(8):
            study.tell(study.ask(), float(i % 3))
    a, b = first.ask(), second.ask()
    assert (a.values, a.terms, a.theta, a.prediction) == (b.values, b.terms, b.theta, b.prediction)


@dataclasses.dataclass(frozen=True)
class Foreign:
    name: str = "foreign"
    inside: Any = None

    def propose(self, problem: Any, history: Any) -> Any: ...
    def predict(self, problem: Any, history: Any, points: Any) -> Any: ...


@pytest.mark.parametrize(
    "inside", [None, (1, [2.5, "x"], {"a": True}), np.arange(6).reshape(2, 3), -0.0, math.nan]
)
def test_plain_data_of_all_kinds(inside: Any) -> None:
    found = describe(Foreign(inside=inside))
    assert found["unregistered"] == "Foreign"
    json.dumps(found, allow_nan=False)


@pytest.mark.parametrize("inside", [abs, object(), {1: 2}, {3}, np.array(["a"]), b"x", [abs]])
def test_what_is_no_data_is_named(inside: Any) -> None:
    with pytest.raises(Undescribed, match=r"^Foreign\.inside"):
        describe(Foreign(inside=inside))


@pytest.mark.parametrize("policy", POLICIES, ids=lambda p: p.name)
def test_tags_and_settings_are_all_that_is_written(policy: Any) -> None:
    def look(data: Any) -> None:
        if isinstance(data, dict):
            if "settings" in data:
                assert list(data) == ["tag", "settings"]
                assert any(r.known(data["tag"]) for r in (policies, acquisitions, parts))
            for each in data.values():
                look(each)

    written = describe(policy)
    look(written)
    assert "counsel" not in json.dumps(written)


def test_only_what_is_registered_is_built() -> None:
    with pytest.raises(cs.InvalidInput, match=r"'Foreign'.*no registered tag.*policy="):
        make(describe(Foreign()))
    with pytest.raises(cs.InvalidInput, match="no registered tag"):
        make(describe(Bandit(Unknown())))


@dataclasses.dataclass(frozen=True)
class Unknown:
    def score(self, posterior: Any, round: Any) -> Any: ...


SETTINGS = describe(by_name("v-ucb"))["settings"]
ARRAY = {"array": [1.0], "shape": [1], "dtype": "float64"}


@pytest.mark.parametrize(
    ("description", "sentence"),
    [
        ({"tag": "os:system", "settings": {}}, "'os:system'. Nothing is registered"),
        ({"tag": "counsel.study:Study", "settings": {}}, "Nothing is registered"),
        ({"tag": "gp-usb", "settings": {}}, "'gp-usb'. Nothing is registered"),
        ({"tag": "mcl", "settings": {"ask_threshold": 0.1}}, "'ask_threshold'. Its settings are"),
        ({"tag": "random", "settings": {"seed": 1}}, "'seed'. Its settings are name"),
        ({"tag": "bandit", "settings": {}}, "Also give acquisition"),
        ({"tag": "bandit", "settings": {**SETTINGS, "kernel": 3}}, "kernel"),
        ({"tag": "bandit", "settings": {**SETTINGS, "acquisition": "ei"}}, "acquisition"),
        ({"tag": "prior", "settings": {}}, "does not describe a policy"),
        ({"tag": "v-ucb", "settings": {"kappa": -1}}, "kappa: got -1"),
        ({"tag": "v-ucb", "settings": {"kappa": {"eval": "1"}}}, "not part of a stored policy"),
        ({"tag": "v-ucb", "settings": {"kappa": {"float": "1e9"}}}, "not part of a stored"),
        ({"tag": "v-ucb", "settings": {"kappa": {**ARRAY, "dtype": "O"}}}, "do not fit"),
        ({"tag": "v-ucb", "settings": {"kappa": {**ARRAY, "shape": [7]}}}, "do not fit"),
        ({"type": "os:system"}, "not part of a stored policy"),
        ({}, "not part of a stored policy"),
        ([], "does not describe a policy"),
    ],
)
def test_anything_else_gets_a_sentence(description: Any, sentence: str) -> None:
    loose: Any = make  # the checker of types would refuse a list before Counsel does
    with pytest.raises(cs.InvalidInput, match=re.escape(sentence)):
        getattr(loose, "__wrapped__", loose)(description)


# ---- what was written before --------------------------------------------------------------------


@pytest.mark.parametrize("name", ALIASES)
def test_every_alias_leads_to_something_registered(name: str) -> None:
    entry = next(filter(None, (r.find(ALIASES[name]) for r in (policies, acquisitions, parts))))
    assert entry.thing is not None


def test_old_names_become_tags_however_deep() -> None:
    inner = {"type": "counsel.acquisition.bounds:VUCB", "fields": {"kappa": 2.5}}
    old = {"type": "counsel.policies.bandit:Bandit", "fields": {"acquisition": inner}}
    acquisition = {"tag": "v-ucb", "settings": {"kappa": 2.5}}
    assert modern(old) == {
        "tag": "bandit",
        "settings": {**ABSENT["bandit"], "acquisition": acquisition},
    }
    assert modern(modern(old)) == modern(old)
    foreign = {"type": "mine.rules:Corner", "fields": {"inside": [inner]}}
    assert modern(foreign)["unregistered"] == "Corner"
    assert modern(foreign)["settings"]["inside"][0]["tag"] == "v-ucb"


def test_a_setting_that_was_not_stored_has_its_old_meaning() -> None:
    """Whatever the class's default is by now."""
    fields = {"lengthscale_sd": 1.0, "variance_sd": 0.5, "noise_mode": 0.1, "noise_sd": 1.0}
    old = modern({"type": "counsel.models.kernels:Prior", "fields": fields})
    assert old["settings"]["lengthscale_factor"] == 1.0
    for tag, settings in ABSENT.items():
        entry = next(filter(None, (r.find(tag) for r in (policies, acquisitions, parts))))
        assert set(settings) <= set(entry.settings)


def test_a_new_setting_of_an_old_tag_says_what_its_absence_means() -> None:
    """`written` is what the first version with tags wrote; a tag that came later is not in it."""
    written = json.loads((Path(__file__).parent / "written.json").read_text())
    for tag, names_then in written.items():
        entry = next(filter(None, (r.find(tag) for r in (policies, acquisitions, parts))))
        new = set(entry.settings) - set(names_then)
        assert new <= set(ABSENT.get(tag, {})), f"Say in facts.aliases.ABSENT what {tag} did before"


# ---- settings by name ---------------------------------------------------------------------------


def test_settings_by_name() -> None:
    made = by_name("lw-ucb", kappa=3.0, components=2, initial=5)
    assert made == Bandit(cs.acquisition.LWUCB(kappa=3.0, components=2), initial=5)
    assert by_name("dmcl", ask_threshold=0.2) == cs.policies.DMCL(ask_threshold=0.2)
    assert by_name("acl", overall=0.3).name == "acl"
    for name, setting in (("v-ucb", "cappa"), ("mcl", "ask_threshold"), ("acol", "kappa")):
        with pytest.raises(cs.InvalidInput, match=f"setting of '{name}': got '{setting}'"):
            by_name(name, **{setting: 1.0})
    with pytest.raises(cs.InvalidInput, match="setting of MCL"):
        cs.policies.MCL(asking="worth")
    with pytest.raises(cs.InvalidInput, match="Also give acquisition"):
        by_name("bandit")


def test_the_presets_are_one_learner() -> None:
    rules = {name: by_name(name) for name in ("dmcl", "mcl", "acl")}
    assert {type(rule) for rule in rules.values()} == {cs.policies.DMCL}
    assert cs.policies.MCL(rank=1).rank == 1
    with pytest.raises(cs.InvalidInput, match="asking"):
        cs.policies.DMCL(asking="nothing")


def test_a_file_with_a_policy_that_cannot_be_built_is_refused(tmp_path: Path) -> None:
    file = export_study(
        cs.create_study(cs.Space(x=cs.Float(0, 1)), policy="v-ucb"), tmp_path / "s.json"
    )
    text = file.read_text()
    for before, after, sentence in (
        ('"kappa"', '"cappa"', "setting of 'v-ucb': got 'cappa'"),
        ('"v-ucb", "settings"', '"w-ucb", "settings"', "Nothing is registered"),
    ):
        assert before in text
        file.write_text(text.replace(before, after))
        with pytest.raises(cs.InvalidInput, match=sentence):
            import_study(file)


def test_a_policy_of_ones_own_is_handed_over(tmp_path: Path) -> None:
    """Its class is not registered: it is stored by name and compared."""
    url, space = f"sqlite:///{tmp_path / 's.db'}", cs.Space(x=cs.Float(0, 1))
    file = export_study(
        cs.create_study(space, policy=Foreign(inside=1), storage=url), tmp_path / "s.json"
    )
    import_study(file, url, name="again")
    for name in ("study", "again"):
        assert cs.load_study(name, url, policy=Foreign(inside=1)).facts == ()
        with pytest.raises(cs.Conflict, match="another policy"):
            cs.load_study(name, url, policy=Foreign(inside=2))
        with pytest.raises(cs.InvalidInput, match="no registered tag"):
            cs.load_study(name, url).policy
