"""Every policy keeps the one protocol: valid points, no memory, a person's word holds."""

import dataclasses
import math
import pickle
from typing import Any

import numpy as np
import pytest

import counsel as cs
from counsel.facts.history import History
from counsel.policies import Choice, Policy

CAN = {entry.tag: entry for entry in cs.policies.entries()}
NAMES = tuple(CAN)
ARMS = cs.Arms([{"a": i / 4, "b": j / 4} for i in range(5) for j in range(5)])
BOX = cs.Space(x=cs.Float(0, 1), y=cs.Float(0, 1))

each_policy = pytest.mark.parametrize("name", NAMES)
SPACES = {"arms": ARMS, "box": BOX}
each_space = pytest.mark.parametrize(
    ("name", "space"),
    [
        pytest.param(name, space, id=f"{name}-{kind}")
        for name in NAMES
        for kind, space in SPACES.items()
        if space.finite or not CAN[name].arms_only
    ],
)

X = np.array([[0.0, 0.25], [0.5, 0.5], [1.0, 0.0], [0.25, 1.0], [0.75, 0.75]])
Y = np.array([0.3, 1.1, -0.4, 0.2, 0.9])


def told(t: int = 6, n: int = len(Y), **changes: Any) -> History:
    """What a policy sees in round t, read-only: a policy that writes on it fails."""
    nothing = np.zeros((0, 2))
    history = History(X[:n], Y[:n], nothing, nothing, np.zeros(0), t, seed=7)
    history = dataclasses.replace(history, **changes)
    for field in ("x", "y", "pending", "rejected", "context"):
        getattr(history, field).flags.writeable = False
    return history


def assert_valid(choice: Choice, space: Any) -> None:
    point = np.asarray(choice.point)
    assert point.shape == (space.dim,)
    assert ((point >= 0.0) & (point <= 1.0)).all()
    if space.finite:
        assert isinstance(choice.arm, int)
        np.testing.assert_array_equal(point, space.points[choice.arm])
    else:
        assert choice.arm is None
        np.testing.assert_allclose(space.encode(space.decode(point)), point, atol=1e-12)
    assert all(map(math.isfinite, [*choice.terms.values(), *choice.theta]))
    assert (choice.mean is None) == (choice.sd is None)
    if choice.sd is not None:
        assert math.isfinite(choice.mean)  # type: ignore[arg-type]
        assert choice.sd >= 0.0
    assert choice.note == ""


def same(a: Choice, b: Choice) -> bool:
    return np.array_equal(a.point, b.point) and all(
        getattr(a, field) == getattr(b, field)
        for field in ("arm", "mean", "sd", "terms", "theta", "asks", "note")
    )


@each_policy
def test_is_a_policy(name: str) -> None:
    policy = cs.policies.by_name(name)
    assert isinstance(policy, Policy)
    assert isinstance(policy.name, str)
    assert policy.name


@each_space
@pytest.mark.parametrize("n", [0, 1, 5])
def test_proposes_a_valid_point(name: str, space: Any, n: int) -> None:
    policy, problem = cs.policies.by_name(name), cs.Problem(space)
    assert_valid(policy.propose(problem, told(t=n + 1, n=n)), space)


@each_space
def test_depends_on_the_history_alone(name: str, space: Any) -> None:
    policy, problem = cs.policies.by_name(name), cs.Problem(space)
    first = policy.propose(problem, told())
    policy.propose(problem, told(t=9, seed=3, n=4))  # leaves no trace
    assert same(policy.propose(problem, told()), first)
    assert same(cs.policies.by_name(name).propose(problem, told()), first)
    assert same(pickle.loads(pickle.dumps(policy)).propose(problem, told()), first)


@each_space
def test_never_proposes_what_was_rejected(name: str, space: Any) -> None:
    policy, problem = cs.policies.by_name(name), cs.Problem(space)
    rejected = np.zeros((0, 2))
    for t in range(6, 10):
        choice = policy.propose(problem, told(t=t, rejected=rejected))
        assert_valid(choice, space)
        gaps = np.abs(rejected - choice.point).max(axis=1)
        assert (gaps >= 0.05 * (1 - 1.1e-3)).all()
        rejected = np.vstack([rejected, choice.point])


@each_policy
def test_nothing_to_propose_when_every_arm_is_rejected(name: str) -> None:
    policy, problem = cs.policies.by_name(name), cs.Problem(ARMS)
    only = policy.propose(problem, told(rejected=np.delete(ARMS.points, 13, axis=0)))
    assert only.arm == 13
    with pytest.raises(cs.NothingToPropose, match="Withdraw"):
        policy.propose(problem, told(rejected=ARMS.points.copy()))


@pytest.mark.parametrize("name", ["random", "v-ucb"])  # each other one takes seconds to compile
def test_nothing_to_propose_when_the_box_is_rejected(name: str) -> None:
    corners = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    policy, problem = (
        cs.policies.by_name(name),
        cs.Problem(cs.Space(k=cs.Int(0, 1), l=cs.Int(0, 1))),
    )
    only = policy.propose(problem, told(x=np.round(X), rejected=corners[:3]))
    np.testing.assert_array_equal(only.point, corners[3])
    with pytest.raises(cs.NothingToPropose, match="Withdraw"):
        policy.propose(problem, told(x=np.round(X), rejected=corners))


@each_space
def test_keeps_off_pending_trials(name: str, space: Any) -> None:
    policy, problem = cs.policies.by_name(name), cs.Problem(space)
    pending = np.zeros((0, 2))
    for t in range(6, 9):
        choice = policy.propose(problem, told(t=t, pending=pending))
        assert not (pending == choice.point).all(axis=1).any()
        pending = np.vstack([pending, choice.point])


@each_policy
def test_predicts_or_says_that_it_has_no_beliefs(name: str) -> None:
    policy, problem = cs.policies.by_name(name), cs.Problem(ARMS)
    assert policy.predict(problem, told(n=0), X) is None
    believed = policy.predict(problem, told(), X)
    if not CAN[name].has_beliefs:
        assert believed is None
        return
    assert believed is not None
    assert len(believed) == len(X)
    assert all(isinstance(p, cs.Prediction) for p in believed)
    assert [p.mean for p in believed] == pytest.approx(Y.tolist(), abs=0.3)
    assert all(p.sd >= 0.0 for p in believed)


@each_policy
def test_works_in_a_study(name: str) -> None:
    study = cs.create_study(ARMS, policy=cs.policies.by_name(name), seed=1)
    by_name = cs.create_study(ARMS, policy=name, seed=1)
    for made in (study, by_name):
        for i in range(5):
            made.tell(made.ask(), float(i % 3))
    assert [o.values for o in study.observations] == [o.values for o in by_name.observations]
    assert study.replay().identical
    assert {p.policy for p in study.facts if isinstance(p, cs.Proposal)} == {study.policy.name}
