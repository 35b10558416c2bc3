"""Policies as data: there and back, and nothing that is not Counsel's own."""

import dataclasses
import json
import math
from typing import Any

import numpy as np
import pytest

import counsel as cs
from counsel.models.kernels import Matern, Prior, SquaredExponential
from counsel.policies import Bandit, Random, by_name, names
from counsel.policies.description import Undescribed, describe, make

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
    assert found["type"].endswith(":Foreign")
    json.dumps(found, allow_nan=False)


@pytest.mark.parametrize("inside", [abs, object(), {1: 2}, {3}, np.array(["a"]), b"x", [abs]])
def test_what_is_no_data_is_named(inside: Any) -> None:
    with pytest.raises(Undescribed, match=r"^Foreign\.inside"):
        describe(Foreign(inside=inside))


def test_only_counsels_own_classes_are_built() -> None:
    with pytest.raises(cs.InvalidInput, match=r"only its own classes.*policy="):
        make(describe(Foreign()))


@pytest.mark.parametrize(
    "name",
    [
        "os:system",
        "counselling:X",
        "counsel.nowhere:X",
        "counsel.study:Nothing",
        "counsel:",
        "counsel.errors:CounselError",
        "counsel.policies.description:importlib.import_module",
    ],
)
def test_nothing_else_is_called(name: str) -> None:
    with pytest.raises(cs.InvalidInput, match=r"^policy: got "):
        make({"type": name, "fields": {}})


def test_a_class_that_is_no_policy() -> None:
    with pytest.raises(cs.InvalidInput, match="describes no policy"):
        make({"type": "counsel.facts.records:Prediction", "fields": {"mean": 1.0, "sd": 1.0}})
