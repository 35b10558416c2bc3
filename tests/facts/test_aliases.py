"""Descriptions of earlier versions: read as what they meant."""

from typing import Any

import pytest

import counsel as cs
from counsel.acquisition import EI, GPUCB, LWUCB, AugmentedEI, PrunedUCB
from counsel.facts.aliases import modern
from counsel.policies import DMCL, Bandit, by_name, names
from counsel.policies.description import describe, make

ROOM = "counsel.acquisition."
WEIGHTED, IMPROVEMENT = f"{ROOM}output_weighted:LWUCB", f"{ROOM}improvement:EI"


@pytest.mark.parametrize(
    ("name", "fields", "today"),
    [
        (
            WEIGHTED,
            {"kappa": 1.5, "components": 2, "paper": False},
            PrunedUCB(1.5, 2, density="search"),
        ),
        (WEIGHTED, {"kappa": 2.0, "components": 4}, PrunedUCB(density="search")),
        (
            WEIGHTED,
            {"kappa": 1.0, "components": 3, "paper": True},
            LWUCB(1.0, 3, density="search"),
        ),
        (IMPROVEMENT, {"augmented": True}, AugmentedEI()),
        (IMPROVEMENT, {}, AugmentedEI()),
        (IMPROVEMENT, {"augmented": False}, EI(xi=0.0, incumbent="mean")),
        (f"{ROOM}bounds:GPUCB", {"delta": 0.2}, GPUCB(0.2, domain="chosen")),
    ],
)
def test_what_an_earlier_description_means(name: str, fields: dict[str, Any], today: Any) -> None:
    inside = {"type": name, "fields": dict(fields)}
    described = {"type": "counsel.policies.bandit:Bandit", "fields": {"acquisition": inside}}
    assert make(modern(described)) == Bandit(
        today, feasibility=None, scaling=None, shares=False, forgiving=False, in_context=False
    )
    assert inside["fields"] == fields


@pytest.mark.parametrize("name", names())
def test_todays_descriptions_mean_themselves(name: str) -> None:
    described = describe(by_name(name))
    assert modern(described) == described


def test_a_study_of_an_earlier_version_goes_on(tmp_path: Any) -> None:
    """Its proposals keep the name they were made by, and replay."""
    address = f"sqlite:///{tmp_path / 'study.db'}"
    earlier = Bandit(PrunedUCB(density="search"), initial=2)
    study = cs.create_study(
        cs.Space(x=cs.Float(0, 1)), name="old", policy=earlier, storage=address, seed=2
    )
    for i in range(4):
        study.tell(study.ask(), float(i % 2))
    again = cs.load_study("old", address)
    assert again.policy == earlier
    assert again.replay().identical


def test_an_earlier_algorithm_1_goes_on_without_what_came_later() -> None:
    """Its weights were not relative to the largest, and its questions not those of the rule."""
    described = {"tag": "dmcl", "settings": {"paper": True, "certificate": "union"}}
    policy = make(modern(described))
    assert policy.paper
    assert not policy.normalised
    assert not policy.in_advance
    assert DMCL(paper=True).in_advance


@pytest.mark.parametrize("tag", ["dmcl", "mcl", "acl"])
def test_an_earlier_constraint_learner_searches_as_it_did(tag: str) -> None:
    policy = make(modern({"tag": tag, "settings": {"certificate": "posterior"}}))
    assert not policy.gentle
    assert policy.hope is None
    assert not policy.persistent
    assert not policy.choosy
    assert policy.unasked == 1.0
    assert policy.optimism == 0.9
    assert not policy.attentive
    assert not policy.centred
    assert by_name(tag).attentive
    assert by_name(tag).centred
    assert by_name(tag).choosy
    assert by_name(tag).unasked > 1.0
    assert by_name(tag).optimism > 0.9
    assert by_name(tag).hope is not None
    assert by_name(tag).gentle
    assert by_name(tag).persistent


def test_an_earlier_bandit_takes_yes_and_no_for_numbers() -> None:
    described = describe(by_name("v-ucb"))
    assert make(modern(described)).shares
    del described["settings"]["shares"]
    assert not make(modern(described)).shares
