"""Policies by name, as values, and a policy of one's own."""

import dataclasses
import pickle
import re
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import counsel as cs
from counsel.acquisition.registry import acquisitions
from counsel.facts.history import History
from counsel.policies import Choice, Policy
from counsel.policies.registry import policies
from counsel.study.proposing import UNDER_WAY

ARMS = cs.Arms([{"a": i / 4, "b": j / 4} for i in range(5) for j in range(5)])
NAMES = cs.policies.names()
loose: Any = cs.policies


# ---- names --------------------------------------------------------------------------------------


def test_names_are_those_of_both_registries() -> None:
    own = {entry.tag for entry in policies.entries() if entry.ready}
    made = {entry.tag for entry in acquisitions.entries() if entry.ready}
    assert own.isdisjoint(made)
    assert tuple(sorted(own | made)) == NAMES == tuple(e.tag for e in cs.policies.entries())
    # What the papers are about; the rest of the list is nobody's business here.
    assert {"random", "lw-ucb", "uncertainty-aware", "dmcl"} <= set(NAMES)
    assert not {"bandit", "challenger"} & set(NAMES)  # they need settings


def test_what_is_written_about_policies_names_registered_ones() -> None:
    table = re.findall(r"^    \| ([a-z-]+) +\|", cs.__doc__ or "", re.MULTILINE)
    assert set(table) - {"policy", "-" * 19} <= set(NAMES)
    assert len(table) > 10


def test_public_names_resolve() -> None:
    for module in (cs.policies, cs.acquisition):
        for name in module.__all__:
            assert getattr(module, name) is not None
        assert set(module.__all__) < set(dir(module))
    for name, thing in {**policies.public(), **acquisitions.public()}.items():
        assert getattr(cs.policies, name, None) is thing or getattr(cs.acquisition, name) is thing


def test_an_unknown_attribute() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Bandits'"):
        loose.Bandits


@pytest.mark.parametrize("name", ["", "vucb", "V-UCB", "dmcl "])
def test_an_unknown_name_gets_a_sentence(name: str) -> None:
    with pytest.raises(cs.InvalidInput) as caught:
        cs.policies.by_name(name)
    remedy = f"Choose one of {', '.join(NAMES)}."
    assert str(caught.value).startswith(f"policy: got {name!r}. {remedy}")
    assert ("Did you mean 'v-ucb'?" in str(caught.value)) == (name == "vucb")


def test_what_is_built_in_is_found_without_importing_the_rest() -> None:
    code = (
        "import sys, counsel as cs; cs.policies.by_name('random');"
        "from counsel.policies.random import Random; assert 'jax' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


# ---- values -------------------------------------------------------------------------------------

DIFFERENT = [
    *map(cs.policies.by_name, NAMES),
    cs.policies.Bandit(cs.acquisition.VUCB(kappa=3.0)),
    cs.policies.Bandit(cs.acquisition.VUCB(), initial=5),
    cs.policies.Bandit(cs.acquisition.TS(exact=10)),
]


@pytest.mark.parametrize("i", range(len(DIFFERENT)))
def test_policies_compare_by_content(i: int) -> None:
    copy = pickle.loads(pickle.dumps(DIFFERENT[i]))
    assert copy is not DIFFERENT[i]
    for j, other in enumerate(DIFFERENT):
        assert bool(copy == other) is (i == j)


@pytest.mark.parametrize("name", cs.policies.names())
def test_a_policy_says_the_name_it_was_asked_for_by(name: str) -> None:
    assert cs.policies.by_name(name).name == name


@pytest.mark.parametrize("name", cs.policies.names())
def test_the_same_name_is_the_same_policy(name: str) -> None:
    assert cs.policies.by_name(name) == cs.policies.by_name(name)


@pytest.mark.parametrize("policy", DIFFERENT, ids=lambda p: p.name)
def test_policies_are_frozen(policy: Any) -> None:
    field = dataclasses.fields(policy)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(policy, field, None)


@pytest.mark.parametrize("kappa", [-1.0, float("nan"), float("inf")])
def test_a_bad_weight(kappa: float) -> None:
    with pytest.raises(cs.InvalidInput, match=r"^kappa: got .*Give a finite number"):
        cs.acquisition.VUCB(kappa=kappa)


@pytest.mark.parametrize("delta", [0.0, 1.0, -0.1, float("nan")])
def test_a_bad_probability(delta: float) -> None:
    with pytest.raises(cs.InvalidInput, match=r"^delta: got .*between 0 and 1"):
        cs.acquisition.GPUCB(delta=delta)


# ---- one's own ----------------------------------------------------------------------------------


class Corner:
    """Ten lines are enough: always the same corner, whatever happens."""

    name = "corner"

    def propose(self, problem: cs.Problem, history: History) -> Choice:
        return Choice(np.ones(problem.space.dim), terms={"stubbornness": float(history.t)})

    def predict(self, problem: cs.Problem, history: History, points: Any) -> None:
        return None


@dataclasses.dataclass(frozen=True)
class Mean:
    """Believes the mean of all values everywhere, and says so."""

    name: str = "mean"

    def propose(self, problem: cs.Problem, history: History) -> Choice:
        mean = float(history.y.mean()) if len(history.y) else None
        sd = None if mean is None else 1.0
        return Choice(np.full(problem.space.dim, 0.5), mean=mean, sd=sd, note="a guess")

    def predict(self, problem: cs.Problem, history: History, points: Any) -> Any:
        return [cs.Prediction(float(history.y.mean()), 1.0) for _ in points]


@pytest.mark.parametrize("space", [ARMS, cs.Space(a=cs.Float(0, 1), b=cs.Float(0, 1))])
def test_a_policy_of_ones_own(space: Any) -> None:
    assert isinstance(Corner(), Policy)
    study = cs.create_study(space, policy=Corner())
    for _ in range(2):
        study.tell(study.ask(), 1.0)
    first, last = (fact for fact in study.facts if isinstance(fact, cs.Proposal))
    assert first.values == last.values == {"a": 1.0, "b": 1.0}
    assert (first.policy, first.prediction) == ("corner", None)
    assert last.terms == {"stubbornness": 2.0}
    assert study.predict({"a": 0.0, "b": 0.0}) is None
    assert study.best is not None
    assert study.replay().identical


def test_a_policy_of_ones_own_with_beliefs() -> None:
    study = cs.create_study(ARMS, policy=Mean(), direction="minimize")
    assert study.ask().prediction is None
    study.tell({"a": 0.0, "b": 0.0}, 1.0)
    study.tell({"a": 1.0, "b": 0.0}, 3.0)
    proposal = study.ask()
    assert proposal.values == {"a": 0.5, "b": 0.5}
    # A policy maximises; the person reads her own sign.
    assert proposal.prediction == cs.Prediction(2.0, 1.0)
    assert proposal.note == f"a guess {UNDER_WAY}"  # it proposes the same again
    assert study.predict({"a": 1.0, "b": 1.0}) == cs.Prediction(2.0, 1.0)


def test_what_a_policy_may_look_at() -> None:
    seen: list[History] = []

    class Spy(Corner):
        def propose(self, problem: cs.Problem, history: History) -> Choice:
            seen.append(history)
            return super().propose(problem, history)

    study = cs.create_study(ARMS, policy=Spy(), direction="minimize", seed=5)
    study.reject(study.ask())
    study.tell({"a": 0.25, "b": 0.5}, 2.0)
    study.override(study.ask(), {"a": 0.0, "b": 0.25})
    study.ask()
    last = seen[-1]
    assert [history.t for history in seen] == [1, 2, 3]
    assert last.seed == 5
    np.testing.assert_array_equal(last.x, [[0.25, 0.5]])
    np.testing.assert_array_equal(last.y, [-2.0])
    np.testing.assert_array_equal(last.pending, [[0.0, 0.25]])
    np.testing.assert_array_equal(last.rejected, [[1.0, 1.0]])
    assert last.context.shape == (0,)
