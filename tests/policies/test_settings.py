"""A policy's settings by keyword: in Python, in YAML, over REST."""

from pathlib import Path
from typing import Any

import pytest

import counsel as cs
from counsel.acquisition import VUCB
from counsel.exchange import study_from_yaml
from counsel.models.kernels import Matern
from counsel.policies import Bandit
from counsel.service.web.new_study import settings_of

SPACE = cs.Space(x=cs.Float(0, 1), y=cs.Float(0, 1))


def bandit(study: Any) -> Bandit:
    assert isinstance(study.policy, Bandit)
    return study.policy


def test_settings_go_with_the_name() -> None:
    study = cs.create_study(SPACE, policy="v-ucb", kappa=3, initial=8, kernel="matern", noise=0.1)
    policy = bandit(study)
    assert isinstance(policy.acquisition, VUCB)
    assert policy.acquisition.kappa == 3
    assert policy.initial == 8
    assert isinstance(policy.kernel, Matern)
    assert policy.prior.noise_mode == 0.1


def test_settings_of_a_policy_that_nobody_named() -> None:
    usual, study = (cs.create_study(SPACE, **given) for given in ({}, {"kappa": 3, "noise": 0.1}))
    policy = bandit(study)
    assert isinstance(policy.acquisition, VUCB)
    assert policy.acquisition.kappa == 3
    assert policy.prior == bandit(usual).prior._replace(noise_mode=0.1)
    assert policy.kernel == bandit(usual).kernel


def test_settings_are_stored(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'study.db'}"
    made = cs.create_study(SPACE, name="s", policy="v-ucb", kappa=3, storage=address)
    assert cs.load_study("s", address).policy == made.policy
    again = {"name": "s", "policy": "v-ucb", "storage": address, "load_if_exists": True}
    assert cs.create_study(SPACE, kappa=3, **again).policy == made.policy
    with pytest.raises(cs.Conflict, match="another policy"):
        cs.create_study(SPACE, kappa=4, **again)


@pytest.mark.parametrize(
    "policy",
    [
        "policy: v-ucb\nsettings: {kappa: 3, initial: 8}",
        "policy: {name: v-ucb, settings: {kappa: 3, initial: 8}}",
    ],
)
def test_settings_in_yaml(policy: str, tmp_path: Path) -> None:
    file = tmp_path / "study.yaml"
    file.write_text(f"name: s\nparameters:\n  x: {{type: float, low: 1e-4, high: 1}}\n{policy}\n")
    found = bandit(study_from_yaml(file))
    assert (found.acquisition.kappa, found.initial) == (3, 8)  # type: ignore[attr-defined]


def test_settings_typed_on_the_page() -> None:
    assert settings_of("kappa=3, kernel=matern") == {"kappa": 3, "kernel": "matern"}
    assert settings_of("") == {}
    with pytest.raises(cs.InvalidInput, match="kappa=3"):
        settings_of("kappa")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"policy": "v-ucb", "kapa": 3}, "kapa"),
        ({"kapa": 3}, "kappa"),
        ({"policy": "v-ucb", "kernel": "mattern"}, "squared-exponential"),
        ({"policy": "v-ucb", "noise": 2}, "between 0 and 1"),
        ({"policy": Bandit(VUCB()), "kappa": 3}, "object"),
    ],
)
def test_settings_that_there_are_not_are_refused(given: Any, message: str) -> None:
    with pytest.raises(cs.InvalidInput, match=message):
        cs.create_study(SPACE, **given)


def test_first_trials_follow_the_levels_whatever_the_policy_is_called() -> None:
    space = cs.Space(x=cs.Float(0, 1), solvent=cs.Categorical(list("abcde")))
    study = cs.create_study(space, policy="v-ucb", seed=4)
    seen = set()
    for _ in range(6):
        proposal = study.ask()
        assert not proposal.terms
        seen.add(proposal.values["solvent"])
        study.tell(proposal, 0.0)
    assert len(seen) == 5
    assert study.ask().terms
