"""What every policy must do, as tests: subclass `PolicyConformance` in a test file.

class TestMine(PolicyConformance):
    def policy(self):
        return Mine(kappa=2.0)
"""

import dataclasses
import math
import pickle
from typing import Any

import numpy as np

import counsel as cs
from counsel.facts.history import Array, History
from counsel.policies.protocol import Choice, Policy
from counsel.policies.random import EXCLUSION_RADIUS
from counsel.policies.registry import PolicyEntry, entry_of
from counsel.space import AnySpace
from counsel.testing.refusals import refused

__all__ = ["PolicyConformance"]

ARMS = cs.Arms([{"a": i / 4, "b": j / 4} for i in range(5) for j in range(5)])
BOX = cs.Space(x=cs.Float(0, 1), y=cs.Float(0, 1))
X = np.array([[0.0, 0.25], [0.5, 0.5], [1.0, 0.0], [0.25, 1.0], [0.75, 0.75]])
Y = np.array([0.3, 1.1, -0.4, 0.2, 0.9])


class PolicyConformance:
    """The protocol of `counsel.policies`: valid points, no memory, respect for people's decisions.

    The suite asks the registry what the policy can do (`arms_only`, `has_beliefs`); one that is not
    registered overrides `can`.
    """

    def policy(self) -> Policy:
        """The policy under test: a new, equal object in every call."""
        raise NotImplementedError

    def can(self) -> PolicyEntry:
        """What the policy can do."""
        found = entry_of(self.policy())
        assert found is not None, "Register the policy, or override `can`."
        return found

    def spaces(self) -> list[AnySpace]:
        return [ARMS] if self.can().arms_only else [ARMS, BOX]

    def test_is_a_policy(self) -> None:
        policy = self.policy()
        assert isinstance(policy, Policy)
        assert isinstance(policy.name, str)
        assert policy.name

    def test_proposes_a_valid_point(self) -> None:
        for space in self.spaces():
            for n in (0, 1, 5):
                choice = self.policy().propose(cs.Problem(space), history(t=n + 1, n=n))
                check_valid(choice, space)

    def test_depends_on_the_history_alone(self) -> None:
        for space in self.spaces():
            policy, problem = self.policy(), cs.Problem(space)
            first = policy.propose(problem, history())
            policy.propose(problem, history(t=9, seed=3, n=4))  # leaves no trace
            for again in (policy, self.policy(), pickle.loads(pickle.dumps(policy))):
                assert _same(again.propose(problem, history()), first)

    def test_never_proposes_what_was_rejected(self) -> None:
        for space in self.spaces():
            policy, problem = self.policy(), cs.Problem(space)
            rejected = np.zeros((0, 2))
            for t in range(6, 10):
                choice = policy.propose(problem, history(t=t, rejected=rejected))
                check_valid(choice, space)
                gaps = np.abs(rejected - choice.point).max(axis=1)
                assert (gaps >= EXCLUSION_RADIUS * (1 - 1.1e-3)).all()
                rejected = np.vstack([rejected, choice.point])

    def test_nothing_to_propose_when_every_arm_is_rejected(self) -> None:
        policy, problem = self.policy(), cs.Problem(ARMS)
        only = policy.propose(problem, history(rejected=np.delete(ARMS.points, 13, axis=0)))
        assert only.arm == 13
        with refused(cs.NothingToPropose, "Withdraw"):
            policy.propose(problem, history(rejected=ARMS.points.copy()))

    def test_keeps_off_pending_trials(self) -> None:
        for space in self.spaces():
            policy, problem = self.policy(), cs.Problem(space)
            pending = np.zeros((0, 2))
            for t in range(6, 9):
                choice = policy.propose(problem, history(t=t, pending=pending))
                assert not (pending == choice.point).all(axis=1).any()
                pending = np.vstack([pending, choice.point])

    def test_predicts_or_says_that_it_has_no_beliefs(self) -> None:
        policy, problem = self.policy(), cs.Problem(ARMS)
        assert policy.predict(problem, history(n=0), X) is None
        believed = policy.predict(problem, history(), X)
        if not self.can().has_beliefs:
            assert believed is None
            return
        assert believed is not None
        assert len(believed) == len(X)
        assert all(isinstance(p, cs.Prediction) for p in believed)
        assert np.abs([p.mean - y for p, y in zip(believed, Y, strict=True)]).max() <= 0.3
        assert all(p.sd >= 0.0 for p in believed)

    def test_replays_in_a_study(self) -> None:
        study = cs.create_study(ARMS, policy=self.policy(), seed=1)
        for i in range(5):
            study.tell(study.ask(), float(i % 3))
        assert study.replay().identical
        proposed = {fact.policy for fact in study.facts if isinstance(fact, cs.Proposal)}
        assert proposed == {study.policy.name}


def history(t: int = 6, n: int = len(Y), **changes: Any) -> History:
    """What a policy sees in round t, read-only: a policy that writes to it fails."""
    nothing = np.zeros((0, 2))
    made = History(X[:n], Y[:n], nothing, nothing, np.zeros(0), t, seed=7)
    made = dataclasses.replace(made, **changes)
    for field in ("x", "y", "pending", "rejected", "context"):
        getattr(made, field).flags.writeable = False
    return made


def check_valid(choice: Choice, space: AnySpace) -> None:
    """A point of the space, with finite numbers beside it."""
    point: Array = np.asarray(choice.point)
    assert point.shape == (space.dim,)
    assert ((point >= 0.0) & (point <= 1.0)).all()
    if isinstance(space, cs.Arms):
        assert isinstance(choice.arm, int)
        np.testing.assert_array_equal(point, space.points[choice.arm])
    else:
        assert choice.arm is None
        np.testing.assert_allclose(space.encode(space.decode(point)), point, atol=1e-12)
    assert all(map(math.isfinite, [*choice.terms.values(), *choice.theta]))
    assert (choice.mean is None) == (choice.sd is None)
    if choice.mean is not None and choice.sd is not None:
        assert math.isfinite(choice.mean)
        assert choice.sd >= 0.0
    assert choice.note == ""


def _same(a: Choice, b: Choice) -> bool:
    return np.array_equal(a.point, b.point) and all(
        getattr(a, field) == getattr(b, field)
        for field in ("arm", "mean", "sd", "terms", "theta", "asks", "note")
    )
